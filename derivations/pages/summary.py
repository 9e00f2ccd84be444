"""The first screen of a claim: its first sentences, one formula on its own lines, and what is left out."""

import re
from collections.abc import Sequence
from math import inf
from textwrap import shorten, wrap
from typing import Any

from ..evidence.spans import Span, find_letter
from ..record import ClaimCard
from .unicode_math import plain

HEIGHT = 12  # lines, with those of the id and of the verdict
INDENT, DISPLAYED = " " * 2, " " * 6
KEPT_WHOLE = 30  # characters: a longer formula may be broken at the end of a line
SHORT, LEAST, BRIEF = 60, 30, 160  # characters of a formula and of a sentence in a list of claims
_PREMISE = re.compile(r"(Let|Hold|Draw)\b")
_STOP = re.compile(r"(?<=[.?])\s+(?=[^a-z\d]|$)")
_INDICES = re.compile(r"(?<=[^\W\d]|[⁺⁻‖²′\u0300-\u036f])\[(\w(?:, \w)*)\]")
_MARK = "\0"  # encloses the formula that gets its own lines
_BLANK = "\N{NO-BREAK SPACE}"


def summarize(card: ClaimCard, width: int) -> list[str]:
    """Return the text of a claim without its verdict, at most 10 lines of this width."""
    sources = [f"{name}: {_write(card.said[name])}" for name in ("printed", "said by") if name in card.said]
    # the mark shared by all formulas that show a whole piece and define nothing
    marks = {run.mark for part in card.first for run in part if run.whole and " := " not in run.text}
    mark = marks.pop() if len(marks) == 1 else ""
    parts = [[run._replace(mark="" if mark else run.mark) for run in part] for part in card.first]
    rest = _wrap(_count_rest(card, mark), width)
    room = HEIGHT - 2 - len(sources) - len(rest)
    lines = _fit(parts, width, room) if card.stands else _wrap(card.failure, width, lines=room)
    if len(lines) > room:
        lines[room - 1 :] = _wrap(" ".join(map(str.strip, lines[room - 1 :])), width, lines=1)
    shown = "\n".join(lines)
    meanings = [_explain(*symbol) for symbol in card.symbols if find_letter(symbol[0], shown)]
    lines += _fit_symbols(meanings, width, room - len(lines))
    most = 2 if room - len(lines) >= len(sources) else 1
    return [*lines, *(line for said in sources for line in _wrap(said, width, lines=most)), *rest]


def take_first_sentence(card: ClaimCard, longest: float = inf) -> list[Span]:
    """Return the first sentence of a claim, or two if it is very short or a premise, with "…" for each formula that
    has more characters than this."""
    kept: list[Span] = []
    premise = _PREMISE.match(card.first[0][0].text)
    for run in card.first[0]:
        if _is_rendered(run):
            kept.append(Span("…") if len(run.text) > longest else run._replace(mark=""))
            continue
        *others, last = [run.text] if run.latex else _STOP.split(run.text)
        for words in others:
            kept.append(Span(words + " "))
            if sum(len(each.text) for each in kept) > LEAST:
                if not premise:
                    return kept
                premise = None
        kept.append(run._replace(text=last))
    return kept


def say_briefly(card: ClaimCard) -> str:
    """Return its first sentence on one line, cut where it is long."""
    said = _write(take_first_sentence(card, SHORT)).replace(_BLANK, " ").replace("….", "…")
    return shorten(said, BRIEF, placeholder=" …")


def _explain(letter: str, meaning: str) -> str:
    return meaning if meaning.startswith(f"{letter}(") else f"{letter}: {meaning}"


def _count_rest(card: ClaimCard, mark: str) -> str:
    pieces, lines = len(card.evidence), sum(piece.text().count("\n") + 1 for piece in card.evidence.values())
    counted = ", ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in ((pieces, "piece"), (lines, "line")))
    known = f"formulas [{mark}]: " if mark else "proof: "
    command = f"infonce-ref ledger {card.id} --whole".replace(" ", _BLANK)  # on one line, to be copied
    return f"{known}{counted}, {command}"


def _fit_symbols(meanings: Sequence[str], width: int, room: int) -> list[str]:
    """Return the meanings of as many symbols as fit the lines."""
    lines: list[str] = []
    said = ""
    for meaning in meanings:
        longer = _wrap(f"{said}{meaning}.", width)
        if len(longer) <= room:
            lines, said = longer, f"{said}{meaning}. "
    return lines


def _fit(parts: Sequence[Sequence[Span]], width: int, room: int) -> list[str]:
    """Return as many whole sentences as fit, at least the first of each part. The first relation of the last part
    gets its own lines; a relation of a whole piece is preferred to a definition, if its sentence fits.
    """
    rendered = [run for part in reversed(parts) for run in part if _is_rendered(run)]
    whole = next((run for run in rendered if run.whole), None)
    lines: list[str] = []
    for shown in (whole, *rendered[:1]):
        kept = [[said for said in _STOP.split(_write(runs, shown)) if said] for runs in parts]
        while len(lines := [line for part in kept for line in _paragraph(part, width)]) > room:
            longer = [part for part in kept if len(part) > 1]
            if not longer:
                break
            max(longer, key=lambda part: len(_paragraph(part, width))).pop()
        if shown and any(line.startswith(DISPLAYED) for line in lines):
            break
    return lines


def _is_rendered(run: Span) -> bool:
    """Return whether the formula comes from the evidence; a name between dollar signs is its own LaTeX."""
    return bool(run.latex) and run.latex != run.text


def _write(runs: Sequence[Span], shown: Span | None = None) -> str:
    """Return the runs as one line, with the chosen formula between marks."""
    said = ""
    for run in runs:
        formula = plain(run.text) if run.text == run.latex else shorten_indices(run.text)
        mark = f"{_BLANK}[{run.mark.replace(' ', _BLANK)}]" if run.mark else ""
        if run is shown and _MARK not in said:
            said += f"{_MARK}{formula}{mark}{_MARK}"
        elif run.latex and len(formula) <= KEPT_WHOLE:
            said += formula.replace(" ", _BLANK) + mark
        else:
            said += (formula if run.latex else run.text) + mark
    return re.sub(r"[ \n]+", " ", said).strip()


def shorten_indices(formula: str) -> str:
    """Write x[i, j] as x_ij and x^2 as x²; an index such as p(i) keeps its brackets."""
    return re.sub(r"\^2(?!\d)", "²", _INDICES.sub(lambda x: f"_{x[1].replace(', ', '')}", formula))


def _paragraph(sentences: Sequence[str], width: int) -> list[str]:
    """Return sentences, wrapped; punctuation stays with the formula that it follows."""
    before, _, rest = " ".join(sentences).partition(_MARK)
    formula, _, after = rest.partition(_MARK)
    stop = after[:1] if formula and after[:1] in ".,:;" else ""
    after = after.removeprefix(stop).lstrip()
    return [*_wrap(before, width), *_wrap(formula + stop, width, DISPLAYED), *_wrap(after, width)]


def _wrap(said: str, width: int, indent: str = INDENT, lines: int | None = None) -> list[str]:
    """Return the text in lines, cut after a word if they are more than these."""
    look: dict[str, Any] = {"initial_indent": indent, "subsequent_indent": indent, "break_on_hyphens": False}
    wrapped = wrap(said, width, **look, max_lines=lines, placeholder=" …")
    return [line.replace(_BLANK, " ") for line in wrapped]
