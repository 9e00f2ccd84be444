"""dcl: ntxent without the positive in its denominator."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit, logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, agree, another, at_most, declared, float64, tangent, total, unit, weight
from .shared import concatenated, exchanged, layouts, positives, rotated, scale_free, tangential


def gradient(case: Case) -> dict[str, Terms]:
    """F2, M7: (G + Gᵀ) Z / (N τ), projected by (I − z zᵀ)/‖w‖, and −(1/Nτ) Σ G_ij L_ij, where G = r − 1[j = p]."""
    (w,) = float64(case, "w")
    z, norm = unit(w), np.linalg.norm(w, axis=1, keepdims=True)
    n, tau, p = len(z), case.arguments["temperature"], positives(case)
    logits, chosen = z @ z.T / tau, np.eye(n)[p]
    r = softmax(np.where(np.eye(n) + chosen, -np.inf, logits), axis=1)
    scale = weight(case, n) / tau
    g, size = scale * (r - chosen), scale * (r + chosen)
    value, terms = tangent(z, ((g + g.T) @ z, (size + size.T) @ np.abs(z)))
    temperature = -np.sum(g * logits), np.sum(size * np.abs(logits))
    return {"w": (value / norm, terms / norm), "temperature": temperature}


def value(case: Case) -> Terms:
    """F1: the mean of log Σ_{j≠i,p} e^{L_ij} − L_ip."""
    z = unit(*float64(case, "w"))
    logits, chosen = z @ z.T / case.arguments["temperature"], np.eye(len(z), dtype=bool)[positives(case)]
    negatives = np.where(np.eye(len(z)) + chosen, -np.inf, logits)
    return total(case, logsumexp(negatives, axis=1) - logits[chosen], least=1)


def value_terms(case: Case) -> float:
    """F1: the size of what the value sums and may cancel, each anchor's log-sum-exp and its positive's logit."""
    z = unit(*float64(case, "w"))
    n, chosen = len(z), np.eye(len(z), dtype=bool)[positives(case)]
    logits = z @ z.T / case.arguments["temperature"]
    negatives = logsumexp(np.where(np.eye(n) + chosen, -np.inf, logits), axis=1)
    return float(
        np.sum(weight(case, n) * np.abs(case.upstream) * (np.abs(negatives) + np.abs(logits[chosen])))
    )


def within_its_range(case: Case) -> Iterator[Sides]:
    """F1, M22: |ℓ_i − log(N−2)| ≤ 2/τ, for a similarity lies between −1 and 1."""
    n, tau = len(case.arguments["w"]), case.arguments["temperature"]
    scale = weight(case, n) * n
    middle, bound = scale * np.log(n - 2), scale * 2 / tau
    yield at_most("w", abs(case.value() - middle), bound, bound + middle)


def softplus_is_ntxent(case: Case) -> Iterator[Sides]:
    """F3, R7: NT-Xent's row is softplus(ℓ_i), and its gradient is this one's times q_i = sigmoid(ℓ_i)."""
    if not declared(case, "reduction"):
        return
    # the smallest temperature at which no q_i, which is at least e^{−2/τ}/(N − 1), underflows
    warm = case.at(temperature=max(case.arguments["temperature"], 0.01))
    rows = warm.at(reduction="none").passed()[0].astype(np.float64)
    options = {name: warm.arguments[name] for name in ("temperature", "layout") if name in warm.arguments}
    rest = {"w": float64(case, "w")[0], "reduction": "none"}
    _, expected = another("ntxent", weight(case, len(rows)) / expit(rows), **options, **rest)
    yield from agree(warm, expected)
    value, _ = another("ntxent", np.ones(len(rows)), **options, **rest)
    yield "w", np.sum(np.logaddexp(0, rows)), value, np.sum(np.logaddexp(0, np.abs(rows)))


def coinciding_views_are_dhn_nce(case: Case) -> Iterator[Sides]:
    """F3, D4.9: where both views are the same, each negative counts twice, and the rows make DHN-NCE at β = 0 and a
    log 2 each."""
    options = {"temperature": case.arguments["temperature"], "beta1": 0.0, "beta2": 0.0, "reduction": "sum"}
    w, b = case.arguments["w"], len(case.arguments["w"]) // 2
    first = w[np.argsort(np.minimum(np.arange(2 * b), positives(case)), kind="stable")][::2]
    twice = case.at(w=np.concatenate([first, first]), **concatenated(case))
    (rows,) = float64(twice, "w")
    z, norm = unit(rows[:b]), np.linalg.norm(rows, axis=1, keepdims=True)
    value, expected = another("dhn_nce", image=z, text=z, **options)
    scale = weight(case, 2 * b)
    both = np.concatenate([expected["image"], expected["text"]])
    slopes, _ = tangent(unit(rows), (both, np.abs(both)))
    yield from agree(twice, {"w": scale * slopes / norm, "temperature": scale * expected["temperature"]})
    size = scale * 2 * b * (np.log(2 * b) + 2 / options["temperature"])
    yield "w", twice.value(), scale * (value + 2 * b * np.log(2)), size


IDENTITIES = (
    rotated,
    exchanged,
    within_its_range,
    tangential,
    scale_free,
    layouts,
    softplus_is_ntxent,
    coinciding_views_are_dhn_nce,
)
