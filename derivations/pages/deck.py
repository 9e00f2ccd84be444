"""The slides, one page that needs no other file: → goes on, N shows the notes; in print they are a handout."""

from html import escape

from . import book
from .html import Figures, Page, alone
from .lesson import Question, slides


def write(cards: book.Cards, figures: Figures) -> str:
    """Return the page. cards: of all claims. figures: as in `html.Page`."""
    lesson = slides()
    page = Page(lesson, cards, figures, [lesson.name])
    bodies = {"": f"<h1>{escape(lesson.title)}</h1>{page.prose(lesson.summary)}"}
    for heading, html in page.sections():
        title = f"<h2>{escape(heading.lstrip('# '))}</h2>" if heading else ""
        bodies[heading] = bodies.get(heading, title) + html
    questions = [block for block in lesson.blocks if isinstance(block, Question)]
    answers = "".join(f"<li>{page.prose(one.text)}{page.answer(one)}</li>" for one in questions)
    bodies["## Answers"] = f"<h2>Answers</h2><ol class='answers'>{answers}</ol>"
    body = "".join(f"<section class='slide'>{html}</section>" for html in bodies.values())
    return alone(lesson.title, body, kind="deck", own="slides")
