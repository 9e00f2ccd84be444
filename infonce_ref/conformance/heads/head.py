"""What a head is: how the similarities of a batch become a loss; and the sums that several heads share."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..digits import Numbers, exp, log, log_sum_exp, softplus
from ..features import BESIDE_LOGITS

Function = Callable[..., Numbers]


class Masks(NamedTuple):
    """(anchors, candidates): the positives · the others in the denominator · whether the denominator contains the
    positives · each anchor itself, if it is a candidate · which anchors are of the first view · further numbers of
    the formula, by name · held: the similarities from which weights are computed, if they are constant · given: the
    negatives that were given, of this anchor or of all."""

    positive: np.ndarray
    others: np.ndarray
    with_positive: bool
    itself: np.ndarray | None
    first: np.ndarray
    numbers: Mapping[str, float] = MappingProxyType({})
    held: Numbers = None
    given: Any = False

    def weights_of(self, s: Numbers) -> Numbers:
        """The similarities from which weights are computed."""
        return s if self.held is None else self.held


class Head(NamedTuple):
    """How similarities become a loss.

    function(s, masks, t, e): the sum of the loss over the anchors · formula: of one anchor, as printed, D its
    denominator ·
    words: for a form that no loss of the registry has · mistake: its name, or "" · second: the name of e, tried at
    `grid` · tempered: whether t enters · whole: whether the batch is one term, instead of one for each anchor ·
    third, thirds: the name of a third number, and its starting values · base: the head that this one varies.
    """

    function: Function
    formula: str
    words: str = ""
    mistake: str = ""
    second: str | None = None
    grid: tuple[float, ...] = ()
    tempered: bool = True
    whole: bool = False
    third: str | None = None
    thirds: tuple[float, ...] = ()
    base: str = "cross-entropy"


HEADS: dict[str, Head] = {}


def head(name: str, formula: str, words: str = "", mistake: str = "", **more: Any) -> Callable[..., Function]:
    """Enter a function into HEADS by this name, with the fields of `Head`."""

    def enter(function: Function) -> Function:
        HEADS[name] = Head(function, formula, words, mistake, **more)
        return function

    return enter


MARGIN = (0.0, *(float(10 ** (k / 24)) for k in range(-60, 36)))  # the kinks of a hinge leave narrow basins


def at_positive(x: Numbers, masks: Masks) -> Numbers:
    """Average x over each anchor's positives."""
    return np.sum(x * masks.positive, axis=-1) / np.maximum(masks.positive.sum(-1), 1)


def denominator(x: Numbers, masks: Masks) -> Numbers:
    """log Σ_D eˣ."""
    return log_sum_exp(x, masks.others | masks.positive if masks.with_positive else masks.others)


def log_plus(weight: Any, x: Numbers) -> Numbers:
    """log(weight + eˣ)."""
    largest = np.maximum(x, 0 * x)
    return largest + log(weight * exp(-largest) + exp(x - largest))


def above(x: Numbers, masks: Masks) -> Numbers:
    """log Σ eˣ over the others, minus x_p."""
    return log_sum_exp(x, masks.others) - at_positive(x, masks)


def find_largest(x: Numbers, masks: Masks) -> Numbers:
    """Return the largest logit of each anchor's candidates, including the anchor itself if the loss does not
    mask it.
    """
    seen = masks.others | masks.positive | (False if masks.itself is None else masks.itself)
    return np.max(np.where(seen, x, np.min(x, axis=-1, keepdims=True)), axis=-1)


def softened(x: Numbers, masks: Masks) -> Numbers:
    """−log((eˣ_p + ε″) / (Σ_D eˣ + ε) + ε′) of each anchor, averaged over its positives."""
    numbers, below = masks.numbers, denominator(x, masks)
    if "denominator" in numbers:
        below = log_plus(numbers["denominator"], below)
    if "shifted" in numbers:
        largest = find_largest(x, masks)
        below = largest + log_plus(numbers["shifted"], below - largest)
    above_it = log(exp(x) + numbers["numerator"]) if "numerator" in numbers else x
    if "terms" in numbers:
        largest = find_largest(x, masks)
        count = (masks.others | masks.positive if masks.with_positive else masks.others).sum(-1)
        above_it = largest[..., None] + log(exp(x - largest[..., None]) + numbers["terms"])
        below = largest + log_plus(numbers["terms"] * count, below - largest)
    chosen = above_it - below[..., None]
    if "logarithm" in numbers:
        chosen = log(exp(chosen) + numbers["logarithm"])
    return -at_positive(chosen, masks)


def rows(x: Numbers, masks: Masks) -> Numbers:
    """log Σ_D eˣ − x_p of each anchor, averaged over its positives."""
    if masks.numbers.keys() & BESIDE_LOGITS:
        return softened(x, masks)
    if masks.with_positive and np.all(masks.positive.sum(-1) == 1):
        return softplus(above(x, masks))  # [S1]
    return denominator(x, masks) - at_positive(x, masks)


def of_rows(e: Any) -> Any:
    """Reshape a parameter that broadcasts against matrices, so that it broadcasts against their rows."""
    return e[..., 0] if np.ndim(e) else e


def by_direction(of_first: Any, of_second: Any, masks: Masks) -> Any:
    """One number for the anchors of the first view, one for those of the second."""
    return np.where(masks.first, of_rows(of_first), of_rows(of_second))


def hardest(x: Numbers, masks: Masks) -> Numbers:
    least = np.min(x, axis=-1, keepdims=True)
    return np.max(np.where(masks.others, x, least), axis=-1)


def probabilities(x: Numbers, masks: Masks) -> Numbers:
    return exp(x - denominator(x, masks)[..., None])
