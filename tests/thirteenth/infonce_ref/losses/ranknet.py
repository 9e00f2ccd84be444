"""The pairwise logistic loss of RankNet: the positive against each other candidate, one at a time (T).

    ℓ_i = Σ_{j≠p} log(1 + e^{u_ij − u_ip}),   p = positive[i]           [T1]
    𝓛   = (1/n) Σ_i ℓ_i

    u    scores: row i a context, column j a candidate                          (n, K)
    p    the column of each row's positive                                      (n,), integer
    𝓛    nats; > 0, (K − 1) log 2 where all scores of a row are equal

A number added to a row changes nothing. Nothing is singular.
"""

from typing import Any, NamedTuple

import numpy as np

from ..arrays import Array, array_namespace
from ..checks import check
from ..elementary import one_hot, sigmoid, softplus
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import Loss


class Cache(NamedTuple):
    """is_positive (n, K): true at the positives · lead (n, K): u_ij − u_ip · reduction."""

    is_positive: Array
    lead: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂scores (n, K); each row sums to 0."""

    scores: Array


@isolate
def forward(scores: Array, *, positive: Array, reduction: Reduction = "mean") -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for fewer than two candidates, an index outside 0 … K − 1, NaN or infinity, an unknown
    reduction ("mean" over the n rows, "sum" or "none"). Source: Burges et al. (2005), Eq. 3.

    >>> import numpy as np
    >>> from infonce_ref.losses import ranknet
    >>> value, _ = ranknet.forward(np.log([[2.0, 1.0, 1.0]]), positive=np.array([0]))
    >>> print(f"{value:.6f} nats, twice the logarithm of 1 + 1/2")
    0.810930 nats, twice the logarithm of 1 + 1/2
    """
    xp, size = check(scores=(scores, "n K"), positive=(positive, "n → K"))
    if size["K"] < 2:
        raise ValueError(
            "scores must hold at least two columns, or nothing is negative; got 1: add candidates"
        )
    is_positive = one_hot(positive, size["K"])
    none = xp.zeros_like(scores)
    lead = scores - xp.sum(xp.where(is_positive, scores, none), axis=1, keepdims=True)
    # Σ_{j≠p} log(1 + e^{u_ij − u_ip})                                        [T1]
    losses = xp.sum(xp.where(is_positive, none, softplus(lead)), axis=1)
    return reduce_losses(losses, reduction), Cache(is_positive, lead, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from what `forward` cached.

    >>> import numpy as np
    >>> from infonce_ref.losses import ranknet
    >>> _, cache = ranknet.forward(np.log([[2.0, 2.0, 2.0]]), positive=np.array([0]))
    >>> print(ranknet.backward(cache).scores)
    [[-1.   0.5  0.5]]
    """
    is_positive, lead, reduction = cache
    xp = array_namespace(lead)
    # σ(u_ij − u_ip) at a negative, −Σ_{j≠p} σ(u_ij − u_ip) at the positive   [T1]
    push = xp.where(is_positive, xp.zeros_like(lead), sigmoid(lead))
    pull = xp.sum(push, axis=1, keepdims=True)
    upstream = split_upstream(upstream, reduction, lead)[:, None]
    return Gradients(upstream * xp.where(is_positive, -pull, push))


def example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 3, features: int = 3, scale: float = 2.0, **options: Any
) -> dict[str, Any]:
    """In each row the positive has a score of about `scale`, in a different column each time, and `features`
    negatives have scores of about 0.
    """
    scores = noise * np.random.default_rng(seed).standard_normal((rows, 1 + features))
    positive = np.arange(rows) % (1 + features)
    scores[np.arange(rows), positive] += scale
    return {"scores": scores, "positive": positive, **options}


LOSS = Loss(
    name="ranknet",
    forward=forward,
    backward=backward,
    differentiable=("scores",),
    example=example,
    variants=({"reduction": "sum"}, {"reduction": "none"}, {"scale": 300.0}),
    kinds={"scores": "score"},
)
