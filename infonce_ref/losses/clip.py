"""CLIP: cross-entropy over the rows and over the columns of image-text scores, one half each (D3).

    S_ij = x_i·y_j / τ                                                  [M17]
    ℓ_i = ½ [−log softmax_j(S_ij)_i − log softmax_j(S_ji)_i]            [M17]
    𝓛 = (1/B) Σ_i ℓ_i,   ∂𝓛/∂S = (P^r + P^c − 2I) / (2B)                [M17]

    x    images                                                                 (B, d)
    y    texts; text i belongs to image i                                       (B, d)
    P^r  softmax over the texts of each row, P^c over the images of each column (B, B)
    τ    temperature (CLIP learns t = −log τ: ∂𝓛/∂t = −τ ∂𝓛/∂τ)                 > 0
    ℓ_i  of pair i: half from its image's row, half from its text's column      nats, ≥ 0
    𝓛    nats; unchanged when images and texts change places

With symmetric=False the rows alone are left: ℓ_i = −log softmax_j(S_ij)_i, and ∂𝓛/∂S = (P^r − I) / B  [M41]. With
unit rows this is what most libraries call InfoNCE: the other view of each row of x is to be found among all of y.
A mask can leave texts out of an image's row, and that image out of their columns, for example false negatives [M36,
M39]. A single pair has no negative, and so the loss log(1 + 0) = 0 with gradient 0.
Rows are not normalised; for cosine similarity put `sphere.forward` before and `sphere.backward` after.
The slides give CLIP's title without a formula: this is the loss of Radford et al. (2021), Figure 3.
"""

from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..elementary import identity_mask, mask_in_place, mask_logits
from ..examples import clip_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import NEAR, SLOPES, IllConditioned, declare


class Cache(NamedTuple):
    """image, text (B, d) · rows, columns: of each row, or column, of S, q (B,), 1 − P at its pair, and r (B, B),
    the softmax over its negatives, 0 at its pair and at entries left out; no columns if symmetric=False · τ ·
    reduction.
    """

    image: Array
    text: Array
    rows: cross_entropy.Cache
    columns: cross_entropy.Cache | None
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
    symmetric: bool = True,
    keep: Array | None = None,
    reduction: Reduction = "mean",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    symmetric: whether the columns count as much as the rows; False leaves the rows alone.
    keep: (B, B) booleans, false in line i and column j if text j is left out of the row of image i, and image i out
    of the column of text j; pairs always stay. None keeps all.
    Raises ValueError for unequal shapes, NaN or infinity, a row or a column that counts and has no negatives under
    keep, a temperature that is not positive and finite, a symmetric that is neither True nor False, an
    unknown reduction ("mean" over the B pairs, "sum" or "none").
    Source: Radford et al. (2021), "Learning transferable visual models from natural language supervision",
    Figure 3.

    >>> import numpy as np
    >>> from infonce_ref.losses import clip
    >>> value, cache = clip.forward(np.eye(3), np.eye(3), temperature=1.0)
    >>> print(f"{value:.6f} nats")
    0.551445 nats
    >>> print(clip.backward(cache).image[0].round(4))
    [-0.1413  0.0706  0.0706]
    """
    xp, size = check(image=(image, "B d"), text=(text, "B d"), keep=(keep, "B B → bool"))
    tau = check_positive("temperature", temperature)
    # S = X Yᵀ / τ, the pairs on its diagonal                                 [M17]
    positive = xp.sum(image / tau * text, axis=1)
    scores, itself = (image / tau) @ xp.matrix_transpose(text), identity_mask(image, size["B"])
    # the cross-entropy of each row                                           [M41, S1]
    losses, rows = cross_entropy.forward(positive, mask_logits(scores, cross_entropy.leave_out(itself, keep)))
    columns = None
    if symmetric:
        # half of it, and half that of each column                            [M17, M39]
        of_texts = xp.matrix_transpose(cross_entropy.leave_out(itself, keep if keep is None else keep.T))
        of_columns = xp.matrix_transpose(mask_in_place(scores, of_texts))
        column_losses, columns = cross_entropy.forward(positive, of_columns)
        losses = (losses + column_losses) / 2
    return reduce_losses(losses, reduction), Cache(image, text, rows, columns, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    image, text, rows, columns, tau, reduction = cache
    xp = array_namespace(image)
    share = split_upstream(upstream, reduction, rows.q) / (1 if columns is None else 2)
    # M = P^r − I [M41] or ½ (P^r + P^c − 2I) [M17], row i of P^r and column i of P^c multiplied by the upstream of
    # pair i. P = q r at the negatives, P − 1 = −q on the diagonal                   [S2]
    diagonal = share * rows.q
    off_diagonal = diagonal[:, None] * rows.r
    if columns is not None:
        of_columns = share * columns.q
        diagonal = diagonal + of_columns
        off_diagonal = off_diagonal + xp.matrix_transpose(of_columns[:, None] * columns.r)
    m = xp.where(identity_mask(image, image.shape[0]), -diagonal[:, None], off_diagonal)
    # ∂𝓛/∂X = M Y / τ,  ∂𝓛/∂Y = Mᵀ X / τ,  ∂𝓛/∂τ = −⟨X, ∂𝓛/∂X⟩ / τ            [M17]
    dimage = m @ text / tau
    dtext = xp.matrix_transpose(m) @ image / tau
    return Gradients(dimage, dtext, -xp.sum(image * dimage) / tau)


LOSS = declare(
    forward,
    backward,
    clip_example,
    variants=({"left_out": 0.5}, {"symmetric": False, "reduction": "none", "left_out": 0.5}),
    views=("image", "text"),
    ill_conditioned={
        "image": IllConditioned(NEAR, "Σ_j |M_ij y_j| / |Σ_j M_ij y_j|"),
        "text": IllConditioned(NEAR, "Σ_i |M_ij x_i| / |Σ_i M_ij x_i|"),
        "temperature": SLOPES,
    },
    title="CLIP",
    compares=True,
)
