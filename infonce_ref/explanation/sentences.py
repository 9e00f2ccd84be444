"""One sentence for each number, with the claims of the ledger behind it."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from ..floors import least
from .record import Facts, Record, Row


class Said(NamedTuple):
    """name: of the quantity · number: as printed · words: what it means · claims: that state it · equation: the id
    of one of these and the piece of its evidence to display, or None.
    """

    name: str
    number: str
    words: str
    claims: tuple[str, ...]
    equation: tuple[str, str] | None = None


def number(x: float, error: float = 0.0) -> str:
    """Format with four digits, or with the digits that a standard error supports."""
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


def explain_temperature(found: Record) -> Iterator[Said]:
    """Explain the row of the requested temperature."""
    error = found.errors[found.table.index(found.row)]
    yield from _loss(found, found.row, error)
    yield from _push(found, found.row, error)
    yield from _slopes(found, found.row, error)
    yield _information(found, found.row, error)


def _loss(found: Record, row: Row, error: Row) -> Iterator[Said]:
    candidates = 2 * found.batch - 1
    yield Said(
        "loss",
        f"{number(row.loss, error.loss)} nats",
        f"NT-Xent, mean over the {2 * found.batch} rows; at any temperature a collapsed batch scores log "
        f"{candidates}, {math.log(candidates):.4g}",
        ("D3.2", "D3.4", "M8"),
        ("D3.2", "odds"),
    )
    floor = least("ntxent", pairs=found.batch, features=found.features, temperature=row.temperature)
    above = number(row.loss - row.floor, error.loss)
    yield Said(
        "floor",
        f"{number(row.floor)} nats",
        f"no unit rows have a smaller mean loss: {floor.where}; these rows are {above} nats above it"
        + (", as partners differ or things are not evenly apart" if floor.reached else ""),
        ("M4",),
    )
    yield Said(
        "ceiling",
        f"{number(row.ceiling)} nats",
        "the largest loss of any unit row: positive opposite, all negatives coincident",
        ("M23",),
        ("M23", "most"),
    )


def _push(found: Record, row: Row, error: Row) -> Iterator[Said]:
    negatives = 2 * found.batch - 2
    yield Said(
        "1 − P",
        number(row.factor, error.factor),
        "mean 1 − P(positive): the pull on the positive, the total push on the negatives, and the factor by "
        "which the gradient is smaller than that of the decoupled loss",
        ("M15", "R7"),
        ("M15", "others"),
    )
    yield Said(
        "effective negatives",
        f"{number(row.effective_negatives, error.effective_negatives)} of {negatives}",
        "mean of e to the entropy of an anchor's push over its negatives: this many negatives, all at the "
        "push-weighted mean similarity, would give the same loss",
        ("R17",),
        ("R17", "loss"),
    )
    yield Said(
        "nearest 1 %",
        percent(row.hardest_share, error.hardest_share),
        f"of the push goes to the {found.nearest} nearest of an anchor's {negatives} negatives",
        ("M15",),
        ("M15", "odds"),
    )
    if found.classes:
        yield Said(
            "same label",
            percent(row.same_label_share, error.same_label_share),
            "of the push goes to negatives with the anchor's label, false negatives if the labels matter; "
            f"chance: {percent(row.same_label_chance)}",
            ("M15",),
            ("M15", "softmax"),
        )


def _slopes(found: Record, row: Row, error: Row) -> Iterator[Said]:
    yield Said(
        "‖∂𝓛/∂w‖",
        number(row.gradient_norm, error.gradient_norm),
        "norm of the gradient by the raw rows; it is orthogonal to each row and shrinks as rows grow longer"
        + _drawn(found),
        ("M5",),
        ("M5", "gradient"),
    )
    yield Said(
        "∂𝓛/∂τ",
        number(row.slope, error.slope),
        "a learned temperature moves from here "
        + ("up: the loss falls as τ rises" if row.slope < 0 else "down: the loss falls as τ falls"),
        ("M7", "R1"),
        ("M7", "by temperature"),
    )


def _information(found: Record, row: Row, error: Row) -> Said:
    if row.information > 0:
        words = (
            "lower bound on the information that the views share, if pairs are independent and new to the encoder: "
            f"log {found.batch} − loss, at most {math.log(found.batch):.4g}"
        )
    else:
        words = f"log {found.batch} − loss: no lower bound on the information that the views share"
    return Said(
        "information",
        f"{number(row.information, error.information)} nats",
        words,
        ("P2",),
        ("P2", "bound"),
    )


def _drawn(found: Record) -> str:
    return (
        ""
        if found.draws or found.anchors == 2 * found.batch
        else f"; estimated from {found.anchors} random rows"
    )


def facts(found: Record) -> Iterator[Said]:
    """Explain what does not depend on the temperature."""
    yield from _pairs(found, found.facts, found.fact_errors)
    yield from _spread(found, found.facts, found.fact_errors)


def _pairs(found: Record, facts: Facts, errors: Facts) -> Iterator[Said]:
    yield Said("resting temperature", *_rest(found), ("R1",), ("R1", "slope"))
    yield Said(
        "similarity",
        f"{number(facts.positive_similarity, errors.positive_similarity)} and "
        f"{number(facts.negative_similarity, errors.negative_similarity)}",
        "mean cosine of positives, and of negatives",
        ("D3.3",),
    )
    yield Said(
        "beaten positives",
        percent(facts.beaten, errors.beaten),
        "of the rows have a negative nearer than their positive; if none had, a learned temperature would "
        "keep falling",
        ("R1",),
        ("R1", "right"),
    )
    if found.classes:
        yield Said(
            "floor by labels",
            f"{number(facts.label_floor, errors.label_floor)} nats",
            "no encoder gets below it if the positive is a uniformly random row of the anchor's label; if "
            "it is another view of the same thing, this is no floor",
            ("R13",),
            ("R13", "floor"),
        )


def _spread(found: Record, facts: Facts, errors: Facts) -> Iterator[Said]:
    yield Said(
        "alignment",
        number(facts.alignment, errors.alignment),
        "mean of ‖z − z′‖² over the pairs; 0 if views coincide",
        ("R16",),
        ("R16", "split"),
    )
    yield Said(
        "uniformity",
        number(facts.uniformity, errors.uniformity),
        "log of the mean of e^(−2‖z_i − z_j‖²) over all pairs of rows; "
        f"least possible: {number(facts.least_uniformity)}; collapsed: 0",
        ("R16",),
        ("R16", "uniform"),
    )
    yield Said(
        "centre",
        number(facts.centre, errors.centre),
        "length of the mean row: 0 at the floor of the loss, 1 for a collapsed batch",
        ("M4",),
    )
    yield Said(
        "gap",
        number(facts.gap, errors.gap),
        "distance of the two views' mean rows; NT-Xent depends on it, CLIP's loss, whose negatives are all "
        "of the other view, only through its temperature",
        ("R10",),
    )
    yield Said(
        "effective rank",
        f"{number(facts.effective_rank, errors.effective_rank)} of {min(found.features, 2 * found.batch)}",
        "e to the entropy of the normalised singular values (Roy and Vetterli, 2007); 1 if all rows lie on "
        "one line",
        (),
    )
    yield Said(
        "lengths",
        f"{number(facts.shortest)} … {number(facts.mean_length)} … {number(facts.longest)}",
        "of the raw rows: shortest, mean, longest; a row twice as long has the same loss and half the gradient",
        ("M5",),
        ("M5", "tangent"),
    )
    yield Said(
        "duplicates",
        number(facts.duplicates, errors.duplicates),
        "pairs of different things less than 0.1° apart",
        ("M15",),
    )


def _rest(found: Record) -> tuple[str, str]:
    rest = found.rest
    if math.isnan(rest.temperature):
        return (
            "none",
            "all candidates of a row are as near as its positive, so the loss does not depend on the temperature",
        )
    if rest.temperature == 0:
        return (
            "none",
            "no negative is nearer than its positive, so a learned temperature keeps falling unless it is clamped",
        )
    if math.isinf(rest.temperature):
        return (
            "none",
            "positives are on average no nearer than candidates, so a learned temperature keeps rising",
        )
    where = f"between {number(rest.below)} and {number(rest.above)} of the table"
    if rest.below == 0 or math.isinf(rest.above):
        where = "colder than the table" if rest.below == 0 else "warmer than the table"
    drawn = (
        "" if rest.rows == 2 * found.batch else f"; accurate to a few percent, from {rest.rows} random rows"
    )
    return (
        number(rest.temperature),
        f"minimises the loss of these rows; {where}{drawn}",
    )
