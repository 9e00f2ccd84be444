"""A lesson as notebook cells: text, claims with their evidence, code."""

from collections.abc import Iterator
from typing import NamedTuple

from ..evidence.claims import Run
from ..evidence.pieces import describe
from ..ledger import Settled
from . import book
from .lesson import Directive, Exercise, Lesson, Prose, Question


class Cell(NamedTuple):
    """kind: "markdown" or "code"."""

    kind: str
    text: str


def cells(lesson: Lesson, entries: book.Entries) -> Iterator[Cell]:
    """Yield the cells of a lesson; figures and controls are only named."""
    where = f"lesson {lesson.name}"

    def fill(text: str) -> str:
        return book.fill(text, entries, where, _set)

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
                yield Cell("markdown", claim(entries[id]))
            case Directive("rest", files):
                yield from (Cell("markdown", claim(entries[id])) for id in book.list_rest(files))
            case Directive("equation", (id, *which)):
                said = book.equation(id, which[0] if which else "", entries, where)
                yield Cell("markdown", f"$$\n{said.latex()}\n$$\n\n[{id}]")
            case Directive("code", (path,)):
                module = f"infonce_ref.{path.removesuffix('.py').replace('/', '.')}"
                yield Cell("code", f"import inspect\n\nimport {module}\n\nprint(inspect.getsource({module}))")
            case Directive("figure", (name,)):
                yield Cell("markdown", f"*Figure: `infonce-ref figures --only {name}` draws it.*")
            case Directive(kind, (name, *_), caption):
                asked = f"{fill(caption)} " if caption else ""
                yield Cell(
                    "markdown",
                    f"{asked}*The {kind} {name} is on the page: `infonce-ref lessons {lesson.name} --open`.*",
                )


def claim(entry: Settled) -> str:
    """Return what the claim says, its verdict, and its evidence, folded."""
    said = [f"- {heading}: {''.join(map(_set, runs))}" for heading, runs in book.describe(entry)]
    shown = "\n".join(describe(part) for part in entry.evidence.values())
    folded = f"<details><summary>evidence</summary>\n\n```text\n{shown}\n```\n\n</details>"
    return "\n".join([f"**{entry.claim.id}** · {entry.claim.verdict}\n", *said, "", folded])


def _set(run: Run) -> str:
    return f"${run.latex}$" if run.latex else run.text
