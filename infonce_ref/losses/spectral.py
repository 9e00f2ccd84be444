"""The spectral loss: products of pairs, and squared products of all non-pairs (F).

    S_ij = z_i·z'_j                                                     [F7]
    ℓ_i  = −2 S_ii + (1/(B−1)) Σ_{j≠i} S_ij²                            [F7]
    𝓛    = (1/B) Σ_i ℓ_i                                                [F7]
    ∂ℓ_i/∂S_ij = 2 S_ij/(B−1) at j ≠ i, and −2 at the pair              [F8]

    z    one view, rows of any length                                           (B, d)
    z'   the other; row i of each a pair                                        (B, d)
    𝓛    not nats; unchanged when the views change places

There is no exponential, no temperature and no singular point: in expectation it is, up to a constant, the
distance of a matrix from one of rank d [R11]. A negative whose score is below 0 is pulled.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check
from ..elementary import identity_mask
from ..examples import two_views_example
from ..isolation import isolate
from ..pairs import check_some_negative
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import IllConditioned, declare


class Cache(NamedTuple):
    """z1, z2 (B, d) · pushes (B, B): S_ij/(B−1), 0 at the pairs · reduction."""

    z1: Array
    z2: Array
    pushes: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂z1 and ∂𝓛/∂z2 (B, d)."""

    z1: Array
    z2: Array


@isolate
def forward(z1: Array, z2: Array, *, reduction: Reduction = "mean") -> tuple[Array, Cache]:
    """The loss, a 0-d array, and the cache for `backward`.

    Raises ValueError for unequal shapes, a single pair, NaN or infinity, an unknown reduction ("mean" over
    the B pairs, "sum" or "none").
    Source: HaoChen et al. (2021), "Provable guarantees for self-supervised deep learning with spectral contrastive
    loss", Eq. 6.

    >>> import numpy as np
    >>> from infonce_ref.losses import spectral
    >>> value, cache = spectral.forward(np.eye(2), np.array([[1.0, 0.0], [0.5, 1.0]]))
    >>> print(f"{value:.3f}")  # −2 for two aligned pairs, and (0.5²)/2 for a negative that is not orthogonal
    -1.875
    >>> print(spectral.backward(cache).z1)
    [[-0.75  0.5 ]
     [-0.5  -1.  ]]
    """
    xp, size = check(z1=(z1, "B d"), z2=(z2, "B d"))
    check_some_negative("z1", size["B"], "a mean over none does not exist")
    # S = Z Z'ᵀ,  ℓ_i = −2 S_ii + (1/(B−1)) Σ_{j≠i} S_ij²                       [F7]
    scores = z1 @ xp.matrix_transpose(z2)
    others = xp.where(identity_mask(z1, size["B"]), xp.zeros_like(scores), scores)
    pushes = others / (size["B"] - 1)
    losses = xp.sum(others * pushes, axis=1) - 2 * xp.sum(z1 * z2, axis=1)
    return reduce_losses(losses, reduction), Cache(z1, z2, pushes, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    z1, z2, pushes, reduction = cache
    xp = array_namespace(z1)
    # G = 2 S/(B−1) − 2 I, each row multiplied by its pair's upstream: ∂𝓛/∂Z = G Z',  ∂𝓛/∂Z' = Gᵀ Z    [F8]
    twice = 2 * split_upstream(upstream, reduction, z1)[:, None]
    weighted = twice * pushes
    dz1 = weighted @ z2 - twice * z2
    dz2 = xp.matrix_transpose(weighted) @ z1 - twice * z1
    return Gradients(dz1, dz2)


LOSS = declare(
    forward,
    backward,
    two_views_example,
    ill_conditioned={
        "z1": IllConditioned("pull and pushes meet, G = ∂𝓛/∂S", "Σ_j |G_ij z'_j| / |Σ_j G_ij z'_j|"),
        "z2": IllConditioned("pull and pushes meet, G = ∂𝓛/∂S", "Σ_i |G_ij z_i| / |Σ_i G_ij z_i|"),
        "value": IllConditioned("pulls and pushes have either sign", "their sizes over |𝓛|"),
    },
    fewest=2,
    compares=True,
)
