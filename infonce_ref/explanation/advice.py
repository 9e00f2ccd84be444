"""What to do about it: only where a rule says so, and with the rule."""

from collections.abc import Iterator

from .record import Advice, Record
from .sentences import number, percent

TWICE, HALF = 2.0, 0.5  # from twice chance on, and from half of all push on, it is worth a word
PAIRS = "the loss sees nothing but which rows are pairs"
SHARES = "two negatives of an anchor share its push as e^(difference of their cosines / τ)"


def advice(found: Record) -> Iterator[Advice]:
    """In the order of what would change most."""
    row, facts = found.row, found.facts
    if facts.other_layout > max(facts.positive_similarity, facts.negative_similarity):
        yield Advice(
            f"positives have the mean cosine {number(facts.positive_similarity)}, and would have "
            f"{number(facts.other_layout)} if the array were in the other layout",
            "see which rows are two views of one thing: --layout says it",
            PAIRS,
            ("D3.2",),
        )
    elif facts.positive_similarity <= facts.negative_similarity:
        yield Advice(
            f"positives are no nearer than negatives in the mean: {number(facts.positive_similarity)} and "
            f"{number(facts.negative_similarity)}",
            f"see whether row k of both is of one thing; or, as the mean rows of the views are {number(facts.gap)} "
            "apart, whether they are two modalities, for which there is CLIP's loss",
            PAIRS,
            ("D3.2", "R10"),
        )
    if facts.duplicates > 0:
        first = f": {' and '.join(found.duplicates[0].names)}" if found.duplicates else ""
        yield Advice(
            f"{number(facts.duplicates)} pairs of rows of different things are one row{first}",
            "drop one thing of each",
            "a negative that coincides with its anchor adds to the loss and, along the sphere, nothing to the "
            "gradient; and no bound on the information is known where things are not drawn apart from one another",
            ("M15", "P5"),
        )
    if row.same_label_share > TWICE * row.same_label_chance:
        warmer = [r for r in found.table if r.temperature > row.temperature]
        least = min(warmer, key=lambda r: r.same_label_share, default=None)
        raised = (
            f"raise τ (at {number(least.temperature)} it is {percent(least.same_label_share)}), or "
            if least
            else ""
        )
        yield Advice(
            f"{percent(row.same_label_share)} of the push falls on the anchor's own label, where "
            f"{percent(row.same_label_chance)} is chance",
            f"{raised}if one label is one thing to you, take SupCon, for which these are positives",
            f"{SHARES}, and those of one label are the nearer ones",
            ("M15", "R6"),
        )
    if row.hardest_share > HALF and 2 * found.batch - 2 >= 100:
        where = f", such as {' and '.join(found.hardest[0].names)}," if found.hardest else ""
        warmer = [r for r in found.table if r.temperature > row.temperature and r.hardest_share <= HALF]
        raised = (
            f"raise τ (at {number(warmer[-1].temperature)} it is {percent(warmer[-1].hardest_share)}), or "
            if warmer
            else ""
        )
        yield Advice(
            f"the nearest 1 % of the negatives have {percent(row.hardest_share)} of the push",
            f"{raised}look whether the nearest{where} are negatives at all",
            SHARES,
            ("M15",),
        )
    if found.rest.temperature == 0:
        yield Advice(
            "no negative is nearer than a positive",
            "clamp a learned temperature, or hold it fixed",
            "where no candidate scores above its positive the loss falls with τ without end",
            ("R1",),
        )
