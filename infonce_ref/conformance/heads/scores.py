"""Losses without a softmax: pulls, kernels, correlations, hinges, sigmoids."""

from typing import Any

import numpy as np

from ..digits import Numbers, exp, log, log_sum_exp, softplus
from .head import MARGIN, Masks, at_positive, denominator, hardest, head, of_rows

BIAS = tuple(float(b) for b in range(-14, 15, 2))
KERNEL = "log of the mean kernel"
CLIPS = tuple(float(x) for x in np.geomspace(0.05, 50, 31))


@head("pull", "−s_p", tempered=False, base="pull")
def pull(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return -np.sum(s * masks.positive, axis=(-1, -2))


@head(
    "power", "(−s_p)^α", second="exponent", grid=(0.3, 0.5, 1.0, 1.5, 2.0, 3.0), tempered=False, base="power"
)
def power(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Alignment: the distance of each pair to the power e."""
    apart = np.sum(-s * masks.positive, axis=-1)
    differ = apart > 0
    return np.sum(exp(of_rows(e) * log(apart + ~differ)) * differ, axis=-1)


@head(KERNEL, "log mean_{a,c} e^{s_ac/τ}", whole=True, base=KERNEL)
def log_of_mean_kernel(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Uniformity: the log of the mean of e^{ts} over all compared pairs."""
    each = denominator(t * s, masks)
    pairs = masks.others.sum() + masks.with_positive * masks.positive.sum()
    return log_sum_exp(each, np.ones(len(masks.others), bool)) - log(pairs + 0 * each[..., 0])


@head("pull and squares", "mean_n s_n² − 2 s_p", tempered=False, base="pull and squares")
def pull_and_squares(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """The spectral loss: the mean square of the others, less twice the positive."""
    squares = np.sum(s * s * masks.others, axis=-1) / np.maximum(masks.others.sum(-1), 1)
    return np.sum(squares - 2 * at_positive(s, masks), axis=-1)


@head(
    "decorrelated",
    "(1 − s_p)² + weight Σ_n s_n²",
    second="weight",
    grid=(0.005, 0.05, 0.5, 2.0),
    tempered=False,
    whole=True,
    base="decorrelated",
)
def decorrelated(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Barlow Twins: (1 − positive)², and the squares of the others."""
    short = 1 - at_positive(s, masks)
    return np.sum(short * short + of_rows(e) * np.sum(s * s * masks.others, axis=-1), axis=-1)


@head("hinge", "Σ_n max(0, s_n − s_p + margin)", second="margin", grid=MARGIN, tempered=False, base="hinge")
def hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = s - np.sum(s * masks.positive, axis=-1, keepdims=True) + e
    return np.sum(np.maximum(gap, 0 * gap) * masks.others, axis=(-1, -2))


@head(
    "hardest hinge",
    "max(0, max_n s_n − s_p + margin)",
    "only the hardest negative counts",
    second="margin",
    grid=MARGIN,
    tempered=False,
    base="hinge",
)
def hardest_hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = hardest(s, masks) - at_positive(s, masks) + of_rows(e)
    return np.sum(np.maximum(gap, 0 * gap), axis=-1)


@head(
    "hinge of the mean",
    "max(0, mean_n s_n − s_p + margin)",
    "the negatives of an anchor are averaged, not compared with the positive one by one",
    second="margin",
    grid=MARGIN,
    tempered=False,
    base="hinge",
)
def hinge_of_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    mean = np.sum(s * masks.others, axis=-1) / np.maximum(masks.others.sum(-1), 1)
    gap = mean - at_positive(s, masks) + of_rows(e)
    return np.sum(np.maximum(gap, 0 * gap), axis=-1)


@head("sigmoid without bias", "Σ_c log(1 + e^{−y_c s_c/τ}), y = ±1", base="sigmoid")
def unbiased_sigmoid(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return sigmoid(s, masks, t, 0)


@head("sigmoid", "Σ_c log(1 + e^{−y_c (s_c/τ + bias)}), y = ±1", second="bias", grid=BIAS, base="sigmoid")
def sigmoid(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Σ softplus(−y (x + e)), y = 1 at the positives and −1 at the others."""
    x = t * s + e
    return np.sum(softplus(-x) * masks.positive + softplus(x) * masks.others, axis=(-1, -2))


@head(
    "sigmoid of means",
    "log(1 + e^{−s_p/τ}) + mean_n log(1 + e^{s_n/τ})",
    "each score passes a sigmoid of its own; positives and negatives are averaged separately (Jensen–Shannon)",
    base="sigmoid",
)
def sigmoid_of_means(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    apart = np.sum(softplus(x) * masks.others, axis=-1) / np.maximum(masks.others.sum(-1), 1)
    return np.sum(at_positive(softplus(-x), masks) + apart, axis=-1)


def uniform_views(s: Numbers, masks: Masks, t: Any, share: Any = 0.5) -> Numbers:
    """The uniformity of each view, the first with this share."""
    each = denominator(t * s, masks)
    sides = [(masks.first, share), (~masks.first, 1 - share)]
    return sum(
        weight * (log_sum_exp(each, side) - log(masks.others[side].sum() + 0 * each[..., 0]))
        for side, weight in sides
    )


@head(
    "mean less log mean",
    "log mean_{a,n} e^{s_an/τ} − s_p/τ",
    "one logarithm of the mean over all unpaired rows (Donsker–Varadhan)",
    base=KERNEL,
)
def mean_less_log_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return clipped_less_log_mean(s, masks, t, None)


@head(
    "mean less log mean, clipped",
    "log mean_{a,n} e^{min(max(s_an/τ, −clip), clip)} − s_p/τ",
    "one logarithm of the mean over all unpaired rows, whose scores are clipped (SMILE)",
    second="clip",
    grid=CLIPS,
    base=KERNEL,
)
def clipped_less_log_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    inside = x if e is None else np.minimum(np.maximum(x, -e + 0 * x), e + 0 * x)
    return len(masks.others) * log_of_mean_kernel(inside, masks, 1, e) - np.sum(
        at_positive(x, masks), axis=-1
    )


@head(
    "mean less mean of exponentials",
    "mean_n e^{s_n/τ + offset − 1} − s_p/τ − offset",
    "the mean of the unpaired rows' exponentials, without a logarithm (NWJ)",
    second="offset",
    grid=(-1.0, 0.0, 1.0),
    base="mean less mean of exponentials",
)
def mean_less_exponentials(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    count = np.maximum(masks.others.sum(-1), 1)
    apart = np.sum(exp(t * s + e - 1) * masks.others, axis=-1) / count
    return np.sum(apart - at_positive(t * s, masks) - of_rows(e), axis=-1)


@head(
    "uniformity of each view",
    "log mean_{a,c} e^{s_ac/τ} of each view, averaged",
    "each view has a uniformity of its own, and these are averaged",
    whole=True,
    base=KERNEL,
)
def uniformity_of_views(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return uniform_views(s, masks, t)


@head(
    "uniformity of each view, weighed",
    "log mean_{a,c} e^{s_ac/τ} of each view, the first by its share",
    "each view has a uniformity of its own, and these have unlike weights, the first its share",
    second="share",
    grid=(0.3, 0.7),
    whole=True,
    base=KERNEL,
)
def weighed_views(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return uniform_views(s, masks, t, e[..., 0, 0] if np.ndim(e) else e)


@head(
    "alignment and uniformity",
    "mean_p (−s_p) + weight × log mean_{a,c} e^{s_ac/τ} of each view, averaged",
    "it is alignment, and by weight the uniformity of each view, averaged",
    second="weight",
    grid=(0.2, 1.0, 3.0),
    whole=True,
    base=KERNEL,
)
def aligned_and_uniform(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    apart = -np.sum(at_positive(s, masks), axis=-1) / len(masks.positive)
    share = masks.numbers.get("share", 0.5)
    return apart + (e[..., 0, 0] if np.ndim(e) else e) * uniform_views(s, masks, t, share)


head(
    "alignment and uniformity, views weighed",
    "mean_p (−s_p) + weight × log mean_{a,c} e^{s_ac/τ} of each view, the first by its share",
    "it is alignment, and by weight the uniformity of each view, unlike for the two, the first by its share",
    second="weight",
    grid=(0.2, 1.0, 3.0),
    third="share",
    thirds=(0.3, 0.7),
    whole=True,
    base=KERNEL,
)(aligned_and_uniform)


@head(
    "pulls of two views",
    "−2 share s_p of the first view's predictions, 1 − share of the second's",
    "the terms of the two predictions have unlike weights, the first its share",
    second="share",
    grid=(0.3, 0.7),
    tempered=False,
    base="pull",
)
def pulls_of_views(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """The first half of the rows are predictions of the first view."""
    n = len(masks.positive)
    share = np.where(np.arange(n) < n // 2, of_rows(e), 1 - of_rows(e))
    return -2 * np.sum(share * at_positive(s, masks), axis=-1)
