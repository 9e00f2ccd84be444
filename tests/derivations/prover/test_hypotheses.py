"""A hypothesis prints what it assumes, and those that an expression needs are found in it."""

import pytest
from sympy import Rational, Symbol, cos, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.hypotheses import (
    Deranged,
    Held,
    Independent,
    InRange,
    Into,
    Mask,
    Needs,
    Signed,
    Size,
    Summed,
    find_needs,
)
from infonce_ref.derivations.prover.notation import total

N, M = symbols("N M", integer=True, positive=True)
i, j, k = symbols("i j k", integer=True, nonnegative=True)
a, b = symbols("a b", real=True)
t = Symbol("t", positive=True)
s = Symbol("s", nonnegative=True)
x, y = (IndexedBase(name, real=True) for name in "xy")
u = IndexedBase("u", positive=True)
w = IndexedBase("w", nonnegative=True)
p = IndexedBase("p", integer=True)
count = IndexedBase("count", integer=True, positive=True)


PRINTED = [
    (InRange(i, N), "i runs from 0 to N − 1"),
    (Summed(k, N + M), "Σ_k runs from 0 to M + N − 1"),
    (Into(p, N, M), "p maps 0 … N − 1 into 0 … M − 1"),
    (Into(p, (N, M), N), "p maps 0 … N − 1 and 0 … M − 1 into 0 … N − 1"),
    (Deranged(p), "p(i) ≠ i"),
    (Mask(x), "x is 0 or 1"),
    (Signed(t, ">"), "t > 0"),
    (Signed(w, "≥"), "the entries of w are ≥ 0"),
    (Size(N), "N is 1, 2, 3, …"),
    (Needs(total(x[k], (k, N)), "≠"), "Σ_k (x[k]) ≠ 0"),
    (Independent(x), "the entries of x are independent variables"),
    (Independent(a), "a and what it stands for are independent variables"),
    (Held(a, (b, x)), "∂/∂a holds b, x constant"),
]


@pytest.mark.parametrize(("hypothesis", "printed"), PRINTED)
def test_a_hypothesis_prints_what_it_assumes(hypothesis, printed):
    assert str(hypothesis) == printed


@pytest.mark.parametrize(
    ("expression", "needs"),
    [
        (a + b**2 * exp(a), []),
        (log(a), [Needs(a, ">")]),
        (log(t) + log(u[i]) + log(exp(a)), []),
        (log(s), [Needs(s, ">")]),
        (1 / a, [Needs(a, "≠")]),
        (a**-2, [Needs(a, "≠")]),
        (1 / s, [Needs(s, "≠")]),
        (1 / t, []),
        (sqrt(a), [Needs(a, "≥")]),
        (sqrt(s) + sqrt(a**2 + s), []),
        (1 / sqrt(a), [Needs(a, ">")]),
        (1 / sqrt(s), [Needs(s, ">")]),
        (a ** Rational(5, 3), [Needs(a, "≥")]),
        (sqrt(2) + 2 ** Rational(-1, 3), []),
        (2**a, []),
        (t**a, []),
        (cos(log(x[i]) / b), [Needs(b, "≠"), Needs(x[i], ">")]),
        (total(log(x[k]), (k, N)), [Needs(x[k], ">")]),
    ],
)
def test_what_an_expression_needs_to_be_defined(expression, needs):
    assert list(find_needs(expression)) == needs
