"""The file that a learner gets: the equations, and two functions to fill in. It is generated from the solution's
text and the claims."""

import ast
import textwrap

from . import equations
from .exercise import Exercise

WIDTH = 116
EMPTY = "    raise NotImplementedError  # your lines go here"
INSTALL = """# for Colab, Binder and other machines that do not have it yet
import importlib.util
import subprocess
import sys

if importlib.util.find_spec("infonce_ref") is None:
    source = "infonce_ref[teach] @ git+https://github.com/{repository}@{branch}"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", source], check=True)
"""  # the first cell of a notebook that lies in a repository with this package


def write(exercise: Exercise) -> str:
    """The file."""
    return f"{write_head(exercise)}\n\n{body(exercise)}\n"


def body(exercise: Exercise) -> str:
    """The two functions that the learner fills in or mends."""
    blanks = (blank(exercise, name) for name in exercise.functions)
    return "import numpy as np\n\n\n" + (plant(exercise) if exercise.given else "\n\n\n".join(blanks))


def write_head(exercise: Exercise) -> str:
    """The task and the equations."""
    what = "one of them is wrong: mend it" if exercise.given else "fill in both"
    names = " and ".join(exercise.functions)
    command = f"infonce-ref exercise {exercise.name}"
    commands = {
        f"{command} --check {exercise.name}.py": "what is right, and what is wrong, by name",
        f"{command} --hint": "a step; --hint 2 the next",
        f"infonce-ref lessons {exercise.lesson}": "the lesson",
    }
    width = max(map(len, commands)) + 3
    lines = [
        f"Exercise {exercise.name}: {exercise.title}.",
        "",
        f"Below are {names}; {what}. Then",
        *(f"    {line:<{width}}{words}" for line, words in commands.items()),
        "",
        "The equations, each with the id under which it is proved:",
        "",
        *(f"    {line}".rstrip() for line in equations.lines(exercise.equations)),
    ]
    wrapped = [part for line in lines for part in fold(line)]
    return '"""' + "\n".join(wrapped) + '\n"""'


def fold(line: str) -> list[str]:
    """Break a long line into several."""
    indent = " " * (len(line) - len(line.lstrip()) + 8)
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False) or [""]


def blank(exercise: Exercise, name: str) -> str:
    """A function of the solution with its body removed."""
    node = function(exercise.text, name)
    doc = node.body[0]
    lines = exercise.text.splitlines()
    return "\n".join([*lines[node.lineno - 1 : doc.end_lineno], EMPTY])


def function(text: str, name: str) -> ast.FunctionDef:
    return next(x for x in ast.parse(text).body if isinstance(x, ast.FunctionDef) and x.name == name)


def plant(exercise: Exercise) -> str:
    """Return the solution with the mistake in it, from its first function on, without comments that would
    reveal the right result.
    """
    text = exercise.text
    for old, new in zip(exercise.given[::2], exercise.given[1::2]):
        text = text.replace(old, new)
    first = next(x for x in ast.parse(text).body if isinstance(x, ast.FunctionDef))
    return "\n".join(text.splitlines()[first.lineno - 1 :])
