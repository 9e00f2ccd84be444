"""The exercises: each asks for a loss of the textbook and its gradient, in the learner's own words and arguments.

What is right, and what a mistake of the catalogue makes of it, is computed from the textbook's lines.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from .. import losses
from ..catalogue import MISTAKES, Mistake, build, differentiate, rewrite

Arguments = dict[str, Any]
Arrays = tuple[np.ndarray, ...]


class Exercise(NamedTuple):
    """name · title · lesson: where it belongs · loss: the function of the textbook · by: the inputs that have a
    gradient · solution: the name of its text · functions: the two to fill in · equations: claims and pieces of
    their evidence, shown at the head of the file · hints, from the first step to the last · digits: whether lost
    digits count as a mistake · drawn: its arguments, from n pairs with d features · given: lines of the solution,
    and what they are in a file with a mistake to find.
    """

    name: str
    title: str
    lesson: str = ""
    loss: str = ""
    by: tuple[str, ...] = ()
    solution: str = ""
    functions: tuple[str, ...] = ("loss", "gradient")
    equations: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    digits: bool = False
    drawn: str = ""
    given: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The solution: the loss and its gradient in NumPy."""
        path = resources.files(__package__) / "solutions" / f"{self.solution or self.name}.py"
        return path.read_text(encoding="utf-8")

    @property
    def parts(self) -> tuple[str, ...]:
        """The graded parts: the two functions and, if they count, the digits."""
        return (*self.functions, "digits") if self.digits else self.functions

    @property
    def registered(self) -> str:
        """The loss's name in the registry, "" if the exercise is about another function."""
        return self.loss if self.loss in losses.ALL else ""

    @property
    def parameters(self) -> list[str]:
        """The arguments of the first function, in their order."""
        return name_parameters(solve(self)[0])

    def batch(self, pairs: int, features: int, draw: "Draw") -> Arguments:
        """Draw arguments of both functions."""
        draws = {name: getattr(draw, name) for name in dir(draw) if not name.startswith("_")}
        return eval(f"dict({self.drawn})", draws | {"n": pairs, "d": features, "max": max})


def read(text: str) -> dict[str, Exercise]:
    """The exercises by their names."""
    found: list[Exercise] = []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        fields: dict[str, Any] = {}
        if word in ("lesson", "loss", "solution"):
            fields = {word: rest}
        elif word in ("by", "functions"):
            fields = {word: tuple(rest.split())}
        elif word == "equations":
            fields = {word: tuple(rest.split("; "))}
        elif word == "hint":
            fields = {"hints": (*found[-1].hints, rest)}
        elif word in ("-", "+"):
            fields = {"given": (*found[-1].given, rest)}
        elif word == "digits":
            fields = {word: True}
        elif word == "batch":
            fields = {"drawn": rest}
        elif word.endswith(":"):
            found.append(Exercise(word[:-1], rest))
        if fields:
            found[-1] = found[-1]._replace(**fields)
    return {each.name: each for each in found}


ALL = read((resources.files(__package__) / "exercises.txt").read_text(encoding="utf-8"))


@cache
def solve(exercise: Exercise) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The two functions of the solution."""
    space: dict[str, Any] = {"__name__": "solution"}
    exec(compile(exercise.text, "solution", "exec"), space)
    value, gradient = exercise.functions
    return space[value], space[gradient]


@cache
def name_parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(function).parameters)


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

SECOND = ("text", "positive", "target", "z2")  # views; the others are first ones
BOUND = (  # of any scores and positives, where the textbook's has the pairs on a diagonal
    ("estimate_infonce(scores)", "estimate_infonce(scores, positive)"),
    ("arange(len(scores))", "positive"),
    ("len(scores)", "scores.shape[1]"),
)


class Program(NamedTuple):
    """An exercise's function with mistakes of the catalogue in it, and the names of what it takes."""

    exercise: Exercise
    function: Callable[..., Any]
    takes: Sequence[str]

    def value(self, number: complex | None = None, /, **arguments: Any) -> Any:
        """The loss; of `sphere` the rows, or with dz a loss whose gradient by them is dz. number: that in a
        rewritten line."""
        given = {}
        for name, x in arguments.items():
            if name in self.takes:
                given[name] = x
            elif name in ("w", "z") and "y" in self.takes:
                given["x"], given["y"] = x[: len(x) // 2], x[len(x) // 2 :]
            elif name != "dz":
                given["y" if name in SECOND else "x"] = x
        found = self.function(**given, E=number)
        return (found * arguments["dz"]).sum() if "dz" in arguments else found

    def answer(self, which: int, arguments: Arguments, number: complex | None = None) -> Arrays:
        """The value (which = 0) or the gradients (1)."""
        if which:
            value = partial(self.value, number)
            return tuple(differentiate(value, arguments, name) for name in self.exercise.by)
        given = {name: x for name, x in arguments.items() if name != "dz"}
        return (np.asarray(self.value(number, **given)),)


@cache
def program(exercise: Exercise, mistakes: tuple[Mistake, ...] = (), held: bool = False) -> Program | None:
    """The program of an exercise; None if a mistake does not apply to it. held: a wrong number has the derivative
    of the right one, as where a formula of the gradient is given wrong scores.
    """
    function = build(exercise.loss, mistakes)
    sources, right = rewrite(exercise.loss, mistakes), rewrite(exercise.loss, ())
    if function is None or sources is None or right is None:
        return None
    if held or exercise.name == "bound":
        text = "\n".join(hold(x, right.get(name, x)) if held else x for name, x in sources.items())
        for old, new in BOUND if exercise.name == "bound" else ():
            text = text.replace(old, new)
        space = dict(inspect.unwrap(function).__globals__)
        space["E"] = next((mistake.number for mistake in mistakes if mistake.number is not None), None)
        exec(text, space)
        made = space[exercise.loss]
        return Program(exercise, lambda E, **given: made(**given), name_parameters(made))
    return Program(exercise, function, name_parameters(inspect.unwrap(function)))


def hold(source: str, right: str) -> str:
    """The source, in which an assigned number that differs from the right one has its derivative."""
    ours, theirs = source.splitlines(), right.splitlines()
    lines = []
    for line in ours:
        name, equals, made = line.partition(" = ")
        if equals and line not in theirs:
            replaced = [x for x in theirs if x not in ours and x.startswith(name + equals)]
            wanted = replaced[0].removeprefix(name + equals) if replaced else name.strip()
            line = f"{name} = ({wanted}) + stop({made} - ({wanted}))"
        lines.append(line)
    return "\n".join(lines)


@cache
def known(exercise: Exercise) -> tuple[Mistake, ...]:
    """The mistakes of the catalogue that apply; last those with a number, which explain others too."""
    found = [mistake for mistake in MISTAKES if program(exercise, (mistake,)) is not None]
    return tuple(sorted(found, key=lambda mistake: mistake.number is not None))


class Probe(NamedTuple):
    """A batch at which a file is called, and the right result there."""

    arguments: Arguments
    value: np.ndarray
    gradients: Arrays


SIZES = ((2, 3), (3, 2), (4, 4), (3, 5), (5, 2))
SEED = 7


@cache
def probes(exercise: Exercise) -> tuple[Probe, ...]:
    """Small batches of several sizes and temperatures."""
    rng = np.random.default_rng(SEED)
    batches = [exercise.batch(pairs, features, Draw(rng)) for pairs, features in SIZES]
    return tuple(find_right(exercise, batches))


def find_right(exercise: Exercise, batches: list[Arguments]) -> Iterator[Probe]:
    """The right results of batches, without those that are too small for the loss."""
    right = program(exercise)
    assert right is not None
    for arguments in batches:
        (value,), gradients = right.answer(0, arguments), right.answer(1, arguments)
        if all(np.all(np.isfinite(x)) for x in (value, *gradients)):
            yield Probe(arguments, value, gradients)
