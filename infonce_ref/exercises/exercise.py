"""The exercises: each asks for a loss of the textbook and its gradient.

What is right, and what a mistake of the catalogue makes of it, is computed from the textbook's lines.
"""

import inspect
from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from .. import losses
from ..catalogue import MISTAKES, Mistake, build, compile_once, differentiate
from . import gradients

Arguments = dict[str, Any]
Arrays = tuple[np.ndarray, ...]


class Exercise(NamedTuple):
    """name · title · lesson: where it belongs · value: the loss, as a call of the textbook · by: the inputs that
    have a gradient · functions: the two to fill in · equations: claims and pieces of their evidence, shown at the
    head of the file · hints, from the first step to the last · digits: the loss that keeps all digits, if lost ones
    count as a mistake · batch: its arguments, from n pairs with d features · given: lines of the solution, and what
    they are in a file with a mistake to find.
    """

    name: str
    title: str
    lesson: str = ""
    value: str = ""
    by: tuple[str, ...] = ()
    functions: tuple[str, ...] = ("loss", "gradient")
    equations: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    digits: str = ""
    batch: str = ""
    given: tuple[str, ...] = ()

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
    found: list[Exercise] = []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        fields: dict[str, Any] = {}
        if word in ("lesson", "digits", "batch"):
            fields = {word: rest}
        elif word == "loss":
            value, _, by = rest.partition(" by ")
            fields = {"value": value, "by": tuple(by.split())}
        elif word == "functions":
            fields = {word: tuple(rest.split())}
        elif word == "equations":
            fields = {word: tuple(rest.split("; "))}
        elif word == "hint":
            fields = {"hints": (*found[-1].hints, rest)}
        elif word in ("-", "+"):
            fields = {"given": (*found[-1].given, rest)}
        elif word.endswith(":"):
            found.append(Exercise(word[:-1], rest))
        if fields:
            found[-1] = found[-1]._replace(**fields)
    return {each.name: each for each in found}


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

    def one(self, least: float, most: float, *small: float) -> float:
        """A number between two, or one of few to compute by hand."""
        return float(self.rng.choice(small) if self.small else self.rng.uniform(least, most))

    def temperature(self) -> float:
        """A temperature far from 1, because 1 hides mistakes in its use."""
        return self.one(0.2, 0.8, 0.5, 2.0)

    def index(self, below: int, *shape: int) -> np.ndarray:
        return self.rng.integers(below, size=shape)

    def logarithms(self, *shape: int) -> np.ndarray:
        """Logarithms of probabilities, small integers or not."""
        share = np.array([1.0]) if self.small else np.linspace(0.5, 1, 7)
        return -self.rng.integers(1, 3, size=shape) * self.rng.choice(share, shape)

    def distributions(self, n: int, m: int) -> np.ndarray:
        """A distribution in each row; halves in two positions, to compute by hand."""
        share = self.rng.integers(1, 5, size=(n, m)).astype(float)
        if self.small:
            share = np.zeros((n, m))
            share[:, :2] = 1
            share[:, self.rng.integers(m)] += 2
        return share / share.sum(axis=1, keepdims=True)

    def classes(self, n: int) -> np.ndarray:
        """Classes of two, three and one rows in turn."""
        return self.rng.permutation(np.resize([0, 0, 1, 1, 1, 2, 0, 3], n))


# --- what is right, and what a mistake makes of it ---------------------------------------------------------------


@cache
def program(exercise: Exercise, mistakes: tuple[Mistake, ...] = ()) -> Callable[..., Arrays] | None:
    """A function of `which`, the arguments, and the number in a rewritten line: the value (which = 0) or the
    gradients (1) of the loss with mistakes of the catalogue; None if one does not apply.
    """
    function = build(exercise.loss, mistakes)
    if function is None:
        return None

    def value(number: complex | None, /, **arguments: Any) -> Any:
        space = {exercise.loss: partial(function, E=number), "np": np}
        found = eval(compile_once(exercise.value), space, arguments)
        return (found * arguments["dz"]).sum() if "dz" in arguments else found

    def answer(which: int, arguments: Arguments, number: complex | None = None) -> Arrays:
        if which:
            return tuple(differentiate(partial(value, number), arguments, name) for name in exercise.by)
        return (np.asarray(value(number, **{name: arguments[name] for name in exercise.takes(0)})),)

    return answer


@cache
def known(exercise: Exercise) -> tuple[Mistake, ...]:
    """The mistakes of the catalogue that apply; last those with a number, which explain others too."""
    found = [mistake for mistake in MISTAKES if program(exercise, (mistake,)) is not None]
    return tuple(sorted(found, key=lambda mistake: mistake.number is not None))


class Probe(NamedTuple):
    """A batch at which a file is called · right: the right value there, and the right gradients."""

    arguments: Arguments
    right: tuple[Arrays, Arrays]


SIZES = ((2, 3), (3, 2), (4, 4), (3, 5), (5, 2))
SEED = 7


@cache
def probes(exercise: Exercise) -> tuple[Probe, ...]:
    """Small batches of several sizes and temperatures."""
    draw = Draw(np.random.default_rng(SEED))
    return tuple(find_right(exercise, [exercise.draw(pairs, features, draw) for pairs, features in SIZES]))


def find_right(exercise: Exercise, batches: list[Arguments]) -> Iterator[Probe]:
    """The right results of batches, without those that are too small for the loss."""
    answer = program(exercise)
    assert answer is not None
    for arguments in batches:
        right = answer(0, arguments), answer(1, arguments)
        if all(np.all(np.isfinite(x)) for x in (*right[0], *right[1])):
            yield Probe(arguments, right)
