"""Donsker and Varadhan's bound, of a law and a score for each of its cells (R).

    Î = Σ_xc p(x,c) u_xc − log Z,   Z = Σ_xc p(x) p(c) e^{u_xc}         [F14]
    ∂Î/∂u_xc = p(x,c) − p(x) p(c) e^{u_xc}/Z                            [F14]

    u         scores of each x and each c                                       (K, M)
    p(x,c)    joint law, held constant                                          (K, M), ≥ 0, sum 1
    Î         nats; at most I(x;c)                                      [R9]

Î is I at u = log p(x,c)/(p(x) p(c)), and a number added to all scores changes nothing. The logarithm needs a mean
over the whole law; the mean over a batch gives another estimate, `mine`, which is not a bound.
"""

from typing import NamedTuple

from ..arrays import Array
from ..checks import check, check_finite
from ..elementary import stable_sum
from ..examples import donsker_varadhan_example
from ..isolation import isolate
from ..registry import IllConditioned, declare
from .batch import log_mean_exp_over_all
from .laws import check_law


class Cache(NamedTuple):
    """joint (K, M): the law, of sum 1 · shares (K, M): of each cell in Z."""

    joint: Array
    shares: Array


class Gradients(NamedTuple):
    """∂Î/∂scores (K, M); all of it sums to 0."""

    scores: Array


@isolate
def forward(scores: Array, *, joint: Array) -> tuple[Array, Cache]:
    """The estimate in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, a negative cell, a law whose sum is not 1 to half the digits of
    its dtype, NaN or infinity.
    Source: Donsker and Varadhan (1983); in this form, Belghazi et al. (2018), Theorem 1.

    >>> import numpy as np
    >>> from infonce_ref.information import donsker_varadhan, mutual_information
    >>> joint = np.array([[0.4, 0.1], [0.1, 0.4]])
    >>> value, _ = donsker_varadhan.forward(np.log(joint), joint=joint)  # both marginals are the same
    >>> print(f"{value:.6f} of {mutual_information(joint):.6f} nats")
    0.192745 of 0.192745 nats
    >>> _, cache = donsker_varadhan.forward(np.zeros((2, 2)), joint=np.array([[0.4, 0.1], [0.1, 0.4]]))
    >>> print(donsker_varadhan.backward(cache).scores)
    [[ 0.15 -0.15]
     [-0.15  0.15]]
    """
    xp, _ = check(scores=(scores, "K M"), joint=(joint, "K M"))
    _, joint, total = check_law("joint", joint, "K M")
    p = joint / total
    apart = stable_sum(p)[:, None] * stable_sum(p, axis=0)
    # −(log Z − E u)                                                          [F14, S1]
    above, shares = log_mean_exp_over_all(scores, apart, xp.sum(p * scores))
    return -above, Cache(p, shares)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · Î, from what `forward` cached."""
    joint, shares = cache
    # p(x,c) − p(x) p(c) e^u/Z                                                [F14]
    return Gradients(check_finite("upstream", upstream) * (joint - shares))


LOSS = declare(
    forward,
    backward,
    donsker_varadhan_example,
    variants=({"scale": 30.0}, {"scale": 300.0}),
    ill_conditioned={
        "scores": IllConditioned(
            "scores are the best ones: rounding of the law remains",
            "max (p(x,c) + p(x) p(c) e^u/Z) / max |p(x,c) − p(x) p(c) e^u/Z|",
        ),
        "value": IllConditioned("Î crosses 0", "(Σ p(x,c) |u_xc| + |log Z|) / |Î|"),
    },
    kinds={"scores": "score"},
    drawn={"others": (1, 256)},
)
