"""Values and slopes that the tape gives, against derivatives worked out by hand."""

import pytest
from flint import arb, ctx

from infonce_ref.verify.tape import TAPED, record, slopes

X, Y = 2.0, 5.0
E2 = 7.38905609893065  # e²
DIGITS = 50


def differentiate(function):
    """The value of function(x, y) at x = 2 and y = 5, and its slopes by name."""
    tape, places = [], {}
    x, y = record(tape, [arb(X), arb(Y)], {(0,): "x", (1,): "y"}, places)
    output = function(x, y)
    return float(output.value), {key: float(slope) for key, slope in slopes(output, places)}


@pytest.mark.parametrize(
    ("function", "value", "by"),
    [
        (lambda x, y: x + y, 7, {"x": 1, "y": 1}),
        (lambda x, y: x + 3, 5, {"x": 1}),
        (lambda x, y: 3 + x, 5, {"x": 1}),
        (lambda x, y: x * y, 10, {"x": 5, "y": 2}),
        (lambda x, y: x * 3, 6, {"x": 3}),
        (lambda x, y: 3 * x, 6, {"x": 3}),
        (lambda x, y: 3 / x, 1.5, {"x": -0.75}),
        (lambda x, y: TAPED.exp(x), E2, {"x": E2}),
        (lambda x, y: TAPED.log(x), 0.6931471805599453, {"x": 0.5}),
        (lambda x, y: TAPED.sqrt(x), 1.4142135623730951, {"x": 0.35355339059327373}),
        (lambda x, y: TAPED.power(x, 3), 8, {"x": 12}),
        # each number several times: the parts of its slope are added
        (lambda x, y: x * x, 4, {"x": 4}),
        (lambda x, y: x * x * y + x, 22, {"x": 21, "y": 4}),
        (lambda x, y: TAPED.log(x * y) * x, 4.605170185988092, {"x": 3.302585092994046, "y": 0.4}),
        (lambda x, y: (1 / y) * TAPED.exp(x), E2 / 5, {"x": E2 / 5, "y": -E2 / 25}),
    ],
)
def test_value_and_slopes_are_those_worked_out_by_hand(function, value, by):
    found, slopes = differentiate(function)
    # rounding of the numbers above to float64
    assert found == pytest.approx(value, rel=1e-15, abs=0)
    assert slopes == pytest.approx(by, rel=4e-16, abs=0)


def test_a_slope_has_all_digits_of_the_context():
    with ctx.workdps(DIGITS):
        places = {}
        x = record([], arb(2), {(): "x"}, places)
        ((_, slope),) = slopes(TAPED.sqrt(x), places)
        assert slope.overlaps(1 / arb(8).sqrt())
        assert slope.rel_accuracy_bits() >= DIGITS * 3  # 50 digits are 166 bits
