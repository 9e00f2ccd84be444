"""The numbers of an explanation, as plain records."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

LADDER = (1.0, 0.5, 0.2, 0.1, 0.07, 0.05, 0.02, 0.01)  # temperatures

Progress = Callable[[str, int, int], None]  # the stage, how much of it is done, of what total


class Row(NamedTuple):
    """One temperature; `sentences.explain_temperature` explains each field."""

    temperature: float
    loss: float
    floor: float
    ceiling: float
    factor: float
    effective_negatives: float
    hardest_share: float
    same_label_share: float
    same_label_chance: float
    gradient_norm: float
    slope: float
    information: float


class Facts(NamedTuple):
    """Facts that do not depend on the temperature; `sentences.facts` explains each field."""

    positive_similarity: float
    negative_similarity: float
    beaten: float
    alignment: float
    uniformity: float
    least_uniformity: float
    centre: float
    gap: float
    effective_rank: float
    shortest: float
    mean_length: float
    longest: float
    duplicates: float
    label_floor: float
    other_layout: float


class Rest(NamedTuple):
    """temperature: where a learned temperature would stop; 0 if it keeps falling, infinite if it keeps rising
    · below, above: the neighbouring temperatures of the table · rows: how many rows of each batch were used
    to interpolate.
    """

    temperature: float
    below: float
    above: float
    rows: int


class Near(NamedTuple):
    """Two rows of different things: their indices, their names, their cosine, the cosine of each with its own
    positive, their push relative to an even share, and whether they share a label."""

    rows: tuple[int, int]
    names: tuple[str, str]
    similarity: float
    positives: tuple[float, float]
    push: float
    same_label: bool | None


class Worst(NamedTuple):
    """A row with a distant positive: their names, their cosine, the nearest negative and its cosine, the
    row's loss.
    """

    rows: tuple[int, int]
    names: tuple[str, str]
    similarity: float
    negative: int
    negative_name: str
    negative_similarity: float
    loss: float


class Advice(NamedTuple):
    """what: the finding · then: what to do · rule: why · claims: the claims that state the rule."""

    what: str
    then: str
    rule: str
    claims: tuple[str, ...]


class Histogram(NamedTuple):
    """edges (K + 1,) of the cosines · counts of positives, negatives, negatives with the anchor's label."""

    edges: Sequence[float]
    positives: Sequence[int]
    negatives: Sequence[int]
    same_label: Sequence[int] | None


class Typical(NamedTuple):
    """The row with the median loss: its name, the cosine of its positive, the cosines of its negatives (a
    sample, even by rank), and log Σ_j e^{s_j/τ} over all candidates at each temperature."""

    name: str
    positive: float
    negatives: Sequence[float]
    log_total: Sequence[float]


class Record(NamedTuple):
    """A whole explanation.

    pairs, features, dtype: of the input · batch: pairs in a batch: all, or as many as were drawn · draws: how many
    batches were drawn, 0 for all pairs at once · anchors: rows of a batch that were measured one by one · nearest:
    how many negatives of an anchor `hardest_share` counts · temperature: the requested one · table, errors: a row
    for each temperature, and its standard errors, 0 without random draws · facts, fact_errors: likewise · rest ·
    hardest, labelled, duplicates, worst: pairs of rows to list · advice · histogram · typical: an anchor to draw.
    """

    pairs: int
    features: int
    dtype: str
    classes: int
    batch: int
    draws: int
    anchors: int
    nearest: int
    temperature: float
    table: tuple[Row, ...]
    errors: tuple[Row, ...]
    facts: Facts
    fact_errors: Facts
    rest: Rest
    hardest: tuple[Near, ...]
    labelled: tuple[Near, ...]
    duplicates: tuple[Near, ...]
    worst: tuple[Worst, ...]
    advice: tuple[Advice, ...]
    histogram: Histogram
    typical: Typical

    @property
    def row(self) -> Row:
        """The row of the requested temperature."""
        return next(row for row in self.table if row.temperature == self.temperature)

    def json(self) -> str:
        """Return everything as JSON; null stands for NaN and infinity."""
        return json.dumps(_plain(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(x: Any) -> Any:
    if hasattr(x, "_asdict"):
        return {name: _plain(value) for name, value in x._asdict().items()}
    if isinstance(x, list | tuple):
        return [_plain(value) for value in x]
    return None if isinstance(x, float) and not math.isfinite(x) else x
