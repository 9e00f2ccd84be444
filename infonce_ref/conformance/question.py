"""What is asked of a loss."""

import inspect
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..losses import ALL
from ..mistakes import Entry
from .target import Target
from .verdicts import TIERS

# what a formula may be required to have, beside what the loss is given: the options of the registry's losses, and
# what a formula leaves open
CLAIMS = {"normalised", "anchors"} | {
    parameter.name
    for loss in ALL.values()
    for parameter in inspect.signature(loss.forward).parameters.values()
    if parameter.kind is parameter.KEYWORD_ONLY
}
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Question(NamedTuple):
    """What is asked: the loss · which it is meant to be, with which options · how it is asked · what may fail."""

    target: Target
    is_: str | None = None
    options: Mapping[str, Any] = NOTHING
    inputs: str | None = None
    tiers: Sequence[str] = TIERS
    expected: Mapping[str, str] = NOTHING
    dtype: str = "float64"
    entry: Entry | None = None  # of the catalogue, if another than that of the loss's name
