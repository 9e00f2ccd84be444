"""What points on the sphere must feel: the force of each loss on every point, by its proved gradient, at 50 digits.

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


def taken(points: Any, rows: Any) -> list[Any]:
    """The points of these numbers, nested as the numbers are."""
    return [points[row] if isinstance(row, int) else taken(points, row) for row in rows]


def places(rows: Any, *before: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each index of an input's rows, and the point that stands there."""
    for place, row in enumerate(rows):
        yield from [((*before, place), row)] if isinstance(row, int) else places(row, *before, place)


def compute(loss: str, points: Any, **settings: Any) -> dict[str, Pairs]:
    """The loss of the points, each divided by its length, the force on each, and the matrices of the loss."""
    unit = [[x / mpmath.norm(row) for x in row] for row in points]
    found = _of(loss, unit, settings)
    if settings.get("uniformity"):
        parts, weight = (
            _of("uniformity", unit, {"temperature": mpmath.mpf(1) / 4}),
            settings["uniformity"],
        )  # t = 2
        for name in ("loss", "forces"):
            found[name] = _added(found[name], parts[name], weight)
    return {name: _rounded(pairs) for name, pairs in found.items()}


def _of(loss: str, unit: Any, settings: Mapping[str, Any]) -> dict[str, Pairs]:
    count, features = len(unit), range(len(unit[0]))
    declared = points()[loss]
    rows = declared.inputs(count, settings)
    arguments = {name: taken(unit, of) for name, of in rows.items()} | declared.arguments(count, settings)
    statement = losses.statement(loss, arguments)
    environment = statement.bind(**arguments)
    pulls: Pairs = [[[0, 0] for _ in features] for _ in unit]
    for name, of in rows.items():
        gradient = statement.gradients[name]
        run = evaluator(gradient.form, environment, names=gradient.names)
        for place, point in places(of):
            for f in features:
                value, size = run(dict(zip(gradient.indices, (*place, f), strict=True)))
                pulls[point][f] = _added(pulls[point][f], [value, size], -1)
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
    """(I − z zᵀ) of the pull [D2.11]."""
    along = [sum(x * part[0] for x, part in zip(z, pull, strict=True))]
    along += [sum(abs(x) * part[1] for x, part in zip(z, pull, strict=True))]
    return [[part[0] - x * along[0], part[1] + abs(x) * along[1]] for x, part in zip(z, pull, strict=True)]


def _matrix(blocks: list[Callable[[Any], Any]], count: int, *, one_set: bool) -> Pairs:
    """All rows against all; of two views the blocks in which they meet, 0 elsewhere."""
    full: Pairs = [[[0, 0] for _ in range(count)] for _ in range(count)]
    size = count if one_set else count // 2
    for back, run in enumerate(blocks):
        for row, column in product(range(size), repeat=2):
            at = (row, column) if one_set else (row + back * size, column + (1 - back) * size)
            full[at[0]][at[1]] = list(run({i: row, j: column}))
    return full


def _added(to: Pairs, more: Pairs, weight: Number) -> Pairs:
    """to + weight · more, and the sizes likewise."""
    if isinstance(to[0], list):
        return [_added(*each, weight) for each in zip(to, more, strict=True)]
    return [to[0] + weight * more[0], to[1] + abs(weight) * more[1]]


def _rounded(pairs: Pairs) -> Pairs:
    """The numbers as floats, the sizes to three digits, for there they suffice."""
    if isinstance(pairs[0], list):
        return [_rounded(pair) for pair in pairs]
    return [float(pairs[0]), float(f"{float(pairs[1]):.2e}")]


_SPREAD = [[9, 3, -2], [-4, 8, 5], [2, -5, 9], [7, 6, 1], [-8, 3, 4], [1, -9, 3]]
_PLANE = [[8, 6], [-2, 9], [-7, -5], [9, -1], [1, 10], [-9, -3]]


def _points() -> Iterator[dict[str, Any]]:
    """Where the page compares: every loss on the sphere, and with its other options in the plane."""
    for loss, declared in points().items():
        for places, setting in zip((_SPREAD, _PLANE), declared.compared, strict=False):
            yield {"loss": loss, "points": places} | setting


POINTS = tuple(_points())
