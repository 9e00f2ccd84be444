"""Witness 3: what the ledger says must hold of a loss, whatever its code looks like.

One file for each loss, found by the loss's name, with

    gradient(case)     the document's own gradient of each input, and the size of its terms
    value(case)        the document's own value, and the size of its terms
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
from .identity import documented as terms_of
from .shared import (
    TILES,
    contract,
    each_anchor,
    other_kinds,
    own_cache,
    scale_free,
    scale_free_columns,
    streamed,
    upstream,
)

WITNESS = "identities"


OF_EVERY_LOSS = (
    own_cache,
    contract,
    upstream,
)  # whether a pass writes to its arguments, before any other does
LARGE_TILE = 300  # of which many rows fill several, whatever the machine would choose
FEW = 256  # rows up to which all identities are asked; with more, those that cost a few passes


def of_each_anchor() -> tuple[Identity, ...]:
    """Those of a loss that is handed out anchor by anchor: it is what makes the sum, of which all others speak."""
    return (each_anchor, *OF_EVERY_LOSS, *map(streamed, TILES))


def of(loss: str) -> tuple[Identity, ...]:
    """Every identity of a loss: the document's gradient and value, the loss's own, and those of every loss."""
    return (*OF_EVERY_LOSS, *documented(loss), *file_of(loss).IDENTITIES, *map(streamed, TILES))


def of_many_rows(loss: str) -> tuple[Identity, ...]:
    """Those that are asked about many rows: the document's gradient and value, and those of every loss."""
    return (*OF_EVERY_LOSS, *documented(loss), streamed(None), streamed(LARGE_TILE))


def of_one_pass(loss: str) -> tuple[Identity, ...]:
    """Those that take one forward and one backward pass: the contract, the document's gradient and its value."""
    return (contract, *documented(loss))


def documented(loss: str) -> tuple[Identity, ...]:
    """That gradient and value are the document's own. A loss that somebody brings may lack the value."""
    has_value = getattr(file_of(loss), "value", None) is not None
    return (documented_gradient(loss), *([documented_value(loss)] if has_value else []))


def documented_gradient(loss: str) -> Identity:
    """That the gradient is the document's own."""
    file = file_of(loss)

    @wraps(file.gradient)
    def identity(case: Case) -> Iterator[Sides]:
        got = case.gradients()
        for name, (value, size) in terms_of(case).items():
            yield name, got[name], value, size

    return identity


def documented_value(loss: str) -> Identity:
    """That the value is the document's own."""
    file = file_of(loss)

    @wraps(file.value)
    def identity(case: Case) -> Iterator[Sides]:
        yield case.loss.differentiable[0], case.value(), *file.value(case)

    return identity


def testify(case: Case) -> Iterator[Check]:
    """One check for each identity and each input that it speaks of, again where it is tried several ways."""
    many = max(len(case.arguments[name]) for name in row_inputs(case)) > FEW
    if case.arguments.get("reduction") == "none":
        asked = of_each_anchor()
    else:
        asked = (of_many_rows if many else of)(case.loss.name)
    yield from ask(case, asked)


def testify_briefly(case: Case) -> Iterator[Check]:
    """One check for each input of what one pass shows; of losses of anchors, with those of their sum."""
    if case.arguments.get("reduction") == "none":
        yield from ask(case, (contract, each_anchor))
        case = case.at(reduction="sum")
    yield from ask(case, of_one_pass(case.loss.name))


def testify_briefly_and_stream(case: Case) -> Iterator[Check]:
    """The same, and that a loss which streams is the same in tiles."""
    yield from testify_briefly(case)
    if case.arguments.get("reduction") != "none":
        yield from ask(case, (streamed(LARGE_TILE),))


def testify_of_kinds(case: Case) -> Iterator[Check]:
    """That other kinds of arrays are taken rightly or refused."""
    yield from ask(case, (other_kinds,))


def ask(case: Case, identities: tuple[Identity, ...]) -> Iterator[Check]:
    """The checks of some identities."""
    for identity in identities:
        statement = " ".join((identity.__doc__ or "").split())
        for name, left, right, size in identity(case):
            worst = relative(left, right, size, case.dtype, unit=case.magnified)
            if not worst.error <= case.tolerance:  # only then does it matter what a textbook form may err
                more = textbook.side(case, name, np.shape(left), textbook.terms(case))
                worst = relative(left, right, size, case.dtype, None, more, unit=case.magnified)
            yield case.check(name, WITNESS, worst, statement)


def scale_free_losses() -> frozenset[str]:
    """The losses of which it is asked that the length of a row, or of a column, does not count."""
    return frozenset(
        name for name in (*ALL, *BROUGHT) if {scale_free, scale_free_columns} & set(file_of(name).IDENTITIES)
    )
