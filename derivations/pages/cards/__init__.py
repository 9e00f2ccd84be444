"""The words of the cheat sheet for each loss beside its proved formulas, one file a loss.

The formula and the gradients are those of the statement in `derivations/losses`. Ranges are compared with the
library, and names with docs/peers.md, by tests/derivations/pages/test_cheat_sheet.py.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from sympy import Expr

from ...symbols import ell, i
from ..points import Points

# The parts of the sheet, in their order.
GROUPS = (
    "Two views of one batch",
    "Images and texts",
    "A query and its candidates",
    "Distances and correlations",
    "Against noise",
)


class Card(NamedTuple):
    """One loss on the sheet.

    group: of GROUPS. paper: authors and year. when: what it is for, in Markdown with [ids] and {M4 masked}.
    inputs: by which the gradient is shown. least, most: the ends of the range of `of` over `rows`; None where none
    is known, or most where there is none. floor: the least mean of a batch, if no batch has all rows at the lower
    end; reached: by which batches, as `when` is written. where: pieces of evidence that say what a name means, in
    place of the statement's own definition. bound: what the loss says of the mutual information, as `when` is
    written. calls: what computes exactly this in public libraries. option: which of several statements.
    """

    group: str
    title: str
    paper: str
    year: int
    when: str
    inputs: tuple[str, ...]
    least: Expr | None = None
    most: Expr | None = None
    rows: str = ""
    of: Expr = ell[i]
    floor: Expr | None = None
    reached: str = ""
    where: tuple[str, ...] = ()
    bound: str = ""
    calls: tuple[str, ...] = ()
    option: str = ""


@cache
def points() -> dict[str, Points]:
    """The losses that can move points on the sphere, by their cards, in the order of the sheet."""
    declared = {name: import_module(f".{name}", __name__) for name in cards()}
    return {name: card.POINTS for name, card in declared.items() if hasattr(card, "POINTS")}


def cards() -> dict[str, Card]:
    """Each loss's, in the order of the sheet: by group, then by year."""
    found = {file.name: import_module(f".{file.name}", __name__).CARD for file in iter_modules(__path__)}
    return dict(sorted(found.items(), key=lambda one: (GROUPS.index(one[1].group), one[1].year, one[0])))
