"""The three tiers in one report: which formula, is its gradient right, where does it lose its digits."""

from collections.abc import Mapping, Sequence

from ..losses import ALL
from ..mistakes import ALL as CATALOGUE
from . import formula_tier, gradient_tier, inputs, names, numerics, numerics_tier, text_tier
from .question import Question
from .target import Refused
from .verdicts import Record, Report, Verdict, equation


def answer_question(question: Question) -> Report:
    """Answer with a report. Raises `Refused` if the loss cannot be checked."""
    if question.is_ is not None and question.is_ not in known_losses():
        raise Refused(f"unknown loss {question.is_!r}; known are {', '.join(known_losses())}")
    nearest = formula_tier.find_formula(question)
    way, found = nearest.way, nearest.found
    texts = text_tier.ask(question, nearest)
    named, mistakes = formula_tier.name_loss(question, nearest, texts)
    verdicts: dict[str, Verdict] = {}
    records: list[Record] = []
    cells: list[numerics.Cell] = []
    if "formula" in question.tiers:
        verdicts["formula"], more = formula_tier.judge(question, nearest, named, mistakes)
        records += more
    all_mistakes = list(mistakes)
    if "gradient" in question.tiers:
        slope = gradient_tier.judge(question, nearest, texts if question.is_ else [], bool(mistakes))
        verdicts["gradient"] = slope.verdict
        records += slope.records
        said = {mistake.mistake for mistake in all_mistakes}
        all_mistakes += [mistake for mistake in slope.mistakes if mistake.mistake not in said]
    if "numerics" in question.tiers:
        verdicts["numerics"], cells = numerics_tier.judge(
            nearest, slope.live if "gradient" in verdicts else ()
        )
        records += [
            Record(
                f"numerics {c.dtype} τ={c.temperature:g} {c.alignment}",
                "holds" if c.exact else "fails",
                c.error,
                c.explained,
                "the formula in 50 digits",
                numerics_tier.REASON,
            )
            for c in cells
        ]
    records = [mark_expected(record, question.expected) for record in records]
    unknown = set(question.expected) - {record.check for record in records}
    if unknown:
        raise Refused(f"expected failures: no check is called {', '.join(sorted(unknown))}")
    verdicts = {tier: excuse(tier, verdict, records) for tier, verdict in verdicts.items()}
    complete = named is not None and not mistakes
    entry = ALL.get(named.name) if named else None
    return Report(
        target=question.target.name,
        about=f"a {LIBRARY_WORDS[way.session.library]} function of {inputs.WAYS[way.name].words}; "
        f"computes in {nearest.precision}",
        loss=named.name if named and complete else None,
        nearest=named.name if named else None,
        options=names.options(found, named) if found and named else {},
        temperature=abs(found.temperature) if found and found.temperature else None,
        mistakes=all_mistakes,
        verdicts=verdicts,
        records=records,
        equation=equation(found, way.world) if found else (),
        claims=entry.claims if entry else (),
        cells=cells,
    )


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
    """A verdict holds if all its failures were expected; it fails if an expected failure did not occur."""
    own = [r for r in records if tier_of(r) == tier]
    if any(r.status == "unexpected" for r in own):
        surprise = next(r for r in own if r.status == "unexpected")
        return Verdict(verdict.word, False, f"{surprise.check} holds, though it was expected to fail")
    if not verdict.holds and any(r.status == "expected" for r in own) and all(r.good for r in own):
        return Verdict(f"{verdict.word}, as expected", True, verdict.sentence)
    return verdict


def tier_of(record: Record) -> str:
    return next((tier for tier in ("gradient", "numerics") if record.check.startswith(tier)), "formula")
