"""The hypotheses of a proof, as objects that print themselves."""

from collections.abc import Iterator
from dataclasses import dataclass

from sympy import Expr, IndexedBase, Pow, Rational, Sum, Symbol, log, preorder_traversal

from .notation import is_index, sides
from .show import text
from .signs import is_nonnegative, is_positive


@dataclass(frozen=True)
class InRange:
    """A free index stays within its range."""

    index: Symbol
    size: Expr

    def __str__(self) -> str:
        return f"{self.index} runs from 0 to {self.size} − 1"


@dataclass(frozen=True)
class Summed:
    """The range of an index that a sum binds."""

    index: Symbol
    size: Expr

    def __str__(self) -> str:
        return f"Σ_{self.index} runs from 0 to {self.size} − 1"


@dataclass(frozen=True)
class MapsInto:
    """A map from the indices of one range, or from pairs of indices, to those of another."""

    map: IndexedBase
    domain: Expr | tuple[Expr, ...]
    codomain: Expr

    def __str__(self) -> str:
        domain = " and ".join(f"0 … {side} − 1" for side in sides(self.domain))
        return f"{self.map} maps {domain} into 0 … {self.codomain} − 1"


@dataclass(frozen=True)
class NoFixedPoint:
    """A map without fixed point."""

    map: IndexedBase

    def __str__(self) -> str:
        return f"{self.map}(i) ≠ i"


@dataclass(frozen=True)
class Mask:
    """An array of zeros and ones."""

    array: IndexedBase

    def __str__(self) -> str:
        return f"{self.array} is 0 or 1"


@dataclass(frozen=True)
class HasSign:
    """A symbol, or every entry of an array, is > 0 or ≥ 0."""

    quantity: Expr
    relation: str

    def __str__(self) -> str:
        entries = "the entries of " if isinstance(self.quantity, IndexedBase) else ""
        are = f"are {self.relation} 0" if entries else f"{self.relation} 0"
        return f"{entries}{self.quantity} {are}"


@dataclass(frozen=True)
class Size:
    """A symbol is a whole number ≥ 1."""

    symbol: Symbol

    def __str__(self) -> str:
        return f"{self.symbol} is 1, 2, 3, …"


@dataclass(frozen=True)
class WellDefined:
    """A condition under which an expression is defined; it must hold for all values of its indices."""

    expression: Expr
    relation: str  # >, ≥ or ≠

    def __str__(self) -> str:
        return f"{text(self.expression)} {self.relation} 0"


@dataclass(frozen=True)
class Independent:
    """The derivative is taken by a defined name, whose definition is then not used."""

    quantity: Expr

    def __str__(self) -> str:
        if isinstance(self.quantity, IndexedBase):
            return f"the entries of {self.quantity} are independent variables"
        return f"{self.quantity} and what it stands for are independent variables"


@dataclass(frozen=True)
class Constant:
    """A derivative by the variable treats these as constant."""

    variable: Expr
    constants: tuple[Expr, ...]

    def __str__(self) -> str:
        return f"∂/∂{self.variable} holds {', '.join(map(str, self.constants))} constant"


Hypothesis = (
    InRange | Summed | MapsInto | NoFixedPoint | Mask | HasSign | Size | WellDefined | Independent | Constant
)


def find_needs(expression: Expr, differentiated: bool = False) -> Iterator[WellDefined]:
    """Find the conditions under which the expression is defined, except those that always hold, such as exp > 0.

    differentiated: whether it is differentiated; then the argument of a root must be > 0, not only ≥ 0.
    """
    for node in sorted(expression.atoms(Pow, log), key=str):
        if isinstance(node, log):
            base, relation = node.args[0], ">"
        elif not isinstance(node.exp, Rational) or node.base.is_number:
            continue
        elif node.exp.q == 1:
            base, relation = node.base, "≠" if node.exp < 0 else ""
        else:
            base, relation = node.base, ">" if node.exp < 0 or differentiated else "≥"
        if relation and not (is_positive(base) or (relation == "≥" and is_nonnegative(base))):
            yield WellDefined(base, relation)


def find_sums(expression: Expr) -> Iterator[Summed]:
    """Find the ranges of bound indices; a printed sum shows only the index."""
    limits = {limit for node in expression.atoms(Sum) for limit in node.limits}
    for index, _, last in sorted(limits, key=str):
        yield Summed(index, last + 1)


def find_signs(expression: Expr) -> Iterator[HasSign | Size]:
    """Find the declared signs of the symbols and arrays in the expression."""
    arrays = {node for node in preorder_traversal(expression) if isinstance(node, IndexedBase)}
    labels = {array.label for array in arrays}
    for quantity in sorted((expression.atoms(Symbol) - labels) | arrays, key=str):
        if is_index(quantity):
            continue
        if isinstance(quantity, Symbol) and quantity.is_integer and quantity.is_positive:
            yield Size(quantity)
        elif not quantity.is_integer and quantity.is_positive:
            yield HasSign(quantity, ">")
        elif not quantity.is_integer and quantity.is_nonnegative:
            yield HasSign(quantity, "≥")
