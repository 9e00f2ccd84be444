"""Writes docs/mistakes.md from the mistakes of the exercises, each with the smallest batch that shows it.

python -m exercises.mistakes, in tests/
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from exercises.names import NAMES, NOT_MADE

from infonce_ref.exercises import ALL, Exercise, Mistake, smallest
from infonce_ref.exercises.diagnosis import UNNAMED
from infonce_ref.exercises.exercise import edited, functions
from infonce_ref.exercises.recognise import ANY, FACTORS, called, returned
from infonce_ref.exercises.sandbox import INSTEAD

PAGE = Path(__file__).parent.parent.parent / "docs" / "mistakes.md"
ABOUT = """\
# Mistakes, by name

What `infonce-ref exercise NAME --check FILE` says of a file, by the name that it gives ([how](exercise.md)). A
mistake of an exercise is an edit of its solution; the batch beside it is the smallest of those tried at which the
loss or the gradient is another for it, both computed when this page was written. `tests/exercises/mistakes.py`
writes it, and a test compares.

Of the {planted} mistakes that the project plants in its other tests, in losses for which there is an exercise,
{named} have a name here and are recognised by it: `tests/exercises/names.py` says which, and why {not_made} are no
learner's. Not counted are the faults of `tests/verify/test_blind_spots.py`, planted by somebody who knows at which
points the judge looks.
"""


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def shown(exercise: Exercise, mistake: Mistake) -> str:
    """The batch, what the solution with the mistake says there, and what is right."""
    text = edited(exercise.text, mistake.edits)
    right = functions(exercise.text, exercise.functions)
    for which, wrong in enumerate(functions(text, exercise.functions)):

        def ask(arguments, wrong=wrong, which=which):
            with np.errstate(all="ignore"):
                return returned(wrong(*called(right[which], arguments)))

        seen = smallest.shown(exercise, which, ask)
        if seen is not None:
            yours, wanted = smallest.digits(seen.yours, seen.right)
            what = f"{exercise.functions[which]}{' by ' + seen.entry if which and seen.entry else seen.entry}"
            at = ", ".join(smallest.written(seen.arguments))
            return f"{at}: {what} {yours}, right is {wanted}"
    return ""


def lines() -> Iterator[str]:
    yield ABOUT.format(planted=len(NAMES) + len(NOT_MADE), named=len(NAMES), not_made=len(NOT_MADE))
    for name, exercise in ALL.items():
        if exercise.given:
            continue
        yield f"## {name}: {exercise.title}\n"
        yield "| name | what is wrong | the smallest batch that shows it | read |\n|---|---|---|---|"
        for mistake in exercise.mistakes:
            id = mistake.claim.partition(" ")[0]
            yield (
                f"| `{name}.{mistake.name}` | {cell(mistake.sentence)} | {cell(shown(exercise, mistake))} | {id} |"
            )
        yield ""
    yield "## In every exercise\n"
    yield "Of the loss; of the gradient with `gradient_` before the name.\n"
    yield "| name | what is wrong |\n|---|---|"
    for factor in (*FACTORS, *ANY):
        yield f"| `{factor.name}` | {factor.sentence.replace('{:.6g}', 'c').replace('{:+.6g}', 'c')} |"
    for name, sentence in UNNAMED.items():
        yield f"| `{name}` | {sentence} |"
    yield "\n## What a file does instead of answering\n"
    yield "| name | what it does |\n|---|---|"
    for name, sentence in INSTEAD.items():
        yield f"| `{name}` | {sentence} |"
    yield ""


def page() -> str:
    return "\n".join(lines())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
