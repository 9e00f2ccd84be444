"""Donsker and Varadhan's form with means over a batch: the value of MINE's mini-batches (R).

    Î = (1/N) Σ_i u_ii − log Z,   Z = Σ_{i≠j} e^{u_ij}/(N(N − 1))       [F17]
    ∂Î/∂u_ij = 1[i = j]/N − 1[i ≠ j] e^{u_ij}/Σ_{k≠l} e^{u_kl}          [F17]

    u    scores of sample x_i and context c_j, the diagonal drawn jointly       (N, N)
    Î    nats, of either sign

It is no bound: the logarithm of a batch's mean is too small on average, so Î is too large, and it is unbounded as
the score grows, whatever the information [R9]. Its gradient is biased likewise; MINE divides by a moving average of
Z instead. A number added to all scores changes nothing.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check_finite
from ..examples import batch_example
from ..isolation import isolate
from ..registry import IllConditioned, declare
from .batch import log_mean_exp_over_all, mean_of_pairs, pairs, weigh_others


class Cache(NamedTuple):
    """together (N, N): true on the diagonal · shares (N, N): of each in Z, 0 on the diagonal."""

    together: Array
    shares: Array


class Gradients(NamedTuple):
    """∂Î/∂scores (N, N); all of it sums to 0."""

    scores: Array


@isolate
def forward(scores: Array) -> tuple[Array, Cache]:
    """The estimate in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for scores that are not (N, N), fewer than two pairs, NaN or infinity.
    Source: Belghazi et al. (2018), "Mutual information neural estimation", Eq. 10.

    >>> import numpy as np
    >>> from infonce_ref.information import mine
    >>> value, _ = mine.forward(np.log([[4.0, 1.0], [1.0, 4.0]]))
    >>> print(f"{value:.6f} nats = log 4")
    1.386294 nats = log 4
    >>> _, cache = mine.forward(np.log([[4.0, 1.0], [3.0, 4.0]]))
    >>> print(mine.backward(cache).scores)
    [[ 0.5  -0.25]
     [-0.75  0.5 ]]
    """
    _, together = pairs(scores)
    # −(log Z − Ê u)                                                          [F17, S1]
    above, shares = log_mean_exp_over_all(
        scores, weigh_others(together, scores), mean_of_pairs(scores, together)
    )
    return -above, Cache(together, shares)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · Î, from what `forward` cached."""
    together, shares = cache
    xp = array_namespace(shares)
    # 1/N on the diagonal, −e^u/Σ e^u off it                                  [F17]
    n, _ = shares.shape
    slope = xp.where(together, 1 / n, -shares)
    return Gradients(check_finite("upstream", upstream) * slope)


LOSS = declare(
    forward,
    backward,
    batch_example,
    variants=({"scale": 30.0}, {"scale": 300.0}),
    ill_conditioned={"value": IllConditioned("Î crosses 0", "(Σ|u_ii|/N + |log Z|) / |Î|")},
    fewest=2,
    kinds={"scores": "score"},
)
