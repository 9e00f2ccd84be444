"""One positive among scored candidates: query_key, cpc, instance and clip, each a form of the others."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import expit

from ..case import Case
from .identity import (
    GRADIENTS,
    Sides,
    Terms,
    agree,
    another,
    at_most,
    float64,
    follows,
    gradient_of,
    of,
    residual,
    summed,
    tangent,
    through_scores,
    unit,
    weight,
)


class Candidates(NamedTuple):
    """Of each query: its keys (n, 1+M, d), the positive first; their logits; G / τ, weighted as the loss is."""

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
    return Candidates(keys, logits, weight(case, n) / tau * residual(logits, np.zeros(n, dtype=int)))


@gradient_of("query_key")
def gradient_of_query_key(case: Case) -> dict[str, Terms]:
    """D2.9, M16, M7: (1/τ) Σ_a G_ia z_a for a query, (1/τ) G_ia q_i for each of its keys, −(1/τ) Σ G_ia L_ia."""
    (query,), (keys, _, g) = float64(case, "query"), candidates(case)
    negatives = "nk,nd->nkd" if case.arguments["negatives"].ndim == 3 else "nk,nd->kd"
    return {
        "query": summed("nk,nkd->nd", g, keys),
        "positive": summed("n,nd->nd", g[:, 0], query),
        "negatives": summed(negatives, g[:, 1:], query),
        "temperature": summed("nk,nkd,nd->", -g, keys, query / case.arguments["temperature"]),
    }


@of("query_key")
def sum_over_anchors(case: Case) -> Iterator[Sides]:
    """M6, D3.2: every row a query, they add up to InfoNCE's gradient, and without the row itself to NT-Xent's."""
    z = unit(np.concatenate(float64(case, "query", "positive"))).astype(case.dtype)
    n, tau = len(z), case.arguments["temperature"]
    rows = np.arange(n)
    partner = (rows + n // 2) % n
    options = {"temperature": tau, "reduction": case.arguments.get("reduction", "mean")}
    for loss, name, excluded in (("infonce", "z", [partner]), ("ntxent", "w", [partner, rows])):
        others = np.stack([np.delete(rows, out) for out in np.transpose(excluded)])
        batch = case.at(query=z, positive=z[partner], negatives=z[others])
        value, expected = another(loss, **{name: z.astype(np.float64)}, **options)
        got, terms = batch.gradients(), GRADIENTS["query_key"](batch)
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


def over_rows(n: int, *parts: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Adds every part's gradients to the rows that they belong to."""
    total = np.zeros((n, parts[0][1].shape[-1]))
    for index, gradient in parts:
        np.add.at(total, index, gradient)
    return total


@of("query_key")
def one_negative(case: Case) -> Iterator[Sides]:
    """M13: against one negative ℓ = softplus((s_n − s_p)/τ)."""
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


@of("query_key")
def bounded(case: Case) -> Iterator[Sides]:
    """M14: ‖∂ℓ_i/∂q_i‖ ≤ 2 (1 − P_ip) max‖k‖ / τ."""
    keys, _, g = candidates(case)
    bound = -2 * g[:, 0] * np.linalg.norm(keys, axis=2).max(axis=1)
    yield at_most("query", np.linalg.norm(case.gradients()["query"], axis=1), bound, bound)


@gradient_of("cpc")
def gradient_of_cpc(case: Case) -> dict[str, Terms]:
    """D1.7: ∂𝓛/∂u_ij = (P_ij − 1[j = p])/n."""
    (scores,) = float64(case, "scores")
    g = weight(case, len(scores)) * residual(scores, case.arguments["positive"])
    return {"scores": (g, np.abs(g))}


@of("cpc")
def balanced(case: Case) -> Iterator[Sides]:
    """D1.11: every row of ∂𝓛/∂scores sums to zero."""
    gradient = case.gradients()["scores"]
    yield "scores", gradient.sum(axis=1), np.zeros(len(gradient)), np.abs(gradient).sum(axis=1)


@of("cpc")
def free_up_to_context(case: Case) -> Iterator[Sides]:
    """D3.31, D2.1: a number g(c) added to every score of a row changes nothing."""
    scores = case.arguments["scores"]
    added = (np.arange(len(scores)) % 3 - 1)[:, None].astype(case.dtype)
    yield from follows(case, case.at(scores=scores + added))


@of("cpc")
def over_a_bank_of_basis_vectors(case: Case) -> Iterator[Sides]:
    """D3.30, D3.6: instance discrimination of u_i over the bank of the unit vectors e_j, at τ = 1."""
    (scores,) = float64(case, "scores")
    reduction = case.arguments.get("reduction", "mean")
    bank, index = np.eye(scores.shape[1]), case.arguments["positive"]
    value, expected = another(
        "instance", v=scores, bank=bank, index=index, temperature=1.0, reduction=reduction
    )
    yield from agree(case, {"scores": expected["v"]})
    yield "scores", case.value(), value, value


@gradient_of("instance")
def gradient_of_instance(case: Case) -> dict[str, Terms]:
    """M16, M7: (1/τ) Σ_j (p_ij − 1[own]) b_j, (1/τ) Σ_i (p_ij − 1[own]) v_i and −⟨G, L⟩/τ."""
    v, bank = float64(case, "v", "bank")
    g = residual(v @ bank.T / case.arguments["temperature"], case.arguments["index"])
    g *= weight(case, len(v), default="sum")
    return through_scores(case, "v", "bank", (g, np.abs(g)))


@of("instance")
def query_against_the_rest(case: Case) -> Iterator[Sides]:
    """D3.6, D2.7: the query's own row of the bank is its positive, the other rows are its negatives."""
    v, bank = float64(case, "v", "bank")
    own = case.arguments["index"]
    rest = np.stack([np.delete(np.arange(len(bank)), i) for i in own])
    options = {"temperature": case.arguments["temperature"]}
    options["reduction"] = case.arguments.get("reduction", "sum")
    value, there = another("query_key", query=v, positive=bank[own], negatives=bank[rest], **options)
    dbank = over_rows(len(bank), (own, there["positive"]), (rest, there["negatives"]))
    yield from agree(case, {"v": there["query"], "bank": dbank, "temperature": there["temperature"]})
    yield "v", case.value(), value, value


@gradient_of("clip")
def gradient_of_clip(case: Case) -> dict[str, Terms]:
    """M17: M = (P^r + P^c − 2I)/(2B), and M Y/τ, Mᵀ X/τ, −⟨M, L⟩/τ."""
    image, text = float64(case, "image", "text")
    scores, itself = image @ text.T / case.arguments["temperature"], np.arange(len(image))
    m = (residual(scores, itself) + residual(scores.T, itself).T) / (2 * len(image))
    return through_scores(case, "image", "text", (m, np.abs(m)))


@of("clip")
def images_for_texts(case: Case) -> Iterator[Sides]:
    """M17: the loss is symmetric, exchanging images and texts exchanges their gradients."""
    image, text = case.arguments["image"], case.arguments["text"]
    here = case.gradients()
    exchanged = here | {"image": here["text"], "text": here["image"]}
    yield from agree(case.at(image=text, text=image), exchanged)


@of("clip")
def half_rows_half_columns(case: Case) -> Iterator[Sides]:
    """M17, D3.6: half instance discrimination of images in a bank of texts, and half that of texts in images."""
    image, text = float64(case, "image", "text")
    options = {"index": np.arange(len(image)), "temperature": case.arguments["temperature"]}
    by_image, there = another("instance", v=image, bank=text, reduction="mean", **options)
    by_text, back = another("instance", v=text, bank=image, reduction="mean", **options)
    expected = {
        "image": (there["v"] + back["bank"]) / 2,
        "text": (there["bank"] + back["v"]) / 2,
        "temperature": (there["temperature"] + back["temperature"]) / 2,
    }
    yield from agree(case, expected)
    value = (by_image + by_text) / 2
    yield "image", case.value(), value, value


@of("query_key", "instance", "clip", "instance_nce", "dhn_nce")
def shared_feature(case: Case) -> Iterator[Sides]:
    """M26, D2.1: a feature 1 in every row adds 1/τ to every score and changes nothing."""
    queries, *keys = (name for name in case.loss.differentiable if name != "temperature")
    wider = case.at(**{name: np.insert(case.arguments[name], 0, 1, axis=-1) for name in (queries, *keys)})
    here, there = case.gradients(), wider.gradients()
    sizes = {name: size for name, (_, size) in GRADIENTS[case.loss.name](wider).items()}
    for name in (queries, *keys):
        yield name, there[name][..., 1:], here[name], sizes[name][..., 1:]
    yield "temperature", there["temperature"], here["temperature"], sizes["temperature"]
    # the feature's own gradients are the sums of ∂𝓛/∂scores over its rows and columns: 0 in all
    for name, side in ((queries, [queries]), (keys[0], keys)):
        total, size = (sum(np.sum(x[part][..., 0]) for part in side) for x in (there, sizes))
        yield name, total, 0.0, size
