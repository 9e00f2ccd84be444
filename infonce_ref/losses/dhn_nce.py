"""DHN-NCE, a decoupled loss of images and texts that gives hard negatives more weight (D4).

    L = I Tᵀ/τ, so that L_ij pairs image i with text j                  [D4.7]
    W_ij = (B−1) e^{βL_ij} / Σ_{k≠i} e^{βL_ik},   W_ii = 0              [D4.3, with B−1 for β−1]
    ℓ_i(L, β) = −L_ii + log Σ_{j≠i} e^{L_ij} W_ij                       [D4.2]
              = −L_ii + log(B−1) + LSE_{j≠i}((1+β)L_ij) − LSE_{j≠i}(βL_ij)       [D4.9]
    𝓛 = Σ_i ℓ_i,   ℓ_i = ℓ_i(L, β1) + ℓ_i(Lᵀ, β2) of pair i             [D4.1, D4.19]

    I, T      image, text: row i of each is a pair; rows are not normalised     (B, d), B ≥ 2
    τ         temperature, γ in the document                                    > 0
    β1, β2    hardness, image to text and text to image                         ≥ 0
    𝓛         nats; for unit rows |ℓ_i(L, β) − log(B−1)| ≤ 2/τ                        [M22]

The positive is absent from the sum: ℓ_i may be negative, and bounds no mutual information [P4]. A negative β
would weigh the easy negatives most, and is refused. With β = 0, or B = 2, every weight is 1.
weights="constant" takes W for a constant, as if detached; "differentiated" takes its gradient too.
"""

import math
from typing import NamedTuple

from ..arrays import Array, array_namespace, detach
from ..checks import check, check_non_negative, check_positive
from ..elementary import identity_mask, mask_logits, softmax_in_place
from ..examples import dhn_nce_example
from ..isolation import isolate
from ..pairs import WeightMode, check_some_negative
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import NEAR, SLOPES, IllConditioned, declare


class Direction(NamedTuple):
    """hard (B, B): r^(1+β), the softmax of (1+β)L over the negatives · plain (B, B): r^(β), that of βL · β."""

    hard: Array
    plain: Array
    beta: float


class Cache(NamedTuple):
    """image, text (B, d) · forth, back: images to texts, on L, and texts to images, on Lᵀ · weights: as they
    came in · τ · reduction."""

    image: Array
    text: Array
    forth: Direction
    back: Direction
    weights: WeightMode
    temperature: float
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂image, ∂𝓛/∂text (B, d) and ∂𝓛/∂τ (0-d)."""

    image: Array
    text: Array
    temperature: Array


@isolate
def forward(
    image: Array,
    text: Array,
    *,
    temperature: float,
    beta1: float,
    beta2: float,
    weights: WeightMode = "differentiated",
    reduction: Reduction = "sum",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, a single pair, NaN or infinity, a temperature that is
    not positive and finite, a beta that is negative or not finite, unknown weights or reduction ("sum" over the
    B pairs, "mean" or "none"). Source: D4, the first five equations, with B − 1 for the printed β − 1.

    >>> import numpy as np
    >>> from infonce_ref.losses import dhn_nce
    >>> value, cache = dhn_nce.forward(np.eye(3), np.eye(3), temperature=1.0, beta1=1.0, beta2=1.0)
    >>> print(f"{value:.6f} nats")  # 6 (log 2 − 1): the positive is not in the sum
    -1.841117 nats
    >>> print(dhn_nce.backward(cache).image[0].round(4))
    [-2.  1.  1.]
    """
    xp, size = check(image=(image, "B d"), text=(text, "B d"))
    check_some_negative("image and text", size["B"])
    tau = check_positive("temperature", temperature)
    b1, b2 = check_non_negative("beta1", beta1), check_non_negative("beta2", beta2)
    # L = I Tᵀ/τ                                                              [D4.7]
    logits, positive = (image / tau) @ text.T, xp.sum(image / tau * text, axis=1)
    forth, of_images = contrast(logits, positive, b1, weights)
    back, of_texts = contrast(logits.T, positive, b2, weights)
    value = reduce_losses(of_images + of_texts, reduction)
    return value, Cache(image, text, forth, back, weights, tau, reduction)


def contrast(logits: Array, positive: Array, beta: float, weights: WeightMode) -> tuple[Direction, Array]:
    """One direction, and ℓ_i(L, β) (B,). Subtracting the hardest logit of each row changes no softmax and keeps βL
    from overflowing.
    """
    xp, count = array_namespace(logits), logits.shape[0]
    itself = identity_mask(logits, count)
    hardest = detach(xp.max(mask_logits(logits, itself), axis=1, keepdims=True))
    # W = (B−1) softmax over j≠i of βL                                        [D4.12]
    behind = beta * (logits - hardest)
    plain, lse = softmax_in_place(mask_logits(behind, itself))
    log_weights = mask_logits(math.log(count - 1) + behind - lse[:, None], itself)
    if weights == "constant":
        plain, log_weights = detach(plain), detach(log_weights)
    # ℓ_i = −L_ii + LSE_j(L_ij + log W_ij), and its softmax, r^(1+β)          [D4.2, D4.9, D4.19]
    hard, losses = softmax_in_place(logits + log_weights, origin=positive)
    return Direction(hard, plain, beta), losses


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    image, text, forth, back, weights, tau, reduction = cache
    xp = array_namespace(image)
    upstream = split_upstream(upstream, reduction, image)[:, None]
    # M = ∂𝓛/∂L = of_logarithms − 2·1, terms of pair i multiplied by its upstream
    # ∂𝓛/∂I = M T/τ,  ∂𝓛/∂T = Mᵀ I/τ                                          [M20]
    of_logarithms = slope(forth, weights, upstream) + slope(back, weights, upstream).T
    dimage = (of_logarithms @ text - 2 * upstream * text) / tau
    dtext = (of_logarithms.T @ image - 2 * upstream * image) / tau
    # ∂𝓛/∂τ = −⟨I, ∂𝓛/∂I⟩/τ: 𝓛 depends on I and τ only through I/τ           [M7]
    return Gradients(dimage, dtext, -xp.sum(image * dimage) / tau)


def slope(direction: Direction, weights: WeightMode, upstream: Array | float) -> Array:
    """upstream_i ∂/∂L_ij log Σ_{j≠i} e^{L_ij} W_ij (B, B), with or without the derivative of W."""
    hard, plain, beta = direction
    if weights == "constant":
        return upstream * hard
    # r^(1+β) + β (r^(1+β) − r^(β)), the last term only if W is differentiated            [M20]
    return (1 + beta) * upstream * hard - beta * upstream * plain


LOSS = declare(
    forward,
    backward,
    dhn_nce_example,
    variants=({"beta1": 0.0, "beta2": 10.0},),
    ill_conditioned={
        "image": IllConditioned(NEAR, "Σ_j |M_ij T_j| / |Σ_j M_ij T_j|"),
        "text": IllConditioned(NEAR, "Σ_i |M_ij I_i| / |Σ_i M_ij I_i|"),
        "value": IllConditioned(
            "𝓛 crosses 0", "Σ_i (2 |L_ii| + |ℓ_i(L, β1) + L_ii| + |ℓ_i(Lᵀ, β2) + L_ii|) / |𝓛|"
        ),
        "temperature": SLOPES,
    },
    fewest=2,
    kinds={"beta1": "hardness", "beta2": "hardness"},
    drawn={"beta1": (0.01, 30.0), "beta2": (0.01, 30.0)},
    tried={"beta1": (0.0, 0, 1.0, 1, 2), "beta2": (0.0, 0, 1.0, 1, 2)},
    title="DHN-NCE",
    compares=True,
)
