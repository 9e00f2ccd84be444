"""Witness 3: what the ledger says must hold of a loss, whatever its code looks like.

One file for each loss, found by the loss's name, with

    gradient(case)     the document's own gradient of each input, and the size of its terms
    IDENTITIES         what else must hold

An identity takes a case and yields, for each input that it speaks of, the two sides that must be equal and the
size of the terms that were summed. Its docstring begins with the ids of its claims. The other side is NumPy's and
SciPy's in float64, from the document's formula, or another loss of the registry; never the loss's own cache.
What several files need is in `identity`, what holds of several losses in `shared`.
"""

from collections.abc import Iterator
from functools import wraps

import numpy as np

from ...losses import ALL
from ..brought import BROUGHT
from ..case import Case, Check, relative
from . import textbook
from .identity import Identity, Sides, file_of, row_inputs
from .shared import (
    TILES,
    contract,
    each_anchor,
    own_cache,
    scale_free,
    scale_free_columns,
    streamed,
    upstream,
)

WITNESS = "identities"


OF_EVERY_LOSS = (contract, own_cache, upstream)
LARGE_TILE = 300  # of which many rows fill several, whatever the machine would choose
FEW = 256  # rows that all identities are asked about; of more, those whose cost is that of a few passes


def of_each_anchor() -> tuple[Identity, ...]:
    """Those of a loss that is handed out anchor by anchor: it is what makes the sum, of which all others speak."""
    return (each_anchor, *OF_EVERY_LOSS, *map(streamed, TILES))


def of(loss: str) -> tuple[Identity, ...]:
    """Every identity of a loss: the document's gradient, the loss's own, and those of every loss."""
    return (documented_gradient(loss), *file_of(loss).IDENTITIES, *OF_EVERY_LOSS, *map(streamed, TILES))


def of_many_rows(loss: str) -> tuple[Identity, ...]:
    """Those that are asked about many rows too: the document's gradient and those of every loss."""
    return (documented_gradient(loss), *OF_EVERY_LOSS, streamed(None), streamed(LARGE_TILE))


def documented_gradient(loss: str) -> Identity:
    """That the gradient is the document's own."""
    file = file_of(loss)

    @wraps(file.gradient)
    def documented(case: Case) -> Iterator[Sides]:
        got = case.gradients()
        for name, (value, size) in file.gradient(case).items():
            yield name, got[name], value, size

    return documented


def testify(case: Case) -> Iterator[Check]:
    """One check for each identity and each input that it speaks of, again where it is tried several ways."""
    many = max(len(case.arguments[name]) for name in row_inputs(case)) > FEW
    sums = textbook.terms(case)
    if case.arguments.get("reduction") == "none":
        asked = of_each_anchor()
    else:
        asked = (of_many_rows if many else of)(case.loss.name)
    for identity in asked:
        statement = " ".join((identity.__doc__ or "").split())
        for name, left, right, size in identity(case):
            more = textbook.side(case, name, np.shape(left), sums)
            worst = relative(left, right, size, case.dtype, None, more, unit=case.magnified)
            yield case.check(name, WITNESS, worst, statement)


def scale_free_losses() -> frozenset[str]:
    """The losses of which it is asked that the length of a row, or of a column, does not count."""
    return frozenset(
        name for name in (*ALL, *BROUGHT) if {scale_free, scale_free_columns} & set(file_of(name).IDENTITIES)
    )
