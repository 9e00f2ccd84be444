"""SigLIP: classifies each image and text as a pair or not, by a sigmoid of its own (document F)."""

from fractions import Fraction

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, fails
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    B,
    G,
    L,
    M,
    a,
    caption,
    chance,
    d,
    ell,
    f,
    g,
    i,
    image,
    j,
    k,
    log_p,
    log_p_noise,
    loss,
    nu,
    pair_sign,
    posterior,
    posterior_noise,
    siglip_bias,
    tau,
    u_data,
    u_noise,
)
from . import nce
from .clip import LOGITS

FACTS = Facts(ranges={i: B, j: B, k: B, f: d, g: d})


def softplus(x: Expr) -> Expr:
    """log(1 + e^x)."""
    return log(1 + exp(x))


PAIR, OTHER = softplus(-L[i, i] - siglip_bias), softplus(L[i, j] + siglip_bias)
ROW = Definition(ell[i], PAIR + total(Differ(j, i) * OTHER, (j, B)))
LOSS = Definition(loss, total(ell[i], (i, B)) / nu)
CHANCE = Definition(chance[i, j], exp(L[i, j] + siglip_bias) / (1 + exp(L[i, j] + siglip_bias)))
# σ̂ − 1[i = j], with 1 − σ̂ of a pair written as a sigmoid [S2]
ERROR = Definition(G[i, j], Differ(i, j) * chance[i, j] - one_if(i, j) / (1 + exp(L[i, j] + siglip_bias)))
NAMES = (LOGITS, ROW, LOSS, CHANCE, ERROR)

BY_INPUT = {  # input → (the variable, the gradient) [F10]
    "image": (image[k, f], total(G[k, j] * caption[j, f], (j, B)) / (nu * tau)),
    "text": (caption[k, f], total(G[i, k] * image[i, f], (i, B)) / (nu * tau)),
    "temperature": (tau, -total(G[i, j] * L[i, j], (j, B), (i, B)) / (nu * tau)),
    "bias": (siglip_bias, total(G[i, j], (j, B), (i, B)) / nu),
}


def _bind(image, text, *, temperature, bias, reduction="mean") -> dict:
    sizes = {B: len(image), d: len(image[0]), nu: divisor(len(image), reduction)}
    return sizes | {symbols.image: image, caption: text, tau: temperature, siglip_bias: bias}


STATEMENT = with_weights(
    Statement(
        loss="siglip",
        form=loss,
        names=NAMES,
        gradients={
            name: gradient(variable, form, "F10", loss=loss, names=NAMES, facts=FACTS)
            for name, (variable, form) in BY_INPUT.items()
        },
        bind=_bind,
    ),
    weigh_row(ERROR),
    facts=FACTS,
    rows=B,
)


@claim(
    "F9",
    printed=r"$-\frac{1}{|\mathcal{B}|} \sum_{i=1}^{|\mathcal{B}|} \sum_{j=1}^{|\mathcal{B}|}"
    r" \log \frac{1}{1 + e^{z_{ij}(-t \mathbf{x}_i \cdot \mathbf{y}_j + b)}}$, and in the algorithm"
    r" logits = dot(zimg, ztxt.T) * t + b; l = -sum(log_sigmoid(labels * logits)) / n",
    verdict=Verdict.CORRECTED,
    says="The two differ in the sign of the bias. If they agreed, the text of another image would add"
    " «printed»; that fails at the bias from which training starts, where the algorithm's term is small and"
    " the formula's is not.",
    right="The algorithm's: «row» and «loss», so that «whole»: for each pair, where «pair.where yˢ», it adds"
    " «pair», and for each other text, where «other.where yˢ», it adds «other». All terms are positive: within each"
    " logarithm is 1 and «positive».",
)
def the_sign_of_the_bias() -> dict[str, Piece]:
    term = softplus(-pair_sign[i, j] * (L[i, j] + siglip_bias))
    printed = softplus(pair_sign[i, j] * (-L[i, j] + siglip_bias))
    start = {L: [[0, 0]], pair_sign: [[1, -1]], siglip_bias: Fraction(-10), i: 0, j: 1}

    terms = one_if(i, j) * softplus(-L[i, j] - siglip_bias) + Differ(i, j) * OTHER

    def of(sign: int, value: Expr) -> Proof:
        return derive(
            term, (DEFINITION, value), names=(Definition(pair_sign[i, j], Integer(sign)),), facts=FACTS
        )

    return {
        "printed": fails(Relation(term, "=", printed), start),
        "row": ROW,
        "loss": LOSS,
        "whole": derive(
            loss, (DEFINITION, total(terms, (j, B), (i, B)) / nu), names=(ROW, LOSS), facts=FACTS
        ),
        "pair": of(1, softplus(-L[i, j] - siglip_bias)),
        "other": of(-1, OTHER),
        "positive": positive(exp(L[i, j] + siglip_bias)),
    }


@claim(
    "F10",
    verdict=Verdict.PROVED,
    says="«image», «text», «temperature» and «bias», where «error.chain»: no score's part depends on another"
    " score. So the bias stands still where the chances sum to the number of pairs, «stands».",
)
def gradients() -> dict[str, Piece]:
    error = chance[i, j] - one_if(i, j)
    chances = total(chance[i, j], (j, B), (i, B))
    return {
        **{name: by.prove() for name, by in STATEMENT.gradients.items()},
        "error": derive(G[i, j], (DEFINITION, error), names=NAMES, facts=FACTS),
        "stands": derive(total(G[i, j], (j, B), (i, B)), (DEFINITION, chances - B), names=NAMES, facts=FACTS),
    }


@claim(
    "F11",
    verdict=Verdict.PROVED,
    says="Noise-contrastive estimation sums the logarithms of «datum» and «sample» (D2.2), if the"
    " probability of its noise is one constant, «datum.where λ»: with an image's own text as the datum and"
    " the M others as the noise, these are the terms of SigLIP.",
)
def to_other_losses() -> dict[str, Piece]:
    constant = -siglip_bias - log(M)
    names = (*nce.NAMES, Definition(log_p[i], constant), Definition(log_p_noise[i, a], constant))
    datum, sample = 1 + exp(-u_data[i] - siglip_bias), 1 + exp(u_noise[i, a] + siglip_bias)
    return {
        "datum": derive(1 / posterior[i], (DEFINITION, datum), names=names, facts=nce.FACTS),
        "sample": derive(1 / (1 - posterior_noise[i, a]), (DEFINITION, sample), names=names, facts=nce.FACTS),
    }
