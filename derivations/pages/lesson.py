r"""A lesson's source: Markdown, $\tau$ for mathematics within a line, [D1.13] for a claim, and directives.

A directive is a line of its own, in braces:

    {claim D1.13 D1.14}     the claims: what is printed, what was checked, the verdict, the derivation line by line
    {equation D1.13}        first line = last line of the claim's proof; {equation M7 4} takes its fourth proof
    {figure hardness_weights}
    {code infonce}          that function of the textbook
    {control anchor}        live: sliders, and what moves with them; {control anchor self=1} starts with that
                            slider elsewhere, show=loss,push with these readouts only; {control geometry
                            preset=sphere} with points that can be moved, as `assets/geometry.js` has them;
                            {control anchor | Why is it not 0?} under a line of words
    {exercise}  …  {solution}  …  {end}
    {question}  …  + the right option | what was checked of it  - a wrong one | …  {answer}  …  {end}
    {rest losses/infonce softmax}  every claim of these files of `derivations` that no lesson has placed

A lesson begins with its title, its summary, the names of the lessons that a reader needs and what a reader can do
after it ("Before: softmax. After: compute …."), and with a control and a line of words that ask its question.

Within a line {R1 slope} is what the piece `slope` of the claim's evidence says, {R1 slope.where L} what L stands
for in it; {= e^2 ≈ 7.39} and its like are checked and rendered by `formula.py`. A formula in $…$ may not state a
relation, so every relation on a page was proved or computed.

A question asks a reader to predict what the text says next. Each option is a line, and has something that is
checked: `+ {= log(N - 1) for infonce of equal rows}`, `- {≠ log N for infonce of equal rows}` for a wrong value of
the same situation, `+ {0.69: log 2}` and `- {≠ 0.31: log 2}` for numbers, or words, and after a bar the relation by
which they are right or wrong; the page shows it with the answer.

A lesson is a file NN_name.md, its place in the reading order and its name. Sections may lie in files of their own,
NN_name/*.md: they stand before its exercises, in the order of their names.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from ..documents import PATTERN
from ..evidence.words import find_relation
from .formula import WRITTEN

FOLDER = Path(__file__).parent / "lessons"

QUOTATION = re.compile(rf"\{{({PATTERN} [^{{}}]+)\}}")

CODE = re.compile(r"```.*?```", re.DOTALL)
REFERENCE = re.compile(r"^## Line by line", re.M)  # the heading of the reference part
# characters that are part of a name: the number 1[j = p(i)], the letter M^=
_NAMES = re.compile(r"1\[[^\]]*\]|\^=")

_AIMS = re.compile(r"Before: (.+?)\. After: (.+)\n")
_BLOCK = re.compile(  # a question, an exercise, or a directive
    r"^\{question\}\n([^\0]+?)\n\{answer\}\n([^\0]+?)\n\{end\}$"
    r"|^\{exercise\}\n([^\0]+?)\n\{solution\}\n([^\0]+?)\n\{end\}$"
    r"|^\{([a-z]+)((?: [^{} |\n]+)*)(?: \| (.+))?\}$",
    re.M,
)
_MOST = {"claim": 20, "equation": 2, "figure": 1, "code": 1, "control": 9, "rest": 9}  # arguments


def change_outside(pattern: str, text: str, change: Callable[[str], str]) -> str:
    """Change a text, but not what the pattern finds in it. The pattern has no groups."""
    pieces = re.split(f"({pattern})", text, flags=re.DOTALL)
    return "".join(piece if place % 2 else change(piece) for place, piece in enumerate(pieces))


class Prose(NamedTuple):
    """Markdown."""

    text: str


class Directive(NamedTuple):
    """A line in braces; the caption is the line above a control."""

    name: str
    arguments: tuple[str, ...]
    caption: str = ""


class Exercise(NamedTuple):
    """A question and its solution, both Markdown."""

    question: str
    solution: str


class Option(NamedTuple):
    """A possible answer: its words, what was checked of it, and whether it is right."""

    words: str
    because: str
    right: bool


class Question(NamedTuple):
    """A question, its options, and the explanation that follows the answer."""

    text: str
    options: tuple[Option, ...]
    answer: str

    @property
    def right(self) -> Option:
        """The right option."""
        return next(option for option in self.options if option.right)

    def as_markdown(self) -> tuple[str, str]:
        """Return the question with its options as a list, and the answer with what was checked of each option."""
        asked = "\n".join(f"- {option.words}" for option in self.options)
        checked = "\n".join(f"- {o.words}: {o.because}" for o in self.options if o.because)
        return f"{self.text}\n\n{asked}", "\n\n".join(filter(None, [self.right.words, checked, self.answer]))


Block = Prose | Directive | Exercise | Question


class Lesson(NamedTuple):
    """One page: name, place in the reading order, title, summary, blocks; the lessons that a reader needs before,
    and what a reader can do after it."""

    name: str
    number: int
    title: str
    summary: str
    blocks: tuple[Block, ...]
    before: tuple[str, ...] = ()
    after: str = ""


def list_story(lesson: Lesson) -> list[Block]:
    """Return the blocks before "Line by line" and the exercises."""

    def read(block: Block) -> bool:
        return not (
            isinstance(block, Exercise) or (isinstance(block, Prose) and REFERENCE.search(block.text))
        )

    return list(takewhile(read, lesson.blocks))


def count_words(lesson: Lesson) -> int:
    """Count the words before "Line by line", including questions and captions, but not code."""
    return sum(len(CODE.sub("", text).split()) for block in list_story(lesson) for text in _list_texts(block))


# Minutes that a student needs, beyond those for the words, for a block of the kind.
_MINUTES = {"control": 3, "figure": 2, "claim": 1, "equation": 1, "code": 3}
WORDS_A_MINUTE = 130


def count_minutes(lesson: Lesson) -> int:
    """Estimate how long a student reads, plays with the controls and answers the questions, to five minutes;
    "Line by line" and the exercises are not in it."""
    story = list_story(lesson)
    extra = sum(_MINUTES.get(block.name, 0) for block in story if isinstance(block, Directive))
    asked = sum(isinstance(block, Question) for block in story)
    return 5 * round((count_words(lesson) / WORDS_A_MINUTE + extra + asked) / 5)


def texts(lesson: Lesson) -> list[str]:
    """Return all Markdown of a lesson, its summary first."""
    return [lesson.summary, *(text for block in lesson.blocks for text in _list_texts(block))]


def _list_texts(block: Block) -> list[str]:
    match block:
        case Prose(text):
            return [text]
        case Exercise(question, solution):
            return [question, solution]
        case Question(text, options, answer):
            return [text, *(part for option in options for part in option[:2]), answer]
        case Directive(_, _, caption) if caption:
            return [caption]
    return []


@cache
def lessons() -> dict[str, Lesson]:
    """Return every lesson by name, in reading order: the files NN_name.md."""
    read = (_lesson(path, *path.stem.split("_", 1)) for path in sorted(FOLDER.glob("[0-9][0-9]_*.md")))
    return {lesson.name: lesson for lesson in read}


@cache
def first_page() -> Lesson:
    """Return the first page of the site, which is written like a lesson."""
    return _lesson(FOLDER / "index.md", "0", "index")


@cache
def slides() -> Lesson:
    """Return the slides, which are written like a lesson: a heading each, and a speaker's notes as a quotation."""
    return _lesson(FOLDER / "slides.md", "0", "slides")


def _lesson(path: Path, number: str, name: str) -> Lesson:
    title, summary, body = path.read_text(encoding="utf-8").split("\n\n", 2)
    aims = _AIMS.match(body)
    body = body[aims.end() :] if aims else body
    where = f"lesson {name}"
    text, exercises, questions = body.partition("## Exercises\n")
    sections = [part.read_text(encoding="utf-8") for part in sorted(path.with_suffix("").glob("*.md"))]
    blocks = parse("\n".join([text, *sections, exercises + questions]), where)
    parse(summary, where)
    before, after = aims.groups() if aims else ("none", "")
    after = after and f"After it you can {after}"
    needed = () if before == "none" else tuple(before.split(", "))
    return Lesson(
        name, int(number), title.removeprefix("# "), " ".join(summary.split()), blocks, needed, after
    )


def parse(text: str, where: str) -> tuple[Block, ...]:
    """Parse a lesson's text into blocks. Raises ValueError for an unchecked relation or an unknown directive."""
    if "$$" in text:
        raise ValueError(f"{where}: $$ displays an equation that has no claim; write {{equation ID}}")
    for formula in re.findall(r"\$([^$]+)\$", CODE.sub("", text)):
        if sign := find_relation(_NAMES.sub("", formula)):
            raise ValueError(f"{where}: ${formula}$ states {sign!r} unchecked; write {{= …}}, see formula.py")
    return tuple(_blocks(text, where))


def _blocks(text: str, where: str) -> Iterator[Block]:
    place = 0
    for found in _BLOCK.finditer(text):
        if before := text[place : found.start()].strip():
            yield Prose(before)
        block = _read_block(found, where)
        if isinstance(block, Directive) and block.name == "claim":
            yield from (Directive("claim", (id,)) for id in block.arguments)
        else:
            yield block
        place = found.end()
    if rest := text[place:].strip():
        yield Prose(rest)


def _read_block(found: re.Match[str], where: str) -> Block:
    *asked, name, arguments, caption = (part.strip() for part in found.groups(""))
    question, answer, exercise, solution = asked
    most = _MOST.get(name, 0)
    if any(map(_BLOCK.search, asked)) or (name and (not most or (caption and name != "control"))):
        raise ValueError(
            f"{where}: {found[0]} has no place here, or is without {{end}}; see derivations/pages/lesson.py"
        )
    if question:
        return _read_question(question, answer, where)
    if exercise:
        return Exercise(exercise, solution)
    if not 1 <= len(arguments.split()) <= most:
        raise ValueError(f"{where}: {found[0]} takes 1 to {most} arguments; got {arguments}")
    return Directive(name, tuple(arguments.split()), caption)


def _read_question(asked: str, answer: str, where: str) -> Question:
    """Read text and options. Raises ValueError unless one of three options or more is right and all are checked."""
    lines = asked.splitlines()
    first = next((place for place, line in enumerate(lines) if line[:2] in ("+ ", "- ")), len(lines))
    text = "\n".join(lines[:first]).strip()
    options: list[Option] = []
    for line in filter(str.strip, lines[first:]):
        if line[:2] not in ("+ ", "- "):
            raise ValueError(f"{where}: an option is one line that begins with + or -; got {line}")
        words, _, because = line[2:].partition(" | ")
        options.append(Option(words.strip(), because.strip(), line[0] == "+"))
    right = [option for option in options if option.right]
    if not text or len(right) != 1 or len(options) < 3:
        raise ValueError(f"{where}: a question has text, one right option and two wrong ones; got {asked}")
    subject = {_subject(found) for found in _list_checks(right[0])}
    for option in options:
        checks = _list_checks(option)
        if not checks:
            raise ValueError(f"{where}: nothing is checked of the option {option.words!r}")
        for found in checks:
            if found.startswith("≠") and (option.right or _subject(found) not in subject):
                raise ValueError(f"{where}: {{{found}}} is no wrong value of what the right option gives")
    return Question(text, tuple(options), answer)


def _list_checks(option: Option) -> list[str]:
    written = " ".join(option[:2])
    formulas = [found for found in WRITTEN.findall(written) if not found.startswith("given")]
    return formulas + QUOTATION.findall(written)


def _subject(written: str) -> str:
    """Return what a value refers to: the situation, or the expression after the number."""
    _, colon, expression = written.partition(": ")
    return expression.strip() if colon else written.partition(" for ")[2].strip()
