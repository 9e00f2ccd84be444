"""DCL, decoupled contrastive learning: NT-Xent with the positive left out of the denominator, and DCLW (F).

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖),   L = s/τ                           [D3.3]
    ℓ_i  = −L_ip + log Σ_{j≠i,p} e^{L_ij},   p = p(i)                   [F1]
    𝓛    = (1/2B) Σ_i ℓ_i                                               [F1]

    w    rows of any length but 0; each has its partner p(i) among them         (2B, d)
    τ    temperature                                                            > 0
    𝓛    nats; may be negative: |ℓ_i − log(2B−2)| ≤ 2/τ, as |s| ≤ 1

With `sigma` it is DCLW, which gives a pair a larger weight the farther apart it is:
    ρ_i  = e^{s_ip/σ} / Σ_k e^{s_kp(k)/σ},   W_i = 2 − 2B ρ_i           [F34]
    ℓ_i  = −W_i L_ip + log Σ_{j≠i,p} e^{L_ij}                           [F34]

    σ    how much the weights differ; each is 1 as σ → ∞                        > 0
    W    below 2, with mean 1; negative if ρ_i > 1/B, and the pair is then pushed apart
weights="constant" takes W for a constant, as if detached; "differentiated" takes its gradient too [F35].

NT-Xent's row is softplus(ℓ_i), and its gradient this one's times q = sigmoid(ℓ_i), the coupling that is dropped
here: a positive is pulled with full weight however near it is [F3, R7].
Layouts are those of `ntxent`: "concatenated", p(i) = (i + B) mod 2B, or "interleaved", rows 2k and 2k + 1 a pair.
"""

from typing import NamedTuple

from .. import sphere
from ..arrays import Array, array_namespace, detach
from ..checks import check, check_positive
from ..elementary import identity_mask, mask_in_place, softmax_in_place
from ..examples import dcl_example
from ..isolation import isolate
from ..pairs import Layout, WeightMode, check_some_negative, count_pairs, partner
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import PULLS, SLOPES, IllConditioned, declare


class Weights(NamedTuple):
    """cosine (2B,): s_ip · share (2B,): ρ, their softmax over the rows, or 0 · pull (2B,): W, or 1 · σ, or None ·
    mode: as it came in."""

    cosine: Array
    share: Array
    pull: Array
    sigma: float | None
    mode: WeightMode


class Cache(NamedTuple):
    """sphere: unit rows and norms · r (2B, 2B): the softmax of each row over its negatives, 0 at itself and its
    positive · weights: of the positives · τ · layout · reduction."""

    sphere: sphere.Cache
    r: Array
    weights: Weights
    temperature: float
    layout: Layout
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂w (2B, d), orthogonal to each row, and ∂𝓛/∂τ (0-d)."""

    w: Array
    temperature: Array


@isolate
def forward(
    w: Array,
    *,
    temperature: float,
    sigma: float | None = None,
    weights: WeightMode = "differentiated",
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    sigma: width of DCLW's weights of the positives; None: all weights are 1.
    Raises ValueError for an odd number of rows, a single pair, a zero row, NaN or infinity, a
    temperature or sigma that is not positive and finite, unknown weights, reduction or layout.
    Source: Yeh et al. (2022), "Decoupled contrastive learning".

    >>> import numpy as np
    >>> from infonce_ref.losses import dcl
    >>> value, cache = dcl.forward(np.eye(4), temperature=0.5)
    >>> print(f"{value:.6f} nats, the logarithm of two negatives")
    0.693147 nats, the logarithm of two negatives
    >>> print(dcl.backward(cache).w[0])
    [ 0.   0.5 -1.   0.5]
    """
    xp, size = check(w=(w, "N d"))
    check_some_negative("w", count_pairs("w", size["N"]))
    tau = check_positive("temperature", temperature)
    scale = None if sigma is None else check_positive("sigma", sigma)
    # z = w / ‖w‖,  s_ip = z_i·z_p                                            [D3.3]
    to_sphere = sphere.project(w)
    z = to_sphere.z
    of_positives = weigh(xp.sum(z * partner(z, layout), axis=1), scale, weights)
    itself = identity_mask(z, size["N"])
    # L = Z Zᵀ / τ                                                            [D3.3]
    negatives = mask_in_place((z / tau) @ xp.matrix_transpose(z), itself | partner(itself, layout))
    # ℓ_i = LSE_{j≠i,p} L_ij − W_i L_ip                                       [F1, F34]
    r, losses = softmax_in_place(negatives, origin=of_positives.pull * of_positives.cosine / tau)
    # 𝓛 = (1/2B) Σ ℓ_i                                                        [F1]
    return reduce_losses(losses, reduction), Cache(to_sphere, r, of_positives, tau, layout, reduction)


def weigh(cosine: Array, sigma: float | None, mode: WeightMode) -> Weights:
    """The weights of the positives, from their cosines (2B,); 1 without sigma."""
    xp = array_namespace(cosine)
    if sigma is None:
        return Weights(cosine, xp.zeros_like(cosine), xp.ones_like(cosine), None, mode)
    # ρ = softmax over the rows of s_ip/σ,  W = 2 − 2B ρ                      [F34]
    share, _ = softmax_in_place(cosine / sigma)
    share = detach(share) if mode == "constant" else share
    return Weights(cosine, share, 2 - cosine.shape[0] * share, sigma, mode)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    to_sphere, r, weights, tau, layout, reduction = cache
    z = to_sphere.z
    xp = array_namespace(z)
    each = split_upstream(upstream, reduction, z)

    def of_positives(pull: Array) -> Array:
        return (pull + partner(pull, layout))[:, None] * partner(z, layout)

    # G = r − W 1[positive], each row times the anchor's upstream; (G + Gᵀ) Z / τ is three sums   [F2, F35]
    negatives = each[:, None] * (r @ z) + xp.matrix_transpose(r) @ (each[:, None] * z)
    dz = (negatives - of_positives(each * weights.pull)) / tau
    # ∂𝓛/∂τ = −⟨Z, ∂𝓛/∂Z⟩ / (2τ), W held: it depends on no τ                  [F2, F35, M7]
    dtau = -xp.sum(z * dz) / (2 * tau)
    if weights.sigma is not None and weights.mode == "differentiated":
        dz = dz - of_positives(slope(weights, weights.sigma, each)) / tau
    # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                                          [F2]
    return Gradients(sphere.pull_back(to_sphere, dz), dtau)


def slope(weights: Weights, sigma: float, each: Array) -> Array:
    """Σ_k each_k s_kp ∂W_k/∂s_ip = −(2B/σ) ρ_i (each_i s_ip − Σ_k each_k ρ_k s_kp)  (2B,).    [F35]"""
    share, scores = weights.share, each * weights.cosine
    return -share.shape[0] / sigma * share * (scores - array_namespace(share).sum(share * scores))


LOSS = declare(
    forward,
    backward,
    dcl_example,
    variants=(
        {"sigma": 0.5},
        # the upstream of an anchor differs from its partner's, which no other variant with these weights has
        {"sigma": 0.5, "reduction": "none", "layout": "interleaved"},
        {"sigma": 0.5, "weights": "constant"},
    ),
    ill_conditioned={
        "value": IllConditioned("ℓ_i crosses 0", "(|W_i L_ip| + |log Σ e^{L_ij}|) / |ℓ_i|"),
        "w": PULLS,
        "temperature": SLOPES,
    },
    fewest=2,
    kinds={"sigma": "temperature"},
    drawn={"wider": (0.1, 100.0)},
    batch="w",
    title="DCL",
    compares=True,
)
