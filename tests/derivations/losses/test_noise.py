"""NCE, instance discrimination and their mixture against 50-digit differences of the raw losses, written again."""

import random
from itertools import product

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses import instance_nce, nce, statement
from infonce_ref.derivations.prover.evaluate import evaluator

STEP = mpf(10) ** -20
CLOSE = mpf(10) ** -26  # 50 digits less those of the step and of e^{9/τ}; the scheme itself errs by 10⁻³⁶


def array(r, *shape):
    return [array(r, *shape[1:]) for _ in range(shape[0])] if shape else mpf(r.randint(-9, 9)) / 8


def softmax_loss(scores, own):
    return mpmath.log(sum(map(mpmath.exp, scores))) - scores[own]


def raw_query_key(query, positive, negatives, temperature):
    losses = []
    for n, x in enumerate(query):
        keys = negatives[n] if isinstance(negatives[0][0], list) else negatives
        losses.append(softmax_loss([mpmath.fdot(x, key) / temperature for key in (positive[n], *keys)], 0))
    return sum(losses) / len(losses)


def raw_cpc(scores, positive):
    return sum(softmax_loss(row, own) for row, own in zip(scores, positive, strict=True)) / len(scores)


def raw_instance(v, bank, index, temperature):
    return sum(
        softmax_loss([mpmath.fdot(x, row) / temperature for row in bank], own)
        for x, own in zip(v, index, strict=True)
    )


def raw_nce(data_scores, noise_scores, log_noise_data, log_noise):
    """Each h by Bayes' rule from the priors 1/(1 + m) and m/(1 + m)."""

    def h(u, log_p, m):
        datum, noise = mpmath.exp(u) / (1 + m), mpmath.exp(log_p) * m / (1 + m)
        return datum / (datum + noise)

    value = mpf(0)
    for n, u in enumerate(data_scores):
        m = len(noise_scores[n])
        value -= mpmath.log(h(u, log_noise_data[n], m))
        for score, log_p in zip(noise_scores[n], log_noise[n], strict=True):
            value -= mpmath.log(1 - h(score, log_p, m))
    return value / len(data_scores)


def raw_instance_nce(v, bank, index, noise_index, temperature):
    """Each ĥ as a compound fraction, P̂ = e/Ẑ with Ẑ = (n/m) Σ e_{j_k} [D3.15]."""
    value, n = mpf(0), len(bank)
    for x, own, rows in zip(v, index, noise_index, strict=True):
        e = [mpmath.exp(mpmath.fdot(x, row) / temperature) for row in bank]
        m = len(rows)
        normaliser = mpf(n) / m * sum(e[row] for row in rows)
        h = [one / normaliser / (one / normaliser + mpf(m) / n) for one in e]
        value -= mpmath.log(h[own]) + sum(mpmath.log(1 - h[row]) for row in rows)
    return value / len(v)


R = random.Random(7)
COLD = {"temperature": mpf("0.4")}
POINTS = {
    "own": (
        raw_query_key,
        {"query": array(R, 2, 3), "positive": array(R, 2, 3), "negatives": array(R, 2, 3, 3)},
    ),
    "shared": (
        raw_query_key,
        {"query": array(R, 2, 3), "positive": array(R, 2, 3), "negatives": array(R, 4, 3)},
    ),
    "cpc": (raw_cpc, {"scores": array(R, 3, 4), "positive": [2, 0, 3]}),
    "instance": (raw_instance, {"v": array(R, 3, 2), "bank": array(R, 4, 2), "index": [3, 1, 3]}),
    "nce": (
        raw_nce,
        {
            "data_scores": array(R, 2),
            "noise_scores": array(R, 2, 3),
            "log_noise_data": array(R, 2),
            "log_noise": array(R, 2, 3),
        },
    ),
    "instance_nce": (
        raw_instance_nce,
        {  # v_0's own row is drawn for it, and a row is drawn twice for v_1
            "v": array(R, 2, 2),
            "bank": array(R, 4, 2),
            "index": [3, 1],
            "noise_index": [[0, 3, 1], [2, 2, 0]],
        },
    ),
}
TEMPERED = {"own", "shared", "instance", "instance_nce"}
LOSS = {"own": "query_key", "shared": "query_key"}


def point(name):
    raw, arguments = POINTS[name]
    return raw, arguments | (COLD if name in TEMPERED else {})


def places(array):
    shape, inside = [], array
    while isinstance(inside, list):
        shape.append(len(inside))
        inside = inside[0]
    return list(product(*map(range, shape)))


def moved(array, place, step):
    if not place:
        return array + step
    return [moved(x, place[1:], step) if n == place[0] else x for n, x in enumerate(array)]


@pytest.mark.parametrize("name", POINTS)
def test_the_definition_is_the_raw_loss(name):
    raw, arguments = point(name)
    proved = statement(LOSS.get(name, name), arguments)
    with mpmath.workdps(50):
        value = evaluator(proved.definition, proved.bind(**arguments))({})[0]
        assert abs(value - raw(**arguments)) < mpf(10) ** -46  # a few dozen roundings


@pytest.mark.parametrize("name", POINTS)
def test_the_gradients_are_the_slopes_of_the_raw_loss(name):
    raw, arguments = point(name)
    proved = statement(LOSS.get(name, name), arguments)
    with mpmath.workdps(50):
        for input, gradient in proved.gradients.items():
            at = evaluator(gradient.closed_form, proved.bind(**arguments))
            for place in places(arguments[input]):
                ends = [
                    raw(**arguments | {input: moved(arguments[input], place, sign * STEP)})
                    for sign in (1, -1)
                ]
                value, _ = at(dict(zip(gradient.indices, place, strict=True)))
                assert abs(value - (ends[0] - ends[1]) / (2 * STEP)) < CLOSE, (input, place)


def test_the_sum_over_a_batch_is_n_times_the_mean():
    _, arguments = point("shared")
    values = []
    for reduction in ("mean", "sum"):
        proved = statement("query_key", arguments)
        values.append(evaluator(proved.definition, proved.bind(**arguments, reduction=reduction))({})[0])
    assert values[1] == pytest.approx(2 * values[0], rel=1e-12)  # mpmath's 15 digits


def test_the_minimum_of_nce_is_where_the_claim_says():
    """−P log h − m Pₙ log(1 − h) on a grid around P/(P + m Pₙ)."""
    p, p_noise, m = 0.3, 0.2, 4
    best = p / (p + m * p_noise)

    def risk(h):
        return -p * mpmath.log(h) - m * p_noise * mpmath.log(1 - h)

    assert all(risk(best) < risk(h / 100) for h in range(1, 100) if abs(h / 100 - best) > 1e-9)


@pytest.mark.parametrize(("draws", "size"), [(1, 3), (2, 2), (3, 2)])
def test_the_estimate_is_unbiased_and_the_posterior_is_not(draws, size):
    bank = instance_nce.BANK_OF_THREE[:size]
    whole, normaliser = sum(bank), instance_nce.normaliser
    assert instance_nce.mean(bank, draws, lambda drawn: normaliser(bank, drawn)) == whole
    chance = instance_nce.mean(
        bank, draws, lambda drawn: instance_nce.h(bank[0], normaliser(bank, drawn), bank, draws)
    )
    assert chance > instance_nce.h(bank[0], whole, bank, draws)


def test_a_constant_estimate_is_not_biased():
    bank = (instance_nce.BANK_OF_THREE[1],) * 3
    assert instance_nce.mean(bank, 2, lambda drawn: 1 / instance_nce.normaliser(bank, drawn)) == 1 / sum(bank)


def test_two_class_loss_is_the_raw_loss():
    """D2's witness: u = log 2 for both, one noise sample, p_n = 1."""
    u, none = mpmath.log(2), mpf(0)
    raw = raw_nce([u], [[u]], [none], [[none]])
    assert mpmath.exp(raw) == pytest.approx(float(nce.two_class_loss(2, 2)), rel=1e-12)  # 15 digits
