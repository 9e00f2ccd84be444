"""query_key: one positive and other keys for each query, with own negatives or one shared queue."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from ..case import Case
from .identity import (
    Sides,
    Terms,
    agree,
    another,
    at_most,
    declared,
    documented,
    float64,
    over_rows,
    residual,
    sum_products,
    tangent,
    unit,
    weight,
)
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


def sum_over_anchors(case: Case) -> Iterator[Sides]:
    """M6, D3.2: with every row as a query, the gradients add up to InfoNCE's, and without the row itself to
    NT-Xent's.
    """
    if (case.arguments["negatives"].ndim == 2 and not declared(case, "own")) or "keep" in case.arguments:
        return
    z = unit(np.concatenate(float64(case, "query", "positive"))).astype(case.dtype)
    case = case.normalise_rows()
    n, tau = len(z), case.arguments["temperature"]
    rows = np.arange(n)
    partner = (rows + n // 2) % n
    options = {"temperature": tau, "reduction": case.arguments.get("reduction", "mean")}
    for loss, name, excluded in (("infonce", "z", [partner]), ("ntxent", "w", [partner, rows])):
        others = np.stack([np.delete(rows, out) for out in np.transpose(excluded)])
        batch = case.at(query=z, positive=z[partner], negatives=z[others])
        value, expected = another(loss, **{name: z.astype(np.float64)}, **options)
        got, terms = batch.gradients(), documented(batch)
        total, size = (
            over_rows(n, (rows, x["query"]), (partner, x["positive"]), (others, x["negatives"]))
            for x in (got, {key: size for key, (_, size) in terms.items()})
        )
        if loss == "ntxent":
            total, size = tangent(unit(z.astype(np.float64)), (total, size))
        for part in ("query", "positive", "negatives"):
            yield part, total, expected[name], size
        yield "temperature", got["temperature"], expected["temperature"], terms["temperature"][1]
        yield "query", batch.value(), value, value


def one_negative(case: Case) -> Iterator[Sides]:
    """M13: against one negative ℓ = softplus((s_n − s_p)/τ)."""
    if "keep" in case.arguments:
        return
    one = case.at(negatives=case.arguments["negatives"][..., :1, :])
    query, positive, negatives = float64(one, "query", "positive", "negatives")
    apart = (negatives if negatives.ndim == 2 else negatives[:, 0]) - positive
    margin = np.sum(query * apart, axis=1) / one.arguments["temperature"]
    scale = weight(one, len(query)) * expit(margin)
    pull = scale[:, None] / one.arguments["temperature"] * query
    expected = {
        "query": scale[:, None] / one.arguments["temperature"] * apart,
        "positive": -pull,
        "negatives": pull[:, None] if negatives.ndim == 3 else pull.sum(axis=0, keepdims=True),
        "temperature": -np.sum(scale * margin) / one.arguments["temperature"],
    }
    yield from agree(one, expected)
    value = weight(one, len(query)) * np.sum(np.logaddexp(0, margin))
    yield "query", one.value(), value, value


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


IDENTITIES = (sum_over_anchors, one_negative, bounded, shared_feature, left_out_is_not_there, with_all_kept)
