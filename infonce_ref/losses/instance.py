"""Instance discrimination: every sample is its own class, and the memory bank holds the classes (D3).

    p(j|v) = e^{v·b_j/τ} / Σ_k e^{v·b_k/τ}                              [D3.5]
    𝓛 = −Σ_i log p(index_i | v_i)                                       [D3.6]
    ∂𝓛/∂v_i = (1/τ) Σ_j (p_ij − 1[j = index_i]) b_j                     [M16]
    ∂𝓛/∂b_j = (1/τ) Σ_i (p_ij − 1[j = index_i]) v_i                     [M16]

    v       features of a batch                                                 (n, d)
    b       the bank, one row for each sample of the data set                   (K, d)
    index   the row of the bank that is v_i's own                               (n,), integer
    τ       temperature                                                         > 0
    𝓛       nats; a sum over the batch as printed, or its mean

The cost is K exponentials and K d products a query [D3.7]; `instance_nce` samples instead. Rows are not
normalised. The bank is an input like any other: drop its gradient if it is constant. Nothing is singular: two
features may own the same row, and rows may coincide.
"""

from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..columns import find_common
from ..elementary import mask_logits, one_hot
from ..examples import bank_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import SLOPES, IllConditioned, declare


class Cache(NamedTuple):
    """v (n, d) · bank (K, d) minus the common part of its rows · is_own (n, K): true at the index · rows: q (n,),
    1 − p(index_i|v_i), and r (n, K), the softmax over the other rows, 0 at the own one · τ · reduction."""

    v: Array
    bank: Array
    is_own: Array
    rows: cross_entropy.Cache
    temperature: float
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂v (n, d), ∂𝓛/∂bank (K, d) and ∂𝓛/∂τ (0-d)."""

    v: Array
    bank: Array
    temperature: Array


@isolate
def forward(
    v: Array, bank: Array, *, index: Array, temperature: float, reduction: Reduction = "sum"
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for unequal d, an index outside 0 … K − 1, NaN or infinity, a
    temperature that is not positive and finite, an unknown reduction ("sum", "mean" over the n features, or
    "none"). Source: D3, contrastive loss with a memory bank.

    >>> import numpy as np
    >>> from infonce_ref.losses import instance
    >>> bank = np.eye(3)
    >>> value, cache = instance.forward(bank[:1], bank, index=np.array([0]), temperature=1.0)
    >>> print(f"{value:.6f} nats")
    0.551445 nats
    >>> print(instance.backward(cache).v.round(4))
    [[-0.4239  0.2119  0.2119]]
    """
    xp, size = check(v=(v, "n d"), bank=(bank, "K d"), index=(index, "n → K"))
    tau = check_positive("temperature", temperature)
    # p depends only on differences of the bank's rows; subtracting a common part keeps full accuracy for rows
    # far from 0
    bank = bank - find_common(bank)
    # v·b/τ against the whole bank                                            [D3.5]
    logits = (v / tau) @ xp.matrix_transpose(bank)
    is_own = one_hot(index, size["K"])
    own = xp.sum(xp.where(is_own, logits, xp.zeros_like(logits)), axis=1)
    # −log p(index|v)                                                         [D3.6, S1]
    losses, rows = cross_entropy.forward(own, mask_logits(logits, is_own))
    return reduce_losses(losses, reduction), Cache(v, bank, is_own, rows, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    v, bank, is_own, (q, r), tau, reduction = cache
    xp = array_namespace(v)
    # G = p − 1[own]: −q = p(index|v) − 1 at the own row, q r = p(j|v) at the others   [D1.7, S2]
    q = (split_upstream(upstream, reduction, q) * q)[:, None]
    g = xp.where(is_own, -q, q * r) / tau
    # ∂𝓛/∂V = G B / τ,  ∂𝓛/∂B = Gᵀ V / τ,  ∂𝓛/∂τ = −⟨V, ∂𝓛/∂V⟩ / τ            [M16, M7]
    dv = g @ bank
    return Gradients(dv, xp.matrix_transpose(g) @ v, -xp.sum(v * dv) / tau)


LOSS = declare(
    forward,
    backward,
    bank_example,
    variants=({"twice": True},),
    ill_conditioned={
        "v": IllConditioned(
            "rows of the bank, but not all, coincide with the instance's own",
            "Σ_j |G_ij b_j| / |Σ_j G_ij b_j|",
        ),
        "bank": IllConditioned("features pull a row either way", "Σ_i |G_ij v_i| / |Σ_i G_ij v_i|"),
        "temperature": SLOPES,
    },
    tried={"others": (1000, 4096)},
    drawn={"others": (0, 256)},
)
