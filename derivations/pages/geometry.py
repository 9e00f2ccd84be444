"""Reference forces for points on the sphere: each loss by its proved gradient, at 50 digits.

A batch is B pairs of points: i + B is the other view of point i, or its text. `assets/forces.js` computes the same
in a browser's floats, and the page shows no picture where the two differ.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import mpmath

from .. import losses
from ..prover.evaluate import evaluator
from ..symbols import i, j
from .cards import points

Number = Any  # of mpmath
Pairs = Any  # [number, size of the terms that were summed to make it], or lists of such, or of these


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
        parts, weight = (
            _compute("uniformity", unit, {"temperature": mpmath.mpf(1) / 4}),
            settings["uniformity"],
        )  # t = 2
        for name in ("loss", "forces"):
            found[name] = _add(found[name], parts[name], weight)
    return {name: _round(pairs) for name, pairs in found.items()}


def _compute(loss: str, unit: Any, settings: Mapping[str, Any]) -> dict[str, Pairs]:
    count, features = len(unit), range(len(unit[0]))
    declared = points()[loss]
    rows = declared.inputs(count, settings)
    arguments = {name: take(unit, of) for name, of in rows.items()} | declared.arguments(count, settings)
    statement = losses.statement(loss, arguments)
    environment = statement.bind(**arguments)
    pulls: Pairs = [[[0, 0] for _ in features] for _ in unit]
    for name, of in rows.items():
        gradient = statement.gradients[name]
        run = evaluator(gradient.form, environment, names=gradient.names)
        for place, point in places(of):
            for f in features:
                value, size = run(dict(zip(gradient.indices, (*place, f), strict=True)))
                pulls[point][f] = _add(pulls[point][f], [value, size], -1)
    found: dict[str, Pairs] = {
        "loss": list(evaluator(statement.form, environment, names=statement.names)({}))
    }
    found["forces"] = [_along_the_sphere(z, pull) for z, pull in zip(unit, pulls, strict=True)]
    for name, blocks in (("shares", declared.shares(settings)), ("gradient", declared.slopes(settings))):
        if blocks:
            run_blocks = [evaluator(block, environment, names=statement.names) for block in blocks]
            found[name] = _matrix(run_blocks, count, one_set=len(rows) == 1)
    return found


def _along_the_sphere(z: list[Number], pull: Pairs) -> Pairs:
    """Apply I − z zᵀ to the pull [D2.11]."""
    along = [sum(x * part[0] for x, part in zip(z, pull, strict=True))]
    along += [sum(abs(x) * part[1] for x, part in zip(z, pull, strict=True))]
    return [[part[0] - x * along[0], part[1] + abs(x) * along[1]] for x, part in zip(z, pull, strict=True)]


def _matrix(blocks: list[Callable[[Any], Any]], count: int, *, one_set: bool) -> Pairs:
    """Evaluate all rows against all; for two views only the blocks in which they meet, 0 elsewhere."""
    full: Pairs = [[[0, 0] for _ in range(count)] for _ in range(count)]
    size = count if one_set else count // 2
    for back, run in enumerate(blocks):
        for row, column in product(range(size), repeat=2):
            at = (row, column) if one_set else (row + back * size, column + (1 - back) * size)
            full[at[0]][at[1]] = list(run({i: row, j: column}))
    return full


def _add(to: Pairs, more: Pairs, weight: Number) -> Pairs:
    """Return to + weight · more, with sizes added likewise."""
    if isinstance(to[0], list):
        return [_add(*each, weight) for each in zip(to, more, strict=True)]
    return [to[0] + weight * more[0], to[1] + abs(weight) * more[1]]


def _round(pairs: Pairs) -> Pairs:
    """Return the numbers as floats, with sizes rounded to three digits."""
    if isinstance(pairs[0], list):
        return [_round(pair) for pair in pairs]
    return [float(pairs[0]), float(f"{float(pairs[1]):.2e}")]


_SPREAD = [[9, 3, -2], [-4, 8, 5], [2, -5, 9], [7, 6, 1], [-8, 3, 4], [1, -9, 3]]
_PLANE = [[8, 6], [-2, 9], [-7, -5], [9, -1], [1, 10], [-9, -3]]


def _points() -> Iterator[dict[str, Any]]:
    """Yield the points of comparison: every loss on the sphere, and its other options in the plane."""
    for loss, declared in points().items():
        for places, setting in zip((_SPREAD, _PLANE), declared.compared, strict=False):
            yield {"loss": loss, "points": places} | setting


POINTS = tuple(_points())
