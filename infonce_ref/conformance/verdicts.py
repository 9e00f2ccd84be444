"""The result of `check`: three verdicts, the records behind them, as text and as JSON."""

import json
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

from .features import ADDED, ROWS, SIMILARITIES
from .heads import HEADS
from .names import LAWS, Difference, Found, describe_added
from .numerics import ALIGNMENTS, Cell

TIERS = ("formula", "gradient", "numerics")
# 2 is the status of the command for a loss that cannot be checked
STATUS = {"formula": 1, "gradient": 4, "numerics": 8, "ranks": 16}


class Record(NamedTuple):
    """One check: status "holds", "fails", "expected" to fail, or "unexpected": it holds, but was expected to fail ·
    error and tolerance, relative · witness: against what · reason: of the tolerance, or of an expected failure."""

    check: str
    status: str
    error: float
    tolerance: float
    witness: str
    reason: str

    @property
    def good(self) -> bool:
        return self.status in ("holds", "expected")


def record(check: str, error: float, tolerance: float, witness: str, reason: str) -> Record:
    return Record(check, "holds" if error <= tolerance else "fails", error, tolerance, witness, reason)


class Verdict(NamedTuple):
    """word: right, wrong, unknown … · holds: for the exit status · sentence: why."""

    word: str
    holds: bool
    sentence: str


class Report(NamedTuple):
    """loss: its name in the registry, None if it is not exactly one of the family · nearest: the name of the
    nearest loss · options, temperature: as measured · mistakes: what is wrong, by name · verdicts: of each tier ·
    records: every check · equation: the formula as found · cells: the grid of the numerics."""

    target: str
    about: str
    loss: str | None
    nearest: str | None
    options: Mapping[str, Any]
    temperature: float | None
    mistakes: Sequence[Difference]
    verdicts: Mapping[str, Verdict]
    records: Sequence[Record]
    equation: Sequence[str] = ()
    claims: Sequence[str] = ()
    cells: Sequence[Cell] = ()

    @property
    def holds(self) -> bool:
        """Whether every tier that was checked holds."""
        return all(verdict.holds for verdict in self.verdicts.values())

    @property
    def status(self) -> int:
        """The exit status: 0, or the sum of 1 (formula), 4 (gradient), 8 (numerics) and 16 (ranks) for those
        that do not hold."""
        return sum(STATUS[tier] for tier, verdict in self.verdicts.items() if not verdict.holds)

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = None) -> str:
        """Return the report as text for people, wrapped to the width if one is given."""
        found = lines(self, width)
        if width:
            indent = " " * 10
            found = [
                fill(x, width, subsequent_indent=indent, break_on_hyphens=False) if x else x for x in found
            ]
        return "\n".join(found)

    def json(self) -> str:
        """Return the whole report as JSON."""
        fields = self._asdict() | {"holds": self.holds, "status": self.status}
        for name in ("mistakes", "records", "cells"):
            fields[name] = [x._asdict() for x in fields[name]]
        fields["verdicts"] = {tier: v._asdict() for tier, v in self.verdicts.items()}
        fields["options"], fields["equation"] = dict(self.options), list(self.equation)
        return json.dumps(convert_to_json(fields), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def convert_to_json(x: Any) -> Any:
    """Convert to JSON: a number that is not finite becomes null."""
    if isinstance(x, Mapping):
        return {name: convert_to_json(value) for name, value in x.items()}
    if isinstance(x, list | tuple):
        return [convert_to_json(value) for value in x]
    if isinstance(x, float) and not abs(x) < float("inf"):
        return None
    return x


def lines(report: Report, width: int | None) -> list[str]:
    found = [f"{report.target}: {report.about}", ""]
    for tier, verdict in report.verdicts.items():
        found.append(
            f"{tier:<9} {verdict.word.upper() if not verdict.holds else verdict.word}: {verdict.sentence}"
        )
        if tier == "formula":
            found += [f"          {line}" for line in report.equation]
            if report.claims:
                ids = f"[{', '.join(report.claims)}]: infonce-ref ledger {report.claims[0]}"
                found.append(f"          {'' if report.loss else f'{report.nearest} is '}{ids}")
        if tier == "numerics":
            found += [f"          {line}" for line in grid(report.cells, width and width - 10)]
    for record in report.records:
        if record.status in ("expected", "unexpected"):
            found.append(f"{record.status:<9} {record.check}: {record.reason}")
    found += [
        f"reported  {mistake.mistake}: {link}" for mistake in report.mistakes for link in mistake.links[:1]
    ]
    return found


def grid(cells: Sequence[Cell], width: int | None) -> list[str]:
    """Return the table of correct digits, a row for each temperature, a column for each dtype and alignment;
    dtypes go below one another if they do not fit side by side.
    """
    if not cells:
        return []
    temperatures, every, alignments = (
        list(dict.fromkeys(x)) for x in zip(*((c.temperature, c.dtype, c.alignment) for c in cells))
    )
    at = {(c.temperature, c.dtype, c.alignment): c.shown for c in cells}
    column = max(map(len, ALIGNMENTS)) + 2
    group = column * len(alignments)
    beside = max(1, (width - 9) // group) if width else len(every)
    found = []
    for k in range(0, len(every), beside):
        dtypes = every[k : k + beside]
        found.append("digits   " + "".join(f"{dtype:<{group}}" for dtype in dtypes))
        found.append("τ        " + "".join(f"{x:<{column}}" for _ in dtypes for x in alignments))
        for tau in temperatures:
            shown = (at.get((tau, dtype, x), "") for dtype in dtypes for x in alignments)
            found.append(f"{tau:<9g}" + "".join(f"{x:<{column}}" for x in shown))
    return [line.rstrip() for line in found]


ROLE_WORDS = {
    "self": "a itself",
    "positive": "its positive",
    "same view": "the other rows of its own view",
    "other view": "the other rows of the other view",
    "negatives": "the given negatives",
    "queries' negatives": "the given negatives, of the first view's anchors alone",
    "others' negatives": "the other queries' negatives",
}
CLASS_WORDS = {
    "positive": "the rows of its label",
    "other view": "the rows of other labels",
    "self": "a itself",
}
OF_LABELS = ROLE_WORDS | {
    "positive": "the rows of its label in the other view",
    "other view": "the rows of other labels in the other view",
}
COLUMN_WORDS = {
    "self": "a itself",
    "positive": "the same feature of the other view",
    "same view": "the other features of its own view",
    "other view": "the other features of the other view",
}
SCORE_WORDS = {"positive": "its positive", "other view": "the other candidates of its row"}


def equation(found: Found, world: str) -> list[str]:
    """The formula found, printed from its own fields."""
    formula = found.formula
    words = {"classes": CLASS_WORDS, "classes of views": OF_LABELS}.get(
        world, SCORE_WORDS if world.startswith("scores") else ROLE_WORDS
    )
    of_columns = "columns" in formula.rows
    if of_columns:
        words = COLUMN_WORDS
    head = HEADS[formula.head]
    lines = [f"s_ac  {compare(found, world)}"]
    if formula.head not in ("pull", "power"):
        lines.append(f"D(a)  {', '.join(words[role] for role in formula.candidates)}")
    lines.append(f"ℓ_a   {head.formula}" + ("" if formula.sign > 0 else ", with −s for s"))
    anchors = {
        "both": "the rows of both views",
        "first": "the rows of the first view",
        "second": "the rows of the second",
    }
    who = "every row" if world == "classes" else anchors[formula.anchors]
    if world.startswith("scores"):
        who = {"both": "every row and every column", "first": "every row", "second": "every column"}[
            formula.anchors
        ]
    law = LAWS[found.reduction.law]
    if of_columns:
        who, law = "the features of the first view", "the sum over the anchors"
    factor = (
        "" if abs(found.reduction.factor - 1) < found.tolerance * 10 else f"{found.reduction.factor:.6g} × "
    )
    shift = (
        ""
        if abs(found.shift) < found.tolerance * 1000
        else f" {'+' if found.shift > 0 else '−'} {abs(found.shift):.6g}"
    )
    lines.append(f"loss  {factor}{law}{shift}; anchors: {who}")
    numbers = [] if found.temperature is None else [f"τ = {abs(found.temperature):.6g}"]
    if found.second is not None:
        numbers.append(f"{head.second} = {found.second:.6g}")
    numbers += [f"{name} = {x:.6g}" for name, x in formula.numbers if name not in ADDED]
    if numbers:
        lines.append(f"      {', '.join(numbers)}, as measured")
    if added := describe_added(found):
        lines.append(f"      {added}")
    return lines


def compare(found: Found, world: str) -> str:
    formula = found.formula
    if world.startswith("scores"):
        return "the scores as they come"
    plain_dot = formula.similarity == "dot"
    if plain_dot and formula.rows in ("unit", "given"):
        return {
            "unit": "cosine: a·c / (‖a‖ ‖c‖)",
            "given": "product: a·c, rows used as they come",
        }[formula.rows]
    how = SIMILARITIES[formula.similarity]
    return f"{how.formula or how.words}; {ROWS[formula.rows].words}"
