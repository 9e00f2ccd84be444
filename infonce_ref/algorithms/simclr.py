"""SimCLR, Algorithm 1 (D3): two views of each image, next to each other, agree against all others.

    𝓛 = (1/2N) Σ_k [ℓ(2k−1, 2k) + ℓ(2k, 2k−1)]                          [D3.4]

The comments are the lines of the slide; rows here count from 0, so that its pair (2k−1, 2k) is (2k, 2k+1).
Source: D3; Chen et al. (2020), "A simple framework for contrastive learning of visual representations".
"""

from typing import NamedTuple

import numpy as np

from ..floors import least
from ..losses import ntxent
from .parts import networks, updates
from .parts.encoder import DIMENSIONS, backbone, head
from .parts.images import Images, minibatch
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: N images · temperature: τ · rate: learning rate."""

    batch: int = 128
    temperature: float = 0.2
    rate: float = 0.5


class State(NamedTuple):
    """f: images to representations h · g: h to projections z · their velocities."""

    f: networks.Network
    g: networks.Network
    velocity: tuple[networks.Network, networks.Network]


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """Draw f and g at random. The algorithm's first line: input: … structure of f, g, T."""
    f, g = backbone(rng), head(rng)
    return State(f, g, updates.zero_velocities((f, g)))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Run one pass through the loop; return the new state and the loss in nats."""
    # for sampled minibatch {x_k}, k = 1 … N do
    x = images.train[minibatch(images, options.batch, rng)]
    #     draw two augmentation functions t ~ T, t' ~ T
    #     x̃_{2k−1} = t(x_k);   x̃_{2k} = t'(x_k)
    views = np.stack([images.view(x, rng), images.view(x, rng)], axis=1).reshape(2 * len(x), -1)
    #     h = f(x̃);   z = g(h)                      # representation, projection
    h, through_f = networks.forward(state.f, views)
    z, through_g = networks.forward(state.g, h)
    #     s_ij = z_iᵀ z_j / (‖z_i‖ ‖z_j‖);   ℓ(i, j) = −log e^{s_ij/τ} / Σ_{k≠i} e^{s_ik/τ}
    #     𝓛 = (1/2N) Σ_k [ℓ(2k−1, 2k) + ℓ(2k, 2k−1)]                          [D3.4]
    loss, cache = ntxent.forward(z, temperature=options.temperature, layout="interleaved")
    #     update networks f and g to minimise 𝓛
    dz = ntxent.backward(cache).w
    dh, dg = networks.backward(through_g, dz)
    _, df = networks.backward(through_f, dh)
    return updates.descend(state, options.rate, f=df, g=dg), float(loss)


ALGORITHM = Algorithm(
    "simclr",
    "SimCLR, Algorithm 1",
    Options,
    start,
    step,
    # return encoder network f(·), and throw away g(·)
    lambda state: state.f + state.g,
    floor=lambda options: least(
        "ntxent", pairs=options.batch, features=DIMENSIONS, temperature=options.temperature
    ),
)
