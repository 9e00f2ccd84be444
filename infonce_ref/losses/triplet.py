"""The triplet loss: the positive must be nearer than one negative by a margin (D3).

    h_i = ‖a_i − p_i‖² − ‖a_i − n_i‖² + m
    ℓ_i = max(0, h_i)                                                   [D3.1, M12]
    𝓛   = (1/n) Σ_i ℓ_i

    a, p, n    anchor, positive, negative, rows of any length                   (n, d)
    m          margin                                                           ≥ 0
    𝓛          a squared distance, not nats; ℓ_i ≥ 0

At the kink h_i = 0 any λ ∈ [0, 1] times the active gradient is a generalised gradient; here λ = 0, so that a
triplet whose loss is 0 has gradient 0.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check, check_non_negative
from ..examples import triplet_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import IllConditioned, declare


class Cache(NamedTuple):
    """anchor, positive, negative (n, d) · active (n,): h > 0 · reduction."""

    anchor: Array
    positive: Array
    negative: Array
    active: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂anchor, ∂𝓛/∂positive and ∂𝓛/∂negative (n, d), which sum to 0 in each row."""

    anchor: Array
    positive: Array
    negative: Array


@isolate
def forward(
    anchor: Array, positive: Array, negative: Array, *, margin: float, reduction: Reduction = "mean"
) -> tuple[Array, Cache]:
    """The loss, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, NaN or infinity, a margin that is negative or not finite, an
    unknown reduction ("mean" over the n triplets, "sum" or "none"). Source: named in D3, which prints no formula;
    Schroff, Kalenichenko and Philbin (2015), Eq. 3.

    >>> import numpy as np
    >>> from infonce_ref.losses import triplet
    >>> a, p, n = np.array([[0.0]]), np.array([[1.0]]), np.array([[1.5]])
    >>> print(f"{triplet.forward(a, p, n, margin=2.0)[0]:.2f}")  # 1 − 2.25 + 2
    0.75
    >>> _, cache = triplet.forward(*np.array([[[0.0]], [[1.0]], [[1.5]]]), margin=2.0)
    >>> print([x.item() for x in triplet.backward(cache)])  # anchor, positive, negative
    [1.0, 2.0, -3.0]
    """
    xp, _ = check(anchor=(anchor, "n d"), positive=(positive, "n d"), negative=(negative, "n d"))
    m = check_non_negative("margin", margin)
    # ‖a−p‖² − ‖a−n‖² = ⟨n − p, (a − p) + (a − n)⟩ does not cancel as n → p     [M12]
    towards = (anchor - positive) + (anchor - negative)
    hinge = xp.sum((negative - positive) * towards, axis=1) + m
    value = reduce_losses(xp.maximum(hinge, xp.zeros_like(hinge)), reduction)
    return value, Cache(anchor, positive, negative, hinge > 0, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    a, p, n, active, reduction = cache
    xp = array_namespace(a)
    # ∂ℓ/∂a = 2(n − p),  ∂ℓ/∂p = 2(p − a),  ∂ℓ/∂n = 2(a − n) if h > 0, else 0   [M12]
    scale = (2 * split_upstream(upstream, reduction, a) * xp.astype(active, a.dtype))[:, None]
    return Gradients(scale * (n - p), scale * (p - a), scale * (a - n))


LOSS = declare(
    forward,
    backward,
    triplet_example,
    ill_conditioned={
        "value": IllConditioned(
            "both distances nearly balance, near the kink",
            "Σ_i (‖a_i − p_i‖² + ‖a_i − n_i‖² + m) / Σ_i ℓ_i over ℓ_i > 0",
        )
    },
    kinds={"margin": "squared length"},
    drawn={"margin": (1.0, 30.0), "noise": (1e-3, 1.0)},
    tried={"margin": (0.0, 0.01, 0.2, 1.0, 1, 3)},
)
