"""The file that a learner gets, and its solution: made from the claims, the textbook and `gradients`."""

import inspect
import re
import textwrap
from collections.abc import Sequence

from ..catalogue import SOURCES
from . import equations, gradients
from .exercise import Exercise

WIDTH = 116
EMPTY = "raise NotImplementedError  # your lines go here"
HEAD = """Exercise {name}: {title}.

Below are {functions}; {task}. Then
    infonce-ref exercise {name} --check {name}.py
says what is right, and what is wrong, by name. A step: --hint; --hint 2 the next. The lesson:
    infonce-ref lessons {lesson}

The equations, each with the id under which it is proved:

"""
IMPORTS = "import numpy as np\nfrom numpy import arange, concatenate, exp, eye, log, ones, sqrt, where"
OWN = [f for f in vars(gradients).values() if getattr(f, "__module__", "") == gradients.__name__]
WORDS = {f.__name__: inspect.getsource(f) for f in OWN} | SOURCES
DOCSTRING = re.compile(r' *""".*?"""\n', re.DOTALL)


def write(exercise: Exercise) -> str:
    """The file to fill in or to mend."""
    task = "one of them is wrong: mend it" if exercise.given else "fill in both"
    head = HEAD.format(**exercise._asdict() | {"functions": " and ".join(exercise.functions), "task": task})
    lines = [*head.splitlines(), *(f"    {line}" for line in equations.lines(exercise.equations))]
    return f'"""{chr(10).join(fold(line.rstrip()) for line in lines)}\n"""\n\n{write_body(exercise)}\n'


def fold(line: str) -> str:
    """Break a long line into several."""
    begin = " " * (len(line) - len(line.lstrip()) + 8)
    return textwrap.fill(line, WIDTH, subsequent_indent=begin, break_long_words=False)


def write_body(exercise: Exercise) -> str:
    """The two functions, without their lines or with the mistake in them."""
    if not exercise.given:
        return "\n\n\n".join(["import numpy as np", *define(exercise, [EMPTY, EMPTY])])
    text = "\n\n\n".join(solve(exercise))
    for right, wrong in zip(exercise.given[::2], exercise.given[1::2]):
        text = text.replace(right, wrong)
    return text


def solve(exercise: Exercise) -> list[str]:
    """The solution: the textbook's words that it needs, the loss and its gradient."""
    bodies = list_bodies(exercise)
    return [IMPORTS, *list_words("\n".join(bodies)), *define(exercise, bodies)]


def mark(exercise: Exercise) -> str:
    """The solution as nbgrader wants it: everything between its marks, within the two functions."""
    whole = ("\n".join([IMPORTS, *list_words(body), body]) for body in list_bodies(exercise))
    marked = [f"### BEGIN SOLUTION\n{body}\n### END SOLUTION" for body in whole]
    return "\n\n\n".join(["import numpy as np", *define(exercise, marked)])


def define(exercise: Exercise, bodies: Sequence[str]) -> list[str]:
    """The two functions with these lines in them."""
    about = " ".join((getattr(gradients, exercise.name).__doc__ or "").split()).split(" · ")
    made = []
    for which, (name, body) in enumerate(zip(exercise.functions, bodies)):
        takes = exercise.takes(which)
        told = [part for part in about if re.findall(r"\w+", part)[0] in takes]
        inside = [
            f'"""{say_result(exercise, which)}',
            "",
            *textwrap.wrap(" · ".join(told), WIDTH - 4),
            '"""',
            body,
        ]
        made.append(f"def {name}({', '.join(takes)}):\n{textwrap.indent(chr(10).join(inside), '    ')}")
    return made


def say_result(exercise: Exercise, which: int) -> str:
    if which:
        shape = "an array of its shape" if len(exercise.by) == 1 else "arrays of their shapes"
        return f"The gradient by {' and by '.join(exercise.by)}: {shape}."
    if exercise.returns_rows:
        return f"The rows of {exercise.takes(0)[0]}, with length 1: an array."
    source = SOURCES[exercise.loss]
    over = ", the mean over the rows" * ("mean(" in source) + ", the sum over the rows" * (
        "return total(" in source
    )
    return f"The {exercise.functions[0]}: a number{over}."


def list_bodies(exercise: Exercise) -> list[str]:
    """The lines of the loss and those of the gradient."""
    lines = inspect.getsource(getattr(gradients, exercise.name)).partition(":\n")[2]
    slope = textwrap.dedent(DOCSTRING.sub("", lines, count=1)).rstrip()
    return [f"return {exercise.digits or exercise.value}", slope]


def list_words(text: str) -> list[str]:
    """The functions of the textbook and of `gradients` that a text calls, each after those that it calls."""
    found: dict[str, None] = {}
    for name, source in WORDS.items():
        if re.search(rf"(?<![.\w]){name}\(", text):
            body = DOCSTRING.sub("", source.partition(":\n")[2])
            found |= dict.fromkeys([*list_words(body), source.strip()])
    return list(found)
