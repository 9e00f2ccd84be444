"""What the algorithms that train one encoder and nothing else share: state, start, registry entry."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import networks, updates
from .encoder import backbone, head
from .images import Images
from .registry import Algorithm


class State(NamedTuple):
    """f: images to representations, and these to embeddings · its velocity."""

    f: networks.Network
    velocity: tuple[networks.Network]


def start(rng: np.random.Generator, images: Images, options: Any) -> State:
    """Draw f at random."""
    f = backbone(rng) + head(rng)
    return State(f, updates.zero_velocities((f,)))


def algorithm(name: str, title: str, options: Callable[..., Any], step: Callable[..., Any]) -> Algorithm:
    """Return the registry entry."""
    return Algorithm(name, title, options, start, step, lambda state: state.f)
