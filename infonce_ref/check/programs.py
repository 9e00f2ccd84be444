"""A loss of the textbook with some of its lines rewritten: a program that can be run and differentiated.

A program is built from the text of `textbook.py`, so that a report can show it: the lines that differ are the
mistake.
"""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from .. import catalogue, textbook
from ..catalogue import LOSSES, MEASURED, MISTAKES, STEP, Mistake
from .inputs import Way

FORMS = tuple(catalogue.read((resources.files(__package__) / "forms.txt").read_text(encoding="utf-8"))[0])
EVERY = (*MISTAKES, *FORMS)
ADDED = {  # rewrites that add a small number, and the place in words
    r.name: re.split(", so that|, and|:", r.sentence.removeprefix("E is added "))[0]
    for r in EVERY
    if r.sentence.startswith("E is added ")
}

Arrays = Mapping[str, Any]
Numbers = Mapping[str, Any]

SIGNATURES = {name: inspect.signature(getattr(textbook, name)).parameters.values() for name in LOSSES}
PARAMETERS = {name: tuple(p.name for p in own if p.default is p.empty) for name, own in SIGNATURES.items()}
# arguments of the textbook that are numbers; the others are arrays
NUMBERS = (
    *("temperature", "beta", "beta1", "beta2", "prior", "bias", "exponent", "t", "weight", "margin"),
    *("epsilon", "invariance", "variance", "covariance", "sigma", "clip", "noise"),
)


class Clock:
    """The runs of all programs: a clock that goes alike on every machine, however busy, so that a search that ends
    by it finds the same everywhere."""

    runs = 0


class Program(NamedTuple):
    """loss: its name in the textbook · rewrites: of its lines, in order."""

    loss: str
    rewrites: tuple[Mistake, ...] = ()

    @property
    def arrays(self) -> tuple[str, ...]:
        return tuple(name for name in PARAMETERS[self.loss] if name not in NUMBERS)

    def suits(self, how: Way) -> bool:
        """Whether it takes what is drawn for a way."""
        return self.arrays == how.arrays or (self.arrays == ("scores",) and how.world == "scores")

    @property
    @cache  # noqa: B019 - a program is a few strings
    def numbers(self) -> tuple[str, ...]:
        """The numbers that it needs: the loss's own, and those of its rewrites."""
        own = [name for name in PARAMETERS[self.loss] if name in NUMBERS]
        own += ["temperature"] * any("TEMPERATURE" in new for r in self.rewrites for _, new in r.blocks[0])
        return (*own, *MEASURED[: sum(r.numbers for r in self.rewrites)])

    @property
    def applies(self) -> bool:
        """Whether each rewrite finds the line that it changes."""
        return catalogue.rewrite(*self) is not None

    def call(self, loaded: Any, arrays: Arrays, numbers: Numbers) -> Any:
        """Call the function of a program, whose rewritten lines see its measured numbers."""
        function, space = loaded
        space.update({name: numbers[name] for name in MEASURED if name in numbers})
        space["TEMPERATURE"] = numbers.get("temperature")
        given = {**numbers, **arrays}
        return function(*(given[name] for name in PARAMETERS[self.loss]))

    def run(self, arrays: Arrays, numbers: Numbers) -> Any:
        """The value; NaN if a rewrite needs what this loss does not have."""
        Clock.runs += 1
        with np.errstate(all="ignore"):
            try:
                return self.call(catalogue.load(*self), arrays, numbers)
            except Exception:
                return np.nan

    def value(self, arrays: Arrays, numbers: Numbers) -> float:
        return float(np.real(self.run(arrays, numbers)))

    def slope(self, arrays: Arrays, numbers: Numbers, by: str) -> float:
        """The exact derivative by a number: the imaginary part of a step along i."""
        moved = {**numbers, by: numbers[by] + STEP * 1j}
        return float(np.imag(self.run(arrays, moved))) / STEP

    def slopes(self, arrays: Arrays, numbers: Numbers) -> dict[str, np.ndarray]:
        """The exact gradient by each array of real numbers, an entry at a time."""

        def run(**own: Any) -> Any:
            return self.run(own, numbers)

        floats = [name for name in self.arrays if np.asarray(arrays[name]).dtype.kind == "f"]
        return {name: catalogue.differentiate(run, arrays, name) for name in floats}

    def along(self, arrays: Arrays, numbers: Numbers, direction: Arrays) -> float:
        """The exact slope in a direction."""
        moved = {**arrays, **{name: arrays[name] + STEP * 1j * v for name, v in direction.items()}}
        return float(np.imag(self.run(moved, numbers))) / STEP

    def entries(self, arrays: Arrays, numbers: Numbers) -> np.ndarray:
        """The loss of each anchor, before their mean."""
        function, space = catalogue.load.__wrapped__(*self)
        space["mean"] = space["total"] = lambda losses, counted=None: losses
        return np.asarray(self.call((function, space), arrays, numbers))


def public_name(loss: str) -> str:
    """The name of a textbook function in the registry; of an estimate, in `information`."""
    name = loss.partition("_of_")[0]
    known = {"supcon_in": "supcon", "supcon_pairs": "supcon", "dclw": "dcl"}
    return known.get(name, name.replace("estimate_", "information."))


OPTIONS = tuple(r for r in EVERY if r.kind == "=")


@cache
def extend(base: Program) -> tuple[Program, ...]:
    """The program with each further rewrite that applies to it."""
    others = (Program(base.loss, (*base.rewrites, r)) for r in EVERY if r.kind in ("", "~"))
    return tuple(p for p in others if p.rewrites[-1] not in base.rewrites and p.applies)
