"""CLIP: images and their texts, each classified among all the others (named in document D3)."""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common.masks import bind_mask, name_form, state_masked
from ..common.statement import Statement, gradient
from ..common.weights import choose, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Empirical, Piece
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, Differ, Partial, one_if, total, unfold
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, Rule, derive
from ..prover.sums import Facts
from ..symbols import (
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
    kept,
    log_scale,
    loss,
    m,
    omega,
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
WEIGHTED_ERROR = Definition(  # the row of a pair and its column with its weight
    G[i, j],
    Differ(i, j) * (omega[i] * P[i, j] + omega[j] * columns[i, j])
    - one_if(i, j) * omega[i] * total(Differ(m, i) * (P[i, m] + columns[m, i]), (m, B)),
)
NAMES = (LOGITS, ROWS, COLUMNS, PAIR, LOSS, ERROR)
SAFE = (LOGITS, ROWS, COLUMNS, PAIR, LOSS, SAFE_ERROR)

BY_INPUT = {  # input → (the variable, the gradient) [M17]
    "image": (image[k, f], total(G[k, j] * caption[j, f], (j, B)) / (2 * B * tau)),
    "text": (caption[k, f], total(G[i, k] * image[i, f], (i, B)) / (2 * B * tau)),
    "temperature": (tau, -total(G[i, j] * L[i, j], (j, B), (i, B)) / (2 * B * tau)),
}


@claim(
    "M17",
    verdict=Verdict.PROVED,
    says="The loss is the mean of the cross-entropies of the rows and of the columns of the logits."
    " «logits.chain», where «rows» and «columns». So «image» and «text»; and «scale», the temperature being"
    " $e^{-υ}$.",
)
def gradients() -> dict[str, Piece]:
    by_logit = (P[i, j] + columns[i, j] - 2 * one_if(i, j)) / (2 * B)
    scale = Definition(tau, exp(-log_scale))
    by_scale = total(G[i, j] * L[i, j], (j, B), (i, B)) / (2 * B)

    def prove(first: Expr, *steps: tuple[Rule, Expr], names: tuple[Definition, ...] = NAMES) -> Proof:
        return derive(first, *steps, names=names, facts=FACTS)

    return {
        "logits": prove(Partial(loss, L[i, j]), (DERIVATIVE, by_logit), (DEFINITION, G[i, j] / (2 * B))),
        "rows": prove(total(P[i, j], (j, B)), (DEFINITION, Integer(1))),
        "columns": prove(total(columns[i, j], (i, B)), (DEFINITION, Integer(1))),
        "image": prove(Partial(loss, image[k, f]), (DERIVATIVE, BY_INPUT["image"][1])),
        "text": prove(Partial(loss, caption[k, f]), (DERIVATIVE, BY_INPUT["text"][1])),
        "scale": prove(Partial(loss, log_scale), (DERIVATIVE, by_scale), names=(*NAMES, scale)),
    }


@claim(
    "D3.47",
    printed="Rotation; Image Colorization; Jigsaw Puzzles; Context Prediction; (2) Create dataset classifier from"
    " label text",
    verdict=Verdict.NO_THEOREM,
    says="«title»; the last is from the paper on CLIP.",
    right="What can be proved is the gradient of that paper's loss (M17), and that in it images and texts may be"
    " exchanged: «exchange».",
)
def exchange() -> dict[str, Piece]:
    exchanged = unfold(loss, NAMES).xreplace({image: caption, caption: image})
    return {
        "title": Empirical("Titles of slides, without a formula"),
        "exchange": derive(loss, (DEFINITION, exchanged), names=NAMES, facts=FACTS),
    }


def _bind(image, text, *, temperature, keep=None, reduction="mean") -> dict:
    sizes = {B: len(image), d: len(image[0])}
    return sizes | bind_mask(keep) | {symbols.image: image, caption: text, tau: temperature}


STATEMENT = with_weights(
    Statement(
        loss="clip",
        form=loss,
        names=SAFE,
        gradients={
            name: gradient(variable, form, "M17", loss=loss, names=SAFE, facts=FACTS)
            for name, (variable, form) in BY_INPUT.items()
        },
        bind=_bind,
    ),
    WEIGHTED_ERROR,
    facts=FACTS,
    rows=B,
    divisor=B,
)

# with a mask: a score that is left out is missing from its row and from its column
STANDS = one_if(i, j) + Differ(i, j) * kept[i, j]
OF_ROW = exp(L[i, i]) + total(Differ(k, i) * kept[i, k] * exp(L[i, k]), (k, B))
OF_COLUMN = exp(L[j, j]) + total(Differ(k, j) * kept[k, j] * exp(L[k, j]), (k, B))
KEPT_NAMES = (
    LOGITS,
    Definition(P[i, j], STANDS * exp(L[i, j]) / OF_ROW),
    Definition(columns[i, j], STANDS * exp(L[i, j]) / OF_COLUMN),
    *(PAIR, LOSS, SAFE_ERROR),
)
STATEMENTS = {
    "": STATEMENT,
    "masked": state_masked(
        "clip", "M39", KEPT_NAMES, BY_INPUT, _bind, WEIGHTED_ERROR, facts=FACTS, rows=B, divisor=B
    ),
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The mean, as printed, over all candidates or those that a mask keeps; the sum has weights 1."""
    of = STATEMENTS[name_form(arguments)]
    return choose(of, arguments, printed=("mean",))


@claim(
    "M39",
    verdict=Verdict.PROVED,
    says="With a mask, $Y^k$ being 1 where a score is kept (M36), one that is left out is missing from its row and"
    " from its column: «image.where P» and «image.where Pᶜ», where pairs always stay. The gradients are the"
    " same as without: «image», «text» and «temperature», where «image.where G».",
    brief="With a mask, $Y^k$ being 1 where a score is kept, one that is left out is missing from its row and from"
    " its column, «image.where P», and the gradients are the same as without: «image».",
)
def masked() -> dict[str, Piece]:
    return {name: by.prove() for name, by in STATEMENTS["masked"].gradients.items()}
