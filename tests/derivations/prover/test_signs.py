"""Signs follow from those of the parts, and nothing is called real unless it is known to be."""

import pytest
from sympy import Pow, Rational, Symbol, exp, log, sqrt, symbols

from infonce_ref.derivations.prover.signs import is_nonnegative, is_positive, is_real

x, y = symbols("x y", real=True)
t = Symbol("t", positive=True)
BELOW = 1 - sqrt(2)  # a number below 0 that SymPy leaves as it is


@pytest.mark.parametrize(
    ("expression", "real"),
    [
        (Pow(BELOW, 2), True),
        (1 / BELOW, True),
        (sqrt(BELOW), False),
        (sqrt(sqrt(2)), True),
        (sqrt(x), True),  # wherever it is defined
        (sqrt(Symbol("c")), False),
        (log(x) + exp(y), True),
        (Symbol("c") * x, False),
    ],
)
def test_which_expressions_are_real(expression, real):
    assert is_real(expression) is real


@pytest.mark.parametrize(
    ("expression", "positive", "nonnegative"),
    [
        (x**2, False, True),
        (t**2, True, True),
        (x**3, False, False),
        (Symbol("c") ** 2, False, False),
        (1 / x**2, False, False),  # 1/0 is no number
        (t**2 + x**2, True, True),
        (x**2 + y**2, False, True),
        (t - x**2, False, False),
        (exp(x), True, True),
        (exp(Symbol("c")), False, False),
        (t ** Rational(1, 2) * t, True, True),
    ],
)
def test_signs(expression, positive, nonnegative):
    assert is_positive(expression) is positive
    assert is_nonnegative(expression) is nonnegative
