"""What an InfoNCE loss says about mutual information (D3).

    I(X;Y) ≥ log N − 𝓛                                                  [D3.32]

    N          the number given by the loss's setting in `SETTINGS`
    𝓛          the expected loss, nats

No loss of N candidates can show more than log N.
"""

import math
from collections.abc import Callable
from numbers import Integral
from typing import NamedTuple

from ..arrays import Array
from ..checks import check_choice, check_non_negative, nan_if_broken


class Setting(NamedTuple):
    """A setting: what is counted, and the N in the logarithm."""

    counted: str
    number: Callable[[int], int]


SETTINGS = {
    # one positive and N − 1 independent draws from its marginal, any scores    [P1]
    "cpc": Setting("candidates", lambda n: n),
    # P1 in each direction: the other pairs' texts, or images                   [P1]
    "clip": Setting("pairs", lambda b: b),
    # 2B − 1 candidates, but both views of an image depend on one another       [P2]
    "ntxent": Setting("pairs", lambda b: b),
    # 2B candidates, the anchor too; unit rows, both views of one law; 𝓛 ≥ log 2, so at most log B       [P3]
    "infonce": Setting("pairs", lambda b: 2 * b),
    # P1 if the queued keys are independent draws from the present encoder      [P5]
    "query_key": Setting("negatives", lambda k: k + 1),
}
DECOUPLED = ("dhn_nce", "decoupled")


@nan_if_broken
def bound(setting: str, loss: float | Array, **count: int) -> float | Array:
    """A lower bound on I(X;Y) in nats, log N − 𝓛.

    setting: a key of `SETTINGS`; loss: the expected loss in nats, which the loss of one batch estimates;
    count: candidates (cpc, the positive among them), pairs (clip, ntxent, infonce) or negatives (query_key).
    Raises ValueError for a setting in which there is no bound, a loss that is negative, the wrong count.
    Source: D3, InfoNCE; the N of each setting is that of P1, P2, P3 or P5.

    >>> from infonce_ref import information
    >>> print(f"{information.bound('cpc', 0.5, candidates=8):.4f} nats")
    1.5794 nats
    """
    if setting in DECOUPLED:
        raise ValueError(
            f"{setting} bounds no mutual information: its positive is not in the denominator, so that "
            "log N − loss grows without limit; use a loss whose denominator holds the positive"
        )
    check_choice("setting", setting, tuple(SETTINGS))
    counted, number = SETTINGS[setting]
    if list(count) != [counted] or not (isinstance(count[counted], Integral) and count[counted] >= 1):
        given = ", ".join(f"{name}={value!r}" for name, value in count.items()) or "nothing"
        raise ValueError(f"{setting} needs the positive integer {counted}=…; got {given}")
    check_non_negative("loss", loss)
    return math.log(number(count[counted])) - loss
