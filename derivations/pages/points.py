"""Declarations with which lessons show how a loss moves points on the sphere; each is in the loss's card.

A batch is B pairs of points: i + B is the other view of point i, or its text.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sympy import Expr

from ..symbols import G, P, i, j, nu, tau

Settings = Mapping[str, Any]  # settings of the page: temperature, classes, …
Rows = dict[str, Any]  # for each input, the points that are its rows


def one_set(name: str) -> Callable[[int, Settings], Rows]:
    """All points are rows of one input."""
    return lambda count, settings: {name: range(count)}


def two_views(first: str, second: str) -> Callable[[int, Settings], Rows]:
    """The first view's points are rows of one input, the second's of another."""
    return lambda count, settings: {first: range(count // 2), second: range(count // 2, count)}


# Functions that say which rows are anchors, and which candidates an anchor has; `assets/forces.js` has
# functions of the same names.
ANCHORS: dict[str, Callable[[int], range]] = {
    "everyone": lambda pairs: range(2 * pairs),
    "firstView": range,
}
SEES: dict[str, Callable[[int, int, int], bool]] = {
    "everyone": lambda row, other, pairs: True,
    "notItself": lambda row, other, pairs: row != other,
    "otherView": lambda row, other, pairs: (row < pairs) != (other < pairs),
}


class Points(NamedTuple):
    """One loss on the sphere, for Python, which computes the reference values, and for the browser, which computes
    the picture.

    title: in the menu · inputs: the points that are the rows of each input · uses: its settings · compared:
    settings at which the page compares its numbers with Python's, on the sphere and then in the plane · shares: the
    probabilities of an anchor's candidates · slopes: the derivative by each similarity; for two views with the
    first as anchors and, in a second expression, with the second · options: the library's arguments, if they differ
    from the settings.

    For `assets/forces.js`: row: the function of ROWS that computes one anchor's loss · matrix: the name of P ·
    sees, anchors, positives: functions of WHO · per_pair: divide by the number of pairs, not of anchors · keys: the
    inputs of the second view, which a queue holds constant. A softmax whose anchors may leave candidates out has
    the switch mask.
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
    shares: Callable[[Settings], tuple[Expr, ...]] = lambda settings: ()
    slopes: Callable[[Settings], tuple[Expr, ...]] = lambda settings: ()
    options: Callable[[int, Settings], dict[str, Any]] | None = None
    keys: tuple[str, ...] = ()

    @property
    def switches(self) -> tuple[str, ...]:
        """Return the switches of the loss: which points it sees, and which feel a force."""
        masked = ("mask",) if self.row == "crossEntropy" else ()
        return ("local", *masked, *(("queue",) if self.keys else ()))

    def arguments(self, count: int, settings: Settings) -> dict[str, Any]:
        """Return the library's arguments except the rows."""
        if self.options:
            return self.options(count, settings)
        return {name: settings[name] for name in self.uses}

    def describe_for_browser(self) -> dict[str, Any]:
        names = ("title", "uses", "row", "sees", "matrix", "anchors", "positives", "per_pair", "switches")
        return {name: getattr(self, name) for name in names}


def list_shares(settings: Settings) -> tuple[Expr, ...]:
    """Return the shares P of a softmax."""
    return (P[i, j],)


def list_slopes(settings: Settings) -> tuple[Expr, ...]:
    """Return the slopes G/(ντ)."""
    return (G[i, j] / (nu * tau),)
