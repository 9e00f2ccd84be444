"""Sums, definitions and their unfolding: no bound index captures a free one, and no name is defined by itself."""

import re

import pytest
from sympy import Dummy, Integer, Sum, Symbol, exp, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.notation import (
    Definition,
    freshen,
    refuse_circles,
    rename_indices,
    substitute,
    total,
    unfold,
)

N, M = symbols("N M", integer=True, positive=True)
i, j, k = symbols("i j k", integer=True, nonnegative=True)
k1, k2 = symbols("k′ k″", integer=True, nonnegative=True)
K = Symbol("k′′", integer=True, nonnegative=True)
a, b, c, t = symbols("a b c t", real=True)
x, y, v, L = (IndexedBase(name, real=True) for name in "xyvL")
p = IndexedBase("p", integer=True)


def refused(message):
    return pytest.raises(ValueError, match=re.escape(message))


def count_of(index):
    return Dummy(index, integer=True, nonnegative=True)


# --- notation -------------------------------------------------------------------------------------------


# --- definitions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "body", "message"),
    [
        (a + b, c, "definition of a + b: define a symbol or an entry such as P[i, j], not an index"),
        (i, a, "definition of i: define a symbol or an entry"),
        (Integer(1), a, "definition of 1: define a symbol or an entry"),
        (L[i, i], a, "the indices on its left side must be plain indices, no two the same"),
        (L[i, N], a, "must be plain indices"),
        (L[i, p[j]], a, "must be plain indices"),
        (a, a + b, "definition of a: the body names it again; define it by other names"),
        (L[i, j], total(L[j, k], (k, N)), "definition of L[i, j]: the body names it again"),
        (L[i, j], x[k] * y[i], "definition of L[i, j]: k is free in the body but not on the left side"),
        (a, v[j, i], "definition of a: i, j is free in the body"),
        (x[i], y[k] + total(y[k], (k, N)), "k is free in the body"),
    ],
)
def test_a_definition_that_is_none_is_refused(head, body, message):
    with refused(message):
        Definition(head, body)


def test_an_instance_has_the_indices_of_the_use():
    definition = Definition(L[i, j], x[i] * y[j])
    assert definition.instance(L[k, i]) == x[k] * y[i]
    assert definition.instance(L[j, i]) == x[j] * y[i]
    assert definition.instance(L[p[i], j]) == x[p[i]] * y[j]
    assert Definition(a, b + 1).instance(a) == b + 1


@pytest.mark.parametrize(
    ("definitions", "message"),
    [
        ((Definition(a, b), Definition(a, c)), "definitions: a is defined twice; keep one of the two"),
        ((Definition(x[i], a), Definition(x[j], b)), "definitions: x is defined twice"),
        (
            (Definition(a, b), Definition(b, c + 1), Definition(c, a)),
            "definitions: a is defined by itself: a → b → c → a",
        ),
        (
            (Definition(t, a), Definition(a, b), Definition(b, a)),
            "definitions: a is defined by itself: a → b → a",
        ),
        (
            (Definition(x[i], total(y[k], (k, N))), Definition(y[i], exp(x[i]))),
            "definitions: x is defined by itself: x → y → x",
        ),
    ],
)
def test_a_name_is_defined_once_and_not_by_itself(definitions, message):
    with refused(message):
        refuse_circles(definitions)
    with refused(message):
        unfold(Integer(1), definitions)


# --- substitution ---------------------------------------------------------------------------------------


def test_free_symbols_are_replaced_and_bound_ones_are_not():
    found = substitute(x[k] * total(y[k] * x[i], (k, N)), {k: j, i: k})
    assert rename_indices(found) == x[j] * total(y[k1] * x[k], (k1, N))


def test_the_innermost_of_two_sums_over_one_name_binds_it():
    fresh = freshen(Sum(x[k], (k, 0, N - 1), (k, 0, M - 1)))
    inner, outer = fresh.limits
    assert inner[0] != outer[0]
    assert (inner[2], outer[2]) == (N - 1, M - 1)
    assert fresh.function == x[inner[0]]


# --- unfolding ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "unfolded"),
    [
        (a, b**2 + 1),
        (c, exp(b**2 + 1)),
        (L[j, k], x[j] * y[k]),
        (L[p[i], i], x[p[i]] * y[i]),
        (x[i], x[i]),
        (t * a, t * (b**2 + 1)),
        (total(L[k, j], (k, N)), total(x[k] * y[j], (k, N))),
        (v[k, i], total(x[k] * y[k1] * y[i], (k1, N))),  # the bound k gives way to the free one
        (total(v[i, k], (k, N)), total(total(x[i] * y[k1] * y[k], (k1, N)), (k, N))),
    ],
)
def test_names_are_unfolded_until_none_is_left(expression, unfolded):
    names = (
        Definition(c, exp(a)),
        Definition(a, b**2 + 1),
        Definition(L[i, j], x[i] * y[j]),
        Definition(v[i, j], total(L[i, k] * y[j], (k, N))),
    )
    assert unfold(expression, iter(names)) == unfolded


# --- names of bound indices -----------------------------------------------------------------------------


def test_a_bound_dummy_gets_its_letter_or_one_with_primes():
    index = count_of("k")
    assert rename_indices(total(x[index], (index, N))) == total(x[k], (k, N))
    assert rename_indices(total(x[index] * y[k], (index, N))) == total(x[k1] * y[k], (k1, N))
    assert rename_indices(total(x[index] * y[k] * y[k1], (index, N))) == total(x[K] * y[k] * y[k1], (K, N))


# --- the order of definitions ---------------------------------------------------------------------------
