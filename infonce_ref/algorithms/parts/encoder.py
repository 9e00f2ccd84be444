"""The one encoder of all algorithms, small enough to train in seconds: a backbone f and a head g."""

import numpy as np

from .networks import Hidden, Linear, Network, draw

PIXELS, FEATURES, DIMENSIONS = 64, 128, 32


def backbone(rng: np.random.Generator) -> Network:
    """Return f: 64 pixels → 256 → 128 features h, the part that is kept and measured."""
    return (draw(Hidden, rng, PIXELS, 256), draw(Hidden, rng, 256, FEATURES))


def head(rng: np.random.Generator, inputs: int = FEATURES, outputs: int = DIMENSIONS) -> Network:
    """Return g: h → 128 → 32 dimensions z, or as many as a task needs."""
    return (draw(Hidden, rng, inputs, 128), draw(Linear, rng, 128, outputs))


def keep_backbone(network: Network) -> Network:
    """Return the backbone of a network that begins with one, whatever head follows."""
    return network[:2]
