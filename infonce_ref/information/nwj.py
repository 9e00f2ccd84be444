"""Nguyen, Wainwright and Jordan's form, a difference of two means (R).

    Î = (1/N) Σ_i u_ii − Σ_{i≠j} e^{u_ij − 1}/(N(N − 1))                [F15]
    ∂Î/∂u_ij = 1[i = j]/N − 1[i ≠ j] e^{u_ij − 1}/(N(N − 1))            [F15]

    u    scores of sample x_i and context c_j, the diagonal drawn jointly       (N, N)
    Î    nats, of either sign

On average over batches it is at most I, for any score, and equals I at u = 1 + log p(x,c)/(p(x) p(c)) [R9]. The
value of one batch may exceed I, and its variance grows with e^u. Adding a number to all scores changes the value
(of the others, only that of `smile`); the best number gives the value of `mine`, which is never smaller [F15].
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check_finite
from ..examples import batch_example
from ..isolation import isolate
from ..registry import IllConditioned, declare
from .batch import mean_of_pairs, pairs, weigh_others


class Cache(NamedTuple):
    """together (N, N): true on the diagonal · weights (N, N): e^{u − 1}/(N(N − 1)), 0 on the diagonal."""

    together: Array
    weights: Array


class Gradients(NamedTuple):
    """∂Î/∂scores (N, N)."""

    scores: Array


@isolate
def forward(scores: Array) -> tuple[Array, Cache]:
    """The estimate in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for scores that are not (N, N), fewer than two pairs, NaN or infinity, or so large that e^u
    overflows.
    Source: Nguyen, Wainwright and Jordan (2010), "Estimating divergence functionals and the likelihood ratio by
    convex risk minimization"; in this form, Poole et al. (2019), "On variational bounds of mutual information".

    >>> import numpy as np
    >>> from infonce_ref.information import nwj
    >>> value, _ = nwj.forward(1 + np.log([[4.0, 1.0], [1.0, 4.0]]))
    >>> print(f"{value:.6f} nats = log 4")
    1.386294 nats = log 4
    >>> _, cache = nwj.forward(1 + np.log([[4.0, 1.0], [3.0, 4.0]]))
    >>> print(nwj.backward(cache).scores)
    [[ 0.5 -0.5]
     [-1.5  0.5]]
    """
    xp, together = pairs(scores)
    # e^{u − 1}/(N(N − 1)) of independent pairs                               [F15]
    weights = weigh_others(together, scores) * xp.exp(xp.where(together, 0.0, scores - 1))
    return mean_of_pairs(scores, together) - xp.sum(weights), Cache(together, weights)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · Î, from what `forward` cached."""
    together, weights = cache
    xp = array_namespace(weights)
    # 1/N on the diagonal, −e^{u − 1}/(N(N − 1)) off it                       [F15]
    n, _ = weights.shape
    slope = xp.where(together, 1 / n, -weights)
    return Gradients(check_finite("upstream", upstream) * slope)


LOSS = declare(
    forward,
    backward,
    batch_example,
    variants=({"scale": 30.0},),
    ill_conditioned={"value": IllConditioned("Î crosses 0", "(Σ|u_ii|/N + Σ e^{u_ij − 1}/(N(N − 1))) / |Î|")},
    fewest=2,
    kinds={"scores": "score"},
    drawn={"length": (1e-6, 30.0)},
)
