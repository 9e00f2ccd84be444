"""An exercise as an assignment of nbgrader: the instructor's notebook. `nbgrader generate_assignment` makes the
students' notebook from it.

The notebook is written as JSON, so that neither nbformat nor nbgrader is needed here.
"""

import ast
import json
import textwrap
from collections.abc import Iterator
from typing import Any

from . import equations, template
from .exercise import Exercise

SCHEMA = 3  # of nbgrader's metadata of a cell
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"  # nbgrader's own marks
TEST = """from infonce_ref.exercises import graded

report = graded("{name}", {functions})
assert report.parts["{part}"], report"""


def files(exercise: Exercise) -> dict[str, str]:
    """Return source/NAME/NAME.ipynb, in the folders of a course of nbgrader: its text by its name."""
    notebook = write(exercise)
    return {f"source/{exercise.name}/{exercise.name}.ipynb": json.dumps(notebook, indent=1) + "\n"}


def write(exercise: Exercise) -> dict[str, Any]:
    """Return the instructor's notebook: task, a cell with the solution, and a test worth a point for each part."""
    return {
        "cells": list(make_cells(exercise)),
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def make_cells(exercise: Exercise) -> Iterator[dict[str, Any]]:
    """Yield the cells. Students can write into one of them."""
    name = exercise.name
    lines = "\n".join(equations.lines(exercise.equations))
    task = "Fill in both functions in the cell below."
    if exercise.given:
        wrong = template.plant(exercise)
        task = (
            f"One of these is wrong:\n\n```python\n{wrong}\n```\n\nWrite both, mended, into the cell below."
        )
    text = f"## Exercise {name}: {exercise.title}\n\n{task}\n\nThe equations:\n\n```text\n{lines}\n```"
    yield make_cell("markdown", f"{name}-task", text)
    blanks = "\n\n\n".join(solve(exercise, function) for function in exercise.functions)
    yield make_cell("code", f"{name}-functions", f"import numpy as np\n\n\n{blanks}", solution=True)
    functions = ", ".join(exercise.functions)
    for part in exercise.parts:
        test = TEST.format(name=name, functions=functions, part=part)
        yield make_cell("code", f"{name}-{part}", test, points=1)


def make_cell(kind: str, id: str, source: str, *, solution: bool = False, points: int = 0) -> dict[str, Any]:
    """Return a cell with nbgrader's metadata: one to fill in if solution, a test if it has points, and locked if it
    is not to be filled in."""
    about: dict[str, Any] = {
        "schema_version": SCHEMA,
        "grade_id": id,
        "grade": points > 0,
        "solution": solution,
        "locked": not solution,
        "task": False,
    }
    if points:
        about["points"] = points
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": id.replace("_", "-"),
        "metadata": {"nbgrader": about},
        "source": source,
    }
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def solve(exercise: Exercise, name: str) -> str:
    """Return a function of the exercise with its solution between nbgrader's marks; the helpers of the solution are
    in the function, so that the marks enclose the whole solution.
    """
    text = exercise.text
    helpers = [
        cut(text, node, node) + "\n"
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        or (isinstance(node, ast.FunctionDef) and node.name not in exercise.functions)
    ]
    body = template.function(text, name).body[1:]
    inside = "\n".join([*helpers, cut(text, body[0], body[-1])])
    marked = f"{BEGIN}\n{inside}\n{END}"
    return template.blank(exercise, name).replace(template.EMPTY, textwrap.indent(marked, "    "))


def cut(text: str, first: ast.stmt, last: ast.stmt) -> str:
    """Return the lines from one statement to another."""
    return textwrap.dedent("\n".join(text.splitlines()[first.lineno - 1 : last.end_lineno]))
