"""The record as text."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from .record import Explanation, Near
from .sentences import Said, at_temperature, facts, number, percent

WIDTH = 110
COLUMNS = {  # heading: how the cell of a row is written
    "τ": lambda row, error: f"{row.temperature:g}",
    "loss": lambda row, error: number(row.loss, error.loss),
    "floor": lambda row, error: number(row.floor),
    "ceiling": lambda row, error: number(row.ceiling),
    "1 − P": lambda row, error: number(row.factor, error.factor),
    "negatives": lambda row, error: number(row.effective_negatives, error.effective_negatives),
    "nearest 1 %": lambda row, error: percent(row.hardest_share, error.hardest_share),
    "same label": lambda row, error: percent(row.same_label_share, error.same_label_share),
    "‖∂𝓛/∂w‖": lambda row, error: number(row.gradient_norm, error.gradient_norm),
    "∂𝓛/∂τ": lambda row, error: number(row.slope, error.slope),
    "I ≥": lambda row, error: number(row.information, error.information),
}


def heading(found: Explanation) -> str:
    """What was looked at, in a line."""
    what = f"{found.pairs} pairs of {found.features} features, {found.dtype}"
    if found.classes:
        what += f", {found.classes} labels"
    if found.draws:
        return f"{what}: NT-Xent over {found.batch} of them, the mean of {found.draws} draws ± standard error"
    return f"{what}: NT-Xent over all of them at once"


def cells(found: Explanation) -> tuple[list[str], list[list[str]]]:
    """The table: headings, and the cells of each row."""
    columns = {name: cell for name, cell in COLUMNS.items() if found.classes or name != "same label"}
    return list(columns), [
        [cell(row, error) for cell in columns.values()] for row, error in zip(found.table, found.errors)
    ]


def text(found: Explanation) -> str:
    return "\n".join(_lines(found))


def _lines(found: Explanation) -> Iterator[str]:
    yield heading(found)
    yield ""
    head, rows = cells(found)
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    for mark, row in zip([" ", *(">" if r is found.row else " " for r in found.table)], [head, *rows]):
        yield mark + "  ".join(cell.rjust(width) for cell, width in zip(row, widths))
    yield ""
    yield f"at τ = {found.temperature:g}"
    yield from _said(list(at_temperature(found)))
    yield ""
    yield "at every temperature"
    yield from _said(list(facts(found)))
    for title, pairs in (
        ("nearest negatives", found.hardest),
        ("nearest negatives of one label", found.labelled if found.labelled != found.hardest else ()),
        ("rows that are one row, of different things", found.duplicates),
    ):
        if pairs:
            yield ""
            yield f"{title}: cosine, that of each with its own positive, push on the two, in even shares"
            yield from _pairs(pairs)
    if found.worst:
        yield ""
        yield "worst positives: cosine, nearest negative and its cosine, loss of the row"
        for x in found.worst:
            yield (
                f"  {' – '.join(x.names)}   {x.similarity:.4f}   {x.negative_name}  {x.negative_similarity:.4f}   "
                f"{x.loss:.4g} nats"
            )
    for advice in found.advice:
        ids = ", ".join(advice.claims)
        yield ""
        yield fill(f"→ {advice.what}: {advice.then}.", WIDTH, subsequent_indent="  ")
        yield fill(f"Rule: {advice.rule} [{ids}].", WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield ""
    yield "An id such as M15 names a proof: infonce-ref ledger M15"


def _said(told: Sequence[Said]) -> Iterator[str]:
    names, numbers = (max(len(x) for x in column) for column in zip(*((s.name, s.number) for s in told)))
    for said in told:
        ids = f" [{', '.join(said.claims)}]" if said.claims else ""
        lead = f"  {said.name:<{names}}  {said.number:<{numbers}}  "
        yield fill(f"{lead}{said.words}{ids}", WIDTH, subsequent_indent=" " * len(lead))


def _pairs(pairs: Sequence[Near]) -> Iterator[str]:
    for x in pairs:
        label = {None: "", True: "   one label", False: ""}[x.same_label]
        ours = " and ".join(f"{s:.4f}" for s in x.positives)
        beaten = "   nearer than both" if x.similarity > max(x.positives) else ""
        yield f"  {' – '.join(x.names)}   {x.similarity:.4f}   {ours}   {number(x.push)} ×{label}{beaten}"
