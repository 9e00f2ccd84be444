"""CPC, the InfoNCE of contrastive predictive coding: which of K candidates is the positive? (D3, D2)

    𝓛 = −(1/n) Σ_i log f_ip / Σ_j f_ij,   f = e^u, p = positive[i]      [D3.30, D2.3]
    ∂𝓛/∂u_ij = (P_ij − 1[j = p]) / n                                    [D1.7]

    u    scores: row i a context c_i, column j a candidate x_ij, one of them the positive       (n, K)
    p    the column of each row's positive                                                      (n,), integer
    P    softmax of each row, the posterior p(d = j | X, c) where f ∝ p(x|c)/p(x)   [D3.29]     (n, K)
    𝓛    nats; ≥ 0, log K if all scores of a row are equal; K counts the positive [D3.32]

A mask can leave candidates other than the positive out of the sum over j: false negatives, or a positive among the
keys of a queue [M36].
D2's softmax runs over contexts for a fixed x: pass those scores transposed. A number added to a row changes
nothing: the score is free up to g(c) [D2.1, D3.31]. Of the scores of unit rows of two views, divided by τ, this is
what others call InfoNCE; `clip` with symmetric=False takes the rows [M41]. Nothing is singular: equal scores share
their probability.
"""

from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check
from ..elementary import mask_logits, one_hot
from ..examples import cpc_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import declare


class Cache(NamedTuple):
    """is_positive (n, K): true at the positives · rows: q (n,), 1 − P_ip of each row, and r (n, K), the softmax
    over its negatives, 0 at the positive · reduction."""

    is_positive: Array
    rows: cross_entropy.Cache
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂scores (n, K); each row sums to 0."""

    scores: Array


@isolate
def forward(
    scores: Array, *, positive: Array, keep: Array | None = None, reduction: Reduction = "mean"
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    keep: (n, K) booleans, false at a candidate that is left out of its row's denominator, such as a false negative;
    the positive always stays. None keeps all.
    Raises ValueError for an index outside 0 … K − 1, a row without negatives under keep, NaN or infinity, an
    unknown reduction ("mean" over the n rows, "sum" or "none"). Source: D3, the InfoNCE loss; D2, Eq. 2.

    >>> import numpy as np
    >>> from infonce_ref.losses import cpc
    >>> value, cache = cpc.forward(np.log([[2.0, 1.0, 1.0]]), positive=np.array([0]))
    >>> print(f"{value:.6f} nats, the logarithm of (2 + 1 + 1)/2")
    0.693147 nats, the logarithm of (2 + 1 + 1)/2
    >>> print(cpc.backward(cache).scores)
    [[-0.5   0.25  0.25]]
    """
    xp, size = check(scores=(scores, "n K"), positive=(positive, "n → K"), keep=(keep, "n K → bool"))
    is_positive = one_hot(positive, size["K"])
    left_out = cross_entropy.leave_out(is_positive, keep)
    chosen = xp.sum(xp.where(is_positive, scores, xp.zeros_like(scores)), axis=1)
    # −log f_p / Σ_j f_j of each row, over all j that are kept                [D3.30, M36, S1]
    losses, rows = cross_entropy.forward(chosen, mask_logits(scores, left_out))
    return reduce_losses(losses, reduction), Cache(is_positive, rows, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    is_positive, (q, r), reduction = cache
    xp = array_namespace(q)
    # P − 1[positive]: −q = P_p − 1 at the positive, q r = P_j at the negatives   [D1.7, S2]
    q = (split_upstream(upstream, reduction, q) * q)[:, None]
    return Gradients(xp.where(is_positive, -q, q * r))


LOSS = declare(
    forward,
    backward,
    cpc_example,
    variants=({"scale": 30.0}, {"scale": 300.0}, {"left_out": 0.5}),
    kinds={"scores": "score"},
    drawn={"others": (1, 256), "columns": (1, 16)},
    tried={"others": (512, 1023, 4096)},
    title="CPC",
)
