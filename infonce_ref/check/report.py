"""The result of `check`: what the loss computes, a verdict for each tier and the records behind it; text, JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

from .reading import Refused

TIERS = ("formula", "gradient", "numerics")
# 2 is the status of the command for a loss that cannot be checked
STATUS = {"formula": 1, "gradient": 4, "numerics": 8, "ranks": 16}
INDENT = " " * 10
ALIGNMENTS = {"apart": "random rows", "near": "similar views", "aligned": "identical views"}


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

    @property
    def tier(self) -> str:
        word = self.check.partition(" ")[0].rstrip(":")
        return word if word in STATUS else "formula"


def record(check: str, error: float, tolerance: float, witness: str, reason: str) -> Record:
    return Record(check, "holds" if error <= tolerance else "fails", error, tolerance, witness, reason)


class Verdict(NamedTuple):
    """word: right, wrong, unknown … · holds: for the exit status · sentence: why."""

    word: str
    holds: bool
    sentence: str

    def __str__(self) -> str:
        return f"{self.word if self.holds else self.word.upper()}: {self.sentence}"


class Difference(NamedTuple):
    """How a loss differs: the mistake's name, a sentence · known: its name in the catalogue · claim: what to read ·
    links: where it was reported."""

    mistake: str
    sentence: str
    known: str = ""
    claim: str = ""
    links: tuple[str, ...] = ()


class Report(NamedTuple):
    """about: how the loss was asked · loss: its name in the registry, None if it is not exactly one of the family ·
    nearest: the name of the nearest loss · options, temperature: as measured · mistakes: what is wrong, by name ·
    verdicts: of each tier · records: every check · equation: the textbook's function, and the lines that differ ·
    cells: the grid of the numerics · fix: the place and the line that mends the loss, if one is known."""

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
    cells: Sequence[Any] = ()
    fix: Sequence[str] = ()

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
        found = list(lines(self))
        if width:
            found = [
                fill(x, width, subsequent_indent=INDENT, break_on_hyphens=False) if x else x for x in found
            ]
        return "\n".join(found)

    def json(self) -> str:
        """Return the whole report as JSON."""
        fields = self._asdict() | {"holds": self.holds, "status": self.status}
        for name in ("mistakes", "records", "cells"):
            fields[name] = [x._asdict() for x in fields[name]]
        fields["verdicts"] = {tier: v._asdict() for tier, v in self.verdicts.items()}
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


def lines(report: Report) -> Iterator[str]:
    """What it is or what is wrong; where, and what mends it; each tier; how it was asked; what to read."""
    head = summarise(report)
    yield f"{report.target}: {head}"
    yield from report.fix
    yield ""
    for tier, verdict in report.verdicts.items():
        told = str(verdict) != head
        yield f"{tier:<9} {verdict}" if told else f"{tier:<9} {str(verdict).partition(':')[0]}"
        if tier == "formula":
            yield from (f"{INDENT}{line}" for line in report.equation)
        if tier == "numerics":
            yield from (f"{INDENT}{line}" for line in grid(report.cells))
    for record in report.records:
        if record.status in ("expected", "unexpected"):
            yield f"{record.status:<9} {record.check}: {record.reason}"
    yield f"asked     {report.about}"
    for mistake in report.mistakes:
        yield from (f"reported  {mistake.mistake}: {link}" for link in mistake.links[:1])
    if report.claims:
        what = "" if report.loss else f"{report.nearest} is "
        yield f"read      {what}[{', '.join(report.claims)}]: infonce-ref ledger {report.claims[0]}"


def summarise(report: Report) -> str:
    """The first line: what fails, or what it is."""
    failed = [verdict for verdict in report.verdicts.values() if not verdict.holds]
    told = failed or [*report.verdicts.values()][:1]
    if len(told) == 1 and told[0] is report.verdicts.get("formula"):
        return str(told[0])
    named = {tier: verdict for tier, verdict in report.verdicts.items() if verdict in told}
    return "; ".join(f"{tier} {verdict}" for tier, verdict in named.items())


def grid(cells: Sequence[Any]) -> list[str]:
    """The table of correct digits: a row for each temperature, a column for each dtype; in it a number for each
    alignment."""
    if not cells:
        return []
    temperatures, dtypes, alignments = (
        list(dict.fromkeys(x)) for x in zip(*((c.temperature, c.dtype, c.alignment) for c in cells))
    )
    at = {(c.temperature, c.dtype, c.alignment): c.shown for c in cells}
    rows = [["at τ =", *dtypes]]
    for tau in temperatures:
        each = (" ".join(f"{at.get((tau, dtype, x), ''):<3}" for x in alignments) for dtype in dtypes)
        rows.append([f"{tau:g}", *each])
    widths = [max(map(len, column)) + 2 for column in zip(*rows)]
    found = [f"digits for {' / '.join(ALIGNMENTS.get(x, x) for x in alignments)}"]
    found += ["".join(f"{x:<{width}}" for x, width in zip(row, widths)) for row in rows]
    return [line.rstrip() for line in found]


def mark_all_expected(records: Sequence[Record], reasons: Mapping[str, str]) -> list[Record]:
    """Mark the expected failures. Raises Refused if no check has the name of one."""
    if unknown := set(reasons) - {record.check for record in records}:
        raise Refused(f"expected failures: no check is called {', '.join(sorted(unknown))}")
    statuses = {"fails": "expected", "holds": "unexpected"}
    return [
        r._replace(status=statuses[r.status], reason=reasons[r.check]) if r.check in reasons else r
        for r in records
    ]


def excuse(tier: str, verdict: Verdict, records: Sequence[Record]) -> Verdict:
    """Make a verdict hold if all its failures were expected; make it fail if an expected failure did not occur."""
    own = [r for r in records if r.tier == tier]
    for r in own:
        if r.status == "unexpected":
            return Verdict(verdict.word, False, f"{r.check} holds, though it was expected to fail")
    if not verdict.holds and any(r.status == "expected" for r in own) and all(r.good for r in own):
        return Verdict(f"{verdict.word}, as expected", True, verdict.sentence)
    return verdict
