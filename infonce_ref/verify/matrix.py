"""The matrix of checks, as a table for a terminal and as JSON for a program."""

import json
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from textwrap import fill
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from .. import __version__
from ..embeddings.rows import Views
from . import cancellations, information
from .case import Check
from .embeddings import count_pairs
from .judge import METHODS, Grade, cells, list_registered

MISSING = Text("missing", style="bold red")
PROSE = 80  # columns of a sentence
LEFT = 29  # columns of the loss and the input
COLUMNS = {  # of the table with one line for each loss
    "proof": "the proved formula (proof)",
    "diffs": "finite differences (diffs)",
    "laws": "laws that must hold (laws)",
    "50 d.": "50-digit arithmetic (50 d.)",
}
LIBRARIES = ("numpy", "scipy", "sympy", "mpmath", "python-flint", "array-api-compat")


def list_methods(loss: str) -> Sequence[str]:
    """List the kinds of checks that a loss has; the functions of `information` have no gradient."""
    return information.METHODS if loss == information.NAME else METHODS


def matrix(checks: Sequence[Check], missing: Text = MISSING) -> Table:
    """Make the table: for each loss and input, the worst error of each kind of check, ≤ or > its tolerance."""
    names: list[Column | str] = [Column("loss, input", overflow="fold")]
    names += [method.removeprefix("finite ") for method in METHODS]
    table = Table(*names, box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for (loss, name), row in cells(checks).items():
        told = [missing if method in list_methods(loss) else Text("·") for method in METHODS]
        for place, method in enumerate(METHODS):
            if worst := row.get(method):
                sign, style = ("≤", "") if worst.holds else (">", "bold red")
                told[place] = Text(f"{worst.error:.0e} {sign}{worst.tolerance:.0e}", style=style)
        table.add_row(f"{loss} {name}", *told)
    return table


def show_rows(console: Console, views: Views, temperature: float) -> None:
    """Print the number and dtype of the user's rows, and how many of them each kind of check uses."""
    asked: dict[str, list[str]] = {}
    for method, count in count_pairs(views):
        asked.setdefault(method.METHOD, []).append(str(count))
    words = ", ".join(f"{method} {' and '.join(counts)}" for method, counts in asked.items())
    held = dict.fromkeys(str(x.dtype) for x in (views.first, views.second))
    dtype = " and ".join(held) + ("" if set(held) == {str(views.dtype)} else f" taken as {views.dtype}")
    say(
        console,
        f"{views.pairs} pairs of {views.first.shape[1]} features, {dtype}, at temperature {temperature:g}; "
        f"of these pairs the checks use: {words}",
    )


def show_summary(console: Console, loss: str, found: Mapping[str, float]) -> None:
    """Print the loss on a user's rows."""
    console.print(Text(loss, style="bold"), Text("of all pairs:"))
    say(console, f"  loss       {found['loss']:.6g} nats")
    say(console, f"  gradient   norm {found['gradient_norm']:.6g}")
    positive, negative = found["positive_similarity"], found["negative_similarity"]
    say(console, f"  similarity {positive:.4f} of positives, {negative:.4f} of negatives")


def failures(checks: Sequence[Check]) -> list[str]:
    """For each failed cell, count its failed checks and describe the worst by what helps to find the fault."""
    asked = Counter((c.loss, c.input, c.method) for c in checks)
    failed = Counter((c.loss, c.input, c.method) for c in checks if not c.holds)
    told = []
    for check in (check for row in cells(checks).values() for check in row.values() if not check.holds):
        _, entry, got, expected, *_ = check.worst
        facts = {"case": f"{check.case} ({check.dtype})"}
        if check.raised:
            facts["raised"] = check.raised
        else:
            facts |= {"compared": check.compared} | ({"entry": str(list(entry))} if entry else {})
            facts |= {"got": repr(got), "expected": repr(expected)}
            terms = f"relative to the summed terms; tolerance {check.tolerance:.2e}"
            facts["error"] = f"{check.error:.2e} {terms}"
        cell = check[:3]
        lines = [f"{', '.join(cell)}: {failed[cell]} of {asked[cell]} checks fail. The worst:"]
        told.append("\n".join(lines + [f"  {name:<10}{words}" for name, words in facts.items()]))
    return told


def describe_errors(checks: Sequence[Check]) -> list[str]:
    """Describe the errors relative to the largest entry, and each cancellation."""
    measured = cancellations.find_worst(checks)
    over = {key: check for key, check in measured.items() if check.plain_excess > 1}
    if not measured:
        return []
    lines = [
        f"relative to the largest exact entry, {len(measured) - len(over)} of {len(measured)} values and "
        f"gradients are within the tolerance of precision too{'; ill-conditioned are:' if over else ''}"
    ]
    for key, check in over.items():
        loss, name = key
        known = list_registered()[loss].ill_conditioned.get(name) if loss in list_registered() else None
        why = f"{known.where}; condition number {known.number}" if known else "undeclared"
        lines.append(f"  {' '.join(key)} {check.worst.plain:.0e}>{check.tolerance:.0e}: {why}")
    return lines


def record(check: Check) -> dict[str, Any]:
    """Convert a check and its measurement to JSON."""
    fields = check._asdict() | check.worst._asdict() | {"holds": check.holds}
    del fields["worst"]
    return {k: None if isinstance(x, float) and not isfinite(x) else x for k, x in fields.items()}


def json_text(checks: Sequence[Check], holds: bool, found: Mapping[str, Grade], **facts: Any) -> str:
    """Write all checks as JSON; a number that is not finite becomes null."""
    whole = {
        "infonce_ref": __version__,
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in LIBRARIES},
        **facts,
        "holds": holds,
        "grades": {
            name: {"grade": verdict, "starts": starts and starts.place}
            for name, (verdict, starts) in found.items()
        },
        "checks": [record(c) for c in checks],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def show(
    console: Console,
    checks: Sequence[Check],
    holds: bool,
    found: Mapping[str, Grade],
    surprises: Sequence[str] = (),
    whole: bool = False,
) -> None:
    """Print the verdict, the grades of losses that are not exact, the table with its columns explained, and the
    failures. whole: show a row for each input, its tolerances and their reasons.
    """
    asked = [row.get(method) for (loss, _), row in cells(checks).items() for method in list_methods(loss)]
    good = sum(check is not None and check.holds for check in asked)
    verdict = (
        f"every cell holds: {good} of {len(asked)}" if holds else f"FAILED: {good} of {len(asked)} cells hold"
    )
    if surprises:
        verdict += f", {len(surprises)} undeclared or stale cancellation{'s' * (len(surprises) > 1)}"
    say(console, verdict, "bold green" if holds else "bold red")
    for name, given in found.items():
        if given.verdict != "exact":
            say(console, f"{name} is {given}", "red")
    console.print()
    (_show_whole if whole else _show_brief)(console, checks)
    if show_failures(console, checks):
        case = "A case is LOSS.example(seed, noise, …) of the loss's module; the seed is 0 unless stated."
        say(console, case, "dim")


def show_failures(console: Console, checks: Sequence[Check]) -> bool:
    """Print the failures; return whether there are any."""
    failed = failures(checks)
    for words in failed:
        say(console, words, "red")
    return bool(failed)


def say(console: Console, words: str, style: str = "", **more: Any) -> None:
    """Print words as they are."""
    console.print(Text(words, style), **more)


def note(console: Console, words: str, **more: Any) -> None:
    """Print a sentence about the table, wrapped."""
    say(console, fill(words, min(console.width, PROSE), **more), "dim", soft_wrap=True)


def _show_whole(console: Console, checks: Sequence[Check]) -> None:
    """Print a row for each input, with the tolerances and their reasons."""
    words = (
        "A cell is the largest error and its tolerance, relative to the terms that are summed: against the proved "
        "formula, finite differences of the forward pass, laws that must hold, and 50-digit arithmetic."
    )
    note(console, words)
    console.print()
    for dtype in dict.fromkeys(check.dtype for check in checks):
        say(console, dtype, "bold")
        console.print(matrix([check for check in checks if check.dtype == dtype]), "")
    reasons = dict.fromkeys(f"{check.method}: {check.reason}" for check in checks)
    for line in [*describe_errors(checks), *reasons]:
        note(console, line, subsequent_indent="    ")


def _show_brief(console: Console, checks: Sequence[Check]) -> None:
    """Print a line for each loss, the dtypes side by side, or below each other if the terminal is narrow."""
    dtypes = list(dict.fromkeys(check.dtype for check in checks))
    beside = len(dtypes) * len(METHODS) * 6 + LEFT + 2 <= console.width
    words = (
        f"A line is a loss: its largest relative errors against {', '.join(COLUMNS.values())}. The input named "
        "has the error nearest to its tolerance, which grows with the logits (e^L magnifies their rounding); ! "
        "marks one above it. --whole shows every input."
        + " (I): an estimator of mutual information."
        * any(c.loss.startswith("information.") for c in checks)
    )
    note(console, words)
    for group in [dtypes] if beside else [[dtype] for dtype in dtypes]:
        console.print()
        heads = "".join(f"  {dtype:<{6 * len(METHODS) - 1}}" for dtype in group).rstrip()
        say(console, f"{'':{LEFT}}{heads}", "bold", soft_wrap=True)
        names = "".join(f" {' '.join(f'{name:>5}' for name in COLUMNS)} " for _ in group).rstrip()
        say(console, f"{'loss':<16} {'input':<{LEFT - 17}}{names}", "bold", soft_wrap=True)
        for line in _brief_lines(checks, group):
            console.print(line, soft_wrap=True)
    over = [
        " ".join(key) for key, check in cancellations.find_worst(checks).items() if check.plain_excess > 1
    ]
    if over:
        console.print()
        words = "With fewer digits where large terms cancel, as these losses declare (--whole says where)"
        note(console, f"{words}: {', '.join(over)}")


def _brief_lines(checks: Sequence[Check], dtypes: Sequence[str]) -> Iterator[Text]:
    """Yield for each loss its worst input, and the worst error over its inputs of each dtype and kind of check."""
    for loss in dict.fromkeys(check.loss for check in checks):
        own = [check for check in checks if check.loss == loss and check.dtype in dtypes]
        worst = max(own, key=lambda check: check.excess)
        name = loss
        if loss.startswith("information."):
            name = f"{loss.removeprefix('information.')} (I)"
        # the functions of information are named by their input alone
        left = worst.input if loss == information.NAME else f"{name:<16} {worst.input}"
        line = Text(f"{left:<{LEFT}}")
        for dtype in dtypes:
            rows = cells(check for check in own if check.dtype == dtype).values()
            for method in METHODS:
                found = [row[method] for row in rows if method in row]
                if method not in list_methods(loss):
                    line.append("     ·")
                elif len(found) < len(rows) or not found:
                    line.append("  none", style="bold red")
                else:
                    worst = max(found, key=lambda check: check.excess)
                    sign, style = (" ", "") if worst.holds else ("!", "bold red")
                    line.append(f"{sign}{worst.error:.0e}", style=style)
            line.append(" ")
        line.rstrip()
        yield line


def show_part(console: Console, checks: Sequence[Check]) -> None:
    """Print the checks done before an interruption, without a verdict."""
    if checks:
        console.print(matrix(checks, missing=Text("not asked", style="dim")), "")
    show_failures(console, checks)
    failed = sum(not check.holds for check in checks)
    say(console, f"interrupted after {len(checks)} checks, {failed or 'none'} failed")
