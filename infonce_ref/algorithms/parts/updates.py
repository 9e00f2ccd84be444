"""Weight updates: gradient descent with momentum, and the moving average of MoCo and BYOL."""

from typing import Any

import numpy as np

from . import tree

MOMENTUM, DECAY = 0.9, 1e-4


def zero_velocities(weights: Any) -> Any:
    """Return zero velocities."""
    return tree.map_trees(np.zeros_like, weights)


def total(first: Any, second: Any) -> Any:
    """Add the two gradients of weights that were used twice."""
    return tree.map_trees(np.add, first, second)


def descend(state: Any, rate: float, **gradients: Any) -> Any:
    """One step of these fields θ of a state, whose velocity has their u, in this order:
    u ← 0.9 u + ∂𝓛/∂θ + 10⁻⁴ θ,  θ ← θ − rate · u.
    """
    weights, slopes = tuple(getattr(state, name) for name in gradients), tuple(gradients.values())
    velocity = tree.map_trees(lambda u, g, w: MOMENTUM * u + g + DECAY * w, state.velocity, slopes, weights)
    weights = tree.map_trees(lambda w, u: w - rate * u, weights, velocity)
    return state._replace(**dict(zip(gradients, weights)), velocity=velocity)


def moving_average(slow: Any, fast: Any, keep: float) -> Any:
    """Return keep · slow + (1 − keep) · fast.                              [D3.38, D3.41]"""
    return tree.map_trees(lambda s, f: keep * s + (1 - keep) * f, slow, fast)
