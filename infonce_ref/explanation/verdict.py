"""The verdict on a batch: three sentences and advice, printed before any table."""

import math
from collections.abc import Iterator

import numpy as np

from .record import Record, Row
from .sentences import number, percent

COLLAPSED = 0.99  # mean cosine of all rows
MANY = 0.05  # share of the pairs of different things that coincide
TWICE = 2.0  # the chance level: of the share of the push on the anchor's own label, and of the gap
SIGMAS = 3.0  # a mean differs from another if by more than so many standard errors
ROUNDING = 2e-6  # of a cosine of rows in float32, which the temperature divides


def is_collapsed(found: Record) -> bool:
    """Return whether all rows, or a large share of the pairs of different things, have the same direction."""
    rows = 2 * found.batch
    return found.facts.centre**2 > COLLAPSED or found.facts.duplicates > MANY * rows * (rows - 2) / 2


def _chance(found: Record) -> float:
    """Return three standard errors of the mean cosine of as many random negatives as there are positives."""
    counts = np.asarray(found.histogram.negatives, dtype=np.float64)
    middle = (np.asarray(found.histogram.edges[1:]) + np.asarray(found.histogram.edges[:-1])) / 2
    mean = counts @ middle / counts.sum()
    return SIGMAS * math.sqrt(counts @ (middle - mean) ** 2 / counts.sum() / sum(found.histogram.positives))


def is_unrelated(found: Record) -> bool:
    """Return whether the positives' mean cosine is not above that of the negatives by more than chance explains."""
    return found.facts.positive_similarity - found.facts.negative_similarity < _chance(found)


def is_in_the_other_layout(found: Record) -> bool:
    """Return whether the pairs of the other layout are nearer, by more than chance explains."""
    facts = found.facts
    return facts.other_layout - max(facts.positive_similarity, facts.negative_similarity) > _chance(found)


def has_gap(found: Record) -> bool:
    """Return whether the views' mean rows are much farther apart than those of rows drawn alike, whose squared
    distance is 2/B times the variance of a row, on average.
    """
    centre, gap = found.facts.centre, found.facts.gap
    return gap**2 > TWICE**2 * 2 / found.batch * (1 - centre**2 - gap**2 / 4)


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
    elif math.isnan(rest):
        yield "The loss does not depend on the temperature."
    else:
        yield f"A learned temperature would not stop: it keeps {'falling' if rest == 0 else 'rising'}."
