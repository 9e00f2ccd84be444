"""NCE, noise-contrastive estimation: tell each datum from m noise samples, two classes at a time (D2, D3).

    h(u, p_n) = e^u / (e^u + m p_n)                                     [D3.10]
    ℓ_i = −log h(u_i, p_i) − Σ_k log(1 − h(u'_ik, p'_ik))               [D2.2, D3.18]
        = softplus(−a_i) + Σ_k softplus(a'_ik),   a = u − log m p_n
    𝓛 = (1/n) Σ_i ℓ_i

    u, u'    scores of the data and of their noise samples: unnormalised log-probabilities      (n,), (n, m)
    p, p'    the noise's probability, or density, of each of these, given as its logarithm      (n,), (n, m)
    h        the posterior of "data" if data and noise occur as 1 : m                           [D3.9]
    ℓ_i      of datum i with its m noise samples                                nats, > 0

The mean over the data estimates E_{P_d}, the sum over the m samples of each estimates m E_{P_n} [D3.18]; n 𝓛 is
D2's sum with the minus sign that it announces and does not print [D2.2]. Over all u the minimum is at e^u = p_d,
which sums to 1 without a constraint [M24]; unlike InfoNCE, a number added to u changes 𝓛 [D2.1]. Nothing is
singular, but noise must be able to produce every datum: log p_n is finite.
"""

import math
from typing import NamedTuple

from ..arrays import Array
from ..checks import check
from ..elementary import sigmoid, softplus, stable_sum
from ..examples import nce_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import declare


class Cache(NamedTuple):
    """The log-odds a of "data", of the data (n,) and of the noise samples (n, m) · reduction."""

    data: Array
    noise: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂u of the data (n,), negative, and of the noise samples (n, m), positive."""

    data_scores: Array
    noise_scores: Array


@isolate
def forward(
    data_scores: Array,
    noise_scores: Array,
    *,
    log_noise_data: Array,
    log_noise: Array,
    reduction: Reduction = "mean",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, no noise samples, NaN or infinity, an unknown
    reduction ("mean" over the n data, "sum" or "none").
    Source: D2, Eq. 1; D3, the NCE loss of the memory bank.

    >>> import numpy as np
    >>> from infonce_ref.losses import nce
    >>> u, noise = np.log([0.5]), np.log([[0.25, 0.25]])  # the model and the noise agree: 2 h = 1 − h
    >>> value, cache = nce.forward(u, noise, log_noise_data=u, log_noise=noise)
    >>> print(f"{value:.6f} nats")
    1.909543 nats
    >>> print(nce.backward(cache).noise_scores.round(4))
    [[0.3333 0.3333]]
    """
    _, size = check(
        data_scores=(data_scores, "n"),
        noise_scores=(noise_scores, "n m"),
        log_noise_data=(log_noise_data, "n"),
        log_noise=(log_noise, "n m"),
    )
    # a = log h/(1 − h) = u − log m − log p_n                                 [D3.10]
    log_m = math.log(size["m"])
    data, noise = data_scores - log_noise_data - log_m, noise_scores - log_noise - log_m
    # −log h = softplus(−a),  −log(1 − h) = softplus(a)                       [D3.18, S1]
    losses = softplus(-data) + stable_sum(softplus(noise))
    return reduce_losses(losses, reduction), Cache(data, noise, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    data, noise, reduction = cache
    scale = split_upstream(upstream, reduction, data)
    # ∂ℓ/∂u = −(1 − h),  ∂ℓ/∂u' = h                                           [D3.18, S2]
    return Gradients(-scale * sigmoid(-data), scale[:, None] * sigmoid(noise))


LOSS = declare(
    forward,
    backward,
    nce_example,
    variants=({"scale": 30.0}, {"scale": 300.0}),
    kinds={"data_scores": "score", "noise_scores": "score"},
    drawn={"samples": (1, 256)},
    tried={"samples": (512, 4096)},
    title="NCE",
)
