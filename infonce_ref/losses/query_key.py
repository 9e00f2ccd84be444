"""InfoNCE of queries against keys: each query's own negatives (D2), or one queue for all (MoCo, D3).

    ℓ_i = −log e^{q_i·k_i/τ} / (e^{q_i·k_i/τ} + Σ_n e^{q_i·k_in/τ})     [D2.7, D3.34]
    ∂ℓ_i/∂q_i = (1/τ) [(P_ip − 1) k_i + Σ_n P_in k_in]                  [D2.9]
    𝓛 = (1/n) Σ_i ℓ_i

    q    queries                                                                (n, d)
    k_i  positive, the key of query i                                           (n, d)
    k_in negatives, own to each query, or a queue that all share                (n, M, d) or (M, d)
    P_i  softmax over i's positive and its M negatives                          M + 1 probabilities
    τ    temperature                                                            > 0
    𝓛    nats; ℓ_i ≥ 0, log(M + 1) if all keys of a query coincide

A mask can leave negatives out of a query's denominator, such as its positives among the keys of a queue [M36, M40].
Rows are not normalised. Every array is an independent variable: if a query is also another's negative, add its
gradients [D2.8, M6]; if keys are constant, as in MoCo, drop theirs. Nothing is singular: a negative that equals the
positive is one more term. Without negatives, M = 0, as for an empty queue, the loss is log(1 + 0) = 0 with gradient
0.
"""

from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..columns import find_common
from ..elementary import mask_in_place
from ..examples import query_key_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import SLOPES, IllConditioned, declare


class Cache(NamedTuple):
    """query (n, d) · positive (n, d), negatives as given; from both, one row per group is subtracted · rows: q (g,
    n/g), 1 − P_ip of each query, and r (g, n/g, M), the softmax over its negatives, which each of the g groups of
    queries shares · τ · reduction.
    """

    query: Array
    positive: Array
    negatives: Array
    rows: cross_entropy.Cache
    temperature: float
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂query, ∂𝓛/∂positive (n, d), ∂𝓛/∂negatives (as given) and ∂𝓛/∂τ (0-d)."""

    query: Array
    positive: Array
    negatives: Array
    temperature: Array


@isolate
def forward(
    query: Array,
    positive: Array,
    negatives: Array,
    *,
    temperature: float,
    keep: Array | None = None,
    reduction: Reduction = "mean",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    keep: (n, M) booleans, false in line i and column j if negative j, of the queue or of query i's own, is left out
    of the denominator of query i. None keeps all.
    Raises ValueError for shapes that do not agree, NaN or infinity, a query without negatives under keep, a
    temperature that is not positive and finite, an unknown reduction ("mean" over the n queries, "sum" or "none").
    Source: D2, Eq. 3 (summed over the queries); D3, MoCo's loss of one query.

    >>> import numpy as np
    >>> from infonce_ref.losses import query_key
    >>> value, cache = query_key.forward(np.eye(2), np.eye(2), -np.eye(2), temperature=1.0)  # a queue of 2 keys
    >>> print(f"{value:.6f} nats")
    0.407606 nats
    >>> print(query_key.backward(cache).query.round(4))
    [[-0.2124 -0.1224]
     [-0.1224 -0.2124]]
    """
    own = getattr(negatives, "ndim", None) == 3
    xp, _ = check(
        query=(query, "n d"),
        positive=(positive, "n d"),
        negatives=(negatives, "n M? d" if own else "M? d"),
        keep=(keep, "n M? → bool"),
    )
    tau = check_positive("temperature", temperature)
    # ℓ depends on differences of a query's keys. Subtract the positive from its own negatives, or the common part
    # of a queue, so that nearly equal keys far from 0 keep their digits
    q, k, others = group_queries(query / tau, positive, negatives)
    shift = k if own else find_common(k, others)
    k, others = k - shift, others - shift
    # q·k/τ for the positive and the negatives                                [D2.7, D3.34]
    logits = q @ xp.matrix_transpose(others)
    if keep is not None:  # the others have no weight                         [M40]
        left_out = cross_entropy.leave_out(xp.zeros_like(keep), keep)
        logits = mask_in_place(logits, xp.reshape(left_out, logits.shape))
    losses, rows = cross_entropy.forward(xp.sum(q * k, axis=-1), logits)
    value = reduce_losses(xp.reshape(losses, (-1,)), reduction)
    k, others = xp.reshape(k, positive.shape), xp.reshape(others, negatives.shape)
    return value, Cache(query, k, others, rows, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    query, positive, negatives, (q, r), tau, reduction = cache
    xp = array_namespace(query)
    upstream = xp.reshape(split_upstream(upstream, reduction, query), q.shape)
    scale = (upstream / tau * q)[..., None]
    queries, keys, others = group_queries(query, positive, negatives)
    # ∂ℓ/∂query = q (Σ_n r_n k_n − k) / τ, where q is 1 − P_p and q r_n is P_n   [D2.9, S2]
    dquery = xp.reshape(scale * (r @ others - keys), query.shape)
    # ∂ℓ_i/∂k_i = −q_i query_i / τ,  ∂𝓛/∂k_n = Σ_i P_in query_i / (n τ)       [M16]
    dpositive = xp.reshape(-scale * queries, query.shape)
    dnegatives = xp.reshape(xp.matrix_transpose(r) @ (scale * queries), negatives.shape)
    # ∂𝓛/∂τ = −⟨query, ∂𝓛/∂query⟩ / τ: 𝓛 depends on both through query/τ      [M7]
    return Gradients(dquery, dpositive, dnegatives, -xp.sum(query * dquery) / tau)


def group_queries(query: Array, positive: Array, negatives: Array) -> tuple[Array, Array, Array]:
    """Add an axis in front for the groups of queries that share negatives: one group for a queue, n groups for own
    negatives."""
    xp = array_namespace(query)
    groups = query.shape[0] if negatives.ndim == 3 else 1
    return tuple(xp.reshape(x, (groups, -1, query.shape[1])) for x in (query, positive, negatives))


LOSS = declare(
    forward,
    backward,
    query_key_example,
    variants=({"own": True}, {"left_out": 0.5}, {"own": True, "left_out": 0.5}),
    ill_conditioned={
        "query": IllConditioned(
            "keys of a shared queue, not all, coincide with the positive", "Σ_j |G_ij k_j| / |Σ_j G_ij k_j|"
        ),
        "negatives": IllConditioned("queries pull a key either way", "Σ_i |G_ij q_i| / |Σ_i G_ij q_i|"),
        "temperature": SLOPES._replace(judged=True),
    },
    drawn={"others": (1, 256)},
    tried={"others": (512, 1024, 4096)},
)
