"""dcl: ntxent without the positive in its denominator, and DCLW."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logsumexp, softmax

from ..case import Case
from .identity import (
    Sides,
    Terms,
    agree,
    another,
    at_most,
    declared,
    float64,
    reduction,
    tangent,
    unit,
    weight,
)
from .shared import concatenated, exchanged, layouts, positives, rotated, scale_free, tangential


class Rows(NamedTuple):
    """z, norm: unit rows and their lengths · logits (N, N): L · chosen, negatives (N, N): masks of the positive and
    of the negatives · share, pull (N,): N ρ, or 0, and W, or 1.
    """

    z: np.ndarray
    norm: np.ndarray
    logits: np.ndarray
    chosen: np.ndarray
    negatives: np.ndarray
    share: np.ndarray
    pull: np.ndarray


def prepare_rows(case: Case) -> Rows:
    """D3.3, F1, F34: the quantities from which value and gradient are computed."""
    (w,) = float64(case, "w")
    z, norm = unit(w), np.linalg.norm(w, axis=1, keepdims=True)
    n, sigma = len(z), case.arguments.get("sigma")
    cosine, chosen = z @ z.T, np.eye(n, dtype=bool)[positives(case)]
    share, pull = np.zeros(n), np.ones(n)
    if sigma is not None:
        share = n * softmax(cosine[chosen] / sigma)
        pull = 2 - share
    negatives = ~chosen & ~np.eye(n, dtype=bool)
    return Rows(z, norm, cosine / case.arguments["temperature"], chosen, negatives, share, pull)


def gradient(case: Case) -> dict[str, Terms]:
    """F2, F35, M7: (G + Gᵀ) Z / (N τ), projected by (I − z zᵀ)/‖w‖, and −(1/Nτ) Σ G°_ij L_ij, G° = r − W 1[j = p];
    if W is differentiated, G has the additional term (N/σ) ρ (s_ip − Σ_k ρ_k s_kp) at j = p.
    """
    z, norm, logits, chosen, negatives, share, pull = prepare_rows(case)
    tau = case.arguments["temperature"]
    r = softmax(np.where(negatives, logits, -np.inf), axis=1)
    held, size = r - pull[:, None] * chosen, r + (np.abs(pull) + share)[:, None] * chosen
    temperature = -np.sum(held * logits), np.sum(size * np.abs(logits))
    g = held
    if case.arguments.get("sigma") is not None and case.arguments.get("weights") != "constant":
        cosine, factor = tau * logits[chosen], share / case.arguments["sigma"]
        g = g + (factor * (cosine - np.mean(share * cosine)))[:, None] * chosen
        size = size + (factor * (np.abs(cosine) + np.mean(share * np.abs(cosine))))[:, None] * chosen
    value, terms = tangent(z, ((g + g.T) @ z, (size + size.T) @ np.abs(z)))
    scale = weight(case, len(z)) / tau
    found = {"w": (value / norm, terms / norm), "temperature": temperature}
    return {name: (scale * x, scale * terms) for name, (x, terms) in found.items()}


def compute_summands(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """F1, F34: for each row log Σ_{j≠i,p} e^{L_ij}, W_i L_ip, and the effect of an error of W_i on W_i L_ip."""
    _, _, logits, chosen, negatives, share, pull = prepare_rows(case)
    positive = logits[chosen]
    return logsumexp(np.where(negatives, logits, -np.inf), axis=1), pull * positive, share * np.abs(positive)


def value_terms(case: Case) -> float:
    """F1: the size of the terms in the value, which may cancel: each anchor's log-sum-exp and its positive's
    logit.
    """
    negatives, positive, inexact = compute_summands(case)
    sizes = np.abs(negatives) + np.abs(positive) + inexact
    return float(np.sum(weight(case, len(sizes)) * np.abs(case.upstream) * sizes))


def within_its_range(case: Case) -> Iterator[Sides]:
    """F1, M22: |ℓ_i − log(N−2)| ≤ 2/τ, because a similarity lies between −1 and 1."""
    if case.arguments.get("sigma") is not None:
        return
    n, tau = len(case.arguments["w"]), case.arguments["temperature"]
    scale = weight(case, n) * n
    middle, bound = scale * np.log(n - 2), scale * 2 / tau
    yield at_most("w", abs(case.value() - middle), bound, bound + middle)


def softplus_is_ntxent(case: Case) -> Iterator[Sides]:
    """F3, R7: NT-Xent's row is softplus(ℓ_i), and its gradient is this one's times q_i = sigmoid(ℓ_i)."""
    if not declared(case, "reduction") or case.arguments.get("sigma") is not None:
        return
    # the smallest temperature at which no q_i, which is at least e^{−2/τ}/(N − 1), underflows
    warm = case.at(temperature=max(case.arguments["temperature"], 0.01))
    losses = warm.at(reduction="none").run_passes()[0].astype(np.float64)
    options = {name: warm.arguments[name] for name in ("temperature", "layout") if name in warm.arguments}
    rest = {"w": float64(case, "w")[0], "reduction": "none"}
    _, expected = another("ntxent", weight(case, len(losses)) / expit(losses), **options, **rest)
    yield from agree(warm, expected)
    value, _ = another("ntxent", np.ones(len(losses)), **options, **rest)
    yield "w", np.sum(np.logaddexp(0, losses)), value, np.sum(np.logaddexp(0, np.abs(losses)))


def coinciding_views_are_dhn_nce(case: Case) -> Iterator[Sides]:
    """F3, F34, D4.9: if both views are equal, every weight is 1 and each negative counts twice: every row
    contributes DHN-NCE at β = 0 plus log 2.
    """
    options = {"temperature": case.arguments["temperature"], "beta1": 0.0, "beta2": 0.0, "reduction": "sum"}
    w, b = case.arguments["w"], len(case.arguments["w"]) // 2
    first = w[np.argsort(np.minimum(np.arange(2 * b), positives(case)), kind="stable")][::2]
    twice = case.at(w=np.concatenate([first, first]), **concatenated(case))
    (both,) = float64(twice, "w")
    z, norm = unit(both[:b]), np.linalg.norm(both, axis=1, keepdims=True)
    value, expected = another("dhn_nce", image=z, text=z, **options)
    scale = weight(case, 2 * b)
    slopes = np.concatenate([expected["image"], expected["text"]])
    slopes, _ = tangent(unit(both), (slopes, np.abs(slopes)))
    yield from agree(twice, {"w": scale * slopes / norm, "temperature": scale * expected["temperature"]})
    size = scale * 2 * b * (np.log(2 * b) + 2 / options["temperature"])
    yield "w", twice.value(), scale * (value + 2 * b * np.log(2)), size


def never_below_dcl(case: Case) -> Iterator[Sides]:
    """F36: DCLW's loss is never below DCL's."""
    if case.arguments.get("sigma") is None:
        return
    whole = case.at(reduction=reduction(case))  # the inequality holds for the sum, not for each row
    yield at_most("w", whole.at(sigma=None).value(), whole.value(), value_terms(whole))


IDENTITIES = (
    rotated,
    exchanged,
    within_its_range,
    tangential,
    scale_free,
    layouts,
    softplus_is_ntxent,
    coinciding_views_are_dhn_nce,
    never_below_dcl,
)
