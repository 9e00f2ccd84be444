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

from ..case import Case, Check, relative
from .identity import Identity, Sides, file_of
from .shared import TILES, streamed, upstream

WITNESS = "identities"


def of(loss: str) -> tuple[Identity, ...]:
    """Every identity of a loss: the document's gradient, the loss's own, and those of every loss."""
    file = file_of(loss)

    @wraps(file.gradient)
    def documented(case: Case) -> Iterator[Sides]:
        got = case.gradients()
        for name, (value, size) in file.gradient(case).items():
            yield name, got[name], value, size

    return (documented, *file.IDENTITIES, upstream, *map(streamed, TILES))


def testify(case: Case) -> Iterator[Check]:
    """One check for each identity and each input that it speaks of, again where it is tried several ways."""
    for identity in of(case.loss.name):
        statement = " ".join((identity.__doc__ or "").split())
        for name, left, right, size in identity(case):
            yield case.check(name, WITNESS, relative(left, right, size, case.dtype), statement)
