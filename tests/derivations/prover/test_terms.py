"""The data of a normal form: what an index, an atom and a product hold, and how closed sums are named."""

import math
from fractions import Fraction
from itertools import permutations

import pytest
from sympy import Symbol, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover import terms
from infonce_ref.derivations.prover.terms import close, monomial, names, polynomial

N, M = symbols("N M", integer=True, positive=True)
i, j, k = symbols("i j k", integer=True, nonnegative=True)
a, b, c = symbols("a b c", real=True)
x, v = (IndexedBase(name, real=True) for name in "xv")
p, q = (IndexedBase(name, integer=True) for name in "pq")
A, B, C = (("symbol", symbol) for symbol in (a, b, c))


def entry(array, *indices):
    return "entry", (array, *indices)


def product(*atoms):
    return monomial(dict.fromkeys(atoms, 1))


def log_of(*monomials):
    return "log", polynomial(dict.fromkeys(monomials, 1))


SUM = close((("%1", N),), product(entry(v, "%1", i)))  # Σ_k v[k, i]
NESTED = close((("%1", M),), product(SUM, entry(v, "%1", i)))

# --- order and numbers ----------------------------------------------------------------------------------


def test_a_kept_tuple_is_equal_to_a_plain_one_and_found_as_it():
    kept = product(A, B)
    plain = tuple(kept)
    assert type(plain) is tuple
    assert kept == plain
    assert {plain: 1}[kept] == 1


def test_the_order_tells_symbols_of_one_name_apart_by_their_assumptions():
    assert terms.order(a) != terms.order(Symbol("a", positive=True))
    assert terms.order(("symbol", a)) != terms.order(("symbol", Symbol("a", positive=True)))
    assert terms.order((a, 1)) == f"({terms.order(a)},1)"


@pytest.mark.parametrize(
    ("number", "divisor", "quotient"),
    [(6, 3, 2), (1, 2, Fraction(1, 2)), (-4, 6, Fraction(-2, 3)), (Fraction(3, 2), Fraction(1, 2), 3)],
)
def test_a_ratio_is_exact_and_an_int_if_it_is_whole(number, divisor, quotient):
    found = terms.ratio(number, divisor)
    assert (found, type(found)) == (quotient, type(quotient))


# --- products and polynomials -----------------------------------------------------------------------------


def test_a_product_does_not_depend_on_the_order_of_its_factors_and_holds_no_power_0():
    assert {monomial(dict(each)) for each in permutations([(A, 2), (B, -1), (C, 0)])} == {((A, 2), (B, -1))}


def test_a_polynomial_does_not_depend_on_the_order_of_its_terms_and_holds_no_coefficient_0():
    first, second, gone = product(A), product(B), product(C)
    found = {polynomial(dict(each)) for each in permutations([(first, 2), (second, -1), (gone, 0)])}
    assert found == {((first, 2), (second, -1))}


def test_a_constant_is_a_term_without_factors_and_0_has_no_terms():
    assert terms.constant(3) == {(): 3}
    assert terms.constant(0) == {}


def test_an_atom_is_a_term():
    assert terms.term(A) == {((A, 1),): 1}
    assert terms.term(A, -2) == {((A, -2),): 1}


def test_terms_are_added_with_a_factor_and_vanish_at_0():
    one, other, third = product(A), product(B), product(C)
    left, right = {one: 2, other: 3}, {other: 1, third: 5}
    assert terms.plus(left, right) == {one: 2, other: 4, third: 5}
    assert terms.plus(left, right, -3) == {one: 2, third: -15}
    assert left == {one: 2, other: 3}


def test_a_factor_is_removed_from_a_copy():
    factors = {A: 2, B: 1}
    assert terms.remove(factors, A) == {B: 1}
    assert factors == {A: 2, B: 1}


@pytest.mark.parametrize(
    ("polynomial", "takes", "content", "rest"),
    [
        # a³b + 5a²c = a²·(a·b + 5c)
        ({((A, 3), (B, 1)): 1, ((A, 2), (C, 1)): 5}, {A, B, C}, {A: 2}, {((A, 1), (B, 1)): 1, ((C, 1),): 5}),
        ({((A, 3), (B, 1)): 1, ((A, 2), (B, 1)): 5}, {B}, {B: 1}, {((A, 3),): 1, ((A, 2),): 5}),
        # a⁻¹ + 2 = a⁻¹·(1 + 2a)
        ({((A, -1),): 1, (): 2}, {A}, {A: -1}, {(): 1, ((A, 1),): 2}),
        ({((A, 1),): 1, (): 2}, {A}, {}, {((A, 1),): 1, (): 2}),
        ({((A, 2), (B, 1)): 7}, {A, B}, {A: 2, B: 1}, {(): 7}),
    ],
)
def test_the_content_is_the_common_power_of_each_atom_that_is_taken(polynomial, takes, content, rest):
    assert terms.split_content(polynomial, takes.__contains__) == (content, rest)


# --- indices ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("index", "held"), [(i, {i}), ("%1", {"%1"}), ((p, i), {i}), ((q, (p, i), "%1"), {i, "%1"})]
)
def test_an_index_holds_names_but_no_maps(index, held):
    assert terms.index_names(index) == held


@pytest.mark.parametrize(
    ("atom", "free"),
    [
        (A, set()),
        (("index", (p, i)), {i}),
        (entry(v, i, (p, "%1")), {i, "%1"}),
        (("delta", (i, (p, j))), {i, j}),
        (("exp", product(entry(x, i), entry(x, j))), {i, j}),
        (log_of(product(entry(x, i)), product(entry(x, j), entry(x, k))), {i, j, k}),
        (("power", polynomial({product(entry(x, i)): 1, (): 2})), {i}),
        (SUM, {i}),
        (NESTED, {i}),
    ],
)
def test_the_names_of_an_atom_are_its_free_indices(atom, free):
    assert names(atom) == free


@pytest.mark.parametrize(
    ("atom", "height"),
    [
        (A, 0),
        (entry(x, i), 0),
        (("exp", product(SUM, A)), 1),
        (("exp", ()), 0),
        (log_of(product(A), product(NESTED)), 2),
        (("power", polynomial({product(SUM): 1, (): 2})), 1),
        (("power", ()), 0),
        (SUM, 1),
        (NESTED, 2),
        (close((("%1", N),), product(entry(v, "%1", i), A)), 1),
    ],
)
def test_the_height_is_the_number_of_nested_sums(atom, height):
    assert terms.height(atom) == height


@pytest.mark.parametrize(
    ("atom", "renamed"),
    [
        (A, A),
        (("index", (p, i)), ("index", (p, "%9"))),
        (("index", k), ("index", k)),
        (entry(v, i, (q, (p, j), i)), entry(v, "%9", (q, (p, "%8"), "%9"))),
        (("exp", product(entry(x, i))), ("exp", product(entry(x, "%9")))),
        (
            log_of(product(entry(x, i)), product(entry(x, k))),
            log_of(product(entry(x, "%9")), product(entry(x, k))),
        ),
        (
            ("power", polynomial({product(entry(x, i)): 2, (): 3})),
            ("power", polynomial({product(entry(x, "%9")): 2, (): 3})),
        ),
        (SUM, close((("%1", N),), product(entry(v, "%1", "%9")))),
    ],
)
def test_free_indices_are_renamed(atom, renamed):
    assert terms.rename(atom, {i: "%9", j: "%8"}) == renamed


def test_the_indices_of_a_renamed_delta_are_sorted_again():
    assert terms.rename(("delta", ("%1", "%2")), {"%1": "%8", "%2": "%7"}) == ("delta", ("%7", "%8"))


def test_the_parts_of_a_renamed_atom_are_sorted_again():
    """So that two that are equal after the renaming are also the same."""
    first, second = entry(x, "%1"), entry(x, "%2")
    swap = {"%1": "%2", "%2": "%1"}
    assert terms.rename_monomial(product(first, second), swap) == product(first, second)
    assert terms.rename(("exp", product(first, second)), swap) == ("exp", product(first, second))
    assert terms.rename(log_of(product(first), product(second)), swap) == log_of(
        product(first), product(second)
    )


def test_a_bound_name_is_not_renamed():
    bound = SUM[1][0][0][0]
    assert terms.rename(SUM, {bound: "%9"}) == SUM


@pytest.mark.parametrize(
    ("index", "replaced"),
    [
        (i, "%1"),
        (j, j),
        ((p, i), (p, "%1")),
        ((q, (p, i), j), (q, (p, "%1"), j)),
        ((p, (p, i)), (p, (p, "%1"))),
    ],
)
def test_an_index_is_replaced_wherever_it_stands(index, replaced):
    assert terms.replace_index(index, i, "%1") == replaced


def test_an_image_is_replaced_as_a_whole():
    assert terms.replace_index((p, i), (p, i), j) == j
    assert terms.replace_index((q, (p, i), i), (p, i), j) == (q, j, i)


@pytest.mark.parametrize(
    ("index", "atom", "there"),
    [
        (i, entry(x, i), True),
        (i, entry(x, (p, i)), True),
        (i, entry(x, j), False),
        (i, SUM, True),
        ("#0.0", SUM, False),  # bound
        ((p, i), entry(x, (p, i)), True),
        ((p, i), entry(v, i, (q, (p, i), j)), True),
        ((p, i), entry(x, i), False),
        ((p, i), entry(x, (q, i)), False),
        ((p, "#0.0"), close((("%1", N),), product(entry(x, (p, "%1")))), False),  # bound
        ((p, i), ("exp", product(entry(x, (p, i)))), True),
    ],
)
def test_an_index_occurs_only_where_it_is_free(index, atom, there):
    assert terms.occurs(index, atom) is there


def test_the_simplest_index_is_a_free_name_then_a_bound_one_then_an_image():
    indices = [i, j, "%1", "%2", (p, "%1"), (p, i)]
    for each in permutations(indices):
        found = sorted(each, key=terms.simplicity)
        assert found[:4] == [i, j, "%1", "%2"]
        assert set(found[4:]) == {(p, "%1"), (p, i)}


def test_the_leading_term_is_that_with_the_highest_sum():
    low, one, two = product(A, B), product(SUM), product(NESTED, A)
    assert max([one, two, low], key=terms.rank) == two
    assert max([one, low], key=terms.rank) == one


def test_of_equally_high_terms_the_highest_power_leads():
    assert max([((A, 1),), ((A, 3),), ((A, 2),), ()], key=terms.rank) == ((A, 3),)


def test_the_highest_atom_of_a_term_decides_before_the_others():
    """b stands behind a in the order."""
    assert max([((A, 9), (SUM, 1)), ((B, 1), (SUM, 1))], key=terms.rank) == ((B, 1), (SUM, 1))
    assert max([((A, 1), (C, 1)), ((B, 9),)], key=terms.rank) == ((A, 1), (C, 1))


# --- closed sums -----------------------------------------------------------------------------------------


def test_a_closed_sum_does_not_depend_on_the_names_and_the_order_of_its_indices():
    closed = {
        close(((first, N), (second, N)), product(entry(v, one, two), entry(x, one)))
        for one, two in permutations(["%1", "%2"])
        for first, second in permutations(["%1", "%2"])
    }
    assert len(closed) == 1


def test_a_symmetric_sum_does_not_depend_on_the_order_of_its_indices():
    """Σ_ijk v[i, j]·v[j, k]·v[k, i], with all three interchangeable."""
    closed = {
        close(
            tuple((name, N) for name in ("%1", "%2", "%3")),
            product(entry(v, one, two), entry(v, two, three), entry(v, three, one)),
        )
        for one, two, three in permutations(["%1", "%2", "%3"])
    }
    assert len(closed) == 1


def test_sums_in_which_the_indices_play_other_parts_differ():
    bounds = (("%1", N), ("%2", N))
    one = close(bounds, product(entry(v, "%1", "%2"), entry(x, "%1")))
    other = close(bounds, product(entry(v, "%1", "%2"), entry(x, "%2")))
    assert one != other


def test_a_size_stays_with_its_index():
    body = product(entry(v, "%1", "%2"))
    assert close((("%1", N), ("%2", M)), body) == close((("%2", M), ("%1", N)), body)
    assert close((("%1", N), ("%2", M)), body) != close((("%1", M), ("%2", N)), body)


def test_the_indices_of_a_sum_are_named_by_its_depth():
    kind, (bounds, body) = NESTED
    assert kind == "sum"
    assert bounds == (("#1.0", M),)
    assert SUM[1] == ((("#0.0", N),), ((entry(v, "#0.0", i), 1),))
    assert set(body) == {(SUM, 1), (entry(v, "#1.0", i), 1)}


def interchangeable(count):
    indices = [f"%{number}" for number in range(count)]
    return tuple((index, N) for index in indices), product(*(entry(x, index) for index in indices))


def test_more_than_7_interchangeable_indices_are_refused():
    bounds, body = close(*interchangeable(7))[1]
    assert len(bounds) == len(body) == 7
    with pytest.raises(ValueError, match="8 bound indices are interchangeable in too many ways"):
        close(*interchangeable(8))


def test_the_ways_to_order_several_groups_are_multiplied():
    """(5!)² is more than 7!, 5! + 5! is not."""
    indices = [f"%{number}" for number in range(10)]
    body = product(*(entry(x if number < 5 else v, index) for number, index in enumerate(indices)))
    assert 2 * math.factorial(5) < 5040 < math.factorial(5) ** 2
    with pytest.raises(ValueError, match="10 bound indices are interchangeable"):
        close(tuple((index, N) for index in indices), body)


@pytest.mark.parametrize(
    ("factors", "groups"),
    [
        ([entry(x, "%1"), entry(x, "%2")], [({"%1"}, 1), ({"%2"}, 1)]),
        ([entry(x, "%1"), entry(x, "%2"), entry(v, "%1", "%2")], [({"%1", "%2"}, 3)]),
        ([entry(v, "%1", "%2"), entry(x, "%3"), entry(v, "%2", "%3")], [({"%1", "%2", "%3"}, 3)]),
        ([entry(v, "%1", i), entry(v, "%2", i)], [({"%1"}, 1), ({"%2"}, 1)]),  # i is not bound
        ([A, entry(x, "%1"), entry(x, "%9")], [(set(), 1), ({"%1"}, 1), (set(), 1)]),
    ],
)
def test_factors_are_grouped_by_the_bound_indices_that_they_share(factors, groups):
    found = terms.components(["%1", "%2", "%3", "%4"], dict.fromkeys(factors, 2))
    assert {atom: 2 for _, members in found for atom in members} == dict.fromkeys(factors, 2)
    assert sum(len(members) for _, members in found) == len(factors)
    described = [(held, len(members)) for held, members in found]
    assert sorted(described, key=str) == sorted(groups, key=str)
    for held, members in found:
        assert held == set().union(*map(names, members)) & {"%1", "%2", "%3", "%4"}


def test_exponents_stay_with_their_factors():
    found = terms.components(["%1"], {entry(x, "%1"): 3, entry(v, "%1", "%1"): Fraction(-1, 2)})
    assert found == [({"%1"}, {entry(x, "%1"): 3, entry(v, "%1", "%1"): Fraction(-1, 2)})]
