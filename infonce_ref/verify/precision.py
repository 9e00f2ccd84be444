"""Fourth check: value and gradient to 50 digits, from the definition as the documents print it.

The definition, from the proofs, is evaluated once, in balls, and differentiated by the chain rule (`tape`).
Neither the stable form nor the backward pass nor the proved gradient is used. The proved gradient only gives
the size of the summed terms, against which rounding errors are measured.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from flint import arb, ctx

from .balls import DIGITS
from .case import Case, Check, relative
from .definition import terms_in_textbook_form, value_in_textbook_form
from .proofs import evaluator
from .symbolic import bind, closed_forms, sample, statement_of
from .tape import TAPED, Tape, record, slopes

WITNESS = "precision"
VALUE, GRADIENT = "the value with its 50 digits", "the gradient with its 50 digits"


def digits(case: Case) -> int:
    """Decimal digits to compute with: 50, some for rounding, and as many as 1 − P may have leading zeros.

    A probability below the dtype's smallest normal number may be replaced by 0. Scores are logits, so a
    logarithm of 1 − P is as large as they are. With too few digits the balls are wide, and the check fails.
    """
    if any(name.endswith("scores") for name in case.arguments):
        return DIGITS + 15 + int(4 * (1 + case.sharpness) / math.log(10))
    smallest = -math.log10(np.finfo(case.dtype).smallest_normal) + 20
    arrays = [x for x in case.arguments.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    largest = max(x.shape[-1] * float(np.max(np.abs(x))) ** 2 for x in arrays)
    steepest = 1 + max((case.arguments[name] for name in case.list_of_kind("hardness")), default=0.0)
    logits = 4 * (1 + largest) * steepest * case.sharpness / math.log(10)
    return DIGITS + 15 + int(min(smallest, logits))


def oracle(case: Case, name: str, indices: list[tuple[int, ...]]) -> tuple[Any, Any, list]:
    """The definition's value, the size of its terms, and its gradient at some indices of one input."""
    value, size, slopes = oracles(case, {name: indices})
    return value, size, slopes[name]


def oracles(case: Case, chosen: Mapping[str, list[tuple[int, ...]]]) -> tuple[Any, Any, dict[str, list]]:
    """Evaluate the same for several inputs at once."""
    statement, environment = statement_of(case), bind(case)
    tape: Tape = []
    places: dict[Any, int] = {}
    for name, indices in chosen.items():
        variable = statement.gradients[name].variable
        keys = {index: (name, index) for index in indices}
        environment[variable] = record(tape, environment[variable], keys, places)
    loss, size = evaluator(statement.form, environment, TAPED, statement.names)({})
    by = dict(slopes(loss, places))  # empty if every triplet's hinge is inactive
    found = {name: [arb(by.get((name, index), 0)) for index in indices] for name, indices in chosen.items()}
    return arb(getattr(loss, "value", loss)), arb(size), found


def testify(case: Case) -> Iterator[Check]:
    """Yield two checks for each differentiable input: one of the value and one of the gradient."""
    value, gradients, sums = case.value(), case.gradients(), terms_in_textbook_form(case)
    samples = {name: sample(np.shape(case.arguments[name])) for name in case.loss.differentiable}
    with ctx.workdps(digits(case)):
        exact, size, known = oracles(case, samples)
    with ctx.workdps(DIGITS):
        proved = closed_forms(case, samples)
    for name, indices in samples.items():
        got, slopes = [gradients[name][index] for index in indices], known[name]
        _, terms = proved[name]
        with ctx.workdps(DIGITS):
            sides = {
                VALUE: relative(
                    value, exact, size, case.dtype, None, value_in_textbook_form(case), exact=True
                ),
                GRADIENT: relative(
                    got, slopes, terms, case.dtype, indices, [sums[name][i] for i in indices], exact=True
                ),
            }
        for compared, worst in sides.items():
            yield case.check(name, WITNESS, worst, compared)
