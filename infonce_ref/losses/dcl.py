"""DCL, decoupled contrastive learning: NT-Xent with the positive in no denominator (F).

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖),   L = s/τ                           [D3.3]
    ℓ_i  = −L_ip + log Σ_{j≠i,p} e^{L_ij},   p = p(i)                   [F1]
    𝓛    = (1/2B) Σ_i ℓ_i                                               [F1]

    w    rows of any length but 0; each has its partner p(i) among them         (2B, d)
    τ    temperature                                                            > 0
    𝓛    nats; may be negative: |ℓ_i − log(2B−2)| ≤ 2/τ, as |s| ≤ 1

NT-Xent's row is softplus(ℓ_i), and its gradient this one's times q = sigmoid(ℓ_i), the coupling that is dropped
here: a positive is pulled with its whole weight however near it is [F3, R7].
Layouts are those of `ntxent`: "concatenated", p(i) = (i + B) mod 2B, or "interleaved", rows 2k and 2k + 1 a pair.
"""

from typing import NamedTuple, get_args

from array_api_compat import array_namespace

from .. import sphere
from ..arrays import Array
from ..checks import check, check_choice, check_gradients, check_positive, check_value
from ..elementary import identity_mask, mask_in_place, softmax_in_place
from ..examples import ntxent_example
from ..isolation import isolate
from ..pairs import Layout, check_some_negative, count_pairs, partner
from ..reduction import Reduction, check_reduction, reduce_losses, split_upstream
from ..registry import PULLS, SLOPES, IllConditioned, Loss


class Cache(NamedTuple):
    """sphere: unit rows and norms · r (2B, 2B): the softmax of each row over its negatives, 0 at itself and its
    positive · τ · layout · reduction."""

    sphere: sphere.Cache
    r: Array
    temperature: float
    layout: Layout
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂w (2B, d), orthogonal to each row, and ∂𝓛/∂τ (0-d)."""

    w: Array
    temperature: Array


@isolate
def forward(
    w: Array, *, temperature: float, reduction: Reduction = "mean", layout: Layout = "concatenated"
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for an odd number of rows, a single pair, a zero row, NaN or infinity, a
    temperature that is not positive and finite, an unknown reduction or layout.
    Source: Yeh et al. (2022), "Decoupled contrastive learning".

    >>> import numpy as np
    >>> from infonce_ref.losses import dcl
    >>> value, _ = dcl.forward(np.eye(4), temperature=0.5)
    >>> print(f"{value:.6f} nats, the logarithm of two negatives")
    0.693147 nats, the logarithm of two negatives
    """
    xp, size = check(w=(w, "N d"))
    check_some_negative("w", count_pairs("w", size["N"]))
    tau = check_positive("temperature", temperature)
    check_choice("layout", layout, get_args(Layout))
    check_reduction(reduction)
    # z = w / ‖w‖,  L = Z Zᵀ / τ                                              [D3.3]
    to_sphere = sphere.project(w)
    z = to_sphere.z
    positive = xp.sum(z / tau * partner(z, layout), axis=1)
    itself = identity_mask(z, size["N"])
    negatives = mask_in_place((z / tau) @ xp.matrix_transpose(z), itself | partner(itself, layout))
    # ℓ_i = LSE_{j≠i,p} L_ij − L_ip                                           [F1]
    r, losses = softmax_in_place(negatives, origin=positive)
    # 𝓛 = (1/2B) Σ ℓ_i                                                        [F1]
    value = check_value("dcl", reduce_losses(losses, reduction))
    return value, Cache(to_sphere, r, tau, layout, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`.

    >>> import numpy as np
    >>> from infonce_ref.losses import dcl
    >>> _, cache = dcl.forward(np.eye(4), temperature=0.5)
    >>> print(dcl.backward(cache).w[0])
    [ 0.   0.5 -1.   0.5]
    """
    to_sphere, r, tau, layout, reduction = cache
    z = to_sphere.z
    xp = array_namespace(z)
    # G = r − 1[positive], each row times the anchor's upstream; (G + Gᵀ) Z / τ is three sums   [F2]
    each = split_upstream(upstream, reduction, z)[:, None]
    negatives = each * (r @ z) + xp.matrix_transpose(r) @ (each * z)
    positives = (each + partner(each, layout)) * partner(z, layout)
    dz = (negatives - positives) / tau
    # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖,  ∂𝓛/∂τ = −⟨Z, ∂𝓛/∂Z⟩ / (2τ)            [F2, M7]
    gradients = Gradients(sphere.backward(to_sphere, dz, "dcl by w"), -xp.sum(z * dz) / (2 * tau))
    return check_gradients("dcl", gradients)


LOSS = Loss(
    name="dcl",
    forward=forward,
    backward=backward,
    differentiable=("w", "temperature"),
    example=ntxent_example,
    variants=({"layout": "interleaved"}, {"reduction": "sum"}, {"reduction": "none"}),
    claims=("F1", "F2", "F3", "D3.3", "M7"),
    ill_conditioned={
        "value": IllConditioned("ℓ_i crosses 0", "(|L_ip| + |log Σ e^{L_ij}|) / |ℓ_i|"),
        "w": PULLS,
        "temperature": SLOPES,
    },
    fewest=2,
    batch="w",
    title="DCL",
    compares=True,
)
