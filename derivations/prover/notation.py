"""The notation of the statements, beyond SymPy's own: sums from 0, [i ≠ j], ∂, names with a definition."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from sympy import Dummy, Expr, Function, Indexed, IndexedBase, Integer, KroneckerDelta, Sum, Symbol


class Differ(Function):
    """[a ≠ b]: 1 where the indices differ and 0 where they are equal, that is 1 − δ_ab."""

    nargs = 2

    @classmethod
    def eval(cls, a, b):
        return Integer(0) if a == b else None


class Partial(Expr):
    """∂ expression / ∂ variable, not carried out: a derivation's first line."""

    def __new__(cls, expression, variable):
        return Expr.__new__(cls, expression, variable)


def total(term: Expr, *limits: tuple[Symbol, Expr]) -> Expr:
    """Σ term, each index running from 0 to size − 1: total(x[i, j], (j, n), (i, N)), the innermost first."""
    return Sum(term, *((index, 0, size - 1) for index, size in limits))


def one_if(a, b) -> Expr:
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
        if len(set(indices)) < len(indices) or not all(map(_is_index, indices)):
            raise ValueError(f"definition of {self.head}: its indices must be names, each another")
        loose = {name for name in self.body.free_symbols if _is_index(name)} - set(self.indices)
        if loose:
            raise ValueError(
                f"definition of {self.head}: {loose} stand free in the body; bind them or name them left"
            )

    def instance(self, use: Expr) -> Expr:
        """The body, with the indices of this use in place of those of the head."""
        if not self.indices:
            return self.body
        return substitute(self.body, dict(zip(self.indices, use.indices, strict=True)))


def substitute(expression: Expr, values: dict[Symbol, Expr]) -> Expr:
    """The expression with free symbols replaced. Bound names are made fresh first: none is captured."""
    return fresh(expression).xreplace(values)


def fresh(expression: Expr) -> Expr:
    """The same expression in which every sum binds names of its own that occur nowhere else."""
    if isinstance(expression, Sum):
        body, limits = fresh(expression.function), list(expression.limits)
        # The first limit is the innermost: its name shadows equal names further out.
        for place, (index, low, high) in enumerate(limits):
            own = {index: Dummy(index.name)}
            body = body.xreplace(own)
            limits[:place] = [(name, a.xreplace(own), b.xreplace(own)) for name, a, b in limits[:place]]
            limits[place] = (own[index], low, high)
        return Sum(body, *limits)
    return rebuilt(expression, fresh)


def rebuilt(node: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The node with each of its arguments changed; itself where there is nothing to change."""
    if not node.args or isinstance(node, IndexedBase):
        return node
    changed = tuple(change(argument) for argument in node.args)
    return node if changed == node.args else node.func(*changed)


def unfold(expression: Expr, definitions: Iterable[Definition]) -> Expr:
    """The expression with every defined name replaced by what it stands for, until none is left."""
    named = {base_of(definition.head): definition for definition in definitions}

    @cache
    def walk(node: Expr) -> Expr:
        if not isinstance(node, IndexedBase) and base_of(node) in named:
            return walk(named[base_of(node)].instance(node))
        return rebuilt(node, walk)

    return walk(expression)


def _is_index(name: Expr) -> bool:
    """Indices count from 0; sizes and parameters are positive or real."""
    return bool(name.is_Symbol and name.is_integer and name.is_nonnegative and not name.is_positive)


def base_of(node: Expr) -> Expr:
    """The array of an entry; a symbol is its own."""
    return node.base if isinstance(node, Indexed) else node
