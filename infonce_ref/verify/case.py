"""What is put before the judge: a loss at one point, and what a witness says of it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..arrays import to_numpy
from ..losses import Loss

# Rounding alone: the logits s/τ carry an absolute error of about eps/τ, and a loss adds a few dozen roundings.
ROUNDING = 64
ROUNDING_REASON = "64·eps·max(1, 1/τ): the logits s/τ are rounded to about eps/τ [S3]; for scores, their size"


class Measurement(NamedTuple):
    """How far apart two sides are where they are farthest: the relative error, which entry it is of (its index,
    () of a lone number), and the two sides there. The error is NaN if a side is no number."""

    error: float
    entry: tuple[int, ...]
    got: float
    expected: float


class Check(NamedTuple):
    """One witness's measurement of one gradient in one case. It holds if error ≤ tolerance, NaN never does.

    case: the arguments, in one line. compared: what with what. worst: where they are farthest apart.
    """

    loss: str
    input: str
    witness: str
    case: str
    compared: str
    worst: Measurement
    tolerance: float
    reason: str

    @property
    def error(self) -> float:
        return self.worst.error

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

    def check(self, input: str, witness: str, worst: Measurement, compared: str) -> Check:
        """A check whose tolerance is rounding's."""
        return Check(
            self.loss.name, input, witness, self.label, compared, worst, self.tolerance, ROUNDING_REASON
        )


def relative(
    got: Any,
    expected: Any,
    size: Any,
    dtype: np.dtype,
    indices: Sequence[tuple[int, ...]] | None = None,
) -> Measurement:
    """The largest |got − expected| / size; where the terms are below the dtype's smallest normal number, rounding
    is absolute, and so is the measure.

    indices: where the entries stand in the input, if they are a choice of its entries.
    """
    limits = np.finfo(dtype)
    floor = float(limits.smallest_normal) / (ROUNDING * float(limits.eps))
    errors = []
    for g, e, s in zip(np.ravel(got), np.ravel(expected), np.ravel(size), strict=True):
        finite = math.isfinite(g) and math.isfinite(e) and math.isfinite(s)
        # whichever side it is on: what is no number holds nothing
        errors.append(float(abs(e - float(g)) / (abs(s) + floor)) if finite else math.nan)
    at = int(np.argmax(errors))  # of a NaN, if there is one
    entry = indices[at] if indices else tuple(int(i) for i in np.unravel_index(at, np.shape(got)))
    return Measurement(errors[at], entry, float(np.ravel(got)[at]), float(np.ravel(expected)[at]))


def farthest(found: Mapping[str, Measurement]) -> tuple[str, Measurement]:
    """The measurement of the largest error, and its name; a NaN is larger than any number."""
    return max(found.items(), key=lambda item: math.inf if math.isnan(item[1].error) else item[1].error)
