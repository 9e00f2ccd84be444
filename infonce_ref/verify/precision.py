"""Fourth check: the value to 50 digits from the definition that the documents print, and the gradient to 50 digits
from the textbook's function, by the chain rule (`slopes`).

Both are computed in balls. Neither the stable form nor the backward pass nor the proved gradient is used. The
proved gradient only gives the size of the summed terms, against which rounding errors are measured.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from flint import arb, ctx

from . import proofs
from .case import Case, Check, list_of_kind, relative
from .definition import define, value_in_textbook_form
from .proofs import DIGITS, closed_forms, sample, sample_terms
from .slopes import BALL_WORDS, Node, differentiate

METHOD = "50 digits"
VALUE, GRADIENT = "the value with its 50 digits", "the gradient with its 50 digits"
to_ball = np.frompyfunc(arb, 1, 1)


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
    steepest = 1 + max((case.arguments[name] for name in list_of_kind(case.loss, "hardness")), default=0.0)
    logits = 4 * (1 + largest) * steepest * case.sharpness / math.log(10)
    return DIGITS + 15 + int(min(smallest, logits))


def slopes_of(case: Case) -> dict[str, np.ndarray]:
    """Differentiate the textbook's form, in balls."""
    inputs = {name: Node(np.asarray(lift(case.arguments[name])), []) for name in case.loss.differentiable}
    given = {name: lift(x) for name, x in case.arguments.items()}
    found = differentiate(define(case, **BALL_WORDS)(given | inputs))
    # a result may not depend on an input, as if every triplet's hinge is inactive
    nothing = {name: np.zeros(x.shape) for name, x in inputs.items()}
    return {n: np.asarray(lift(found[x].value if x in found else nothing[n])) for n, x in inputs.items()}


def lift(x: Any) -> Any:
    """Convert real numbers to balls; leave others."""
    return to_ball(x) if np.asarray(x).dtype.kind in "fO" else x


def check(case: Case) -> Iterator[Check]:
    """Yield two checks for each differentiable input: one of the value and one of the gradient."""
    value, gradients = case.value(), case.gradients()
    samples = {name: sample(np.shape(case.arguments[name])) for name in case.loss.differentiable}
    with ctx.workdps(digits(case)):
        proved, slopes = closed_forms(case, {**samples, proofs.VALUE: [()]}), slopes_of(case)
    (expected,), (size,) = proved[proofs.VALUE]
    with ctx.workdps(DIGITS):
        for name, indices in samples.items():
            lost: Callable[[], Any] = partial(value_in_textbook_form, case)
            worst = relative(value, expected, size, case.dtype, None, lost, case.tolerance, exact=True)
            yield case.check(name, METHOD, worst, VALUE)
            got, known = ([x[name][index] for index in indices] for x in (gradients, slopes))
            (_, terms), lost = proved[name], partial(sample_terms, case, name, indices)
            worst = relative(got, known, terms, case.dtype, indices, lost, case.tolerance, exact=True)
            yield case.check(name, METHOD, worst, GRADIENT)
