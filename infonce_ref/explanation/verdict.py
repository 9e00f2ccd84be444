"""The verdict on a batch: three sentences and advice, printed before any table."""

import math
from collections.abc import Iterator

import numpy as np

from .record import Record, Row
from .sentences import number, percent

COLLAPSED = 0.99  # mean cosine of all rows
MANY = 0.05  # share of the pairs of different things that coincide
TWICE = 2.0  # the share of the push on the anchor's own label, over the chance level
SIGMAS = 3.0  # a mean differs from another if by more than so many standard errors
ROUNDING = 2e-6  # of a cosine of rows in float32, which the temperature divides


def is_collapsed(found: Record) -> bool:
    """Return whether all rows, or a large share of the pairs of different things, have the same direction."""
    rows = 2 * found.batch
    return found.facts.centre**2 > COLLAPSED or found.facts.duplicates > MANY * rows * (rows - 2) / 2


def is_unrelated(found: Record) -> bool:
    """Return whether the positives are as far apart as random negatives: their mean cosine is below that of the
    negatives, or less than three standard errors above it.
    """
    counts = np.asarray(found.histogram.negatives, dtype=np.float64)
    middle = (np.asarray(found.histogram.edges[1:]) + np.asarray(found.histogram.edges[:-1])) / 2
    mean = counts @ middle / counts.sum()
    error = math.sqrt(counts @ (middle - mean) ** 2 / counts.sum() / sum(found.histogram.positives))
    facts = found.facts
    return facts.positive_similarity - facts.negative_similarity < SIGMAS * error


def is_worse_than_collapsed(found: Record) -> bool:
    """Return whether the loss is above that of equal rows, by more than its standard error explains.        [M8]"""
    error = found.errors[found.table.index(found.row)].loss
    excess = found.row.loss - math.log(2 * found.batch - 1)
    return excess > max(ROUNDING / found.temperature, SIGMAS * error)  # the error of one draw is NaN


def is_pushed_from_its_label(row: Row) -> bool:
    """Return whether much more of the push than by chance falls on negatives of the anchor's label."""
    return row.same_label_share > TWICE * row.same_label_chance


def verdict(found: Record) -> Iterator[str]:
    """Yield three sentences."""
    facts, row, rest = found.facts, found.row, found.rest.temperature
    positive, negative = number(facts.positive_similarity), number(facts.negative_similarity)
    if is_collapsed(found):
        yield "COLLAPSED: rows of different things point the same way."
    elif is_unrelated(found):
        yield "UNRELATED VIEWS: positives are no nearer than negatives."
    else:
        yield f"The views belong together: mean cosines of positives and negatives are {positive} and {negative}."
    alarm = "LOSS TOO LARGE: at" if is_worse_than_collapsed(found) else "At"
    yield (
        f"{alarm} τ = {found.temperature:g} the loss is {number(row.loss)} nats (floor: {number(row.floor)}; a "
        f"collapsed batch: {math.log(2 * found.batch - 1):.4g}), and the push is as concentrated "
        f"as if {number(row.effective_negatives)} of {2 * found.batch - 2} negatives shared it evenly."
    )
    if found.classes and not is_pushed_from_its_label(row):
        share, chance = percent(row.same_label_share), percent(row.same_label_chance)
        yield f"{share} of the push falls on the anchor's own label (chance: {chance})."
    elif 0 < rest < math.inf:
        yield f"A learned temperature would stop at {number(rest)}."
    else:
        yield "A learned temperature would find no place to stop."
