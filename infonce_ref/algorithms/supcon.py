"""SupCon: two views of each image, as in SimCLR, where every other view of the image's class is a positive.

    𝓛 = −(1/n⁺) Σ_i (1/|P_i|) Σ_{p∈P_i} log P_ip                       [F21]

It is supervised, by every training image's label: its linear probe is no fair rival of the others.
Source: Khosla et al. (2020), "Supervised contrastive learning", Eq. 2.
"""

from typing import NamedTuple

import numpy as np

from .. import losses
from .parts import networks, updates
from .parts.encoder import backbone, head
from .parts.images import Images, digits, minibatch
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: N images · temperature: τ · rate: of the descent."""

    batch: int = 128
    temperature: float = 0.1
    rate: float = 0.5


class State(NamedTuple):
    """f: images to representations, Enc, and these to projections, Proj · its velocity."""

    f: networks.Network
    velocity: networks.Network


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """f at random."""
    f = backbone(rng) + head(rng)
    return State(f, updates.at_rest(f))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """One minibatch: the new state, and the loss in nats."""
    # 2N rows, the two views of each of N images, both with its label
    index = minibatch(images, options.batch, rng)
    x, y = images.train[index], images.train_labels[index]
    views, labels = np.concatenate([images.view(x, rng), images.view(x, rng)]), np.concatenate([y, y])
    # r = Enc(x̃);  z = Proj(r) / ‖Proj(r)‖
    z, through = networks.forward(state.f, views)
    # 𝓛 of the views against all others, the positives of each those of its class     [F21]
    loss, cache = losses.supcon.forward(z, labels=labels, temperature=options.temperature)
    gradient = networks.backward(through, losses.supcon.backward(cache).w).network
    f, velocity = updates.sgd(state.f, gradient, state.velocity, rate=options.rate)
    return State(f, velocity), float(loss)


ALGORITHM = Algorithm(
    name="supcon",
    title="SupCon, supervised",
    images=digits,
    options=Options,
    start=start,
    step=step,
    features=lambda state: state.f[:2],
    embedding=lambda state: state.f,
)
