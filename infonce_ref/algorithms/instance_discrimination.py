"""Instance discrimination with a memory bank (D3): every image is a class of its own.

    p(i|v) = e^{v_i·v/τ} / Σ_j e^{v_j·v/τ}                              [D3.5]
    J(θ) = −Σ_i log p(i | f_θ(x_i))                                     [D3.6]

The bank keeps a unit feature v_i for each of the n images, the latest output of f. The slides' problem, "many
classes, one for each sample in memory" [D3.7], and their solution, m noise samples drawn uniformly from the bank
[D3.8-D3.18], are the two settings of `loss`. The slides print no algorithm: the order is that of their diagram, x →
f → v → loss against the bank → gradient, sampling, memory bank.
Source: D3; Wu et al. (2018), "Unsupervised feature learning via non-parametric instance discrimination".
"""

from typing import NamedTuple

import numpy as np

from .. import sphere
from ..checks import check_choice
from ..losses import instance, instance_nce
from .parts import networks, updates
from .parts.encoder import DIMENSIONS, backbone, head
from .parts.images import Images, minibatch
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: images a step · temperature: τ · rate: learning rate · loss: "softmax" over the whole bank, or "nce" ·
    noise: m, the noise samples of an image under "nce".
    """

    batch: int = 128
    temperature: float = 0.1
    rate: float = 0.5
    loss: str = "softmax"
    noise: int = 32


class State(NamedTuple):
    """f: images to features · bank (n, d), unit rows · the velocity of f."""

    f: networks.Network
    bank: np.ndarray
    velocity: tuple[networks.Network]


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """Start with random unit rows in the bank."""
    check_choice("loss", options.loss, ("softmax", "nce"))
    f = backbone(rng) + head(rng)
    bank, _ = sphere.forward(rng.standard_normal((len(images.train), DIMENSIONS)).astype(np.float32))
    return State(f, bank, updates.zero_velocities((f,)))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Train on one minibatch; return the new state and an image's mean loss in nats."""
    index = minibatch(images, options.batch, rng)
    # v = f_θ(x_i), on the sphere
    w, through_f = networks.forward(state.f, images.view(images.train[index], rng))
    v, to_sphere = sphere.forward(w)
    if options.loss == "softmax":
        # −log p(i|v) against the whole bank: n classes                       [D3.5, D3.6]
        loss, to_bank = instance.forward(
            v, state.bank, index=index, temperature=options.temperature, reduction="mean"
        )
        dv = instance.backward(to_bank).v
    else:
        # P_n(i) = 1/n: m noise samples of each image                         [D3.11, D3.13]
        noise = rng.integers(len(state.bank), size=(len(index), options.noise))
        # −log ĥ(i, v) − Σ_k log(1 − ĥ(j_k, v))                               [D3.17, D3.18]
        loss, to_sample = instance_nce.forward(
            v, state.bank, index=index, noise_index=noise, temperature=options.temperature
        )
        dv = instance_nce.backward(to_sample).v
    # gradient: the bank is held constant
    _, df = networks.backward(through_f, sphere.backward(to_sphere, dv))
    state = updates.descend(state, options.rate, f=df)
    # memory bank: v_i ← v
    bank = state.bank.copy()
    bank[index] = v
    return state._replace(bank=bank), float(loss)


ALGORITHM = Algorithm(
    "instance_discrimination",
    "Instance discrimination with a memory bank",
    Options,
    start,
    step,
    lambda state: state.f,
)
