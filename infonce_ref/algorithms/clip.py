"""CLIP (D3): images and their captions, trained together; then a classifier made of nothing but label text.

    S_ij = x_i·y_j / τ                                                  [M17]
    𝓛 = (1/2B) Σ_i [−log softmax_j(S_ij)_i − log softmax_j(S_ji)_i]     [M17]

The comments are the pseudo-code of the source's Figure 3; the slides print the title and the figure's second
panel, "create dataset classifier from label text". τ is constant, where the source learns it.
Source: D3; Radford et al. (2021), "Learning transferable visual models from natural language supervision".
"""

from typing import NamedTuple

import numpy as np

from .. import losses
from ..floors import least
from .parts import captions, networks, updates
from .parts.encoder import DIMENSIONS
from .parts.images import Images
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: n pairs · temperature: τ · rate: learning rate."""

    batch: int = 128
    temperature: float = 0.2
    rate: float = 0.2


class State(NamedTuple):
    """image_encoder, text_encoder: to 32 dimensions · their velocities."""

    image_encoder: networks.Network
    text_encoder: networks.Network
    velocity: tuple[networks.Network, networks.Network]


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """Draw both encoders at random."""
    weights = captions.encoders(rng, images)
    return State(*weights, updates.zero_velocities(weights))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Train on one minibatch of pairs; return the new state and the loss in nats."""
    # I[n, h, w, c] - minibatch of aligned images;  T[n, l] - minibatch of aligned texts
    pixels, texts = captions.pairs(images, options.batch, rng)
    # I_f = image_encoder(I);  T_f = text_encoder(T)
    # I_e = l2_normalize(np.dot(I_f, W_i), axis=1);  T_e = l2_normalize(np.dot(T_f, W_t), axis=1)
    x, y, back = captions.embed(state, pixels, texts)
    # logits = np.dot(I_e, T_e.T) * np.exp(t);  labels = np.arange(n)
    # loss_i = cross_entropy_loss(logits, labels, axis=0)
    # loss_t = cross_entropy_loss(logits, labels, axis=1)
    # loss = (loss_i + loss_t)/2                                              [M17]
    loss, cache = losses.clip.forward(x, y, temperature=options.temperature)
    d = losses.clip.backward(cache)
    dimage, dtext = back(d.image, d.text)
    return updates.descend(state, options.rate, image_encoder=dimage, text_encoder=dtext), float(loss)


ALGORITHM = Algorithm(
    "clip",
    "CLIP",
    Options,
    start,
    step,
    lambda state: state.image_encoder,
    score=captions.zero_shot,
    floor=lambda options: least(
        "clip", pairs=options.batch, features=DIMENSIONS, temperature=options.temperature
    ),
)
