"""Instance discrimination by noise contrast, its normaliser estimated from the noise samples (document D3)."""

from sympy import Expr, exp, log

from derivations import symbols
from derivations.prover.notation import Definition, one_if, total
from derivations.prover.statement import Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import (
    G,
    K,
    L,
    L_positive,
    M,
    N,
    P,
    Y,
    a,
    b,
    d,
    f,
    i,
    j,
    k,
    loss,
    m,
    nu,
    p,
    posterior,
    posterior_noise,
    tau,
    v,
)

FACTS = Facts(ranges={i: N, k: N, j: K, m: M, a: M, f: d}, maps={p: (N, K)})

DRAWN = total(exp(L[i, m]), (m, M))  # Σ_k e_{j_k}, over the M noise samples

OWN = Definition(L_positive[i], total(v[i, f] * b[p[i], f], (f, d)) / tau)
LOGITS = Definition(L[i, a], total(v[i, f] * total(Y[i, a, j] * b[j, f], (j, K)), (f, d)) / tau)
POSTERIOR = Definition(posterior[i], exp(L_positive[i]) / (exp(L_positive[i]) + DRAWN))  # [D3.17]
NOISE = Definition(posterior_noise[i, a], exp(L[i, a]) / (exp(L[i, a]) + DRAWN))
LOSS = Definition(  # [D3.18]
    loss, -total(log(posterior[i]) + total(log(1 - posterior_noise[i, a]), (a, M)), (i, N)) / nu
)
# P, of a noise sample in the softmax that ĥ is: together they are 1 − ĥ [D3.17, S2]
SOFTMAX = Definition(P[i, a], exp(L[i, a]) / (exp(L_positive[i]) + DRAWN))
ERROR = Definition(  # ν ∂𝓛/∂L
    G[i, a],
    P[i, a] + posterior_noise[i, a] - exp(L[i, a]) / DRAWN * total(posterior_noise[i, m], (m, M)),
)
NAMES = (OWN, LOGITS, POSTERIOR, NOISE, LOSS, SOFTMAX, ERROR)

BY_FEATURE = total(G[k, a] * total(Y[k, a, j] * b[j, f], (j, K)) - P[k, a] * b[p[k], f], (a, M)) / (nu * tau)
BY_BANK = total((G[i, a] * Y[i, a, j] - P[i, a] * one_if(j, p[i])) * v[i, f], (a, M), (i, N)) / (nu * tau)
BY_TEMPERATURE = -total(G[i, a] * L[i, a] - P[i, a] * L_positive[i], (a, M), (i, N)) / (nu * tau)


def _bind(v, bank, *, index, noise_index, temperature) -> dict:
    draws = [[[int(row == j) for j in range(len(bank))] for row in rows] for rows in noise_index]
    sizes = {N: len(v), K: len(bank), M: len(noise_index[0]), d: len(v[0]), nu: len(v)}
    return sizes | {symbols.v: v, b: bank, p: index, Y: draws, tau: temperature}


def _by(entry: Expr, form: Expr):
    return gradient(entry, form, "D3.17", "D3.18", loss=loss, names=NAMES, facts=FACTS)


STATEMENT = Statement(
    loss="instance_nce",
    form=loss,
    names=NAMES,
    gradients={
        "v": _by(v[k, f], BY_FEATURE),
        "bank": _by(b[j, f], BY_BANK),
        "temperature": _by(tau, BY_TEMPERATURE),
    },
    bind=_bind,
)
