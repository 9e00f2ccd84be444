"""The declarations in a loss's card from which lessons show the loss acting on points on the sphere.

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


# Which rows are anchors, and which candidates an anchor has; `assets/forces.js` has functions of the same names.
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
    """One loss on the sphere, for Python, which computes what it must do, and for the browser, which does it.

    title: in the menu · inputs: the points that are the rows of each input · uses: the settings that it has ·
    compared: where the page compares its numbers with Python's, on the sphere and then in the plane · shares: by
    what an anchor compares its candidates · slopes: what it gives back to each similarity; of two views the first
    asks the second and, if there are two expressions, the second the first · options: the library's arguments, if
    they are not the settings themselves.

    For `assets/forces.js`: row: the function of ROWS that computes one anchor's loss · matrix: what P is called ·
    sees, anchors, positives: functions of WHO · per_pair: divide by the pairs, not by the anchors.

    keys: the inputs that a queue holds constant; they are the second view's · a softmax of which each anchor may
    leave candidates out has the switch mask.
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
        """Return the switches of the loss: who is seen, and who feels a force."""
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
