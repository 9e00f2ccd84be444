"""A derivative is the one worked out by hand, and holds constant what it names."""

import pytest
from sympy import E, Function, Integer, Rational, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.calculus import differentiate
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, delta, sum_over
from infonce_ref.derivations.prover.proof import DERIVATIVE, derive
from infonce_ref.derivations.prover.zero_test import Facts, NotProved

N = symbols("N", integer=True, positive=True)
i, j, k, f, g = symbols("i j k f g", integer=True, nonnegative=True)
a, b, c, s = symbols("a b c s", real=True)
t, small = symbols("t small", positive=True)
x, y, z, L = (IndexedBase(name, real=True) for name in "xyzL")
u, p = IndexedBase("u", positive=True), IndexedBase("p", integer=True)
FACTS = Facts(ranges=dict.fromkeys((i, j, k, f, g), N), maps={p: (N, N)})
NAMES = (Definition(c, a**2), Definition(s, b * c), Definition(L[i, j], a * y[i] * y[j]))


@pytest.mark.parametrize(
    ("expression", "variable", "derivative"),
    [
        (Rational(1, 2) + E + b + N + x[p[i]] + i + delta(i, j) + Differ(i, j), a, 0),
        (z[i, f], z[k, g], delta(i, k) * delta(f, g)),
        (x[p[i]], x[k], delta(p[i], k)),
        (log(a**2 + 1), a, 2 * a / (a**2 + 1)),
        (sqrt(t * small + 1), t, small / (2 * sqrt(t * small + 1))),
        (exp(2) * x[i], x[i], exp(2)),
        (sum_over(y[i], (i, N)), y[i], 1),  # by SymPy N: it captures the bound i
        (sum_over(x[i] ** 2 * y[i], (i, N)), x[k], 2 * x[k] * y[k]),
        (log(sum_over(exp(x[i]), (i, N))), x[k], exp(x[k]) / sum_over(exp(x[i]), (i, N))),
        (Differ(i, j) * x[i], x[i], Differ(i, j)),
        # names are opened, but that of the variable is not
        (L[i, j], a, y[i] * y[j]),
        (sum_over(L[i, j] * x[j], (j, N)), a, y[i] * sum_over(y[j] * x[j], (j, N))),
        (L[i, j] ** 2, L[k, f], 2 * L[i, j] * delta(i, k) * delta(j, f)),
        # a derivative within an expression
        (b * Partial(a**2, a) + log(Partial(3 * a, a)), b, 2 * a),
        (a * Partial(a**2 * b, b), a, 3 * a**2),
        (Partial(c, a) * c, a, 6 * a**2),
        (Partial(log(1 + exp(a)), a), a, exp(a) / (1 + exp(a)) ** 2),
        (Partial(sqrt(1 + t**2), t), t, 1 / sqrt(1 + t**2) ** 3),
    ],
    ids=str,
)
def test_a_derivative_is_that_by_hand(expression, variable, derivative):
    assert derive(
        Partial(expression, variable), (DERIVATIVE, Integer(0) + derivative), names=NAMES, facts=FACTS
    )
    with pytest.raises(NotProved):
        derive(Partial(expression, variable), (DERIVATIVE, derivative + t), names=NAMES, facts=FACTS)


@pytest.mark.parametrize(
    ("expression", "variable", "derivative", "said"),
    [
        (a * b * x[i], a, b * x[i], "∂/∂a holds b, x constant"),
        (c * y[i], b, Integer(0), "∂/∂b holds a, y constant"),
        (
            sum_over(z[i, f] * x[f] * N * delta(i, f), (f, N)),
            x[k],
            N * z[i, i] * delta(i, k),
            "∂/∂x holds z constant",
        ),
        (c * y[i], c, y[i], "∂/∂c holds y constant"),
        (L[i, j] * b, L[i, j], b, "∂/∂L holds b constant"),
        (L[i, j] * b, L[i, j], b, "the entries of L are independent variables"),
    ],
    ids=str,
)
def test_a_derivative_says_what_it_holds_constant(expression, variable, derivative, said):
    proof = derive(Partial(expression, variable), (DERIVATIVE, derivative), names=NAMES, facts=FACTS)
    assert said in proof.assumptions


@pytest.mark.parametrize(
    ("expression", "variable", "shared"),
    [(c + a, c, "a"), (s + a * b, s, "a, b"), (L[i, j] * y[i], L[i, j], "y"), (s * c, s, "a")],
)
def test_a_name_and_what_defines_it_are_not_both_varied(expression, variable, shared):
    with pytest.raises(ValueError, match=f"is defined by {shared}, which the expression also contains"):
        derive(Partial(expression, variable), (DERIVATIVE, a), names=NAMES, facts=FACTS)


def test_what_the_language_refuses_has_no_derivative_either():
    """Proofs refuse these before; a derivative of something else would be wrong silently."""
    for hidden in (x[p[i]], delta(j, i), Differ(j, i), sum_over(x[i], (j, i))):
        with pytest.raises(ValueError, match="i is an index or a size, where it cannot vary"):
            differentiate(hidden, i)
    for function in (Function("h")(a), 2**a, a**b):
        with pytest.raises(ValueError, match="no rule for"):
            differentiate(function, a)
