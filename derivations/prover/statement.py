"""A loss as it is proved: its definition, its gradients in closed form, how arguments are bound to them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sympy import Expr, Symbol

if TYPE_CHECKING:
    from derivations.prover.proof import Proof


@dataclass(frozen=True)
class Gradient:
    """The derivative of a loss with respect to one input, in closed form.

    indices: the free indices of the closed form, () for a scalar; their ranges follow from the input's shape.
    closed_form: the proved gradient, with 1 − P written as the sum of the negative probabilities [S2].
    claims: ids of the ledger.
    prove: proves that the definition's derivative is `closed_form` for every size, and raises if it cannot.
    """

    indices: tuple[Symbol, ...]
    closed_form: Expr
    claims: tuple[str, ...]
    prove: Callable[[], "Proof"]


@dataclass(frozen=True)
class Statement:
    """One loss of `infonce_ref.losses`, as its document prints it.

    loss: its name in `infonce_ref.losses`.
    definition: the loss, as printed: −log of a ratio of sums of exp. It cancels as the loss goes to 0: to see
        a loss of size 10⁻ⁿ, evaluate it with n digits more than are wanted.
    gradients: input's name in the contract → its gradient.
    bind: the library's own arguments (arrays as nested lists of numbers, scalars, options) → an environment
        for `evaluator`.
    """

    loss: str
    definition: Expr
    gradients: Mapping[str, Gradient]
    bind: Callable[..., dict]
