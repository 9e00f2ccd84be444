"""BYOL (D3): the online network predicts the output of a slowly moving copy of itself on another view.

    𝓛_{θ,ξ} = ‖q̄_θ(z_θ) − z̄'_ξ‖² = 2 − 2 cos(q_θ(z_θ), z'_ξ)           [D3.43]
    ξ ← τ ξ + (1 − τ) θ                                                 [D3.41]

There are no negatives: a constant output has 𝓛 = 0. The safeguard against it can be switched off: `target`
is "average", ξ as printed; "online", ξ = θ held constant; or "trained", ξ = θ and the gradient flows there too.
Each view predicts the other, as in the source; the slide prints one of the two terms. τ is no temperature.
Source: D3; Grill et al. (2020), "Bootstrap your own latent".
"""

from typing import NamedTuple

import numpy as np

from .. import losses
from ..checks import check_choice
from ..floors import least
from .parts import networks, updates
from .parts.encoder import DIMENSIONS, backbone, head
from .parts.images import Images, minibatch
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: images a step · rate: learning rate · average: τ, the share of ξ that is kept · target: "average",
    "online" or "trained".
    """

    batch: int = 128
    rate: float = 0.2
    average: float = 0.99
    target: str = "average"


class State(NamedTuple):
    """online: θ without q, images to projections · predictor: q · target: ξ · velocities of online, predictor."""

    online: networks.Network
    predictor: networks.Network
    target: networks.Network
    velocity: tuple[networks.Network, networks.Network]


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """Start with the target equal to the online network."""
    check_choice("target", options.target, ("average", "online", "trained"))
    online, predictor = backbone(rng) + head(rng), head(rng, inputs=DIMENSIONS)
    return State(online, predictor, online, updates.zero_velocities((online, predictor)))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Train on one minibatch; return the new state and the loss."""
    x = images.train[minibatch(images, options.batch, rng)]
    views = [images.view(x, rng), images.view(x, rng)]
    # q_θ(z_θ) of both views
    z, through_online = networks.forward(state.online, np.concatenate(views))
    prediction, through_predictor = networks.forward(state.predictor, z)
    # z'_ξ of the other view
    xi = state.target if options.target == "average" else state.online
    target, through_target = networks.forward(xi, np.concatenate(views[::-1]))
    # 𝓛 = mean ‖q̄ − z̄'‖²                                                     [D3.43]
    loss, cache = losses.byol.forward(prediction, target)
    dz, dpredictor = networks.backward(through_predictor, losses.byol.backward(cache).prediction)
    _, donline = networks.backward(through_online, dz)
    if options.target == "trained":
        # the distance is symmetric: ∂𝓛/∂z' is ∂𝓛/∂q with the two exchanged
        _, exchanged = losses.byol.forward(target, prediction)
        _, dtarget = networks.backward(through_target, losses.byol.backward(exchanged).prediction)
        donline = updates.total(donline, dtarget)
    # θ is trained at every step
    state = updates.descend(state, options.rate, online=donline, predictor=dpredictor)
    # ξ ← τ ξ + (1 − τ) θ: not trained directly, a smoothed version of θ      [D3.41, D3.42]
    averaged = updates.moving_average(state.target, state.online, options.average)
    return state._replace(target=averaged), float(loss)


ALGORITHM = Algorithm(
    "byol", "BYOL", Options, start, step, lambda state: state.online, floor=lambda options: least("byol")
)
