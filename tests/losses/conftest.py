"""Helpers for the tests of the losses."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from infonce_ref.losses import Loss

# At the step h = eps^(1/3) truncation (h²) and rounding (eps/h) are both about eps^(2/3) ≈ 4e-11; the factor
# allows for third derivatives of a few hundred.
TOLERANCE = 1e-8


@pytest.fixture
def assert_slopes() -> Callable[..., None]:
    """Compare every gradient of a loss with central differences of its forward pass, entry by entry; also for the
    anchors' losses, averaged with positive weights. Inputs under a stop-gradient are not varied.
    """

    def check(loss: Loss, **arguments: Any) -> None:
        each, cache = loss.forward(**arguments)
        weights = np.array(1.0)
        if each.ndim:
            weights = np.random.default_rng(0).uniform(0.5, 2, len(each))
            weights /= np.sum(weights)
        gradients = loss.backward(cache, weights)._asdict()
        held = (loss.held and loss.held(**arguments)) or (lambda **moved: loss.forward(**moved)[0])

        def value(**moved: Any) -> float:
            return np.sum(weights * held(**moved))

        step = np.finfo(float).eps ** (1 / 3)
        for name in loss.differentiable:
            x = np.asarray(arguments[name], dtype=float)
            slopes = np.empty_like(x)
            for index in np.ndindex(x.shape):
                ends = []
                for side in (1, -1):
                    moved = x.copy()
                    moved[index] += side * step
                    ends.append(value(**arguments | {name: moved if x.ndim else float(moved)}))
                slopes[index] = (ends[0] - ends[1]) / (2 * step)
            np.testing.assert_allclose(gradients[name], slopes, rtol=TOLERANCE, atol=TOLERANCE, err_msg=name)

    return check
