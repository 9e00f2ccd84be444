"""Shared by the four pretext tasks: each image yields a question and its answer, without labels.

classification  𝓛 = −(1/n) Σ_i log softmax(u_i)_{y_i}: the cross-entropy that `losses.cpc` is  [D3.30]
regression      𝓛 = (1/nc) Σ_i ‖u_i − y_i‖²

x   the shown parts of an image, one or several                             (n, parts, 64)
u   head(f(x)): the features of all parts side by side, then the head       (n, c)
y   the answer: a class of c, or c numbers                                  (n,), integer, or (n, c)
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..losses import cpc
from .parts import networks, updates
from .parts.encoder import FEATURES, backbone, head
from .parts.evaluate import freeze
from .parts.images import Images, minibatch
from .parts.registry import Algorithm, Score


class Options(NamedTuple):
    """batch: images a step · rate: learning rate."""

    batch: int = 128
    rate: float = 0.1


class State(NamedTuple):
    """f: each part to its features · head: the features of all parts to an answer · their velocities."""

    f: networks.Network
    head: networks.Network
    velocity: tuple[networks.Network, networks.Network]


class Question(NamedTuple):
    """parts x (n, parts, 64) and answer y."""

    parts: np.ndarray
    answer: np.ndarray


Ask = Callable[[np.ndarray, np.random.Generator], Question]


def algorithm(
    name: str, title: str, images: Callable[[], Images], ask: Ask, outputs: int, parts: int = 1
) -> Algorithm:
    """Return the registry entry of a task. ask: makes questions and answers from images."""

    def start(rng: np.random.Generator, images: Images, options: Options) -> State:
        weights = backbone(rng), head(rng, inputs=parts * FEATURES, outputs=outputs)
        return State(*weights, updates.zero_velocities(weights))

    def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
        x, answer = ask(images.train[minibatch(images, options.batch, rng)], rng)
        h, through_f = networks.forward(state.f, x.reshape(-1, x.shape[2]))
        u, through_head = networks.forward(state.head, h.reshape(len(x), -1))
        loss, du = error(u, answer)
        dh, dhead = networks.backward(through_head, du)
        _, df = networks.backward(through_f, dh.reshape(h.shape))
        return updates.descend(state, options.rate, f=df, head=dhead), float(loss)

    def score(state: State, images: Images) -> Score:
        rng = np.random.default_rng(0)
        known, asked = ask(images.train, rng), ask(images.test, rng)
        f = freeze(state.f, known.parts.reshape(-1, known.parts.shape[2]))

        def features(x: np.ndarray) -> np.ndarray:
            return f(x.reshape(-1, x.shape[2])).reshape(len(x), -1)

        u = freeze(state.head, features(known.parts))(features(asked.parts))
        if asked.answer.ndim == 1:
            return Score("task accuracy", float(np.mean(u.argmax(axis=1) == asked.answer)), 1 / outputs)
        guess = np.mean((asked.answer - known.answer.mean(axis=0)) ** 2)
        return Score("variance explained", float(1 - np.mean((u - asked.answer) ** 2) / guess), 0.0)

    return Algorithm(name, title, Options, start, step, lambda state: state.f, images, score)


def error(u: np.ndarray, answer: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return 𝓛 and ∂𝓛/∂u: cross-entropy if the answer is a class, squared error if it is numeric."""
    if answer.ndim == 1:
        loss, cache = cpc.forward(u, positive=answer)
        return loss, cpc.backward(cache).scores
    return np.mean((u - answer) ** 2), 2 * (u - answer) / u.size
