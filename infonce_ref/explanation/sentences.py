"""What each number is, in a sentence, with the claims of the ledger behind it."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from .record import Record


class Said(NamedTuple):
    """name: of the quantity · number: as it is printed · words: what it is · claims: behind it · equation: the id
    of one of these and the name of the piece of its evidence to display; None where it says it in words."""

    name: str
    number: str
    words: str
    claims: tuple[str, ...]
    equation: tuple[str, str] | None = None


def number(x: float, error: float = 0.0) -> str:
    """With as many digits as a reader can use; with its standard error, if something was drawn."""
    if math.isnan(x):
        return "–"
    if not math.isfinite(x):
        return "∞" if x > 0 else "−∞"
    if error > 0:
        places = max(0, -math.floor(math.log10(error)))
        if places < 6:
            return f"{x:.{places}f} ± {error:.{places}f}"
        digits = max(1, 1 + math.floor(math.log10(abs(x))) + places) if x else 1
        return f"{x:.{min(digits, 9)}g} ± {error:.0e}"
    if abs(x) < 1e-3 or abs(x) >= 1e6:
        return f"{x:.2g}"
    return f"{x:.4g}" if abs(x) < 1e4 else f"{x:.0f}"


def percent(x: float, error: float = 0.0) -> str:
    if math.isnan(x):
        return "–"
    if error > 0:
        return f"{number(100 * x, 100 * error)} %"
    return f"{100 * x:.3g} %"


def at_temperature(found: Record) -> Iterator[Said]:
    """The row of the table at the temperature asked about."""
    row = found.row
    error = found.errors[found.table.index(row)]
    negatives, candidates = 2 * found.batch - 2, 2 * found.batch - 1
    yield Said(
        "loss",
        f"{number(row.loss, error.loss)} nats",
        f"NT-Xent, the mean over the {2 * found.batch} rows; rows that are all alike have log {candidates}, "
        f"{math.log(candidates):.4g}, at any temperature",
        ("D3.2", "D3.4", "M8"),
        ("D3.2", "odds"),
    )
    room = (
        f"to reach it takes {found.batch - 1} features, and these rows have {found.features}"
        if found.features < found.batch - 1
        else "it is reached where pairs coincide and things form a regular simplex"
    )
    yield Said(
        "floor",
        f"{number(row.floor)} nats",
        f"no unit rows have a smaller mean loss; {room}",
        ("M4",),
    )
    yield Said(
        "ceiling",
        f"{number(row.ceiling)} nats",
        "no unit row has a larger loss: its positive opposite to it, its negatives all upon it",
        ("M23",),
        ("M23", "most"),
    )
    yield Said(
        "1 − P",
        number(row.factor, error.factor),
        "what the positive's probability lacks of 1, in the mean: the pull on the positive, the whole push on the "
        "negatives, and the factor by which the gradient is smaller than that of the decoupled loss",
        ("M15", "R7"),
        ("M15", "others"),
    )
    yield Said(
        "effective negatives",
        f"{number(row.effective_negatives, error.effective_negatives)} of {negatives}",
        "e to the entropy of how an anchor shares its push among its negatives, in the mean: so many, all at the "
        "similarity that the shares average, would give it the same loss",
        ("R17",),
        ("R17", "loss"),
    )
    yield Said(
        "nearest 1 %",
        percent(row.hardest_share, error.hardest_share),
        f"of the push falls on the {found.nearest} nearest of an anchor's {negatives} negatives",
        ("M15",),
        ("M15", "odds"),
    )
    if found.classes:
        yield Said(
            "same label",
            percent(row.same_label_share, error.same_label_share),
            "of the push falls on negatives of the anchor's own label, false ones if labels are what counts; "
            f"shared evenly it were {percent(row.same_label_chance)}",
            ("M15",),
            ("M15", "softmax"),
        )
    yield Said(
        "‖∂𝓛/∂w‖",
        number(row.gradient_norm, error.gradient_norm),
        "the gradient by all rows as they came, which stands across each of them and shrinks as they grow longer"
        + _drawn(found),
        ("M5",),
        ("M5", "gradient"),
    )
    yield Said(
        "∂𝓛/∂τ",
        number(row.slope, error.slope),
        "by which a learned temperature moves from here: "
        + ("up, the loss falls as it rises" if row.slope < 0 else "down, the loss falls with it"),
        ("M7", "R1"),
        ("M7", "by temperature"),
    )
    if row.information > 0:
        words = (
            "that one view has of the other at least, if pairs are drawn apart from one another and the encoder "
            f"has not seen them: log {found.batch} less the loss, and never more than {math.log(found.batch):.4g}"
        )
    else:
        words = f"log {found.batch} less the loss: nothing is known of the information that the views share"
    yield Said(
        "information",
        f"{number(row.information, error.information)} nats",
        words,
        ("P2",),
        ("P2", "bound"),
    )


def _drawn(found: Record) -> str:
    return "" if found.draws or found.anchors == 2 * found.batch else f"; from {found.anchors} rows, drawn"


def facts(found: Record) -> Iterator[Said]:
    """What no temperature changes."""
    facts, errors = found.facts, found.fact_errors
    yield Said("resting temperature", *_rest(found), ("R1",), ("R1", "slope"))
    yield Said(
        "similarity",
        f"{number(facts.positive_similarity, errors.positive_similarity)} and "
        f"{number(facts.negative_similarity, errors.negative_similarity)}",
        "the mean cosine of positives, and of negatives",
        ("D3.3",),
    )
    yield Said(
        "beaten positives",
        percent(facts.beaten, errors.beaten),
        "of the rows have a negative nearer than their positive; if none had, a learned temperature would fall "
        "for ever",
        ("R1",),
        ("R1", "right"),
    )
    if found.classes:
        yield Said(
            "floor by labels",
            f"{number(facts.label_floor, errors.label_floor)} nats",
            "no encoder's loss goes below it where a positive is any row of its label, each as likely; where it is "
            "another view of one thing, as here it may be, that is no floor",
            ("R13",),
            ("R13", "floor"),
        )
    yield Said(
        "alignment",
        number(facts.alignment, errors.alignment),
        "the mean of ‖z − z′‖² over the pairs, 0 where views coincide",
        ("R16",),
        ("R16", "split"),
    )
    yield Said(
        "uniformity",
        number(facts.uniformity, errors.uniformity),
        "log of the mean of e^(−2‖z_i − z_j‖²) over all pairs of rows; "
        f"{number(facts.least_uniformity)} is the least that any rows can have, 0 a collapse",
        ("R16",),
        ("R16", "uniform"),
    )
    yield Said(
        "centre",
        number(facts.centre, errors.centre),
        "the length of the mean row: 0 at the floor of the loss, 1 where all rows are one",
        ("M4",),
    )
    yield Said(
        "gap",
        number(facts.gap, errors.gap),
        "between the mean rows of the two views: CLIP's loss, whose negatives are all of the other view, does not "
        "see it, but for its temperature; this one does",
        ("R10",),
    )
    yield Said(
        "effective rank",
        f"{number(facts.effective_rank, errors.effective_rank)} of {min(found.features, 2 * found.batch)}",
        "e to the entropy of the shares that the singular values have of their sum (Roy and Vetterli, 2007); "
        "1 where all rows lie on one line",
        (),
    )
    yield Said(
        "lengths",
        f"{number(facts.shortest)} … {number(facts.mean_length)} … {number(facts.longest)}",
        "of the rows as they came: shortest, mean, longest; a row twice as long has half the gradient, and the "
        "same loss",
        ("M5",),
        ("M5", "tangent"),
    )
    yield Said(
        "duplicates",
        number(facts.duplicates, errors.duplicates),
        "pairs of rows, of different things, less than 0.1° apart",
        ("M15",),
    )


def _rest(found: Record) -> tuple[str, str]:
    rest = found.rest
    if math.isnan(rest.temperature):
        return (
            "none",
            "all candidates of a row are as near as its positive, and no temperature changes the loss",
        )
    if rest.temperature == 0:
        return (
            "none",
            "no negative is nearer than a positive, so a learned temperature falls until a clamp holds it",
        )
    if math.isinf(rest.temperature):
        return "none", "positives are no nearer than candidates in the mean, so a learned one rises for ever"
    where = f"between {number(rest.below)} and {number(rest.above)} of the table"
    if rest.below == 0 or math.isinf(rest.above):
        where = "colder than any of the table" if rest.below == 0 else "warmer than any of the table"
    drawn = "" if rest.rows == 2 * found.batch else f"; to a few percent, from {rest.rows} rows, drawn"
    return (
        number(rest.temperature),
        f"where the loss of these rows, held still, is least; {where}{drawn}",
    )
