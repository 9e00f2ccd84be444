"""Cross-entropy against a distribution: label smoothing, several positives, distillation (F).

    ℓ_i = −Σ_a t_ia log P_ia                                            [F4]
    𝓛   = (1/n) Σ_i ℓ_i                                                 [F4]
    ∂ℓ_i/∂u_ia = P_ia − t_ia = Σ_m (P_ia t_im − t_ia P_im)              [F5]

    u    scores: row i a context, column a a candidate                          (n, K)
    t    targets: each row a distribution over its candidates, held constant    (n, K), ≥ 0, rows sum to 1
    P    softmax of each row                                                    (n, K)
    𝓛    nats; at least the mean entropy of the targets, with equality at P = t

A number added to a row of scores changes nothing. For a one-hot row of targets it is `cpc`. Nothing is singular:
equal scores share their probability.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace, detach
from ..checks import check, is_broken
from ..elementary import one_hot
from ..examples import soft_targets_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import IllConditioned, declare


class Cache(NamedTuple):
    """For each row: p, P and 1 − P · t, the targets and the sum of the others (n, K each) · reduction."""

    p: Array
    one_minus_p: Array
    targets: Array
    other_targets: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂scores (n, K); each row sums to 0."""

    scores: Array


@isolate
def forward(scores: Array, *, targets: Array, reduction: Reduction = "mean") -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, a target below 0, a row of targets
    whose sum is not 1 to half the digits of its dtype, NaN or infinity, an unknown reduction ("mean" over the n
    rows, "sum" or "none").
    Source: Szegedy et al. (2016), "Rethinking the Inception architecture for computer vision", Sec. 7.

    >>> import numpy as np
    >>> from infonce_ref.losses import soft_targets
    >>> value, _ = soft_targets.forward(np.log([[2.0, 1.0, 1.0]]), targets=np.array([[0.5, 0.25, 0.25]]))
    >>> print(f"{value:.6f} nats, the entropy of the targets: 1.5 log 2")
    1.039721 nats, the entropy of the targets: 1.5 log 2
    >>> _, cache = soft_targets.forward(np.log([[2.0, 1.0, 1.0]]), targets=np.array([[1.0, 0.0, 0.0]]))
    >>> print(soft_targets.backward(cache).scores)
    [[-0.5   0.25  0.25]]
    """
    xp, _ = check(scores=(scores, "n K"), targets=(targets, "n K"))
    if is_broken(xp.all(targets >= 0)):
        raise ValueError(f"targets must not be negative; got {float(xp.min(targets))}")
    error = xp.max(xp.abs(xp.sum(targets, axis=1) - 1))
    if is_broken(error <= xp.finfo(targets.dtype).eps ** 0.5):
        raise ValueError(
            f"each row of targets must sum to 1; got one that is {float(error):.2g} off: divide by the sums"
        )
    # −log P_a = (max u − u_a) + log(1 + S), where S is the sum of e^{u − max u} without one largest term:
    # every subtraction is exact, and no digit is lost as P → t             [F4, S1]
    largest = detach(xp.max(scores, axis=1, keepdims=True))
    exponentials = xp.exp(scores - largest)
    others = sum_others(exponentials)
    total = exponentials + others
    behind = xp.sum(xp.where(top(scores), others, xp.zeros_like(others)), axis=1, keepdims=True)
    losses = xp.sum(targets * ((largest - scores) + xp.log1p(behind)), axis=1)
    value = reduce_losses(losses, reduction)
    return value, Cache(exponentials / total, others / total, targets, sum_others(targets), reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    p, one_minus_p, targets, other_targets, reduction = cache
    # Σ_m (P_a t_m − t_a P_m), in which m = a cancels                         [F5, S2]
    slope = p * other_targets - targets * one_minus_p
    each = split_upstream(upstream, reduction, p)[:, None]
    return Gradients(each * slope)


def top(x: Array) -> Array:
    """Mask of the largest entry of each row, the first of a tie."""
    return one_hot(array_namespace(x).argmax(x, axis=1), x.shape[1])


def sum_others(x: Array) -> Array:
    """For each entry ≥ 0 return the sum of the others in its row. For the largest entry they are added up; any
    other entry is at most half of the row's sum, so that subtracting it is accurate.
    """
    xp = array_namespace(x)
    largest = top(x)
    zero = xp.zeros_like(x)
    rest, most = (
        xp.sum(y, axis=1, keepdims=True) for y in (xp.where(largest, zero, x), xp.where(largest, x, zero))
    )
    return xp.where(largest, rest, rest + (most - x))


LOSS = declare(
    forward,
    backward,
    soft_targets_example,
    variants=(
        {"spread": 0.0},
        {"spread": 1.0},
        {"scale": 30.0},
        {"scale": 300.0, "spread": 0.01},
        {"scale": 60.0, "spread": 0.0},
    ),
    ill_conditioned={
        "scores": IllConditioned(
            "P tends to t; at t = softmax(u) rounding of u and t remains",
            "max_a (P_a + t_a) / max_a |P_a − t_a|",
        )
    },
    kinds={"scores": "score"},
    drawn={"others": (1, 256), "columns": (1, 16)},
    tried={"others": (512, 1023, 4096)},
)
