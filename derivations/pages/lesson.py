r"""A lesson's source: Markdown, $\tau$ for mathematics within a line, [D1.13] for a claim, and directives.

A directive is a line of its own, in braces:

    {claim D1.13}           the claim: what is printed, what was checked, the verdict, the derivation line by line
    {equation D1.13}        first line = last line of the claim's proof; {equation M7 4} takes its fourth proof
    {figure hardness_weights}
    {code losses/infonce.py}      forward and backward, each line beside the claims that it implements
    {control anchor}        live: sliders, and what moves with them; {control anchor self=1} starts with that
                            slider elsewhere; {control geometry preset=sphere} with points that can be moved, as
                            `assets/geometry.js` has them
    {exercise}  …  {solution}  …  {end}
    {rest losses/infonce softmax}  every claim of these files of `derivations` that no lesson has placed

Within a line {R1 slope} is what the piece `slope` of the claim's evidence says, {R1 slope.where L} what L stands
for in it; {= e^2 ≈ 7.39} and its like are checked and rendered by `formula.py`. A formula in $…$ may not state a
relation, so every relation on a page was proved or computed when the page was built.

A lesson is a file NN_name.md, its place in the reading order and its name. Sections may lie in files of their own,
NN_name/*.md: they stand before its exercises, in the order of their names.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..documents import PATTERN
from ..evidence.words import find_relation

FOLDER = Path(__file__).parent / "lessons"

QUOTATION = re.compile(rf"\{{({PATTERN} [^{{}}]+)\}}")

CODE = re.compile(r"```.*?```", re.DOTALL)
_NAMES = re.compile(r"1\[[^\]]*\]|\^=")  # the number 1[j = p(i)], the letter M^=

_DIRECTIVE = re.compile(r"\{(\w+)((?: [^{} ]+)*)\}")
_ARGUMENTS = {
    "claim": (1, 1),
    "equation": (1, 2),
    "figure": (1, 1),
    "code": (1, 1),
    "control": (1, 9),
    "rest": (1, 9),
}


class Prose(NamedTuple):
    """Markdown."""

    text: str


class Directive(NamedTuple):
    """A line in braces."""

    name: str
    arguments: tuple[str, ...]


class Exercise(NamedTuple):
    """A question and its solution, both Markdown."""

    question: str
    solution: str


Block = Prose | Directive | Exercise


class Lesson(NamedTuple):
    """One page: name, place in the reading order, title, summary, blocks."""

    name: str
    number: int
    title: str
    summary: str
    blocks: tuple[Block, ...]


def first_control(lesson: Lesson) -> Directive | None:
    """Return the first control of a lesson, whose picture the index shows."""
    directives = (block for block in lesson.blocks if isinstance(block, Directive))
    return next((block for block in directives if block.name == "control"), None)


def count_words(lesson: Lesson) -> int:
    """Count the words before "Line by line", code aside."""
    prose = "\n".join(block.text for block in lesson.blocks if isinstance(block, Prose))
    return len(CODE.sub("", prose.partition("## Line by line")[0]).split())


def texts(lesson: Lesson) -> list[str]:
    """Return all Markdown of a lesson, its summary first."""
    prose = [block for block in lesson.blocks if not isinstance(block, Directive)]
    return [lesson.summary, *(text for block in prose for text in block)]


@cache
def lessons() -> dict[str, Lesson]:
    """Return every lesson by name, in reading order: the files NN_name.md."""
    read = (_lesson(path) for path in sorted(FOLDER.glob("[0-9][0-9]_*.md")))
    return {lesson.name: lesson for lesson in read}


def _lesson(path: Path) -> Lesson:
    number, _, name = path.stem.partition("_")
    title, summary, body = path.read_text(encoding="utf-8").split("\n\n", 2)
    text, exercises, questions = body.partition("## Exercises\n")
    sections = [part.read_text(encoding="utf-8") for part in sorted(path.with_suffix("").glob("*.md"))]
    where = f"lesson {name}"
    blocks = parse("\n".join([text, *sections, exercises + questions]), where)
    parse(summary, where)
    return Lesson(name, int(number), title.removeprefix("# "), " ".join(summary.split()), blocks)


def parse(text: str, where: str) -> tuple[Block, ...]:
    """The blocks of a lesson's text. Raises ValueError for an unchecked relation or an unknown directive."""
    if "$$" in text:
        raise ValueError(f"{where}: $$ displays an equation that has no claim; write {{equation ID}}")
    for formula in re.findall(r"\$([^$]+)\$", CODE.sub("", text)):
        if sign := find_relation(_NAMES.sub("", formula)):
            raise ValueError(f"{where}: ${formula}$ states {sign!r} unchecked; write {{= …}}, see formula.py")
    return tuple(_blocks(text, where))


def _blocks(text: str, where: str) -> Iterator[Block]:
    prose: list[str] = []
    parts: list[str] = []  # the two parts of an opened exercise: question, then solution

    def flush() -> str:
        joined = "\n".join(prose).strip()
        prose.clear()
        return joined

    for line in text.splitlines():
        found = _DIRECTIVE.fullmatch(line.strip())
        if not found or QUOTATION.fullmatch(line.strip()):
            prose.append(line)
            continue
        name, arguments, before = found[1], tuple(found[2].split()), flush()
        match name, len(parts):
            case "solution", 0 if before:
                parts.append(before)
            case "end", 1 if before:
                yield Exercise(parts.pop(), before)
            case "exercise", 0:
                if before:
                    yield Prose(before)
            case _ if name in _ARGUMENTS and not parts:
                least, most = _ARGUMENTS[name]
                if not least <= len(arguments) <= most:
                    raise ValueError(
                        f"{where}: {line} takes {least} to {most} arguments; got {len(arguments)}"
                    )
                if before:
                    yield Prose(before)
                yield Directive(name, arguments)
            case _:
                raise ValueError(f"{where}: {line} has no place here; see derivations/pages/lesson.py")
    if parts:
        raise ValueError(f"{where}: an exercise without {{end}}")
    if rest := flush():
        yield Prose(rest)
