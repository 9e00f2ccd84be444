"""Sums, definitions and their unfolding: no bound index captures a free one, and no name is defined by itself."""

import re

import pytest
from sympy import Dummy, Integer, Sum, Symbol, exp, log, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover import notation
from infonce_ref.derivations.prover.notation import (
    Definition,
    Differ,
    Partial,
    base_of,
    freshen,
    is_index,
    one_if,
    quantities_of,
    refuse_circles,
    rename_indices,
    sides,
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


def test_a_total_runs_from_0_to_the_size_less_1_the_innermost_index_first():
    assert total(v[i, j], (j, N), (i, M)) == Sum(v[i, j], (j, 0, N - 1), (i, 0, M - 1))


def test_differ_is_0_for_one_index_and_open_for_two():
    assert Differ(i, i) == 0
    assert Differ(i, j).args == (i, j)
    with pytest.raises(TypeError, match="takes exactly 2 arguments"):
        Differ(i)


@pytest.mark.parametrize(("pair", "value"), [((1, 1), 0), ((0, 1), 1)])
def test_differ_is_1_less_delta(pair, value):
    assert 1 - one_if(*pair) == value
    assert (Differ(*pair) == 0) is (value == 0)


def test_a_partial_is_not_evaluated():
    assert Partial(a, a).args == (a, a)


@pytest.mark.parametrize(
    ("name", "index"),
    [
        (i, True),
        (Symbol("i", integer=True), False),
        (N, False),
        (Symbol("i", integer=True, nonnegative=True, even=True), False),
        (a, False),
        (i + 1, False),
        (p[i], False),
        (Integer(0), False),
        (count_of("i"), True),
    ],
)
def test_an_index_is_declared_as_a_whole_number_from_0_and_no_more(name, index):
    assert is_index(name) is index


def test_the_base_of_an_entry_is_its_array():
    assert base_of(x[i]) == x
    assert base_of(a) == a
    assert base_of(a + x[i]) == a + x[i]


def test_the_sides_of_a_domain():
    assert sides(N) == (N,)
    assert sides((N, M)) == (N, M)


@pytest.mark.parametrize(
    ("expression", "quantities"),
    [
        (a * x[i] + exp(N), {a, x, i, N}),
        (x[p[i]], {x, p, i}),
        (total(x[k], (k, N)), {x, k, N}),
        (Integer(2), set()),
        (Symbol("x", real=True) + a, {Symbol("x", real=True), a}),
    ],
)
def test_quantities_are_arrays_and_symbols_without_the_labels_of_arrays(expression, quantities):
    assert quantities_of(expression) == quantities


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


@pytest.mark.parametrize(
    ("definition", "indices"),
    [
        (Definition(a, b), ()),
        (Definition(a, total(x[k], (k, N))), ()),
        (Definition(L[j, i], x[i]), (j, i)),
    ],
)
def test_a_definition_has_the_indices_of_its_left_side(definition, indices):
    assert definition.indices == indices


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


def test_names_may_share_what_defines_them():
    refuse_circles((Definition(a, b * c), Definition(b, c), Definition(t, a + b + c)))


# --- substitution ---------------------------------------------------------------------------------------


def test_free_symbols_are_replaced_and_bound_ones_are_not():
    found = substitute(x[k] * total(y[k] * x[i], (k, N)), {k: j, i: k})
    assert rename_indices(found) == x[j] * total(y[k1] * x[k], (k1, N))


def test_what_is_free_of_sums_is_the_same_object_after_all():
    for same in (x[p[i]] * exp(a), a, x[i], log(a) + 1):
        assert freshen(same) is same


def test_every_bound_index_gets_a_name_of_its_own():
    fresh = freshen(total(v[k, j], (k, N)) * exp(total(x[k], (k, N))))
    assert len(fresh.atoms(Dummy)) == 2
    assert {dummy.name for dummy in fresh.atoms(Dummy)} == {"k"}
    assert all(map(is_index, fresh.atoms(Dummy)))
    assert not fresh.has(k)


def test_the_innermost_of_two_sums_over_one_name_binds_it():
    fresh = freshen(Sum(x[k], (k, 0, N - 1), (k, 0, M - 1)))
    inner, outer = fresh.limits
    assert inner[0] != outer[0]
    assert (inner[2], outer[2]) == (N - 1, M - 1)
    assert fresh.function == x[inner[0]]


def test_an_inner_limit_by_an_outer_index_follows_its_new_name():
    (inner, low, high), (outer, *_) = freshen(Sum(x[k], (k, i, i + 1), (i, 0, N - 1))).limits
    assert (low, high) == (outer, outer + 1)
    assert inner not in (k, outer)


def test_an_array_is_not_rebuilt():
    assert notation.rebuild(x, lambda _: a) is x
    assert notation.rebuild(a, lambda _: b) is a
    assert notation.rebuild(a + b, lambda part: part) == a + b
    assert notation.rebuild(exp(a), lambda _: b) == exp(b)


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


def test_two_bound_dummies_of_one_letter_get_different_names():
    one, other = count_of("k"), count_of("k")
    found = rename_indices(Sum(v[one, other], (one, 0, N - 1), (other, 0, M - 1)))
    (inner, _, high), (outer, _, last) = found.limits
    assert (high, last) == (N - 1, M - 1)
    assert {inner, outer} == {k, k1}
    assert found.function == v[inner, outer]


def test_inner_sums_are_named_first_and_outer_ones_keep_off():
    one, other = count_of("k"), count_of("k")
    found = rename_indices(total(x[one] * total(y[other], (other, N)), (one, N)))
    assert found == total(x[k1] * total(y[k], (k, N)), (k1, N))


def test_an_index_with_a_plain_name_keeps_it():
    one = count_of("k")
    expression = exp(total(x[i] * total(y[one], (one, N)), (i, N)))
    assert rename_indices(expression) == exp(total(x[i] * total(y[k], (k, N)), (i, N)))


def test_a_limit_by_a_renamed_index_follows():
    outer = count_of("i")
    found = rename_indices(Sum(x[k], (k, outer, outer + 1), (outer, 0, N - 1)))
    assert found == Sum(x[k], (k, i, i + 1), (i, 0, N - 1))


def test_a_free_dummy_stays():
    free = count_of("k")
    assert rename_indices(x[free]) == x[free]


# --- the order of definitions ---------------------------------------------------------------------------


def test_each_definition_comes_after_those_it_uses_and_unused_ones_are_left_out():
    names = [Definition(a, b + c), Definition(b, c * t), Definition(c, t), Definition(x[i], y[i])]
    given = {base_of(name.head): name for name in names}
    assert notation.order_definitions(given, [a, t]) == [names[2], names[1], names[0]]
    assert notation.order_definitions(given, [exp(x[j]), b]) == [names[3], names[2], names[1]]
    assert notation.order_definitions(given, [t]) == []
