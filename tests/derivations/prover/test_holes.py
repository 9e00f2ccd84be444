"""Inputs that would prove something false, or something else than is printed, are refused with the broken rule."""

import re
from dataclasses import replace

import pytest
from sympy import (
    Dummy,
    E,
    Expr,
    Integer,
    KroneckerDelta,
    Pow,
    Rational,
    Sum,
    Symbol,
    Tuple,
    cos,
    exp,
    log,
    sqrt,
    symbols,
)
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, delta, sum_over
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, Line, Proof, derive
from infonce_ref.derivations.prover.zero_test import Facts, NotProved

N, M, d = symbols("N M d", integer=True, positive=True)
i, j, k, f = symbols("i j k f", integer=True, nonnegative=True)
x, y, z, v, L = (IndexedBase(name, real=True) for name in "xyzvL")
u, unreal = IndexedBase("u", positive=True), IndexedBase("w")
p, r, o = (IndexedBase(name, integer=True) for name in "pro")
a, b, c = symbols("a b c", real=True)
t, s, plain = Symbol("t", positive=True), Symbol("s", nonnegative=True), Symbol("w")
FACTS = Facts(ranges={i: N, j: N, k: N, f: d})
MAPPED = Facts(ranges={i: N, j: N, f: d}, maps={p: (N, M), r: ((N, d), N)})
I_OF_ITS_OWN = Dummy("i", integer=True, nonnegative=True)


def refused(message, first, last, rule=SUMS, names=(), facts=FACTS):
    with pytest.raises(ValueError, match=message):
        derive(first, (rule, last), names=names, facts=facts)


# --- expressions, facts and definitions outside the language ------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (cos(a), "no rule for cos in cos(a); write it with real symbols, fractions, sums"),
        (sum_over(cos(a), (k, N)), "no rule for cos"),
        (Partial(cos(a), a), "no rule for cos"),
        (2**a, "no rule for Pow in 2**a"),
        (0.5 * a, "no rule for Float"),
        (exp(plain), "w is not declared real"),
        (unreal[i], "w is not declared real, and every rule is one of real numbers"),
        (Partial(a, plain), "w is not declared real"),
        (Dummy("a", real=True), "_a is a Dummy that no sum binds"),
        (x[I_OF_ITS_OWN], "_i is a Dummy that no sum binds"),
        (x[N], "N is not an index; an index is a symbol that is declared integer=True, nonnegative=True"),
        (x[i + 1], "i + 1 is not an index"),
        (x[x[i]], "x[i] is not an index"),
        (delta(a, i), "a is not an index"),
        (Differ(i, N), "N is not an index"),
        (x[p[N]], "N is not an index"),
        (KroneckerDelta(i, j, (0, 5)), "has a range of its own"),
        (x[i] + x[i, j], "indices elsewhere"),
        (x[p[i]] + x[p[i, j]], "p has 1 indices elsewhere, unlike in p[i, j]"),
        (x[p[f]], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (x[r[i, j]], "r is a map of 0 … d − 1, but in r[i, j] its argument runs to N − 1"),
        (x[r[p[i], f]], "r is a map of 0 … N − 1, but in r[p[i], f] its argument runs to M − 1"),
        (x[r[i]], "r is a map of 2 indices, unlike in r[i]"),
        (x[o[p[f]]], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (sum_over(x[p[k]], (k, d)), "p is a map of 0 … N − 1, but in p[k] its argument runs to d − 1"),
        (Expr.__new__(Sum, x[k], Tuple(k)), "k has no range; let it run from 0 to a size − 1"),
        (sum_over(a, (N, M)), "N is not an index, so no sum may run over it"),
        *(
            (sum_over(a, (Symbol("e", integer=True, **known), N)), "e is not an index, so no sum")
            for known in ({"positive": True}, {"even": True}, {}, {"nonnegative": True, "prime": True})
        ),
        (Sum(x[i], (i, 0, N - 1), (i, 0, M - 1)), "binds an index twice"),
        (Sum(x[k], (k, 1, N)), "k runs from 1 to N; let it run from 0"),
        *((sum_over(x[k], (k, size)), "may be empty") for size in (N - 1, -N, Integer(0), t)),
        (Sum(x[k], (k, 0, i)), "k runs to i + 1 − 1, which is not a size − 1: it depends on an index"),
        (Sum(x[k], (k, 0, p[i])), "it depends on an index"),
        (Pow(a, 0, evaluate=False), "is a power of 0, or to the 0"),
        (Pow(Integer(0), 2, evaluate=False), "is a power of 0, or to the 0"),
        (Pow(Integer(-2), Rational(1, 3)), "is a root of a number that is not known to be > 0"),
        (sqrt(1 - sqrt(2)), "is a root of a number that is not known to be > 0"),
        (Partial(a, a + b), "a + b is not a variable"),
        (Partial(a, i), "i is an index or a size, where it cannot vary"),
        (Partial(sum_over(x[i], (i, N)), N), "N is an index or a size, where it cannot vary"),
    ],
    ids=str,
)
def test_an_expression_outside_the_language_is_refused(expression, words):
    refused(re.escape(words), expression, a, facts=MAPPED)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"ranges": {N: M}}, "facts: N has a range, but is not an index"),
        ({"ranges": {i: t}}, "a range of size t may be empty"),
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
    ("head", "body", "words"),
    [
        (a + b, c, "definition of a + b: define a symbol or an entry such as P[i, j], not an index"),
        (i, a, "definition of i: define a symbol or an entry"),
        (Integer(1), a, "definition of 1: define a symbol or an entry"),
        (L[i, i], a, "the indices on its left side must be plain indices, no two the same"),
        (L[i, N], a, "must be plain indices"),
        (L[x[i], j], a, "must be plain indices"),
        (L[i, p[j]], a, "must be plain indices"),
        (a, a + b, "definition of a: the body names it again; define it by other names"),
        (L[i, j], sum_over(L[j, k], (k, N)), "definition of L[i, j]: the body names it again"),
        (L[i, j], x[k] * y[i], "definition of L[i, j]: k is free in the body but not on the left side"),
        (a, v[j, i], "definition of a: i, j is free in the body"),
        (x[i], y[k] + sum_over(y[k], (k, N)), "k is free in the body"),
        # of what is declared, or already in use
        (t, a, "definition of t: the name is declared > 0, and a is not known to be"),
        (t, s, "declared > 0, and s"),
        (s, a, "declared ≥ 0, and a"),
        (M, N / 2, "declared an integer, and N/2"),
        (a, plain, "w is not declared real"),
        (o[i], i, "definition of o[i]: a map between indices cannot be defined"),
        (p[i], i, "p is defined"),
        (a, cos(b), "no rule for cos"),
        (v[i, j], x[i] * y[i, j], "y has 1 indices elsewhere"),
        (x[i], sum_over(b, (j, N - 1)), "a range of size N - 1 may be empty"),
        (c, b, "definitions: c is defined twice; keep one of the two"),
        (y[j], z[j], "definitions: y is defined by itself: y → z → y"),
    ],
    ids=str,
)
def test_a_definition_outside_the_language_is_refused(head, body, words):
    def define():
        names = (Definition(c, sum_over(y[j], (j, N))), Definition(z[i], exp(y[i])), Definition(head, body))
        return derive(a, (DEFINITION, b), names=names, facts=replace(MAPPED, derangements=(p,)))

    with pytest.raises(ValueError, match=re.escape(words)):
        define()


def test_a_bound_index_is_not_a_defined_name():
    bound = Sum(t, (t, 0, N - 1))
    refused("t is a defined name, so no sum", bound, N * a, DEFINITION, (Definition(t, exp(a)),))


# --- names and letters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expressions", "words"),
    [
        (
            [a, x[i] * Symbol("a", integer=True, positive=True)],
            "two different things are written a: a symbol (real) and a symbol (integer, positive, nonnegative",
        ),
        ([a + Symbol("a", positive=True)], "two different things are written a"),
        ([Symbol("x", real=True) + x[i]], "an array (real)"),
        ([Symbol("i", real=True), x[i]], "an index (integer, nonnegative, real)"),
        ([E + Symbol("E", real=True)], "are written E: the number e and a symbol (real)"),
        ([Symbol("ℒ", real=True) * Symbol("𝓛", real=True)], "two different things are written <font>L"),
        ([Symbol("a″", real=True) * Symbol("a′′", real=True)], "two different things are written a′′"),
        (
            [sum_over(x[k], (k, N)), sum_over(x[k], (k, M))],
            "k runs to N − 1 and to M − 1; give one of them another",
        ),
        ([sum_over(x[i], (i, M))], "i runs to N − 1 and to M − 1"),
        ([exp(a * Sum(x[k], (k, 0, N - 1), (k, 0, N - 1)))], "binds an index twice"),
    ],
)
def test_two_things_that_would_be_printed_alike_are_refused(expressions, words):
    refused(re.escape(words), expressions[0], expressions[-1] + a, facts=MAPPED)


def test_two_names_that_the_page_writes_alike_are_refused(monkeypatch):
    monkeypatch.setattr("infonce_ref.derivations.prover.language.LETTERS", {"a": r"\alpha", "b": r"\alpha"})
    refused(r"are written \\alpha", a + b, b + a + c)


@pytest.mark.parametrize("name", ["Ν", "а", "x[i]", "a b", "a\u200b", "P(a)", "a·b", "−a", "ο"])
def test_a_name_that_may_look_like_something_else_is_refused(name):
    odd = Symbol(name, real=True)
    refused("may look like something else", odd * (a + 1), odd * a + odd)


# --- logs and roots of what may be negative, and derivatives ----------------------------------------------

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


def test_a_variable_hidden_in_a_definition_is_seen():
    refused("not proved", Partial(a * c, a), c, DERIVATIVE, (SQUARE,))
    derive(Partial(a * c, a), (DERIVATIVE, 3 * a**2), names=(SQUARE,), facts=FACTS)


def test_a_root_is_not_differentiated_at_zero():
    proof = derive(Partial(sqrt(c), a), (DERIVATIVE, a / sqrt(c)), names=(SQUARE,), facts=FACTS)
    assert "c > 0" in proof.assumptions


# --- a proof is what was checked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((Line(a), Line(b, SUMS)), "not proved by finite sums"),
        ((Line(a, SUMS), Line(a + b - c, SUMS)), "the first line of a proof has no rule"),
        ((Line(a * (b + c)), Line(a * b + a * c)), "every line after the first needs a rule"),
        ((Line(a * (b + 1)), Line(a * b + a, replace(SUMS, unfolds=True))), "is no rule"),
        ((), "the first line of a proof has no rule"),
    ],
)
def test_a_proof_made_by_hand_is_checked(lines, words):
    with pytest.raises(NotProved, match=words):
        Proof(lines, (), FACTS)
