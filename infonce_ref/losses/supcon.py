"""SupCon, supervised contrastive learning: every other row of the anchor's class is a positive (F).

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖),   L = s/τ,   P_ij = e^{L_ij} / Σ_{k≠i} e^{L_ik}
    ℓ_i  = −(1/|P_i|) Σ_{p∈P_i} log P_ip        form "out"              [F21]
    ℓ_i  = −log (1/|P_i|) Σ_{p∈P_i} P_ip        form "in"               [F22]
    𝓛    = (1/n⁺) Σ_i ℓ_i                                               [F21]
    ℓ_i  = Σ_{p∈P_i} log(1 + Σ_{n∈N_i} e^{L_in − L_ip}),   𝓛 = Σ_i ℓ_i / Σ_i |P_i|      form "pairs"  [F32]

    w    rows of any length but 0                                               (N, d)
    P_i  the positives of i: the other rows with its label; N_i: the rows with another label
    τ    temperature                                                            > 0
    n⁺   number of anchors that have a positive; the others are left out: their ℓ_i is 0
    𝓛    nats; ℓ_i ≥ log|P_i|, and "in" is at most "out" [R6]; the least mean of unit rows is R19's. "pairs": > 0

With one positive for each anchor all forms are `ntxent`. "out" is `soft_targets` over all rows but the anchor, each
positive with the target 1/|P_i|; it repels a positive with P_ip > 1/|P_i| [R6].
"pairs" is the mean over pairs of an anchor and a positive, each against the negatives alone, as NTXentLoss of
pytorch-metric-learning computes from labels; no positive is repelled [F33]. The mean over the anchors of ℓ_i/|P_i|,
which reduction="none" allows, is SINCERE.
"""

from typing import Literal, NamedTuple

from .. import sphere
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..elementary import identity_mask, mask_logits, sigmoid, softmax_in_place, softplus, stable_sum
from ..examples import supcon_example
from ..isolation import isolate
from ..pairs import NoPositives, check_labels_repeat
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import PULLS, SLOPES, declare

# the mean is over positives, outside the logarithm or inside it, or over pairs
Form = Literal["out", "in", "pairs"]


class Cache(NamedTuple):
    """sphere: unit rows and norms · positive (N, N): whether j is a positive of i · r (N, N): the softmax of each
    row over its positives, and over its negatives, 0 at itself · q (N,): P of all its negatives together · mean
    (N,) of its positives' logits · form · τ · reduction. In the form "pairs", r is at a positive 1 minus its
    probability against the negatives alone, and q is the sum of these.
    """

    sphere: sphere.Cache
    positive: Array
    r: Array
    q: Array
    mean: Array
    form: Form
    temperature: float
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂w (N, d), orthogonal to each row, and ∂𝓛/∂τ (0-d)."""

    w: Array
    temperature: Array


@isolate
def forward(
    w: Array,
    *,
    labels: Array,
    temperature: float,
    form: Form = "out",
    reduction: Reduction = "mean",
    no_positives: NoPositives = "error",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    labels: the class of each row, N integers. no_positives: for a batch in which no label repeats: "error", or
    "zero" for a loss of 0 with gradient 0, so that a last batch of one row does not end an epoch.
    Raises ValueError for such a batch unless it is "zero", for a zero row, NaN or infinity, labels that are no
    integers, a temperature that is not positive and finite, an unknown form or reduction ("mean" over the anchors
    that have a positive, in the form "pairs" over the pairs, "sum" or "none").
    Source: Khosla et al. (2020), "Supervised contrastive learning", Eq. 2 and 3; "pairs": Musgrave et al. (2020),
    "PyTorch metric learning", NTXentLoss.

    >>> import numpy as np
    >>> from infonce_ref.losses import supcon
    >>> value, cache = supcon.forward(np.eye(4), labels=np.array([0, 0, 0, 1]), temperature=0.5)
    >>> print(f"{value:.6f} nats, the logarithm of three candidates")
    1.098612 nats, the logarithm of three candidates
    >>> print(supcon.backward(cache).w[0].round(4))
    [ 0.     -0.2222 -0.2222  0.2222]
    """
    xp, size = check(w=(w, "N d"), labels=(labels, "N → any"))
    tau = check_positive("temperature", temperature)
    to_sphere = sphere.project(w)
    z = to_sphere.z
    itself = identity_mask(z, size["N"])
    positive = (labels[:, None] == labels[None, :]) & ~itself
    check_labels_repeat(positive, no_positives)
    # L = Z Zᵀ / τ                                                            [D3.3]
    logits = (z / tau) @ xp.matrix_transpose(z)
    mean = xp.sum(xp.where(positive, logits, xp.zeros_like(logits)), axis=1) / number_of_positives(
        positive, z
    )
    count, negative = count_terms(positive, form, z), ~(positive | itself)
    if form == "pairs":
        losses, r, q = compare_pairs(logits, positive, negative)
    else:
        losses, r, q = compare_positives(logits, positive, negative, mean, form)
        losses = xp.where(count > 0, losses, xp.zeros_like(losses))
    value = reduce_losses(losses, reduction, count)
    return value, Cache(to_sphere, positive, r, q, mean, form, tau, reduction)


def compare_positives(
    logits: Array, positive: Array, negative: Array, mean: Array, form: Form
) -> tuple[Array, Array, Array]:
    """ℓ_i of the forms "out" and "in", and the cache's r and q: the positives against all other rows."""
    xp = array_namespace(logits)
    # with m_i the mean of its positives' logits: how far LSE_p L_ip is above m_i, and LSE_n L_in above both
    r_positive, spread = softmax_over(positive, logits, mean)
    r_negative, margin = softmax_over(negative, logits, mean + spread)
    margin = xp.where(xp.any(negative), margin, -xp.inf)  # no anchor has a negative if all are of one class
    # out: LSE_{k≠i} L_ik − m_i,  in: log|P_i| + LSE_{k≠i} L_ik − LSE_p L_ip   [F21, F22, S1]
    losses = (spread if form == "out" else xp.log(number_of_positives(positive, logits))) + softplus(margin)
    return losses, xp.where(positive, r_positive, r_negative), sigmoid(margin)


def compare_pairs(logits: Array, positive: Array, negative: Array) -> tuple[Array, Array, Array]:
    """ℓ_i of the form "pairs", and the cache's r and q: each positive against the negatives alone."""
    xp = array_namespace(logits)
    # LSE_n L_in − L_ip of each positive, along the first axis, with the positive's logit as the origin
    r_negative, margin = softmax_over(negative, logits, xp.matrix_transpose(logits))
    margin = mask_logits(xp.matrix_transpose(margin), ~(positive & xp.any(negative)))
    # ℓ_i = Σ_p log(1 + e^margin), and 1 − P_ip = sigmoid(margin)               [F32, S1, S2]
    losses, falls_short = stable_sum(softplus(margin)), sigmoid(margin)
    return losses, xp.where(positive, falls_short, r_negative), stable_sum(falls_short)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    to_sphere, positive, r, q, mean, form, tau, reduction = cache
    z = to_sphere.z
    xp = array_namespace(z)
    # P = q r at the negatives; at the positives (1 − q) r, minus 1/|P_i| in the form "out", minus r in the
    # form "in"                                                               [F23, S2]
    push = q[:, None] * r
    if form == "pairs":  # −(1 − P_ip), which r holds                           [F33]
        pull = -r
    else:
        count = number_of_positives(positive, z)[:, None]
        # 0 for a single positive, also in its derivatives: autograd would add rounding of r to a tiny push
        pull = (xp.where(count > 1, r - 1 / count, xp.zeros_like(r)) if form == "out" else 0) - push
    each = split_upstream(upstream, reduction, z, count_terms(positive, form, z))
    g = each[:, None] * xp.where(positive, pull, push)
    # ∂𝓛/∂z = (G + Gᵀ) Z / τ,  ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                 [F23]
    dz = (g @ z + xp.matrix_transpose(g) @ z) / tau
    # ∂𝓛/∂τ = −Σ_ij G_ij (L_ij − m_i) / τ, because Σ_j G_ij = 0: if a class has collapsed, this removes the
    # rounding of P − 1/|P_i|                                                  [F23, M7]
    dtau = (xp.sum(mean * xp.sum(g, axis=1)) - xp.sum(z * dz) / 2) / tau
    return Gradients(sphere.pull_back(to_sphere, dz), dtau)


def number_of_positives(positive: Array, like: Array) -> Array:
    """|P_i| (N,) in the dtype of `like`; 1 if there is none."""
    xp = array_namespace(like)
    count = xp.sum(xp.astype(positive, like.dtype), axis=1)
    return xp.maximum(count, xp.ones_like(count))


def count_terms(positive: Array, form: Form, like: Array) -> Array:
    """The number of terms of each anchor in the mean (N,), in the dtype of `like`: its pairs, or 1 for all of its
    positives; 0 if it has none."""
    xp = array_namespace(like)
    pairs = xp.astype(positive, like.dtype)
    return xp.sum(pairs, axis=1) if form == "pairs" else xp.max(pairs, axis=1)


def softmax_over(chosen: Array, logits: Array, origin: Array) -> tuple[Array, Array]:
    """For each row return the softmax over the chosen logits, 0 at the others, and their log-sum-exp minus an
    origin. A row without chosen logits gets arbitrary finite numbers, which are not used.
    """
    xp = array_namespace(logits)
    return softmax_in_place(mask_logits(logits, xp.any(chosen, axis=1, keepdims=True) & ~chosen), origin)


# in a class that has nearly collapsed G_ij is a small difference too
APART = "for |G_ij| of a positive: P_ij + 1/|P_i| above the line"

LOSS = declare(
    forward,
    backward,
    supcon_example,
    variants=({"classes": 64},),
    ill_conditioned={
        "w": PULLS._replace(number=f"{PULLS.number}, {APART}"),
        "temperature": SLOPES._replace(number=f"{SLOPES.number}, {APART}"),
    },
    fewest=2,
    kinds={"labels": "label"},
    drawn={"classes": (1, 64)},
    title="SupCon",
    compares=True,
)
