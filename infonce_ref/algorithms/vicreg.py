"""VICReg, Algorithm 1: the two views agree, and the columns of each are spread out and uncorrelated.

    𝓛 = λ s(z, z') + μ [v(z) + v(z')] + ν [c(z) + c(z')]               [F27]

The comments are the lines of the paper's pseudo-code.
Source: Bardes, Ponce and LeCun (2022), "VICReg: variance-invariance-covariance regularization for self-supervised
learning", Algorithm 1.
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
    """batch: N images · invariance, variance, covariance: λ, μ, ν, where λ weighs a mean over entries · margin and
    epsilon of the hinge · rate: learning rate.
    """

    batch: int = 128
    invariance: float = 25.0
    variance: float = 25.0
    covariance: float = 1.0
    margin: float = 1.0
    epsilon: float = 1e-4
    rate: float = 0.02


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Run one pass through the loop; return the new state and the loss."""
    # for x in loader:  # load a batch with N samples
    x = images.train[minibatch(images, options.batch, rng)]
    # x_a, x_b = augment(x)  # two randomly augmented versions of x
    x_a, x_b = images.view(x, rng), images.view(x, rng)
    # z_a = f(x_a); z_b = f(x_b)  # N x D
    (z_a, through_a), (z_b, through_b) = networks.forward(state.f, x_a), networks.forward(state.f, x_b)
    # sim_loss = mse_loss(z_a, z_b), which is 1/D of s as the paper's formula has it
    # std_z_a = sqrt(z_a.var(dim=0) + 1e-04); std_loss = mean(relu(1 - std_z_a)) + mean(relu(1 - std_z_b))
    # z_a = z_a - z_a.mean(dim=0); cov_z_a = (z_a.T @ z_a) / (N - 1)
    # cov_loss = off_diagonal(cov_z_a).pow_(2).sum() / D + off_diagonal(cov_z_b).pow_(2).sum() / D
    # loss = lambda * sim_loss + mu * std_loss + nu * cov_loss                  [F27]
    loss, cache = losses.vicreg.forward(
        z_a,
        z_b,
        invariance=options.invariance / z_a.shape[1],
        variance=options.variance,
        covariance=options.covariance,
        margin=options.margin,
        epsilon=options.epsilon,
    )
    # loss.backward(); optimizer.step()
    d = losses.vicreg.backward(cache)
    gradient = updates.total(
        networks.backward(through_a, d.z1).network, networks.backward(through_b, d.z2).network
    )
    return updates.descend(state, options.rate, f=gradient), float(loss)


ALGORITHM = algorithm("vicreg", "VICReg, Algorithm 1", Options, step)._replace(
    floor=lambda options: least("vicreg", pairs=options.batch, features=DIMENSIONS)
)
