"""Barlow Twins, Algorithm 1: the features of two views correlate each with itself, and with no other.

    𝓛 = Σ_f (1 − C_ff)² + λ Σ_{f≠g} C_fg²                               [F25]

The comments are the lines of the paper's pseudo-code.
Source: Zbontar et al. (2021), "Barlow Twins: self-supervised learning via redundancy reduction", Algorithm 1.
"""

from typing import NamedTuple

import numpy as np

from .. import losses
from ..floors import least
from .parts import networks, updates
from .parts.encoder import DIMENSIONS
from .parts.images import Images, minibatch
from .parts.one_encoder import State, algorithm


class Options(NamedTuple):
    """batch: N images · weight: λ, larger than in the paper, which has 8,192 features and not 32 · rate: learning
    rate.
    """

    batch: int = 128
    weight: float = 0.05
    rate: float = 0.1


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Run one pass through the loop; return the new state and the loss."""
    # for x in loader:  # load a batch with N samples
    x = images.train[minibatch(images, options.batch, rng)]
    # y_a, y_b = augment(x)  # two randomly augmented versions of x
    y_a, y_b = images.view(x, rng), images.view(x, rng)
    # z_a = f(y_a); z_b = f(y_b)  # NxD
    (z_a, through_a), (z_b, through_b) = networks.forward(state.f, y_a), networks.forward(state.f, y_b)
    # z_a_norm = (z_a - z_a.mean(0)) / z_a.std(0)  # NxD; z_b likewise
    # c = mm(z_a_norm.T, z_b_norm) / N  # DxD
    # c_diff = (c - eye(D)).pow(2); off_diagonal(c_diff).mul_(lambda); loss = c_diff.sum()      [F25]
    loss, cache = losses.barlow_twins.forward(z_a, z_b, weight=options.weight)
    # loss.backward(); optimizer.step()
    d = losses.barlow_twins.backward(cache)
    gradient = updates.total(
        networks.backward(through_a, d.z1).network, networks.backward(through_b, d.z2).network
    )
    return updates.descend(state, options.rate, f=gradient), float(loss)


ALGORITHM = algorithm("barlow_twins", "Barlow Twins, Algorithm 1", Options, step)._replace(
    floor=lambda options: least(
        "barlow_twins", pairs=options.batch, features=DIMENSIONS, weight=options.weight
    )
)
