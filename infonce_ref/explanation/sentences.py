"""One sentence for each number, with the claims of the ledger behind it."""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..floors import least
from .record import Record

# name: the number as printed: what it means [the claims that state it; an equation of one of them to display]
AT_A_TEMPERATURE = """
loss: {loss} nats: NT-Xent, mean over the {rows} rows; at any temperature a collapsed batch scores log
 {candidates}, {collapsed} [D3.2 D3.4 M8; D3.2 odds]
floor: {floor} nats: no unit rows have a smaller mean loss: {where}; these rows are {above} nats above
 it{apart} [M4]
ceiling: {ceiling} nats: the largest loss of any unit row: positive opposite, all negatives coincident [M23;
 M23 most]
1 − P: {factor}: mean 1 − P(positive): the pull on the positive, the total push on the negatives, and the
 factor by which the gradient is smaller than that of the decoupled loss [M15 R7; M15 others]
effective negatives: {effective_negatives} of {negatives}: mean of e to the entropy of an anchor's push over
 its negatives: this many negatives, all at the push-weighted mean similarity, would give the same loss [R17;
 R17 loss]
nearest 1 %: {hardest_share}: of the push goes to the {nearest} nearest of an anchor's {negatives} negatives
 [M15; M15 odds]
same label: {same_label_share}: of the push goes to negatives with the anchor's label, false negatives if the
 labels matter; chance: {same_label_chance} [M15; M15 softmax]
‖∂𝓛/∂w‖: {gradient_norm}: norm of the gradient by the raw rows; it is orthogonal to each row and shrinks as
 rows grow longer{estimated} [M5; M5 gradient]
∂𝓛/∂τ: {slope}: a learned temperature moves from here {direction} [M7 R1; M7 by temperature]
information: {information} nats: {bound} [P2; P2 bound]
"""
AT_EVERY_TEMPERATURE = """
resting temperature: {rest}: {why} [R1; R1 slope]
similarity: {positive_similarity} and {negative_similarity}: mean cosine of positives, and of negatives [D3.3]
beaten positives: {beaten}: of the rows have a negative nearer than their positive; if none had, a learned
 temperature would keep falling [R1; R1 right]
floor by labels: {label_floor} nats: no encoder gets below it if the positive is a uniformly random row of the
 anchor's label; if it is another view of the same thing, this is no floor [R13; R13 floor]
alignment: {alignment}: mean of ‖z − z′‖² over the pairs; 0 if views coincide [R16; R16 split]
uniformity: {uniformity}: log of the mean of e^(−2‖z_i − z_j‖²) over all pairs of rows; least possible:
 {least_uniformity}; collapsed: 0 [R16; R16 uniform]
centre: {centre}: length of the mean row: 0 at the floor of the loss, 1 for a collapsed batch [M4]
gap: {gap}: distance of the two views' mean rows; NT-Xent depends on it, CLIP's loss, whose negatives are all
 of the other view, only through its temperature [R10]
effective rank: {effective_rank} of {most}: e to the entropy of the normalised singular values (Roy and
 Vetterli, 2007); 1 if all rows lie on one line []
lengths: {shortest} … {mean_length} … {longest}: of the raw rows: shortest, mean, longest; a row twice as long
 has the same loss and half the gradient [M5; M5 tangent]
duplicates: {duplicates}: pairs of different things less than 0.1° apart [M15]
"""
SHARES = ("hardest_share", "same_label_share", "same_label_chance", "beaten")  # written in percent
# written without a standard error
EXACT = {"temperature", "floor", "ceiling", "same_label_chance", "least_uniformity"}
EXACT |= {"shortest", "mean_length", "longest"}
OF_LABELS = ("same label", "floor by labels")


class Sentence(NamedTuple):
    """name: of the quantity · number: as printed · words: what it means · claims: that state it · equation: the id
    of one of these and the piece of its evidence to display, or None.
    """

    name: str
    number: str
    words: str
    claims: tuple[str, ...]
    equation: tuple[str, str] | None


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


def explain_temperature(found: Record) -> Iterator[Sentence]:
    """Explain the row of the requested temperature."""
    row, error = found.row, found.errors[found.table.index(found.row)]
    candidates, drawn = 2 * found.batch - 1, not found.draws and found.anchors < 2 * found.batch
    floor = least("ntxent", pairs=found.batch, features=found.features, temperature=row.temperature)
    most = f"at most {math.log(found.batch):.4g}"
    bound = (
        "lower bound on the information that the views share, if pairs are independent and new to the encoder: "
        f"log {found.batch} − loss, {most if row.information > 0 else 'trivial here, as information is at least 0'}"
    )
    return fill_in(
        AT_A_TEMPERATURE,
        found,
        format_fields(row, error),
        rows=2 * found.batch,
        candidates=candidates,
        negatives=candidates - 1,
        collapsed=f"{math.log(candidates):.4g}",
        where=floor.where,
        above=number(row.loss - row.floor, error.loss),
        apart=", as partners differ or things are not evenly apart" if floor.reached else "",
        nearest=found.nearest,
        estimated=f"; estimated from {found.anchors} random rows" if drawn else "",
        direction=("up: the loss falls as τ rises" if row.slope < 0 else "down: the loss falls as τ falls"),
        bound=bound,
    )


def facts(found: Record) -> Iterator[Sentence]:
    """Explain what does not depend on the temperature."""
    rest, why = explain_rest(found)
    fields = format_fields(found.facts, found.fact_errors)
    most = min(found.features, 2 * found.batch)
    return fill_in(AT_EVERY_TEMPERATURE, found, fields, rest=rest, why=why, most=most)


def format_fields(values: NamedTuple, errors: NamedTuple) -> dict[str, str]:
    """Write each number of a record."""
    return {
        name: (percent if name in SHARES else number)(x, 0.0 if name in EXACT else error)
        for name, x, error in zip(values._fields, values, errors)
    }


def fill_in(text: str, found: Record, fields: dict[str, str], **more: object) -> Iterator[Sentence]:
    """Put the numbers into the entries of a text; those of labels only if there are labels."""
    for entry in re.split(r"\n(?! )", text.strip()):
        name, shown, rest = entry.replace("\n", "").split(": ", 2)
        words, _, source = rest.removesuffix("]").rpartition(" [")
        claims, _, equation = source.partition("; ")
        if found.classes or name not in OF_LABELS:
            shown, words = (x.format(**fields, **more) for x in (shown, words))
            id, _, piece = equation.partition(" ")
            yield Sentence(name, shown, words, tuple(claims.split()), (id, piece) if id else None)


def explain_rest(found: Record) -> tuple[str, str]:
    """Return where a learned temperature would stop, and why."""
    rest = found.rest
    if rest.temperature == 0:
        why = "no negative is nearer than its positive, so a learned temperature keeps falling unless it is clamped"
    elif math.isinf(rest.temperature):
        why = "positives are on average no nearer than candidates, so a learned temperature keeps rising"
    elif math.isnan(rest.temperature):
        why = "all candidates of a row are as near as its positive, so the loss does not depend on the temperature"
    else:
        where = f"between {number(rest.below)} and {number(rest.above)} of the table"
        if rest.below == 0 or math.isinf(rest.above):
            where = "below those of the table" if rest.below == 0 else "above those of the table"
        if rest.rows < 2 * found.batch:
            where += f"; accurate to a few percent, from {rest.rows} random rows"
        return number(rest.temperature), f"minimises the loss of these rows; {where}"
    return "none", why
