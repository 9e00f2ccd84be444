"""Find the temperatures and alignments at which a loss loses digits.

Its value and gradient, in each dtype, are compared with the formula at 50 digits, at the inputs as rounded to the
dtype. Unavoidable error is not counted: cosines rounded to eps become logits rounded to eps/τ.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .digits import arb, many_digits
from .formula import Formula, phi
from .gradient import differentiate_formula, exact
from .heads import HEADS

TEMPERATURES = (1.0, 0.3, 0.1, 0.05, 0.02, 0.01, 0.003)
# noise of the second view
ALIGNMENTS = {"apart": 1.0, "near": 0.1, "aligned": 0.003}
# smallest normal
TINY = {"float64": 2.0**-1022, "float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}
EPS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
BROKEN = ("NaN", "inf", "NaN'")  # NaN': in the gradient
SLACK = 200  # roundings of a sum of ten products and a norm, at most


class Cell(NamedTuple):
    """One place of the grid · error: the larger relative error of value and gradient · came: the result if no digit
    is right ("NaN", "inf", "0") · explained: the tolerance.
    """

    dtype: str
    temperature: float
    alignment: str
    error: float
    came: str
    explained: float

    @property
    def exact(self) -> bool:
        return not self.came and self.error <= self.explained

    @property
    def digits(self) -> float:
        """Return the number of correct decimal digits."""
        if self.came:
            return 0.0
        return max(0.0, min(-math.log10(max(self.error, 1e-300)), -math.log10(EPS[self.dtype])))

    @property
    def shown(self) -> str:
        return self.came or f"{self.digits:.0f}"


class Asked(NamedTuple):
    """The result of a loss at one place: its value and gradient."""

    value: float
    gradient: Mapping[str, np.ndarray]


def example(world: str, alignment: float, dtype: str, unit: bool, size: int) -> dict[str, Any]:
    """Draw pairs in three dimensions, the views at that distance from each other, rounded to the dtype."""
    rng = np.random.default_rng(7)

    def rows(*shape: int) -> np.ndarray:
        x = rng.standard_normal((*shape, 3))
        return (
            x
            / np.linalg.norm(x, axis=-1, keepdims=True)
            * (1 if not unit else rng.uniform(0.5, 2, (*shape, 1)))
        )

    x = rows(size)
    y = x + alignment * rng.standard_normal(x.shape) * np.linalg.norm(x, axis=1, keepdims=True)
    arrays: dict[str, Any] = {"x": x, "y": y}
    if world == "classes":
        arrays = {"w": np.concatenate([x, y]), "labels": np.tile(np.arange(size), 2)}
    elif world.startswith("scores"):
        unit_rows = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, y)]
        order = np.arange(size)
        scores = unit_rows[0] @ unit_rows[1].T
        arrays = {"scores": scores, "positive": order}
        if world != "scores":
            first = np.zeros(size, dtype=int) if world == "scores, positive first" else order * 2 % (size + 1)
            wide = rng.uniform(-1, 0.5, (size, size + 1))
            wide[order, first] = np.diag(scores)
            arrays = {"scores": wide, "positive": first}
    elif world == "bank":
        bank = rows(size + 2)
        bank[:size] = y
        arrays = {"x": x, "bank": bank, "index": np.arange(size)}
    elif world == "classes of views":
        arrays["labels"] = np.arange(size)
    elif world == "queue":
        arrays["negatives"] = rows(size + 1)
    elif world in ("own", "one negative"):
        arrays["negatives"] = rows(size, 2 if world == "own" else 1)
    return {name: round_to(v, dtype) for name, v in arrays.items()}


def round_to(x: np.ndarray, dtype: str) -> np.ndarray:
    """Round to a dtype, and return float64."""
    if x.dtype.kind != "f":
        return x
    if dtype == "bfloat16":  # the upper half of a float32, rounded
        bits = x.astype(np.float32).view(np.uint32)
        return ((bits + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)
    return x.astype(dtype).astype(np.float64)


def cell(
    ask: Callable[[Mapping[str, Any]], Asked],
    formula: Formula,
    arrays: Mapping[str, Any],
    dtype: str,
    temperature: float,
    alignment: str,
    inverse: float,
    e: float,
    factor: float,
    count: float,
    shift: float,
) -> Cell:
    """Compare the loss with the formula at one place of the grid."""
    explained = SLACK * EPS[dtype] * max(1.0, abs(inverse), 1 / temperature)
    got = ask(arrays)
    if not math.isfinite(got.value):
        return Cell(
            dtype, temperature, alignment, math.inf, "NaN" if math.isnan(got.value) else "inf", explained
        )
    with many_digits():
        total = phi(formula, exact(arrays), arb(inverse), arb(e))
        right = float(arb(factor) * total / arb(count) + arb(shift))
    error = abs(got.value - right) / abs(right) if right else 0.0
    if abs(right) < 1e3 * TINY[dtype]:
        error = 0.0  # not a normal number of that dtype, or a sum of subnormal numbers
    elif got.value == 0:
        return Cell(dtype, temperature, alignment, 1.0, "0", explained)
    if got.gradient:
        slopes = differentiate_formula(formula, arrays, inverse, e, factor / count)
        for name in got.gradient:
            slope = slopes[name]
            if not np.all(np.isfinite(got.gradient[name])):
                return Cell(dtype, temperature, alignment, math.inf, "NaN'", explained)
            size = float(np.max(np.abs(slope)))
            if size > TINY[dtype]:
                error = max(error, float(np.max(np.abs(got.gradient[name] - slope))) / size)
    return Cell(dtype, temperature, alignment, error, "", explained)


def advise(cells: Iterable[Cell], head: str) -> str:
    """Say in a sentence what to change; "" if nothing."""
    bad = [c for c in cells if not c.exact]
    if not bad:
        return ""
    broken = [c for c in bad if c.came in BROKEN]
    base = HEADS[head].base
    if base == "sigmoid":
        return "take softplus(x) for log(1 + e^x): e^x overflows, and e^x below eps is lost beside 1 [S1]"
    aligned = any(c.alignment == "aligned" for c in broken)  # the positive's logit is the largest
    if broken and not aligned:
        return "take logsumexp less the positive's logit: P underflows to 0, and has no logarithm [S1]"
    if broken:
        return "subtract each row's largest logit before the exponential, or take logsumexp: e^{1/τ} overflows [S1]"
    if head == "pull":
        return "take the squared difference of the unit rows: 2 − 2 cos has no digits left near cos = 1"
    if head == "power":
        return (
            "take the difference of the rows before any square: ‖a‖² + ‖c‖² − 2 a·c has no digits left near 0"
        )
    if "hinge" in head:
        return "‖a − p‖² − ‖a − n‖² is (n − p)·(2a − p − n), which does not cancel as n nears p [M12]"
    if base != "cross-entropy" or HEADS[head].mistake:
        return ""
    return (
        "write each anchor's loss as softplus(logsumexp of the negatives − the positive), and 1 − P as the sum of "
        "the other probabilities: near 0 a difference of two logarithms has no digits left [S1, S2]"
    )
