"""Notation beyond SymPy's own: sums from 0, [i ≠ j], ∂, definitions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter

from sympy import Dummy, Expr, Function, Indexed, IndexedBase, Integer, KroneckerDelta, Sum, Symbol

INDEX = {"integer": True, "nonnegative": True}  # assumption on an index: it counts from 0
_KNOWN = Symbol("i", **INDEX).assumptions0  # the facts that SymPy derives from it


class Differ(Function):
    """[a ≠ b]: 1 where the indices differ and 0 where they are equal, that is 1 − δ_ab."""

    nargs = 2

    @classmethod
    def eval(cls, a, b):
        return Integer(0) if a == b else None


class Partial(Expr):
    """∂ expression / ∂ variable, unevaluated: the first line of a derivation."""

    def __new__(cls, expression, variable):
        return Expr.__new__(cls, expression, variable)


def sum_over(term: Expr, *limits: tuple[Symbol, Expr]) -> Expr:
    """Σ term, each index running from 0 to size − 1: sum_over(x[i, j], (j, n), (i, N)), the innermost first."""
    return Sum(term, *((index, 0, size - 1) for index, size in limits))


def delta(a, b) -> Expr:
    """1[a = b], Kronecker's δ."""
    return KroneckerDelta(a, b)


@dataclass(frozen=True)
class Definition:
    """A name, `head` (a symbol, or indexed as P[i, j]), for the expression that it stands for, `body`."""

    head: Expr
    body: Expr

    @property
    def indices(self) -> tuple[Symbol, ...]:
        return self.head.indices if isinstance(self.head, Indexed) else ()

    def __post_init__(self):
        indices = self.indices
        if not isinstance(self.head, (Symbol, Indexed)) or is_index(self.head):
            raise ValueError(
                f"definition of {self.head}: define a symbol or an entry such as P[i, j], not an index"
            )
        if len(set(indices)) < len(indices) or not all(map(is_index, indices)):
            raise ValueError(
                f"definition of {self.head}: the indices on its left side must be plain indices, no two the same"
            )
        if base_of(self.head) in quantities_of(self.body):
            raise ValueError(f"definition of {self.head}: the body names it again; define it by other names")
        loose = {name for name in self.body.free_symbols if is_index(name)} - set(self.indices)
        if loose:
            raise ValueError(
                f"definition of {self.head}: {', '.join(sorted(map(str, loose)))} is free in the body but not on"
                " the left side; sum over it, or make it an index of the name"
            )

    def instance(self, use: Expr) -> Expr:
        """The body, with the indices of this use in place of those of the head."""
        if not self.indices:
            return self.body
        if len(self.indices) != len(use.indices):
            raise ValueError(f"definition of {self.head}: it has {len(self.indices)} indices, unlike {use}")
        return substitute(self.body, dict(zip(self.indices, use.indices, strict=True)))


def substitute(expression: Expr, values: dict[Symbol, Expr]) -> Expr:
    """The expression with free symbols replaced. Bound names are renamed first, so that none captures a free
    symbol.
    """
    return freshen(expression).xreplace(values)


def freshen(expression: Expr) -> Expr:
    """Rename every bound index of a sum to a name that occurs nowhere else."""
    if not isinstance(expression, Sum):
        return rebuild(expression, freshen)
    whole = Sum(freshen(expression.function), *expression.limits)
    return _rename_bound(whole, lambda index, _: Dummy(index.name, **INDEX))


def _rename_bound(whole: Sum, choose: Callable[[Symbol, Sum], Symbol]) -> Sum:
    """Give each index that the sum binds the name that `choose` returns for it and the sum so far."""
    for place in range(len(whole.limits)):
        # The first limit is the innermost: its name shadows equal names further out.
        body, *limits = whole.args
        index, low, high = limits[place]
        own = {index: choose(index, whole)}
        inner = [(name, a.xreplace(own), b.xreplace(own)) for name, a, b in limits[:place]]
        whole = Sum(body.xreplace(own), *inner, (own[index], low, high), *limits[place + 1 :])
    return whole


def rebuild(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Apply a change to each argument of the node; return the same object if nothing changes."""
    if not node.args or isinstance(node, IndexedBase):
        return node
    changed = tuple(change(argument) for argument in node.args)
    return node if changed == node.args else node.func(*changed)


def unfold(expression: Expr, definitions: Iterable[Definition]) -> Expr:
    """Replace every defined name by its body, until none is left.

    Raises ValueError if a name is defined twice, or by itself.
    """
    return _unfold(expression, tuple(definitions))


@cache  # a proof, its second look and its page unfold the same expressions
def _unfold(expression: Expr, definitions: tuple[Definition, ...]) -> Expr:
    refuse_circles(definitions)
    named = {base_of(definition.head): definition for definition in definitions}

    @cache
    def walk(node: Expr) -> Expr:
        if not isinstance(node, IndexedBase) and base_of(node) in named:
            return walk(named[base_of(node)].instance(node))
        return rebuild(node, walk)

    return rename_indices(walk(expression))


def rename_indices(expression: Expr) -> Expr:
    """Rename bound indices to plain letters: k, or k′, k″, … if the sum already contains k."""
    if not expression.has(Dummy):
        return expression
    if not isinstance(expression, Sum):
        return rebuild(expression, rename_indices)

    def choose(index: Symbol, whole: Sum) -> Symbol:
        taken = {symbol.name for symbol in whole.atoms(Symbol) - {index}}
        name = index.name
        while isinstance(index, Dummy) and name in taken:
            name += "′"
        return Symbol(name, **INDEX) if isinstance(index, Dummy) else index

    return _rename_bound(Sum(rename_indices(expression.function), *expression.limits), choose)


@cache  # every index of every derivative is unfolded by the same names
def refuse_circles(definitions: tuple[Definition, ...]) -> None:
    """Raise ValueError if a name is defined twice, or by itself, directly or through others."""
    uses: dict[Expr, frozenset[Expr]] = {}
    for definition in definitions:
        name = base_of(definition.head)
        if name in uses:
            raise ValueError(f"definitions: {name} is defined twice; keep one of the two")
        uses[name] = quantities_of(definition.body)
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        circle = error.args[1][::-1]  # from a name to what it uses
        raise ValueError(
            f"definitions: {circle[0]} is defined by itself: {' → '.join(map(str, circle))}"
        ) from None


@cache
def quantities_of(expression: Expr) -> frozenset[Expr]:
    """Every array, and every symbol that is no array's label."""
    arrays = frozenset(entry.base for entry in expression.atoms(Indexed))
    return arrays | (expression.atoms(Symbol) - {array.label for array in arrays})


def is_index(name: Expr) -> bool:
    """Return whether the symbol is an index: declared as an integer ≥ 0, with no other assumption."""
    return isinstance(name, Symbol) and name.assumptions0 == _KNOWN


def sides(domain: Expr | tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The sizes of the ranges of a map's arguments."""
    return domain if isinstance(domain, tuple) else (domain,)


def base_of(node: Expr) -> Expr:
    """Return the array of an entry, or the symbol itself."""
    return node.base if isinstance(node, Indexed) else node


def sides_of(definitions: Iterable[Definition]) -> list[Expr]:
    """The heads and the bodies of definitions."""
    return [side for definition in definitions for side in (definition.head, definition.body)]


def order_definitions(given: Mapping[Expr, Definition], parts: Iterable[Expr]) -> list[Definition]:
    """Sort the definitions that these expressions need, so that each comes after those it uses."""
    ordered: dict[Expr, Definition] = {}

    def visit(part: Expr) -> None:
        for quantity in sorted(quantities_of(part), key=str):
            if quantity in given and quantity not in ordered:
                visit(given[quantity].body)
                ordered[quantity] = given[quantity]

    for part in parts:
        visit(part)
    return list(ordered.values())
