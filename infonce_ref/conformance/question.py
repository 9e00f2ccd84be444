"""What is asked of a loss."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from .target import Target
from .verdicts import TIERS

# what a formula may be required to have, beside what the loss is given
CLAIMS = ("temperature", "reduction", "normalised", "anchors", "form", "margin", "bias")
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
