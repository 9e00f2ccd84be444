"""Second check: central differences of the forward pass along random directions, with shrinking steps.

    D(h) = (f(x + hv) − f(x − hv)) / 2h = ⟨∇f, v⟩ + c h² + O(h⁴) + O(eps |f| / h)

With g the gradient under test, |D(h) − ⟨g, v⟩| must fall by 16 with each step, a quarter of the last, until
rounding dominates near h ~ eps^(1/3), where it is about eps^(2/3). If g is wrong, it stops falling at
|⟨g − ∇f, v⟩|. A small error at one step is not enough, because D(h) may equal a wrong ⟨g, v⟩ by chance: it must
fall at the right rate too.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from .case import Case, Check, Measurement, list_of_kind
from .definition import as_numbers, hold, value_in_textbook_form

METHOD = "finite differences"
DIRECTIONS = 3
# steps relative to the length on which the loss changes: a row's length times τ, or τ² for τ itself
FIRST_STEP = 2.0**-4
SHRINKS = 4  # the ratio of a step to the next one
MOST = 7  # steps; the first ones of float64 may be too long for the term in h² to dominate
LEAST_FALL = 6.25  # of the error from step to step; 16 without the terms in h⁴ and rounding
LAST = 3  # so many steps above the rounding error
REASON = "32·eps^(2/3)·max(1, 1/τ): a central difference at its best step, where truncation h² meets rounding eps/h"


def measure(
    case: Case, gradient: np.ndarray, name: str, seed: int, floor: float
) -> tuple[float, Measurement]:
    """Measure one gradient along one random unit direction, over shrinking steps. Return the deciding step and its
    measurement: |D(h) − ⟨g, v⟩| relative to |D| + |f|/|x|, and to the terms of a textbook form.

    floor: the tolerance.
    """
    x = np.asarray(case.arguments[name], dtype=np.float64)
    eps = float(np.finfo(case.dtype).eps)
    direction = np.random.default_rng(seed).standard_normal(x.shape)
    direction = direction / np.linalg.norm(direction)
    # whatever its size, a score changes the loss on a length of 1
    logits = list_of_kind(case.loss, "score") + list_of_kind(case.loss, "bias")
    length = case.sharpness if name in logits else find_shortest(x)
    count = int(np.emath.logn(SHRINKS, FIRST_STEP / eps ** (1 / 3))) + 2
    steps = length / case.sharpness * FIRST_STEP / SHRINKS ** np.arange(count)[-MOST:]
    stopped = hold(case)
    # not dtype.type(x), because NumPy 2.0 turns an array of one entry into a number
    convert = float if x.ndim == 0 else partial(np.asarray, dtype=case.dtype)
    differences, largest = np.empty(len(steps)), 0.0
    for number, h in enumerate(steps):
        ahead, behind = (convert(x + side * h * direction) for side in (1, -1))
        # the actual step, after rounding to the dtype
        stepped = np.asarray(ahead, dtype=np.float64) - np.asarray(behind, dtype=np.float64)
        moved = [case.at(**{name: there}) for there in (ahead, behind)]
        # what a stop-gradient holds constant does not move
        values = [each.value() - stopped(as_numbers(each, float)) for each in moved]
        differences[number] = (values[0] - values[1]) / float(np.sum(stepped * direction))
        largest = max(largest, *map(abs, values))
    slope = float(np.sum(gradient * direction))
    # both are 0 if every triplet's hinge is inactive
    size = abs(differences[-1]) + largest / length + np.finfo(float).tiny
    # a textbook form's value is a difference of logits, each rounded to eps/τ
    wider = size + case.sharpness * value_in_textbook_form(case) / length
    apart = np.abs(differences - slope)
    errors, textbook = (np.where(np.isfinite(apart / by), apart / by, np.nan) for by in (size, wider))
    step, least = find_deciding(errors, floor), float(textbook[find_deciding(textbook, floor)])
    return steps[step], Measurement(float(errors[step]), (), slope, float(differences[step]), least)


def find_deciding(errors: np.ndarray, floor: float) -> int:
    """Return the step of the least error; of the largest if, well above the rounding error, the errors do not fall
    by about 16 with each of the last steps, since the first ones may be beyond a kink.
    """
    clear = errors[:-1] > 8 * floor
    ratios = errors[:-1] / np.maximum(errors[1:], errors[:-1] * 1e-9 + np.finfo(float).tiny)
    return int((np.argmin if np.all(ratios[clear][-LAST:] > LEAST_FALL) else np.argmax)(errors))


def find_shortest(x: np.ndarray) -> float:
    """Return the length of the shortest row, on which the loss changes fastest; for a vector of weights the
    size of an entry; for a number itself.
    """
    if x.ndim == 1:
        return float(np.sqrt(np.mean(x**2)))
    return float(np.min(np.linalg.norm(x, axis=-1))) if x.ndim else float(x)


def check_one_direction(case: Case) -> Iterator[Check]:
    """Yield one check for each differentiable input along a single direction, for runs with many cases."""
    return check(case, 1)


def check(case: Case, directions: int = DIRECTIONS) -> Iterator[Check]:
    """Yield one check for each differentiable input: the worst of several directions."""
    floor = 32 * case.sharpness * float(np.finfo(case.dtype).eps) ** (2 / 3)
    gradients = case.gradients()
    for name in case.loss.differentiable:
        found = []
        for seed in range(directions):
            step, worst = measure(case, gradients[name], name, seed, floor)
            words = f"⟨gradient, v⟩ with D(h), random v of seed {seed}, h = {step:.1e}"
            found.append(case.check(name, METHOD, worst, words, floor, REASON))
        yield max(found, key=lambda one: one.excess)
