"""SigLIP: classify each combination of image and text as a pair or not, by a sigmoid (F).

    L_ij = x_i·y_j / τ                                                  [M17]
    ℓ_i  = softplus(−L_ii − b) + Σ_{j≠i} softplus(L_ij + b)             [F9]
    𝓛    = (1/B) Σ_i ℓ_i                                                [F9]
    ∂𝓛/∂L_ij = (σ(L_ij + b) − 1[i = j]) / B                             [F10]

    x    images                                                                 (B, d)
    y    texts; text i belongs to image i                                       (B, d)
    τ    temperature (SigLIP learns t = −log τ: ∂𝓛/∂t = −τ ∂𝓛/∂τ)               > 0
    b    bias, learned too; if all scores are 0, −log(B − 1) is optimal [R8]      any number
    ℓ_i  of image i with all texts                                              nats, > 0
    𝓛    nats; unchanged when images and texts change places

There is no softmax: the loss is a sum of one term for each score. A single pair has the loss softplus(−L_11 − b).
Rows are not normalised; for cosine similarity put `sphere.forward` before and `sphere.backward` after.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check, check_finite, check_positive
from ..elementary import identity_mask, sigmoid, softplus, stable_sum
from ..examples import siglip_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import SLOPES, IllConditioned, declare


class Cache(NamedTuple):
    """image, text (B, d) · logits (B, B): L + b, and −L − b of each pair · τ · reduction."""

    image: Array
    text: Array
    logits: Array
    temperature: float
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂image, ∂𝓛/∂text (B, d), ∂𝓛/∂τ and ∂𝓛/∂b (0-d)."""

    image: Array
    text: Array
    temperature: Array
    bias: Array


@isolate
def forward(
    image: Array, text: Array, *, temperature: float, bias: float, reduction: Reduction = "mean"
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for unequal shapes, NaN or infinity, a temperature that is not
    positive and finite, a bias that is not finite, an unknown reduction ("mean" over the B images, "sum" or
    "none").
    Source: Zhai et al. (2023), "Sigmoid loss for language image pre-training", Algorithm 1; Eq. 1 has another sign
    of the bias [F9].

    >>> import numpy as np
    >>> from infonce_ref.losses import siglip
    >>> value, cache = siglip.forward(np.eye(3), np.eye(3), temperature=0.1, bias=-5.0)
    >>> print(f"{value:.6f} nats")
    0.020146 nats
    >>> print(siglip.backward(cache).image[0].round(4), siglip.backward(cache).bias.round(4))
    [-0.0223  0.0223  0.0223] 0.0067
    """
    xp, size = check(image=(image, "B d"), text=(text, "B d"))
    tau, b = check_positive("temperature", temperature), check_finite("bias", bias)
    # L + b, of the opposite sign at each pair, on the diagonal                [F9]
    logits = (image / tau) @ xp.matrix_transpose(text) + b
    logits = xp.where(identity_mask(image, size["B"]), -logits, logits)
    # ℓ_i = Σ_j softplus of them                                              [F9, S1]
    return reduce_losses(stable_sum(softplus(logits)), reduction), Cache(image, text, logits, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    image, text, logits, tau, reduction = cache
    xp = array_namespace(image)
    # G = σ(L + b) − 1[i = j], each row of it times its image's upstream       [F10, S2]
    slopes = sigmoid(logits)
    slopes = xp.where(identity_mask(image, image.shape[0]), -slopes, slopes)
    g = split_upstream(upstream, reduction, image)[:, None] * slopes
    # ∂𝓛/∂X = G Y / τ,  ∂𝓛/∂Y = Gᵀ X / τ,  ∂𝓛/∂τ = −⟨X, ∂𝓛/∂X⟩ / τ,  ∂𝓛/∂b = Σ G   [F10]
    dimage = g @ text / tau
    dtext = xp.matrix_transpose(g) @ image / tau
    return Gradients(dimage, dtext, -xp.sum(image * dimage) / tau, xp.sum(g))


LOSS = declare(
    forward,
    backward,
    siglip_example,
    variants=({"bias": -10.0}, {"bias": 5.0}),
    ill_conditioned={
        "image": IllConditioned("texts nearly coincide, ΣG_ij ≈ 0", "Σ_j |G_ij y_j| / |Σ_j G_ij y_j|"),
        "text": IllConditioned("images nearly coincide, ΣG_ij ≈ 0", "Σ_i |G_ij x_i| / |Σ_i G_ij x_i|"),
        "temperature": SLOPES,
        "bias": IllConditioned("slopes have either sign", "Σ|G_ij| / |Σ G_ij|"),
    },
    kinds={"bias": "bias"},
    drawn={"bias": (-20.0, -0.05)},
    tried={"bias": (0.0, 0, -10, 1, 5.0, 20.0, 100.0, -100.0)},
    title="SigLIP",
    compares=True,
)
