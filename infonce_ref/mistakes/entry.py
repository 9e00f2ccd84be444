"""An entry of the catalogue: a loss's reference text, its mistakes as edits of that text, and its forms."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from ..losses import ALL

Arguments = dict[str, Any]
Functions = tuple[Callable[..., Any], Callable[..., Any]]


class Draw:
    """Draw a batch's numbers: small integers to compute by hand, or Gaussian ones."""

    def __init__(self, rng: np.random.Generator, small: bool = False):
        self.rng, self.small = rng, small

    def numbers(self, *shape: int) -> np.ndarray:
        if self.small:
            return self.rng.integers(-1, 3, size=shape).astype(float)
        return self.rng.standard_normal(shape)

    def rows(self, *shape: int) -> np.ndarray:
        """Draw numbers without a row of zeros."""
        x = self.numbers(*shape)
        return np.where(np.any(x != 0, axis=-1, keepdims=True), x, 1.0)

    def temperature(self) -> float:
        """Choose a temperature far from 1, because 1 hides mistakes in its use."""
        return float(self.rng.choice([0.5, 2.0]) if self.small else self.rng.uniform(0.2, 0.8))

    def index(self, below: int, *shape: int) -> np.ndarray:
        return self.rng.integers(below, size=shape)


class Mistake(NamedTuple):
    """name · sentence: what is wrong, in plain words · claim: the claim to read, an id and a piece of its evidence
    · edits: pairs of a part of the reference text and its replacement · marks: the names that `conformance` gives
    the mistake by measuring, without knowing the edit; () if none · links: reports of it in public libraries.
    """

    name: str
    sentence: str
    claim: str
    edits: tuple[tuple[str, str], ...]
    marks: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


Words = str | tuple[str, ...]  # one, or several


def mistake(
    name: str, sentence: str, claim: str, *edits: str, marks: Words = (), links: Words = ()
) -> Mistake:
    """Return a mistake; its edits are listed in one row: old text, new text, old text, new text, …"""
    marks, links = ((x,) if isinstance(x, str) else x for x in (marks, links))
    return Mistake(name, sentence, claim, tuple(zip(edits[::2], edits[1::2], strict=True)), marks, links)


class Form(NamedTuple):
    """A loss as one formula of `conformance`: scale · Σ head + shift.

    candidates: the roles in each anchor's denominator · worlds: the kinds of inputs that the loss takes · anchors,
    rows,
    reductions: what a caller may choose, the first the default · similarity, head: names of `features` · factor,
    shift: as in factor φ + shift, the shift a multiple of a law of the batch · name: of the loss.
    """

    candidates: tuple[str, ...]
    worlds: tuple[str, ...] = ("views",)
    rows: tuple[str, ...] = ("unit",)
    anchors: tuple[str, ...] = ("both",)
    reductions: tuple[str, ...] = ("mean", "sum")
    similarity: str = "dot"
    head: str = "cross-entropy"
    factor: float = 1.0
    shift: float = 0.0
    shifted_by: str = ""
    name: str = ""


# the roles of candidates and the choices of rows that several forms share
ACROSS = ("positive", "other view")
ALL_BUT_SELF = ("positive", "same view", "other view")
SCORES = ("scores", "scores, positive first", "scores, drawn positive")
ANY = ("unit", "given")  # a loss that does not normalise its rows is also called with unit rows


class Entry(NamedTuple):
    """The catalogue's entry under a name.

    name: of the file, and of its text · loss: its name in the registry, "" if it has none · by: the inputs that
    have a gradient · batch(pairs, features, draw): arguments, in their order · mistakes · inputs: the name of the
    way in which `conformance` passes the arrays, "" if it has none · reduction: the one that is checked ·
    functions: the names of loss and gradient in the text · right: value and gradients of a task that is not a loss
    of the registry · forms: the formulas that compute it.
    """

    name: str
    loss: str
    by: tuple[str, ...]
    batch: Callable[[int, int, Draw], Arguments]
    mistakes: tuple[Mistake, ...]
    inputs: str = ""
    reduction: str = "mean"
    functions: tuple[str, str] = ("loss", "gradient")
    right: Callable[[Arguments], tuple[Any, tuple]] | None = None
    forms: tuple[Form, ...] = ()

    @property
    def text(self) -> str:
        """The reference text: the loss and its gradient in NumPy."""
        return read_text(self.name)

    @property
    def parameters(self) -> list[str]:
        """The arguments of the loss, in their order."""
        return list(name_parameters(run_text(self.text, self.functions)[0]))

    def answer(self, arguments: Arguments) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return the right value, and the right gradient by each input of `by`."""
        if self.right is not None:
            value, gradients = self.right(arguments)
        else:
            loss = ALL[self.loss]
            value, kept = loss.forward(**arguments)
            slopes = loss.backward(kept)
            # a gradient without a field belongs to an input that the loss holds constant: it is 0
            gradients = tuple(getattr(slopes, n, np.zeros_like(arguments[n])) for n in self.by)
        return np.asarray(value), tuple(np.asarray(g) for g in gradients)


@cache
def read_text(name: str) -> str:
    """The text of a loss: here, or the solution of its exercise."""
    here = resources.files(__package__) / "texts" / f"{name}.py"
    solutions = resources.files("infonce_ref") / "exercises" / "solutions"
    there = solutions / f"{'softmax' if name == 'cpc' else name}.py"
    return (here if here.is_file() else there).read_text(encoding="utf-8")


def edit(text: str, edits: Sequence[tuple[str, str]]) -> str | None:
    """Return the text with a mistake in it; None if an edit does not apply."""
    for old, new in edits:
        if old not in text:
            return None
        text = text.replace(old, new)
    return text


@cache
def run_text(text: str, names: tuple[str, str]) -> Functions:
    """Return the two functions of a text, with or without a mistake. The text comes from this package, never from a
    user.
    """
    space: dict[str, Any] = {"__name__": "text"}
    exec(compile(text, "text", "exec"), space)
    return space[names[0]], space[names[1]]


@cache  # a text is run at many batches
def name_parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters, in their order."""
    return tuple(inspect.signature(function).parameters)


def order(function: Callable[..., Any], arguments: Mapping[str, Any]) -> list[Any]:
    """Sort arguments into the order in which a function takes them."""
    return [arguments[name] for name in name_parameters(function)]


def convert_to_arrays(returned: Any) -> tuple[np.ndarray, ...]:
    """Convert a function's result to arrays of floats."""
    return tuple(
        np.asarray(x, dtype=float) for x in (returned if isinstance(returned, tuple) else (returned,))
    )
