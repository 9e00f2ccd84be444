"""What an exercise is: two functions to fill in, a solution, and the mistakes that are known of it.

A mistake is an edit of the solution's text, so that what it does at any batch is computed, never noted down.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from ..losses import ALL

Arguments = dict[str, Any]


class Draw:
    """Where a batch's numbers come from: small integers for a reader who computes by hand, or Gaussian ones."""

    def __init__(self, rng: np.random.Generator, small: bool = False):
        self.rng, self.small = rng, small

    def numbers(self, *shape: int) -> np.ndarray:
        if self.small:
            return self.rng.integers(-1, 3, size=shape).astype(float)
        return self.rng.standard_normal(shape)

    def rows(self, *shape: int) -> np.ndarray:
        """Numbers of which no row is 0."""
        x = self.numbers(*shape)
        return np.where(np.any(x != 0, axis=-1, keepdims=True), x, 1.0)

    def temperature(self) -> float:
        """Far from 1, which hides what a temperature does."""
        return float(self.rng.choice([0.5, 2.0]) if self.small else self.rng.uniform(0.2, 0.8))

    def index(self, below: int, *shape: int) -> np.ndarray:
        return self.rng.integers(below, size=shape)


class Mistake(NamedTuple):
    """name · sentence: what is wrong, in plain words · claim: what to read, an id and a piece of its evidence ·
    edits: of the solution's text, each what stands there and what stands there with the mistake."""

    name: str
    sentence: str
    claim: str
    edits: tuple[tuple[str, str], ...]


def mistake(name: str, sentence: str, claim: str, *edits: str) -> Mistake:
    """A mistake whose edits are written one after the other: what stands there, what stands there instead."""
    return Mistake(name, sentence, claim, tuple(zip(edits[::2], edits[1::2], strict=True)))


class Exercise(NamedTuple):
    """name · lesson: where it belongs · title · loss: its name in the registry, "" where it is none of it · by: the
    inputs of which the gradient is asked · equations: claims and pieces of their evidence, which head the file ·
    hints, from the first step to the last · batch(pairs, features, draw): arguments, in their order · mistakes ·
    inputs: how the conformance kit passes the arrays, "" where it has no way · reduction, of the loss as asked ·
    functions: the two to fill in · right: value and gradients, for an exercise that is no loss of the registry ·
    digits: whether digits that are lost count · given: the mistake that is planted in the file, "" for none.
    """

    name: str
    lesson: str
    title: str
    loss: str
    by: tuple[str, ...]
    equations: tuple[str, ...]
    hints: tuple[str, ...]
    batch: Callable[[int, int, Draw], Arguments]
    mistakes: tuple[Mistake, ...]
    inputs: str = ""
    reduction: str = "mean"
    functions: tuple[str, str] = ("loss", "gradient")
    right: Callable[[Arguments], tuple[Any, tuple]] | None = None
    digits: bool = False
    given: str = ""
    solved_by: str = ""

    @property
    def text(self) -> str:
        """The solution."""
        return solution(self.solved_by or self.name)

    @property
    def parts(self) -> tuple[str, ...]:
        """What is graded: the two functions and, where they count, the digits."""
        return (*self.functions, "digits") if self.digits else self.functions

    def answer(self, arguments: Arguments) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """The right value, and the right gradient by each of the inputs that is asked."""
        if self.right is not None:
            value, gradients = self.right(arguments)
        else:
            loss = ALL[self.loss]
            value, kept = loss.forward(**arguments)
            slopes = loss.backward(kept)
            # what the loss holds constant has no field, and the gradient 0
            gradients = tuple(getattr(slopes, n, np.zeros_like(arguments[n])) for n in self.by)
        return np.asarray(value), tuple(np.asarray(g) for g in gradients)


@cache
def solution(name: str) -> str:
    """The text of a solution."""
    return (resources.files(__package__) / "solutions" / f"{name}.py").read_text(encoding="utf-8")


def edited(text: str, edits: Sequence[tuple[str, str]]) -> str | None:
    """The text with a mistake in it; None where an edit finds nothing to change."""
    for old, new in edits:
        if old not in text:
            return None
        text = text.replace(old, new)
    return text


@cache
def functions(text: str, names: tuple[str, str]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The two functions of a solution, or of a solution with a mistake. The text is the project's own."""
    space: dict[str, Any] = {"__name__": "solution"}
    exec(compile(text, "solution", "exec"), space)
    return space[names[0]], space[names[1]]


def parameters(exercise: Exercise) -> list[str]:
    """The arguments of the loss, in their order."""
    return list(inspect.signature(functions(exercise.text, exercise.functions)[0]).parameters)


class Probe(NamedTuple):
    """A batch at which a file is asked, and what is right there."""

    arguments: Arguments
    value: np.ndarray
    gradients: tuple[np.ndarray, ...]


SIZES = ((2, 3), (3, 2), (4, 4), (3, 5), (5, 2))
SEED = 7


@cache
def probes(exercise: Exercise) -> tuple[Probe, ...]:
    """Batches of several sizes and temperatures, none of them large."""
    rng = np.random.default_rng(SEED)
    batches = [exercise.batch(pairs, features, Draw(rng)) for pairs, features in SIZES]
    return tuple(Probe(arguments, *exercise.answer(arguments)) for arguments in batches)


def facts(arguments: Mapping[str, Any]) -> dict[str, float]:
    """What a factor may depend on: how many anchors, how many features, the temperature."""
    first = next(iter(arguments.values()))
    return {
        "rows": float(len(first)),
        "features": float(first.shape[-1]),
        "temperature": float(arguments.get("temperature", 1.0)),
    }
