"""The claims as the lessons show them: which lesson shows which claim. A claim that fails is refused."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial

from ..documents import order
from ..evidence.claims import CLAIMS, Claim, read_quote, render
from ..evidence.spans import Span
from ..evidence.verdicts import Verdict
from ..ledger import find_proof
from ..record import ClaimCard
from . import formula
from .lesson import CODE, QUOTATION, Directive, Lesson, change_outside, lessons, texts

Cards = Mapping[str, ClaimCard]
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


def list_needed(only: Sequence[str]) -> list[str]:
    """Return the ids of the claims that these lessons show, or of all."""
    if not only:
        return list(CLAIMS)
    ids: list[str] = []
    for lesson in choose(only):
        quoted = [words.split()[0] for text in texts(lesson) for words in QUOTATION.findall(text)]
        ids += [*list_shown(lesson), *list_arguments(lesson, "equation"), *quoted]
    return [claim(id, "lessons").id for id in dict.fromkeys(ids)]


def list_figures(only: Sequence[str]) -> list[str]:
    """Return the names of the figures that these lessons show, or the whole site."""
    shown = [name for lesson in choose(only) for name in list_arguments(lesson, "figure")]
    return shown if only else [*shown, OF_EVERY_LOSS]


def index_standing(cards: Iterable[ClaimCard]) -> Cards:
    """Return the cards by id. Raises ValueError if one does not hold: unproved claims are not shown."""
    by_id = {card.id: card for card in cards}
    for id, card in by_id.items():
        if not card.stands:
            raise ValueError(f"{id} does not hold, so no page shows it: {card.failure}")
    return by_id


def claim(id: str, where: str) -> Claim:
    """Return the claim with that id. Raises ValueError for an id that has no verdict."""
    if id not in CLAIMS:
        raise ValueError(f"{where}: {id} has no verdict; add it as a claim in derivations, or remove the id")
    return CLAIMS[id]


def equation(id: str, which: str, cards: Cards, where: str) -> Span:
    """Return what a piece of a claim's evidence states: the named piece, or the first proof."""
    claim(id, where)
    pieces = cards[id].evidence
    stated = {name: piece.states for name, piece in pieces.items() if piece.states.latex}
    if which and which not in stated:
        raise ValueError(f"{where}: {id} shows {', '.join(stated)}; got {which}")
    return stated[which] if which else next(x.states for x in pieces.values() if x.kind == "proof")


def quotation(written: str, cards: Cards, where: str) -> Span:
    """Return what {R1 slope} within a line shows."""
    id, _, part = written.partition(" ")
    claim(id, where)
    return render(read_quote(part), cards[id].evidence)._replace(mark="")


def fill(text: str, cards: Cards, where: str, show: Callable[[Span], str]) -> str:
    """Replace everything in braces, outside code, by its rendering."""

    def replace(found: re.Match[str]) -> str:
        return show(formula.check(found[1]) if found[1] else quotation(found[2], cards, where))

    braces = f"{formula.WRITTEN.pattern}|{QUOTATION.pattern}"
    return change_outside(CODE.pattern, text, partial(re.sub, braces, replace))


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
    own = {id for id, claim in CLAIMS.items() if find_proof(claim).path in wanted}
    return sorted(own - _find_placed(), key=order)


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
