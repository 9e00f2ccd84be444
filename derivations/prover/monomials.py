"""The data of a normal form: atoms, monomials, polynomials, and closed sums with canonical names.

    index       a free index, SymPy's symbol; a bound one, a string; or a pair (map, index) for p(i)
    atom        (kind, content), one of
                ("symbol", symbol), ("index", index), ("entry", (array, index, …)), ("delta", (index, index)),
                ("exp", monomial), ("log", polynomial), ("power", polynomial),
                ("sum", (((bound index, size), …), monomial))
    monomial    ((atom, exponent), …), each atom once, in order
    polynomial  ((monomial, coefficient), …), each monomial once, in order

Everything is a tuple, so that equal forms compare equal. Symbols, arrays and sizes are SymPy's objects: two
with the same name but other assumptions stay different. A closed sum is over a product whose factors are
connected by its indices. They are named by depth (#0.0, #0.1, … in a sum without inner sums, #1.0, … around
those), so that an inner name never equals an outer one; as strings they equal no symbol.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import factorial, prod
from typing import Any

from sympy import Basic, Expr, srepr

Number = int | Fraction  # whole numbers stay int, which is faster
Name = Any  # Symbol, a free index; or str, a bound one
Index = Any  # Name, or (IndexedBase, Index, …) for a map applied to one or more indices
Atom = tuple[str, Any]
Monomial = tuple[tuple[Atom, Number], ...]
Polynomial = tuple[tuple[Monomial, Number], ...]
Terms = dict[Monomial, Number]  # a polynomial under construction: monomial → coefficient
Factors = dict[Atom, Number]  # a monomial under construction: atom → exponent
Bound = tuple[str, Expr]  # a bound index, and the size of its range


class _Kept(tuple):
    """A tuple that caches its hash, since monomials nest deeply."""

    def __hash__(self) -> int:
        if not hasattr(self, "hash"):
            self.hash = super().__hash__()
        return self.hash


@cache
def order(item: Any) -> str:
    """The sort key of atoms and monomials; not used for equality."""
    if isinstance(item, tuple):
        return f"({','.join(map(order, item))})"
    return srepr(item) if isinstance(item, Basic) else repr(item)


def ratio(number: Number, divisor: Number) -> Number:
    quotient = Fraction(number) / divisor
    return quotient.numerator if quotient.denominator == 1 else quotient


def monomial(factors: Mapping[Atom, Number]) -> Monomial:
    return _Kept(sorted(((a, e) for a, e in factors.items() if e), key=order))


def polynomial(terms: Mapping[Monomial, Number]) -> Polynomial:
    return _Kept(sorted(((m, c) for m, c in terms.items() if c), key=order))


def index_names(index: Index) -> frozenset[Name]:
    if isinstance(index, tuple):
        return frozenset().union(*map(index_names, index[1:]))
    return frozenset({index})


@cache
def names(atom: Atom) -> frozenset[Name]:
    """The free indices of an atom."""
    kind, content = atom
    match kind:
        case "symbol":
            return frozenset()
        case "index":
            return index_names(content)
        case "entry":
            return _union(index_names(index) for index in content[1:])
        case "delta":
            return _union(index_names(index) for index in content)
        case "exp":
            return _union(names(a) for a, _ in content)
        case "log" | "power":
            return _union(names(a) for m, _ in content for a, _ in m)
    over, body = content
    return _union(names(a) for a, _ in body) - {name for name, _ in over}


def _union(sets: Iterable[frozenset[Name]]) -> frozenset[Name]:
    return frozenset().union(*sets)


@cache
def height(atom: Atom) -> int:
    """How many sums are nested in the atom."""
    kind, content = atom
    match kind:
        case "exp":
            return _highest(content)
        case "log" | "power":
            return max((_highest(m) for m, _ in content), default=0)
        case "sum":
            return 1 + _highest(content[1])
    return 0


def _highest(m: Monomial) -> int:
    return max((height(a) for a, _ in m), default=0)


def rename_index(index: Index, new: Mapping[Name, str]) -> Index:
    if isinstance(index, tuple):
        return (index[0], *(rename_index(part, new) for part in index[1:]))
    return new.get(index, index)


def rename(atom: Atom, new: Mapping[Name, str]) -> Atom:
    """Rename free indices one to one and sort the atom's parts again."""
    kind, content = atom
    if not new.keys() & names(atom):
        return atom
    match kind:
        case "index":
            return kind, rename_index(content, new)
        case "entry":
            return kind, (content[0], *(rename_index(index, new) for index in content[1:]))
        case "delta":
            return kind, tuple(sorted((rename_index(index, new) for index in content), key=order))
        case "exp":
            return kind, rename_monomial(content, new)
        case "log" | "power":
            return kind, _Kept(sorted(((rename_monomial(m, new), c) for m, c in content), key=order))
    over, body = content
    return close(over, rename_monomial(body, new))


def rename_monomial(m: Monomial, new: Mapping[Name, str]) -> Monomial:
    return _Kept(sorted(((rename(a, new), e) for a, e in m), key=order))


@cache
def close(over: tuple[Bound, ...], body: Monomial) -> Atom:
    """Σ over the bound indices of a connected product, its indices named so that equal sums are identical."""
    level = _highest(body)
    by_shape: dict[tuple[Expr, str], list[Bound]] = {}
    for name, size in over:
        by_shape.setdefault((size, _shape(name, [bound for bound, _ in over], body)), []).append((name, size))
    groups = [by_shape[shape] for shape in sorted(by_shape, key=order)]
    if prod(factorial(len(group)) for group in groups) > 5040:
        raise ValueError(
            f"sums: {sum(map(len, groups))} bound indices are interchangeable in too many ways to be ordered"
        )
    labels = [
        (f"#{level}.{place}", size) for place, (_, size) in enumerate(b for group in groups for b in group)
    ]

    def label(arrangement) -> Monomial:
        in_order = [name for group in arrangement for name, _ in group]
        return rename_monomial(body, {name: label for name, (label, _) in zip(in_order, labels, strict=True)})

    best = min((label(choice) for choice in product(*map(permutations, groups))), key=order)
    return "sum", (tuple(labels), best)


def _shape(name: str, bound: list[str], body: Monomial) -> str:
    """The product as seen from one of its bound indices, independent of the others' names."""
    new = dict.fromkeys(bound, "?") | {name: "*"}
    return order(tuple(sorted((order((rename(a, new), e)) for a, e in body if name in names(a)))))


def components(
    bound: Iterable[str], factors: Mapping[Atom, Number]
) -> list[tuple[set[str], dict[Atom, Number]]]:
    """Split the factors into groups that share no bound index; return each group with its bound indices."""
    bound = set(bound)
    groups: list[tuple[set[str], dict[Atom, Number]]] = []
    for atom, exponent in factors.items():
        held, members = names(atom) & bound, {atom: exponent}
        apart = []
        for group in groups:
            if group[0] & held:
                held, members = held | group[0], group[1] | members
            else:
                apart.append(group)
        groups = [*apart, (set(held), members)]
    return groups


def term(atom: Atom, exponent: Number = 1) -> Terms:
    return {((atom, exponent),): 1}


def constant(number) -> Terms:
    return {(): number} if number else {}


def plus(left: Terms, right: Terms, scale=1) -> Terms:
    terms = dict(left)
    for m, c in right.items():
        total = terms.pop(m, 0) + scale * c
        if total:
            terms[m] = total
    return terms


def combine(parts: Iterable[tuple[Terms, Number]]) -> Terms:
    """Σ scale · terms."""
    total: Terms = {}
    for terms, scale in parts:
        total = plus(total, terms, scale)
    return total


def remove(factors: Factors, atom: Atom) -> Factors:
    """The product without one of its atoms."""
    rest = dict(factors)
    del rest[atom]
    return rest


def split_content(terms: Terms, takes) -> tuple[Factors, Terms]:
    """terms = content · rest, content the common powers of the atoms that `takes` allows."""
    products = [dict(m) for m in terms]
    shared = {
        atom: min(factors.get(atom, 0) for factors in products)
        for atom in set().union(*products)
        if takes(atom)
    }
    lowest = {atom: exponent for atom, exponent in shared.items() if exponent}
    rest: Terms = {}
    for factors, c in zip(products, terms.values(), strict=True):
        for atom, exponent in lowest.items():
            factors[atom] = factors.get(atom, 0) - exponent
        rest[monomial(factors)] = c
    return lowest, rest


def rank(m: Monomial) -> list:
    """The order that decides which term of a denominator leads: by its highest atom, sums above all others."""
    return sorted(((height(atom), order(atom), exponent) for atom, exponent in m), reverse=True)


def simplicity(index: Index) -> tuple:
    return (isinstance(index, tuple), isinstance(index, str), order(index))


def replace_index(index: Index, gone: Index, kept: Index) -> Index:
    if index == gone:
        return kept
    if isinstance(index, tuple):
        return (index[0], *(replace_index(part, gone, kept) for part in index[1:]))
    return index


def occurs(index: Index, atom: Atom) -> bool:
    """Whether an index, a name or p of a name, occurs free in an atom."""
    return index_names(index) <= names(atom) and (not isinstance(index, tuple) or _within(index, atom))


def _within(part: Any, whole: Any) -> bool:
    return part == whole or (isinstance(whole, tuple) and any(_within(part, item) for item in whole))
