"""Weight updates: gradient descent with momentum, and the moving average of MoCo and BYOL."""

from typing import Any

import numpy as np

from ...arrays import map_leaves

MOMENTUM, DECAY = 0.9, 1e-4


def zero_velocities(weights: Any) -> Any:
    """Return zero velocities."""
    return map_leaves(np.zeros_like, weights)


def total(first: Any, second: Any) -> Any:
    """Add the two gradients of weights that were used twice."""
    return map_leaves(np.add, first, second)


def descend(state: Any, rate: float, **gradients: Any) -> Any:
    """One step of these fields θ of a state, whose velocity has their u, in this order:
    u ← 0.9 u + ∂𝓛/∂θ + 10⁻⁴ θ,  θ ← θ − rate · u.
    """
    weights, slopes = tuple(getattr(state, name) for name in gradients), tuple(gradients.values())
    velocity = map_leaves(lambda u, g, w: MOMENTUM * u + g + DECAY * w, state.velocity, slopes, weights)
    weights = map_leaves(lambda w, u: w - rate * u, weights, velocity)
    return state._replace(**dict(zip(gradients, weights)), velocity=velocity)


def moving_average(slow: Any, fast: Any, keep: float) -> Any:
    """Return keep · slow + (1 − keep) · fast.                              [D3.38, D3.41]"""
    return map_leaves(lambda s, f: keep * s + (1 - keep) * f, slow, fast)
