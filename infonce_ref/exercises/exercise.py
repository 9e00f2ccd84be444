"""The exercises: each asks for a loss of the textbook and its gradient.

What is right, and what a mistake of the catalogue makes of it, is computed from the textbook's lines.
"""

import inspect
from functools import cache, partial
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from .. import losses
from ..catalogue import Mistake, build, compile_once, differentiate
from . import gradients

Arguments = dict[str, Any]
Arrays = tuple[np.ndarray, ...]
SIZES = ((2, 3), (3, 2), (4, 4), (3, 5), (5, 2))  # pairs and features
SMALL, DRAWS = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (3, 2), (4, 2)), 40  # to compute by hand
SEED = 7
TUPLES = {"functions": " ", "equations": "; "}  # fields with several parts, and what is between them


class Exercise(NamedTuple):
    """name · title · lesson: where it belongs · value: the loss, as a call of the textbook · by: the inputs that
    have a gradient · batch: its arguments, from n pairs with d features · equations: claims and pieces of their
    evidence, shown at the head of the file · hints, from the first step to the last · given: lines of the solution,
    and what they are in a file with a mistake to find · functions: the two to fill in · digits: the loss that keeps
    all digits, if lost ones count as a mistake.
    """

    name: str
    title: str
    lesson: str
    value: str
    by: tuple[str, ...]
    batch: str
    equations: tuple[str, ...]
    hints: tuple[str, ...]
    given: tuple[str, ...]
    functions: tuple[str, ...] = ("loss", "gradient")
    digits: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """The graded parts: the two functions and, if they count, the digits."""
        return (*self.functions, "digits") if self.digits else self.functions

    @property
    def loss(self) -> str:
        """The textbook's function."""
        return self.value.partition("(")[0]

    @property
    def registered(self) -> str:
        """The loss's name in the registry, "" if the exercise is about another function."""
        return self.loss if self.loss in losses.ALL else ""

    @property
    def returns_rows(self) -> bool:
        """Whether the first function returns rows; then the second takes dz, the gradient by them."""
        return "dz" in self.takes(1)

    def takes(self, which: int) -> list[str]:
        """The arguments of the loss (which = 0) or the gradient (1), in their order."""
        names = inspect.signature(getattr(gradients, self.name)).parameters
        return [name for name in names if which or name in compile_once(self.value).co_names]

    def draw(self, pairs: int, features: int, draw: "Draw") -> Arguments:
        """Draw arguments of both functions."""
        draws = {name: getattr(draw, name) for name in dir(draw) if not name.startswith("_")}
        return eval(f"dict({self.batch})", draws | {"n": pairs, "d": features, "max": max})


def read(text: str) -> dict[str, Exercise]:
    """The exercises by their names."""
    found = {}
    for paragraph in text.split("\n\n")[1:]:
        head, *lines = paragraph.splitlines()
        name, title = head.split(": ", 1)
        said: dict[str, Any] = {"hints": (), "given": ()}
        for line in lines:
            word, rest = line.split(" ", 1)
            if word == "loss":
                said["value"], by = rest.split(" by ")
                said["by"] = tuple(by.split())
            elif word in ("hint", "-", "+"):
                said["hints" if word == "hint" else "given"] += (rest,)
            else:
                said[word] = tuple(rest.split(TUPLES[word])) if word in TUPLES else rest
        found[name] = Exercise(name, title, **said)
    return found


ALL = read((resources.files(__package__) / "exercises.txt").read_text(encoding="utf-8"))


# --- batches ---------------------------------------------------------------------------------------------------


class Draw:
    """Draw a batch's numbers: small integers to compute by hand, or Gaussian ones."""

    def __init__(self, rng: np.random.Generator, small: bool = False):
        self.rng, self.small = rng, small

    def numbers(self, *shape: int) -> np.ndarray:
        if self.small:
            return self.rng.integers(-1, 3, size=shape).astype(float)
        return self.rng.standard_normal(shape)

    def rows(self, *shape: int) -> np.ndarray:
        """Numbers without a row of zeros."""
        x = self.numbers(*shape)
        return np.where(np.any(x != 0, axis=-1, keepdims=True), x, 1.0)

    def columns(self, *shape: int) -> np.ndarray:
        """Numbers without a constant column."""
        x = self.numbers(*shape)
        return np.where(np.ptp(x, axis=0) == 0, x + np.arange(len(x))[:, None], x)

    def one(self, least: float, most: float) -> float:
        """A number between two, or a multiple of 1/2."""
        x = self.rng.uniform(least, most)
        return float(np.ceil(2 * x) / 2 if self.small else x)

    def temperature(self) -> float:
        """A temperature far from 1, because 1 hides mistakes in its use."""
        return float(self.rng.choice([0.5, 2.0])) if self.small else self.one(0.2, 0.8)

    def index(self, below: int, *shape: int) -> np.ndarray:
        return self.rng.integers(below, size=shape)

    def logarithms(self, *shape: int) -> np.ndarray:
        """Logarithms of probabilities."""
        return -np.abs(self.numbers(*shape))

    def distributions(self, n: int, m: int) -> np.ndarray:
        """A distribution in each row."""
        share = self.rng.integers(1, 5, size=(n, m))
        return share / share.sum(axis=1, keepdims=True)

    def classes(self, n: int) -> np.ndarray:
        """Classes of two, three and one rows in turn."""
        return self.rng.permutation(np.resize([0, 0, 1, 1, 1, 2, 0, 3], n))


# --- what is right, and what a mistake makes of it ---------------------------------------------------------------


def compute(
    exercise: Exercise,
    which: int,
    arguments: Arguments,
    mistakes: tuple[Mistake, ...] = (),
    number: complex | None = None,
) -> Arrays:
    """The value (which = 0) or the gradients (1) of the loss with mistakes of the catalogue. number: that in a
    rewritten line. Raises TypeError if a mistake does not apply.
    """
    function: Any = build(exercise.loss, mistakes)
    space: dict[str, Any] = {exercise.loss: partial(function, E=number), "np": np}

    def value(**arguments: Any) -> Any:
        return eval(compile_once(exercise.value), space, arguments)

    def total(**arguments: Any) -> Any:
        return (value(**arguments) * arguments["dz"]).sum()

    if not which:
        return (np.asarray(value(**arguments)),)
    scalar = total if exercise.returns_rows else value
    return tuple(differentiate(scalar, arguments, name) for name in exercise.by)


class Probe(NamedTuple):
    """A batch at which a file is called · right: the right value there, and the right gradients."""

    arguments: Arguments
    right: tuple[Arrays, Arrays]


@cache
def probes(exercise: Exercise, small: bool = False) -> tuple[Probe, ...]:
    """Batches of several sizes and temperatures; small: many to compute by hand, the smallest first. Those that are
    too small for the loss are left out.
    """
    draw, found = Draw(np.random.default_rng(SEED), small), []
    for pairs, features in SMALL * DRAWS if small else SIZES:
        arguments = exercise.draw(pairs, features, draw)
        right = compute(exercise, 0, arguments), compute(exercise, 1, arguments)
        if all(np.all(np.isfinite(x)) for x in (*right[0], *right[1])):
            found.append(Probe(arguments, right))
    return tuple(sorted(found, key=measure_size) if small else found)


def measure_size(probe: Probe) -> tuple[int, float]:
    arrays = [x for x in probe.arguments.values() if isinstance(x, np.ndarray)]
    return sum(x.size for x in arrays), float(sum(np.sum(np.abs(x)) for x in arrays))
