"""The claims as the lessons show them: which lesson shows which claim. A claim that fails is refused."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sympy import Expr

from ..coq import theorems
from ..documents import order
from ..evidence.claims import CLAIMS, QUOTE, Claim, Sentence, Span, read_quote, split_formulas
from ..evidence.claims import render as show_quote
from ..evidence.kinds import (
    PROVING,
    Counterexample,
    Empirical,
    Misprint,
    Relation,
    relation,
    states,
    verdict_of,
)
from ..evidence.verdicts import Verdict
from ..ledger import CheckedClaim, find_proof
from ..prover.proof import Proof
from ..symbols import TABLE, Entry, find_symbols
from . import formula
from .lesson import CODE, QUOTATION, Directive, Lesson, lessons, texts

Entries = Mapping[str, CheckedClaim]
ACCEPTED = "accepted by Coq"
OF_EVERY_LOSS = "pull_on_the_positive"  # the figure below the cheat sheet
# verdicts that are printed beside their formulas
AT_FORMULAS = (Verdict.PROVED, Verdict.PROVED_FROM_LEMMA)


def choose(only: Sequence[str]) -> list[Lesson]:
    """Return the lessons of these names, or all. Raises ValueError for an unknown name, or for premises that
    contradict each other."""
    unknown = [name for name in only if name not in lessons()]
    if unknown:
        raise ValueError(
            f"lessons: unknown {', '.join(map(repr, unknown))}; known are {', '.join(lessons())}"
        )
    chosen = [lessons()[name] for name in only or lessons()]
    for lesson in chosen:
        formula.check_premises(texts(lesson))
    return chosen


def list_needed(only: Sequence[str]) -> list[Claim]:
    """Return the claims that these lessons show, or all claims."""
    if not only:
        return list(CLAIMS.values())
    ids = dict.fromkeys(
        id for lesson in choose(only) for id in (*list_shown(lesson), *_find_displayed(lesson))
    )
    return [claim(id, "lessons") for id in ids]


def list_figures(only: Sequence[str]) -> list[str]:
    """Return the names of the figures that these lessons show, or the whole site."""
    shown = [name for lesson in choose(only) for name in list_arguments(lesson, "figure")]
    return shown if only else [*shown, OF_EVERY_LOSS]


def index_standing(entries: Iterable[CheckedClaim]) -> Entries:
    """Return the claims by id. Raises ValueError if one does not hold: unproved claims are not shown."""
    by_id = {entry.claim.id: entry for entry in entries}
    for id, entry in by_id.items():
        if not entry.stands:
            raise ValueError(f"lessons: {id} does not hold, so no page shows it: {entry.failure}")
    return by_id


def claim(id: str, where: str) -> Claim:
    """Return the claim with that id. Raises ValueError for an id that has no verdict."""
    if id not in CLAIMS:
        raise ValueError(f"{where}: {id} has no verdict; add it as a claim in derivations, or remove the id")
    return CLAIMS[id]


def equation(id: str, which: str, entries: Entries, where: str) -> Relation:
    """Return what a piece of a claim's evidence states: the named piece, or the first proof."""
    claim(id, where)
    pieces = entries[id].evidence
    proofs = {name: piece for name, piece in pieces.items() if isinstance(piece, Proof)}
    if which and which not in pieces:
        raise ValueError(f"{where}: {id} shows {', '.join(pieces)}; got {which}")
    return relation(pieces[which] if which else next(iter(proofs.values())))


def quotation(written: str, entries: Entries, where: str) -> Span:
    """Return what {R1 slope} within a line shows."""
    id, _, part = written.partition(" ")
    claim(id, where)
    return show_quote(read_quote(part), entries[id].evidence)


def quoted_expressions(written: str, entries: Entries) -> list[Expr]:
    """Return the expressions in what {R1 slope} within a line shows."""
    id, _, part = written.partition(" ")
    return _list_expressions(part, entries[id].evidence)


def _list_expressions(part: str, pieces: Mapping[str, Any]) -> list[Expr]:
    shown = read_quote(part)
    expressions = [
        side for name in Sentence(f"«{part}»").definitions(pieces) for side in (name.head, name.body)
    ]
    piece = pieces[shown.name]
    if shown.whole and states(piece) and not isinstance(piece, Empirical):
        expressions += [relation(piece).left, relation(piece).right]
    return expressions


def fill(text: str, entries: Entries, where: str, show: Callable[[Span], str]) -> str:
    """Replace everything in braces, outside code, by its rendering."""

    def replace(found: re.Match[str]) -> str:
        return show(formula.check(found[1]) if found[1] else quotation(found[2], entries, where))

    braces = re.compile(f"{formula.WRITTEN.pattern}|{QUOTATION.pattern}")
    parts = re.split(f"({CODE.pattern})", text, flags=re.DOTALL)
    return "".join(part if place % 2 else braces.sub(replace, part) for place, part in enumerate(parts))


def describe(entry: CheckedClaim) -> list[tuple[str, list[Span]]]:
    """Return a claim's statements under its headings: printed or said by, checked, right."""
    claim = entry.claim
    rows = [("printed", split_formulas(claim.printed))] if claim.printed else []
    if claim.said_by:
        rows.append(("said by", split_formulas(claim.said_by)))
    for heading, sentence in (("checked", claim.checked), ("right", claim.correction)):
        if sentence:
            # a failed claim has nothing to render: print its plain words beside the failure
            rows.append((heading, mark_runs(sentence, entry) if entry.stands else [Span(sentence.words)]))
    return rows


def mark_runs(sentence: Sentence, entry: CheckedClaim) -> list[Span]:
    """Render a sentence; each formula that shows a whole piece gets a mark that says whether it is proved,
    and accepted by Coq.
    """
    runs = sentence.runs(entry.evidence)
    return [run._replace(mark=_mark(entry.evidence[run.name])) if run.whole else run for run in runs]


def name_symbols(sentences: Sequence[Sentence], entry: CheckedClaim) -> list[tuple[str, str]]:
    """Return letter and meaning of each symbol that these sentences use in formulas but do not name in words, in
    the order in which they appear; symbols defined by a formula come last.
    """
    pieces = entry.evidence
    fields = [".".join(filter(None, shown)) for sentence in sentences for shown in sentence.quotes]
    shown = [side for part in fields for side in _list_expressions(part, pieces)]
    defined = {name.head for sentence in sentences for name in sentence.definitions(pieces)}
    symbols = set().union(*map(find_symbols, shown))
    last = set().union(*map(find_symbols, defined))
    words = [run for sentence in sentences for run in split_formulas(QUOTE.sub(" ", sentence.words))]
    formulas = " ".join(show_quote(read_quote(part), pieces).text for part in fields)
    named = [
        (entry.symbol in last, found.start(), entry)
        for entry in TABLE
        if entry.symbol in symbols and not any(_names(run, entry) for run in words)
        if (found := find_letter(entry.name, formulas))
    ]
    return [(entry.name, entry.meaning) for *_, entry in sorted(named, key=lambda each: each[:2])]


def _names(run: Span, entry: Entry) -> bool:
    """Return whether these words, or this formula in LaTeX, name a symbol."""
    said, letter = (run.latex, entry.latex) if run.latex else (run.text, entry.name)
    said, letter = (re.sub(r"[{} ]", "", text) if run.latex else text for text in (said, letter))
    return find_letter(letter, said) is not None


def find_letter(letter: str, text: str) -> re.Match[str] | None:
    """Find a letter that is a symbol of its own, ignoring indices, and not a part of another symbol."""
    return re.search(rf"(?<![\w\\]){re.escape(letter)}(?![^\W_]|[⁺⁻′^])", text)


def _mark(piece: Any) -> str:
    """Describe how a piece is shown: proved, or true or false at a point; accepted by Coq."""
    known = []
    if isinstance(piece, PROVING):
        known = [str(verdict_of([piece]))]
    elif isinstance(piece, Misprint | Counterexample) and states(piece):
        known = ["false at a point"]
    return ", ".join([*known, "Coq"] if theorems.is_stated(piece) and theorems.is_accepted(piece) else known)


def is_accepted_by_coq(entry: CheckedClaim) -> bool:
    """Return whether Coq accepted every piece of a claim that can be stated in Coq."""
    return entry.stands and theorems.all_accepted(entry.evidence)


def list_shown(lesson: Lesson) -> list[str]:
    """Return the ids of the claims that a lesson shows in full, in order."""
    ids: list[str] = []
    for block in lesson.blocks:
        match block:
            case Directive("claim", (id,)):
                ids.append(id)
            case Directive("rest", files):
                ids += list_rest(files)
    return ids


def list_rest(files: Sequence[str]) -> list[str]:
    """Return the claims of some files of `derivations` that no lesson places by name."""
    wanted = {f"derivations/{file}.py" for file in files}
    left = [
        id for id, claim in CLAIMS.items() if find_proof(claim).path in wanted and id not in _find_placed()
    ]
    return sorted(left, key=order)


@cache
def find_homes() -> dict[str, str]:
    """Return, for each claim, the lesson that shows it in full."""
    return {id: lesson.name for lesson in lessons().values() for id in list_shown(lesson)}


def list_arguments(lesson: Lesson, directive: str) -> list[str]:
    """Return the first argument of each directive of that name in a lesson."""
    return [b.arguments[0] for b in lesson.blocks if isinstance(b, Directive) and b.name == directive]


@cache
def _find_placed() -> frozenset[str]:
    return frozenset(id for lesson in lessons().values() for id in list_arguments(lesson, "claim"))


def _find_displayed(lesson: Lesson) -> list[str]:
    return list_arguments(lesson, "equation") + [
        words.split()[0] for text in texts(lesson) for words in QUOTATION.findall(text)
    ]
