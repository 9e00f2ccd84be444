"""Reference forces for points on the sphere: each loss by its proved gradient, at 50 digits.

A batch is B pairs of points: i + B is the other view of point i, or its text. `assets/forces.js` computes the same
in a browser's floats, and the page shows no picture if the two differ. Three switches change which points a loss
sees; a card declares which switches its loss has. local: two ranks, each of which evaluates the loss on its own
points; the mean over ranks. mask: candidates of an anchor's own class are left out, by the statement with a mask.
queue: keys are constant, so their gradient is left out.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any, NamedTuple

import mpmath
import numpy as np
from sympy import Expr

from .. import losses
from ..evidence.plain import given
from ..prover.evaluate import evaluator
from ..symbols import i, j

Number = Any  # of mpmath
# the notation of the matrices
HERE = given("i j < N; Σ_k < B; Σ_m < M")
Settings = Mapping[str, Any]  # settings of the page: temperature, classes, …
Rows = dict[str, Any]  # for each input, the points that are its rows


def one_set(name: str) -> Callable[[int, Settings], Rows]:
    """All points are rows of one input."""
    return lambda count, settings: {name: range(count)}


def two_views(first: str, second: str) -> Callable[[int, Settings], Rows]:
    """The first view's points are rows of one input, the second's of another."""
    return lambda count, settings: {first: range(count // 2), second: range(count // 2, count)}


class Points(NamedTuple):
    """The reference of one loss on the sphere; the browser has it in `assets/forces.js`.

    inputs: the points that are the rows of each input · compared: settings at which the page compares its numbers
    with Python's, on the sphere and then in the plane · switches: which points it sees, and which feel a force ·
    shares: the probabilities of an anchor's candidates · slopes: the derivative by each similarity; for two views
    with the first as anchors and, in a second expression, with the second · slopes_held: the same with weights held
    constant · options: the library's arguments, if they differ from the settings.
    """

    inputs: Callable[[int, Settings], Rows]
    compared: tuple[dict[str, Any], ...] = ({"temperature": 0.2},)
    switches: tuple[str, ...] = ("local",)
    shares: tuple[str, ...] = ("P[i,j]",)
    slopes: tuple[str, ...] = ("G[i,j]/(ν τ)",)
    slopes_held: tuple[str, ...] = ()
    options: Callable[[int, Settings], dict[str, Any]] | None = None

    def arguments(self, count: int, settings: Settings) -> dict[str, Any]:
        """Return the library's arguments except the rows; with a mask, no candidate is of its anchor's class."""
        options = self.options or (
            lambda count, settings: {name: settings[name] for name in self.compared[0]}
        )
        given = options(count, settings)
        if settings.get("mask"):
            classes = _classes(count, settings)
            anchors, *_, candidates = [*self.inputs(count, settings).values()] * 2
            given["keep"] = [[x == y or classes[x] != classes[y] for y in candidates] for x in anchors]
        return given


def _classes(count: int, settings: Settings) -> list[int]:
    return [row % (count // 2) % settings["classes"] for row in range(count)]


def _rows_of_alignment(count: int, settings: Settings) -> Rows:
    """Return the two views, or a chain in which each point's partner is the next one."""
    if settings.get("chain"):
        return {"z1": range(count), "z2": [(row + 1) % count for row in range(count)]}
    return two_views("z1", "z2")(count, settings)


def _options_of_dhn_nce(count: int, settings: Settings) -> dict[str, Any]:
    weights = "constant" if settings["held"] else "differentiated"
    given = {"temperature": settings["temperature"], "beta1": settings["beta"], "beta2": settings["beta"]}
    return given | {"weights": weights, "reduction": "mean"}


def _options_of_query_key(count: int, settings: Settings) -> dict[str, Any]:
    """A query's negatives are the keys of the others."""
    pairs = range(count // 2)
    return {"temperature": settings["temperature"], "keep": [[x != y for y in pairs] for x in pairs]}


def _rows_of_query_key(count: int, settings: Settings) -> Rows:
    keys = range(count // 2, count)
    return {"query": range(count // 2), "positive": keys, "negatives": keys}


def _options_of_supcon(count: int, settings: Settings) -> dict[str, Any]:
    form = "in" if settings["inside"] else "out"
    return {"temperature": settings["temperature"], "labels": _classes(count, settings), "form": form}


def _rows_of_triplet(count: int, settings: Settings) -> Rows:
    """Return each pair with the second view of every other pair."""
    pairs = count // 2
    chosen = [(row, other) for row, other in product(range(pairs), repeat=2) if row != other]
    return {
        "anchor": [row for row, _ in chosen],
        "positive": [row + pairs for row, _ in chosen],
        "negative": [other + pairs for _, other in chosen],
    }


DECLARED = {  # in the order of the cheat sheet
    "infonce": Points(one_set("z"), switches=("local", "mask")),
    "ntxent": Points(one_set("w"), switches=("local", "mask")),
    "supcon": Points(
        one_set("w"),
        compared=(
            {"temperature": 0.2, "classes": 2, "inside": False},
            {"temperature": 0.5, "classes": 2, "inside": True},
        ),
        options=_options_of_supcon,
    ),
    "hard_negative": Points(
        one_set("w"),
        compared=(
            {"temperature": 0.5, "beta": 1.0, "prior": 0.1},
            {"temperature": 0.25, "beta": 0.0, "prior": 0.25},
        ),
    ),
    "dcl": Points(one_set("w")),
    "clip": Points(
        two_views("image", "text"),
        switches=("local", "mask"),
        shares=("P[i,j]", "Pᶜ[j,i]"),
        # 1 − P of a pair as the sum of the others [S2]
        slopes=(
            "(1[i ≠ j] P[i,j] - 1[i = j] (Σ_k 1[k ≠ i] P[i,k]))/(2 B τ)",
            "(1[i ≠ j] Pᶜ[j,i] - 1[i = j] (Σ_k 1[k ≠ i] Pᶜ[k,i]))/(2 B τ)",
        ),
    ),
    "siglip": Points(
        two_views("image", "text"),
        compared=({"temperature": 0.1, "bias": -2.0},),
        switches=("local", "queue"),
        shares=("Σ̂[i,j]",),
    ),
    "dhn_nce": Points(
        two_views("image", "text"),
        compared=(
            {"temperature": 0.5, "beta": 1.5, "held": False},
            {"temperature": 0.2, "beta": 0.5, "held": True},
        ),
        shares=("Q[i,j]", "Q′[i,j]"),
        slopes=(
            "((1 + β₁) Q[i,j] - β₁ ρ[i,j] - 1[i = j])/(ν τ)",
            "((1 + β₂) Q′[i,j] - β₂ ρ′[i,j] - 1[i = j])/(ν τ)",
        ),
        slopes_held=("(Q[i,j] - 1[i = j])/(ν τ)", "(Q′[i,j] - 1[i = j])/(ν τ)"),
        options=_options_of_dhn_nce,
    ),
    "query_key": Points(
        _rows_of_query_key,
        switches=("local", "mask", "queue"),
        shares=("1[i ≠ j] P[i,j] + 1[i = j] (1 - Σ_m P[i,m])",),
        slopes=("(1[i ≠ j] P[i,j] - 1[i = j] (Σ_m P[i,m]))/(ν τ)",),
        options=_options_of_query_key,
    ),
    "triplet": Points(
        _rows_of_triplet,
        compared=({"margin": 1.5},),
        switches=("local", "queue"),
        shares=(),
        slopes=(),
    ),
    "alignment": Points(
        _rows_of_alignment,
        compared=({"uniformity": 0.5, "chain": True}, {"uniformity": 0.0, "chain": False}),
        options=lambda count, settings: {"exponent": 2},
        shares=(),
        slopes=(),
    ),
    "uniformity": Points(
        one_set("z"),
        shares=("κ̂[i,j]",),
        slopes=("2 t₀ κ̂[i,j]",),
        options=lambda count, settings: {"t": 1 / (2 * settings["temperature"])},
    ),
    "spectral": Points(
        two_views("z1", "z2"),
        compared=({},),
        switches=("local", "queue"),
        slopes=("G[i,j]/ν",),
        shares=(),
    ),
}


# --- how it is computed -----------------------------------------------------------------------------------


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
