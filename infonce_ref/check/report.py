"""The result of `check`: what the loss computes, a verdict for each tier and the records behind it; text, JSON."""

import json
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

from ..catalogue import MISTAKES
from .reading import Refused

TIERS = ("formula", "gradient", "numerics")
# 2 is the status of the command for a loss that cannot be checked
STATUS = {"formula": 1, "gradient": 4, "numerics": 8, "ranks": 16}
INDENT = " " * 10
ROUNDING = "rounding of the dtype in which the loss computes"
ALIGNMENTS = {"apart": "random rows", "near": "similar views", "aligned": "nearly equal views"}


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
        word = self.check.partition(" ")[0]
        return word if word in STATUS else "formula"


def record(
    check: str, error: float, tolerance: float, witness: str = "the textbook", reason: str = ROUNDING
) -> Record:
    return Record(check, "holds" if error <= tolerance else "fails", error, tolerance, witness, reason)


class Verdict(NamedTuple):
    """word: right, wrong, unknown … · holds: for the exit status · sentence: why."""

    word: str
    holds: bool
    sentence: str

    def __str__(self) -> str:
        return f"{self.word if self.holds else self.word.upper()}: {self.sentence}"


class Difference(NamedTuple):
    """How a loss differs: the mistake's name, a sentence · kind: "" for a mistake whatever was claimed, "~" for a
    choice that the loss of that name has not, "=" for a factor or a constant · claim, links: of the catalogue.
    """

    mistake: str
    sentence: str
    kind: str = ""
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
        return self.status == 0

    @property
    def status(self) -> int:
        """The exit status: 0, or the sum of 1 (formula), 4 (gradient), 8 (numerics) and 16 (ranks) for those
        that do not hold."""
        return sum(STATUS[tier] for tier, verdict in self.verdicts.items() if not verdict.holds)

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = None) -> str:
        """Return the report as text for people, wrapped to the width if one is given."""
        text = "\n".join(lines(self))
        return wrap(text, width) if width else text

    def json(self) -> str:
        """Return the whole report as JSON."""
        fields = self._asdict() | {"holds": self.holds, "status": self.status}
        return json.dumps(convert_to_json(fields), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def wrap(text: str, width: int) -> str:
    """Wrap each line of a report."""
    options: Any = {"subsequent_indent": INDENT, "break_on_hyphens": False}
    return "\n".join(fill(line, width, **options) for line in text.split("\n"))


def convert_to_json(x: Any) -> Any:
    """Convert to JSON: the fields of a tuple by name; a number that is not finite becomes null."""
    x = x._asdict() if hasattr(x, "_asdict") else x
    if isinstance(x, Mapping):
        return {name: convert_to_json(value) for name, value in x.items()}
    if isinstance(x, list | tuple):
        return [convert_to_json(value) for value in x]
    return None if isinstance(x, float) and not abs(x) < float("inf") else x


def lines(report: Report) -> Iterator[str]:
    """What it is or what is wrong; where, and what mends it; each tier; how it was asked; what to read."""
    head = summarise(report)
    yield f"{report.target}: {head}"
    yield from report.fix
    yield ""
    more = {"formula": report.equation, "numerics": grid(report.cells)}
    for tier, verdict in report.verdicts.items():
        said = str(verdict)
        yield f"{tier:<9} {said if said != head else said.partition(':')[0]}"
        yield from (f"{INDENT}{line}" for line in more.get(tier, ()))
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
    verdicts = report.verdicts
    told = [tier for tier in verdicts if not verdicts[tier].holds] or list(verdicts)[:1]
    return "; ".join(
        f"{tier} {verdicts[tier]}" if told != ["formula"] else str(verdicts[tier]) for tier in told
    )


def grid(cells: Sequence[Any]) -> list[str]:
    """The table of correct digits: a row for each temperature, a column for each dtype; in it a number for each
    alignment."""
    if not cells:
        return []
    rows: dict[str, dict[str, str]] = {"at τ =": {cell.dtype: cell.dtype for cell in cells}}
    for cell in cells:
        row = rows.setdefault(f"{cell.temperature:g}", dict.fromkeys(rows["at τ ="], ""))
        row[cell.dtype] += f"{cell.shown:<3} "
    width = max(len(x) for row in rows.values() for x in row.values()) + 1
    table = [f"{tau:<8}" + "".join(f"{x:<{width}}" for x in row.values()) for tau, row in rows.items()]
    return [f"digits for {' / '.join(ALIGNMENTS.values())}", *(line.rstrip() for line in table)]


def mark_all_expected(records: Sequence[Record], reasons: Mapping[str, str]) -> list[Record]:
    """Mark the expected failures. Raises Refused if no check and no mistake has the name of one."""
    reasons = {name.replace("_", " "): reason for name, reason in reasons.items()}
    missing = reasons.keys() - {record.check for record in records}
    if unknown := missing - {mistake.name.replace("_", " ") for mistake in MISTAKES}:
        raise Refused(f"expected failures: no check is called {', '.join(sorted(unknown))}")
    records = [*records, *(record(name, 0.0, 0.0) for name in sorted(missing))]  # a mistake that is not made
    statuses = {"fails": "expected", "holds": "unexpected"}
    return [
        r._replace(status=statuses[r.status], reason=reasons[r.check]) if r.check in reasons else r
        for r in records
    ]


def excuse(tier: str, verdict: Verdict, records: Sequence[Record]) -> Verdict:
    """Make a verdict hold if all its failures were expected; make it fail if an expected failure did not occur."""
    own = {r.status: r for r in records if r.tier == tier}
    if "unexpected" in own:
        words = f"{own['unexpected'].check} holds, though it was expected to fail"
        return Verdict(verdict.word, False, words)
    if not verdict.holds and "expected" in own and "fails" not in own:
        return Verdict(f"{verdict.word}, as expected", True, verdict.sentence)
    return verdict
