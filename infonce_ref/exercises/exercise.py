"""What an exercise adds to an entry of the catalogue of mistakes: lesson, equations, hints."""

from functools import cache
from typing import NamedTuple

import numpy as np

from ..mistakes.entry import Arguments, Draw, Entry


class Exercise(NamedTuple):
    """lesson: where it belongs · title · entry: of the catalogue, whose text is the solution · equations:
    claims and pieces of their evidence, shown at the head of the file · hints, from the first step to the last ·
    digits: whether lost digits count as a mistake · given: the mistake that is planted in the file, "" for none ·
    name: that of the exercise's file.
    """

    lesson: str
    title: str
    entry: Entry
    equations: tuple[str, ...]
    hints: tuple[str, ...]
    digits: bool = False
    given: str = ""
    name: str = ""

    @property
    def functions(self) -> tuple[str, str]:
        """The names of the two functions to fill in."""
        return self.entry.functions

    @property
    def parts(self) -> tuple[str, ...]:
        """The graded parts: the two functions and, if they count, the digits."""
        return (*self.functions, "digits") if self.digits else self.functions


class Probe(NamedTuple):
    """A batch at which a file is called, and the right result there."""

    arguments: Arguments
    value: np.ndarray
    gradients: tuple[np.ndarray, ...]


SIZES = ((2, 3), (3, 2), (4, 4), (3, 5), (5, 2))
SEED = 7


@cache
def probes(entry: Entry) -> tuple[Probe, ...]:
    """Draw small batches of several sizes and temperatures."""
    rng = np.random.default_rng(SEED)
    batches = [entry.batch(pairs, features, Draw(rng)) for pairs, features in SIZES]
    return tuple(Probe(arguments, *entry.answer(arguments)) for arguments in batches)
