"""The one encoder of all algorithms, small enough to train in seconds: a backbone f and a head g."""

import numpy as np

from . import networks

PIXELS, FEATURES, DIMENSIONS = 64, 128, 32


def backbone(rng: np.random.Generator) -> networks.Network:
    """f: 64 pixels → 256 → 128 features h, what is kept and measured."""
    return (networks.hidden(rng, PIXELS, 256), networks.hidden(rng, 256, FEATURES))


def head(rng: np.random.Generator, inputs: int = FEATURES, outputs: int = DIMENSIONS) -> networks.Network:
    """g: h → 128 → 32 dimensions z, or as many as a task asks for."""
    return (networks.hidden(rng, inputs, 128), networks.linear(rng, 128, outputs))
