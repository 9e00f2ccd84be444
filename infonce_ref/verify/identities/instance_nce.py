"""instance_nce: distinguish each query's own row from noise rows, with a normaliser estimated from the noise."""

from collections.abc import Iterator

import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, another, at_most, float64, over_rows, reduction, weight
from .shared import shared_feature


def drawn_logits(case: Case) -> np.ndarray:
    """L of each query with its own row and with its noise rows (n, 1+m)."""
    v, bank = float64(case, "v", "bank")
    drawn = np.column_stack([case.arguments["index"], case.arguments["noise_index"]])
    return np.einsum("nd,nkd->nk", v, bank[drawn]) / case.arguments["temperature"]


def estimated(case: Case) -> np.ndarray:
    """u = log of e^L/Ẑ, Ẑ = (K/m) Σ_k e^{L_k} over the noise.                       [D3.13]"""
    logits, k = drawn_logits(case), len(case.arguments["bank"])
    m = logits.shape[1] - 1
    return logits - np.log(k / m) - logsumexp(logits[:, 1:], axis=1, keepdims=True)


def gradient(case: Case) -> dict[str, Terms]:
    """D3.13, D3.18, M16: NCE with e^u = e_j/Ẑ, Ẑ = (K/m) Σ_k e_{j_k} and P_n = 1/K, differentiated through Ẑ."""
    v, bank = float64(case, "v", "bank")
    drawn = np.column_stack([case.arguments["index"], case.arguments["noise_index"]])
    tau, (n, m), k = case.arguments["temperature"], case.arguments["noise_index"].shape, len(bank)
    logits, u = drawn_logits(case), estimated(case)
    uniform = np.full((n, 1 + m), -np.log(k))
    _, nce = another(
        "nce",
        data_scores=u[:, 0],
        noise_scores=u[:, 1:],
        log_noise_data=uniform[:, 0],
        log_noise=uniform[:, 1:],
        reduction=reduction(case),
    )
    g = np.column_stack([nce["data_scores"], nce["noise_scores"]])
    # ∂u_j/∂L_k = δ_jk − r_k, r the softmax over the noise
    r = np.column_stack([np.zeros(n), softmax(logits[:, 1:], axis=1)])
    slope = g - r * g.sum(axis=1, keepdims=True)
    size = np.abs(g) + r * np.abs(g).sum(axis=1, keepdims=True)
    dbank, of_dbank = (
        over_rows(k, (drawn, x[..., None] * y[:, None])) for x, y in ((slope, v), (size, abs(v)))
    )
    dv, of_dv = np.einsum("nk,nkd->nd", slope, bank[drawn]), np.einsum("nk,nkd->nd", size, abs(bank[drawn]))
    return {
        "v": (dv / tau, of_dv / tau),
        "bank": (dbank / tau, of_dbank / tau),
        "temperature": (-np.sum(v * dv) / tau**2, np.sum(abs(v) * of_dv) / tau**2),
    }


def contrast(case: Case) -> tuple[float, dict[str, np.ndarray]]:
    """The InfoNCE of each own row against its noise rows, with its gradients on the bank."""
    v, bank = float64(case, "v", "bank")
    own, noise, tau = (case.arguments[name] for name in ("index", "noise_index", "temperature"))
    options = {"temperature": tau, "reduction": reduction(case)}
    value, there = another("query_key", query=v, positive=bank[own], negatives=bank[noise], **options)
    dbank = over_rows(len(bank), (own, there["positive"]), (noise, there["negatives"]))
    return value, {"v": there["query"], "bank": dbank, "temperature": there["temperature"]}


def anchors(case: Case) -> float:
    """The weight of a constant that is added to each anchor's loss: 1 for the mean, the number of anchors for
    the sum.
    """
    n = len(case.arguments["v"])
    return n * weight(case, n)


def nearly_constant_rest(case: Case) -> Iterator[Sides]:
    """D3.17, D3.18: 𝓛 minus the InfoNCE over ĥ lies between log 2 and m log(1 + 1/m)."""
    m, value, (info_nce, _) = case.arguments["noise_index"].shape[1], case.value(), contrast(case)
    least, most = (anchors(case) * rest + info_nce for rest in (np.log(2), m * np.log1p(1 / m)))
    yield at_most("v", least, value, value)
    yield at_most("v", value, most, most)


def unbiased_normaliser(case: Case) -> Iterator[Sides]:
    """D3.13, D3.15, M24: over every draw of one noise sample E[1/ĥ] = 1/h, and so E[ĥ] ≥ h."""
    v, bank = float64(case, "v", "bank")
    own = case.arguments["index"][:1]
    draws = np.arange(len(bank), dtype=own.dtype)
    values = [
        case.at(v=case.arguments["v"][:1], index=own, noise_index=np.reshape(j, (1, 1))).value()
        for j in draws
    ]
    log_k, log_estimated = np.log(len(bank)), np.log(2) - np.array(values)  # log ĥ, since 𝓛 = log 2 − log ĥ
    log_p = log_softmax(bank @ v[0] / case.arguments["temperature"])[own[0]]
    log_exact = -np.logaddexp(0, -log_p - log_k)  # h = p/(p + 1/K)
    yield "v", logsumexp(-log_estimated) - log_k, -log_exact, log_exact
    yield at_most("v", log_exact, logsumexp(log_estimated) - log_k, log_exact)


IDENTITIES = (nearly_constant_rest, unbiased_normaliser, shared_feature)
