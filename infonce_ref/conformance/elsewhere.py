"""Check the formula that was found at other inputs: odd batches, more than 64 rows of 64 features, more than 1,024
features, in another dtype, in another order in memory.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..targets import describe_error
from . import inputs, names
from .asking import Way, coarser, measure_precision
from .formula import places_of, similarities, total
from .gradient import distance
from .identification import SIZES, TOLERANCES, Nearest
from .names import Found
from .verdicts import Record, record

LARGE = (67, 64)
BATCHES = ((5, 5), (32, 5), LARGE, (8, 1031))  # pairs, features; a prime, which no fixed number divides
DTYPES = ("float64", "float32")  # in which a loss is the same but for rounding
PART = 0.02  # relative: half precision in a part of the loss changes an ordinary value by less
REASON = "rounding of the dtype in which the loss computes, times what cancels at the probes"
SINGLE = 3e-7  # relative: what a constant in float32 explains
SLOPE = 1e-5  # relative error of a central difference of the formula, from truncation and rounding


def draw_points(way: Way, size: int, features: int) -> Sequence[inputs.Arrays]:
    """Draw two points: rows far apart, and rows close together with other labels or indices, if there are any."""
    even = way.name == "views of classes" or way.name.startswith("predictions")
    apart, close = inputs.points(way.world, size + size % 2 * even, each=1, features=features)[::2]
    return apart, inputs.relabel(way.world, close)


def predict(found: Found, arrays: inputs.Arrays, weighed_at: inputs.Arrays | None = None) -> float:
    """The value of the formula at these arrays; weighed_at: the arrays from which constant weights are computed."""
    factor, count, shift = names.find_scaling(found, arrays)
    formula, where = found.formula, places_of(found.formula, arrays)
    s = similarities(formula, arrays, arrays)
    held = None if weighed_at is None else similarities(formula, weighed_at, weighed_at)
    return (
        factor
        * float(total(formula, s, where, names.find_inverse(found, arrays), found.second or 0.0, held))
        / count
        + shift
    )


def judge_batches(nearest: Nearest, claimed: bool) -> list[Record]:
    """Compare the loss with the formula found at other batches; a batch that it refuses is noted."""
    found, way = nearest.found, nearest.way
    if found is None or found.reduction.law == "unknown":
        return []
    tolerance = tolerance_of(nearest)
    records = []
    for size, features in BATCHES:
        if features > 1000 and "columns" in found.formula.rows:
            continue  # of a million pairs of features
        with noting_refusal(way, words(size, features)):
            points = map(way.keep_finite, draw_points(way, size, features))
            values, right = zip(*((way.value(at), predict(found, at)) for at in points))
            first, second = map(measure_error, values, right)
            constant = values[0] - right[0]
            apart = measure_error(values[1], right[1] + constant)
            if not claimed and apart <= tolerance < max(first, second):  # without a gradient
                way.session.notes["the constant added depends on the number of pairs"] = None
                first, second = 0.0, apart
            told = f"the same formula at {words(size, features)}"
            if first <= tolerance < second and inputs.are_labelled(way.world):
                told += " once the labels change, as if it kept those of the first batch"
            records.append(record(f"formula at {size}", max(first, second), tolerance, told, REASON))
    return records


def compare_dtypes(
    nearest: Nearest, ask: Callable[[Way], np.ndarray], right: np.ndarray, part: float
) -> Iterator[tuple[str, float, float]]:
    """Yield the other dtype, the error of `ask` in it, and the tolerance: `part`, or more if all of it computes
    in half precision there. The numerics report a dtype that the loss refuses, or where it overflows.
    """
    way = nearest.way
    for dtype in DTYPES:
        if dtype == way.session.dtype:
            continue
        try:
            there = way.given({}, dtype)
            error = distance(ask(there), right)
            if error > part:
                part = max(part, 100 * TOLERANCES[coarser(nearest.precision, measure_precision(there))])
        except Exception:
            continue
        if np.isfinite(error):
            yield dtype, error, part


def judge_dtypes(nearest: Nearest) -> Iterator[Record]:
    """Compare the loss in another dtype with the formula found."""
    found = nearest.found
    if found is None or found.reduction.law == "unknown":
        return
    many = inputs.points(nearest.way.world, SIZES[0], each=1)
    right = np.array([predict(found, arrays) for arrays in many])

    def ask(way: Way) -> np.ndarray:
        return np.array([way.value(arrays) for arrays in many])

    for dtype, error, tolerance in compare_dtypes(nearest, ask, right, max(PART, 100 * found.residual)):
        yield record(f"formula in {dtype}", error, tolerance, f"the same formula in {dtype}", REASON)


def find_other_losses(nearest: Nearest) -> list[str]:
    """The dtypes in which it is another loss."""
    return [r.check.removeprefix("formula in ") for r in judge_dtypes(nearest) if not r.good]


def judge_layout(nearest: Nearest) -> Iterator[Record]:
    """Compare the value with that of the same arrays column by column in memory, which a loss may refuse."""
    way, session = nearest.way, nearest.way.session
    if nearest.found is None or session.library == "jax":
        return
    arrays = inputs.points(way.world, SIZES[0])[0]
    here, where = way.value(arrays), "arrays that lie column by column in memory"
    with noting_refusal(way, where):
        session.transposed = True
        try:
            error = measure_error(way.value(arrays), here)
        finally:
            session.transposed = False
        tolerance = 100 * TOLERANCES[nearest.precision]
        yield record("formula by columns", error, tolerance, f"the same formula at {where}", REASON)


def words(size: int, features: int) -> str:
    return f"{size} pairs of {features} features"


def tolerance_of(nearest: Nearest) -> float:
    return max(
        SINGLE, 100 * TOLERANCES[nearest.precision], 100 * (nearest.found.residual if nearest.found else 0)
    )


def differentiate_along(
    found: Found, arrays: inputs.Arrays, along: inputs.Arrays, step: float, weighed_at: inputs.Arrays | None
) -> float:
    """The slope of the formula in a direction, by a central difference."""
    ahead, behind = (
        predict(found, {**arrays, **{n: arrays[n] + sign * step * x for n, x in along.items()}}, weighed_at)
        for sign in (1, -1)
    )
    return (ahead - behind) / (2 * step)


def measure_error(value: float, right: float) -> float:
    """How far a value is from the right one, relative to one more than its size."""
    return abs(value - right) / (abs(right) + 1)


@contextlib.contextmanager
def noting_refusal(way: Way, where: str) -> Iterator[None]:
    """Report inputs that the loss does not take, and leave the block."""
    try:
        yield
    except Exception as error:
        way.session.notes[f"not asked with {where}: it raises {describe_error(error)}"] = None


def judge_slopes(nearest: Nearest, live: tuple[str, ...], held: bool = False) -> Record | None:
    """Compare the gradient with the formula's along one direction at the largest batch; None if the loss does
    not run there. live: the arrays that the gradient reaches · held: whether weights are constant.
    """
    found, way = nearest.found, nearest.way
    if found is None or found.reduction.law == "unknown" or not live:
        return None
    size, features = LARGE
    try:
        arrays = way.keep_finite(draw_points(way, size, features)[0])
        own = way.gradient(arrays) or {}
    except Exception:  # reported with the values
        return None
    rng = np.random.default_rng(6)
    along = {name: rng.standard_normal(arrays[name].shape) for name in live}
    right, near = (
        differentiate_along(found, arrays, along, step, arrays if held else None) for step in (1e-4, 1e-5)
    )
    tolerance = max(SLOPE, 100 * TOLERANCES[nearest.precision], 100 * found.residual)
    size_of = np.sqrt(sum(float(np.sum(own[n] ** 2)) for n in live)) + abs(right)
    if abs(right - near) > tolerance * size_of:
        return None  # a threshold or a kink lies between
    error = abs(sum(float(np.sum(own[n] * along[n])) for n in live) - right) / (size_of or 1.0)
    told = f"the slope of the formula at {words(size, features)}"
    return record(f"gradient at {size}", error, tolerance, told, "a central difference of the formula")
