"""Cross-entropy of a softmax over the candidates, and its varieties."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..digits import Numbers, log, log_sum_exp, softplus, sqrt
from .head import Masks, above, at_positive, by_direction, denominator, hardest, head, rows

TIMES = (0.1, 0.25, 0.5, 2.0, 4.0, 10.0)


@head("cross-entropy", "log Σ_{c∈D} e^{s_c/τ} − s_p/τ")
def cross_entropy(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(t * s, masks), axis=-1)


@head(
    "cross-entropy, mean inside",
    "log Σ_{c∈D} e^{s_c/τ} − log mean_p e^{s_p/τ}",
    "the positives' probabilities are averaged before the logarithm",
)
def inside(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """SupCon's other form."""
    count = np.maximum(masks.positive.sum(-1), 1)
    x = t * s
    shift = log(count * (1 + 0 * x[..., 0]))
    return np.sum(denominator(x, masks) - log_sum_exp(x, masks.positive) + shift, axis=-1)


@head(
    "cross-entropy, every positive",
    "Σ_p [log Σ_{c∈D} e^{s_c/τ} − s_p/τ]",
    "each pair is a term of its own, not a share of its anchor's",
)
def every_positive(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(t * s, masks) * masks.positive.sum(-1), axis=-1)


@head(
    "each positive alone",
    "mean_p log(1 + Σ_{n∈D} e^{(s_n − s_p)/τ})",
    "each positive stands against the negatives alone, never against another positive",
)
def alone_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    negatives = log_sum_exp(x, masks.others)[..., None]
    return np.sum(at_positive(softplus(negatives - x), masks), axis=-1)


@head(
    "each positive alone, every positive",
    "Σ_p log(1 + Σ_{n∈D} e^{(s_n − s_p)/τ})",
    "each pair is a term of its own: the positive against the negatives alone, never another positive",
)
def alone(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    negatives = log_sum_exp(x, masks.others)[..., None]
    return np.sum(softplus(negatives - x) * masks.positive, axis=(-1, -2))


def margin_of(side: Callable[[np.ndarray], Any]) -> Callable[..., Numbers]:
    """A margin on the positive, of the anchors of one view or of both."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        chosen = masks.positive & np.broadcast_to(side(masks.first), len(masks.first))[:, None]
        return np.sum(rows(t * (s - e * chosen), masks), axis=-1)

    return of


for name, when, where, side in (
    ("on the positive", "", "", lambda first: True),
    *(
        (
            f"of the {view} view",
            f" if the anchor is of the {view} view",
            f" in one direction, of the {view} view's anchors",
            side,
        )
        for view, side in (("first", lambda first: first), ("second", lambda first: ~first))
    ),
):
    head(
        f"margin {name}",
        f"log Σ_{{c∈D}} e^{{s_c/τ}} − s_p/τ, s_p less the margin{when}",
        f"a margin is taken off the positive's similarity{where}",
        second="margin",
        grid=(0.05, 0.2, 0.5),
    )(margin_of(side))


@head(
    "margin on the angle",
    "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, s_p = cos(θ_p + margin)",
    "a margin is added to the positive's angle, as in ArcFace",
    second="margin",
    grid=(0.1, 0.3, 0.6),
)
def margin_on_angle(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    angle = e + 0 * s
    turned = s * np.cos(angle) - sqrt(abs(1 - s * s)) * np.sin(angle)
    return np.sum(rows(t * np.where(masks.positive, turned, s), masks), axis=-1)


@head(
    "given negatives raised",
    "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, the anchor's given negatives by s_c/τ + shift",
    "the logit of each given negative of the anchor is raised by a shift: it counts e^shift times",
    second="shift",
    grid=(-1.0, 0.5, 2.0),
)
def given_raised(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(t * s + e * masks.given, masks), axis=-1)


@head(
    "pairwise",
    "Σ_n log(1 + e^{(s_n − s_p)/τ})",
    "each negative against the positive alone, not all in one sum",
)
def pairwise(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    return np.sum(
        softplus(x - np.sum(x * masks.positive, axis=-1, keepdims=True)) * masks.others, axis=(-1, -2)
    )


@head("hardest only", "log(1 + e^{(max_n s_n − s_p)/τ})", "only the hardest negative counts")
def hardest_only(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(softplus(hardest(t * s, masks) - at_positive(t * s, masks)), axis=-1)


@head("negatives averaged", "log(1 + mean_n e^{(s_n − s_p)/τ})", "the negatives are averaged, not summed")
def mean_of_others(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = above(t * s, masks)
    count = masks.others.sum(-1)
    return np.sum(softplus(x - log(count * (1 + 0 * x))), axis=-1)


@head(
    "rows and columns together",
    "log(Σ_c e^{s_ac/τ} + Σ_c e^{s_ca/τ}) − s_p/τ",
    "the candidates of both directions stand in one denominator, as in MIL-NCE",
)
def rows_and_columns(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """MIL-NCE: the candidates of a row and of a column share one denominator."""
    n, below = int(masks.first.sum()), denominator(t * s, masks)
    both = log_sum_exp(np.stack([below[..., :n], below[..., n:]], axis=-1), np.ones((n, 2), bool))
    return 2 * np.sum(both, axis=-1) - np.sum(at_positive(t * s, masks), axis=-1)


@head(
    "rows and columns together, positive once",
    "log(Σ_c e^{s_ac/τ} + Σ_{c≠p} e^{s_ca/τ}) − s_p/τ",
    "the candidates of both directions stand in one denominator, as in MIL-NCE, the positive once",
)
def positive_once(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Like `rows_and_columns`, with one term for each positive."""
    n, x = int(masks.first.sum()), t * s
    both = [
        log_sum_exp(x[..., :n, :], (masks.others | masks.positive)[:n]),
        log_sum_exp(x, masks.others)[..., n:],
    ]
    below = log_sum_exp(np.stack(both, axis=-1), np.ones((n, 2), bool))
    return 2 * np.sum(below, axis=-1) - np.sum(at_positive(x, masks), axis=-1)


@head(
    "cross-entropy, sum inside",
    "log Σ_{c∈D} e^{s_c/τ} − log Σ_p e^{s_p/τ}",
    "the positives' probabilities are added before the logarithm",
)
def summed_inside(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(denominator(t * s, masks) - log_sum_exp(t * s, masks.positive), axis=-1)


@head(
    "directions weighed",
    "2 share [log Σ_{c∈D} e^{s_c/τ} − s_p/τ], 1 − share for the second view's anchors",
    "the two directions are weighed, the first by its share",
    second="share",
    grid=(0.25, 0.75),
)
def directions_weighed(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(2 * by_direction(e, 1 - e, masks) * rows(t * s, masks), axis=-1)


@head(
    "a temperature by direction",
    "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, τ × ratio for the second view's anchors",
    "each direction has a temperature of its own",
    second="ratio",
    grid=TIMES,
)
def tempered_by_direction(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(t * s * by_direction(1 + 0 * e, 1 / e, masks)[..., None], masks), axis=-1)


@head(
    "two temperatures",
    "the sum over τ, and by weight over τ × ratio, of log Σ_{c∈D} e^{s_c/τ} − s_p/τ",
    "the sum of the loss at two temperatures",
    second="ratio",
    grid=(2.0, 4.0, 10.0),
    third="weight",
    thirds=(1.0,),
)
def two_temperatures(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    weight = masks.numbers["weight"]
    return np.sum(rows(t * s, masks) + weight * rows(t * s / e, masks), axis=-1)


@head(
    "negatives below a threshold",
    "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, only negatives with s_n ≤ threshold",
    "negatives whose similarity exceeds a threshold are dropped, as false ones",
    second="threshold",
    grid=(0.5, 0.7, 0.8, 0.9, 0.95, 0.99),
)
def below_threshold(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Leave out the negatives whose similarity exceeds e."""
    x = t * s
    gone = masks.others & (s > e)
    far = np.min(x, axis=-1, keepdims=True) - 1e4
    return np.sum(rows(np.where(gone, far, x), masks), axis=-1)


@head(
    "hardest few",
    "log(1 + Σ_n e^{(s_n − s_p)/τ}) over the k negatives nearest to the anchor",
    "only the k hardest negatives count",
    second="k",
    grid=(2.0, 3.0),
)
def hardest_few(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Keep only the e hardest negatives."""
    x = t * s
    far = np.min(x, axis=-1, keepdims=True) - 1e4
    of_others = np.where(masks.others, x, far)
    ranked = np.sort(of_others, axis=-1)[..., ::-1]
    count = np.vectorize(lambda k: round(float(k)), otypes=[int])(e + 0 * x[..., :1])
    last = np.take_along_axis(ranked, np.clip(count, 1, x.shape[-1]) - 1, -1)
    return np.sum(rows(np.where(masks.others & (x < last), far, x), masks), axis=-1)
