"""Negatives, positives or targets with weights that depend on the similarities."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..digits import Numbers, exp, log, log_sum_exp, softplus
from .head import Masks, at_positive, by_direction, denominator, head, of_rows


def weighed(x: Numbers, by: Numbers, masks: Masks, e: Any) -> Numbers:
    """log of the negatives' sum, each weighed by W = count e^{e b} / Σ e^{e b}.    [D4.9]"""
    power = e * by
    weights = log_sum_exp(x + power, masks.others) - log_sum_exp(power, masks.others)
    return weights + log(masks.others.sum(-1) * (1 + 0 * x[..., 0])) - at_positive(x, masks)


def less_prior(s: Numbers, masks: Masks, t: Any, beta: Any, prior: Any) -> Numbers:
    """log(1 + m g e^{−x_p}), g = the mean of the weighed negatives minus the prior's share of e^{x_p}.  [F29]"""
    x = t * s
    above_it = exp(weighed(x, t * masks.weights_of(s), masks, beta))
    count = masks.others.sum(-1)
    floor = count * exp(-of_rows(t) - at_positive(x, masks))
    return log(1 + np.maximum((above_it - count * prior) / (1 - prior), floor))


@head(
    "hard negatives",
    "log Σ_n W_n e^{s_n/τ} − s_p/τ,  W_n = m e^{βs_n/τ} / Σ_k e^{βs_k/τ} over its m negatives",
    second="beta",
    grid=(0.1, 0.5, 1.0, 2.0),
)
def hard_negatives(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(weighed(t * s, t * masks.weights_of(s), masks, e), axis=-1)


@head(
    "hard negatives by direction",
    "log Σ_n W_n e^{s_n/τ} − s_p/τ,  W_n = m e^{βs_n/τ} / Σ_k e^{βs_k/τ}, "
    "β = beta1 of the first view's anchors, beta2 of the second's",
    second="beta1",
    grid=(0.1, 0.5, 1.0, 2.0),
    third="beta2",
    thirds=(0.2, 1.0),
)
def hard_by_direction(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    beta = by_direction(e, masks.numbers["beta2"] + 0 * e, masks)[..., None]
    return np.sum(weighed(x, t * masks.weights_of(s), masks, beta), axis=-1)


@head(
    "hard and debiased",
    "log(1 + m g e^{−s_p/τ}), g = max((U − τ⁺ e^{s_p/τ})/(1 − τ⁺), e^{−1/τ}), "
    "U = Σ_n e^{(1+β)s_n/τ} / Σ_n e^{βs_n/τ}",
    "negatives are weighed by hardness, and less the prior's share of the positive",
    second="beta",
    grid=(0.3, 1.0, 2.0),
    third="prior",
    thirds=(0.03, 0.15),
)
def hard_and_debiased(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    prior = masks.numbers["prior"]
    if not prior:
        return hard_against_positive(s, masks, t, e)
    return np.sum(less_prior(s, masks, t, e, prior), axis=-1)


@head(
    "debiased",
    "log(1 + m g e^{−s_p/τ}), g = max((mean_n e^{s_n/τ} − τ⁺ e^{s_p/τ})/(1 − τ⁺), e^{−1/τ})",
    "the prior's share of the positive is taken off the negatives",
    second="prior",
    grid=(0.01, 0.05, 0.1, 0.3),
)
def debiased(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(less_prior(s, masks, t, 0.0, of_rows(e)), axis=-1)


@head(
    "hard against the positive",
    "log(1 + m U e^{−s_p/τ}), U = Σ_n e^{(1+β)s_n/τ} / Σ_n e^{βs_n/τ}",
    "negatives are weighed by hardness",
    second="beta",
    grid=(0.1, 0.5, 1.0, 2.0),
)
def hard_against_positive(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(softplus(weighed(t * s, t * masks.weights_of(s), masks, e)), axis=-1)


def weighed_positives(times_batch: bool) -> Callable[..., Numbers]:
    """DCLW: the pull on each positive is weighed by 2 − softmax(s_p/σ) over the batch, possibly times B."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        x, own = t * s, at_positive(masks.weights_of(s), masks)
        sides = [side for side in (masks.first, ~masks.first) if side.any()]
        share: Any = 0.0
        for side in sides:
            scaled = own / of_rows(e)
            part = exp(np.where(side, scaled - log_sum_exp(scaled, side)[..., None], 0 * scaled)) * side
            share = share + part * (side.sum() if times_batch else 1)
        return np.sum(denominator(x, masks) - (2 - share) * at_positive(x, masks), axis=-1)

    return of


head(
    "positives weighed",
    "log Σ_{c∈D} e^{s_c/τ} − w s_p/τ,  w = 2 − B softmax(s_p/σ) over the batch",
    "the positives are weighed by 2 − B softmax(s_p/σ) over the batch, as in DCLW",
    second="sigma",
    grid=(0.1, 0.3, 0.5, 1.0),
)(weighed_positives(True))


head(
    "positives weighed, without B",
    "log Σ_{c∈D} e^{s_c/τ} − w s_p/τ,  w = 2 − softmax(s_p/σ) over the batch",
    "the positives are weighed by 2 − softmax(s_p/σ) over the batch, where DCLW has 2 − B softmax",
    second="sigma",
    grid=(0.1, 0.3, 0.5, 1.0),
)(weighed_positives(False))


def soft_targets(of_first: bool) -> Callable[..., Numbers]:
    """Cross-entropy in both directions against softmax(e (x·x′ + y·y′)/2), computed within the views."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        n, by = int(masks.first.sum()), masks.weights_of(s)
        alike = (by[..., :n, :n] + by[..., n:, n:]) / 2 * e
        targets = exp(alike - log_sum_exp(alike, np.ones((n, n), bool))[..., None])
        turned = np.swapaxes(targets, -1, -2)
        ours, theirs = (targets, turned) if of_first else (turned, targets)
        x, below = t * s, denominator(t * s, masks)[..., None]
        first = np.sum(ours * (below[..., :n, :] - x[..., :n, n:]), axis=(-1, -2))
        return first + np.sum(theirs * (below[..., n:, :] - x[..., n:, :n]), axis=(-1, -2))

    return of


head(
    "soft targets",
    "−Σ_c q_c log P_c, q the softmax of (x·x′ + y·y′) × sharpness/2 over the rows of the first view",
    "the targets are a softmax of both views' own similarities, not 1 at the partner",
    second="sharpness",
    grid=(0.05, 0.5, 1.0, 5.0, 20.0),
)(soft_targets(True))


head(
    "soft targets of the second view",
    "−Σ_c q_c log P_c, q the softmax of (x·x′ + y·y′) × sharpness/2 over the rows of the second view",
    "the targets are a softmax of both views' own similarities, not 1 at the partner",
    second="sharpness",
    grid=(0.05, 0.5, 1.0, 5.0, 20.0),
)(soft_targets(False))
