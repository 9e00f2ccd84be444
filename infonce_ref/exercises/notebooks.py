"""A notebook for each lesson: the lesson, and its exercises, each with a cell that checks it."""

from collections.abc import Callable, Iterator

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from . import equations, template
from .exercise import Exercise
from .tasks import ALL

MAKE = {"markdown": new_markdown_cell, "code": new_code_cell}


def files(progress: Callable[[str, int, int], None] = lambda *_: None) -> dict[str, str]:
    """A notebook of each lesson, NN_name.ipynb: the files' contents by name.

    progress is called with (lesson, lessons done, lessons in all).
    """
    made: dict[str, str] = {}
    lessons = equations.lessons()
    for number, lesson in enumerate(lessons, 1):
        progress(lesson, len(made), len(lessons))
        made[f"{number:02d}_{lesson}.ipynb"] = nbformat.writes(notebook(lesson)) + "\n"
    return made


def notebook(lesson: str) -> nbformat.NotebookNode:
    """The lesson's cells, then each of its exercises."""
    cells = [MAKE[kind](text) for kind, text in equations.cells(lesson)]
    for exercise in ALL.values():
        if exercise.lesson == lesson:
            cells += exercise_cells(exercise)
    for number, cell in enumerate(cells):
        cell["id"] = f"{lesson}-{number}".replace("_", "-")  # the same at every writing
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
