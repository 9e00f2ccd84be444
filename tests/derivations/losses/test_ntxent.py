"""NT-Xent, written again: cosines, and every row but the anchor a candidate."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses import infonce, ntxent
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import nu, p


def raw(w, temperature, partner=lambda i, n: (i + n // 2) % n):
    loss, n = mpf(0), len(w)
    z = [[x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row] for row in w]
    for i, row in enumerate(z):
        scores = [mpmath.fdot(row, other) / temperature for other in z]
        others = sum(mpmath.exp(score) for j, score in enumerate(scores) if j != i)
        loss += mpmath.log(others) - scores[partner(i, n)]
    return loss / n


@pytest.mark.parametrize("temperature", [mpf(1), mpf("0.4")])
def test_the_statement_is_of_the_raw_loss(assert_states, array, temperature):
    assert_states("ntxent", raw, {"w": array(6, 3), "temperature": temperature})


def test_interleaved_and_summed(assert_states, array):
    def total(w, temperature):
        return 4 * raw(w, temperature, lambda i, n: i ^ 1)

    options = {"layout": "interleaved", "reduction": "sum"}
    assert_states("ntxent", total, {"w": array(4, 3), "temperature": mpf(1)}, **options)


def test_the_closed_form_keeps_its_digits_where_p_is_almost_1(array):
    with mpmath.workdps(60):
        first = array(3, 3)
        views = first + [[x + y / 1000 for x, y in zip(row, noise)] for row, noise in zip(first, array(3, 3))]
        gradient = ntxent.STATEMENT.gradients["temperature"]
        bound = ntxent.STATEMENT.bind(views, temperature=mpf("0.001"))
        value, size = evaluator(gradient.form, bound, names=gradient.names)({})
        assert 0 < abs(value) < mpf(10) ** -20
        assert size < 100 * abs(
            value
        )  # s_p − s_n cancels a little; nothing of the size of P = 1 was subtracted


def test_one_more_row_in_the_denominator_tells_the_two_losses_apart():
    """On unit rows e^ℓ of D1 is e^ℓ of NT-Xent plus exp((1 − s_p)/τ) [M2]: the definitions are not mixed up."""
    with mpmath.workdps(50):
        unit = [[mpf(3) / 5, mpf(4) / 5], [mpf(-1), mpf(0)], [mpf(0), mpf(1)], [mpf(1), mpf(0)]]
        masked, full = (
            evaluator(s.form, s.bind(unit, temperature=mpf(1)), names=s.names)({})[0]
            for s in (ntxent.STATEMENT, infonce.STATEMENT)
        )
        losses = []
        for i in range(4):
            positive = mpmath.exp(mpmath.fdot(unit[i], unit[(i + 2) % 4]))
            others = sum(mpmath.exp(mpmath.fdot(unit[i], unit[j])) for j in range(4) if j != i)
            losses.append((mpmath.log(others / positive), mpmath.log((others + mpmath.e) / positive)))
        assert abs(masked - sum(x for x, _ in losses) / 4) < mpf(10) ** -48
        assert abs(full - sum(x for _, x in losses) / 4) < mpf(10) ** -48


@pytest.mark.parametrize(
    ("layout", "expected"), [("concatenated", [2, 3, 0, 1]), ("interleaved", [1, 0, 3, 2])]
)
def test_positives_are_bound_by_layout(array, layout, expected):
    assert ntxent.STATEMENT.bind(array(4, 3), temperature=1, layout=layout)[p] == expected


@pytest.mark.parametrize(("options", "divisor"), [({}, 4), ({"reduction": "sum"}, 1)])
def test_the_reduction_is_bound_by_its_divisor(array, options, divisor):
    assert ntxent.STATEMENT.bind(array(4, 3), temperature=1, **options)[nu] == divisor


@pytest.mark.parametrize(("option", "value"), [("layout", "mixed"), ("reduction", "median")])
def test_an_unknown_option_is_refused(array, option, value):
    with pytest.raises(ValueError, match=f"{option} must be"):
        ntxent.STATEMENT.bind(array(4, 3), temperature=1, **{option: value})
