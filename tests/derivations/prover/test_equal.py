"""What the prover takes for equal, and what it does not: tables, asked through `is_zero`, and `derive` for names.

The rules R1 to R8 are asked by what they make equal, not by the normal form in which they write it.
"""

import pytest
from sympy import Integer, Rational, Sum, Symbol, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.notation import Definition, Differ, delta, sum_over
from infonce_ref.derivations.prover.proof import DEFINITION, derive
from infonce_ref.derivations.prover.zero_test import Facts, NotProved, is_zero

N, M, d = symbols("N M d", integer=True, positive=True)
i, j, k, f, m, h = symbols("i j k f m h", integer=True, nonnegative=True)
a, b, c = symbols("a b c", real=True)
s, t = symbols("s t", positive=True)
x, y, z, v, L, mask = (IndexedBase(name, real=True) for name in ("x", "y", "z", "v", "L", "mask"))
u, w = (IndexedBase(name, positive=True) for name in "uw")
p, r, square, shift = (IndexedBase(name, integer=True) for name in ("p", "r", "square", "shift"))
MAPS = {p: (N, N), r: ((N, d), M), square: ((N, N), N), shift: (N, N)}
FACTS = Facts(ranges={i: N, j: N, f: d, m: M}, maps=MAPS, derangements=(shift,), masks=(mask,))
APART = 1 / (u[k] * (u[k] + 1)) - 1 / u[k] + 1 / (u[k] + 1)  # 0, once its denominators are cleared
LONG = sum_over(u[k], (k, N))
TERM, WHOLE = exp(v[i, m]), sum_over(exp(v[i, k]), (k, M))
SHARE, INSIDE = TERM / (TERM + WHOLE), sum_over(1 / (TERM + WHOLE), (m, M))  # as in the estimated posterior
FIRST, SECOND = (
    Symbol(name, integer=True, nonnegative=True) for name in ("%1", "#0.0")
)  # as the prover's own

EQUAL = [
    # numbers, powers
    ((a + b) * (a - b), a**2 - b**2),
    (1 / (2 * a + 2 * b) ** 2, (a + b) ** -2 / 4),
    (sqrt(a + b) ** 3, (a + b) * sqrt(a + b)),
    (sqrt(t) * sqrt(t), t),
    (1 / (1 - b / (a + b)), (a + b) / a),
    ((a**2 - b**2) / (a - b), a + b),
    (1 / (t * (t + 1)) ** 2, (1 / t - 1 / (t + 1)) ** 2),
    (2 * N ** Rational(-5, 3) * N, 2 * N ** Rational(-2, 3)),
    # exp, log
    (exp(a + 2 * b), exp(a) * exp(b) ** 2),
    (exp(2 * log(t)), t**2),
    (exp(-log(u[i]) + a), exp(a) / u[i]),
    (log(exp(a) ** 2 * t), 2 * a + log(t)),
    (log(a * t + b * t), log(a + b) + log(t)),
    (log(LONG * a), log(LONG) + log(a)),
    (log(t * u[i] * a), log(t) + log(u[i]) + log(a)),
    (exp(sum_over(v[i, f] + 1, (f, d))), exp(sum_over(v[i, f], (f, d))) * exp(d)),
    # sums
    (sum_over(3 * a * u[k] + t, (k, N)), 3 * a * LONG + t * N),
    (LONG**2, sum_over(u[i] * u[j], (i, N), (j, N))),
    (
        sum_over(v[i, j] * v[j, k], (i, N), (j, N), (k, N)),
        sum_over(v[k, i] * v[j, k], (k, N), (i, N), (j, N)),
    ),
    (
        sum_over(y[i] * sum_over(v[i, j], (j, N)) ** 2, (i, N)),
        sum_over(y[i] * v[i, j] * v[i, k], (i, N), (j, N), (k, N)),
    ),
    (x[i] * sum_over(x[i], (i, N)), x[i] * sum_over(x[j], (j, N))),
    (
        sum_over(x[i] * v[i, j] / u[i], (i, N), (j, N)),
        sum_over(x[i] / u[i] * sum_over(v[i, j], (j, N)), (i, N)),
    ),
    (
        t * sum_over(x[k] / (u[k] + t), (k, N)) ** 2,
        sum_over(x[k] / (u[k] + t), (k, N)) * sum_over(t * x[k] / (u[k] + t), (k, N)),
    ),
    (a * sum_over(APART * x[k], (k, N)), Integer(0)),
    (1 / (1 - SHARE), (TERM + WHOLE) / WHOLE),
    (WHOLE * INSIDE**3, (M - sum_over(SHARE, (m, M))) * INSIDE**2),
    (sum_over(x[i] * (sum_over(SHARE / (1 - SHARE), (m, M)) - 1), (i, N)), Integer(0)),
    (Sum(Sum(x[j], (j, 0, N - 1)) * y[j], (j, 0, N - 1)), sum_over(x[i], (i, N)) * sum_over(y[i], (i, N))),
    (sum_over(exp(x[i]) * exp(x[j]), (i, N), (j, N)), sum_over(exp(x[i]), (i, N)) ** 2),
    *((sum_over(x[i] * y[name], (i, N)), y[name] * sum_over(x[j], (j, N))) for name in (FIRST, SECOND)),
    # deltas, maps, masks
    (delta(i, j) * x[j], delta(i, j) * x[i]),
    (delta(i, j) * delta(j, p[i]), delta(i, j) * delta(i, p[i])),
    (delta(i, j) * sum_over(v[j, k] * x[k], (k, N)), delta(i, j) * sum_over(v[i, k] * x[k], (k, N))),
    (Differ(i, j) ** 2, 1 - delta(j, i)),
    (mask[i, j] ** 3 * a, mask[i, j] * a),
    (delta(i, shift[i]), Integer(0)),
    (delta(shift[p[i]], p[i]), Integer(0)),
    (sum_over(delta(k, i) * x[k], (k, N)), x[i]),
    (sum_over(delta(k, r[p[i], f]) * x[k], (k, M)), x[r[p[i], f]]),
    (sum_over(delta(k, i) * x[square[k, i]], (k, N)), x[square[i, i]]),
]
UNEQUAL = [
    (a, -a),
    (x[i] ** 2, x[i]),
    (a / (a + b), b / (a + b)),
    (log(a**2), 2 * log(a)),
    (log(a * b), log(a) + log(b)),
    (log(-a * t), log(a) + log(t)),
    (log(-a) - log(-b), log(a) - log(b)),
    (log(t * a**2), log(t) + 2 * log(a)),
    (log(a / (t - 2)), log(a) - log(t - 2)),  # t − 2 may be negative
    (sqrt(a * b), sqrt(a) * sqrt(b)),
    (exp(log(t) ** 2), t**2),
    (exp(log(t) ** 2), t),
    (sqrt(a + b) ** 3, sqrt(a + b)),
    (exp(a * log(t)), exp(a) * t),
    (delta(i, j) * x[j], x[i]),
    (delta(i, p[i]), Integer(0)),
    (delta(i, shift[j]), Integer(0)),
    (Differ(i, j), delta(i, j)),
    (sum_over(delta(k, m) * x[k], (k, N)), x[m]),  # m may be larger than N
    (sum_over(delta(k, r[i, f]) * x[k], (k, N)), x[r[i, f]]),
    (sum_over(delta(k, p[h]) * x[k], (k, N)), x[p[h]]),  # no range of h is known
    (sum_over(x[p[k]], (k, N)), sum_over(x[k], (k, N))),
    (sum_over(x[k], (k, N)), sum_over(x[k], (k, M))),
    (
        sum_over(v[i, j] * v[j, k], (i, N), (j, N), (k, N)),
        sum_over(v[i, j] * v[i, k], (i, N), (j, N), (k, N)),
    ),
    (sum_over(APART + x[k] - y[k], (k, N)), Integer(0)),
    (sum_over(x[k] / (u[k] + 1), (k, N)) ** 2, sum_over(x[k] ** 2 / (u[k] + 1) ** 2, (k, N))),
    (sum_over(v[j, k] * (1 / (u[k] + 1) - 1 / (u[j] + 1)), (k, N), (j, N)), Integer(0)),
    *(
        (sum_over(sum_over(SHARE / (1 - SHARE) - wrong, (m, M)) - x[i], (i, N)), Integer(0))
        for wrong in (TERM / WHOLE, 1 / WHOLE, x[i])
    ),
    (x[square[i, j]], x[square[j, i]]),
    (sum_over(delta(k, p[k]), (k, N)), Integer(0)),
    *((sum_over(x[i] * y[name], (i, N)), sum_over(x[i] * y[i], (i, N))) for name in (FIRST, SECOND)),
    *((sum_over(x[i] * name, (i, N)), sum_over(x[i] * i, (i, N))) for name in (FIRST, SECOND)),
    (Symbol("a", real=True), Symbol("a", positive=True)),
    (IndexedBase("u", real=True)[i], u[i]),
    (sum_over(a, (i, N)), sum_over(a, (i, Symbol("N", integer=True, positive=True, even=True)))),
]
REFUSED = [
    (1 / delta(i, j), r"1\[x = y\] is 0 for some indices"),
    (a / mask[i, j] ** 2, "an entry of mask is 0 for some indices"),
    (1 / (a - a + sum_over(x[i], (i, N)) - sum_over(x[j], (j, N))), "is 0"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=str)
def test_equal(left, right):
    assert is_zero(left - right, FACTS)
    assert not is_zero(left - right - t, FACTS)


@pytest.mark.parametrize(("left", "right"), UNEQUAL, ids=str)
def test_unequal(left, right):
    assert not is_zero(left - right, FACTS)


@pytest.mark.parametrize(("expression", "words"), REFUSED, ids=str)
def test_refused(expression, words):
    with pytest.raises(ValueError, match=words):
        is_zero(expression, FACTS)


NAMES = (
    Definition(c, exp(a)),
    Definition(a, b**2 + 1),
    Definition(L[i, j], x[i] * y[j]),
    Definition(z[i, j], sum_over(L[i, k] * y[j], (k, N))),
)


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        (c, exp(b**2 + 1)),
        (t * a, t * (b**2 + 1)),
        (L[j, k], x[j] * y[k]),
        (L[p[i], i], x[p[i]] * y[i]),
        (sum_over(L[k, j], (k, N)), sum_over(x[k] * y[j], (k, N))),
        (z[k, i], x[k] * y[i] * sum_over(y[j], (j, N))),  # the bound k of the definition is not the free one
        (sum_over(z[i, k], (k, N)), x[i] * sum_over(y[k], (k, N)) ** 2),
    ],
    ids=str,
)
def test_a_name_is_what_it_is_defined_as(name, meaning):
    assert derive(name, (DEFINITION, meaning), names=iter(NAMES), facts=FACTS)
    assert not is_zero(name - meaning, FACTS)
    with pytest.raises(NotProved):
        derive(name, (DEFINITION, meaning + t), names=NAMES, facts=FACTS)
