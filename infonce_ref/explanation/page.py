"""The explanation as one self-contained page in the style of the lessons."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

from ..derivations import record
from ..derivations.documents import order
from ..derivations.pages import book, html
from ..derivations.pages.lesson import Directive, Lesson, Prose
from ..derivations.pages.mathematics import mathml
from . import drawing
from .record import Record
from .sentences import Sentence, explain_temperature, facts
from .text import cells, heading, lists


class Table(NamedTuple):
    """Headings and rows of cells; `bold` is the row to set off."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    bold: int = -1


class Page(html.Page):
    """A page about one batch: figures, tables, and every claim behind its numbers, as it is recorded."""

    def html(self) -> str:
        """Return the page, which needs no other file."""
        head = (
            f"<p class='number'>infonce-ref explain</p><h1>{escape(self.lesson.title)}</h1>"
            f"<p class='summary'>{escape(self.lesson.summary)}</p>"
        )
        body = "\n".join(self.block(block, None) for block in self.lesson.blocks)
        return html.alone(self.lesson.title, f"{head}{body}{html.explain_marks()}")

    def block(self, block: Any, before: Any) -> str:
        match block:
            case Table(head, rows, bold):
                return _table(head, rows, bold)
            case Sentence():
                return self.show_sentence(block)
        return super().block(block, before)

    def show_sentence(self, sentence: Sentence) -> str:
        references = " ".join(map(self.reference, sentence.claims))
        verdict = html.slug(self.cards[sentence.claims[0]].verdict) if sentence.claims else ""
        found = sentence.equation and book.equation(*sentence.equation, self.cards, self.where)
        equation = f"<div class='scroll'>{mathml(found.latex, display=True)}</div>" if found else ""
        return (
            f"<section class='claim {verdict}'><header><span class='id'>{escape(sentence.name)}</span> "
            f"<strong>{escape(sentence.number)}</strong> {references}</header>"
            f"<p>{escape(sentence.words)}.</p>{equation}</section>"
        )

    def find_address(self, id: str) -> str:
        return f"#{id}" if id in self.cards else ""  # this page shows the claims behind its numbers


def html_page(found: Record, name: str, progress: Callable[[str, int, int], None] = lambda *_: None) -> str:
    """Return the page as HTML. name: of the input files · progress(id, done, to_do): called for each claim that
    changed since it was recorded, and is checked anew.

    Raises ValueError if a claim does not stand.
    """
    figures = drawing.entries(found)
    told = [*explain_temperature(found), *facts(found)]
    ids = sorted({id for x in (*told, *found.advice, *figures.values()) for id in x.claims}, key=order)

    def work(check: Callable[[str], Any], changed: Sequence[str]) -> Iterable[Any]:
        for done, id in enumerate(changed):
            progress(id, done, len(changed))
            yield check(id)

    cards = book.index_standing(record.settle(ids, work).values())
    lesson = Lesson("batch", 0, name, heading(found), tuple(_blocks(found, ids)))
    return Page(lesson, cards, figures.__getitem__, [lesson.name]).html()


def _blocks(found: Record, ids: Sequence[str]) -> Iterable[Any]:
    for advice in found.advice:
        what = advice.what[:1].upper() + advice.what[1:]
        yield Prose(f"**{what}**: {advice.then}. *Rule: {advice.rule}* [{', '.join(advice.claims)}]")
    yield Directive("figure", ("similarities",))
    yield Prose("## Against the temperature")
    head, rows = cells(found)
    yield Table(head, rows, found.table.index(found.row))
    yield Directive("figure", ("temperatures",))
    yield Directive("figure", ("pushes",))
    yield Prose(f"## At τ = {found.temperature:g}")
    yield from explain_temperature(found)
    yield Prose("## At every temperature")
    yield from facts(found)
    yield Prose("## The rows behind it")
    for title, head, rows in lists(found):
        yield Prose(f"### {title.capitalize()}")
        yield Table(head, rows)
    yield Prose("## The claims\n\nThe claims of the ledger behind the numbers, with their evidence.")
    yield from (Directive("claim", (id,)) for id in ids)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], bold: int) -> str:
    def row(cells: Sequence[str], tag: str, place: int) -> str:
        inner = (f"<strong>{escape(cell)}</strong>" if place == bold else escape(cell) for cell in cells)
        return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in inner) + "</tr>"

    body = "".join(row(cells, "td", place) for place, cells in enumerate(rows))
    head_row = f"<thead>{row(head, 'th', -2)}</thead>"
    table = f"<table style='white-space: nowrap'>{head_row}<tbody>{body}</tbody></table>"
    return f"<figure><div class='scroll'>{table}</div></figure>"  # a figure is wider than the text
