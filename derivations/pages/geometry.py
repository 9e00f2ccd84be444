"""Reference forces for points on the sphere: each loss by its proved gradient, at 50 digits.

A batch is B pairs of points: i + B is the other view of point i, or its text. `assets/forces.js` computes the same
in a browser's floats, and the page shows no picture if the two differ. Three switches change which points a loss
sees; a card declares which switches its loss has. local: two ranks, each of which evaluates the loss on its own
points; the mean over ranks. mask: candidates of an anchor's own class are left out, by the statement with a mask.
queue: keys are constant, so their gradient is left out.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

import mpmath
import numpy as np
from sympy import Expr

from .. import losses
from ..prover.evaluate import evaluator
from ..symbols import i, j
from .points import DECLARED, HERE, Rows

Number = Any  # of mpmath


class Sized:
    """A number with the size of the terms that were summed to make it, at first its own. Sizes are added, too."""

    def __init__(self, value: Number, size: Number | None = None):
        self.value, self.size = value, abs(value) if size is None else size

    def __add__(self, other: Any) -> "Sized":
        more = other if isinstance(other, Sized) else Sized(other)
        return Sized(self.value + more.value, self.size + more.size)

    __radd__ = __add__

    def __mul__(self, factor: Number) -> "Sized":
        return Sized(factor * self.value, abs(factor) * self.size)

    __rmul__ = __mul__

    def __neg__(self) -> "Sized":
        return -1 * self

    def __sub__(self, other: Any) -> "Sized":
        return self + -1 * other

    def __rsub__(self, other: Any) -> "Sized":
        return other + -self


def compute(loss: str, points: Any, **settings: Any) -> dict[str, Any]:
    """Return the loss of the normalised points, the force on each, and the matrices of the loss; all `Sized`."""
    unit = np.array([[x / mpmath.norm(row) for x in row] for row in points], object)
    found = _compute(loss, unit, settings)
    if weight := settings.get("uniformity"):
        at_t_2 = {"temperature": mpmath.mpf(1) / 4, "local": settings.get("local")}
        parts = _compute("uniformity", unit, at_t_2)
        found |= {name: found[name] + weight * parts[name] for name in ("loss", "forces")}
    return found


def _compute(loss: str, unit: np.ndarray, settings: Mapping[str, Any]) -> dict[str, Any]:
    if settings.get("local"):
        return _compute_by_ranks(loss, unit, settings)
    count, declared = len(unit), DECLARED[loss]
    rows = declared.inputs(count, settings)
    held = tuple(rows)[1:] if settings.get("queue") else ()
    value, pulls, evaluate = differentiate(loss, unit, rows, declared.arguments(count, settings), held)
    along = np.sum(unit * pulls, axis=1, keepdims=True)
    found = {"loss": value, "forces": pulls - unit * along}  # (I − z zᵀ) times the pull [D2.11]
    slopes = declared.slopes_held if settings.get("held") else declared.slopes
    for name, blocks in (("shares", declared.shares), ("gradient", slopes)):
        if blocks:
            runs = [evaluate(HERE.read(block)) for block in blocks]
            found[name] = _matrix(runs, count, one_set=len(rows) == 1)
    return found


def differentiate(
    loss: str, unit: Any, rows: Rows, options: Mapping[str, Any], held: tuple[str, ...]
) -> tuple[Sized, np.ndarray, Callable[[Expr], Callable[[Any], Sized]]]:
    """Return the loss, the pull on each point (without that of the held inputs), and a function that
    evaluates expressions in the names of the statement.
    """
    points = np.array(unit, object)
    places = {name: np.array(of) for name, of in rows.items()}
    arguments = {name: points[of].tolist() for name, of in places.items()} | dict(options)
    statement = losses.statement(loss, arguments)
    environment = statement.environment(**arguments)
    pulls = np.frompyfunc(lambda _: Sized(0), 1, 1)(points)
    for name in places.keys() - held:
        gradient = statement.gradients[name]
        run = evaluator(gradient.form, environment, names=gradient.names)
        for place, point in np.ndenumerate(places[name]):
            for f in range(points.shape[1]):
                pulls[point, f] -= Sized(*run(dict(zip(gradient.indices, (*place, f), strict=True))))

    def evaluate(expression: Expr) -> Callable[[Any], Sized]:
        run = evaluator(expression, environment, names=statement.names)
        return lambda at: Sized(*run(at))

    return evaluate(statement.form)({}), pulls, evaluate


def _compute_by_ranks(loss: str, unit: np.ndarray, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Compute with two ranks: each has half of the pairs and sees no others; return the mean over ranks."""
    count, pairs, half = len(unit), len(unit) // 2, mpmath.mpf(1) / 2
    found: dict[str, Any] = {"loss": 0, "forces": np.zeros(unit.shape, object)}
    for rank in (range(pairs // 2), range(pairs // 2, pairs)):
        rows = [*rank, *(row + pairs for row in rank)]
        part = _compute(loss, unit[rows], {**settings, "local": False})
        found["loss"] += half * part["loss"]
        found["forces"][rows] += half * part["forces"]
        for name, weight in (("shares", 1), ("gradient", half)):
            if name in part:
                full = found.setdefault(name, np.zeros((count, count), object))
                full[np.ix_(rows, rows)] += weight * part[name]
    return found


def _matrix(blocks: list[Callable[[Any], Sized]], count: int, *, one_set: bool) -> np.ndarray:
    """Evaluate all rows against all; for two views only the blocks of one view against the other, with 0
    elsewhere.
    """
    full = np.zeros((count, count), object)
    size = count if one_set else count // 2
    for back, run in enumerate(blocks):
        for row, column in product(range(size), repeat=2):
            at = (row, column) if one_set else (row + back * size, column + (1 - back) * size)
            full[at] = run({i: row, j: column})
    return full


_SPREAD = [[9, 3, -2], [-4, 8, 5], [2, -5, 9], [7, 6, 1], [-8, 3, 4], [1, -9, 3]]
_PLANE = [[8, 6], [-2, 9], [-7, -5], [9, -1], [1, 10], [-9, -3]]


def _points() -> Iterator[dict[str, Any]]:
    """Yield the points of comparison: every loss on the sphere, and its other options in the plane."""
    for loss, declared in DECLARED.items():
        for places, setting in zip((_SPREAD, _PLANE), declared.compared, strict=False):
            yield {"loss": loss, "points": places} | setting


# Four pairs, so that each of two ranks has negatives; two classes with two pairs each.
_RANKS = [[9, 3, -2], [-4, 8, 5], [2, -5, 9], [-6, -7, 3], [7, 6, 1], [-8, 3, 4], [1, -9, 3], [-9, -2, 5]]


def _switched() -> Iterator[dict[str, Any]]:
    """Yield the points of comparison with switches: every combination of the switches of every loss."""
    for loss, declared in DECLARED.items():
        for size in range(1, len(declared.switches) + 1):
            for on in combinations(declared.switches, size):
                setting = declared.compared[-1] | ({"classes": 2} if "mask" in on else {})
                yield {"loss": loss, "points": _RANKS} | setting | dict.fromkeys(on, True)


POINTS = tuple(_points())
SWITCHED = tuple(_switched())
