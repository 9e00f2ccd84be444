"""Data told from noise: nce and instance_nce."""

from collections.abc import Iterator

import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, agree, another, at_most, float64, follows, gradient_of, of
from .keys import over_rows


@gradient_of("nce")
def posterior(case: Case) -> dict[str, Terms]:
    """D3.18, D3.10: −(1 − h)/n for the data and h/n for the noise, h = e^u/(e^u + m p_n)."""
    data, noise, log_data, log_noise = float64(
        case, "data_scores", "noise_scores", "log_noise_data", "log_noise"
    )
    n, m = noise.shape
    of_data, of_noise = m * np.exp(log_data), m * np.exp(log_noise)
    left = -of_data / (np.exp(data) + of_data) / n
    right = np.exp(noise) / (np.exp(noise) + of_noise) / n
    return {"data_scores": (left, np.abs(left)), "noise_scores": (right, np.abs(right))}


@of("nce")
def two_candidates(case: Case) -> Iterator[Sides]:
    """D2.1: InfoNCE of the pairs (u, log m p_n), where u is the positive of a datum and the negative of noise."""
    data, noise, log_data, log_noise = float64(
        case, "data_scores", "noise_scores", "log_noise_data", "log_noise"
    )
    n, m = noise.shape
    pairs = np.stack([np.append(data, noise), np.log(m) + np.append(log_data, log_noise)], axis=1)
    positive = np.append(np.zeros(n, dtype=int), np.ones(n * m, dtype=int))
    value, there = another("cpc", scores=pairs, positive=positive, reduction="sum")
    slopes = there["scores"][:, 0] / n
    yield from agree(case, {"data_scores": slopes[:n], "noise_scores": slopes[n:].reshape(n, m)})
    yield "data_scores", case.value(), value / n, value / n


@of("nce")
def relative_to_the_noise(case: Case) -> Iterator[Sides]:
    """D3.10: only u − log p_n counts."""
    names = ("data_scores", "noise_scores", "log_noise_data", "log_noise")
    yield from follows(case, case.at(**{name: case.arguments[name] + case.dtype.type(1) for name in names}))


@of("nce")
def normalised_by_itself(case: Case) -> Iterator[Sides]:
    """M24: the expected gradient of every symbol vanishes at e^u = p_d, that is at h = P_d/(P_d + m P_n)."""
    # two symbols: P_d = (¾, ¼) as 4 data, P_n = (½, ½) as 2 noise samples for each
    data, noise = np.array([0, 0, 0, 1]), np.array([[0, 1]] * 4)
    u, log_half = np.log([0.75, 0.25]).astype(case.dtype), np.log([0.5]).astype(case.dtype)[0]
    best = case.at(
        data_scores=u[data],
        noise_scores=u[noise],
        log_noise_data=np.full_like(u[data], log_half),
        log_noise=np.full_like(u[noise], log_half),
    )
    got = best.gradients()
    for symbol in (0, 1):
        parts = got["data_scores"][data == symbol], got["noise_scores"][noise == symbol]
        for name in got:
            yield name, np.sum(np.append(*parts)), 0.0, np.sum(np.abs(np.append(*parts)))


@gradient_of("instance_nce")
def estimated_posterior(case: Case) -> dict[str, Terms]:
    """D3.13, D3.18, M16: NCE with e^u = e_j/Ẑ, Ẑ = (K/m) Σ_k e_{j_k} and P_n = 1/K, differentiated through Ẑ."""
    v, bank = float64(case, "v", "bank")
    drawn = np.column_stack([case.arguments["index"], case.arguments["noise_index"]])
    tau, (n, m), k = case.arguments["temperature"], case.arguments["noise_index"].shape, len(bank)
    logits = np.einsum("nd,nkd->nk", v, bank[drawn]) / tau
    u = logits - np.log(k / m) - logsumexp(logits[:, 1:], axis=1, keepdims=True)
    uniform = np.full((n, 1 + m), -np.log(k))
    _, nce = another(
        "nce",
        data_scores=u[:, 0],
        noise_scores=u[:, 1:],
        log_noise_data=uniform[:, 0],
        log_noise=uniform[:, 1:],
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
    value, there = another("query_key", query=v, positive=bank[own], negatives=bank[noise], temperature=tau)
    dbank = over_rows(len(bank), (own, there["positive"]), (noise, there["negatives"]))
    return value, {"v": there["query"], "bank": dbank, "temperature": there["temperature"]}


@of("instance_nce")
def one_noise_sample(case: Case) -> Iterator[Sides]:
    """D3.17: −log ĥ is an InfoNCE term; with one noise sample the rest is log 2."""
    one = case.at(noise_index=case.arguments["noise_index"][:, :1])
    value, expected = contrast(one)
    yield from agree(one, expected)
    yield "v", one.value(), value + np.log(2), value + np.log(2)


@of("instance_nce")
def nearly_constant_rest(case: Case) -> Iterator[Sides]:
    """D3.17, D3.18: 𝓛 less the InfoNCE over ĥ lies between log 2 and m log(1 + 1/m)."""
    m, value, (info_nce, _) = case.arguments["noise_index"].shape[1], case.value(), contrast(case)
    yield at_most("v", np.log(2) + info_nce, value, value)
    yield at_most("v", value, m * np.log1p(1 / m) + info_nce, value)


@of("instance_nce")
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
