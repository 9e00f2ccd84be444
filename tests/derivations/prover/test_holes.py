"""Inputs that would prove something false, or something else than is printed, are refused with the broken
rule.
"""

import re
from dataclasses import replace

import pytest
from sympy import (
    Dummy,
    E,
    Expr,
    I,
    Integer,
    KroneckerDelta,
    Piecewise,
    Pow,
    Rational,
    Sum,
    Symbol,
    Tuple,
    cos,
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
x, y, z, v = (IndexedBase(name, real=True) for name in "xyzv")
u, unreal = IndexedBase("u", positive=True), IndexedBase("w")
p, r, o = (IndexedBase(name, integer=True) for name in "pro")
a, b, c = symbols("a b c", real=True)
t, s, plain = Symbol("t", positive=True), Symbol("s", nonnegative=True), Symbol("w")
FACTS = Facts(ranges={i: N, j: N, k: N, f: d})
MAPPED = Facts(ranges={i: N, j: N, f: d}, maps={p: (N, M), r: ((N, d), N)})


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


# --- definitions ----------------------------------------------------------------------------------------


def test_a_name_is_not_defined_by_itself():
    with pytest.raises(ValueError, match="definition of a: the body names it again"):
        Definition(a, a + b)
    circle = (Definition(z[i], y[i]), Definition(y[i], total(z[k], (k, N))))
    refused("defined by itself", z[i], y[i], DEFINITION, circle)
    with pytest.raises(ValueError, match="defined by itself"):
        unfold(z[i], circle)


def test_an_assumption_about_a_defined_name_is_refused():
    facts = Facts(ranges={i: N}, derangements=(p,))
    refused("p is defined", one_if(i, p[i]), Integer(0), DEFINITION, (Definition(p[i], i),), facts)
    masked = Facts(ranges={i: N}, masks=(z,))
    refused("z is defined", z[i] ** 2, z[i], DEFINITION, (Definition(z[i], x[i]),), masked)


# --- ranges ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", [1, -1, N])
def test_a_sum_that_may_be_empty_is_not_positive(low):
    assert not is_positive(Sum(u[i], (i, low, N - 1)))
    with pytest.raises(ValueError, match="runs from"):
        positive(Sum(u[i], (i, low, N - 1)))


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


# --- what is outside the language -------------------------------------------------------------------------

I_OF_ITS_OWN = Dummy("i", integer=True, nonnegative=True)


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (cos(a), "no rule for cos in cos(a); write it with real symbols, fractions, sums"),
        (a * pi, "no rule for Pi in pi"),
        (a + oo, "no rule for Infinity in oo"),
        (2**a, "no rule for Pow in 2**a"),
        (a**N, "no rule for Pow in a**N"),
        (0.5 * a, "no rule for Float"),
        (a + nan, "no rule for NaN"),
        (a * I, "no rule for ImaginaryUnit"),
        (Piecewise((a, a > 0), (0, True)), "no rule for Piecewise"),
        (abs(a), "no rule for Abs"),
        (Sum(x[i], (i, 0, N - 1), (i, 0, M - 1)), "binds an index twice"),
        (plain, "w is not declared real"),
        (exp(plain), "w is not declared real"),
        (log(plain**2), "w is not declared real"),
        (unreal[i], "w is not declared real, and every rule is one of real numbers"),
        (Dummy("a", real=True), "_a is a Dummy that no sum binds"),
        (x[I_OF_ITS_OWN], "_i is a Dummy that no sum binds"),
        (x[N], "N is not an index; an index is a symbol that is declared integer=True, nonnegative=True"),
        (x[i + 1], "i + 1 is not an index"),
        (x[x[i]], "x[i] is not an index"),
        (one_if(a, i), "a is not an index"),
        (Differ(i, N), "N is not an index"),
        (x[p[N]], "N is not an index"),
        (KroneckerDelta(i, j, (0, 5)), "has a range of its own"),
        (x[i] + x[i, j], "indices elsewhere"),
        (x[p[i]] + x[p[i, j]], "p has 1 indices elsewhere, unlike in p[i, j]"),
        (x[p[f]], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (p[f], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (x[r[f, i]], "r is a map of 0 … N − 1, but in r[f, i] its argument runs to d − 1"),
        (x[r[i, j]], "r is a map of 0 … d − 1, but in r[i, j] its argument runs to N − 1"),
        (x[r[p[i], f]], "r is a map of 0 … N − 1, but in r[p[i], f] its argument runs to M − 1"),
        (x[r[i]], "r is a map of 2 indices, unlike in r[i]"),
        (x[o[p[f]]], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (total(x[p[k]], (k, d)), "p is a map of 0 … N − 1, but in p[k] its argument runs to d − 1"),
        (Expr.__new__(Sum, x[k], Tuple(k)), "k has no range; let it run from 0 to a size − 1"),
        (total(a, (N, M)), "N is not an index, so no sum may run over it"),
        (Sum(x[k], (k, 1, N)), "k runs from 1 to N; let it run from 0"),
        (Sum(x[k], (k, 0, N - 2)), "a range of size N - 1 may be empty"),
        (Sum(x[k], (k, 0, i)), "k runs to i + 1 − 1, which is not a size − 1: it depends on an index"),
        (Sum(x[k], (k, 0, p[i])), "it depends on an index"),
        (total(cos(a), (k, N)), "no rule for cos"),
        (cos(a) ** 2, "no rule for cos"),
        (Pow(a, 0, evaluate=False), "is a power of 0, or to the 0"),
        (Pow(Integer(0), 2, evaluate=False), "is a power of 0, or to the 0"),
        (Pow(Integer(-2), Rational(1, 3)), "is a root of a number that is not known to be > 0"),
        (sqrt(1 - sqrt(2)), "is a root of a number that is not known to be > 0"),
        (Partial(a, a + b), "a + b is not a variable"),
        (Partial(a, i), "i is an index or a size, where it cannot vary"),
        (Partial(cos(a), a), "no rule for cos"),
        (Partial(a, plain), "w is not declared real"),
    ],
)
def test_an_expression_outside_the_language_is_refused(expression, words):
    refused(re.escape(words), expression, a, facts=MAPPED)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"ranges": {N: M}}, "facts: N has a range, but is not an index"),
        ({"ranges": {i: t}}, "a range of size t may be empty"),
        ({"ranges": {i: N - 1}}, "a range of size N - 1 may be empty"),
        ({"ranges": {i: j + 1}}, "i runs to j + 1 − 1, which is not a size − 1: it depends on an index"),
        ({"maps": {p: (N - 1, N)}}, "a range of size N - 1 may be empty"),
        ({"maps": {p: (N, N - 1)}}, "a range of size N - 1 may be empty"),
        ({"maps": {p: ((N, M - 1), N)}}, "a range of size M - 1 may be empty"),
        ({"maps": {p: (N, i + 1)}}, "p runs to i + 1 − 1, which is not a size − 1"),
        (
            {"maps": {p: ((N, M), N)}, "derangements": (p,)},
            "facts: p has several indices, so it cannot be a derangement",
        ),
        ({"maps": {x: (N, N)}}, "facts: x maps indices to indices; declare it integer=True"),
        ({"derangements": (x,)}, "facts: x maps indices to indices; declare it integer=True"),
        ({"masks": (y,)}, "facts: y is defined, so nothing can be assumed of it"),
    ],
)
def test_facts_that_cannot_hold_are_refused(facts, words):
    refused(re.escape(words), a, b, names=(Definition(y[i], x[i]),), facts=Facts(**facts))


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        (Definition(t, a), "definition of t: the name is declared > 0, and a is not known to be"),
        (Definition(t, s), "declared > 0, and s"),
        (Definition(s, a), "declared ≥ 0, and a"),
        (Definition(M, N / 2), "declared an integer, and N/2"),
        (Definition(a, plain), "w is not declared real"),
        (Definition(o[i], i), "definition of o[i]: a map between indices cannot be defined"),
        (Definition(a, cos(b)), "no rule for cos"),
        (Definition(v[i, j], x[i] * y[i, j]), "y has 1 indices elsewhere"),
        (Definition(x[i], total(b, (j, N - 1))), "a range of size N - 1 may be empty"),
    ],
)
def test_a_definition_outside_the_language_is_refused(definition, words):
    names = (Definition(c, total(y[j], (j, N))), definition)
    refused(re.escape(words), a, b, DEFINITION, names, MAPPED)


@pytest.mark.parametrize(
    ("expressions", "words"),
    [
        ([a + Symbol("a", positive=True)], "two different things are written a"),
        ([a, Symbol("a", positive=True)], "two different things are written a"),
        (
            [a, x[i] * Symbol("a", integer=True, positive=True)],
            "a symbol (real) and a symbol (integer, positive, nonnegative, real); give one of them another name",
        ),
        ([Symbol("x", real=True) + x[i]], "an array (real)"),
        ([Symbol("i", real=True), x[i]], "an index (integer, nonnegative, real)"),
        ([E + Symbol("E", real=True)], "are written E: the number e and a symbol (real)"),
        ([Symbol("ℒ", real=True) * Symbol("𝓛", real=True)], "two different things are written <font>L"),
        ([Symbol("a″", real=True) * Symbol("a′′", real=True)], "two different things are written a′′"),
        ([total(x[k], (k, N)) + total(x[k], (k, M))], "k runs to "),
        (
            [total(x[k], (k, N)), total(x[k], (k, M))],
            "k runs to N − 1 and to M − 1; give one of them another",
        ),
        ([total(x[i], (i, M))], "i runs to N − 1 and to M − 1"),
        ([Sum(x[k], (k, 0, N - 1), (k, 0, N - 1))], "binds an index twice"),
        ([exp(a * Sum(x[k], (k, 0, N - 1), (k, 0, N - 1)))], "binds an index twice"),
    ],
)
def test_two_things_that_would_be_printed_alike_are_refused(expressions, words):
    refused(re.escape(words), expressions[0], expressions[-1] + a, facts=MAPPED)


# --- numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unreal", [plain, Symbol("w", imaginary=True), Symbol("w", complex=True), I * a])
def test_exp_of_a_non_real_expression_is_not_positive(unreal):
    assert not is_positive(exp(unreal))
    assert not is_nonnegative(unreal**2)
    for sign in (positive, nonnegative):
        with pytest.raises(ValueError, match=r"not declared real|no rule for ImaginaryUnit"):
            sign(exp(unreal))


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
