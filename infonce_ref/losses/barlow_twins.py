"""Barlow Twins: correlate each feature of one view with itself in the other view, and with no other feature (F).

    ẑ_if = (z_if − z̄_f)/σ_f,   C_fg = (1/B) Σ_i ẑ_if ẑ'_ig              [F25]
    𝓛    = Σ_f (1 − C_ff)² + λ Σ_{f≠g} C_fg²                            [F25]
    G_fg = 2λ C_fg at f ≠ g, and −2(1 − C_ff) at f = g                  [F26]
    ∂𝓛/∂z_if = (1/(B σ_f)) Σ_h G_fh (ẑ'_ih − C_fh ẑ_if)                 [F26]

    z    one view, rows of any length                                           (B, d)
    z'   the other; row i of each a pair                                        (B, d)
    σ    standard deviation of each column, over B                              (d,)
    λ    weight                                                                 ≥ 0
    𝓛    not nats; ≥ 0, and for d ≥ B − 1 and λ ≤ 1 at least dλκ/(1 + λκ), κ = d/(B−1) − 1 [R4]

The loss does not depend on scale and mean of a column. A constant column has no correlation and is refused, like a
zero row on the sphere. With two rows every column is (1, −1) or (−1, 1), and every gradient 0.
"""

from typing import NamedTuple

from .. import sphere
from ..arrays import Array, array_namespace
from ..checks import check, check_finite, check_non_negative, is_broken
from ..columns import center_columns, chord
from ..elementary import identity_mask
from ..examples import barlow_twins_example
from ..isolation import isolate
from ..registry import IllConditioned, declare


class Cache(NamedTuple):
    """first, second: the columns of each view, centred, as unit rows (d, B), and their lengths σ√B · apart (d, B):
    the difference of these unit rows · shortfall (d,): 1 − C_ff · redundancy (d, d): λ C_fg, 0 on the diagonal."""

    first: sphere.Cache
    second: sphere.Cache
    apart: Array
    shortfall: Array
    redundancy: Array


class Gradients(NamedTuple):
    """∂𝓛/∂z1 and ∂𝓛/∂z2 (B, d): each column has mean 0, and is orthogonal to the column of its view."""

    z1: Array
    z2: Array


@isolate
def forward(z1: Array, z2: Array, *, weight: float) -> tuple[Array, Cache]:
    """The loss, a 0-d array, and the cache for `backward`.

    Raises ValueError for unequal shapes, fewer than two pairs, a column that is constant in one view, NaN or
    infinity, a weight that is negative or not finite.
    Source: Zbontar et al. (2021), "Barlow Twins: self-supervised learning via redundancy reduction", Eqs. 1-2.

    >>> import numpy as np
    >>> from infonce_ref.losses import barlow_twins
    >>> z1 = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    >>> print(barlow_twins.forward(z1, z1, weight=0.005)[0])
    0.0
    >>> print(barlow_twins.forward(z1, z1[:, ::-1], weight=0.005)[0])  # each feature is the other's: 2 + 2λ
    2.01
    >>> z1, z2 = np.array([[1.0], [0.0], [-1.0]]), np.array([[1.0], [-2.0], [1.0]])
    >>> _, cache = barlow_twins.forward(z1, z2, weight=0.005)
    >>> print(barlow_twins.backward(cache).z1.T.round(4))  # to be pulled to z2, which is orthogonal
    [[-0.5774  1.1547 -0.5774]]
    """
    xp, size = check(z1=(z1, "B d"), z2=(z2, "B d"))
    if size["B"] < 2:
        raise ValueError("z1 must hold at least two rows, or no column varies; got 1: add pairs")
    scale = check_non_negative("weight", weight)
    columns = [xp.matrix_transpose(center_columns(z)) for z in (z1, z2)]
    for name, column in zip(("z1", "z2"), columns):
        if is_broken(xp.all(xp.any(column != 0, axis=1))):
            raise ValueError(
                f"{name} must have no constant column, whose correlations are undefined; drop such features"
            )
    # a correlation is the cosine of two centred columns                       [F25]
    first, second = (sphere.project(column, name) for name, column in zip(("z1", "z2"), columns))
    correlation = first.z @ xp.matrix_transpose(second.z)
    # 1 − C_ff = ½ ‖u_f − v_f‖², accurate even if the views nearly coincide [F25]
    apart = chord(z1, z2, first, second)
    shortfall = xp.sum(apart * apart, axis=1) / 2
    others = xp.where(identity_mask(z1, size["d"]), xp.zeros_like(correlation), correlation)
    redundancy = scale * others
    value = xp.sum(shortfall * shortfall) + xp.sum(redundancy * others)
    return value, Cache(first, second, apart, shortfall, redundancy)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    first, second, apart, shortfall, redundancy = cache
    xp = array_namespace(apart)
    twice = 2 * check_finite("upstream", upstream)
    # G v: 2λ C v off the diagonal, and −2(1 − C_ff) v_f on it, where v_f = u_f − chord_f and u_f is radial   [F26]
    pull = twice * shortfall[:, None] * apart
    du = twice * redundancy @ second.z + pull
    dv = twice * xp.matrix_transpose(redundancy) @ first.z - pull
    # ∂𝓛/∂z = (I − u uᵀ) ∂𝓛/∂u / (σ√B), a sum of centred columns, so centred too   [F26]
    dz1, dz2 = sphere.pull_back(first, du), sphere.pull_back(second, dv)
    return Gradients(*map(xp.matrix_transpose, (dz1, dz2)))


PARALLEL = IllConditioned(
    "columns of the views are nearly parallel, as any two of two rows are", "that of the pull across a column"
)

LOSS = declare(
    forward,
    backward,
    barlow_twins_example,
    variants=({"weight": 0.0}, {"weight": 1.0}),
    ill_conditioned={
        **dict.fromkeys(("z1", "z2"), PARALLEL),
        "value": IllConditioned("λ = 0 and all columns are parallel: rounding leaves less than eps⁴", "∞"),
    },
    fewest=2,
    drawn={"weight": (1e-4, 10.0)},
    tried={"weight": (0.0, 0, 1.0, 1, 5e-3, 100.0)},
    varying=("z1", "z2"),
    compares=True,
)
