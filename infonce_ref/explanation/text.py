"""The explanation as text."""

from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from textwrap import fill

from .record import Record
from .sentences import Sentence, explain_temperature, facts, format_fields, number
from .verdict import verdict

WIDTH = 110  # columns at most; 80 without a terminal
COLUMNS = {  # heading: the field of a row
    "τ": "temperature",
    "loss": "loss",
    "floor": "floor",
    "ceiling": "ceiling",
    "1 − P": "factor",
    "negatives": "effective_negatives",
    "nearest 1 %": "hardest_share",
    "same label": "same_label_share",
    "‖∂𝓛/∂w‖": "gradient_norm",
    "∂𝓛/∂τ": "slope",
    "I ≥": "information",
}


def heading(found: Record) -> str:
    """Describe the input in one line."""
    what = f"{found.pairs} pairs of {found.features} features, {found.dtype}"
    if found.classes:
        what += f", {found.classes} labels"
    if found.draws:
        return f"{what}: NT-Xent over batches of {found.batch}, mean of {found.draws} draws ± standard error"
    return f"{what}: NT-Xent over all of them at once"


def cells(found: Record) -> tuple[list[str], list[list[str]]]:
    """Return the headings of the table, and the cells of each row."""
    columns = {head: name for head, name in COLUMNS.items() if found.classes or head != "same label"}
    rows = (format_fields(row, error) for row, error in zip(found.table, found.errors))
    return list(columns), [[fields[name] for name in columns.values()] for fields in rows]


def lists(found: Record) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield the lists of rows that are not empty: the title, the headings, and the cells of each row."""
    labelled = bool(found.classes)
    head = ["rows", "cosine", "cosine of each with its own positive", "push, of an even share"]
    nearest = {
        "nearest negatives": found.hardest,
        "nearest negatives of one label": found.labelled if found.labelled != found.hardest else (),
        "different things that coincide": found.duplicates,
    }
    for title, pairs in nearest.items():
        rows = []
        for x in pairs:
            own = " and ".join(f"{s:.4f}" for s in x.positives)
            label = ["one label" if x.same_label else "two labels"] * labelled
            rows.append([" – ".join(x.names), f"{x.similarity:.4f}", own, f"{number(x.push)} ×", *label])
        if rows:
            yield title, [*head, *["labels"] * labelled], rows
    head, rows = ["rows", "cosine", "nearest negative", "its cosine", "loss of the row"], []
    for w in found.worst:
        nearest_of = [w.negative_name, f"{w.negative_similarity:.4f}"]
        rows.append([" – ".join(w.names), f"{w.similarity:.4f}", *nearest_of, f"{w.loss:.4g} nats"])
    if rows:
        yield "worst positives", head, rows


def render(found: Record, width: int | None = None, verbose: bool = True) -> str:
    """Return the explanation in lines of at most this width, or the terminal's. verbose: with the definition of
    each number.
    """
    return "\n".join(_lines(found, width or min(WIDTH, get_terminal_size().columns), verbose))


def _lines(found: Record, width: int, verbose: bool) -> Iterator[str]:
    yield wrap(heading(found), width)
    for sentence in verdict(found):
        yield wrap(sentence, width, "  ")
    if not found.advice:
        yield wrap("→ To do: nothing: no rule of the ledger speaks against this batch.", width, "  ")
    for advice in found.advice:
        yield wrap(f"→ {advice.what}: {advice.then}.", width, "  ")
        yield wrap(f"  Rule: {advice.rule} [{', '.join(advice.claims)}].", width, "  ")
    yield ""
    yield from _table(found, width)
    if verbose:
        yield from _definitions(found, width)
    yield ""
    yield "An id such as M15 names a proof: infonce-ref ledger M15"
    if not verbose:
        yield "--verbose defines each number and lists the pairs behind it"


def _definitions(found: Record, width: int) -> Iterator[str]:
    """Yield every number with its meaning, and the pairs of rows behind it."""
    yield ""
    yield f"at τ = {found.temperature:g}"
    yield from _format_rows(list(explain_temperature(found)), width)
    yield ""
    yield "at every temperature"
    yield from _format_rows(list(facts(found)), width)
    for title, head, rows in lists(found):
        yield ""
        yield wrap(f"{title}: {', '.join(head)}", width)
        yield from (wrap(f"  {'   '.join(row)}", width, "    ") for row in rows)


def _table(found: Record, width: int) -> Iterator[str]:
    """Yield a line for each temperature; columns that do not fit follow below, with the temperatures repeated."""
    head, rows = cells(found)
    columns = [[cell.rjust(max(map(len, column))) for cell in column] for column in zip(head, *rows)]
    marks = [" ", *(">" if row is found.row else " " for row in found.table)]
    first, *rest = columns
    while rest:
        fits = 1
        while fits < len(rest) and sum(2 + len(x[0]) for x in (first, *rest[: fits + 1])) <= width:
            fits += 1
        yield from (mark + "  ".join(row) for mark, row in zip(marks, zip(first, *rest[:fits])))
        rest = rest[fits:]
        if rest:
            yield ""


def _format_rows(told: Sequence[Sentence], width: int) -> Iterator[str]:
    """Print name, number and words in three columns; in a narrow terminal the words go below."""
    names, numbers = (max(len(x) for x in column) for column in zip(*((s.name, s.number) for s in told)))
    for sentence in told:
        ids = f" [{', '.join(sentence.claims)}]" if sentence.claims else ""
        lead = f"  {sentence.name:<{names}}  {sentence.number:<{numbers}}  "
        if 2 * len(lead) > width:
            yield lead.rstrip()
            yield wrap(f"      {sentence.words}{ids}", width, "      ")
        else:
            yield wrap(f"{lead}{sentence.words}{ids}", width, " " * len(lead))


def wrap(words: str, width: int, indent: str = "") -> str:
    """Wrap words without breaking a number."""
    return fill(words, width, subsequent_indent=indent, break_on_hyphens=False)
