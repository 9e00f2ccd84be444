"""The exercises: each asks for a loss of the textbook and its gradient."""

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from .. import losses, textbook
from ..catalogue import compile_once, differentiate
from . import gradients

Arguments = dict[str, Any]
Arrays = tuple[np.ndarray, ...]
SIZES = ((2, 3), (3, 2), (4, 4), (3, 5), (5, 2))  # pairs and features
SMALL, DRAWS = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (3, 2), (4, 2)), 40  # to compute by hand
SEED = 7
SEEN = (1e-3, 1e-8)  # prefer a difference visible in four digits; otherwise one that exceeds rounding
CLASSES = (0, 0, 1, 1, 1, 2, 0, 3)  # of one, two and three rows


class Exercise(NamedTuple):
    """name · title · lesson · value: the loss, as a call of the textbook · by: the inputs that have a gradient ·
    equations: claims and pieces of their evidence, shown at the head of the file · hints, from the first step on ·
    given: a line of the solution, and what it is in a file with a mistake to find · functions: the two to fill in ·
    digits: the loss that keeps all digits, if lost ones count as a mistake.
    """

    name: str
    title: str
    lesson: str
    value: str
    by: tuple[str, ...]
    equations: tuple[str, ...]
    hints: tuple[str, ...]
    given: tuple[str, ...]
    functions: tuple[str, ...]
    digits: str

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
    def gradient(self) -> Callable[..., Any]:
        """The gradient of the solution; its docstring has the shape and meaning of each argument."""
        return getattr(gradients, self.name)

    @property
    def about(self) -> list[str]:
        """The shape and meaning of the arguments, one or more in each part."""
        return " ".join((self.gradient.__doc__ or "").split()).split(" · ")

    @property
    def returns_rows(self) -> bool:
        """Whether the first function returns rows; then the second takes dz, the gradient by them."""
        return "dz" in self.takes(1)

    def takes(self, which: int) -> list[str]:
        """The arguments of the loss (which = 0) or the gradient (1), in their order."""
        names = inspect.signature(self.gradient).parameters
        return [name for name in names if which or name in compile_once(self.value).co_names]


def read(text: str) -> dict[str, Exercise]:
    """The exercises by their names."""
    found = {}
    for paragraph in text.split("\n\n")[1:]:
        head, *lines = paragraph.splitlines()
        name, title, lesson = re.findall(r"(\w+): (.*) \[(\w+)\]", head)[0]
        said = defaultdict[str, list[str]](list)  # by the words with which lines begin
        for word, rest in (line.split(" ", 1) for line in lines):
            said[word].append(rest)
        value, by = said["loss"][0].split(" by ")
        functions = "".join(said["functions"]) or "loss gradient"
        found[name] = Exercise(
            *(name, title, lesson, value, tuple(by.split())),
            equations=tuple(said["equations"][0].split("; ")),
            hints=tuple(said["hint"]),
            given=(*said["-"], *said["+"]),
            functions=tuple(functions.split()),
            digits="".join(said["digits"]),
        )
    return found


ALL = read((resources.files(__package__) / "exercises.txt").read_text(encoding="utf-8"))


# --- batches ---------------------------------------------------------------------------------------------------


def draw(
    names: Iterable[str], about: str, pairs: int, features: int, rng: np.random.Generator, small: bool = False
) -> Arguments:
    """Draw arguments of these names, in the shapes that a text gives: x, y (n, d) · labels (N,); others: numbers.

    small: small whole numbers, easy to compute with by hand. A temperature is far from 1, because 1 hides mistakes
    in its use.
    """
    sizes = {"n": pairs, "B": pairs, "N": 2 * pairs, "d": features}  # others count candidates
    shapes = {
        name: tuple(sizes.get(size, features + 1) for size in re.findall(r"\w", shape))
        for listed, shape in re.findall(r"((?:\w+, )*\w+) \((.*?)\)", about)
        for name in listed.split(", ")
    }

    def one(name: str) -> Any:
        shape = shapes.get(name, ())
        if not shape:
            x = rng.uniform(0.2, 0.5 if name == "temperature" else 2)
            return float(np.ceil(2 * x) / 2 if small else x)
        if name == "labels":
            return rng.permutation(np.resize(CLASSES, shape))
        if "index" in name or (name == "positive" and len(shape) == 1):
            return rng.integers(shapes.get("scores", (0, features + 1))[1], size=shape)
        if name in ("targets", "joint"):
            share = rng.integers(1, 5, size=shape)
            return share / share.sum(axis=1, keepdims=True)
        return rng.integers(-1, 3, size=shape).astype(float) if small else rng.standard_normal(shape)

    return {name: one(name) for name in names}


@cache
def probes(exercise: Exercise, small: bool = False) -> tuple[Arguments, ...]:
    """Batches of several sizes and temperatures; small: many to compute by hand, the smallest first."""
    names, rng = exercise.takes(1), np.random.default_rng(SEED)
    about = " · ".join(part.partition(":")[0] for part in exercise.about)
    drawn = [draw(names, about, *size, rng, small) for size in (SMALL * DRAWS if small else SIZES)]
    return tuple(sorted(drawn, key=measure_size) if small else drawn)


def measure_size(arguments: Arguments) -> tuple[int, float]:
    arrays = [x for x in arguments.values() if isinstance(x, np.ndarray)]
    return sum(x.size for x in arrays), float(sum(np.sum(np.abs(x)) for x in arrays))


# --- what is right ------------------------------------------------------------------------------------------------


def compute(exercise: Exercise, which: int, arguments: Mapping[str, Any]) -> Arrays:
    """The value (which = 0) or the gradients (1) of the loss."""
    space: dict[str, Any] = {exercise.loss: getattr(textbook, exercise.loss), "np": np}

    def value(**arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            found = eval(compile_once(exercise.value), space, arguments)
        return (found * arguments["dz"]).sum() if which and exercise.returns_rows else found

    if which:
        return tuple(differentiate(value, arguments, name) for name in exercise.by)
    return (np.asarray(value(**arguments)),)


def find_entry(got: np.ndarray, wanted: np.ndarray, least: float) -> tuple[str, str, str] | None:
    """The entry that is furthest off, and both its values; None if all are as near as that."""
    apart = np.abs(got - wanted)
    if np.all(apart <= least * (1 + np.abs(wanted))):
        return None
    place = np.unravel_index(int(np.argmax(np.nan_to_num(apart, nan=np.inf))), wanted.shape)
    entry = f"[{', '.join(map(str, map(int, place)))}]" if place else ""
    a, b = float(got[place]), float(wanted[place])
    # so many digits that they differ
    count = next((n for n in range(4, 17) if f"{a:.{n}g}" != f"{b:.{n}g}"), 17)
    return entry, f"{a:.{count}g}", f"{b:.{count}g}"


def write(x: Any) -> str:
    """An array as nested lists, a number as a fraction if it is a simple one."""
    if isinstance(x, np.ndarray) and x.ndim:
        return f"[{', '.join(write(row) for row in x)}]"
    fraction = Fraction(float(x)).limit_denominator(8)
    return str(fraction) if float(fraction) == float(x) else f"{float(x):.4g}"
