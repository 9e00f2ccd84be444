"""Exercises as notebooks: one for each lesson, and an assignment of nbgrader.

A notebook is written as JSON, so that nothing of Jupyter's is needed here.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

from . import equations, template
from .exercise import ALL, Exercise

Cell = dict[str, Any]
Notebook = dict[str, Any]

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/(?:tree|blob)/([\w.-]+)/?(.*?)/?")
INSTALL = """# for Colab, Binder and other machines that do not have it yet
import importlib.util
import subprocess
import sys

if importlib.util.find_spec("infonce_ref") is None:
    source = "infonce_ref[teach] @ git+https://github.com/{repository}@{branch}"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", source], check=True)
"""
CHECK = 'from infonce_ref.exercises import graded\n\nprint(graded("{}", {}))'
TEST = """from infonce_ref.exercises import graded

report = graded("{}", {})
assert report.parts["{}"], report"""
NBGRADER = {"schema_version": 3, "grade": False, "solution": False, "locked": True, "task": False}


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
        made[name] = write(notebook(lesson, address, name))
    return made


def assignment(exercise: Exercise) -> dict[str, str]:
    """source/NAME/NAME.ipynb, in the folders of a course of nbgrader: its text by its name."""
    return {f"source/{exercise.name}/{exercise.name}.ipynb": write(assign(exercise))}


def write(notebook: Notebook) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def notebook(lesson: str, address: str = "", name: str = "") -> Notebook:
    """Links and a cell that installs, if the address is known; the lesson's cells; then for each exercise its
    equations, the functions, a cell that names their mistakes, and the hints.
    """
    cells = [*begin(address, name)] if address else []
    cells += [make_cell(kind, text) for kind, text in equations.cells(lesson)]
    for exercise in ALL.values():
        if exercise.lesson == lesson:
            what = "One of the functions is wrong: mend it." if exercise.given else "Fill in both functions."
            hints = "\n".join(f"{number}. {hint}" for number, hint in enumerate(exercise.hints, 1))
            cells += [
                make_cell("markdown", describe(exercise, what)),
                make_cell("code", template.write_body(exercise)),
                make_cell("code", CHECK.format(exercise.name, ", ".join(exercise.functions))),
                make_cell("markdown", f"<details><summary>Hints</summary>\n\n{hints}\n\n</details>"),
            ]
    return make_notebook(lesson, cells)


def begin(address: str, name: str) -> Iterator[Cell]:
    """Links that open the notebook of this address in Colab and in Binder, and a cell that installs. Raises
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
    yield make_cell("markdown", f"[Open in Colab]({colab}) · [Open in Binder]({binder})")
    yield make_cell("code", INSTALL.format(repository=repository, branch=branch))


def describe(exercise: Exercise, task: str) -> str:
    lines = "\n".join(equations.lines(exercise.equations))
    return f"## Exercise {exercise.name}: {exercise.title}\n\n{task}\n\n```text\n{lines}\n```"


def assign(exercise: Exercise) -> Notebook:
    """The instructor's notebook, from which `nbgrader generate_assignment` makes the students': the task, a cell
    with the solution, and a test worth a point for each part.
    """
    name, task = exercise.name, "Fill in both functions in the cell below."
    if exercise.given:
        wrong = f"```python\n{template.write_body(exercise)}\n```"
        task = f"One of these is wrong:\n\n{wrong}\n\nWrite both, mended, into the cell below."
    cells = [
        make_cell("markdown", describe(exercise, task), grade_id=f"{name}-task"),
        make_cell("code", template.mark(exercise), grade_id=f"{name}-functions", solution=True, locked=False),
    ]
    for part in exercise.parts:
        test = TEST.format(name, ", ".join(exercise.functions), part)
        cells.append(make_cell("code", test, grade_id=f"{name}-{part}", grade=True, points=1))
    return make_notebook(name, cells)


def make_cell(kind: str, source: str, **nbgrader: Any) -> Cell:
    """A cell. nbgrader: what its metadata for nbgrader have besides the defaults; none for other notebooks."""
    more: Cell = {"execution_count": None, "outputs": []} if kind == "code" else {}
    metadata = {"nbgrader": NBGRADER | nbgrader} if nbgrader else {}
    return {"cell_type": kind, "id": "", "source": source, "metadata": metadata} | more


def make_notebook(name: str, cells: list[Cell]) -> Notebook:
    for number, cell in enumerate(cells):
        cell["id"] = f"{name}-{number}".replace("_", "-")  # stable across runs
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
