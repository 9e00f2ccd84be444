"""The evaluator: values, magnitudes, the arithmetic of the environment, refusals."""

from fractions import Fraction

import pytest
from sympy import Function, Rational, Symbol, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.prover.notation import Definition, Differ, delta, sum_over

N, x, y, w = symbols("N x y w")
i, j = symbols("i j", integer=True, nonnegative=True)
u, v, p, a, m = map(IndexedBase, "uvpam")
NUMBERS = {N: 3, x: Fraction(-2), y: Fraction(3), u: [Fraction(1), Fraction(-4), Fraction(2)], p: [1, 2, 0]}
NUMBERS[v] = [[1, 2, 3], [10, 20, 30], [100, 200, 300]]
NAMES = (
    Definition(a[i, j], u[i] - x * u[p[j]]),
    Definition(m[i], sum_over(a[i, j] * a[j, i], (j, N))),
    Definition(w, sum_over(m[i], (i, N))),
)


@pytest.mark.parametrize(
    ("expression", "value", "magnitude"),
    [
        (x**3, -8, 8),
        ((x - y) ** -2, Fraction(1, 25), Fraction(1, 25)),
        ((x + y) ** 2, 1, 25),
        (x * (x + y), -2, 10),
        (1 / (x + y), 1, 1),  # cancellation inside a denominator is not cancellation of summed terms
        (sum_over(u[p[j]] * u[j], (j, N)), -10, 14),
        (sum_over(Differ(j, i) * u[j], (j, N)), 3, 3),
        (sum_over(u[j], (j, i - 1)), 0, 0),  # no term
        # 1·1 − 4·(1 − 4) + 2·(1 − 4 + 2), and 1·1 + 4·(1 + 4) + 2·(1 + 4 + 2)
        (sum_over(u[j] * u[i], (j, i + 1), (i, N)), 11, 35),
        ((N - 2) * x, -2, 10),  # a factor of 1 whose terms are larger than 1
        ((N - 3) * (1 / (N - 3) + y), 0, 0),  # a whole factor of 0 ends a product
        (delta(i, 0) / (u[i] - u[1]), 0, 0),
        # names: a is (−7, 5, 3), (−12, 0, −2), (−6, 6, 4), and m is −29, −72, −14
        (a[p[i], p[p[i]]], -6, 10),
        (sum_over(m[j] * u[i], (j, N)), 460, 1652),  # bound again in the definition of m
        (w / y + m[i], Fraction(-115, 3) - 72, Fraction(413, 3) + 160),
    ],
    ids=str,
)
def test_values_and_magnitudes_are_exact(expression, value, magnitude):
    assert evaluator(expression, NUMBERS, names=NAMES)({i: 1}) == (value, magnitude)


@pytest.mark.parametrize(
    ("expression", "bound", "message"),
    [
        (u[j], {}, "^evaluator: j has no value; bind it in the environment or pass it as an index$"),
        (Function("f")(x), {}, r"^evaluator: no rule for f in f\(x\); write it with sums and exp$"),
        (Symbol("z"), {}, "^evaluator: z has no value"),
        (
            IndexedBase("b")[i],
            {},
            "^evaluator: b is not in the environment; bind it to nested lists of numbers$",
        ),
        (
            x ** Rational(-2, 3),
            {},
            "^evaluator: the exponent -2/3 is neither whole nor half; write it with exp and",
        ),
        (x**y, {}, "^evaluator: the exponent y is neither whole nor half; write it with exp and log$"),
        (
            x,
            {i: 0, j: 0},
            r"^evaluator: i, j is an index of a\[i, j\], and has a value in the environment; pass ",
        ),
    ],
    ids=str,
)
def test_what_has_no_value_is_refused_with_the_remedy(expression, bound, message):
    with pytest.raises(ValueError, match=message):
        evaluator(expression, NUMBERS | bound, names=NAMES if bound else ())({i: 1})
