"""Each anchor's loss to one number, or as it is, and what comes back to each anchor.

    "mean"   𝓛 = (1/n) Σ_i ℓ_i     upstream_i = upstream / n
    "sum"    𝓛 = Σ_i ℓ_i           upstream_i = upstream
    "none"   𝓛_i = ℓ_i             upstream_i as it is given, one for each anchor

    ℓ_i  loss of anchor i: what an anchor is, each loss says in its docstring   (n,)
    𝓛    what `forward` returns                                                 0-d, or (n,) under "none"

Every gradient is Σ_i upstream_i ∂ℓ_i/∂x. So weights a_i of the anchors need no option of their own: under "none"
Σ_i a_i 𝓛_i is the weighted loss, and a its upstream.

>>> import numpy as np
>>> from infonce_ref.losses import ntxent
>>> weights = np.array([0.5, 0.25, 0.25, 0.0])
>>> value, cache = ntxent.forward(np.eye(4), temperature=0.5, reduction="none")
>>> print(f"{np.sum(weights * value):.6f} nats")
1.098612 nats
>>> print(ntxent.backward(cache, upstream=weights).w[0].round(4))
[ 0.      0.5    -1.      0.3333]
"""

from typing import Literal, get_args

from array_api_compat import array_namespace

from .arrays import Array, device
from .checks import check, check_choice, check_finite

Reduction = Literal["mean", "sum", "none"]


def known(reduction: Reduction) -> None:
    """Refuse a reduction that is none of the three, before anything is computed."""
    check_choice("reduction", reduction, get_args(Reduction))


def reduced(losses: Array, reduction: Reduction, counted: Array | None = None) -> Array:
    """𝓛 of the anchors' losses (n,). counted (n,): 1 for an anchor that counts and 0 for one that is left out,
    whose loss is 0; then n is the number of those that count, and the mean of none is 0."""
    if reduction == "none":
        return losses
    xp = array_namespace(losses)
    total = xp.sum(losses)
    if reduction == "sum":
        return total
    return total / (losses.shape[0] if counted is None else at_least_one(counted))


def at_least_one(counted: Array) -> Array:
    """How many count, or 1, to divide by."""
    xp = array_namespace(counted)
    return xp.clip(xp.sum(counted), 1, None)


def upstream_of_each(
    upstream: float | Array, reduction: Reduction, like: Array, counted: Array | None = None
) -> Array:
    """upstream_i (n,) of each of the anchors that the first axis of `like` counts, in its dtype: 0 of one that is
    left out.

    Raises ValueError for an upstream that is not a finite number or, under "none", a finite array of shape (n,).
    """
    n = like.shape[0]
    if counted is not None:
        each = upstream_of_each(upstream, "sum" if reduction == "mean" else reduction, like) * counted
        return each / at_least_one(counted) if reduction == "mean" else each
    if reduction == "none":
        if getattr(upstream, "shape", None) != (n,):
            came = getattr(upstream, "shape", None)
            raise ValueError(
                f'upstream must have shape ({n},) under reduction="none", one number for each anchor; '
                f"got {type(upstream).__name__ if came is None else f'shape {tuple(came)}'}: "
                "pass the gradient by what forward returned"
            )
        check(loss=(like, "n " + "d " * (like.ndim - 1)), upstream=(upstream, "n"))
        return upstream
    number = check_finite("upstream", upstream)
    xp = array_namespace(like)
    ones = xp.ones((n,), dtype=like.dtype, device=device(like))
    return ones * (number / n if reduction == "mean" else number)
