"""The file that a learner gets, with the equations and two functions to fill in, and its solution: made from the
claims, the textbook and `gradients`.
"""

import inspect
import re
import textwrap

from ..catalogue import SOURCES
from . import equations, gradients
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
NUMPY = ("arange", "concatenate", "exp", "eye", "log", "ones", "sqrt", "where")  # words of the textbook
ROWS = ("mean", "return mean("), ("sum", "return total(")
OWN = [f for f in vars(gradients).values() if getattr(f, "__module__", "") == gradients.__name__]
WORDS = {f.__name__: inspect.getsource(f) for f in OWN} | SOURCES
DOCSTRING = re.compile(r' *""".*?"""\n', re.DOTALL)


def write(exercise: Exercise) -> str:
    """The file."""
    return f"{write_head(exercise)}\n\n{body(exercise)}\n"


def body(exercise: Exercise) -> str:
    """The two functions that the learner fills in or mends."""
    if exercise.given:
        return plant(exercise)
    blanks = (f"{begin(exercise, which)}\n{EMPTY}" for which in (0, 1))
    return "import numpy as np\n\n\n" + "\n\n\n".join(blanks)


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
    return '"""' + "\n".join(map(fold, lines)) + '\n"""'


def fold(line: str, indent: int = 8) -> str:
    """Break a long line into several."""
    begin = " " * (len(line) - len(line.lstrip()) + indent)
    return textwrap.fill(line, WIDTH, subsequent_indent=begin, break_long_words=False)


def begin(exercise: Exercise, which: int) -> str:
    """The first lines of the loss (which = 0) or the gradient (1): its arguments, and what it returns."""
    about = " ".join((getattr(gradients, exercise.name).__doc__ or "").split()).split(" · ")
    told = [part for part in about if (re.findall(r"\w+", part)[0] in exercise.takes(0)) != bool(which)]
    lines = [say_result(exercise, which), *(["", " · ".join(told), ""] if told else [])]
    text = "\n".join(textwrap.fill(line, WIDTH - 4) for line in lines)
    head = f"def {exercise.functions[which]}({', '.join(exercise.takes(which))}):\n"
    return head + textwrap.indent(f'"""{text}', "    ") + ('    """' if told else '"""')


def say_result(exercise: Exercise, which: int) -> str:
    if which:
        several = len(exercise.by) > 1
        what = "arrays of their shapes" if several else "an array of its shape"
        return f"The gradient by {' and by '.join(exercise.by)}: {what}."
    if "dz" in exercise.takes(1):
        return f"The rows of {exercise.takes(0)[0]}, with length 1: an array."
    over = [f", the {word} over the rows" for word, name in ROWS if name in SOURCES[exercise.loss]]
    return f"The {exercise.functions[0]}: a number{''.join(over)}."


def solve(exercise: Exercise) -> str:
    """The solution: the loss and its gradient, with the words that they use."""
    ends = [end(exercise, which) for which in (0, 1)]
    functions = [f"{begin(exercise, which)}\n{textwrap.indent(ends[which], '    ')}" for which in (0, 1)]
    return "\n\n\n".join([f'"""{exercise.title}."""', *list_words("\n".join(ends)), *functions]) + "\n"


def mark(exercise: Exercise) -> str:
    """The solution as nbgrader wants it: its whole text between nbgrader's marks in each function."""
    functions = []
    for which in (0, 1):
        text = end(exercise, which)
        inside = "\n".join(["### BEGIN SOLUTION", *list_words(text), text, "### END SOLUTION"])
        functions.append(f"{begin(exercise, which)}\n{textwrap.indent(inside, '    ')}")
    return "\n\n\n".join(["import numpy as np", *functions])


def end(exercise: Exercise, which: int) -> str:
    """The lines of a function of the solution."""
    if not which:
        return f"return {exercise.digits or exercise.value}"
    lines = inspect.getsource(getattr(gradients, exercise.name)).partition(":\n")[2]
    return textwrap.dedent(DOCSTRING.sub("", lines, count=1)).rstrip()


def list_words(text: str) -> list[str]:
    """The words that a text uses: of NumPy, then of the textbook and the gradients, before those that use them."""
    words = collect(text)
    used = [name for name in NUMPY if re.search(rf"(?<![.\w]){name}\(", "\n".join([text, *words]))]
    return [
        f"import numpy as np\nfrom numpy import {', '.join(used)}" if used else "import numpy as np",
        *words,
    ]


def collect(text: str) -> list[str]:
    found: dict[str, None] = {}
    for name, source in WORDS.items():
        if re.search(rf"(?<![.\w]){name}\(", text):
            body = DOCSTRING.sub("", source.partition(":\n")[2])
            found |= dict.fromkeys([*collect(body), source.strip()])
    return list(found)


def plant(exercise: Exercise) -> str:
    """The solution with the mistake in it."""
    text = solve(exercise).partition("\n\n\n")[2].rstrip()
    for old, new in zip(exercise.given[::2], exercise.given[1::2]):
        text = text.replace(old, new)
    return text
