"""Instance NCE: instance discrimination by noise contrast, its normaliser estimated from the noise samples (D3).

    e_j = e^{v_i·b_j/τ},   Ẑ = (K/m) Σ_k e_{j_k}                        [D3.13]
    ĥ(j, v_i) = e_j / (e_j + m Ẑ/K) = e_j / (e_j + Σ_k e_{j_k})         [D3.16, D3.17]
    ℓ_i = −log ĥ(index_i, v_i) − Σ_k log(1 − ĥ(j_k, v_i))               [D3.18]
        = −log ĥ(index_i, v_i) + Σ_k log(1 + r_ik),   r_ik = e_{j_k} / Σ_l e_{j_l}
    𝓛 = (1/n) Σ_i ℓ_i

    v      features of a batch                                                  (n, d)
    b      the bank, one row for each sample of the data set                    (K, d)
    index  the row of the bank that is v_i's own                                (n,), integer
    j_k    noise_index: m rows of the bank for each feature, drawn uniformly    (n, m), integer
    τ      temperature                                                          > 0
    𝓛      nats; log 2 < ℓ_i: the noise terms of a feature add to log 2 … m log(1 + 1/m) < 1

−log ĥ is the InfoNCE of b_index against its m noise rows, `query_key` [D3.17]. The rest is nearly constant,
because 1 − ĥ(j_k) = 1/(1 + r_k) depends only on each noise row's share r_k of their sum; with m = 1 it is log
2. This is not NCE, whose theorem needs a fixed normaliser: Ẑ is unbiased, but E[ĥ] ≥ h by Jensen [D3.15, D3.17,
D3.18]. `nce` with e^u = e_j/Z has the exact posterior. Choices where the slides are open: h(i, v') is read as
ĥ(j_k, v_i), where the noise is a law over instances for a given feature [D3.8]; every ĥ of a feature uses the same
Ẑ, and Ẑ is differentiated. Nothing is singular: if j_k is v_i's own row, or is drawn twice, e_{j_k} counts once for
each draw.
"""

from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace, detach
from ..checks import check, check_positive
from ..elementary import one_hot
from ..examples import instance_nce_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import SLOPES, declare


class Cache(NamedTuple):
    """v (n, d) · bank (K, d) · drawn (n, 1 + m): each feature's own index, then its noise · rows: q (n,),
    1 − ĥ(index_i, v_i), and r (n, m), the softmax over the noise · τ · reduction."""

    v: Array
    bank: Array
    drawn: Array
    rows: cross_entropy.Cache
    temperature: float
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂v (n, d), ∂𝓛/∂bank (K, d) and ∂𝓛/∂τ (0-d)."""

    v: Array
    bank: Array
    temperature: Array


@isolate
def forward(
    v: Array,
    bank: Array,
    *,
    index: Array,
    noise_index: Array,
    temperature: float,
    reduction: Reduction = "mean",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, no noise samples, an index outside 0 … K − 1, NaN or
    infinity, a temperature that is not positive and finite, an unknown reduction ("mean" over the n features, "sum"
    or "none"). Source: D3, the NCE loss of the memory bank.

    >>> import numpy as np
    >>> from infonce_ref.losses import instance_nce
    >>> drawn = {"index": np.array([0]), "noise_index": np.array([[1, 2]])}
    >>> value, cache = instance_nce.forward(np.eye(3)[:1], np.eye(3), **drawn, temperature=1.0)
    >>> print(f"{value:.6f} nats")
    1.362375 nats
    >>> print(instance_nce.backward(cache).v.round(4))
    [[-0.4239  0.2119  0.2119]]
    """
    xp, _ = check(
        v=(v, "n d"), bank=(bank, "K d"), index=(index, "n → K"), noise_index=(noise_index, "n m → K")
    )
    tau = check_positive("temperature", temperature)
    drawn = xp.concat([index[:, None], noise_index], axis=1)
    # log e_j of the own row and of the noise                                 [D3.12]
    logits = (rows_of(bank, drawn) @ (v / tau)[:, :, None])[:, :, 0]
    # −log ĥ(index) is InfoNCE,  −log(1 − ĥ(j_k)) = log(1 + r_k)              [D3.17, D3.18]
    losses, rows = cross_entropy.forward(logits[:, 0], logits[:, 1:])
    losses = losses + xp.sum(xp.log1p(rows.r), axis=1)
    return reduce_losses(losses, reduction), Cache(v, bank, drawn, rows, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    v, bank, drawn, (q, r), tau, reduction = cache
    xp = array_namespace(v)
    upstream = split_upstream(upstream, reduction, v)[:, None] / tau
    own, others = drawn[:, :1], drawn[:, 1:]
    is_own = others == own
    # L_k = log e_{j_k}: InfoNCE has the slopes −q = ĥ − 1 at the own row and q r at the noise   [D1.7, S2]
    q, zero = q[:, None], xp.zeros_like(r)
    # ∂Σ_l log(1 + r_l)/∂L_k = r_k (g_k − Σ_l r_l g_l) with g = 1/(1 + r), up to a constant for each row. With
    # the constant chosen so that g is 0 at the largest r, nothing cancels as r tends to one-hot   [D1.7, S2]
    largest = detach(xp.max(r, axis=1, keepdims=True))
    g = (largest - r) / ((1 + r) * (1 + largest))
    rest = r * (g - xp.sum(r * g, axis=1, keepdims=True))
    # if the own row is drawn as noise too, the pull −q and the push q r add up to −q Σ r of the others
    noise = upstream * xp.where(is_own, zero, q * r + rest)
    pull = xp.where(is_own, rest, -q * r)
    slopes = xp.concat([upstream * xp.sum(pull, axis=1, keepdims=True), noise], axis=1)
    # ∂𝓛/∂v_i = Σ_k (q r_k (b_{j_k} − b_own) + rest_k (b_{j_k} − b_top)) / τ, where b_top is the row with the
    # largest r. rest sums to 0 over k, so any row may be subtracted; b_top keeps the rounding error small.
    # ∂𝓛/∂τ = −⟨V, ∂𝓛/∂V⟩ / τ                              [M16, M7]
    drawn_rows = rows_of(bank, others)
    leading = xp.astype(one_hot(xp.argmax(r, axis=1), r.shape[1]), v.dtype)[:, None, :]
    by_own = (upstream * q * r)[:, None, :] @ (drawn_rows - rows_of(bank, own))
    by_rest = (upstream * rest)[:, None, :] @ (drawn_rows - leading @ drawn_rows)
    dv = (by_own + by_rest)[:, 0, :]
    # ∂𝓛/∂b_j: every draw of row j adds its slope times the feature            [M16]
    draws = xp.astype(one_hot(drawn, bank.shape[0]), v.dtype)
    dbank = xp.matrix_transpose((slopes[:, None, :] @ draws)[:, 0, :]) @ v
    return Gradients(dv, dbank, -xp.sum(v * dv) / tau)


def rows_of(bank: Array, index: Array) -> Array:
    """The rows of the bank (…, d) at each index."""
    xp = array_namespace(bank)
    return xp.reshape(xp.take(bank, xp.reshape(index, (-1,)), axis=0), (*index.shape, bank.shape[1]))


LOSS = declare(
    forward,
    backward,
    instance_nce_example,
    ill_conditioned={"temperature": SLOPES},
    tried={"others": (1000, 4096)},
    drawn={"others": (0, 256), "samples": (1, 128)},
    title="Instance NCE",
)
