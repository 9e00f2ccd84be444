"""What points on the sphere must feel: the force of each loss on every point, by its proved gradient, at 50 digits.

A batch is B pairs of points: i + B is the other view of point i, or its text. `assets/forces.js` computes the same
in a browser's floats, and the page shows no picture where the two differ.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import mpmath
from sympy import Expr

from .. import losses
from ..losses import dhn_nce
from ..prover.evaluate import evaluator
from ..prover.notation import one_if
from ..symbols import B, G, P, Q, Q_back, chance, closeness, columns, i, j, nu, sharpness, tau

Number = Any  # of mpmath
Pairs = Any  # [number, size of the terms that were summed to make it], or lists of such, or of these


def _one_set(count: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"w": range(count)}


def _two_views(first: str, second: str) -> Callable[[int, Mapping[str, Any]], dict[str, Any]]:
    return lambda count, settings: {first: range(count // 2), second: range(count // 2, count)}


def _alignment(count: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    if settings.get("chain"):
        return {"z1": range(count), "z2": [(row + 1) % count for row in range(count)]}
    return _two_views("z1", "z2")(count, settings)


def _query_key(count: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    keys = range(count // 2, count)
    others = [[key for key in keys if key != own] for own in keys]
    return {"query": range(count // 2), "positive": keys, "negatives": others}


def _triplet(count: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    pairs = count // 2
    chosen = [(row, other) for row, other in product(range(pairs), repeat=2) if row != other]
    return {
        "anchor": [row for row, _ in chosen],
        "positive": [row + pairs for row, _ in chosen],
        "negative": [other + pairs for _, other in chosen],
    }


# loss → the points that are the rows of its inputs
INPUTS: dict[str, Callable[[int, Mapping[str, Any]], dict[str, Any]]] = {
    "ntxent": _one_set,
    "infonce": lambda count, settings: {"z": range(count)},
    "dcl": _one_set,
    "query_key": _query_key,
    "clip": _two_views("image", "text"),
    "dhn_nce": _two_views("image", "text"),
    "hard_negative": _one_set,
    "supcon": _one_set,
    "siglip": _two_views("image", "text"),
    "spectral": _two_views("z1", "z2"),
    "triplet": _triplet,
    "alignment": _alignment,
    "uniformity": lambda count, settings: {"z": range(count)},
}


def options(loss: str, count: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The page's settings of a loss as the library's own."""
    given = {name: settings[name] for name in ("temperature", "prior", "bias", "margin") if name in settings}
    match loss:
        case "hard_negative":
            given["beta"] = settings["beta"]
        case "dhn_nce":
            weights = "constant" if settings["held"] else "differentiated"
            given |= {"beta1": settings["beta"], "beta2": settings["beta"]}
            given |= {"weights": weights, "reduction": "mean"}
        case "supcon":
            given["labels"] = [row % (count // 2) % settings["classes"] for row in range(count)]
            given["form"] = "in" if settings["inside"] else "out"
        case "alignment":
            return {"exponent": 2}
        case "uniformity":
            return {"t": 1 / (2 * settings["temperature"])}
    return given


def taken(points: Any, rows: Any) -> list[Any]:
    """The points of these numbers, nested as the numbers are."""
    return [points[row] if isinstance(row, int) else taken(points, row) for row in rows]


def places(rows: Any, *before: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each index of an input's rows, and the point that stands there."""
    for place, row in enumerate(rows):
        yield from [((*before, place), row)] if isinstance(row, int) else places(row, *before, place)


# loss → by what an anchor compares its candidates; what it gives back to each similarity. Of two views the first
# asks the second and, where there are two expressions, the second the first.
_IN_ONE_SET = ("ntxent", "infonce", "dcl", "hard_negative", "supcon")
_PAIR = one_if(i, j)
SHARES: dict[str, tuple[Expr, ...]] = {
    **dict.fromkeys(_IN_ONE_SET, (P[i, j],)),
    "clip": (P[i, j], columns[j, i]),
    "dhn_nce": (Q[i, j], Q_back[i, j]),
    "siglip": (chance[i, j],),
    "uniformity": (closeness[i, j],),
}
SLOPES: dict[str, tuple[Expr, ...]] = {
    **dict.fromkeys((*_IN_ONE_SET, "siglip"), (G[i, j] / (nu * tau),)),
    "clip": ((P[i, j] - _PAIR) / (2 * B * tau), (columns[j, i] - _PAIR) / (2 * B * tau)),
    "spectral": (G[i, j] / nu,),
    "uniformity": (2 * sharpness * closeness[i, j],),
}
SLOPES_OF_WEIGHTS = {  # DHN-NCE, its weights held constant or not
    True: ((Q[i, j] - _PAIR) / (nu * tau), (Q_back[i, j] - _PAIR) / (nu * tau)),
    False: ((dhn_nce.forth(i, j) - _PAIR) / (nu * tau), (dhn_nce.back(i, j) - _PAIR) / (nu * tau)),
}


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


def _of(loss: str, points: Any, settings: Mapping[str, Any]) -> dict[str, Pairs]:
    count, features = len(points), range(len(points[0]))
    rows = INPUTS[loss](count, settings)
    arguments = {name: taken(points, of) for name, of in rows.items()} | options(loss, count, settings)
    statement = losses.statement(loss, arguments)
    environment = statement.bind(**arguments)
    pulls: Pairs = [[[0, 0] for _ in features] for _ in points]
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
    found["forces"] = [_along_the_sphere(z, pull) for z, pull in zip(points, pulls, strict=True)]
    slopes = SLOPES_OF_WEIGHTS[settings["held"]] if loss == "dhn_nce" else SLOPES.get(loss)
    for name, blocks in (("shares", SHARES.get(loss)), ("gradient", slopes)):
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
    of: dict[str, tuple[dict[str, Any], ...]] = {
        **dict.fromkeys(
            ("ntxent", "infonce", "dcl", "query_key", "clip", "uniformity"), ({"temperature": 0.2},)
        ),
        "dhn_nce": (
            {"temperature": 0.5, "beta": 1.5, "held": False},
            {"temperature": 0.2, "beta": 0.5, "held": True},
        ),
        "hard_negative": (
            {"temperature": 0.5, "beta": 1.0, "prior": 0.1},
            {"temperature": 0.25, "beta": 0.0, "prior": 0.25},
        ),
        "supcon": (
            {"temperature": 0.2, "classes": 2, "inside": False},
            {"temperature": 0.5, "classes": 2, "inside": True},
        ),
        "siglip": ({"temperature": 0.1, "bias": -2.0},),
        "spectral": ({},),
        "triplet": ({"margin": 1.5},),
        "alignment": (
            {"uniformity": 0.5, "chain": True},
            {"uniformity": 0.0, "chain": False},
        ),
    }
    for loss, settings in of.items():
        for points, setting in zip((_SPREAD, _PLANE), settings, strict=False):
            yield {"loss": loss, "points": points} | setting


POINTS = tuple(_points())
