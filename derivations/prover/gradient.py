"""The gradient of a loss in closed form, and its proof."""

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr, Indexed, IndexedBase, Symbol

from .language import Facts
from .notation import Definition, Partial
from .proof import DERIVATIVE, Proof, derive


@dataclass(frozen=True)
class Gradient:
    """The derivative of a loss with respect to one input, in closed form.

    variable: the input's symbol. Under a stop-gradient the constant copy is another symbol, bound to the
    same numbers.
    indices: the free indices of the closed form, () for a scalar; their ranges follow from the input's shape.
    form: the proved gradient in the lesson's names, with 1 − P written as the sum of the other probabilities [S2].
    names: the definitions.
    claims: ids of the ledger.
    prove: proves that the definition's derivative is `form` for every size, or raises NotProved.
    """

    variable: Symbol | IndexedBase
    indices: tuple[Symbol, ...]
    form: Expr
    names: tuple[Definition, ...]
    claims: tuple[str, ...]
    prove: Callable[[], Proof]


def gradient(
    entry: Expr, form: Expr, *claims: str, loss: Expr, names: tuple[Definition, ...], facts: Facts
) -> Gradient:
    """The gradient by an entry such as z[k, f], or by τ, whose proof is a single derivative line."""
    variable, indices = (entry.base, entry.indices) if isinstance(entry, Indexed) else (entry, ())

    def prove() -> Proof:
        return derive(Partial(loss, entry), (DERIVATIVE, form), names=names, facts=facts)

    return Gradient(variable, indices, form, names, claims, prove)
