"""The closed forms of InfoNCE and NT-Xent against differences of the raw definition with 50 digits."""

import random

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses import every, infonce, ntxent
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.prover.sums import NormalForm
from infonce_ref.derivations.prover.terms import plus
from infonce_ref.derivations.symbols import nu, p

STATEMENTS = every()

STEP = mpf(10) ** -25  # central differences: an error of order STEP² = 1e-50, relative


def rows(count=6, features=3, noise=0.1, seed=0):
    """Two views of count/2 images, the second the first plus noise, in an order where p is no matter."""
    r = random.Random(seed)
    first = [[mpf(r.gauss(0, 1)) for _ in range(features)] for _ in range(count // 2)]
    return first + [[x + mpf(noise) * mpf(r.gauss(0, 1)) for x in row] for row in first]


def moved(data, at, by):
    if not at:
        return data + by
    return [moved(row, at[1:], by) if place == at[0] else row for place, row in enumerate(data)]


OPTIONS = [
    ("infonce", {}),
    ("infonce", {"reduction": "sum"}),
    ("ntxent", {"layout": "concatenated"}),
    ("ntxent", {"layout": "interleaved", "reduction": "sum"}),
]


@pytest.mark.parametrize(("loss", "options"), OPTIONS)
@pytest.mark.parametrize("temperature", ["1", "0.1"])
def test_the_closed_form_is_the_difference_of_the_definition(loss, options, temperature):
    statement = STATEMENTS[loss]
    with mpmath.workdps(100):
        environment = statement.bind(rows(), temperature=mpf(temperature), **options)
        for name, gradient in statement.gradients.items():
            at = (4, 1) if gradient.indices else ()
            data = environment[gradient.variable]
            ends = [environment | {gradient.variable: moved(data, at, by)} for by in (STEP, -STEP)]
            high, low = (evaluator(statement.definition, end)({})[0] for end in ends)
            expected = (high - low) / (2 * STEP)
            got, size = evaluator(gradient.closed_form, environment)(dict(zip(gradient.indices, at)))
            # the third derivative is of order 1/τ³
            assert abs(got - expected) <= mpf(10) ** -44 * size / mpf(temperature) ** 3, name


def test_the_closed_form_keeps_its_digits_where_p_is_almost_1():
    with mpmath.workdps(60):
        environment = ntxent.STATEMENT.bind(rows(noise=0.001), temperature=mpf("0.001"))
        gradient = ntxent.STATEMENT.gradients["temperature"]
        value, size = evaluator(gradient.closed_form, environment)({})
        assert 0 < value < mpf(10) ** -20
        assert size < 100 * value  # s_p − s_n cancels a little; nothing of the size of P = 1 was subtracted


@pytest.mark.parametrize(
    ("loss", "name"), [(loss, name) for loss, s in STATEMENTS.items() for name in s.gradients]
)
def test_what_is_evaluated_is_what_was_proved(loss, name):
    gradient = STATEMENTS[loss].gradients[name]
    proof = gradient.prove()
    assert proof.lines[-1].expression == gradient.form
    with_names, without = NormalForm(proof.facts, gradient.names), NormalForm(proof.facts)
    assert not plus(with_names.of(gradient.form), without.of(gradient.closed_form), -1)


def test_one_more_row_in_the_denominator_tells_the_two_losses_apart():
    """On unit rows e^ℓ of D1 is e^ℓ of NT-Xent plus exp((1 − s_p)/τ) [M2]: the definitions are not mixed up."""
    with mpmath.workdps(50):
        unit = [[mpf(3) / 5, mpf(4) / 5], [mpf(-1), mpf(0)], [mpf(0), mpf(1)], [mpf(1), mpf(0)]]
        masked = evaluator(ntxent.STATEMENT.definition, ntxent.STATEMENT.bind(unit, temperature=mpf(1)))({})[
            0
        ]
        full = evaluator(infonce.STATEMENT.definition, infonce.STATEMENT.bind(unit, temperature=mpf(1)))({})[
            0
        ]

        def similarity(one, other):
            return sum(x * y for x, y in zip(unit[one], unit[other]))

        losses = []
        for i in range(4):
            positive = mpmath.exp(similarity(i, (i + 2) % 4))
            others = sum(mpmath.exp(similarity(i, j)) for j in range(4) if j != i)
            losses.append((mpmath.log(others / positive), mpmath.log((others + mpmath.e) / positive)))
        assert abs(masked - sum(x for x, _ in losses) / 4) < mpf(10) ** -48
        assert abs(full - sum(x for _, x in losses) / 4) < mpf(10) ** -48


@pytest.mark.parametrize(
    ("layout", "expected"), [("concatenated", [2, 3, 0, 1]), ("interleaved", [1, 0, 3, 2])]
)
def test_positives_are_bound_by_layout(layout, expected):
    bound = ntxent.STATEMENT.bind(rows(4), temperature=1, layout=layout)
    assert bound[p] == expected


def test_the_reduction_is_bound_by_its_divisor():
    assert ntxent.STATEMENT.bind(rows(4), temperature=1)[nu] == 4
    assert ntxent.STATEMENT.bind(rows(4), temperature=1, reduction="sum")[nu] == 1


@pytest.mark.parametrize(("option", "value"), [("layout", "mixed"), ("reduction", "none")])
def test_an_unknown_option_is_refused(option, value):
    with pytest.raises(ValueError, match=f"{option} must be"):
        ntxent.STATEMENT.bind(rows(4), temperature=1, **{option: value})
