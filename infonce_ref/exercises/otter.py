"""An exercise as an assignment of otter-grader: the file to hand out, and a test for each part of it."""

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


def files(exercise: Exercise) -> dict[str, str]:
    """NAME.py, tests/PART.py and requirements.txt, the inputs of `otter check` and `otter generate`: the contents
    by name.
    """
    functions = ", ".join(exercise.functions)
    made = {f"{exercise.name}.py": template.write(exercise), "requirements.txt": "infonce_ref[verify]\n"}
    for part in exercise.parts:
        made[f"tests/{part}.py"] = TEST.format(part=part, name=exercise.name, functions=functions)
    return made
