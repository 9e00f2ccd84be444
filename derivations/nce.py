"""Noise-contrastive estimation: tell each datum from M noise samples, two classes at a time (D2, Eq. 1; D3)."""

from sympy import Expr, exp, log

from derivations.prover.notation import Definition, total
from derivations.prover.statement import Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import (
    M,
    N,
    a,
    i,
    k,
    log_p,
    log_p_noise,
    loss,
    nu,
    posterior,
    posterior_noise,
    u_data,
    u_noise,
)

FACTS = Facts(ranges={i: N, k: N, a: M})

DATUM = Definition(posterior[i], exp(u_data[i]) / (exp(u_data[i]) + M * exp(log_p[i])))  # [D3.10]
NOISE = Definition(
    posterior_noise[i, a], exp(u_noise[i, a]) / (exp(u_noise[i, a]) + M * exp(log_p_noise[i, a]))
)
LOSS = Definition(  # [D2.2, D3.18]
    loss, -total(log(posterior[i]) + total(log(1 - posterior_noise[i, a]), (a, M)), (i, N)) / nu
)
NAMES = (DATUM, NOISE, LOSS)

BY_DATUM = -M * exp(log_p[k]) / (exp(u_data[k]) + M * exp(log_p[k])) / nu  # −(1 − h)/ν
BY_NOISE = posterior_noise[k, a] / nu


def _bind(data_scores, noise_scores, *, log_noise_data, log_noise) -> dict:
    sizes = {N: len(data_scores), M: len(noise_scores[0]), nu: len(data_scores)}
    return sizes | {u_data: data_scores, u_noise: noise_scores, log_p: log_noise_data, log_p_noise: log_noise}


def _by(entry: Expr, form: Expr):
    return gradient(entry, form, "D3.18", loss=loss, names=NAMES, facts=FACTS)


STATEMENT = Statement(
    loss="nce",
    form=loss,
    names=NAMES,
    gradients={"data_scores": _by(u_data[k], BY_DATUM), "noise_scores": _by(u_noise[k, a], BY_NOISE)},
    bind=_bind,
)
