"""query_key: one positive and other keys for each query, with own negatives or one shared queue."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..case import Case
from .identity import Sides, Terms, agree, at_most, float64, residual, sum_products, weight
from .shared import shared_feature, with_all_kept


class Candidates(NamedTuple):
    """For each query: its keys (n, 1+M, d), the positive first; their logits; G / τ, weighted as the loss is."""

    keys: np.ndarray
    logits: np.ndarray
    g: np.ndarray


def candidates(case: Case) -> Candidates:
    """Every query beside its own copy of the negatives."""
    query, positive, negatives = float64(case, "query", "positive", "negatives")
    n, tau = len(query), case.arguments["temperature"]
    own = np.broadcast_to(negatives, (n, *negatives.shape[-2:]))
    keys = np.concatenate([positive[:, None], own], axis=1)
    logits = np.einsum("nd,nkd->nk", query, keys) / tau
    if "keep" in case.arguments:
        logits[:, 1:] = np.where(case.arguments["keep"], logits[:, 1:], -np.inf)
    return Candidates(keys, logits, weight(case, n) / tau * residual(logits, np.zeros(n, dtype=int)))


def gradient(case: Case) -> dict[str, Terms]:
    """D2.9, M16, M7: (1/τ) Σ_a G_ia z_a for a query, (1/τ) G_ia q_i for each of its keys, −(1/τ) Σ G_ia L_ia."""
    (query,), (keys, _, g) = float64(case, "query"), candidates(case)
    negatives = "nk,nd->nkd" if case.arguments["negatives"].ndim == 3 else "nk,nd->kd"
    return {
        # a matrix product, because einsum adds thousands of terms sequentially
        "query": tuple((a[:, None] @ b)[:, 0] for a, b in ((g, keys), (np.abs(g), np.abs(keys)))),
        "positive": sum_products("n,nd->nd", g[:, 0], query),
        "negatives": sum_products(negatives, g[:, 1:], query),
        "temperature": sum_products("nk,nkd,nd->", -g, keys, query / case.arguments["temperature"]),
    }


def bounded(case: Case) -> Iterator[Sides]:
    """M14: ‖∂ℓ_i/∂q_i‖ ≤ 2 (1 − P_ip) max‖k‖ / τ."""
    keys, _, g = candidates(case)
    bound = -2 * g[:, 0] * np.linalg.norm(keys, axis=2).max(axis=1)
    yield at_most("query", np.linalg.norm(case.gradients()["query"], axis=1), bound, bound)


def left_out_is_not_there(case: Case) -> Iterator[Sides]:
    """M40: a key that no query keeps has no gradient, and the loss is that without it."""
    if "keep" not in case.arguments or case.arguments["keep"].shape[1] < 2:
        return
    keep = np.array(case.arguments["keep"])
    keep[:, 0], keep[:, 1] = False, True
    here = case.at(keep=keep)
    fewer = here.at(negatives=case.arguments["negatives"][..., 1:, :], keep=keep[:, 1:])
    found, expected = here.gradients(), fewer.gradients()
    zero = np.zeros_like(found["negatives"][..., :1, :])
    yield from agree(here, expected | {"negatives": np.concatenate([zero, expected["negatives"]], axis=-2)})
    yield "query", here.value(), fewer.value(), fewer.value()


IDENTITIES = (bounded, shared_feature, left_out_is_not_there, with_all_kept)
