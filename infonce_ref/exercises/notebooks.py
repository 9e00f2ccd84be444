"""A notebook for each lesson: the lesson, and its exercises, each with a cell that checks it."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import quote

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from . import equations, template
from .exercise import ALL, Exercise

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/(?:tree|blob)/([\w.-]+)/?(.*?)/?")
MAKE = {"markdown": new_markdown_cell, "code": new_code_cell}


def files(progress: Callable[[str, int, int], None] = lambda *_: None, address: str = "") -> dict[str, str]:
    """A notebook of each lesson, NN_name.ipynb: the files' contents by name.

    progress is called with (lesson, lessons done, number of lessons). address: the folder on GitHub that will
    contain them, for links to Colab and Binder; "" for no links. Raises ValueError for another address.
    """
    made: dict[str, str] = {}
    lessons = equations.lessons()
    for number, lesson in enumerate(lessons, 1):
        progress(lesson, len(made), len(lessons))
        name = f"{number:02d}_{lesson}.ipynb"
        made[name] = nbformat.writes(notebook(lesson, address, name)) + "\n"
    return made


def begin(address: str, name: str) -> Iterator[nbformat.NotebookNode]:
    """Yield links that open the notebook of this address in Colab and in Binder, and a cell that installs. Raises
    ValueError for an address of another form."""
    found = GITHUB.fullmatch(address)
    if not found:
        raise ValueError(
            "--at: needs the folder where the notebooks will lie, as https://github.com/OWNER/NAME/tree/BRANCH/FOLDER;"
            f" got {address}"
        )
    repository, branch, folder = found.groups()
    path = f"{folder}/{name}" if folder else name
    colab = f"https://colab.research.google.com/github/{repository}/blob/{branch}/{quote(path)}"
    binder = f"https://mybinder.org/v2/gh/{repository}/{branch}?labpath={quote(path, safe='')}"
    yield new_markdown_cell(f"[Open in Colab]({colab}) · [Open in Binder]({binder})")
    yield new_code_cell(template.INSTALL.format(repository=repository, branch=branch))


def notebook(lesson: str, address: str = "", name: str = "") -> nbformat.NotebookNode:
    """Return links and a cell that installs, if the address is known; the lesson's cells; each of its exercises."""
    cells = list(begin(address, name)) if address else []
    cells += [MAKE[kind](text) for kind, text in equations.cells(lesson)]
    for exercise in ALL.values():
        if exercise.lesson == lesson:
            cells += exercise_cells(exercise)
    for number, cell in enumerate(cells):
        cell["id"] = f"{lesson}-{number}".replace("_", "-")  # stable across runs
    made = new_notebook(cells=cells)
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.validate(made)
    return made


def exercise_cells(exercise: Exercise) -> Iterator[nbformat.NotebookNode]:
    """The equations, the functions, and a cell that names their mistakes."""
    what = "One of the functions is wrong: mend it." if exercise.given else "Fill in both functions."
    lines = "\n".join(equations.lines(exercise.equations))
    yield new_markdown_cell(
        f"## Exercise {exercise.name}: {exercise.title}\n\n{what}\n\n```text\n{lines}\n```"
    )
    yield new_code_cell(template.body(exercise))
    names = ", ".join(exercise.functions)
    yield new_code_cell(
        f'from infonce_ref.exercises import graded\n\nprint(graded("{exercise.name}", {names}))'
    )
    hints = "\n".join(f"{number}. {hint}" for number, hint in enumerate(exercise.hints, 1))
    yield new_markdown_cell(f"<details><summary>Hints</summary>\n\n{hints}\n\n</details>")
