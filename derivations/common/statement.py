"""The statement of a loss: its definition, its gradients in closed form, and the binding of arguments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sympy import Expr

from ..prover.gradient import Gradient as Gradient
from ..prover.gradient import gradient as gradient
from ..prover.notation import Definition


@dataclass(frozen=True)
class Statement:
    """One loss of `infonce_ref.losses`, as its document prints it.

    loss: its name in `infonce_ref.losses`.
    form: the loss as printed, −log of a ratio of sums of exp. It suffers cancellation near 0: for a loss of size
        10⁻ⁿ, evaluate with n more digits.
    names: the definitions.
    gradients: input's name in the contract → its gradient.
    bind: the library's own arguments (arrays as nested lists of numbers, scalars, options) → an environment
        for `evaluator`.
    weighted: the statement of the same loss with a weight for each row, or None.
    """

    loss: str
    form: Expr
    names: tuple[Definition, ...]
    gradients: Mapping[str, Gradient]
    bind: Callable[..., dict]
    weighted: "Statement | None" = None
