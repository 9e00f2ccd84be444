"""What is put before the judge: a loss at one point, and what a witness says of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..arrays import to_numpy
from ..losses import Loss

# Rounding alone: the logits s/τ carry an absolute error of about eps/τ, and a loss adds a few dozen roundings.
ROUNDING = 64
ROUNDING_REASON = "64·eps·max(1, 1/τ): the logits s/τ are rounded to about eps/τ [S3]; for scores, their size"


class Check(NamedTuple):
    """One witness's measurement of one gradient at one point. It holds if error ≤ tolerance, NaN never does."""

    loss: str
    input: str
    witness: str
    case: str
    error: float
    tolerance: float
    reason: str

    @property
    def holds(self) -> bool:
        return bool(self.error <= self.tolerance)


@dataclass(frozen=True)
class Case:
    """A loss, its arguments as NumPy arrays of the dtype under test, and the library that computes."""

    loss: Loss
    arguments: dict[str, Any]
    label: str
    convert: Callable[[np.ndarray], Any] = np.asarray

    @classmethod
    def of(
        cls, loss: Loss, arguments: dict[str, Any], label: str, dtype: str, convert: Callable = np.asarray
    ) -> "Case":
        """A case whose floating arrays are rounded to the dtype first: what the witnesses see is what it got."""
        cast = {
            name: x.astype(dtype) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else x
            for name, x in arguments.items()
        }
        return cls(loss, cast, label, convert)

    def at(self, **changes: Any) -> "Case":
        """The same case with some arguments changed."""
        return replace(self, arguments=self.arguments | changes)

    @property
    def dtype(self) -> np.dtype:
        return next(
            x.dtype for x in self.arguments.values() if getattr(x, "dtype", np.dtype(int)).kind == "f"
        )

    @property
    def sharpness(self) -> float:
        """How large the logits may be, and so what multiple of eps they are rounded to: 1/τ, or the scores [S3]."""
        scores = [np.max(np.abs(x)) for name, x in self.arguments.items() if name.endswith("scores")]
        return float(max(1.0, 1 / self.arguments.get("temperature", 1.0), *scores))

    @property
    def tolerance(self) -> float:
        """The error that rounding alone explains, relative to the size of the terms that are summed."""
        return ROUNDING * float(np.finfo(self.dtype).eps) * self.sharpness

    def _converted(self) -> dict[str, Any]:
        return {k: self.convert(x) if isinstance(x, np.ndarray) else x for k, x in self.arguments.items()}

    def value(self) -> float:
        """The forward pass."""
        return float(self.loss.forward(**self._converted())[0])

    def restricted(self) -> Callable[..., float]:
        """The forward pass as a function of changed inputs, what a stop-gradient holds kept where it is here."""
        forward = self.loss.held(**self._converted()) if self.loss.held else None

        def at(**changes: Any) -> float:
            arguments = self.at(**changes)._converted()
            return float(forward(**arguments) if forward else self.loss.forward(**arguments)[0])

        return at

    def gradients(self, **upstream: float) -> dict[str, np.ndarray]:
        """The backward pass, in float64."""
        _, cache = self.loss.forward(**self._converted())
        gradients = self.loss.backward(cache, **upstream)._asdict()
        return {name: to_numpy(gradients[name]).astype(np.float64) for name in self.loss.differentiable}

    def check(self, input: str, witness: str, error: float, what: str = "") -> Check:
        """A check whose tolerance is rounding's."""
        label = f"{self.label}, {what}" if what else self.label
        return Check(self.loss.name, input, witness, label, float(error), self.tolerance, ROUNDING_REASON)


def relative(got: Any, exact: Any, size: Any, dtype: np.dtype) -> float:
    """The largest |got − exact| / size; where the terms are below the dtype's smallest normal number, rounding
    is absolute, and so is the measure."""
    limits = np.finfo(dtype)
    floor = float(limits.smallest_normal) / (ROUNDING * float(limits.eps))
    worst = 0.0
    for g, e, s in zip(np.ravel(got), np.ravel(exact), np.ravel(size), strict=True):
        if not (math.isfinite(g) and math.isfinite(e) and math.isfinite(s)):
            return math.nan  # whichever side it is on: what is no number holds nothing
        worst = max(worst, float(abs(e - float(g)) / (abs(s) + floor)))
    return worst
