"""Witness 2: central differences of the forward pass, along random directions, at steps that are halved.

    D(h) = (f(x + hv) − f(x − hv)) / 2h = ⟨∇f, v⟩ + c h² + O(h⁴) + O(eps |f| / h)

So |D(h) − ⟨g, v⟩|, with g the gradient under trial, must fall by 4 with each halving of h, until rounding takes
over near h ~ eps^(1/3), where it is about eps^(2/3). Where g is wrong it stops falling at |⟨g − ∇f, v⟩|. A small
error at one step is not enough, for D(h) may pass a wrong ⟨g, v⟩ by chance: it must fall at the right rate too.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .case import Case, Check, Measurement, farthest

WITNESS = "finite differences"
DIRECTIONS = 3
FIRST_STEP = (
    2.0**-4
)  # as a part of the length on which the loss changes: that of a row times τ, or τ² for τ itself
REASON = "32·eps^(2/3)·max(1, 1/τ): a central difference at its best step, where truncation h² meets rounding eps/h"


class Ladder(NamedTuple):
    """Steps h; at each D(h), and |D(h) − ⟨g, v⟩| relative to |D| + |f|, NaN where that is not finite; ⟨g, v⟩."""

    steps: np.ndarray
    differences: np.ndarray
    errors: np.ndarray
    slope: float

    def falls_as_square(self, floor: float) -> bool:
        """Whether the error falls by about 4 for each halving while it is well above the floor of rounding."""
        clear = self.errors[:-1] > 8 * floor
        ratios = self.errors[:-1] / np.maximum(self.errors[1:], np.finfo(float).tiny)
        return bool(np.all(ratios[clear] > 2.5))

    def at(self, step: int) -> Measurement:
        """What was measured at the step of this number."""
        return Measurement(float(self.errors[step]), (), self.slope, float(self.differences[step]))


def ladder(case: Case, gradient: np.ndarray, name: str, seed: int = 0) -> Ladder:
    """The errors of one gradient along one random unit direction, over halved steps."""
    x = np.asarray(case.arguments[name], dtype=np.float64)
    eps = float(np.finfo(case.dtype).eps)
    direction = np.random.default_rng(seed).standard_normal(x.shape)
    direction = direction / np.linalg.norm(direction)
    scale = (1 / case.sharpness) * (np.linalg.norm(x) / np.sqrt(len(x)) if x.ndim else float(x))
    halvings = int(np.log2(FIRST_STEP / eps ** (1 / 3))) + 2
    steps = scale * FIRST_STEP * 0.5 ** np.arange(halvings)
    at = case.restricted()
    kind = float if x.ndim == 0 else case.dtype.type
    differences, values = [], [0.0, 0.0]
    for h in steps:
        ahead, behind = (kind(x + side * h * direction) for side in (1, -1))
        # what was really stepped, after rounding to the dtype
        stepped = np.asarray(ahead, dtype=np.float64) - np.asarray(behind, dtype=np.float64)
        length = float(np.sum(stepped * direction))
        values = [at(**{name: ahead}), at(**{name: behind})]
        differences.append((values[0] - values[1]) / length)
    slope = float(np.sum(gradient * direction))
    # both are 0 where every triplet's hinge is shut
    size = abs(differences[-1]) + abs(values[-1]) + np.finfo(float).tiny
    errors = np.abs(np.asarray(differences) - slope) / size
    return Ladder(steps, np.asarray(differences), np.where(np.isfinite(errors), errors, np.nan), slope)


def testify(case: Case) -> Iterator[Check]:
    """One check for each differentiable input, of the worst direction; of a direction the step with the least error
    counts or, where the errors do not fall as they must, the one with the largest."""
    floor = 32 * case.sharpness * float(np.finfo(case.dtype).eps) ** (2 / 3)
    gradients = case.gradients()
    for name in case.loss.differentiable:
        found = {}
        for seed in range(DIRECTIONS):
            trial = ladder(case, gradients[name], name, seed)
            step = int((np.argmin if trial.falls_as_square(floor) else np.argmax)(trial.errors))
            compared = f"⟨gradient, v⟩ with D(h), random v of seed {seed}, h = {trial.steps[step]:.1e}"
            found[compared] = trial.at(step)
        compared, worst = farthest(found)
        yield Check(case.loss.name, name, WITNESS, case.label, compared, worst, floor, REASON)
