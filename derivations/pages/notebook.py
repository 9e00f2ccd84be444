"""A lesson as notebook cells: text, claims with their evidence, code."""

from collections.abc import Iterator
from typing import NamedTuple

from ..evidence.spans import Span
from . import book
from .export import write_claim
from .lesson import Directive, Exercise, Lesson, Prose, Question


class Cell(NamedTuple):
    """kind: "markdown" or "code"."""

    kind: str
    text: str


def cells(lesson: Lesson, cards: book.Cards) -> Iterator[Cell]:
    """Yield the cells of a lesson; figures and controls are only named."""
    where = f"lesson {lesson.name}"

    def fill(text: str) -> str:
        return book.fill(text, cards, where, _set)

    def claim(id: str) -> Cell:
        return Cell("markdown", write_claim(cards[id], _set))

    yield Cell("markdown", f"# Lesson {lesson.number}: {lesson.title}\n\n{fill(lesson.summary)}")
    for block in lesson.blocks:
        match block:
            case Prose(words):
                yield Cell("markdown", fill(words))
            case Exercise(question, solution):
                hidden = f"<details><summary>Solution</summary>\n\n{fill(solution)}\n\n</details>"
                yield Cell("markdown", f"**Exercise.** {fill(question)}\n\n{hidden}")
            case Question():
                asked, answer = map(fill, block.as_markdown())
                hidden = f"<details><summary>Answer</summary>\n\n{answer}\n\n</details>"
                yield Cell("markdown", f"**Question.** {asked}\n\n{hidden}")
            case Directive("claim", (id,)):
                yield claim(id)
            case Directive("rest", files):
                yield from (claim(id) for id in book.list_rest(files))
            case Directive("equation", (id, *which)):
                said = book.equation(id, which[0] if which else "", cards, where)
                yield Cell("markdown", f"$$\n{said.latex}\n$$\n\n[{id}]")
            case Directive("code", (name,)):
                shown = f"print(inspect.getsource(textbook.{name}))"
                yield Cell("code", f"import inspect\n\nfrom infonce_ref import textbook\n\n{shown}")
            case Directive("figure", (name,)):
                yield Cell("markdown", f"*Figure: `infonce-ref figures --only {name}` draws it.*")
            case Directive(kind, (name, *_), caption):
                asked = f"{fill(caption)} " if caption else ""
                yield Cell(
                    "markdown",
                    f"{asked}*The {kind} {name} is on the page: `infonce-ref lessons {lesson.name} --open`.*",
                )


def _set(run: Span) -> str:
    return f"${run.latex}$" if run.latex else run.text
