"""SigLIP: images and their captions, trained together; every pair is classified on its own as matching or not.

    S_ij = x_i·y_j / τ                                                  [M17]
    𝓛    = (1/B) Σ_i [softplus(−S_ii − b) + Σ_{j≠i} softplus(S_ij + b)] [F9]

The comments are the source's Algorithm 1. t' = −log τ and b are learned with the weights, from the source's values;
they move to where the sigmoids of all B² scores sum to B [R8]. At the start nearly all are close to 0: −10 fits
batches of 22,027 pairs. At a rate of 0.1, seed 0, the scale falls to 0 before anything is learned, and b stays at
−log(B − 1), the best for scores of 0. The captions are those of `clip`.
Source: Zhai et al. (2023), "Sigmoid loss for language image pre-training", Algorithm 1 and Section 3.2.
"""

from typing import NamedTuple

import numpy as np

from .. import losses
from .parts import captions, networks, updates
from .parts.images import Images
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: n pairs · scale, bias: 1/τ and b at the start · rate: learning rate."""

    batch: int = 128
    scale: float = 10.0
    bias: float = -10.0
    rate: float = 0.02


class State(NamedTuple):
    """image_encoder, text_encoder: to 32 dimensions · log_scale: t', bias: b, both 0-d · their velocities."""

    image_encoder: networks.Network
    text_encoder: networks.Network
    log_scale: np.ndarray
    bias: np.ndarray
    velocity: tuple[networks.Network, networks.Network, np.ndarray, np.ndarray]


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """Draw both encoders at random; the input of the text encoder is the word counts. Raises ValueError for a scale
    that is not positive.
    """
    if not 0 < options.scale < np.inf:
        raise ValueError(f"scale must be positive and finite; got {options.scale}")
    encoders = captions.encoders(rng, images)
    scalars = np.array(np.log(options.scale), np.float32), np.array(options.bias, np.float32)
    return State(*encoders, *scalars, updates.zero_velocities((*encoders, *scalars)))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Train on one minibatch of pairs; return the new state and the loss in nats."""
    pixels, texts = captions.pairs(images, options.batch, rng)
    # t = exp(t_prime);  zimg = l2_normalize(img_emb);  ztxt = l2_normalize(txt_emb)
    temperature = float(1 / np.exp(state.log_scale))
    x, y, back = captions.embed(state, pixels, texts)
    # logits = dot(zimg, ztxt.T) * t + b;  labels = 2 * eye(n) - ones(n)
    # l = -sum(log_sigmoid(labels * logits)) / n                               [F9]
    loss, cache = losses.siglip.forward(x, y, temperature=temperature, bias=float(state.bias))
    d = losses.siglip.backward(cache)
    dimage, dtext = back(d.image, d.text)
    # ∂𝓛/∂t' = −τ ∂𝓛/∂τ
    scalars = {"log_scale": -temperature * d.temperature, "bias": d.bias}
    state = updates.descend(state, options.rate, image_encoder=dimage, text_encoder=dtext, **scalars)
    return state, float(loss)


ALGORITHM = Algorithm(
    "siglip",
    "SigLIP, Algorithm 1",
    Options,
    start,
    step,
    lambda state: state.image_encoder,
    score=captions.zero_shot,
)
