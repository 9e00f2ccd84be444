"""The file that a learner gets, and its solution: made from the claims, the textbook and `gradients`."""

import inspect
import re
import textwrap
from collections.abc import Sequence

from ..catalogue import SOURCES, remove_docstring
from . import equations, gradients
from .exercise import Exercise

WIDTH = 116
EMPTY = "raise NotImplementedError  # your lines go here"
HEAD = '''"""Exercise {name}: {title}.

Below are {functions}; {task}. Then
    infonce-ref exercise {name} --check {name}.py
says what is right, and what is wrong, by name. A step: --hint; --hint 2 the next. The lesson:
    infonce-ref lessons {lesson}

The equations, each with the id under which it is proved:

{equations}
"""

{body}
'''
IMPORTS = "import numpy as np\nfrom numpy import arange, concatenate, exp, eye, log, ones, sqrt, where"
OWN = [f for f in vars(gradients).values() if getattr(f, "__module__", "") == gradients.__name__]
WORDS = {f.__name__: inspect.getsource(f) for f in OWN} | SOURCES


def write(exercise: Exercise) -> str:
    """The file to fill in or to mend."""
    task = "one of them is wrong: mend it" if exercise.given else "fill in both"
    lines = [
        textwrap.fill(f"    {line}", WIDTH, subsequent_indent=" " * 12, break_long_words=False)
        for line in equations.lines(exercise.equations)
    ]
    said = {"functions": " and ".join(exercise.functions), "task": task, "equations": "\n".join(lines)}
    return HEAD.format(**exercise._asdict() | said, body=write_body(exercise))


def write_body(exercise: Exercise) -> str:
    """The two functions, without their lines or with the mistake in them."""
    if exercise.given:
        right, wrong = exercise.given
        return "\n\n\n".join(solve(exercise)).replace(right, wrong)
    return "\n\n\n".join(["import numpy as np", *define(exercise, [EMPTY, EMPTY])])


def write_solution(exercise: Exercise) -> str:
    """The file of a learner who has solved it."""
    return "\n\n\n".join([f'"""{exercise.title}."""', *solve(exercise)]) + "\n"


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
    made = []
    for which, (name, body) in enumerate(zip(exercise.functions, bodies)):
        takes = exercise.takes(which)
        told = " · ".join(part for part in exercise.about if re.findall(r"\w+", part)[0] in takes)
        lines = [f'"""{say_result(exercise, which)}', "", *textwrap.wrap(told, WIDTH - 4), '"""', body]
        made.append(f"def {name}({', '.join(takes)}):\n{textwrap.indent(chr(10).join(lines), '    ')}")
    return made


def say_result(exercise: Exercise, which: int) -> str:
    if which:
        shape = "an array of its shape" if len(exercise.by) == 1 else "arrays of their shapes"
        return f"The gradient by {' and by '.join(exercise.by)}: {shape}."
    if exercise.returns_rows:
        return f"The rows of {exercise.takes(0)[0]}, with length 1: an array."
    source, over = SOURCES[exercise.loss], ", the {} over the rows"
    over = over.format("mean") * ("mean(" in source) + over.format("sum") * ("return total(" in source)
    return f"The {exercise.functions[0]}: a number{over}."


def list_bodies(exercise: Exercise) -> list[str]:
    """The lines of the loss and those of the gradient."""
    slope = remove_docstring(inspect.getsource(exercise.gradient)).partition(":\n")[2].strip("\n")
    return [f"return {exercise.digits or exercise.value}", textwrap.dedent(slope).strip()]


def list_words(text: str) -> list[str]:
    """The functions of the textbook and of `gradients` that a text calls, each after those that it calls."""
    found: dict[str, None] = {}
    for name, source in WORDS.items():
        if re.search(rf"(?<![.\w]){name}\(", text):
            body = remove_docstring(source).partition(":\n")[2]
            found |= dict.fromkeys([*list_words(body), source.strip()])
    return list(found)
