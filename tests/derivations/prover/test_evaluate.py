"""The evaluator: values, magnitudes, the arithmetic of the environment, refusals."""

import math
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf
from sympy import Pow, Rational, Symbol, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.prover.notation import Definition, Differ, one_if, total, unfold

N, x, y = symbols("N x y")
i, j = symbols("i j", integer=True, nonnegative=True)
u, p, a, m = map(IndexedBase, "upam")
NUMBERS = {N: 3, x: Fraction(-2), y: Fraction(3), u: [Fraction(1), Fraction(-4), Fraction(2)], p: [1, 2, 0]}


@pytest.mark.parametrize(
    ("expression", "value", "magnitude"),
    [
        (x + y, 1, 5),
        (x * y, -6, 6),
        (x**3, -8, 8),
        ((x + y) ** 2, 1, 25),
        (1 / (x + y), 1, 1),  # cancellation inside a denominator is not cancellation of summed terms
        (total(u[j], (j, N)), -1, 7),
        (total(u[p[j]] * u[j], (j, N)), -10, 14),
        (total(one_if(i, j) * u[j], (j, N)), -4, 4),
        (total(Differ(j, i) * u[j], (j, N)), 3, 3),
        (total(total(u[i], (i, N)), (i, N)), -3, 21),
        (Rational(1, 3) * y, 1, 1),
        ((N - 2) * x, -2, 10),  # a factor of 1 whose terms are larger than 1
    ],
)
def test_values_and_magnitudes_are_exact(expression, value, magnitude):
    assert evaluator(expression, NUMBERS)({i: 1}) == (value, magnitude)


NAMES = (
    Definition(a[i, j], u[i] - x * u[p[j]]),
    Definition(m[i], total(a[i, j] * a[j, i], (j, N))),
    Definition(Symbol("t"), total(m[i], (i, N))),
)


@pytest.mark.parametrize(
    "expression",
    [
        a[i, 0],
        a[p[i], p[p[i]]],
        total(a[j, i], (j, N)),  # j is bound here, and is also the second index of the name
        total(m[j] * u[i], (j, N)),  # bound again in the definition of m
        total(total(a[i, j], (i, N)) * m[j], (j, N)),
        Symbol("t") / y + m[i],
    ],
    ids=str,
)
def test_a_name_evaluates_to_its_definition(expression):
    there = {i: 1}
    assert evaluator(expression, NUMBERS, names=NAMES)(there) == evaluator(
        unfold(expression, NAMES), NUMBERS
    )(there)


def test_the_definition_of_a_name_must_have_values():
    doubled = (Definition(a[i, j], 2 * y + i + j),)
    with pytest.raises(ValueError, match="y has no value"):
        evaluator(a[0, 0], {}, names=doubled)({})
    at = evaluator(a[0, 0], {}, names=doubled)
    assert [at({y: number})[0] for number in (1, 2)] == [2, 4]


def test_an_index_of_a_name_may_not_be_given_beforehand():
    with pytest.raises(ValueError, match="i is an index of"):
        evaluator(m[j], NUMBERS | {i: 1}, names=NAMES)


def test_a_given_name_keeps_the_given_value():
    assert evaluator(m[i], NUMBERS | {m: [5, 6, 7]}, names=NAMES)({i: 2}) == (7, 7)


@pytest.mark.parametrize(
    ("expression", "value", "magnitude"),
    [
        (exp(x + y), math.e, math.e),
        (log(1 / y), -math.log(3), math.log(3)),
        (sqrt(y) - 2, math.sqrt(3) - 2, math.sqrt(3) + 2),
        (Pow(y, Rational(-3, 2)), 3**-1.5, 3**-1.5),
        (exp(1) * y, 3 * math.e, 3 * math.e),
    ],
)
def test_functions_follow_the_floats(expression, value, magnitude):
    got = evaluator(expression, {x: -2.0, y: 3.0})({})
    assert all(isinstance(part, float) for part in got)
    assert got == pytest.approx((value, magnitude), rel=1e-15, abs=0)  # a few roundings of 1e-16


def test_functions_follow_mpmath():
    with mpmath.workdps(60):
        value, _ = evaluator(exp(x) / N, {x: mpf(1), N: 3})({})
        assert abs(value - mpmath.e / 3) < mpf(10) ** -59  # 1/3 was not rounded to a double on the way


def test_factors_of_a_zero_indicator_are_not_evaluated():
    assert evaluator(one_if(i, j) / (u[i] - u[j]), NUMBERS)({i: 0, j: 1}) == (0, 0)


def test_an_unbound_array_is_named():
    with pytest.raises(ValueError, match="v is not in the environment"):
        evaluator(IndexedBase("v")[i], NUMBERS)


def test_an_unbound_symbol_is_named():
    with pytest.raises(ValueError, match="t has no value"):
        evaluator(Symbol("t") + x, NUMBERS)({})


def test_an_odd_root_is_refused():
    with pytest.raises(ValueError, match="neither whole nor half"):
        evaluator(y ** Rational(1, 3), NUMBERS)


def test_a_double_beside_numbers_of_many_digits_does_not_reduce_their_digits():
    with mpmath.workdps(40):
        value, _ = evaluator(exp(x) * y, {x: mpf(1) / 3, y: 0.5})({})
        assert abs(value - mpmath.exp(mpf(1) / 3) / 2) < mpf(10) ** -38  # a few roundings of 40 digits
