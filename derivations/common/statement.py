"""The statement of a loss: its definition, its gradients in closed form, and the values of its symbols."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Expr

from ..prover.gradient import Gradient as Gradient
from ..prover.gradient import gradient as gradient
from ..prover.notation import Definition, base_of, quantities_of
from ..symbols import SIZES, TABLE, B, N, nu, omega
from .pairs import divisor


@dataclass(frozen=True)
class Statement:
    """One loss of `infonce_ref.losses`, as its document prints it.

    loss: its name in `infonce_ref.losses`.
    form: the loss as printed, −log of a ratio of sums of exp. It suffers cancellation near 0: for a loss of size
        10⁻ⁿ, evaluate with n more digits.
    names: the definitions.
    gradients: input's name in the contract → its gradient.
    bind: the library's own arguments → the values of symbols that are no argument, such as a mask.
    reduction: its default.
    weighted: the statement of the same loss with a weight for each row, or None.
    """

    loss: str
    form: Expr
    names: tuple[Definition, ...]
    gradients: Mapping[str, Gradient]
    bind: Callable[..., Mapping[Any, Any]] = lambda **_: {}
    reduction: str = "mean"
    weighted: "Statement | None" = None

    @cached_property
    def free(self) -> set[Any]:
        """The symbols without a definition, but ν."""
        parts = [self.form, *(name.body for name in self.names), *(by.form for by in self.gradients.values())]
        return set().union(*map(quantities_of, parts)) - {nu, *(base_of(name.head) for name in self.names)}

    @cached_property
    def inputs(self) -> list[tuple[Any, str, list[str]]]:
        """Each of these symbols that is no size, its word, and the names of its sizes."""
        return [
            (entry.symbol, entry.word, re.findall(r"[^\s(),]+", entry.shape))
            for entry in TABLE
            if entry.symbol in self.free - {*SIZES.values()}
        ]

    def environment(self, **arguments: Any) -> dict:
        """The environment for `evaluator`, from the library's own arguments: arrays as nested lists of numbers,
        scalars, options.

        Unless `bind` gives it, the value of a symbol is the argument that is its word in the table of symbols. A
        size is the length of an array.
        """
        values = dict(self.bind(**arguments))
        for symbol, word, shape in self.inputs:
            if arguments.get(word) is not None:
                values.setdefault(symbol, arguments[word])
            part = values.get(symbol, ())
            for size in shape if part else ():
                values.setdefault(SIZES.get(size), len(part))
                part = part[0]
        rows = values.get(B if B in self.free else N, 0)
        reduction = arguments.get("reduction", self.reduction)
        if omega in self.free and reduction != "none":
            values[omega] = [1] * rows
        values.setdefault(nu, divisor(rows, "mean" if omega in self.free else reduction))
        return values
