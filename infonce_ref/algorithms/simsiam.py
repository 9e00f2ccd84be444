"""SimSiam, Algorithm 1 (D3): each view's prediction is the other's projection, which is held constant.

    𝓛 = ½ D(p1, z2) + ½ D(p2, z1),   D(p, z) = −cos(p, z)               [D3.44, D3.45]

The comments are the lines of the slide, where `p = normalize` lost its indentation and "12-normalize" is l2. A
constant output attains the minimum, −1: only the stop-gradient prevents this, and stop_gradient=False removes it
[D3.46].
Source: D3; Chen and He (2021), "Exploring simple Siamese representation learning".
"""

from typing import NamedTuple

import numpy as np

from .. import losses
from ..floors import least
from .parts import networks, updates
from .parts.encoder import DIMENSIONS, backbone, head
from .parts.images import Images, minibatch
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: n images · rate: learning rate · stop_gradient: whether z is detached."""

    batch: int = 128
    rate: float = 0.2
    stop_gradient: bool = True


class State(NamedTuple):
    """f: backbone + projection mlp · h: prediction mlp · their velocities."""

    f: networks.Network
    h: networks.Network
    velocity: tuple[networks.Network, networks.Network]


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """Draw f and h at random."""
    f, h = backbone(rng) + head(rng), head(rng, inputs=DIMENSIONS)
    return State(f, h, updates.zero_velocities((f, h)))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Run one pass through the loop; return the new state and the loss."""
    # for x in loader:  # load a minibatch x with n samples
    x = images.train[minibatch(images, options.batch, rng)]
    # x1, x2 = aug(x), aug(x)  # random augmentation
    x1, x2 = images.view(x, rng), images.view(x, rng)
    # z1, z2 = f(x1), f(x2)  # projections, n-by-d
    (z1, through_f1), (z2, through_f2) = networks.forward(state.f, x1), networks.forward(state.f, x2)
    # p1, p2 = h(z1), h(z2)  # predictions, n-by-d
    (p1, through_h1), (p2, through_h2) = networks.forward(state.h, z1), networks.forward(state.h, z2)
    # L = D(p1, z2)/2 + D(p2, z1)/2  # loss
    # def D(p, z): z = z.detach()  # stop gradient
    #     p = normalize(p, dim=1); z = normalize(z, dim=1);  return -(p*z).sum(dim=1).mean()     [D3.46]
    loss, cache = losses.simsiam.forward(p1, z1, p2, z2, stop_gradient=options.stop_gradient)
    # L.backward()  # back-propagate
    d = losses.simsiam.backward(cache)
    back1, back2 = networks.backward(through_h1, d.p1), networks.backward(through_h2, d.p2)
    _, df1 = networks.backward(through_f1, back1.x + d.z1)
    _, df2 = networks.backward(through_f2, back2.x + d.z2)
    df, dh = updates.total((df1, back1.network), (df2, back2.network))
    # update(f, h)  # SGD update
    return updates.descend(state, options.rate, f=df, h=dh), float(loss)


ALGORITHM = Algorithm(
    "simsiam",
    "SimSiam, Algorithm 1",
    Options,
    start,
    step,
    lambda state: state.f,
    floor=lambda options: least("simsiam"),
)
