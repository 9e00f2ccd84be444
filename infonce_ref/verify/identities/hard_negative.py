"""hard_negative: ntxent with weighted negatives and a correction for the anchor's own class."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, at_most, float64, tangent, unit, weight
from .shared import exchanged, layouts, positives, rotated, scale_free, tangential


class Rows(NamedTuple):
    """For each row: logits (N, N) · log U − L_ip · log of (N−2) g e^{−L_ip} · whether the estimate is above its
    floor · whether both are equal up to rounding · the condition number of the estimate if above, or 1 · the
    softmax of (1 + β)L and of βL over its negatives (N, N).
    """

    logits: np.ndarray
    ratio: np.ndarray
    margin: np.ndarray
    above: np.ndarray
    near: np.ndarray
    condition: np.ndarray
    hard: np.ndarray
    soft: np.ndarray


def rows(case: Case) -> Rows:
    """F29: the estimate, and its floor."""
    (w,) = float64(case, "w")
    n, p = len(w), positives(case)
    tau, beta, prior = (float(case.arguments[name]) for name in ("temperature", "beta", "prior"))
    logits = unit(w) @ unit(w).T / tau
    own, negative = logits[np.arange(n), p], ~(np.eye(n, dtype=bool) | np.eye(n, dtype=bool)[p])
    # a common factor of a row's weights cancels
    behind = beta * (logits - np.max(logits, axis=1, where=negative, initial=-np.inf, keepdims=True))
    weights = np.where(negative, behind, -np.inf)
    soft, hard = softmax(weights, axis=1), softmax(weights + logits, axis=1)
    ratio = logsumexp(weights + logits - own[:, None], axis=1) - logsumexp(weights, axis=1)
    with np.errstate(over="ignore", divide="ignore"):
        left = -np.expm1(np.log(prior) - ratio) / (1 - prior)
        estimate = ratio + np.log(np.maximum(left, 0))
    floor = -1 / tau - own
    margin = np.log(n - 2) + np.maximum(estimate, floor)
    # (U + τ⁺ e^{L_ip}) / (U − τ⁺ e^{L_ip})
    above, share = estimate > floor, np.exp(np.minimum(np.log(prior) - ratio, 0)) if prior else 0 * ratio
    condition = np.where(above, (1 + share) / np.where(above, 1 - share, 1), 1)
    near = np.abs(estimate - floor) <= case.tolerance * np.maximum(1, condition) / (1 - prior)
    return Rows(logits, ratio, margin, above, near, condition, hard, soft)


def gradient(case: Case) -> dict[str, Terms]:
    """F30: (G + Gᵀ) Z/(Nτ), projected by (I − z zᵀ)/‖w‖, and (Σ φ_i/τ − Σ G_ij L_ij)/(Nτ), where
    G_ij = P_i ((1 + β) r_ij − β ρ_ij) − 1[j = p] (P_i + φ_i)."""
    (w,) = float64(case, "w")
    z, norm, n = unit(w), np.linalg.norm(w, axis=1, keepdims=True), len(w)
    tau, beta, prior = (float(case.arguments[name]) for name in ("temperature", "beta", "prior"))
    here = rows(case)
    q, chosen = expit(here.margin), np.eye(n)[positives(case)]
    # P_i = (N−2) U_i e^{−L_ip} / ((1 − τ⁺) e^ℓ)
    share = np.exp(np.log(n - 2) + here.ratio - np.log1p(-prior) - np.logaddexp(0, here.margin))
    scale = weight(case, n) / tau

    def slopes(of_estimate: np.ndarray, of_floor: np.ndarray) -> tuple[Any, Any, Any, Any]:
        """The three parts of G, and φ, for the rows that use the estimate and for those at the floor."""
        shares, floored = share * of_estimate, q * of_floor
        push, soft = shares[:, None] * (1 + beta) * here.hard, shares[:, None] * beta * here.soft
        return push, soft, (shares + floored)[:, None] * chosen, floored

    push, soft, pull, floored = slopes(here.above, ~here.above)
    g = scale * (push - soft - pull)
    # near the kink the slope of either side is correct
    factor = np.where(here.near, 1 / case.tolerance, here.condition)
    push, soft, pull, unsure = slopes(here.above | here.near, ~here.above | here.near)
    size = scale * factor[:, None] * (push + soft + pull)
    # the positive's pull uses z_p − z_i, which is accurate even if they nearly coincide
    pulled = scale * np.sum(pull + pull.T, axis=1, keepdims=True) * np.abs(z)
    value, terms = tangent(z, ((g + g.T) @ z, (size + size.T) @ np.abs(z) + pulled))
    by_floor = scale * np.sum(floored) / tau, scale * np.sum(factor * unsure) / tau
    by_logits = -np.sum(g * here.logits), np.sum(size * np.abs(here.logits))
    return {
        "w": (value / norm, terms / norm),
        "temperature": (by_floor[0] + by_logits[0], by_floor[1] + by_logits[1]),
    }


def value(case: Case) -> Terms:
    """F29: the mean of log(1 + (N−2) g_i e^{−L_ip}), also where the textbook's e^L overflows."""
    here, scale = rows(case), weight(case, len(case.arguments["w"]))
    losses = np.logaddexp(0, here.margin)
    return scale * np.sum(losses), scale * np.sum(here.condition * losses)


def no_lower_than_its_floor(case: Case) -> Iterator[Sides]:
    """F29: as g_i ≥ e^{−1/τ} and s ≤ 1, ℓ_i ≥ log(1 + (N−2) e^{−2/τ})."""
    n, tau = len(case.arguments["w"]), case.arguments["temperature"]
    least = weight(case, n) * n * np.logaddexp(0, np.log(n - 2) - 2 / tau)
    value = case.value()
    yield at_most("w", least, value, value)


def a_larger_prior_is_a_smaller_loss(case: Case) -> Iterator[Sides]:
    """F29: if the positive's e^L is above the negatives' mean, the correction for the class lowers the estimate."""
    larger = case.at(prior=(1 + case.arguments["prior"]) / 2)
    if np.all(rows(case).ratio <= 0):
        yield at_most("w", larger.value(), case.value(), case.value())


IDENTITIES = (
    rotated,
    exchanged,
    tangential,
    scale_free,
    layouts,
    no_lower_than_its_floor,
    a_larger_prior_is_a_smaller_loss,
)
