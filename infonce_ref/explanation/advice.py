"""Advice on a batch. Each piece follows from a rule of the ledger, which it quotes."""

from collections.abc import Iterator

from .record import Advice, Facts, Record, Row
from .sentences import number, percent
from .verdict import (
    has_gap,
    is_collapsed,
    is_in_the_other_layout,
    is_pushed_from_its_label,
    is_unrelated,
    is_worse_than_collapsed,
)

HALF = 0.5  # of the push: advise if the nearest negatives have more
PAIRS = "the loss only knows which rows are pairs"
SHARES = "two negatives of an anchor share its push as e^(difference of their cosines / τ)"


def advise(found: Record) -> Iterator[Advice]:
    """Yield the advice, the most consequential first."""
    if is_collapsed(found):
        pairs = 2 * found.batch * (found.batch - 1)
        yield Advice(
            f"the batch is collapsed: of {pairs} pairs of rows of different things, whose mean cosine is "
            f"{number(found.facts.negative_similarity)}, {number(found.facts.duplicates)} coincide",
            "check that the encoder's output still depends on its input, and that negatives reach the loss",
            "a collapsed batch scores log(2B − 1) at every temperature, and rows that coincide get no gradient "
            "along the sphere from each other",
            ("M8", "M15"),
        )
        return
    yield from _about_pairs(found, found.facts)
    yield from _about_push(found, found.row)
    if found.rest.temperature == 0:
        yield Advice(
            "no negative is nearer than a positive",
            "clamp a learned temperature, or hold it fixed",
            "if no candidate scores above its positive, the loss keeps falling as τ does",
            ("R1",),
        )


def _about_pairs(found: Record, facts: Facts) -> Iterator[Advice]:
    if is_in_the_other_layout(found):
        yield Advice(
            f"positives have the mean cosine {number(facts.positive_similarity)}, and would have "
            f"{number(facts.other_layout)} if the array were in the other layout",
            "check which rows are two views of one thing, and pass --layout",
            PAIRS,
            ("D3.2",),
        )
    elif is_unrelated(found):
        gap = f"; the views' mean rows are {number(facts.gap)} apart, so if they are two modalities use CLIP's loss"
        yield Advice(
            "positives are on average no nearer than negatives, or only as chance explains: "
            f"{number(facts.positive_similarity)} and {number(facts.negative_similarity)}",
            f"check that the two rows of each pair show the same thing{gap if has_gap(found) else ''}",
            PAIRS,
            ("D3.2", "R10") if has_gap(found) else ("D3.2",),
        )
    elif is_worse_than_collapsed(found):
        least = min(found.table, key=lambda r: r.loss)
        yield Advice(
            "the loss is larger than if all rows were equal",
            f"raise τ (at {number(least.temperature)} the loss is {number(least.loss)}), or pass the τ of the "
            "training with --temperature; --verbose lists the worst positives",
            "the loss is convex in 1/τ and goes to log(2B − 1) as τ grows; if it is larger, it falls as τ rises",
            ("M7", "M8"),
        )
    if facts.duplicates > 0:
        first = f": {' and '.join(found.duplicates[0].names)}" if found.duplicates else ""
        yield Advice(
            f"{number(facts.duplicates)} pairs of rows of different things coincide{first}",
            "drop one of each",
            "a negative that coincides with its anchor adds to the loss but not to the gradient along the sphere; "
            "and the bound on the information needs pairs that are drawn independently",
            ("M15", "P5"),
        )


def _about_push(found: Record, row: Row) -> Iterator[Advice]:
    if is_pushed_from_its_label(row):
        warmer = [r for r in found.table if r.temperature > row.temperature]
        least = min(warmer, key=lambda r: r.same_label_share, default=None)
        raised = (
            f"raise τ (at {number(least.temperature)} it is {percent(least.same_label_share)}), or "
            if least
            else ""
        )
        yield Advice(
            f"{percent(row.same_label_share)} of the push falls on the anchor's own label; "
            f"chance: {percent(row.same_label_chance)}",
            f"{raised}if rows of one label should be alike, use SupCon, which treats them as positives",
            f"{SHARES}, and those of the same label are nearer",
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
            f"the nearest 1 % of the negatives get {percent(row.hardest_share)} of the push",
            f"{raised}check that the nearest{where} are true negatives",
            SHARES,
            ("M15",),
        )
