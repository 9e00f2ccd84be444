"""The explorable of the whole course: every loss on the sphere, with experiments to begin with."""

from typing import NamedTuple

QUESTION = "Every point is an embedding, every arrow a step down the loss. What does yours do to a batch?"


class Experiment(NamedTuple):
    """A button of the explorable. words: what to do and to watch · lesson: where it is explained · start: settings
    of `assets/geometry.js` as its sliders show them, 1 for a ticked box."""

    title: str
    lesson: str
    words: str
    start: dict[str, str]


_TEXT = """\
Collapse: byol
    Attraction alone: press Run, and watch the length of the mean point. Then give uniformity some weight.
    loss=alignment pairs=8 chain=1 apart=2 seed=3 speed=6 matrix=S

Hard negatives: negatives
    The widest red line leads to the negative most like the ringed query: drag another square there.
    loss=query_key pairs=7 apart=0.5 seed=4 temperature=0.1 matrix=P

Low temperature: sphere
    Press Anneal: the points move while the temperature falls; watch how many cells of P keep their colour.
    loss=ntxent pairs=9 apart=0.6 seed=2 temperature=1 matrix=P

False negatives: supervised
    Colours are classes. Press Run: each class is torn apart. Tick the mask, and run again.
    loss=ntxent pairs=9 apart=0.5 seed=5 classes=3 matrix=S

Local batch: scale
    Two ranks, and no row sees the other rank: run it, and look for points of both that meet. Then gather.
    loss=ntxent pairs=8 apart=0.5 seed=6 local=1 matrix=both

Queue: moco
    Squares are keys of a queue, constants that feel no force: Run moves the discs alone. Refill puts each \
disc in the place of its old key, one after another.
    loss=query_key pairs=8 apart=1 seed=7 queue=1 matrix=G
"""


def _read(text: str) -> Experiment:
    head, words, settings = map(str.strip, text.splitlines())
    title, lesson = head.split(": ")
    return Experiment(title, lesson, words, {"sphere": "1", **dict(x.split("=") for x in settings.split())})


EXPERIMENTS = tuple(map(_read, _TEXT.split("\n\n")))
