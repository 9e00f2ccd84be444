"""Softmax cross-entropy of one positive against its negatives, the core of every loss here.

With the positive's logit u, the negatives' logits v_j and P the softmax over all of them

    ℓ = −log P_p = softplus(LSE_j v_j − u)                [D1.6, S1]
    ∂ℓ/∂v_j = P_j = q r_j,   ∂ℓ/∂u = P_p − 1 = −q         [D1.7, S2, M15]

where q = 1 − P_p = sigmoid(LSE_j v_j − u) is the probability of all negatives together, and r is the
softmax over the negatives alone. In this form nothing cancels as ℓ → 0; LSE over everything minus u would return
0, and so would 1 − P_p.

If the anchor is a candidate too, with the logit a, it is kept separate like the positive

    ℓ = log(1 + e^{a − u} + e^m),   m = LSE_j v_j − u                   [D1.6]
    P_a = e^{a − u − ℓ},   P_others = e^{m − ℓ},   P_a − P_p = (e^{a − u} − 1) e^{−ℓ}

because if an anchor nearly coincides with its positive, both together have nearly all probability, and only the
difference of their pulls remains.
"""

from typing import NamedTuple

from .arrays import Array, array_namespace
from .checks import is_broken
from .elementary import minus_abs, sigmoid, softmax_in_place, softplus


class Cache(NamedTuple):
    """q (n,): 1 − P_p of each row.  r (n, M): the softmax over its negatives, 0 where masked by −∞."""

    q: Array
    r: Array


def forward(positive: Array, negatives: Array) -> tuple[Array, Cache]:
    """ℓ (n,) in nats of each row, from its positive's logit (n,) and its negatives' logits (n, M).

    A logit of −∞ leaves a negative out. A row without negatives has ℓ = log(1 + 0) = 0, q = 0 and r = 0, so its
    gradient is 0. The negatives are overwritten by r.

    >>> import numpy as np
    >>> from infonce_ref import cross_entropy
    >>> losses, (q, r) = cross_entropy.forward(np.array([0.0]), np.array([[0.0, 0.0, -np.inf]]))
    >>> print(f"{losses[0]:.6f} = log 3; q = {q[0]:.6f}, r = {r[0]}")
    1.098612 = log 3; q = 0.666667, r = [0.5 0.5 0. ]
    """
    r, margin = softmax_in_place(negatives, origin=positive)
    return softplus(margin), Cache(sigmoid(margin), r)


def leave_out(without: Array, keep: Array | None) -> Array:
    """Mask of what is no negative (n, M): what was none before, and where keep is false.               [M36]

    Raises ValueError if the mask, booleans (n, M) or None for all, leaves a row without negatives.
    """
    if keep is None:
        return without
    xp = array_namespace(keep)
    left_out = without | ~keep
    if is_broken(xp.all(xp.any(~left_out, axis=1) | xp.all(without, axis=1))):
        raise ValueError(
            "keep must leave each row a candidate besides its positive; a row has none: keep one, or omit the row"
        )
    return left_out


class Anchored(NamedTuple):
    """For each row (n,): P of the anchor itself, P of all others but the positive, and its own P minus the
    positive's."""

    own: Array
    others: Array
    ahead: Array


def with_anchor(lead: Array, margin: Array) -> tuple[Array, Anchored]:
    """ℓ (n,) in nats of each row, from a − u and m, both (n,)."""
    xp = array_namespace(lead)
    gap = lead - margin
    everything = xp.where(gap < 0, margin, lead) + xp.log1p(xp.exp(minus_abs(gap)))
    q, p = sigmoid(everything), sigmoid(-everything)
    own, others = q * sigmoid(gap), q * sigmoid(-gap)
    # expm1 of a number ≤ 0, whichever P is larger
    ahead = xp.where(lead > 0, -own, p) * xp.expm1(minus_abs(-lead))
    return softplus(everything), Anchored(own, others, ahead)
