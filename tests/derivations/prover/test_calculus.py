"""Derivatives of finite sums are those worked out by hand, and a derivative that has no meaning is refused."""

import pytest
from sympy import E, Function, Integer, Rational, Symbol, cos, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.calculus import carry_out, differentiate, find_constants
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, one_if, total, unfold
from infonce_ref.derivations.prover.sums import Facts, is_zero

N = Symbol("N", integer=True, positive=True)
i, j, k, f, g = symbols("i j k f g", integer=True, nonnegative=True)
a, b, c, t = symbols("a b c t", real=True)
x, y, z, L = (IndexedBase(name, real=True) for name in "xyzL")
p = IndexedBase("p", integer=True)
FACTS = Facts(ranges=dict.fromkeys((i, j, k, f, g), N), maps={p: (N, N)})


@pytest.mark.parametrize(
    "constant", [Integer(3), Rational(1, 2), E, b, N, x[i], p[i], one_if(i, j), Differ(i, j)]
)
def test_what_does_not_contain_a_symbol_has_the_derivative_0(constant):
    assert differentiate(constant, a) == 0


@pytest.mark.parametrize("constant", [a, y[i], z[i, f], p[i], E])
def test_what_does_not_contain_an_array_has_the_derivative_0(constant):
    assert differentiate(constant, x[k]) == 0


@pytest.mark.parametrize(
    ("expression", "variable", "derivative"),
    [
        (a, a, 1),
        (x[i], x[i], 1),
        (x[i], x[k], one_if(i, k)),
        (z[i, f], z[k, g], one_if(i, k) * one_if(f, g)),
        (x[p[i]], x[k], one_if(p[i], k)),
        (a + 3 * a, a, 4),
        (a * b * x[i] * a, a, 2 * a * b * x[i]),
        (a * (a + 1) * (a - 2), a, 3 * a**2 - 2 * a - 2),
        (exp(a * b), a, b * exp(a * b)),
        (log(a * b), a, 1 / a),
        (log(a**2 + 1), a, 2 * a / (a**2 + 1)),
        (a**5, a, 5 * a**4),
        (1 / (a * b + 1), a, -b / (a * b + 1) ** 2),
        (sqrt(a * b + 1), a, b / (2 * sqrt(a * b + 1))),
        (E * a, a, E),
        (exp(2) * x[i], x[i], exp(2)),
        (total(x[i] ** 2 * y[i], (i, N)), x[k], 2 * x[k] * y[k]),
        (total(a * x[i], (i, N)), a, total(x[i], (i, N))),
        (total(z[i, f] * z[j, f], (f, N)), z[k, g], one_if(i, k) * z[j, g] + one_if(j, k) * z[i, g]),
        (log(total(exp(x[i]), (i, N))), x[k], exp(x[k]) / total(exp(x[i]), (i, N))),
        (Differ(i, j) * x[i], x[i], Differ(i, j)),
    ],
)
def test_a_derivative_is_that_by_hand(expression, variable, derivative):
    assert is_zero(differentiate(expression, variable) - derivative, FACTS)


@pytest.mark.parametrize(
    ("expression", "derivative"),
    [
        (c * a, 3 * a**2),
        (c + t, 2 * a + 2 * a * b),
        (L[i, j], y[i] * y[j]),
        (total(L[i, j] * x[j], (j, N)), y[i] * total(y[j] * x[j], (j, N))),
    ],
)
def test_the_definitions_of_names_are_differentiated(expression, derivative):
    """By hand: c = a², t = b·c = a²·b, L[i, j] = a·y[i]·y[j]."""
    names = (Definition(c, a**2), Definition(t, b * c), Definition(L[i, j], a * y[i] * y[j]))
    assert is_zero(unfold(differentiate(expression, a, names), names) - derivative, FACTS)


def test_the_definition_of_the_variable_is_not_opened():
    names = (Definition(L[i, j], a * y[i] * y[j]), Definition(c, a**2))
    assert is_zero(
        differentiate(L[i, j] ** 2, L[k, f], names) - 2 * L[i, j] * one_if(i, k) * one_if(j, f), FACTS
    )
    assert differentiate(3 * c, c, names) == 3


def test_the_names_may_come_from_an_iterator():
    names = (Definition(c, a**2), Definition(t, b * c))
    assert is_zero(differentiate(t, a, iter(names)) - 2 * a * b, FACTS)


@pytest.mark.parametrize(
    ("expression", "variable", "held"),
    [
        (a * b * x[i], a, {b, x}),
        (total(z[i, f] * x[f] * N * one_if(i, f), (f, N)), x[k], {z}),
        (x[p[i]] * i, x[k], set()),
        (c * y[i], b, {a, y}),  # c is opened
        (c * y[i], c, {y}),
        (L[i, j] * t, L[i, j], {t}),
    ],
)
def test_a_derivative_holds_the_other_real_quantities_constant(expression, variable, held):
    names = (Definition(c, a * b), Definition(L[i, j], x[i] * x[j]))
    assert find_constants(expression, variable, names) == held


@pytest.mark.parametrize(
    ("expression", "variable", "shared"),
    [(c + a, c, "a"), (c + a * b, c, "a, b"), (L[i, j] * x[i], L[i, j], "x"), (c * t, c, "b")],
)
def test_a_name_and_what_defines_it_are_not_both_varied(expression, variable, shared):
    names = (Definition(c, a * b), Definition(L[i, j], x[i] * x[j]), Definition(t, b**2))
    with pytest.raises(ValueError, match=f"is defined by {shared}, which the expression also contains"):
        differentiate(expression, variable, names)


@pytest.mark.parametrize(
    ("expression", "computed"),
    [
        (a * b, a * b),
        (x[i], x[i]),
        (Partial(a**2, a), 2 * a),
        (b * Partial(a**2, a) + log(Partial(3 * a, a)), 2 * a * b + log(3)),
        (Partial(Partial(a**3 * b, a), a), 6 * a * b),
        (Partial(a * Partial(a**2 * b, b), a), 3 * a**2),
        (total(Partial(x[i] ** 2, x[i]), (i, N)), 2 * total(x[i], (i, N))),
        (Partial(c, a) * a, 2 * a**2),
        (Partial(Partial(c, a) * c, a), 6 * a**2),
    ],
)
def test_every_derivative_in_an_expression_is_carried_out(expression, computed):
    names = (Definition(c, a**2),)
    found = carry_out(expression, names)
    assert not found.has(Partial)
    assert is_zero(unfold(found, names) - computed, FACTS)


@pytest.mark.parametrize("variable", [a + b, 2 * a, Integer(1), total(x[i], (i, N)), exp(a)])
def test_only_a_symbol_or_an_entry_is_a_variable(variable):
    with pytest.raises(ValueError, match="is not a variable; take a symbol or an entry"):
        differentiate(a, variable)


@pytest.mark.parametrize(
    ("expression", "variable"),
    [
        (total(a, (i, N)), N),
        (x[i], i),
        (z[j, i], i),
        (x[p[i]], i),
        (one_if(j, i), i),
        (Differ(j, i), i),
        (total(a, (j, N), (k, b)), b),
        (total(one_if(x[j], i), (i, N)), x[k]),
        (x[c], a),  # c = 2a
    ],
)
def test_a_variable_in_an_index_or_a_size_is_refused(expression, variable):
    with pytest.raises(ValueError, match=f"{variable} is in an index or a size".replace("[", r"\[")):
        differentiate(expression, variable, (Definition(c, 2 * a),))


@pytest.mark.parametrize("function", [cos(a), Function("h")(a), 2**a, a**b, a ** sqrt(2)])
def test_a_function_without_a_rule_is_refused(function):
    with pytest.raises(ValueError, match=r"differentiate: no rule for \w+ in "):
        differentiate(b * function, a)
