"""A case: a loss at one point; and a check: what a method measured there."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from ..arrays import to_numpy
from ..information import ESTIMATORS
from ..losses import ALL, Loss
from ..registry import Kind

# The logits s/τ have an absolute error of about eps/τ, and a loss adds a few dozen roundings.
ROUNDING = 64
ROUNDING_REASON = (
    "64·eps·max(1, 1/τ): the logits s/τ are rounded to about eps/τ [S3]; for scores or a bias, their size"
)


def list_registered() -> dict[str, Loss]:
    """List everything that is checked: every loss, and every estimator of information."""
    return ALL | {entry.name: entry for entry in ESTIMATORS.values()}


class Measurement(NamedTuple):
    """The largest error, relative to the size of the summed terms; the index of its entry, () for a number; and
    both sides there. The error is NaN if either side is NaN or infinite.

    textbook: the largest error relative to the terms of a textbook form [`definition.terms_in_textbook_form`].
    plain: the largest error relative to the largest exact entry; None if the other side is not exact.
    """

    error: float
    entry: tuple[int, ...]
    got: float
    expected: float
    textbook: float = math.nan
    plain: float | None = None


class Check(NamedTuple):
    """One method's measurement of one gradient in one case. It holds if error ≤ tolerance; NaN never holds.

    case: the arguments, in one line. compared: what was compared with what. worst: the largest error. noise,
    sharpness: the distance of the positives and the size of the logits in this case. raised: the exception, if the
    loss raised one.
    """

    loss: str
    input: str
    method: str
    case: str
    compared: str
    worst: Measurement
    tolerance: float
    reason: str
    noise: float = 1.0
    sharpness: float = 1.0
    dtype: str = "float64"
    raised: str = ""

    @property
    def error(self) -> float:
        return self.worst.error

    @property
    def holds(self) -> bool:
        return bool(self.error <= self.tolerance)

    @property
    def excess(self) -> float:
        """Return the error in units of the tolerance; infinite for NaN."""
        return in_units(self.error, self.tolerance)

    @property
    def plain_excess(self) -> float:
        """Return the error relative to the largest exact entry, in units of the tolerance."""
        return in_units(math.nan if self.worst.plain is None else self.worst.plain, self.tolerance)

    @property
    def place(self) -> str:
        """Describe the case and its largest logit."""
        return f"{self.case} ({self.dtype}; logits up to {self.sharpness:.3g})"

    @property
    def textbook_holds(self) -> bool:
        """Whether a correct textbook form may have this error."""
        return bool(self.worst.textbook <= self.tolerance)


def in_units(error: float, tolerance: float) -> float:
    return math.inf if math.isnan(error) else error / tolerance


# --- how the same numbers may be passed ---------------------------------------------------------------------------


def cut_out(x: np.ndarray) -> np.ndarray:
    """Copy into the middle of a larger array of NaN, of a large number for integers, or of True for booleans."""
    frame = {"f": np.nan, "b": True}.get(x.dtype.kind) or np.iinfo(x.dtype).max
    return np.pad(np.ascontiguousarray(x), 1, constant_values=frame)[(slice(1, -1),) * x.ndim]


def copy_unaligned(x: np.ndarray) -> np.ndarray:
    """Copy to an address that is not aligned for the dtype."""
    shifted = np.empty(x.nbytes + 1, dtype=np.uint8)[1:].view(x.dtype).reshape(x.shape)
    shifted[...] = x
    return shifted


def broadcast(x: np.ndarray) -> np.ndarray:
    """Return a view with a stride of 0 along an axis of constant numbers, if there is one."""
    for axis in range(x.ndim):
        first = np.take(x, [0], axis=axis)
        if x.shape[axis] > 1 and np.all(x == first):
            return np.broadcast_to(first, x.shape)
    return x


# memory layouts; every library takes the first three, only NumPy the others
MEMORY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "by rows": np.ascontiguousarray,
    "by columns": np.asfortranarray,
    "strided": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    # stored from last to first, with negative strides
    "rows backwards": lambda x: np.ascontiguousarray(x[::-1])[::-1],
    "columns backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "both backwards": lambda x: np.flip(np.ascontiguousarray(np.flip(x))),
    "read-only": lambda x: np.broadcast_to(np.array(x), x.shape),
    "cut out": cut_out,
    "unaligned": copy_unaligned,
    "mapped": lambda x: np.ascontiguousarray(x).view(np.memmap),
    "broadcast": broadcast,
}
OF_ANY_LIBRARY = tuple(MEMORY)[:3]

# the type of a number, such as a temperature
NUMBERS: dict[str, Callable[[float], Any]] = {
    "float": float,
    "numpy.float64": np.float64,
    "numpy.float32": np.float32,
    "0-d array": np.asarray,
}


@dataclass(frozen=True)
class Case:
    """A loss, its arguments as NumPy arrays of the dtype under test, and the library that computes.

    Under reduction="none" the loss Σ_i upstream_i ℓ_i with drawn weights is judged.
    noise: distance of the positives. length: of the rows, if the loss does not normalise them. upstreams: factors
    of the gradients. calls: number of backward passes. memory: the memory layout, one of `MEMORY`. numbers: the
    type of floats, one of `NUMBERS`. smooth: whether the case is known to be away from any kink. work: the
    approximate number of products in one pass, if known. memo: cached results of this case.
    """

    loss: Loss
    arguments: dict[str, Any]
    label: str
    convert: Callable[[np.ndarray], Any] = np.asarray
    noise: float = 1.0
    length: float = 1.0
    upstreams: tuple[float, ...] = (4.0,)
    calls: int = 2
    memory: str = "by rows"
    numbers: str = "float"
    smooth: bool = True
    work: int = 0
    memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        loss: Loss,
        arguments: dict[str, Any],
        label: str,
        dtype: str,
        convert: Callable = np.asarray,
        **more: Any,
    ) -> "Case":
        """Make a case from arrays rounded to the dtype, so that the checks see the same numbers as the loss."""
        cast = {
            name: x.astype(dtype) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else x
            for name, x in arguments.items()
        }
        if more.get("numbers") == "numpy.float32":
            cast |= {name: float(np.float32(x)) for name, x in cast.items() if type(x) is float}
        return cls(loss, cast, label, convert, **more)

    def at(self, **changes: Any) -> "Case":
        """Return the same case with some arguments changed."""
        return replace(self, arguments=self.arguments | changes)

    @cached_property
    def dtype(self) -> np.dtype:
        return next(
            x.dtype for x in self.arguments.values() if getattr(x, "dtype", np.dtype(int)).kind == "f"
        )

    @cached_property
    def sharpness(self) -> float:
        """Upper bound on |logit|; the rounding error of a logit is about eps times this. It is 1/τ, or the largest
        score [S3], plus what is added to either; for a loss with an inverse squared length, that times the squared
        length.
        """
        hottest = self.length**2  # the temperature at which all logits are at most 1
        found = [1.0, hottest / self.arguments.get("temperature", hottest)]
        for name, kind in self.loss.kinds.items():
            x: Any = self.arguments.get(name)
            if kind in ("score", "bias"):
                found.append(np.max(np.abs(x)))
            elif kind == "inverse squared length":
                found.append(hottest * x)
            elif kind == "temperature" and x is not None:
                found.append(1 / x)
        return float(max(found))

    @property
    def tolerance(self) -> float:
        """The tolerance: the error that rounding explains, relative to the size of the summed terms."""
        return ROUNDING * float(np.finfo(self.dtype).eps) * self.sharpness

    @property
    def magnified(self) -> float:
        """Upper bound on the factor between a probability and a gradient, by which an underflow is magnified."""
        tau = self.arguments.get("temperature", 1.0)
        steep = [
            self.arguments[name] * self.length for name in list_of_kind(self.loss, "inverse squared length")
        ]
        factor = max(max(1.0, 1 / tau) * max(1.0, self.length / tau), *steep, 1.0)
        # A term that is flushed to 0 is lost whole, not only rounded. A mean over pairs divides it by their number,
        # and the division by the sum multiplies it again: the largest factor that was met.
        return factor * self.pairs if self.flushes else factor

    @property
    def pairs(self) -> int:
        """Count the pairs of rows of the longest input."""
        return max(len(x) for x in self.arguments.values() if getattr(x, "ndim", 0)) ** 2

    @cached_property
    def flushes(self) -> bool:
        """Whether the library replaces numbers below the smallest normal one by 0: CuPy in float32, JAX."""
        smallest = np.full(1, np.finfo(self.dtype).smallest_normal, self.dtype)
        return bool(to_numpy(self.convert(smallest) / 2)[0] == 0)

    @cached_property
    def upstream(self) -> np.ndarray | float:
        """The factor of the result of the forward pass: 1 or, under reduction="none", a drawn number for each
        anchor.
        """
        if self.arguments.get("reduction") != "none":
            return 1.0
        anchors = len(self.arguments[self.loss.differentiable[0]])
        rng = np.random.default_rng([anchors, crc32(self.label.encode())])
        return rng.uniform(0.25, 4, anchors).astype(self.dtype)

    def _convert(self) -> dict[str, Any]:
        """Convert the arguments to what the loss receives."""
        numpy = self.convert is np.asarray
        lay = MEMORY[self.memory if numpy or self.memory in OF_ANY_LIBRARY else "by rows"]
        kind = NUMBERS[self.numbers]

        def one(x: Any) -> Any:
            if isinstance(x, np.ndarray):
                return lay(x) if numpy else self.convert(lay(x))
            if type(x) is not float:
                return x
            return self.convert(kind(x)) if self.numbers == "0-d array" else kind(x)

        return {name: one(x) for name, x in self.arguments.items()}

    @cached_property
    def passes(self) -> tuple[Any, Callable[..., dict[str, np.ndarray]]]:
        """Run one forward pass for all checks: see `run_passes`."""
        return self.run_passes()

    @cached_property
    def once(self) -> tuple[Any, dict[str, np.ndarray]]:
        """Value and gradients as NumPy arrays of the loss's own dtype, kept for all checks."""
        value, backward = self.passes
        return value, backward()

    def value(self) -> float:
        """Return the forward pass times its upstream, as one number."""
        return float(np.sum(self.passes[0].astype(np.float64) * self.upstream))

    def run_passes(self) -> tuple[Any, Callable[..., dict[str, np.ndarray]]]:
        """Return the value of the forward pass, and the backward pass as a function, as NumPy arrays of the loss's
        own dtype. Under reduction="none" an upstream that is a number multiplies the anchors' own; an array
        replaces them.
        """
        value, cache = self.loss.forward(**self._convert())
        each = self.upstream

        def backward(**upstream: Any) -> dict[str, np.ndarray]:
            if isinstance(each, np.ndarray):
                factor = upstream.get("upstream", 1.0)
                own = factor if getattr(factor, "ndim", 0) else (float(factor) * each).astype(each.dtype)
                upstream["upstream"] = self.convert(own)
            gradients = self.loss.backward(cache, **upstream)._asdict()
            return {name: to_numpy(gradients[name]) for name in self.loss.differentiable}

        return to_numpy(value), backward

    def gradients(self, **upstream: Any) -> dict[str, np.ndarray]:
        """Run the backward pass; return the gradients in float64."""
        found = self.passes[1](**upstream) if upstream else self.once[1]
        return {name: x.astype(np.float64) for name, x in found.items()}

    def check(
        self,
        input: str,
        method: str,
        worst: Measurement,
        compared: str,
        tolerance: float | None = None,
        reason: str = ROUNDING_REASON,
    ) -> Check:
        """Make a check of this case; the default tolerance is that of rounding."""
        tolerance = self.tolerance if tolerance is None else tolerance
        place = self.noise, self.sharpness, str(self.dtype)
        return Check(self.loss.name, input, method, self.label, compared, worst, tolerance, reason, *place)


def list_of_kind(loss: Loss, kind: Kind) -> list[str]:
    """List the arguments that a loss declares to be of this kind."""
    return [name for name, declared in loss.kinds.items() if declared == kind]


# by what power of the rows' length an argument of this kind is measured
POWERS = {"length": 1, "squared length": 2, "inverse squared length": -2}


def rescale(loss: Loss, arguments: Mapping[str, Any], length: float) -> dict[str, Any]:
    """Rescale the arguments measured in units of the rows' length, for rows that are `length` times as long."""
    powers = {"temperature": 2} | {name: POWERS[kind] for name, kind in loss.kinds.items() if kind in POWERS}
    return {name: arguments[name] * length**power for name, power in powers.items() if name in arguments}


def relative(
    got: Any,
    expected: Any,
    size: Any,
    dtype: np.dtype,
    indices: Sequence[tuple[int, ...]] | None = None,
    textbook: Callable[[], Any] | None = None,
    tolerance: float = 0.0,
    exact: bool = False,
    unit: float = 1.0,
) -> Measurement:
    """The largest |got − expected| / size; absolute for terms below the dtype's smallest normal number, where
    rounding errors are absolute too. NaN for sides of different shapes.

    indices: the positions of the entries in the input, if only some are compared. textbook: returns the size of the
    terms that a textbook form sums beyond `size`; called only for an error above the tolerance. exact: whether
    `expected` is exact; else there is no plain error. unit: the factor by which the smallest normal number may have
    been multiplied.
    """
    floor = unit * rounding_floor(dtype)
    shapes = np.shape(got), np.shape(expected)
    if shapes[0] != shapes[1]:
        left, right = (float(next(iter(np.ravel(x)), math.nan)) for x in (got, expected))
        return Measurement(math.nan, (), left, right, math.nan, math.nan if exact else None)
    g, e, s = (_flatten(x, shapes[0]) for x in (got, expected, size))
    entries, sizes = np.abs(e).astype(np.float64, copy=False), _size(s, "abs_lower")
    finite = np.isfinite(g.astype(np.float64, copy=False)) & np.isfinite(entries) & np.isfinite(sizes)
    with np.errstate(all="ignore"):
        apart = _size(e - g, "abs_upper")
        apart = apart if finite.all() else np.where(finite, apart, math.nan)  # so that it never holds
        errors = apart / (sizes + floor)
    at = int(np.argmax(errors))  # argmax returns the index of a NaN, if there is one
    error = least = float(errors[at])
    if textbook is not None and not error <= tolerance:
        with np.errstate(all="ignore"):
            least = float(np.max(apart / (sizes + _flatten(textbook(), shapes[0]) + floor)))
    plain = float(np.max(apart) / (np.max(entries) + floor)) if exact else None
    entry = indices[at] if indices else tuple(int(i) for i in np.unravel_index(at, shapes[0]))
    return Measurement(error, entry, float(g[at]), float(e[at]), least, plain)


def _flatten(x: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Repeat x to a shape and list its entries, in float64; Arb balls stay objects, since the reported error is the
    upper end of |difference|."""
    x = np.asarray(x)
    x = x if x.dtype == object else x.astype(np.float64, copy=False)
    return np.ravel(x if x.shape == shape else np.broadcast_to(x, shape))


@cache
def rounding_floor(dtype: np.dtype) -> float:
    """Return a lower bound for the terms' size, since tolerances are absolute below the smallest normal
    number.
    """
    limits = np.finfo(dtype)
    return float(limits.smallest_normal) / (ROUNDING * float(limits.eps))


def _size(numbers: np.ndarray, end: str) -> np.ndarray:
    """|x| of each number; for balls the lower or the upper bound, abs_lower or abs_upper."""
    if numbers.dtype != object:
        return np.abs(numbers)
    return np.array([float(getattr(ball, end)()) for ball in numbers], dtype=np.float64)
