"""Reduce each anchor's loss to one number, or leave it; split the upstream gradient over the anchors.

    "mean"   𝓛 = (1/n) Σ_i ℓ_i     upstream_i = upstream / n
    "sum"    𝓛 = Σ_i ℓ_i           upstream_i = upstream
    "none"   𝓛_i = ℓ_i             upstream_i as given, one for each anchor

    ℓ_i  loss of anchor i; each loss defines its anchors                        (n,)
    𝓛    the result of `forward`                                                0-d, or (n,) under "none"

Every gradient is Σ_i upstream_i ∂ℓ_i/∂x. So weights a_i of the anchors need no option: under "none" Σ_i a_i 𝓛_i
is the weighted loss, and a its upstream.

>>> import numpy as np
>>> from infonce_ref.losses import ntxent
>>> weights = np.array([0.5, 0.25, 0.25, 0.0])
>>> value, cache = ntxent.forward(np.eye(4), temperature=0.5, reduction="none")
>>> print(f"{np.sum(weights * value):.6f} nats")
1.098612 nats
>>> print(ntxent.backward(cache, upstream=weights).w[0].round(4))
[ 0.      0.5    -1.      0.3333]
"""

from typing import Literal

from .arrays import Array, array_namespace, device
from .checks import check, check_finite

Reduction = Literal["mean", "sum", "none"]


def reduce_losses(losses: Array, reduction: Reduction, counted: Array | None = None) -> Array:
    """Reduce the anchors' losses (n,). counted (n,): the number of terms of an anchor's loss, usually 1, or 0 for
    an anchor that is left out, whose loss is 0; the mean divides by the sum of these numbers.
    """
    if reduction == "none":
        return losses
    xp = array_namespace(losses)
    total = xp.sum(losses)
    if reduction == "sum":
        return total
    return total / (losses.shape[0] if counted is None else count_or_one(counted))


def count_or_one(counted: Array) -> Array:
    """The number of terms, at least 1."""
    xp = array_namespace(counted)
    total = xp.sum(counted)
    return xp.maximum(total, xp.ones_like(total))


def split_upstream(
    upstream: float | Array, reduction: Reduction, like: Array, counted: Array | None = None
) -> Array:
    """upstream_i (n,) for each row of `like`, in its dtype: 0 for anchors that are left out.

    Raises ValueError for an upstream that is not a finite number or, under "none", a finite array of shape (n,).
    """
    n = like.shape[0]
    if counted is not None:
        each = split_upstream(upstream, "sum" if reduction == "mean" else reduction, like)
        xp = array_namespace(counted)
        each = each * xp.minimum(counted, xp.ones_like(counted))
        return each / count_or_one(counted) if reduction == "mean" else each
    if reduction == "none":
        if getattr(upstream, "shape", None) != (n,):
            came = getattr(upstream, "shape", None)
            raise ValueError(
                f'upstream must have shape ({n},) under reduction="none", one number for each anchor; '
                f"got {type(upstream).__name__ if came is None else f'shape {tuple(came)}'}: "
                f"pass the gradient by what forward returned, upstream=np.ones({n}) for the sum"
            )
        check(loss=(like, "n " + "d " * (like.ndim - 1)), upstream=(upstream, "n"))
        return upstream
    number = check_finite("upstream", upstream)
    xp = array_namespace(like)
    ones = xp.ones((n,), dtype=like.dtype, device=device(like))
    return ones * (number / n if reduction == "mean" else number)
