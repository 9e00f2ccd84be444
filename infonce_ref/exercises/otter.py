"""An exercise as an assignment of otter-grader: the file to hand out, and a test for each part of it."""

from pathlib import Path

from . import template
from .exercise import Exercise

TEST = '''OK_FORMAT = True

test = {{
    "name": "{part}",
    "points": 1,
    "suites": [
        {{
            "cases": [
                {{
                    "code": r"""
                    >>> from infonce_ref.exercises import graded
                    >>> report = graded("{name}", {functions})
                    >>> assert report.parts["{part}"], report
                    """,
                    "hidden": False,
                    "locked": False,
                }}
            ],
            "scored": True,
            "setup": "",
            "teardown": "",
            "type": "doctest",
        }}
    ],
}}
'''


def write(exercise: Exercise, folder: Path) -> list[Path]:
    """NAME.py, tests/PART.py and requirements.txt, from which `otter check` and `otter generate` work."""
    tests = folder / "tests"
    tests.mkdir(parents=True, exist_ok=True)
    functions = ", ".join(exercise.functions)
    files = {
        folder / f"{exercise.name}.py": template.written(exercise),
        folder / "requirements.txt": "infonce_ref[verify]\n",
    }
    for part in exercise.parts:
        files[tests / f"{part}.py"] = TEST.format(part=part, name=exercise.name, functions=functions)
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return list(files)
