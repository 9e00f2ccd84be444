"""The explorable of the whole course: every loss on the sphere, with experiments to begin with.

An experiment is a setting of the control `course` (settings of `assets/geometry.js`: slider positions, "1" for a
ticked box), a sentence that says what to do and what to watch, and the lesson that explains it.
"""

from typing import Any, NamedTuple


class Experiment(NamedTuple):
    """A button of the explorable."""

    title: str
    words: str
    lesson: str
    start: dict[str, Any]


QUESTION = "Every point is an embedding, every arrow a step down the loss. What does yours do to a batch?"

EXPERIMENTS = (
    Experiment(
        "Collapse",
        "Attraction alone: press Run, and watch the length of the mean point. Then give uniformity some weight.",
        "byol",
        {"loss": "alignment", "pairs": 8, "chain": "1", "apart": 2, "seed": 3, "speed": 6, "matrix": "S"},
    ),
    Experiment(
        "Hard negatives",
        "The widest red line leads to the negative most like the ringed query: drag another square there.",
        "negatives",
        {"loss": "query_key", "pairs": 7, "apart": 0.5, "seed": 4, "temperature": 0.1, "matrix": "P"},
    ),
    Experiment(
        "Low temperature",
        "Press Anneal: the points move while the temperature falls; watch how many cells of P keep their colour.",
        "sphere",
        {"loss": "ntxent", "pairs": 9, "apart": 0.6, "seed": 2, "temperature": 1, "matrix": "P"},
    ),
    Experiment(
        "False negatives",
        "Colours are classes. Press Run: each class is torn apart. Tick the mask, and run again.",
        "supervised",
        {"loss": "ntxent", "pairs": 9, "apart": 0.5, "seed": 5, "classes": 3, "matrix": "S"},
    ),
    Experiment(
        "Local batch",
        "Two ranks, and no row sees the other rank: run it, and look for points of both that meet. Then gather.",
        "scale",
        {"loss": "ntxent", "pairs": 8, "apart": 0.5, "seed": 6, "local": "1", "matrix": "both"},
    ),
    Experiment(
        "Queue",
        "Squares are keys of a queue, constants that feel no force: Run moves the discs alone. Refill puts each "
        "disc in the place of its old key, one after another.",
        "moco",
        {"loss": "query_key", "pairs": 8, "apart": 1, "seed": 7, "queue": "1", "matrix": "G"},
    ),
)


def list_for_browser() -> list[dict[str, Any]]:
    """Return the experiments as the page reads them; all are on the sphere."""
    return [
        {"title": one.title, "words": one.words, "start": {"sphere": "1", **one.start}} for one in EXPERIMENTS
    ]
