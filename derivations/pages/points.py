"""How each loss moves points on the sphere, as lessons show it.

A batch is B pairs of points: i + B is the other view of point i, or its text.
"""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, NamedTuple

from ..evidence.plain import given

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


# --- the declarations, in the order of the cheat sheet ------------------------------------------------------


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


DECLARED = {
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
