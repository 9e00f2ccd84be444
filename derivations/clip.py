"""CLIP: images and their texts, each classified among all the others (named in document D3)."""

from sympy import exp, log

from derivations import symbols
from derivations.prover.notation import Definition, Differ, one_if, total
from derivations.prover.statement import Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import (
    B,
    G,
    L,
    P,
    caption,
    columns,
    d,
    ell,
    f,
    g,
    i,
    image,
    j,
    k,
    loss,
    m,
    tau,
)

FACTS = Facts(ranges={i: B, j: B, k: B, f: d, g: d})

LOGITS = Definition(L[i, j], total(image[i, g] * caption[j, g], (g, d)) / tau)
ROWS = Definition(P[i, j], exp(L[i, j]) / total(exp(L[i, k]), (k, B)))
COLUMNS = Definition(columns[i, j], exp(L[i, j]) / total(exp(L[k, j]), (k, B)))
PAIR = Definition(ell[i], -(log(P[i, i]) + log(columns[i, i])) / 2)
LOSS = Definition(loss, total(ell[i], (i, B)) / B)
ERROR = Definition(G[i, j], P[i, j] + columns[i, j] - 2 * one_if(i, j))
# the same, with 2 − P_ii − Pᶜ_ii written as the sum of the other probabilities [S2]
OTHERS = total(Differ(m, i) * (P[i, m] + columns[m, i]), (m, B))
SAFE_ERROR = Definition(G[i, j], Differ(i, j) * (P[i, j] + columns[i, j]) - one_if(i, j) * OTHERS)
NAMES = (LOGITS, ROWS, COLUMNS, PAIR, LOSS, ERROR)
SAFE = (LOGITS, ROWS, COLUMNS, PAIR, LOSS, SAFE_ERROR)

BY_INPUT = {  # input → (the variable, the gradient) [M17]
    "image": (image[k, f], total(G[k, j] * caption[j, f], (j, B)) / (2 * B * tau)),
    "text": (caption[k, f], total(G[i, k] * image[i, f], (i, B)) / (2 * B * tau)),
    "temperature": (tau, -total(G[i, j] * L[i, j], (j, B), (i, B)) / (2 * B * tau)),
}


def _bind(image, text, *, temperature) -> dict:
    return {B: len(image), d: len(image[0]), symbols.image: image, caption: text, tau: temperature}


STATEMENT = Statement(
    loss="clip",
    form=loss,
    names=SAFE,
    gradients={
        name: gradient(variable, form, "M17", loss=loss, names=SAFE, facts=FACTS)
        for name, (variable, form) in BY_INPUT.items()
    },
    bind=_bind,
)
