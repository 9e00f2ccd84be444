"""Mistakes: forms that nobody intends. A report prints the name of the mistake."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..digits import Numbers, exp, log, log_sum_exp, softplus
from .head import MARGIN, Masks, above, at_positive, denominator, head, log_plus, of_rows, probabilities, rows

SMALL = tuple(float(10.0**k) for k in range(-9, 2))
SHARE = (0.02, 0.1, 0.2, 0.4, 0.7)


BOUNDS = tuple(float(x) for x in np.geomspace(0.5, 100, 24))
SIDES: dict[str, tuple[str, Callable[..., Numbers]]] = {  # how a logit is clamped, and words
    "cut": ("clamped from above to the bound", np.minimum),
    "raised": ("clamped from below to −bound", lambda x, e: np.maximum(x, -e)),
    "clamped": ("clamped to ± bound", lambda x, e: np.minimum(np.maximum(x, -e), e)),
}
CLAMPED = {  # which logits are clamped, and where: the first word of the head, words, of the formula
    "logits": ("the logits are {}: pairs beyond the bound exert no force", "s/τ"),
    "positive": ("the positive's logit is {}: a pair beyond the bound has no pull", "s_p/τ"),
    "pull": (
        "the positive's logit is {} above the line, not below: a pair beyond the bound has no pull",
        "the last s_p/τ",
    ),
    "negatives": ("the negatives' logits are {}: one beyond the bound has no push", "s_n/τ"),
}


def clamp(which: str, side: Callable[..., Numbers]) -> Callable[..., Numbers]:
    """Cross-entropy with some of its logits clamped to a bound e."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        x = t * s
        within = side(x, e + 0 * x)
        if which == "pull":
            return np.sum(denominator(x, masks) - at_positive(within, masks), axis=-1)
        chosen: Any = {"logits": True, "positive": masks.positive, "negatives": ~masks.positive}[which]
        return np.sum(rows(np.where(chosen, within, x), masks), axis=-1)

    return of


for which, (told, where) in CLAMPED.items():
    for side, (how, function) in SIDES.items():
        head(
            f"{which} {side}",
            f"log Σ_{{c∈D}} e^{{s_c/τ}} − s_p/τ, {where} {how}",
            told.format(how),
            "logits clamped",
            second="bound",
            grid=BOUNDS,
        )(clamp(which, function))


@head(
    "double softmax",
    "log Σ_c e^{P_c} − P_p, P the softmax of s/τ",
    "the logits pass a softmax, and then a cross-entropy that takes another one",
    "double softmax",
)
def double_softmax(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(probabilities(t * s, masks), masks), axis=-1)


@head(
    "no logarithm",
    "−P_p, P the softmax of s/τ",
    "the probability of the positive, without its logarithm",
    "logarithm missing",
)
def no_logarithm(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return -np.sum(at_positive(probabilities(t * s, masks), masks), axis=-1)


@head(
    "label smoothing",
    "log Σ_{c∈D} e^{s_c/τ} − (1 − ε) s_p/τ − ε mean_c s_c/τ",
    "a share of each target is spread over all candidates, negatives among them",
    "label smoothing",
    second="ε",
    grid=SHARE,
)
def smoothed(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x, all_ = t * s, masks.others | masks.positive
    mean = np.sum(x * all_, axis=-1) / all_.sum(-1)
    share = of_rows(e)
    return np.sum(denominator(x, masks) - (1 - share) * at_positive(x, masks) - share * mean, axis=-1)


@head(
    "log of mean",
    "−log mean_i P_ip",
    "the probabilities are averaged over the batch before the logarithm",
    "log of the mean for mean of the log",
    whole=True,
)
def log_of_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    chosen = log_sum_exp(at_positive(x, masks) - denominator(x, masks), np.ones(len(masks.others), bool))
    return log(len(masks.others) * (1 + 0 * chosen)) - chosen


@head(
    "positive twice",
    "log(2 + Σ_n e^{(s_n − s_p)/τ})",
    "the positive enters the denominator twice: a perfect row still costs log 2",
    "positive counted twice",
)
def positive_twice(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(log_plus(2, above(t * s, masks)), axis=-1)


@head(
    "one more",
    "log(1 + Σ_{c∈D} e^{s_c/τ}) − s_p/τ",
    "a logit of 0 stays in the denominator and counts as e⁰ = 1: masked by 0 where −∞ belongs",
    "masked with 0 for −∞",
)
def one_more(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    return np.sum(log_plus(1, denominator(x, masks)) - at_positive(x, masks), axis=-1)


@head(
    "positive untempered",
    "log(e^{s_p} + Σ_n e^{s_n/τ}) − s_p",
    "only the negatives are divided by the temperature",
    "temperature missing on the positive",
)
def positive_untempered(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(np.where(masks.positive, s, t * s), masks), axis=-1)


@head(
    "positive untempered below",
    "log(e^{s_p} + Σ_n e^{s_n/τ}) − s_p/τ",
    "the positive is divided by the temperature above the line and not below",
    "temperature missing on the positive in the denominator",
)
def positive_untempered_below(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    below = np.where(masks.positive, s, t * s)
    return np.sum(denominator(below, masks) - at_positive(t * s, masks), axis=-1)


@head(
    "others untempered",
    "log(e^{s_p/τ} + Σ_n e^{s_n}) − s_p/τ",
    "only the positive is divided by the temperature",
    "temperature missing on the negatives",
)
def others_untempered(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(np.where(masks.positive, t * s, s), masks), axis=-1)


@head(
    "less e",
    "log(Σ_{c∈D} e^{s_c/τ} − e) − s_p/τ",
    "e is subtracted from the row sum for the anchor itself, but its term is e^{1/τ}",
    "self term subtracted without temperature",
)
def less_e(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    top = denominator(x, masks)
    return np.sum(top + log(np.maximum(1 - exp(1 - top), 1e-300)) - at_positive(x, masks), axis=-1)


@head(
    "whole matrix",
    "log Σ_{a,c} e^{s_ac/τ} − s_p/τ",
    "one softmax over the whole matrix, where each anchor should have its own",
    "softmax over the whole matrix",
)
def whole_matrix(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    every = log_sum_exp(denominator(x, masks), np.ones(len(masks.others), bool))
    return len(masks.others) * every - np.sum(at_positive(x, masks), axis=-1)


def everyones_negatives(averaged: bool) -> Callable[..., Numbers]:
    """One sum, or mean, over the negatives of all anchors."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        x = t * s
        every = log_sum_exp(log_sum_exp(x, masks.others), np.ones(len(masks.others), bool))
        every = every - averaged * log(masks.others.sum() * (1 + 0 * every))
        return np.sum(softplus(np.asarray(every)[..., None] - at_positive(x, masks)), axis=-1)

    return of


for averaged, how, sign in ((False, "summed", "Σ_a Σ_n"), (True, "averaged", "mean_a mean_n")):
    head(
        f"everyone's negatives {how}",
        f"log(e^{{s_p/τ}} + {sign} e^{{s_an/τ}}) − s_p/τ",
        f"each anchor's denominator has the negatives of all anchors: they are {how} over the anchors too",
        f"negatives {how} over the anchors too",
    )(everyones_negatives(averaged))


@head(
    "ratio of sums",
    "log Σ_a Σ_{c∈D} e^{s_ac/τ} − log Σ_a e^{s_ap/τ}",
    "the exponentials of all anchors are added before the logarithm, above the line and below",
    "logarithm of sums over the anchors",
    whole=True,
)
def ratio_of_sums(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x, each = t * s, np.ones(len(masks.others), bool)
    return log_sum_exp(denominator(x, masks), each) - log_sum_exp(log_sum_exp(x, masks.positive), each)


@head(
    "positives of all anchors",
    "log Σ_{c∈D} e^{s_c/τ} − log Σ_a e^{s_ap/τ}",
    "above the line each anchor has the positives of all anchors: their sum runs over the anchors too",
    "positives summed over the anchors too",
)
def everyones_positives(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    every = log_sum_exp(log_sum_exp(x, masks.positive), np.ones(len(masks.others), bool))
    return np.sum(denominator(x, masks) - every[..., None], axis=-1)


WITH_ITSELF: dict[str, tuple[str, Callable[..., Numbers]]] = {  # by how the positives p count, a among them
    "mean": ("mean_p s_p/τ", lambda below, x, p: below - np.sum(x * p, axis=-1) / p.sum(-1)),
    "sum": ("s_p/τ, summed over the p", lambda below, x, p: np.sum((below[..., None] - x) * p, axis=-1)),
    "sum inside": ("log Σ_p e^{s_p/τ}", lambda below, x, p: below - log_sum_exp(x, p)),
    "mean inside": (
        "log mean_p e^{s_p/τ}",
        lambda below, x, p: below - log_sum_exp(x, p) + log(p.sum(-1) * (1 + 0 * below)),
    ),
    "counted": (
        "mean_p s_p/τ, times count/(count + 1) of the p without a",
        lambda below, x, p: below * (1 - 1 / p.sum(-1)) - np.sum(x * p, axis=-1) / p.sum(-1),
    ),
}


def with_itself(form: str) -> Callable[..., Numbers]:
    """SupCon with the anchor among its positives, or counted as one of them."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        x, p = t * s, masks.positive if masks.itself is None else masks.positive | masks.itself
        if form == "counted":  # its own term is left out
            x = np.where(masks.positive, x, 0 * x)
        return np.sum(WITH_ITSELF[form][1](denominator(t * s, masks), x, p), axis=-1)

    return of


for form, (told, _) in WITH_ITSELF.items():
    head(
        f"itself a positive, {form}",
        f"log Σ_{{c∈D}} e^{{s_c/τ}} − {told}, a itself among the p",
        "the anchor stands among its own positives, or is counted as one: the mask of labels keeps its diagonal",
        "itself a positive",
    )(with_itself(form))


@head(
    "transposed",
    "log Σ_a e^{s_ac/τ} − s_p/τ",
    "the softmax runs over the anchors, where the candidates belong",
    "softmax over the wrong axis",
)
def transposed(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x, inside = t * s, masks.others | masks.positive if masks.with_positive else masks.others
    inside = inside | ~inside.any(0)  # a column that is in no denominator is no anchor's positive
    columns = log_sum_exp(x, inside, axis=-2)
    return np.sum(at_positive(columns[..., None, :] - x, masks), axis=-1)


@head(
    "clamped loss",
    "max(0, log Σ_{c∈D} e^{s_c/τ} − s_p/τ)",
    "the loss of each anchor is clamped at 0",
    "loss clamped at 0",
)
def clamped(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    loss = rows(t * s, masks)
    return np.sum(np.maximum(loss, 0 * loss), axis=-1)


@head(
    "linear",
    "−s_p + ε Σ_n s_n",
    "linear in every similarity: no softmax is left (arguments of the cross-entropy swapped?)",
    "linear in the scores",
    second="ε",
    grid=(-3.0, -1.0, -0.3, 0.02, 0.1, 0.5, 2.0),
    tempered=False,
    base="linear",
)
def linear(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(s * (e * masks.others - (1 * masks.positive)), axis=(-1, -2))


@head(
    "late hinge",
    "max(0, Σ_a Σ_n (s_n − s_p + margin))",
    "the sum over the batch is cut at 0, not each triplet: easy ones pay for those that are violated",
    "hinge after the mean",
    second="margin",
    grid=MARGIN,
    tempered=False,
    whole=True,
    base="hinge",
)
def late_hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = np.sum((s - np.sum(s * masks.positive, axis=-1, keepdims=True) + e) * masks.others, axis=(-1, -2))
    return np.maximum(gap, 0 * gap)


@head(
    "backward hinge",
    "Σ_n max(0, s_p − s_n + margin)",
    "the sign is flipped: positives are pushed away and negatives pulled near",
    "sign flipped",
    second="margin",
    grid=MARGIN,
    tempered=False,
    base="hinge",
)
def backward_hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = np.sum(s * masks.positive, axis=-1, keepdims=True) - s + e
    return np.sum(np.maximum(gap, 0 * gap) * masks.others, axis=(-1, -2))


@head(
    "epsilon",
    "log(ε + Σ_{c∈D} e^{s_c/τ}) − s_p/τ",
    "a number is added to the denominator",
    "number added to the denominator",
    second="ε",
    grid=SMALL,
)
def epsilon(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    return np.sum(log_plus(of_rows(e), denominator(x, masks)) - at_positive(x, masks), axis=-1)


@head(
    "epsilon inside the logarithm",
    "−log(P_p + ε), P the softmax of s/τ",
    "a number is added inside the logarithm: a row that is badly wrong exerts no force",
    "number added inside the logarithm",
    second="ε",
    grid=SMALL,
)
def epsilon_inside(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    inside = probabilities(x, masks) * masks.positive + (1 - masks.positive) + e
    return -np.sum(masks.positive * log(inside), axis=(-1, -2))
