"""Witness 4: value and gradient to 50 digits, from the definition as the documents print it.

The definition (that of the proofs) is evaluated once, in balls, its inputs written as jets: a number beside
its slopes by the inputs, which the chain rule carries through every sum, product, power, exp and log. Nothing of
the stable form, of the backward pass or of the proved gradient enters; the proved gradient only tells how large
the summed terms are, which is what rounding errors are measured against.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from flint import arb, ctx

from .balls import DIGITS, FUNCTIONS
from .case import Case, Check, relative
from .identities import textbook
from .proofs import Functions, evaluator
from .symbolic import bind, closed_form, sample, statement_of

WITNESS = "precision"
VALUE, GRADIENT = "the value with its 50 digits", "the gradient with its 50 digits"


class Jet:
    """A number, and its slope by each input on which it depends. Everything else counts as a constant."""

    def __init__(self, value: Any, slopes: Mapping[Any, Any]):
        self.value, self.slopes = value, slopes

    def through(self, value: Any, slope: Any) -> "Jet":
        """f(x), given its value and f′(x)."""
        return Jet(value, {key: slope * own for key, own in self.slopes.items()})

    def __add__(self, other: Any) -> "Jet":
        if not isinstance(other, Jet):
            return Jet(self.value + other, self.slopes)
        slopes = dict(self.slopes)
        for key, slope in other.slopes.items():
            slopes[key] = slopes[key] + slope if key in slopes else slope
        return Jet(self.value + other.value, slopes)

    def __mul__(self, other: Any) -> "Jet":
        if not isinstance(other, Jet):
            return self.through(self.value * other, other)
        product = self.value * other.value
        return self.through(product, other.value) + other.through(0, self.value)

    __radd__, __rmul__ = __add__, __mul__

    def __rtruediv__(self, other: Any) -> "Jet":
        value = other / self.value
        return self.through(value, -value / self.value)

    def __abs__(self) -> Any:
        return abs(self.value)  # asked for the sizes of terms alone, which need no slope


def lifted(function: Callable, slope: Callable) -> Callable:
    """A function of numbers as one of numbers and jets. slope(x, f(x)): its derivative."""

    def of_either(x: Any) -> Any:
        if not isinstance(x, Jet):
            return function(x)
        value = function(x.value)
        return x.through(value, slope(x.value, value))

    return of_either


def digits(case: Case) -> int:
    """Decimal digits to work with: 50, some for the roundings, and those by which 1 − P may differ from 1.

    A probability below the dtype's smallest normal number need not be told from 0; but scores are logits, and what
    is a logarithm of 1 − P is as large as they are.
    """
    if any(name.endswith("scores") for name in case.arguments):
        return DIGITS + 15 + int(4 * (1 + case.sharpness) / math.log(10))
    smallest = -math.log10(float(np.finfo(case.dtype).smallest_normal)) + 20
    arrays = [x for x in case.arguments.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    largest = max(x.shape[-1] * float(np.max(np.abs(x))) ** 2 for x in arrays)
    steepest = 1 + max((case.arguments[name] for name in case.of_kind("hardness")), default=0.0)
    logits = 4 * (1 + largest) * steepest * case.sharpness / math.log(10)
    return DIGITS + 15 + int(min(smallest, logits))


def marked(numbers: Any, keys: Mapping[tuple[int, ...], Any], at: tuple[int, ...] = ()) -> Any:
    """Nested lists, or a number for the empty index, with a jet at each index that has a key, of slope 1 by it."""
    if isinstance(numbers, list):
        return [marked(x, keys, (*at, i)) for i, x in enumerate(numbers)]
    return Jet(numbers, {keys[at]: arb(1)}) if at in keys else numbers


def jet_functions() -> Functions:
    """The functions of balls, of jets too."""
    return FUNCTIONS._replace(
        exp=lifted(FUNCTIONS.exp, lambda x, y: y),
        log=lifted(FUNCTIONS.log, lambda x, y: 1 / x),
        sqrt=lifted(FUNCTIONS.sqrt, lambda x, y: 1 / (2 * y)),
    )


def oracle(case: Case, name: str, indices: list[tuple[int, ...]]) -> tuple[Any, Any, list]:
    """The definition's value, the size of its terms, and its gradient at some indices of one input."""
    value, size, slopes = oracles(case, {name: indices})
    return value, size, slopes[name]


def oracles(case: Case, chosen: Mapping[str, list[tuple[int, ...]]]) -> tuple[Any, Any, dict[str, list]]:
    """The same for several inputs, from one evaluation of the definition."""
    statement, environment = statement_of(case), bind(case)
    jets = dict(environment)
    for name, indices in chosen.items():
        variable = statement.gradients[name].variable
        jets[variable] = marked(environment[variable], {index: (name, index) for index in indices})
    loss, size = evaluator(statement.form, jets, jet_functions(), statement.names)({})
    slopes = loss.slopes if isinstance(loss, Jet) else {}  # none where every triplet's hinge is shut
    found = {
        name: [arb(slopes.get((name, index), 0)) for index in indices] for name, indices in chosen.items()
    }
    return arb(getattr(loss, "value", loss)), arb(size), found


def testify(case: Case) -> Iterator[Check]:
    """Two checks for each differentiable input: of the value and of the gradient."""
    value, gradients, sums = case.value(), case.gradients(), textbook.terms(case)
    samples = {name: sample(np.shape(case.arguments[name])) for name in case.loss.differentiable}
    with ctx.workdps(digits(case)):
        exact, size, known = oracles(case, samples)
    for name, indices in samples.items():
        got, slopes = [gradients[name][index] for index in indices], known[name]
        with ctx.workdps(DIGITS):
            _, terms = closed_form(case, name, indices)
            sides = {
                VALUE: relative(value, exact, size, case.dtype, None, textbook.value(case), exact=True),
                GRADIENT: relative(
                    got, slopes, terms, case.dtype, indices, [sums[name][i] for i in indices], exact=True
                ),
            }
        for compared, worst in sides.items():
            yield case.check(name, WITNESS, worst, compared)
