"""SMILE: MINE's value with e^u clipped in the second mean (R).

    Î = (1/N) Σ_i u_ii − log Z,   Z = Σ_{i≠j} e^{v_ij}/(N(N − 1)),   v = min(max(u, −b), b)     [F18]
    ∂Î/∂u_ij = 1[i = j]/N − 1[i ≠ j] 1[|u_ij| ≤ b] e^{u_ij}/Σ_{k≠l} e^{v_kl}                    [F18]

    u    scores of sample x_i and context c_j, the diagonal drawn jointly       (N, N)
    b    clip                                                                   > 0
    Î    nats, of either sign

The clip bounds the variance of log Z, but the first mean is not clipped: with one score t > b for all, Î = t − b
whatever the information, so it is no bound and is unbounded [R9]. If no score exceeds the clip it is `mine`. At the
kinks |u| = b the slope is that for |u| < b, as in PyTorch's clamp. This is the gradient of Î; the published code
trains its score by another estimator and only reports this value.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check_finite, check_positive
from ..examples import smile_example
from ..isolation import isolate
from ..registry import IllConditioned, declare
from .batch import log_mean_exp_over_all, mean_of_pairs, pairs, weigh_others


class Cache(NamedTuple):
    """together (N, N): true on the diagonal · inside (N, N): |u| ≤ b · shares (N, N): of each in Z, 0 on the
    diagonal."""

    together: Array
    inside: Array
    shares: Array


class Gradients(NamedTuple):
    """∂Î/∂scores (N, N)."""

    scores: Array


@isolate
def forward(scores: Array, *, clip: float) -> tuple[Array, Cache]:
    """The estimate in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for scores that are not (N, N), fewer than two pairs, NaN or infinity, a clip that is not
    positive and finite.
    Source: Song and Ermon (2020), "Understanding the limitations of variational mutual information estimators",
    Eq. 14, whose τ is the clip.

    >>> import numpy as np
    >>> from infonce_ref.information import smile
    >>> value, _ = smile.forward(np.full((3, 3), 7.0), clip=5.0)  # the same score for all: nothing is known
    >>> print(f"{value:.1f} nats")
    2.0 nats
    >>> _, cache = smile.forward(np.array([[2.0, 0.0], [9.0, 2.0]]), clip=1.0)
    >>> print(smile.backward(cache).scores.round(4))
    [[ 0.5    -0.2689]
     [ 0.      0.5   ]]
    """
    xp, together = pairs(scores)
    b = check_positive("clip", clip)
    # −(log Z − Ê u), of the clipped scores in Z                              [F18, S1]
    clipped = xp.where(scores < -b, xp.full_like(scores, -b), scores)
    clipped = xp.where(scores > b, xp.full_like(scores, b), clipped)
    above, shares = log_mean_exp_over_all(
        clipped, weigh_others(together, scores), mean_of_pairs(scores, together)
    )
    return -above, Cache(together, clipped == scores, shares)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · Î, from what `forward` cached."""
    together, inside, shares = cache
    xp = array_namespace(shares)
    # 1/N on the diagonal, −e^u/Σ e^v off it, 0 where it is clipped           [F18]
    n, _ = shares.shape
    slope = xp.where(together, 1 / n, xp.where(inside, -shares, 0.0))
    return Gradients(check_finite("upstream", upstream) * slope)


LOSS = declare(
    forward,
    backward,
    smile_example,
    variants=({"scale": 30.0}, {"scale": 300.0}),
    ill_conditioned={"value": IllConditioned("Î crosses 0", "(Σ|u_ii|/N + |log Z|) / |Î|")},
    fewest=2,
    kinds={"scores": "score", "clip": "score"},
    drawn={"length": (1.0, 1e6)},
)
