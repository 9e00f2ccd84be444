"""CLIP: images and their texts, each classified among all the others (named in document D3)."""

from sympy import exp, log

from .. import symbols
from ..claims import Verdict, claim
from ..prover.notation import Definition, Differ, Partial, one_if, total, unfold
from ..prover.proof import CHAIN, DEFINITION, DERIVATIVE, Proof, derive
from ..prover.statement import Statement, gradient
from ..prover.sums import Facts
from ..symbols import B, G, L, P, caption, columns, d, ell, f, g, i, image, j, k, log_scale, loss, m, tau

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


@claim(
    "M17",
    printed="",
    statement=r"The mean of the cross-entropies of the rows and of the columns of L = I T^T/\tau:"
    r" \partial \mathcal{L} / \partial L = M = (P^r + P^c - 2 \cdot 1)/(2B), with rows and columns of P^r, P^c that"
    r" sum to 1; \partial_I = M T/\tau, \partial_T = M^T I/\tau, and with t = \log(1/\tau),"
    r" \partial_t = \sum_{ij} M_{ij} L_{ij}.",
    verdict=Verdict.PROVED,
)
def gradients() -> tuple[Proof, ...]:
    by_logit = derive(
        Partial(loss, L[i, j]),
        (DERIVATIVE, (P[i, j] + columns[i, j] - 2 * one_if(i, j)) / (2 * B)),
        (DEFINITION, G[i, j] / (2 * B)),
        names=NAMES,
        facts=FACTS,
    )
    chain = derive(
        Partial(loss, image[k, f]),
        (CHAIN, total(Partial(loss, L[i, j]) * Partial(L[i, j], image[k, f]), (j, B), (i, B))),
        (DERIVATIVE, total(G[k, j] * caption[j, f], (j, B)) / (2 * B * tau)),
        names=NAMES,
        facts=FACTS,
    )
    scale = Definition(tau, exp(-log_scale))
    by_log_scale = derive(
        Partial(loss, log_scale),
        (DERIVATIVE, total(G[i, j] * L[i, j], (j, B), (i, B)) / (2 * B)),
        names=(*NAMES, scale),
        facts=FACTS,
    )
    return by_logit, chain, STATEMENT.gradients["text"].prove(), by_log_scale


@claim(
    "D3.47",
    printed="CLIP (Contrastive Language-Image Pre-training), Rotation, Jigsaw Puzzles, Context Prediction",
    statement="Titles without mathematics: there is nothing to prove. What can be proved instead is the gradient of"
    " the loss of CLIP's paper (M17), and that in it images and texts may be exchanged.",
    verdict=Verdict.NO_THEOREM,
)
def exchange() -> Proof:
    exchanged = unfold(loss, NAMES).xreplace({image: caption, caption: image})
    return derive(loss, (DEFINITION, exchanged), names=NAMES, facts=FACTS)


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
