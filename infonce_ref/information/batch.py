"""Parts of the estimators that take the scores of a batch: row i the sample x_i, column j the context c_j.

    Ê u = (1/N) Σ_i u_ii                  the mean over the pairs, drawn together
    Z   = Σ_{i≠j} e^{u_ij}/(N(N − 1))     the mean of e^u over all others

Scores off the diagonal are of independent draws.
"""

from typing import Any

from ..arrays import Array, array_namespace, detach
from ..checks import check
from ..elementary import identity_mask, stable_sum


def pairs(scores: Array) -> tuple[Any, Array]:
    """Return the namespace of a batch's scores (N, N), and the mask of its pairs. Raises ValueError for another
    shape.
    """
    xp, size = check(scores=(scores, "N M"))
    if size["N"] != size["M"] or size["N"] < 2:
        raise ValueError(
            f"scores must have shape (N, N), N ≥ 2, each sample with each context; got {tuple(scores.shape)}: "
            "score every x of the batch with every c of it"
        )
    return xp, identity_mask(scores, size["N"])


def mean_of_pairs(scores: Array, together: Array) -> Array:
    """Ê u, the mean of the diagonal."""
    xp = array_namespace(scores)
    n, _ = scores.shape
    return xp.sum(xp.where(together, scores, xp.zeros_like(scores))) / n


def weigh_others(together: Array, like: Array) -> Array:
    """The weight of each score in a mean over independent draws, (N, N)."""
    xp = array_namespace(like)
    n, _ = like.shape
    return xp.where(together, xp.zeros_like(like), xp.full_like(like, 1 / (n * (n - 1))))


def log_mean_exp(scores: Array, weights: Array, origin: Array) -> tuple[Array, Array]:
    """log Σ w e^u − origin of each row, with weights ≥ 0 of sum 1, and the share of each term in the sum.

    No positive number is exponentiated. If the scores are nearly equal, no digits are lost: the argument of the
    logarithm is near 1, and computed from Σ w (e^u − 1) [S1].
    """
    xp = array_namespace(scores)
    counts = weights > 0
    largest = detach(xp.max(xp.where(counts, scores, -xp.inf), axis=1, keepdims=True))
    below = xp.where(counts, scores - largest, 0.0)
    terms = weights * xp.exp(below)
    total = stable_sum(terms)
    log_total = xp.where(total > 0.5, xp.log1p(stable_sum(weights * xp.expm1(below))), xp.log(total))
    return (largest[:, 0] - origin) + log_total, terms / total[:, None]


def log_mean_exp_over_all(scores: Array, weights: Array, origin: Array) -> tuple[Array, Array]:
    """`log_mean_exp` over both axes."""
    xp = array_namespace(scores)
    flat, of_each = (xp.reshape(x, (1, -1)) for x in (scores, weights))
    above, shares = log_mean_exp(flat, of_each, origin)
    return above[0], xp.reshape(shares, scores.shape)
