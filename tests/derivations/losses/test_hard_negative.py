"""Debiased and hard negatives, written again in loops, on both sides of the clamp."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.hard_negative import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import above

# interleaved, some rows are clamped and some are not
MIXED = [[mpf(x) for x in row] for row in ([3, 1], [3, 2], [-1, 2], [2, -1], [-3, 1], [-2, 2])]


def rows(w, temperature, beta, prior, partner=lambda i, n: (i + n // 2) % n):
    n = len(w)
    z = [[x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row] for row in w]
    for i, row in enumerate(z):
        own = partner(i, n)
        powers = [mpmath.exp(mpmath.fdot(row, other) / temperature) for other in z]
        negatives = [power for j, power in enumerate(powers) if j not in (i, own)]
        importance = [power**beta for power in negatives]
        mean = sum(x * y for x, y in zip(importance, negatives, strict=True)) / sum(importance)
        least = mpmath.exp(-1 / temperature)
        estimate = len(negatives) * max((mean - prior * powers[own]) / (1 - prior), least)
        yield mpmath.log(1 + estimate / powers[own])


def raw(w, temperature, beta, prior):
    return sum(rows(w, temperature, beta, prior)) / len(w)


@pytest.mark.parametrize(
    ("beta", "prior"),
    [(mpf(0), mpf(0)), (mpf(0), mpf("0.1")), (mpf("0.5"), mpf("0.1")), (mpf(2), mpf("0.4"))],
)
def test_the_statement_is_of_the_raw_loss(assert_states, array, beta, prior):
    def at(w, temperature):
        return raw(w, temperature, beta, prior)

    assert_states("hard_negative", at, {"w": array(6, 3), "temperature": mpf("0.7")}, beta=beta, prior=prior)


def test_interleaved_and_summed_on_both_sides_of_the_clamp(assert_states):
    weighed = {"beta": mpf(1), "prior": mpf("0.3")}

    def total(w, temperature):
        return sum(rows(w, temperature, **weighed, partner=lambda i, n: i ^ 1))

    options = weighed | {"layout": "interleaved", "reduction": "sum"}
    point = {"w": MIXED, "temperature": mpf("0.5")}
    assert set(STATEMENT.bind(**point, **options)[above]) == {0, 1}
    assert_states("hard_negative", total, point, **options)


def test_at_the_tie_the_estimate_is_clamped():
    rows = [[mpf(1)], [mpf(-1)], [mpf(-1)], [mpf(-1)]]  # of row 0 all others are opposite
    bound = STATEMENT.bind(rows, temperature=mpf(1), beta=mpf(1), prior=mpf("0.5"))
    assert bound[above] == [0, 1, 1, 1]
    assert evaluator(STATEMENT.form, bound, names=STATEMENT.names)({})[0] == pytest.approx(
        float(raw(rows, mpf(1), mpf(1), mpf("0.5")))
    )


def test_each_row_with_a_weight_of_its_own(assert_states, array):
    weights, weighed = array(6), {"beta": mpf(1), "prior": mpf("0.3")}

    def weighted(w, temperature):
        return mpmath.fdot(weights, rows(w, temperature, **weighed, partner=lambda i, n: i ^ 1))

    options = {"layout": "interleaved", "reduction": "none", "upstream": weights}
    assert_states("hard_negative", weighted, {"w": MIXED, "temperature": mpf("0.5")}, **weighed, **options)
