"""supcon: every other row of the anchor's class is a positive."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit, logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, agree, at_most, declared, float64, reduction, tangent, unit
from .shared import rotated, scale_free, tangential, with_rows


def positives(case: Case) -> np.ndarray:
    """1 where row j is another of the class of row i."""
    labels = np.asarray(case.arguments["labels"])
    return (labels[:, None] == labels) * (1 - np.eye(len(labels)))


def shares(case: Case) -> np.ndarray:
    """The weight of each positive in the loss: 1/|P_i|, under a mean also divided by the number of anchors
    with a positive.
    """
    y = positives(case)
    count = y.sum(axis=1, keepdims=True)
    anchors = np.sum(count > 0) if reduction(case) == "mean" else 1
    return y / np.maximum(count, 1) / anchors


def scored(case: Case, slope: Terms) -> dict[str, Terms]:
    """Compute the gradients by the rows and the temperature from G = ∂𝓛/∂L.             [F23, M7]"""
    (w,) = float64(case, "w")
    z, norm, tau = unit(w), np.linalg.norm(w, axis=1, keepdims=True), case.arguments["temperature"]
    (g, size), s = slope, z @ z.T
    value, terms = tangent(z, ((g + g.T) @ z / tau, (size + size.T) @ np.abs(z) / tau))
    temperature = -np.sum(g * s) / tau**2, np.sum(size * np.abs(s)) / tau**2
    return {"w": (value / norm, terms / norm), "temperature": temperature}


def of_pairs(case: Case) -> bool:
    """Return whether each pair of an anchor and a positive is a term of its own, against the negatives alone."""
    return case.arguments.get("form", "out") == "pairs"


def before_negatives(case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For the form "pairs": the weight of each positive, 1 over the number of terms; the negatives' log-sum-exp
    minus the logit of each positive, −∞ elsewhere; and the logits of the negatives, −∞ elsewhere.
    """
    z, y = unit(*float64(case, "w")), positives(case)
    logits = z @ z.T / case.arguments["temperature"]
    others = np.where(y + np.eye(len(z)) > 0, -np.inf, logits)
    with np.errstate(divide="ignore"):
        above = logsumexp(others, axis=1, keepdims=True) - logits
    terms = max(y.sum(), 1) if reduction(case) == "mean" else 1
    return y / terms, np.where(y > 0, above, -np.inf), others


def gradient_over_pairs(case: Case) -> dict[str, Terms]:
    """F33: −(1 − P_ip) at each positive, P against the negatives alone; at a negative Σ_p (1 − P_ip) times its
    share of the negatives.
    """
    each, above, others = before_negatives(case)
    pull = each * expit(above)
    share = np.zeros_like(others)
    some = np.isfinite(others).any(axis=1)
    share[some] = softmax(others[some], axis=1)
    push = pull.sum(axis=1, keepdims=True) * share
    return scored(case, (push - pull, push + pull))


def gradient(case: Case) -> dict[str, Terms]:
    """F23: (G + Gᵀ) Z/τ, projected by (I − z zᵀ)/‖w‖, and −(1/τ) Σ G_ij L_ij, where G_ij = ψ⁺_i (P_ij − t_ij): at
    each positive t is 1/|P_i| in the form "out", its share of the positives' P in the form "in"."""
    if of_pairs(case):
        return gradient_over_pairs(case)
    (w,) = float64(case, "w")
    y, n = positives(case), len(w)
    p = softmax(np.where(np.eye(n), -np.inf, unit(w) @ unit(w).T / case.arguments["temperature"]), axis=1)
    each = shares(case).sum(axis=1, keepdims=True)
    if case.arguments.get("form", "out") == "in":
        total = np.sum(y * p, axis=1, keepdims=True)
        push, pull = (1 - y) * p, y * p / np.where(total > 0, total, 1) * ((1 - y) * p).sum(axis=1)[:, None]
    else:
        # Σ_m (P_ij t_im − t_ij P_im); its term m = j is 0
        t = y / np.maximum(y.sum(axis=1, keepdims=True), 1)
        push, pull = p * (t @ (1 - np.eye(n))), t * (p @ (1 - np.eye(n)))
    return scored(case, (each * (push - pull), each * (push + pull)))


def classes_by_other_names(case: Case) -> Iterator[Sides]:
    """F21: renaming the classes does not change the result."""
    yield from agree(case.at(labels=11 - 3 * case.arguments["labels"]), case.gradients())


def rows_in_any_order(case: Case) -> Iterator[Sides]:
    """F21: permuting the rows permutes their gradients."""
    labels = case.arguments["labels"]
    yield from with_rows(case, lambda x: x[::-1], labels=np.ascontiguousarray(labels[::-1]))


def alone_is_at_most_among_all(case: Case) -> Iterator[Sides]:
    """F33: against the negatives alone a term is at most what it is against all other rows."""
    if not declared(case, "form"):
        return
    outside, pairs = (case.at(form=form, reduction="none").run_passes()[0] for form in ("out", "pairs"))
    over_positives = outside * positives(case).sum(axis=1)
    yield at_most("w", pairs, over_positives, over_positives)


def inside_is_at_most_outside(case: Case) -> Iterator[Sides]:
    """R6: the loss with the mean inside the logarithm is the smaller one; with the mean outside, each loss is at
    least log |P_i|.
    """
    if not declared(case, "form"):
        return
    inside, outside = case.at(form="in").value(), case.at(form="out").value()
    each = shares(case)
    count = np.maximum(positives(case).sum(axis=1), 1)
    floor = np.sum(each.sum(axis=1) * np.log(count))
    yield at_most("w", inside, outside, outside)
    yield at_most("w", floor, outside, outside)


IDENTITIES = (
    rotated,
    tangential,
    scale_free,
    classes_by_other_names,
    rows_in_any_order,
    alone_is_at_most_among_all,
    inside_is_at_most_outside,
)
