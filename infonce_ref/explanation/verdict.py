"""The verdict on a batch: three sentences and advice, printed before any table."""

import math
from collections.abc import Iterator

import numpy as np

from .record import Record
from .sentences import number, percent

COLLAPSED = 0.99  # mean cosine of all rows
MANY = 0.05  # share of the pairs of different things that coincide
SIGMAS = 3.0  # minimal lead of related views over negatives, in standard errors


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


def verdict(found: Record) -> Iterator[str]:
    """Yield three sentences and the advice."""
    facts, row, rest = found.facts, found.row, found.rest.temperature
    positive, negative = number(facts.positive_similarity), number(facts.negative_similarity)
    if is_collapsed(found):
        yield f"COLLAPSED: rows of different things point the same way (mean cosine {negative})."
    elif is_unrelated(found):
        yield f"UNRELATED VIEWS: positives are no nearer than negatives (mean cosines {positive} and {negative})."
    else:
        yield f"The views belong together: mean cosines of positives and negatives are {positive} and {negative}."
    yield (
        f"At τ = {found.temperature:g} the loss is {number(row.loss)} nats (floor: {number(row.floor)}; a "
        f"collapsed batch: {math.log(2 * found.batch - 1):.4g}), and {number(row.effective_negatives)} of "
        f"{2 * found.batch - 2} negatives count."
    )
    if found.classes:
        share, chance = percent(row.same_label_share), percent(row.same_label_chance)
        yield f"{share} of the push falls on the anchor's own label (chance: {chance})."
    elif 0 < rest < math.inf:
        yield f"A learned temperature would stop at {number(rest)}."
    else:
        yield "A learned temperature would find no place to stop."
    todo = (
        found.advice[0].then if found.advice else "nothing: no rule of the ledger speaks against this batch"
    )
    yield f"→ To do: {todo}."
