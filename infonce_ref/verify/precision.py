"""Witness 4: value and gradient to 50 digits, from the definition as the documents print it.

The definition (`derivations.statements`) is evaluated in mpmath and differenced there: with 60 digits to spare
below the smallest number that the dtype can hold, a one-sided difference with step 10⁻⁶⁰ is exact to more than
50. Nothing of the stable form, of the backward pass or of the proved gradient enters; the proved gradient only
tells how large the summed terms are, which is what rounding errors are measured against.
"""

import math
from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np

from .case import Case, Check, relative
from .symbolic import bind, closed_form, sample, statement_of

WITNESS = "precision"
STEP_DIGITS = 60


def digits(case: Case) -> int:
    """Decimal digits to work with: 50, those of the step, and those by which 1 − P may differ from 1.

    A probability below the dtype's smallest normal number need not be told from 0.
    """
    smallest = -math.log10(float(np.finfo(case.dtype).smallest_normal)) + 20
    arrays = [x for x in case.arguments.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    largest = max(x.shape[-1] * float(np.max(np.abs(x))) ** 2 for x in arrays)
    steepest = 1 + max(case.arguments.get(name, 0) for name in ("beta1", "beta2"))
    logits = 4 * (1 + largest) * steepest * case.sharpness / math.log(10)
    return 50 + STEP_DIGITS + int(min(smallest, logits))


def shifted(numbers: Any, index: tuple[int, ...], step: Any) -> Any:
    """Nested lists, or a number for the empty index, with one entry moved by a step."""
    if not index:
        return numbers + step
    return [shifted(x, index[1:], step) if i == index[0] else x for i, x in enumerate(numbers)]


def oracle(case: Case, name: str, indices: list[tuple[int, ...]]) -> tuple[Any, Any, list]:
    """The definition's value, the size of its terms, and its gradient at some indices of one input."""
    from derivations.prover.evaluate import evaluator

    statement = statement_of(case)
    variable = statement.gradients[name].variable
    environment = bind(case)
    value, size = evaluator(statement.definition, environment)({})
    step = mpmath.mpf(10) ** -STEP_DIGITS
    slopes = []
    for index in indices:
        moved = environment | {variable: shifted(environment[variable], index, step)}
        slopes.append((evaluator(statement.definition, moved)({})[0] - value) / step)
    return value, size, slopes


def testify(case: Case) -> Iterator[Check]:
    """One check for each differentiable input: the worse of the value's error and the gradient's."""
    value, gradients = case.value(), case.gradients()
    with mpmath.workdps(digits(case)):
        for name in case.loss.differentiable:
            indices = sample(np.shape(case.arguments[name]))
            got = [gradients[name][index] for index in indices]
            exact, size, slopes = oracle(case, name, indices)
            _, terms = closed_form(case, name, indices)
            errors = (relative(value, exact, size, case.dtype), relative(got, slopes, terms, case.dtype))
            yield case.check(name, WITNESS, float(np.max(errors)))
