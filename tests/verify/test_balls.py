"""Ball arithmetic."""

from fractions import Fraction

import pytest
from flint import arb, ctx
from mpmath import mpf

from infonce_ref.verify.balls import DIGITS, FUNCTIONS, balls


def test_numbers_become_balls_and_integers_stay_integers():
    third = balls({"a": [mpf(0.1), (2, Fraction(1, 3))]})["a"]
    assert third[0] == arb(0.1)
    assert third[1][0] == 2
    assert isinstance(third[1][0], int)
    with ctx.workdps(DIGITS):
        assert balls(Fraction(1, 3)).overlaps(arb(1) / 3)


@pytest.mark.parametrize("n", [2, 3])
def test_a_power_of_a_ball_around_zero_is_a_ball(n):
    assert float(FUNCTIONS.power(arb(0, 0.5), n).upper()) == pytest.approx(0.5**n)


def test_a_ratio_is_exact():
    assert FUNCTIONS.ratio(1, 3) * 3 == 1


def test_a_mean_of_ones_is_one_without_a_radius():
    """Its logarithm is then exactly 0; a ball around 0 could not be compared with a loss."""
    assert FUNCTIONS.log(sum(FUNCTIONS.exp(arb(0)) for _ in range(6)) * FUNCTIONS.ratio(1, 6)) == 0


def test_exp_of_a_ball_around_zero_is_a_ball():
    assert FUNCTIONS.exp(arb(0, 0.5)).contains(arb(0.5).exp())
