"""Inputs that would prove something false, or something else than is printed, are refused with the broken
rule.
"""

from dataclasses import replace

import pytest
from sympy import (
    Dummy,
    I,
    Integer,
    KroneckerDelta,
    Piecewise,
    Pow,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    nan,
    oo,
    pi,
    sqrt,
    symbols,
)
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.inequality import nonnegative, positive
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, one_if, total, unfold
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, Line, Proof, derive
from infonce_ref.derivations.prover.signs import is_nonnegative, is_positive
from infonce_ref.derivations.prover.sums import Facts, NotProved, is_zero

N, M, d = symbols("N M d", integer=True, positive=True)
i, j, k, f = symbols("i j k f", integer=True, nonnegative=True)
x, y, z = (IndexedBase(name, real=True) for name in "xyz")
u, p = IndexedBase("u", positive=True), IndexedBase("p", integer=True)
a, b, c = symbols("a b c", real=True)
t, plain = Symbol("t", positive=True), Symbol("w")
FACTS = Facts(ranges={i: N, j: N, k: N, f: d})


def refused(message, first, last, rule=SUMS, names=(), facts=FACTS):
    with pytest.raises(ValueError, match=message):
        derive(first, (rule, last), names=names, facts=facts)


# --- names ----------------------------------------------------------------------------------------------


def test_symbols_of_one_name_with_other_assumptions_differ():
    real, positive_one = Symbol("a", real=True), Symbol("a", positive=True)
    assert not is_zero(real - positive_one)
    assert not is_zero(IndexedBase("u", real=True)[i] - u[i], FACTS)
    assert not is_zero(total(a, (i, N)) - total(a, (i, Symbol("N", integer=True, positive=True, even=True))))
    refused(
        r"two different things are written a: a symbol \(real\) and a symbol \(positive", real, positive_one
    )


def test_an_array_a_symbol_and_an_index_may_not_share_a_name():
    refused("are written x", Symbol("x", real=True) * x[i], x[i])
    refused("are written i", IndexedBase("i", real=True)[j] + total(a, (i, N)), a)


def test_two_names_that_the_page_writes_alike_are_refused(monkeypatch):
    monkeypatch.setattr("infonce_ref.derivations.prover.language.LETTERS", {"a": r"\alpha", "b": r"\alpha"})
    refused(r"are written \\alpha", a + b, b + a + c)


@pytest.mark.parametrize("name", ["%1", "%2", "#0.0", "#1.0"])
def test_a_free_name_like_one_of_the_provers_is_not_captured(name):
    free = Symbol(name, integer=True, nonnegative=True)
    assert not is_zero(total(x[i] * y[free], (i, N)) - total(x[i] * y[i], (i, N)))
    assert not is_zero(total(x[i] * free, (i, N)) - total(x[i] * i, (i, N)))
    assert is_zero(total(x[i] * y[free], (i, N)) - y[free] * total(x[j], (j, N)))


@pytest.mark.parametrize("name", ["Ν", "а", "x[i]", "a b", "a\u200b", "P(a)", "a·b", "−a", "ο"])
def test_a_name_that_may_look_like_something_else_is_refused(name):
    odd = Symbol(name, real=True)
    refused("may look like something else", odd * (a + 1), odd * a + odd)


def test_letters_that_look_alike_are_one_name():
    one, other = (Symbol(name, real=True) for name in ("ℒ", "𝓛"))
    refused("two different things are written", one * (other + 1), one * other + one)
    refused("are written E", exp(1) * (Symbol("E", real=True) + 1), exp(1) * Symbol("E", real=True) + exp(1))


def test_an_index_has_one_range_in_a_proof():
    """Σ_k prints only its index, so Σ_k over N and Σ_k over M would look the same."""
    apart = total(x[k], (k, N)) * total(y[j], (j, M))
    shadowed = total(x[k] * total(y[k], (k, M)), (k, N))
    refused("k runs to . − 1 and to .", apart, shadowed, facts=Facts())
    refused("i runs to N − 1 and to M", total(x[i], (i, M)) * 2, total(2 * x[i], (i, M)))


def test_a_handmade_rule_is_refused():
    with pytest.raises(NotProved, match="is no rule"):
        Proof((Line(a * (b + 1)), Line(a * b + a, replace(SUMS, unfolds=True))), (), FACTS)


def test_a_bound_index_is_not_a_defined_name():
    bound = Sum(t, (t, 0, N - 1))
    refused("t is a defined name, so no sum", bound, N * a, DEFINITION, (Definition(t, exp(a)),))
    with pytest.raises(ValueError, match="not an index"):
        Definition(i, a)


def test_a_dummy_does_not_leak():
    refused("a Dummy that no sum binds", Dummy("a", real=True), a)
    refused("a Dummy that no sum binds", x[Dummy("i", integer=True, nonnegative=True)], x[i])
    names = (Definition(z[i], total(x[k] * y[i], (k, N))), Definition(y[i], total(x[k], (k, N)) + x[i]))
    opened = unfold(total(z[k], (k, N)), names)
    assert not opened.has(Dummy)
    assert is_zero(opened - total(x[i], (i, N)) * (N + 1) * total(x[j], (j, N)))


def test_a_sum_that_binds_an_index_twice_is_not_shown():
    refused("binds an index twice", Sum(x[i], (i, 0, N - 1), (i, 0, M - 1)), M * total(x[i], (i, N)))


# --- definitions ----------------------------------------------------------------------------------------


def test_a_name_is_defined_once():
    refused("a is defined twice", a, b, DEFINITION, (Definition(a, c), Definition(a, b)))


def test_a_name_is_not_defined_by_itself():
    with pytest.raises(ValueError, match="definition of a: the body names it again"):
        Definition(a, a + b)
    circle = (Definition(z[i], y[i]), Definition(y[i], total(z[k], (k, N))))
    refused("defined by itself", z[i], y[i], DEFINITION, circle)
    with pytest.raises(ValueError, match="defined by itself"):
        unfold(z[i], circle)


@pytest.mark.parametrize(
    ("head", "body", "word"),
    [(t, -exp(a), "> 0"), (t, a, "> 0"), (N, M - 1, "> 0"), (u[i], x[i], "> 0"), (N, t, "an integer")],
)
def test_a_definition_keeps_the_declarations_of_its_name(head, body, word):
    refused(f"declared {word}", head, body, DEFINITION, (Definition(head, body),))


def test_an_assumption_about_a_defined_name_is_refused():
    facts = Facts(ranges={i: N}, derangements=(p,))
    refused("p is defined", one_if(i, p[i]), Integer(0), DEFINITION, (Definition(p[i], i),), facts)
    masked = Facts(ranges={i: N}, masks=(z,))
    refused("z is defined", z[i] ** 2, z[i], DEFINITION, (Definition(z[i], x[i]),), masked)


# --- ranges ---------------------------------------------------------------------------------------------


def test_a_delta_with_a_range_of_its_own_is_refused():
    within = KroneckerDelta(i, j, (0, 5))
    refused("range of its own", within, KroneckerDelta(i, j))
    refused("range of its own", total(within * x[j], (j, N)), x[i])


@pytest.mark.parametrize("low", [1, -1, N])
def test_a_sum_that_may_be_empty_is_not_positive(low):
    assert not is_positive(Sum(u[i], (i, low, N - 1)))
    with pytest.raises(ValueError, match="runs from"):
        positive(Sum(u[i], (i, low, N - 1)))


@pytest.mark.parametrize("size", [N - 1, Symbol("n", integer=True, nonnegative=True), t, Integer(0), M - N])
def test_a_range_is_a_size(size):
    refused("may be empty|depends on an index", total(u[i], (i, size)), u[j])


def test_a_range_does_not_depend_on_an_index():
    refused("depends on an index", Sum(x[k], (k, 0, j)), x[j])
    refused("depends on an index", total(Sum(x[k], (k, 0, j)), (j, N)), x[j])
    refused("depends on an index", Sum(x[k], (k, 0, p[j])), x[j])
    refused("depends on an index", x[i], x[j], facts=Facts(ranges={i: j + 1}))


@pytest.mark.parametrize(
    "known", [{"positive": True}, {"even": True}, {}, {"nonnegative": True, "prime": True}]
)
def test_an_index_with_more_assumptions_is_refused(known):
    special = Symbol("e", integer=True, **known)
    refused("not an index, so no sum", total(a, (special, N)), N * a)


def test_a_map_is_used_only_on_its_domain():
    facts = Facts(ranges={f: d}, maps={p: (N, N)})
    refused("p is a map of 0 … N − 1", x[p[f]], x[f], facts=facts)
    refused("p is a map of 0 … N − 1", total(x[p[k]], (k, d)), x[f], facts=facts)
    refused("declare it integer", x[i], x[j], facts=Facts(maps={z: (N, N)}))


def test_a_map_is_a_permutation_or_derangement_only_if_declared():
    facts = Facts(ranges={i: N, j: M}, maps={p: (N, N)})
    refused("not proved", total(x[p[k]], (k, N)), total(x[k], (k, N)), facts=facts)
    refused("not proved", total(one_if(k, p[k]), (k, N)), Integer(0), facts=facts)
    refused("not proved", total(one_if(k, p[i]) * x[k], (k, M)), x[p[i]], facts=facts)


@pytest.mark.parametrize("wrong", [x[i, j], x[i, j, k]])
def test_an_array_keeps_its_number_of_indices(wrong):
    refused("x has 1 indices elsewhere", x[i] + wrong, wrong)
    refused("x has 1 indices elsewhere", Partial(x[i], wrong), Integer(0), DERIVATIVE)


@pytest.mark.parametrize("index", [N, t, Integer(0), i + 1, 2 * i, x[i], y[i, j]])
def test_only_an_index_may_be_used_as_an_index(index):
    refused("is not an index", z[index], z[i])


# --- numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "strange",
    [0.5 * a, a + oo, a + nan, a * I, a * pi, sqrt(-2) * a, Piecewise((a, a > 0), (0, True)), abs(a)],
)
def test_an_expression_outside_the_language_is_refused(strange):
    refused("no rule for", strange, a)


@pytest.mark.parametrize("power", [Pow(a, N), Pow(t, a), Pow(2, a)])
def test_a_power_by_a_symbol_is_refused(power):
    refused("no rule for Pow", power * a, a)


def test_a_power_of_zero_is_refused():
    refused("a power of 0, or to the 0", Pow(Integer(0), Integer(0), evaluate=False), Integer(1))
    refused("a power of 0, or to the 0", Pow(a, Integer(0), evaluate=False), Integer(1))


def test_a_root_of_a_negative_number_is_refused():
    refused("a root of a number that is not known to be > 0", Pow(-1, Rational(1, 3)) * a, -a)


@pytest.mark.parametrize("unreal", [plain, Symbol("w", imaginary=True), Symbol("w", complex=True), I * a])
def test_exp_of_a_non_real_expression_is_not_positive(unreal):
    assert not is_positive(exp(unreal))
    assert not is_nonnegative(unreal**2)
    for sign in (positive, nonnegative):
        with pytest.raises(ValueError, match=r"not declared real|no rule for ImaginaryUnit"):
            sign(exp(unreal))


def test_a_symbol_that_is_not_declared_real_is_refused():
    refused("w is not declared real", log(exp(plain)), plain)
    refused("v is not declared real", IndexedBase("v")[i] * a, a)


# --- logs and roots of what may be negative -----------------------------------------------------------------

SQUARE, PRODUCT = Definition(c, a**2), Definition(c, a * b)


@pytest.mark.parametrize(
    ("first", "last", "name"),
    [
        (sqrt(c), a, SQUARE),
        (exp(log(c) / 2), a, SQUARE),
        (log(c), 2 * log(a), SQUARE),
        (log(c), log(a) + log(b), PRODUCT),
        (sqrt(c), sqrt(a) * sqrt(b), PRODUCT),
    ],
)
def test_roots_and_logs_are_not_split_if_a_sign_is_unknown(first, last, name):
    refused("not proved", first, last, DEFINITION, (name,))


def test_logs_are_split_if_at_most_one_factor_has_an_unknown_sign():
    assert is_zero(log(t * u[i] * a) - log(t) - log(u[i]) - log(a), FACTS)
    assert is_zero(log(t / a) - log(t) + log(a), FACTS)
    assert not is_zero(log(t * a**2) - log(t) - 2 * log(a))


# --- derivatives ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("variable", [i, N, p[i]])
def test_a_derivative_by_an_index_or_a_size_is_refused(variable):
    refused(
        "an index or a size",
        Partial(a * x[i], variable),
        Integer(0),
        DERIVATIVE,
        facts=Facts(maps={p: (N, N)}),
    )


def test_a_variable_hidden_in_a_definition_is_seen():
    hidden = (Definition(c, a**2),)
    refused("not proved", Partial(a * c, a), c, DERIVATIVE, hidden)
    derive(Partial(a * c, a), (DERIVATIVE, 3 * a**2), names=hidden, facts=FACTS)


def test_a_root_is_not_differentiated_at_zero():
    proof = derive(Partial(sqrt(c), a), (DERIVATIVE, a / sqrt(c)), names=(SQUARE,), facts=FACTS)
    assert "c > 0" in proof.assumptions


# --- a proof is what was checked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        (Line(a), Line(b, SUMS)),
        (Line(a, SUMS), Line(a + b - c, SUMS)),
        (Line(a * (b + c)), Line(a * b + a * c)),
        (),
    ],
)
def test_a_proof_made_by_hand_is_checked(lines):
    with pytest.raises(NotProved):
        Proof(lines, (), FACTS)


def test_a_proof_does_not_change_unchecked():
    honest = derive(a * (b + c), (SUMS, a * b + a * c), facts=FACTS)
    assert replace(honest) == honest
    with pytest.raises(NotProved):
        replace(honest, lines=(honest.lines[0], Line(a * b, SUMS)))


def test_a_proof_lists_its_assumptions():
    proof = derive(total(one_if(k, i) * u[k], (k, N)) / a, (SUMS, u[i] / a), facts=FACTS)
    assert (proof.first, proof.last) == (proof.lines[0].expression, u[i] / a)
    assert set(proof.assumptions) == {
        "a ≠ 0",
        "the entries of u are > 0",
        "N is 1, 2, 3, …",
        "i runs from 0 to N − 1",
        "Σ_k runs from 0 to N − 1",
    }


def test_a_masked_denominator_does_not_avoid_zero():
    refused("0 is|is 0", Differ(i, j) / one_if(i, j), Integer(0))
