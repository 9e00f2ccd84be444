"""The one encoder of all algorithms, small enough to train in seconds: a backbone f and a head g."""

import numpy as np

from . import networks

PIXELS, FEATURES, DIMENSIONS = 64, 128, 32


def backbone(rng: np.random.Generator) -> networks.Network:
    """Return f: 64 pixels → 256 → 128 features h, the part that is kept and measured."""
    return (networks.draw_hidden(rng, PIXELS, 256), networks.draw_hidden(rng, 256, FEATURES))


def head(rng: np.random.Generator, inputs: int = FEATURES, outputs: int = DIMENSIONS) -> networks.Network:
    """Return g: h → 128 → 32 dimensions z, or as many as a task needs."""
    return (networks.draw_hidden(rng, inputs, 128), networks.linear(rng, 128, outputs))


def keep_backbone(network: networks.Network) -> networks.Network:
    """Return the backbone of a network that begins with one, whatever head follows."""
    return network[:2]
