"""How each loss moves points on the sphere, as lessons show it.

A batch is B pairs of points: i + B is the other view of point i, or its text.
"""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, NamedTuple

from sympy import Expr

from ..losses import dhn_nce
from ..prover.notation import Differ, delta, sum_over
from ..symbols import B, G, M, P, Q, Q_back, chance, closeness, columns, i, j, m, nu, sharpness, tau

Settings = Mapping[str, Any]  # settings of the page: temperature, classes, …
Rows = dict[str, Any]  # for each input, the points that are its rows


def one_set(name: str) -> Callable[[int, Settings], Rows]:
    """All points are rows of one input."""
    return lambda count, settings: {name: range(count)}


def two_views(first: str, second: str) -> Callable[[int, Settings], Rows]:
    """The first view's points are rows of one input, the second's of another."""
    return lambda count, settings: {first: range(count // 2), second: range(count // 2, count)}


class Points(NamedTuple):
    """One loss on the sphere, for Python, which computes the reference values, and for the browser, which computes
    the picture.

    title: in the menu · inputs: the points that are the rows of each input · uses: its settings · compared:
    settings at which the page compares its numbers with Python's, on the sphere and then in the plane · shares: the
    probabilities of an anchor's candidates · slopes: the derivative by each similarity; for two views with the
    first as anchors and, in a second expression, with the second · options: the library's arguments, if they differ
    from the settings.

    For `assets/forces.js`: row: the function of ROWS that computes one anchor's loss · matrix: the name of P ·
    sees, anchors, positives: functions of WHO · per_pair: divide by the number of pairs, not of
    anchors. A softmax whose anchors may leave candidates out has the switch mask.
    """

    title: str
    inputs: Callable[[int, Settings], Rows]
    uses: tuple[str, ...] = ("temperature",)
    compared: tuple[dict[str, Any], ...] = ({"temperature": 0.2},)
    row: str = "crossEntropy"
    sees: str = "notItself"
    matrix: str = "P"
    anchors: str = "everyone"
    positives: str = "partner"
    per_pair: bool = False
    shares: Callable[[Settings], tuple[Expr, ...]] = lambda settings: (P[i, j],)
    slopes: Callable[[Settings], tuple[Expr, ...]] = lambda settings: (G[i, j] / (nu * tau),)
    options: Callable[[int, Settings], dict[str, Any]] | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the inputs of the second view, which a queue holds constant, if only the first view asks."""
        return tuple(self.inputs(4, {}))[1:] if self.anchors == "firstView" else ()

    @property
    def switches(self) -> tuple[str, ...]:
        """Return the switches of the loss: which points it sees, and which feel a force."""
        masked = ("mask",) if self.row == "crossEntropy" else ()
        return ("local", *masked, *(("queue",) if self.keys else ()))

    def arguments(self, count: int, settings: Settings) -> dict[str, Any]:
        """Return the library's arguments except the rows; with a mask, no candidate is of its anchor's class."""
        given = (
            self.options(count, settings) if self.options else {name: settings[name] for name in self.uses}
        )
        if settings.get("mask"):
            classes = _classes(count, settings)
            anchors, *_, candidates = [*self.inputs(count, settings).values()] * 2
            given["keep"] = [[x == y or classes[x] != classes[y] for y in candidates] for x in anchors]
        return given

    def describe_for_browser(self) -> dict[str, Any]:
        names = ("title", "uses", "row", "sees", "matrix", "anchors", "positives", "per_pair", "switches")
        return {name: getattr(self, name) for name in names}


def _classes(count: int, settings: Settings) -> list[int]:
    return [row % (count // 2) % settings["classes"] for row in range(count)]


def nothing(settings: Settings) -> tuple[Expr, ...]:
    """Return no matrix: the proved statement of the loss has none."""
    return ()


# --- the declarations, in the order of the cheat sheet ------------------------------------------------------


def _rows_of_alignment(count: int, settings: Settings) -> Rows:
    """Return the two views, or a chain in which each point's partner is the next one."""
    if settings.get("chain"):
        return {"z1": range(count), "z2": [(row + 1) % count for row in range(count)]}
    return two_views("z1", "z2")(count, settings)


def _slopes_of_clip(settings: Settings) -> tuple[Expr, ...]:
    """Return the error of each direction, with 1 − P at a pair as the sum of the others [S2]."""
    return tuple(
        (Differ(i, j) * share - delta(i, j) * sum_over(Differ(m, i) * other, (m, B))) / (2 * B * tau)
        for share, other in ((P[i, j], P[i, m]), (columns[j, i], columns[m, i]))
    )


_forth, _back = map(dhn_nce.DIFFERENTIATED.read, (dhn_nce.FORTH, dhn_nce.BACK))
# each text's row, as each image's
DIFFERENTIATED = _forth, _back.xreplace({i: j, j: i})


def _slopes_of_dhn_nce(settings: Settings) -> tuple[Expr, ...]:
    """Return the gradient with the weights held constant, or differentiated."""
    shares = (Q[i, j], Q_back[i, j]) if settings["held"] else DIFFERENTIATED
    return tuple((share - delta(i, j)) / (nu * tau) for share in shares)


def _options_of_dhn_nce(count: int, settings: Settings) -> dict[str, Any]:
    beta, weights = settings["beta"], "constant" if settings["held"] else "differentiated"
    return {
        "temperature": settings["temperature"],
        "beta1": beta,
        "beta2": beta,
        "weights": weights,
        "reduction": "mean",
    }


def _options_of_query_key(count: int, settings: Settings) -> dict[str, Any]:
    """A query's negatives are the keys of the others."""
    pairs = range(count // 2)
    return {"temperature": settings["temperature"], "keep": [[x != y for y in pairs] for x in pairs]}


def _rows_of_query_key(count: int, settings: Settings) -> Rows:
    keys = range(count // 2, count)
    return {"query": range(count // 2), "positive": keys, "negatives": keys}


# 1 less the positive's probability, which is no entry of P
_OTHERS = sum_over(P[i, m], (m, M))


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
    "infonce": Points(
        "InfoNCE, the anchor in its own denominator",
        one_set("z"),
        sees="everyone",
    ),
    "ntxent": Points("NT-Xent", one_set("w")),
    "supcon": Points(
        "SupCon, classes by colour",
        one_set("w"),
        uses=("temperature", "classes", "inside"),
        compared=(
            {"temperature": 0.2, "classes": 2, "inside": False},
            {"temperature": 0.5, "classes": 2, "inside": True},
        ),
        row="severalPositives",
        positives="sameClass",
        options=_options_of_supcon,
    ),
    "hard_negative": Points(
        "hard and debiased negatives",
        one_set("w"),
        uses=("temperature", "beta", "prior"),
        compared=(
            {"temperature": 0.5, "beta": 1.0, "prior": 0.1},
            {"temperature": 0.25, "beta": 0.0, "prior": 0.25},
        ),
        row="debiased",
        matrix="P of the negatives",
    ),
    "dcl": Points(
        "DCL",
        one_set("w"),
        row="decoupled",
        matrix="P of the negatives",
    ),
    "clip": Points(
        "CLIP: each view asks the other",
        two_views("image", "text"),
        sees="otherView",
        shares=lambda settings: (P[i, j], columns[j, i]),
        slopes=_slopes_of_clip,
    ),
    "siglip": Points(
        "SigLIP",
        two_views("image", "text"),
        uses=("temperature", "bias"),
        compared=({"temperature": 0.1, "bias": -2.0},),
        row="sigmoids",
        sees="otherView",
        anchors="firstView",
        matrix="P: the chance of a pair",
        shares=lambda settings: (chance[i, j],),
    ),
    "dhn_nce": Points(
        "DHN-NCE",
        two_views("image", "text"),
        uses=("temperature", "beta", "held"),
        compared=(
            {"temperature": 0.5, "beta": 1.5, "held": False},
            {"temperature": 0.2, "beta": 0.5, "held": True},
        ),
        row="weighed",
        sees="otherView",
        matrix="P: each negative's share",
        per_pair=True,
        shares=lambda settings: (Q[i, j], Q_back[i, j]),
        slopes=_slopes_of_dhn_nce,
        options=_options_of_dhn_nce,
    ),
    "query_key": Points(
        "query-key: the first view asks the other",
        _rows_of_query_key,
        sees="otherView",
        anchors="firstView",
        shares=lambda settings: (Differ(i, j) * P[i, j] + delta(i, j) * (1 - _OTHERS),),
        slopes=lambda settings: ((Differ(i, j) * P[i, j] - delta(i, j) * _OTHERS) / (nu * tau),),
        options=_options_of_query_key,
    ),
    "triplet": Points(
        "triplet, every negative",
        _rows_of_triplet,
        uses=("margin",),
        compared=({"margin": 1.5},),
        row="hinges",
        sees="otherView",
        anchors="firstView",
        matrix="P: 1 where a hinge is open",
        shares=nothing,
        slopes=nothing,
    ),
    "alignment": Points(
        "alignment, and λ times uniformity",
        _rows_of_alignment,
        uses=("uniformity", "chain"),
        compared=({"uniformity": 0.5, "chain": True}, {"uniformity": 0.0, "chain": False}),
        row="distance",
        sees="nobody",
        anchors="firstViewOrChain",
        positives="partnerOrNext",
        matrix="P: each pair's share in uniformity",
        options=lambda count, settings: {"exponent": 2},
        shares=nothing,
        slopes=nothing,
    ),
    "uniformity": Points(
        "uniformity",
        one_set("z"),
        row="",
        matrix="P: each pair's share",
        shares=lambda settings: (closeness[i, j],),
        slopes=lambda settings: (2 * sharpness * closeness[i, j],),
        options=lambda count, settings: {"t": 1 / (2 * settings["temperature"])},
    ),
    "spectral": Points(
        "spectral",
        two_views("z1", "z2"),
        uses=(),
        compared=({},),
        row="squares",
        sees="otherView",
        anchors="firstView",
        matrix="",
        slopes=lambda settings: (G[i, j] / nu,),
        shares=nothing,
    ),
}
