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
from sympy import Expr

from .. import losses
from ..prover.evaluate import evaluator
from ..symbols import i, j
from .points import DECLARED, HERE, Rows

Number = Any  # of mpmath
Pairs = Any  # (number, size of the terms that were summed to make it), or lists of such, or of these


def take(points: Any, rows: Any) -> list[Any]:
    """Return the points with these indices, nested like the indices."""
    return [points[row] if isinstance(row, int) else take(points, row) for row in rows]


def places(rows: Any, *before: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each index into an input's rows, and the point there."""
    for place, row in enumerate(rows):
        yield from [((*before, place), row)] if isinstance(row, int) else places(row, *before, place)


def compute(loss: str, points: Any, **settings: Any) -> dict[str, Pairs]:
    """Return the loss of the normalised points, the force on each, and the matrices of the loss."""
    unit = [[x / mpmath.norm(row) for x in row] for row in points]
    found = _compute(loss, unit, settings)
    if settings.get("uniformity"):
        at_t_2 = {"temperature": mpmath.mpf(1) / 4, "local": settings.get("local")}
        parts, weight = _compute("uniformity", unit, at_t_2), settings["uniformity"]
        for name in ("loss", "forces"):
            found[name] = _add(found[name], parts[name], weight)
    return found


def _compute(loss: str, unit: Any, settings: Mapping[str, Any]) -> dict[str, Pairs]:
    if settings.get("local"):
        return _compute_by_ranks(loss, unit, settings)
    count = len(unit)
    declared = DECLARED[loss]
    rows = declared.inputs(count, settings)
    held = declared.keys if settings.get("queue") else ()
    value, pulls, evaluate = differentiate(loss, unit, rows, declared.arguments(count, settings), held)
    found: dict[str, Pairs] = {"loss": value}
    found["forces"] = [_along_the_sphere(z, pull) for z, pull in zip(unit, pulls, strict=True)]
    slopes = declared.slopes_held if settings.get("held") else declared.slopes
    for name, blocks in (("shares", declared.shares), ("gradient", slopes)):
        if blocks:
            found[name] = _matrix(
                [evaluate(HERE.read(block)) for block in blocks], count, one_set=len(rows) == 1
            )
    return found


def differentiate(
    loss: str, unit: Any, rows: Rows, options: Mapping[str, Any], held: tuple[str, ...]
) -> tuple[Pairs, Pairs, Callable[[Expr], Callable[[Any], Any]]]:
    """Return the loss, the pull on each point (without that of the held inputs), and a function that
    evaluates expressions in the names of the statement.
    """
    features = range(len(unit[0]))
    arguments = {name: take(unit, of) for name, of in rows.items()} | dict(options)
    statement = losses.statement(loss, arguments)
    environment = statement.bind(**arguments)
    pulls: Pairs = _zeros(len(unit), len(features))
    for name, of in rows.items():
        if name in held:
            continue
        gradient = statement.gradients[name]
        run = evaluator(gradient.form, environment, names=gradient.names)
        for place, point in places(of):
            for f in features:
                value, size = run(dict(zip(gradient.indices, (*place, f), strict=True)))
                pulls[point][f] = _add(pulls[point][f], (value, size), -1)

    def evaluate(expression: Expr) -> Callable[[Any], Any]:
        return evaluator(expression, environment, names=statement.names)

    return evaluate(statement.form)({}), pulls, evaluate


def _compute_by_ranks(loss: str, unit: Any, settings: Mapping[str, Any]) -> dict[str, Pairs]:
    """Compute with two ranks: each has half of the pairs and sees no others; return the mean over ranks."""
    count, pairs = len(unit), len(unit) // 2
    found: dict[str, Pairs] = {"loss": (0, 0), "forces": _zeros(count, len(unit[0]))}
    for rank in (range(pairs // 2), range(pairs // 2, pairs)):
        rows = [*rank, *(row + pairs for row in rank)]
        part = _compute(loss, take(unit, rows), {**settings, "local": False})
        found["loss"] = _add(found["loss"], part["loss"], mpmath.mpf(1) / 2)
        for row, force in zip(rows, part["forces"], strict=True):
            found["forces"][row] = _add(found["forces"][row], force, mpmath.mpf(1) / 2)
        for name, weight in (("shares", 1), ("gradient", mpmath.mpf(1) / 2)):
            if name in part:
                full: Pairs = found.setdefault(name, _zeros(count, count))
                for x, y in product(range(len(rows)), repeat=2):
                    full[rows[x]][rows[y]] = _add((0, 0), part[name][x][y], weight)
    return found


def _zeros(rows: int, columns: int) -> Pairs:
    return [[(0, 0)] * columns for _ in range(rows)]


def _along_the_sphere(z: list[Number], pull: Pairs) -> Pairs:
    """Apply I − z zᵀ to the pull [D2.11]."""
    along = [sum(x * part[0] for x, part in zip(z, pull, strict=True))]
    along += [sum(abs(x) * part[1] for x, part in zip(z, pull, strict=True))]
    return [(part[0] - x * along[0], part[1] + abs(x) * along[1]) for x, part in zip(z, pull, strict=True)]


def _matrix(blocks: list[Callable[[Any], Any]], count: int, *, one_set: bool) -> Pairs:
    """Evaluate all rows against all; for two views only the blocks of one view against the other, with 0
    elsewhere.
    """
    full: Pairs = _zeros(count, count)
    size = count if one_set else count // 2
    for back, run in enumerate(blocks):
        for row, column in product(range(size), repeat=2):
            at = (row, column) if one_set else (row + back * size, column + (1 - back) * size)
            full[at[0]][at[1]] = run({i: row, j: column})
    return full


def _add(to: Pairs, more: Pairs, weight: Number) -> Pairs:
    """Return to + weight · more, with the sizes added likewise."""
    if isinstance(to, list):
        return [_add(*each, weight) for each in zip(to, more, strict=True)]
    return to[0] + weight * more[0], to[1] + abs(weight) * more[1]


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
