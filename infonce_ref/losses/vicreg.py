"""VICReg: two views agree, and the columns of each are spread out and uncorrelated (F).

    s = (1/B) Σ_i ‖z_i − z'_i‖²                                         [F27]
    S_f = √(Γ_ff + ε),   v = (1/d) Σ_f max(0, γ − S_f)                  [F27]
    Γ_fg = (1/(B−1)) Σ_i z̃_if z̃_ig,   c = (1/d) Σ_{f≠g} Γ_fg²           [F27]
    𝓛   = ι s + μ (v + v') + ρ (c + c')                                 [F27]
    ∂𝓛/∂z_if = 2ι (z_if − z'_if)/B − μ η_f z̃_if/(d(B−1) S_f)
               + 4ρ Σ_{g≠f} Γ_fg z̃_ig/(d(B−1))                          [F28]

    z    one view, rows of any length; z̃ minus the mean of each column          (B, d)
    z'   the other, with v' and c' of its own; row i of each a pair             (B, d)
    ι, μ, ρ    weights: invariance, variance, covariance                        ≥ 0
    γ    margin: the least deviation without a penalty                          ≥ 0
    ε    epsilon, added to each variance                                        > 0
    η_f  1 where S_f < γ, else 0: at the kink S_f = γ the hinge is inactive
    𝓛    not nats; ≥ 0

Without ε a constant column would have no derivative; with it its gradient is 0, so that training cannot leave an
exact collapse [R15].
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check, check_finite, check_non_negative, check_positive
from ..columns import center_columns
from ..elementary import identity_mask, power_of_two, stable_sum
from ..examples import vicreg_example
from ..isolation import isolate
from ..registry import IllConditioned, declare


class View(NamedTuple):
    """One view: columns (B, d), minus their means · pull (d,): η/((B−1) S) · covariances (d, d): Γ/(B−1), 0 on the
    diagonal · variance, covariance: v and c (0-d).
    """

    columns: Array
    pull: Array
    covariances: Array
    variance: Array
    covariance: Array


class Cache(NamedTuple):
    """apart (B, d): z − z' · invariance (0-d): s · first, second: of each view · weights: ι, μ, ρ."""

    apart: Array
    invariance: Array
    first: View
    second: View
    weights: tuple[float, float, float]


class Gradients(NamedTuple):
    """∂𝓛/∂z1 and ∂𝓛/∂z2 (B, d)."""

    z1: Array
    z2: Array


@isolate
def forward(
    z1: Array,
    z2: Array,
    *,
    invariance: float,
    variance: float,
    covariance: float,
    margin: float,
    epsilon: float,
) -> tuple[Array, Cache]:
    """The loss, a 0-d array, and the cache for `backward`, which also holds the three unweighted terms.

    Raises ValueError for unequal shapes, fewer than two pairs, NaN or infinity, a weight or margin that is negative
    or not finite, an epsilon that is not positive and finite.
    Source: Bardes, Ponce and LeCun (2022), "VICReg: variance-invariance-covariance regularization for
    self-supervised learning", Eqs. 1-6.

    >>> import numpy as np
    >>> from infonce_ref.losses import vicreg
    >>> z1, z2 = np.array([[1.0], [-1.0]]), np.array([[0.25], [-0.25]])
    >>> value, cache = vicreg.forward(
    ...     z1, z2, invariance=25.0, variance=25.0, covariance=1.0, margin=1.0, epsilon=1e-4
    ... )
    >>> print(f"{cache.invariance:.4f} {cache.first.variance:.4f} {cache.second.variance:.4f}")
    0.5625 0.0000 0.6463
    >>> print(f"{value:.3f}")
    30.220
    >>> weights = {"invariance": 0.0, "variance": 1.0, "covariance": 1.0}
    >>> _, cache = vicreg.forward(z1, z2, **weights, margin=1.0, epsilon=1e-4)
    >>> print(vicreg.backward(cache).z1.T, vicreg.backward(cache).z2.T.round(4))  # the second is to spread
    [[0. 0.]] [[-0.7068  0.7068]]
    """
    xp, size = check(z1=(z1, "B d"), z2=(z2, "B d"))
    if size["B"] < 2:
        raise ValueError("z1 must hold at least two rows, or no column varies; got 1: add pairs")
    given = {"invariance": invariance, "variance": variance, "covariance": covariance}
    iota, mu, rho = (check_non_negative(name, x) for name, x in given.items())
    gamma, offset = check_non_negative("margin", margin), check_positive("epsilon", epsilon)
    # s = (1/B) Σ ‖z − z'‖²                                                    [F27]
    apart = z1 - z2
    s = xp.sum(apart * apart) / size["B"]
    first, second = (compute_view(z, gamma, offset) for z in (z1, z2))
    # 𝓛 = ι s + μ (v + v') + ρ (c + c')                                        [F27]
    spread, redundancy = first.variance + second.variance, first.covariance + second.covariance
    return iota * s + mu * spread + rho * redundancy, Cache(apart, s, first, second, (iota, mu, rho))


def compute_view(z: Array, margin: float, epsilon: float) -> View:
    """The variance and the covariance term of one view."""
    xp = array_namespace(z)
    rows, features = z.shape
    columns = center_columns(z)
    # S = √(Γ_ff + ε), scaled by a power of 2 so that neither square vanishes or overflows     [F27]
    root = epsilon**0.5
    largest = xp.max(xp.abs(columns), axis=0)
    scale = power_of_two(xp.maximum(largest, xp.full_like(largest, root)))
    squares = stable_sum((columns / scale[None, :]) ** 2, axis=0) / (rows - 1)
    deviation = scale * xp.sqrt(squares + (root / scale) ** 2)
    # v = (1/d) Σ max(0, γ − S), active if S < γ
    short = margin - deviation
    opened = xp.astype(short > 0, z.dtype)
    # Γ = z̃ᵀ z̃/(B−1),  c = (1/d) Σ_{f≠g} Γ_fg²                                 [F27]
    products = xp.matrix_transpose(columns) @ columns / (rows - 1)
    off = xp.where(identity_mask(z, features), xp.zeros_like(products), products)
    v, c = xp.sum(opened * short) / features, xp.sum(off * off) / features
    return View(columns, opened / deviation / (rows - 1), off / (rows - 1), v, c)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    apart, _, first, second, (iota, mu, rho) = cache
    factor = check_finite("upstream", upstream)
    rows, features = apart.shape
    # 2ι (z − z')/B, of either sign                                            [F28]
    towards = 2 * factor * iota / rows * apart

    def pull_view(view: View) -> Array:
        # −μ η z̃/(d(B−1) S) + 4ρ Σ_{g≠f} Γ_fg z̃_g/(d(B−1))                     [F28]
        redundant = 4 * factor * rho / features * (view.columns @ view.covariances)
        return redundant - factor * mu / features * (view.columns * view.pull[None, :])

    return Gradients(pull_view(first) + towards, pull_view(second) - towards)


LOSS = declare(
    forward,
    backward,
    vicreg_example,
    variants=(
        {"invariance": 0.0, "covariance": 0.0},
        {"invariance": 0.0, "variance": 0.0},
        {"margin": 0.0},
        {"epsilon": 1.0},
    ),
    ill_conditioned={
        "value": IllConditioned("little is left but a hinge that is nearly shut", "γ/(γ − S_f)")
    },
    fewest=2,
    kinds={"margin": "length", "epsilon": "squared length"},
    drawn={"invariance": (0.1, 50.0), "variance": (0.1, 50.0), "covariance": (0.1, 50.0)},
    tried=dict.fromkeys(("invariance", "variance", "covariance"), (0.0, 0, 1.0, 1, 25))
    | {"margin": (0.0, 1, 2), "epsilon": (1, 1e-2, 1e-8)},
    title="VICReg",
    compares=True,
)
