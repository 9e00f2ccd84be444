"""Softmax cross-entropy of one positive against its negatives, the core of every loss here.

With the positive's logit u, the negatives' logits v_j and P the softmax over all of them

    ℓ = −log P_p = softplus(LSE_j v_j − u)                [D1.6, S1]
    ∂ℓ/∂v_j = P_j = q r_j,   ∂ℓ/∂u = P_p − 1 = −q         [D1.7, S2, M15]

where q = 1 − P_p = sigmoid(LSE_j v_j − u) is the probability of all negatives together, and r is the
softmax over the negatives alone. Written so, nothing cancels as ℓ → 0: LSE over everything minus u would
return 0, and so would 1 − P_p.
"""

from typing import NamedTuple

from .arrays import Array, sigmoid, softmax, softplus


class Cache(NamedTuple):
    """q (n,): 1 − P_p of each row.  r (n, M): the softmax over its negatives, 0 where masked by −∞."""

    q: Array
    r: Array


def forward(positive: Array, negatives: Array) -> tuple[Array, Cache]:
    """ℓ (n,) in nats of each row, from its positive's logit (n,) and its negatives' logits (n, M).

    A negative is left out by the logit −∞; each row needs one that is finite.

    >>> import numpy as np
    >>> from infonce_ref import cross_entropy
    >>> losses, (q, r) = cross_entropy.forward(np.array([0.0]), np.array([[0.0, 0.0, -np.inf]]))
    >>> print(f"{losses[0]:.6f} = log 3; q = {q[0]:.6f}, r = {r[0]}")
    1.098612 = log 3; q = 0.666667, r = [0.5 0.5 0. ]
    """
    r, margin = softmax(negatives, origin=positive)
    return softplus(margin), Cache(sigmoid(margin), r)
