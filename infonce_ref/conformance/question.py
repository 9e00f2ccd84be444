"""The question to `check`, as one record."""

import inspect
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..losses import ALL
from ..mistakes import Entry
from .target import Target
from .verdicts import TIERS

# options that a claim may fix although the loss does not take them: those of the registry's losses, and the
# free choices of a formula
CLAIMS = {"normalised", "anchors"} | {
    parameter.name
    for loss in ALL.values()
    for parameter in inspect.signature(loss.forward).parameters.values()
    if parameter.kind is parameter.KEYWORD_ONLY
}
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Question(NamedTuple):
    """A question: the loss · the loss that it is meant to be, and its options · how to call it · which failures are
    expected · ranks: on which the loss is asked too, by its library."""

    target: Target
    is_: str | None = None
    options: Mapping[str, Any] = NOTHING
    inputs: str | None = None
    tiers: Sequence[str] = TIERS
    expected: Mapping[str, str] = NOTHING
    dtype: str = "float64"
    ranks: Mapping[str, Any] = NOTHING
    entry: Entry | None = None  # the name in the catalogue, if it differs from the loss's
