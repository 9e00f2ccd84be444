"""InfoNCE's estimate: log N minus the loss of finding each sample's context in the batch (R, D3).

    Î = log N + (1/N) Σ_i log e^{u_ii}/Σ_j e^{u_ij}                     [F16]
    ∂Î/∂u_ij = (1[i = j] − P_ij)/N                                      [F16, D1.7]

    u    scores of sample x_i and context c_j, the diagonal drawn jointly       (N, N)
    P    softmax of each row                                                    (N, N)
    Î    nats; at most log N, of either sign

On average over batches it is at most I for any score, and below I even for the best score, since it cannot exceed
log N [P1]. It is log N − `cpc` with the pairs as positives. A number added to a row of scores
changes nothing.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check_finite
from ..elementary import stable_sum
from ..examples import batch_example
from ..isolation import isolate
from ..registry import IllConditioned, declare
from .batch import log_mean_exp, pairs


class Cache(NamedTuple):
    """together (N, N): true on the diagonal · others (N, N): P off the diagonal, 0 on it."""

    together: Array
    others: Array


class Gradients(NamedTuple):
    """∂Î/∂scores (N, N); each row sums to 0."""

    scores: Array


@isolate
def forward(scores: Array) -> tuple[Array, Cache]:
    """The estimate in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for scores that are not (N, N), fewer than two pairs, NaN or infinity.
    Source: van den Oord, Li and Vinyals (2018), "Representation learning with contrastive predictive coding"; D3.

    >>> import numpy as np
    >>> from infonce_ref.information import infonce
    >>> value, _ = infonce.forward(np.log([[4.0, 1.0], [1.0, 4.0]]))
    >>> print(f"{value:.6f} nats = log 2 − log 5/4")
    0.470004 nats = log 2 − log 5/4
    >>> _, cache = infonce.forward(np.log([[4.0, 1.0], [1.0, 1.0]]))
    >>> print(infonce.backward(cache).scores)
    [[ 0.1  -0.1 ]
     [-0.25  0.25]]
    """
    xp, together = pairs(scores)
    own = xp.sum(xp.where(together, scores, xp.zeros_like(scores)), axis=1)
    # −(log Σ_j e^{u_ij}/N − u_ii) of each row                                [F16, S1]
    n, _ = scores.shape
    above, p = log_mean_exp(scores, xp.full_like(scores, 1 / n), own)
    return -xp.sum(above) / n, Cache(together, xp.where(together, 0.0, p))


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · Î, from what `forward` cached."""
    together, others = cache
    xp = array_namespace(others)
    # 1 − P_ii = Σ_{j≠i} P_ij on the diagonal, −P_ij off it, over N           [F16, S2]
    n, _ = others.shape
    slope = xp.where(together, stable_sum(others)[:, None], -others) / n
    return Gradients(check_finite("upstream", upstream) * slope)


LOSS = declare(
    forward,
    backward,
    batch_example,
    variants=({"scale": 30.0}, {"scale": 300.0}),
    ill_conditioned={
        "value": IllConditioned("Î crosses 0", "(Σ_i |u_ii| + Σ_i |log Σ_j e^{u_ij}/N|) / (N |Î|)")
    },
    fewest=2,
    kinds={"scores": "score"},
)
