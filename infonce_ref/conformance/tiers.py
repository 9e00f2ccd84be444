"""The three tiers in one report: which formula, is its gradient right, where does it lose its digits."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..losses import ALL
from ..mistakes import ALL as CATALOGUE
from ..mistakes import Form
from ..names import describe_unknown
from . import (
    asking,
    elsewhere,
    formula_tier,
    gradient_tier,
    inputs,
    names,
    notes,
    numerics,
    numerics_tier,
    ranks,
    text_tier,
)
from .identification import Nearest
from .question import Question
from .target import Refused
from .verdicts import Record, Report, Verdict, equation


def answer_question(question: Question) -> Report:
    """Answer with a report. Raises `Refused` if the loss cannot be checked."""
    if question.is_ is not None and question.is_ not in known_losses():
        raise Refused(f"--is: {describe_unknown(question.is_, known_losses())}")
    nearest = formula_tier.find_formula(question)
    texts = text_tier.ask(question, nearest)
    named, mistakes = formula_tier.name_loss(question, nearest, texts)
    notes.note_unasked(nearest.way)
    notes.note_evaluation(nearest.way)
    verdicts: dict[str, Verdict] = {}
    records: list[Record] = []
    cells: list[numerics.Cell] = []
    all_mistakes = list(mistakes)
    live: tuple[str, ...] = ()
    if "formula" in question.tiers:
        verdicts["formula"], more = formula_tier.judge(question, nearest, named, mistakes)
        records += more
    if "gradient" in question.tiers:
        slope = gradient_tier.judge(question, nearest, texts if question.is_ else [], bool(mistakes))
        verdicts["gradient"], live = slope.verdict, slope.live
        records += slope.records
        again = elsewhere.judge_slopes(nearest, live, slope.held) if slope.verdict.word == "right" else None
        if again is not None:
            records.append(again)
            if not again.good:
                words = f"right at a small batch, and not {again.witness}: off by {again.error:.1e}"
                verdicts["gradient"], live = Verdict("wrong", False, words), ()
        said = {mistake.mistake for mistake in all_mistakes}
        all_mistakes += [mistake for mistake in slope.mistakes if mistake.mistake not in said]
    if question.ranks:
        verdicts["ranks"], more, of_ranks = ranks.judge(question.ranks, nearest)
        records += more
        all_mistakes += of_ranks
    if "numerics" in question.tiers:
        verdicts["numerics"], cells = numerics_tier.judge(nearest, live)
        records += map(record_cell, cells)
    asking.check_unchanged(nearest.way)
    records = mark_all_expected(records, question.expected)
    verdicts = {tier: excuse(tier, verdict, records) for tier, verdict in verdicts.items()}
    about = describe_loss(question, nearest, named, complete=not mistakes)
    return Report(**about, mistakes=all_mistakes, verdicts=verdicts, records=records, cells=cells)


def describe_loss(question: Question, nearest: Nearest, named: Form | None, complete: bool) -> dict[str, Any]:
    """The fields of the report that say what the loss is."""
    way, found = nearest.way, nearest.found
    entry = ALL.get(named.name) if named else None
    return {
        "target": question.target.name,
        "about": "; ".join(
            [
                f"a {LIBRARY_WORDS[way.session.library]} function of {inputs.WAYS[way.name].words}",
                f"computes in {nearest.precision}",
                *[f"asked on rows of length 1, for on others {way.others}"] * way.unit,
                *way.session.notes,
            ]
        ),
        "loss": named.name if named and complete else None,
        "nearest": named.name if named else None,
        "options": names.options(found, named) if found and named else {},
        "temperature": abs(found.temperature) if found and found.temperature else None,
        "equation": equation(found, way.world) if found else (),
        "claims": entry.claims if entry else (),
    }


def record_cell(cell: numerics.Cell) -> Record:
    return Record(
        f"numerics {cell.dtype} τ={cell.temperature:g} {cell.alignment}",
        "holds" if cell.exact else "fails",
        cell.error,
        cell.explained,
        "the formula in 50 digits",
        numerics_tier.REASON,
    )


def mark_all_expected(records: Sequence[Record], reasons: Mapping[str, str]) -> list[Record]:
    """Mark the expected failures. Raises `Refused` if no check has the name of one."""
    unknown = set(reasons) - {record.check for record in records}
    if unknown:
        raise Refused(f"expected failures: no check is called {', '.join(sorted(unknown))}")
    return [mark_expected(record, reasons) for record in records]


LIBRARY_WORDS = {"torch": "PyTorch", "jax": "JAX", "numpy": "NumPy"}


def known_losses() -> list[str]:
    """The losses that may be claimed: those of the registry that are in the catalogue."""
    return [name for name in ALL if name in CATALOGUE]


def mark_expected(record: Record, reasons: Mapping[str, str]) -> Record:
    if record.check not in reasons:
        return record
    status = "expected" if record.status == "fails" else "unexpected"
    return record._replace(status=status, reason=reasons[record.check])


def excuse(tier: str, verdict: Verdict, records: Sequence[Record]) -> Verdict:
    """Make a verdict hold if all its failures were expected; make it fail if an expected failure did not
    occur.
    """
    own = [r for r in records if tier_of(r) == tier]
    if any(r.status == "unexpected" for r in own):
        surprise = next(r for r in own if r.status == "unexpected")
        return Verdict(verdict.word, False, f"{surprise.check} holds, though it was expected to fail")
    if not verdict.holds and any(r.status == "expected" for r in own) and all(r.good for r in own):
        return Verdict(f"{verdict.word}, as expected", True, verdict.sentence)
    return verdict


def tier_of(record: Record) -> str:
    return next(
        (tier for tier in ("gradient", "numerics", "ranks") if record.check.startswith(tier)), "formula"
    )
