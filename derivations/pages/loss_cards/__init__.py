"""The words of the cheat sheet, one file for each loss.

The formulas and gradients beside them are those of the statement in `derivations/losses`. Ranges are compared with
the library, and names with docs/peers.md, by tests/derivations/pages/test_cheat_sheet.py.
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


class LossCard(NamedTuple):
    """One loss on the sheet.

    group: one of GROUPS. paper: authors and year. when: what it is for, in Markdown with [ids] and {M4 masked}.
    inputs: those whose gradient is shown. least, most: the ends of the range of `of` over `rows`; None if unknown,
    or if there is no upper end. floor: the least mean of a batch, if no batch has all rows at the lower end;
    reached: by which batches, in the notation of `when`. where: pieces of evidence that define a name, in place of
    the statement's own definition. bound: a bound on the mutual information, in the notation of `when`. calls:
    functions of public libraries that compute exactly this loss. option: which of several statements.
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
    """Return the declarations of the losses that can move points on the sphere, in the order of the sheet."""
    declared = {name: import_module(f".{name}", __name__) for name in cards()}
    return {name: card.POINTS for name, card in declared.items() if hasattr(card, "POINTS")}


def cards() -> dict[str, LossCard]:
    """Return the card of each loss, in the order of the sheet: by group, then by year."""
    found = {file.name: import_module(f".{file.name}", __name__).CARD for file in iter_modules(__path__)}
    return dict(sorted(found.items(), key=lambda one: (GROUPS.index(one[1].group), one[1].year, one[0])))
