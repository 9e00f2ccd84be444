"""The notation of the statements, beyond SymPy's own: sums from 0, [i ≠ j], ∂, names with a definition."""

from collections.abc import Iterable
from dataclasses import dataclass

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

    def instance(self, use: Expr) -> Expr:
        """The body, with the indices of this use in place of those of the head."""
        if not isinstance(self.head, Indexed):
            return self.body
        return substitute(self.body, dict(zip(self.head.indices, use.indices, strict=True)))


def substitute(expression: Expr, values: dict[Symbol, Expr]) -> Expr:
    """The expression with free symbols replaced. Bound names are made fresh first: none is captured."""
    return fresh(expression).xreplace(values)


def fresh(expression: Expr) -> Expr:
    """The same expression in which every sum binds names of its own that occur nowhere else."""
    if isinstance(expression, Sum):
        body, limits = fresh(expression.function), list(expression.limits)
        for place, (index, low, high) in enumerate(
            limits
        ):  # the first is the innermost: it shadows equal names
            own = {index: Dummy(index.name, integer=True, nonnegative=True)}
            body = body.xreplace(own)
            limits[:place] = [(name, a.xreplace(own), b.xreplace(own)) for name, a, b in limits[:place]]
            limits[place] = (own[index], low, high)
        return Sum(body, *limits)
    if not expression.args or isinstance(expression, IndexedBase):
        return expression
    return expression.func(*(fresh(argument) for argument in expression.args))


def unfold(expression: Expr, definitions: Iterable[Definition]) -> Expr:
    """The expression with every defined name replaced by what it stands for, until none is left."""
    named = {_key(definition.head): definition for definition in definitions}

    def walk(node: Expr) -> Expr:
        if not isinstance(node, IndexedBase) and _key(node) in named:
            return walk(named[_key(node)].instance(node))
        if not node.args or isinstance(node, IndexedBase):
            return node
        return node.func(*(walk(argument) for argument in node.args))

    return walk(expression)


def _key(node: Expr) -> Expr:
    return node.base if isinstance(node, Indexed) else node
