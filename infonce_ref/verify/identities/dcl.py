"""dcl: ntxent without the positive in its denominator, and DCLW."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, at_most, float64, reduction, tangent, unit, weight
from .shared import exchanged, layouts, positives, rotated, scale_free, tangential


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


def never_below_dcl(case: Case) -> Iterator[Sides]:
    """F36: DCLW's loss is never below DCL's."""
    if case.arguments.get("sigma") is None:
        return
    whole = case.at(reduction=reduction(case))  # the inequality holds for the sum, not for each row
    yield at_most("w", whole.at(sigma=None).value(), whole.value(), value_terms(whole))


IDENTITIES = (rotated, exchanged, within_its_range, tangential, scale_free, layouts, never_below_dcl)
