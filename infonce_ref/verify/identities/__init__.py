"""Third check: identities of the ledger, which hold for any implementation.

One file for each loss, found by the loss's name, with

    gradient(case)     the document's own gradient of each input, and the size of its terms
    IDENTITIES         further equations that must hold, whatever the value is
    value(case)        the document's own value, and the size of its terms, if the textbook's form overflows

That value and slope are the textbook's is the first law, of all losses alike: `..definition`.

An identity takes a case and yields, for each input concerned, the two sides that must be equal and the size of the
summed terms. Its docstring begins with the ids of its claims. The other side is computed by NumPy and SciPy in
float64 from the document's formula, or by the loss at other arguments; never from the loss's own cache.
`identity` has helpers of several files, `shared` has identities of several losses.
"""

from collections.abc import Iterator
from functools import wraps

import numpy as np

from .. import definition
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


# first of all check whether a pass writes to its arguments
OF_EVERY_LOSS = (own_cache, contract, upstream)
LARGE_TILE = 300  # large cases fill several of these on any machine
FEW = 256  # with more rows than this, only cheap identities are checked


def list_for_anchors() -> tuple[Identity, ...]:
    """The identities for reduction='none'; the others only test its sum."""
    return (each_anchor, *OF_EVERY_LOSS, *map(streamed, TILES))


def list_all(loss: str) -> tuple[Identity, ...]:
    """Every identity of a loss: the document's gradient and value, the loss's own, and those of every loss."""
    return (*OF_EVERY_LOSS, *documented(loss), *file_of(loss).IDENTITIES, *map(streamed, TILES))


def list_for_many_rows(loss: str) -> tuple[Identity, ...]:
    """The identities for many rows: the document's gradient and value, and those of every loss."""
    return (*OF_EVERY_LOSS, *documented(loss), streamed(None), streamed(LARGE_TILE))


def list_for_one_pass(loss: str) -> tuple[Identity, ...]:
    """The identities of one forward and one backward pass: the contract, the document's gradient and value."""
    return (contract, *documented(loss))


def documented(loss: str) -> tuple[Identity, ...]:
    """The identities with the document's gradient and value. A user's own loss may lack the value."""
    has_value = getattr(file_of(loss), "value", None) is not None
    return (documented_gradient(loss), *([documented_value(loss)] if has_value else []))


def documented_gradient(loss: str) -> Identity:
    """The gradient equals the document's."""
    file = file_of(loss)

    @wraps(file.gradient)
    def identity(case: Case) -> Iterator[Sides]:
        got = case.gradients()
        for name, (value, size) in terms_of(case).items():
            yield name, got[name], value, size

    return identity


def documented_value(loss: str) -> Identity:
    """The value equals the document's."""
    file = file_of(loss)

    @wraps(file.value)
    def identity(case: Case) -> Iterator[Sides]:
        yield case.loss.differentiable[0], case.value(), *file.value(case)

    return identity


def testify(case: Case) -> Iterator[Check]:
    """Yield one check for each identity and input; several if an identity tries several ways."""
    yield from definition.testify(case)
    many = max(len(case.arguments[name]) for name in row_inputs(case)) > FEW
    if case.arguments.get("reduction") == "none":
        asked = list_for_anchors()
    else:
        asked = (list_for_many_rows if many else list_all)(case.loss.name)
    yield from ask(case, asked)


def testify_briefly(case: Case) -> Iterator[Check]:
    """Yield one check for each input from one pass; under reduction='none' also check the sum."""
    yield from definition.testify(case)
    if case.arguments.get("reduction") == "none":
        yield from ask(case, (contract, each_anchor))
        case = case.at(reduction="sum")
    yield from ask(case, list_for_one_pass(case.loss.name))


def testify_briefly_and_stream(case: Case) -> Iterator[Check]:
    """Do the same, and compare streaming with the plain form."""
    yield from testify_briefly(case)
    if case.arguments.get("reduction") != "none":
        yield from ask(case, (streamed(LARGE_TILE),))


def testify_of_kinds(case: Case) -> Iterator[Check]:
    """Check that other kinds of arrays give the same numbers or are refused."""
    yield from ask(case, (other_kinds,))


def ask(case: Case, identities: tuple[Identity, ...]) -> Iterator[Check]:
    """Yield the checks of some identities."""
    for identity in identities:
        statement = " ".join((identity.__doc__ or "").split())
        for name, left, right, size in identity(case):
            worst = relative(left, right, size, case.dtype, unit=case.magnified)
            if not worst.error <= case.tolerance:  # only then is the textbook form's error needed
                more = textbook.side(case, name, np.shape(left), textbook.terms(case))
                worst = relative(left, right, size, case.dtype, None, more, unit=case.magnified)
            yield case.check(name, WITNESS, worst, statement)


def is_scale_free(loss: str) -> bool:
    """Whether a loss does not depend on the length of a row or of a column."""
    return not {scale_free, scale_free_columns}.isdisjoint(file_of(loss).IDENTITIES)
