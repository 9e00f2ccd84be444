"""The claims as the lessons show them: which lesson shows which claim. A claim that fails is refused."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from sympy import Expr

from ..documents import order
from ..evidence.claims import CLAIMS, Claim, read_quote, render
from ..evidence.kinds import Relation, relation
from ..evidence.spans import Span
from ..evidence.verdicts import Verdict
from ..ledger import CheckedClaim, find_proof
from ..prover.proof import Proof
from . import formula
from .claim_card import list_expressions
from .lesson import CODE, QUOTATION, Directive, Lesson, lessons, texts

Entries = Mapping[str, CheckedClaim]
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
    return render(read_quote(part), entries[id].evidence)


def quoted_expressions(written: str, entries: Entries) -> list[Expr]:
    """Return the expressions in what {R1 slope} within a line shows."""
    id, _, part = written.partition(" ")
    return list_expressions(part, entries[id].evidence)


def fill(text: str, entries: Entries, where: str, show: Callable[[Span], str]) -> str:
    """Replace everything in braces, outside code, by its rendering."""

    def replace(found: re.Match[str]) -> str:
        return show(formula.check(found[1]) if found[1] else quotation(found[2], entries, where))

    braces = re.compile(f"{formula.WRITTEN.pattern}|{QUOTATION.pattern}")
    parts = re.split(f"({CODE.pattern})", text, flags=re.DOTALL)
    return "".join(part if place % 2 else braces.sub(replace, part) for place, part in enumerate(parts))


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
