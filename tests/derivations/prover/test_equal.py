"""What the prover takes for equal, and what it does not: tables, asked through `is_zero`, and `derive` for names.

The rules R1 to R8 are asked by what they make equal, not by the normal form in which they write it.
"""

import pytest
from sympy import E, Integer, Rational, Sum, Symbol, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.notation import Definition, Differ, one_if, total
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
LONG = total(u[k], (k, N))
TERM, WHOLE = exp(v[i, m]), total(exp(v[i, k]), (k, M))
SHARE, INSIDE = TERM / (TERM + WHOLE), total(1 / (TERM + WHOLE), (m, M))  # as in the estimated posterior
FIRST, SECOND = (
    Symbol(name, integer=True, nonnegative=True) for name in ("%1", "#0.0")
)  # as the prover's own

EQUAL = [
    # numbers, powers
    ((a + b) * (a - b), a**2 - b**2),
    ((2 * a + 3 * b) * (a - b), 2 * a**2 + a * b - 3 * b**2),
    (1 / (2 * a + 2 * b) ** 2, (a + b) ** -2 / 4),
    (1 / (a * t + b * t), 1 / ((a + b) * t)),
    (sqrt(a + b) ** 3, (a + b) * sqrt(a + b)),
    (sqrt(t) * sqrt(t), t),
    (1 / sqrt(Integer(3) * N), sqrt(3 * N) / (3 * N)),
    (1 / (1 - b / (a + b)), (a + b) / a),
    (b**2 / (a + b), b - a + a**2 / (a + b)),
    ((t * u[i] + t) / (u[i] + 1), t),
    ((a**2 - b**2) / (a - b), a + b),
    (1 / (1 + 1 / (a + 1)), (a + 1) / (a + 2)),
    (1 / sqrt(t + 1), sqrt(t + 1) / (t + 1)),
    (1 / (t * (t + 1)) ** 2, (1 / t - 1 / (t + 1)) ** 2),
    (2 * N ** Rational(-5, 3) * N, 2 * N ** Rational(-2, 3)),
    # exp, log
    (exp(a + 2 * b), exp(a) * exp(b) ** 2),
    (exp(2), E**2),
    (exp(2 * log(t)), t**2),
    (exp(log(t) / 2), sqrt(t)),
    (exp(-log(u[i]) + a), exp(a) / u[i]),
    (log(exp(a) ** 2 * t), 2 * a + log(t)),
    (log(s / t**2), log(s) - 2 * log(t)),
    (log(a * t), log(a) + log(t)),
    (log(a * t + b * t), log(a + b) + log(t)),
    (log(1 / (s + t)), -log(s + t)),
    (log(sqrt(s)), log(s) / 2),
    (log(LONG * a), log(LONG) + log(a)),
    (log(t * u[i] * a), log(t) + log(u[i]) + log(a)),
    (log(t / a), log(t) - log(a)),
    (exp(total(v[i, f] + 1, (f, d))), exp(total(v[i, f], (f, d))) * exp(d)),
    # sums
    (total(3 * a * u[k] + t, (k, N)), 3 * a * LONG + t * N),
    (total(a, (i, N + M)), a * N + a * M),
    (LONG**2, total(u[i] * u[j], (i, N), (j, N))),
    (total(u[k] * x[f], (k, N), (f, d)), LONG * total(x[f], (f, d))),
    (total(v[i, j] * v[j, k], (i, N), (j, N), (k, N)), total(v[k, i] * v[j, k], (k, N), (i, N), (j, N))),
    (
        total(v[i, j] * v[j, k] * v[k, i], (i, N), (j, N), (k, N)),
        total(v[k, j] * v[j, i] * v[i, k], (i, N), (k, N), (j, N)),
    ),
    (
        total(y[i] * total(v[i, j], (j, N)) ** 2, (i, N)),
        total(y[i] * v[i, j] * v[i, k], (i, N), (j, N), (k, N)),
    ),
    (total(i * x[i], (i, N)), total(m * x[m], (m, N))),
    (x[i] * total(x[i], (i, N)), x[i] * total(x[j], (j, N))),
    (total(exp(v[i, j]) / total(exp(v[i, k]), (k, N)), (j, N)), Integer(1)),
    (total(y[i] * exp(v[i, j]) / total(exp(v[i, k]), (k, N)), (i, N), (j, N)), total(y[i], (i, N))),
    (total((v[i, f] / sqrt(total(v[i, k] ** 2, (k, d)))) ** 2, (f, d)), Integer(1)),
    (total(x[i] * v[i, j] / u[i], (i, N), (j, N)), total(x[i] / u[i] * total(v[i, j], (j, N)), (i, N))),
    (t * total(x[k] / (u[k] + t), (k, N)), total(t * x[k] / (u[k] + t), (k, N))),
    (
        t * total(x[k] / (u[k] + t), (k, N)) ** 2,
        total(x[k] / (u[k] + t), (k, N)) * total(t * x[k] / (u[k] + t), (k, N)),
    ),
    (a * total(APART * x[k], (k, N)), Integer(0)),
    (total(v[k, f] * APART, (k, N), (f, d)), Integer(0)),
    (total(y[f], (f, d)) * total(x[k] * APART, (k, N)), Integer(0)),
    (1 / (1 - SHARE), (TERM + WHOLE) / WHOLE),
    (WHOLE * INSIDE, M - total(SHARE, (m, M))),
    (WHOLE * INSIDE**2, total(WHOLE / (TERM + WHOLE), (m, M)) * INSIDE),
    (WHOLE * INSIDE**3, (M - total(SHARE, (m, M))) * INSIDE**2),
    (total(x[i] * (total(SHARE / (1 - SHARE), (m, M)) - 1), (i, N)), Integer(0)),
    (Sum(Sum(x[j], (j, 0, N - 1)) * y[j], (j, 0, N - 1)), total(x[i], (i, N)) * total(y[i], (i, N))),
    (Sum(Sum(x[j], (j, 0, N - 1)), (j, 0, N - 1)), N * total(x[i], (i, N))),
    (total(exp(x[i]) * exp(x[j]), (i, N), (j, N)), total(exp(x[i]), (i, N)) ** 2),
    *((total(x[i] * y[name], (i, N)), y[name] * total(x[j], (j, N))) for name in (FIRST, SECOND)),
    # deltas, maps, masks
    (one_if(i, j) * x[j], one_if(i, j) * x[i]),
    (one_if(i, p[j]) * x[p[j]], one_if(i, p[j]) * x[i]),
    (one_if(i, j) * one_if(j, p[i]), one_if(i, j) * one_if(i, p[i])),
    (
        one_if(i, j) * exp(x[j]) * log(u[j]) / (x[j] ** 2 + 1),
        one_if(i, j) * exp(x[i]) * log(u[i]) / (x[i] ** 2 + 1),
    ),
    (one_if(i, j) * total(v[j, k] * x[k], (k, N)), one_if(i, j) * total(v[i, k] * x[k], (k, N))),
    (one_if(i, j) * j, one_if(i, j) * i),
    (one_if(i, j) ** 3, one_if(i, j)),
    (one_if(p[i], p[i]) * a, a),
    (Differ(i, j) ** 2, 1 - one_if(j, i)),
    (mask[i, j] ** 3 * a, mask[i, j] * a),
    (one_if(i, shift[i]), Integer(0)),
    (one_if(shift[p[i]], p[i]), Integer(0)),
    (total(one_if(k, i) * x[k], (k, N)), x[i]),
    (total(one_if(k, r[p[i], f]) * x[k], (k, M)), x[r[p[i], f]]),
    (total(one_if(k, i) * mask[k, j] ** 2, (k, N)), mask[i, j]),
    (
        total(x[m] * total(one_if(m, r[i, f]) * v[i, f], (f, d), (i, N)), (m, M)),
        total(v[i, f] * x[r[i, f]], (f, d), (i, N)),
    ),
    (
        total(v[i, j] * x[square[i, j]], (j, N), (i, N)),
        total(v[j, i] * x[square[j, i]], (j, N), (i, N)),
    ),
    (total(one_if(k, i) * x[square[k, i]], (k, N)), x[square[i, i]]),
]
UNEQUAL = [
    (a, -a),
    (x[i] ** 2, x[i]),
    (a / (a + b), b / (a + b)),
    (log(a**2), 2 * log(a)),
    (log(a * b), log(a) + log(b)),
    (log(-a * t), log(a) + log(t)),
    (log(t * a**2), log(t) + 2 * log(a)),
    (log(a / (t - 2)), log(a) - log(t - 2)),  # t − 2 may be negative
    (sqrt(a * b), sqrt(a) * sqrt(b)),
    (exp(log(t) ** 2), t**2),
    (exp(log(t) ** 2), t),
    (sqrt(a + b) ** 3, sqrt(a + b)),
    (exp(a * log(t)), exp(a) * t),
    (one_if(i, j) * x[j], x[i]),
    (one_if(i, p[i]), Integer(0)),
    (one_if(i, shift[j]), Integer(0)),
    (Differ(i, j), one_if(i, j)),
    (total(one_if(k, m) * x[k], (k, N)), x[m]),  # m may be larger than N
    (total(one_if(k, r[i, f]) * x[k], (k, N)), x[r[i, f]]),
    (total(one_if(k, p[h]) * x[k], (k, N)), x[p[h]]),  # no range of h is known
    (total(x[p[k]], (k, N)), total(x[k], (k, N))),
    (total(x[k], (k, N)), total(x[k], (k, M))),
    (total(v[i, j] * v[j, k], (i, N), (j, N), (k, N)), total(v[i, j] * v[i, k], (i, N), (j, N), (k, N))),
    (total(APART + x[k] - y[k], (k, N)), Integer(0)),
    (total(x[k] / (u[k] + 1), (k, N)) ** 2, total(x[k] ** 2 / (u[k] + 1) ** 2, (k, N))),
    (total(v[j, k] * (1 / (u[k] + 1) - 1 / (u[j] + 1)), (k, N), (j, N)), Integer(0)),
    *(
        (total(total(SHARE / (1 - SHARE) - wrong, (m, M)) - x[i], (i, N)), Integer(0))
        for wrong in (TERM / WHOLE, 1 / WHOLE, x[i])
    ),
    (x[square[i, j]], x[square[j, i]]),
    (total(one_if(k, p[k]), (k, N)), Integer(0)),
    *((total(x[i] * y[name], (i, N)), total(x[i] * y[i], (i, N))) for name in (FIRST, SECOND)),
    *((total(x[i] * name, (i, N)), total(x[i] * i, (i, N))) for name in (FIRST, SECOND)),
    (Symbol("a", real=True), Symbol("a", positive=True)),
    (IndexedBase("u", real=True)[i], u[i]),
    (total(a, (i, N)), total(a, (i, Symbol("N", integer=True, positive=True, even=True)))),
]
REFUSED = [
    (1 / one_if(i, j), r"1\[x = y\] is 0 for some indices"),
    (a / mask[i, j] ** 2, "an entry of mask is 0 for some indices"),
    (1 / (a - a + total(x[i], (i, N)) - total(x[j], (j, N))), "is 0"),
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
    Definition(z[i, j], total(L[i, k] * y[j], (k, N))),
)


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        (c, exp(b**2 + 1)),
        (t * a, t * (b**2 + 1)),
        (L[j, k], x[j] * y[k]),
        (L[p[i], i], x[p[i]] * y[i]),
        (total(L[k, j], (k, N)), total(x[k] * y[j], (k, N))),
        (z[k, i], x[k] * y[i] * total(y[j], (j, N))),  # the bound k of the definition is not the free one
        (total(z[i, k], (k, N)), x[i] * total(y[k], (k, N)) ** 2),
    ],
    ids=str,
)
def test_a_name_is_what_it_is_defined_as(name, meaning):
    assert derive(name, (DEFINITION, meaning), names=iter(NAMES), facts=FACTS)
    assert not is_zero(name - meaning, FACTS)
    with pytest.raises(NotProved):
        derive(name, (DEFINITION, meaning + t), names=NAMES, facts=FACTS)
