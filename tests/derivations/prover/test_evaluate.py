"""The evaluator: values, magnitudes, the arithmetic of the environment, refusals."""

import math
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf
from sympy import Function, Integer, Pow, Rational, Symbol, exp, log, sqrt, symbols
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


# --- each kind of node, the functions that it calls, and refusals ---------------------------------------


@pytest.mark.parametrize(
    ("expression", "value", "magnitude"),
    [
        (Integer(-3), -3, 3),
        (x, -2, 2),
        (u[i], -4, 4),
        (i, 1, 1),
        (N**-2, Fraction(1, 9), Fraction(1, 9)),
        (x**-3, Fraction(-1, 8), Fraction(1, 8)),
        ((x - y) ** -2, Fraction(1, 25), Fraction(1, 25)),
        (x * (x + y), -2, 10),
        (one_if(i, 1), 1, 1),
        (one_if(i, 0), 0, 0),
        (Differ(i, 0), 1, 1),
        (Differ(i, 1), 0, 0),
        (total(u[j], (j, i)), 1, 1),
        (total(u[j], (j, i - 1)), 0, 0),  # no term
        # 1·1 − 4·(1 − 4) + 2·(1 − 4 + 2), and 1·1 + 4·(1 + 4) + 2·(1 + 4 + 2)
        (total(u[j] * u[i], (j, i + 1), (i, N)), 11, 35),
    ],
    ids=str,
)
def test_the_parts_of_an_expression_have_exact_values(expression, value, magnitude):
    assert evaluator(expression, NUMBERS)({i: 1}) == (value, magnitude)


def test_a_whole_factor_of_0_ends_a_product():
    assert evaluator((N - 3) * (1 / (N - 3) + y), NUMBERS | {N: 3})({}) == (0, 0)


@pytest.mark.parametrize(
    ("expression", "names", "message"),
    [
        (u[j], (), "^evaluator: j has no value; bind it in the environment or pass it as an index$"),
        (Function("f")(x), (), r"^evaluator: no rule for f in f\(x\); write it with sums and exp$"),
        (
            IndexedBase("v")[i],
            (),
            "^evaluator: v is not in the environment; bind it to nested lists of numbers$",
        ),
        (
            x ** Rational(-2, 3),
            (),
            "^evaluator: the exponent -2/3 is neither whole nor half; write it with exp and log$",
        ),
        (x**y, (), "^evaluator: the exponent y is neither whole nor half; write it with exp and log$"),
        (
            x,
            NAMES,
            r"^evaluator: i, j is an index of a\[i, j\], and has a value in the environment;"
            " pass the value of a free index to the call$",
        ),
    ],
    ids=str,
)
def test_what_has_no_value_is_refused_with_the_remedy(expression, names, message):
    bound = {i: 0, j: 0} if names else {}
    with pytest.raises(ValueError, match=message):
        evaluator(expression, NUMBERS | bound, names=names)({i: 1})


def test_a_sum_over_an_array_of_more_places_keeps_each_row_apart():
    rows = {N: 2, u: [[1, 2], [10, 20]]}
    at = evaluator(total(u[i, j], (j, N)), rows)
    assert [at({i: place})[0] for place in (0, 1, 0)] == [3, 30, 3]
