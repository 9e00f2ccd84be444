"""Denominators inside sums, as in the proof of the estimated posterior (instance_nce)."""

import pytest
from sympy import Symbol, exp
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.notation import total
from infonce_ref.derivations.prover.sums import Facts, is_zero

N, M = Symbol("N", integer=True, positive=True), Symbol("M", integer=True, positive=True)
i, a, m = (Symbol(name, integer=True, nonnegative=True) for name in "iam")
x = IndexedBase("x", real=True)
FACTS = Facts(ranges={i: N, a: M, m: M})

TERM = exp(x[i, a])
WHOLE = total(exp(x[i, m]), (m, M))
SHARE = TERM / (TERM + WHOLE)


def test_a_denominator_within_a_denominator_is_cleared():
    assert is_zero(1 / (1 - SHARE) - (TERM + WHOLE) / WHOLE, FACTS)


def test_a_factor_is_moved_into_the_sum_whose_denominator_it_divides():
    assert is_zero(WHOLE * total(1 / (TERM + WHOLE), (a, M)) + total(SHARE, (a, M)) - M, FACTS)


def test_a_factor_is_moved_into_one_factor_of_a_power_of_such_a_sum():
    """The factor moves into one of the two sums of a square, and the other is left as a first power."""
    inside = total(1 / (TERM + WHOLE), (a, M))
    assert is_zero(WHOLE * inside**2 - total(WHOLE / (TERM + WHOLE), (a, M)) * inside, FACTS)
    assert is_zero(WHOLE * inside**3 - (M - total(SHARE, (a, M))) * inside**2, FACTS)


def test_a_sum_vanishes_if_each_of_its_terms_does():
    each = total(SHARE / (1 - SHARE), (a, M)) - 1
    assert is_zero(total(x[i, i] * each, (i, N)), FACTS)


@pytest.mark.parametrize("wrong", [TERM / WHOLE, 1 / WHOLE, x[i, i]])
def test_a_sum_whose_terms_do_not_vanish_is_not_proved_to(wrong):
    assert not is_zero(total(total(SHARE / (1 - SHARE) - wrong, (a, M)) - x[i, i], (i, N)), FACTS)
