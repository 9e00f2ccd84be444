"""SupCon: two views of each image, as in SimCLR, where every other view of the image's class is a positive.

    𝓛 = −(1/n⁺) Σ_i (1/|P_i|) Σ_{p∈P_i} log P_ip                       [F21]

It is supervised, by every training image's label: its linear probe is not comparable with the others.
Source: Khosla et al. (2020), "Supervised contrastive learning", Eq. 2.
"""

from typing import NamedTuple

import numpy as np

from .. import losses
from .parts import networks, updates
from .parts.images import Images, minibatch
from .parts.one_encoder import State, algorithm


class Options(NamedTuple):
    """batch: N images · temperature: τ · rate: learning rate."""

    batch: int = 128
    temperature: float = 0.1
    rate: float = 0.5


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Train on one minibatch; return the new state and the loss in nats."""
    # 2N rows, the two views of each of N images, both with its label
    index = minibatch(images, options.batch, rng)
    x, y = images.train[index], images.train_labels[index]
    views, labels = np.concatenate([images.view(x, rng), images.view(x, rng)]), np.concatenate([y, y])
    # r = Enc(x̃);  z = Proj(r) / ‖Proj(r)‖
    z, through = networks.forward(state.f, views)
    # 𝓛 of the views against all others; the positives of each row are those of its class [F21]
    loss, cache = losses.supcon.forward(z, labels=labels, temperature=options.temperature)
    gradient = networks.backward(through, losses.supcon.backward(cache).w).network
    return updates.descend(state, options.rate, f=gradient), float(loss)


ALGORITHM = algorithm("supcon", "SupCon, supervised", Options, step)
