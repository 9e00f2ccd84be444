"""DCL, decoupled contrastive learning: NT-Xent with the positive in no denominator (document F)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import Expr, Integer, Symbol, exp, log, sqrt

from .. import symbols
from ..common.pairs import divisor, positives
from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, holds
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..symbols import (
    G,
    L,
    N,
    P,
    d,
    ell,
    ell_decoupled,
    error_held,
    f,
    i,
    j,
    k,
    loss,
    m,
    nu,
    omega,
    p,
    positive_held,
    positive_share,
    positive_weight,
    s,
    tau,
    w,
    w_held,
    width,
)
from . import dhn_nce, ntxent
from .ntxent import BY_ROW, BY_TEMPERATURE, FACTS, LOGITS, LOSS

c = Symbol("c", real=True)


def negative(row: Expr, other: Expr) -> Expr:
    """1 where the other row is neither the row nor its positive."""
    return Differ(other, row) * Differ(other, p[row])


NEGATIVES = total(negative(i, k) * exp(L[i, k]), (k, N))  # Σ over k ≠ i, p(i)
ROW = Definition(ell[i], -log(exp(L[i, p[i]]) / NEGATIVES))
SOFTMAX = Definition(P[i, j], negative(i, j) * exp(L[i, j]) / NEGATIVES)  # of the negatives
ERROR = Definition(G[i, j], P[i, j] - one_if(j, p[i]))
NAMES = (NORM, UNIT, COSINE, LOGITS, ROW, LOSS, SOFTMAX, ERROR)


# DCLW: the pull on each positive is weighed by its cosine, or by a copy of it that no derivative sees
HELD = Definition(
    positive_held[i],
    total(w_held[i, f] * w_held[p[i], f], (f, d))
    / sqrt(total(w_held[i, f] ** 2, (f, d)))
    / sqrt(total(w_held[p[i], f] ** 2, (f, d))),
)


def measure_closeness(row: Expr) -> Expr:
    """e^{s_ip/σ} of a row i."""
    return exp(s[row, p[row]] / width)


SHARE, HELD_SHARE = (
    Definition(positive_share[i], of(i) / total(of(k), (k, N)))
    for of in (measure_closeness, lambda row: exp(positive_held[row] / width))
)
WEIGHT = Definition(positive_weight[i], 2 - N * positive_share[i])
WEIGHED_ROW = Definition(ell[i], log(NEGATIVES) - positive_weight[i] * L[i, p[i]])
HELD_ERROR = Definition(error_held[i, j], P[i, j] - positive_weight[i] * one_if(j, p[i]))


def add_slope(scale: Expr, mean: Expr) -> Definition:
    """The error where the weights move: (N/σ) ρ⁺ (s_ip − Σ_k ρ⁺_k s_kp) more at the positive."""
    slope = N / width * positive_share[i] * (scale * s[i, p[i]] - mean)
    return Definition(G[i, j], error_held[i, j] + one_if(j, p[i]) * slope)


MEAN = total(positive_share[m] * s[m, p[m]], (m, N))
WEIGHED_MEAN = total(omega[m] * positive_share[m] * s[m, p[m]], (m, N))
WEIGHED = (SHARE, WEIGHT, WEIGHED_ROW)
BEFORE, AFTER = (NORM, UNIT, COSINE, LOGITS), (WEIGHT, WEIGHED_ROW, LOSS, SOFTMAX)
DIFFERENTIATED = (*BEFORE, SHARE, *AFTER, HELD_ERROR, add_slope(Integer(1), MEAN))
CONSTANT = (*BEFORE, HELD, HELD_SHARE, *AFTER, Definition(G[i, j], HELD_ERROR.body))


def _bind(
    w, *, temperature, sigma=None, weights="differentiated", reduction="mean", layout="concatenated"
) -> dict:
    count = len(w)
    sizes = {N: count, d: len(w[0]), nu: divisor(count, reduction)}
    weighed = {} if sigma is None else {width: sigma, w_held: w}
    return sizes | weighed | {symbols.w: w, tau: temperature, p: positives(count, layout)}


def _statement(
    names: tuple[Definition, ...], claim: str, by_temperature: Expr, *weighted: Definition
) -> Statement:
    statement = Statement(
        loss="dcl",
        form=loss,
        names=names,
        gradients={
            "w": gradient(w[k, f], BY_ROW, claim, loss=loss, names=names, facts=FACTS),
            "temperature": gradient(tau, by_temperature, claim, loss=loss, names=names, facts=FACTS),
        },
        bind=_bind,
    )
    return with_weights(statement, *weighted, facts=FACTS)


# The weights do not contain the temperature, so that by it they are constant anyway.
WITH_WEIGHTS_HELD = -total(error_held[i, j] * L[i, j], (j, N), (i, N)) / (nu * tau)
STATEMENT = _statement(NAMES, "F2", BY_TEMPERATURE, weigh_row(ERROR))
STATEMENTS = {
    "": STATEMENT,
    "differentiated": _statement(
        DIFFERENTIATED, "F35", WITH_WEIGHTS_HELD, weigh_row(HELD_ERROR), add_slope(omega[i], WEIGHED_MEAN)
    ),
    "constant": _statement(CONSTANT, "F35", BY_TEMPERATURE, weigh_row(CONSTANT[-1])),
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """DCL's statement or, with sigma, DCLW's with weights differentiated or constant."""
    weighed = arguments.get("sigma") is not None
    return STATEMENTS[arguments.get("weights", "differentiated") if weighed else ""]


@claim(
    "F1",
    printed=r"$L_{DC,i}^{(k)} = -\log \frac{\exp(\langle z_i^{(1)}, z_i^{(2)} \rangle/\tau)}"
    r"{\sum_{l \in \{1,2\}, j \in [1,N], j \neq i} \exp(\langle z_i^{(k)}, z_j^{(l)} \rangle/\tau)}$",
    verdict=Verdict.DEFINITION,
    says="«row» and «loss», the rows of both views together, N of them: «odds». Of the terms of that sum"
    " «negatives» are not 0, all of them positive, «positive»; so one pair alone has no negative, and its"
    " loss would be the logarithm of 0. It can be negative: «negative».",
)
def definition() -> dict[str, Piece]:
    odds = total(negative(i, j) * exp(L[i, j] - L[i, p[i]]), (j, N))
    apart = {N: 4, d: 1, w: [[1], [-1], [1], [-1]], p: [2, 3, 0, 1], tau: Fraction(1), nu: Fraction(4)}
    return {
        "row": ROW,
        "loss": LOSS,
        "odds": derive(loss, (DEFINITION, total(log(odds), (i, N)) / nu), names=(ROW, LOSS), facts=FACTS),
        "negatives": derive(total(negative(i, j), (j, N)), (SUMS, N - 2), facts=FACTS),
        "positive": positive(exp(L[i, j] - L[i, p[i]])),
        "negative": holds("two pairs, far apart", Relation(loss, "<", Integer(0)), apart, names=NAMES),
    }


@claim(
    "F2",
    verdict=Verdict.PROVED,
    says="«row» and «temperature», as those of NT-Xent, with another $G$: «row.where G», where «row.where P»"
    " is the softmax of the negatives alone. So the positive is pulled with the whole weight 1, however near"
    " it is; and each row of $G$ sums to 0, «sum».",
)
def gradients() -> dict[str, Piece]:
    return {
        "row": STATEMENT.gradients["w"].prove(),
        "temperature": STATEMENT.gradients["temperature"].prove(),
        "sum": derive(total(G[i, j], (j, N)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS),
    }


@claim(
    "F3",
    verdict=Verdict.PROVED,
    says="NT-Xent is the softplus of this loss, row by row: «softplus», where «softplus.where ℓᵈ» and"
    " «softplus.where ℓ». Over the other view alone, as for images and texts, it is DHN-NCE with both"
    " hardnesses 0, «image.where ℓ»: «image» and «text», where «image.where O».",
)
def to_other_losses() -> dict[str, Piece]:
    beside = (ntxent.ROW, Definition(ell_decoupled[i], ROW.body))
    flat = dhn_nce.MASKED.also("β₁ := 0", "β₂ := 0")
    across = "ℓ[i] = -log(e^L[i,i] / Σ_m O[i,m] e^L[i,m])"

    return {
        "softplus": derive(ell[i], (DEFINITION, log(1 + exp(ell_decoupled[i]))), names=beside, facts=FACTS),
        "image": flat.piece(across),
        "text": flat.piece(dhn_nce.of_text(across)),
    }


@claim(
    "F34",
    verdict=Verdict.DEFINITION,
    says="DCLW (Yeh et al., 2022) weighs the pull on each positive: «row», where «weight» and «share»; what is"
    " subtracted from 2 is positive, «below». The weights sum to the number of rows, «sum»; where all positives"
    " have one cosine, «equal.where s», each is 1, «equal», and the loss is DCL's, «alike». In three pairs a"
    " weight can be negative, «negative»: a pair that is much nearer than the others is pushed apart.",
    brief="DCLW weighs the pull on each positive, «row», where «weight» and «share». They sum to the number of"
    " rows; one can be negative, and then the pair is pushed apart.",
)
def weighed() -> dict[str, Piece]:
    def prove(first: Expr, last: Expr, *more: Definition) -> Proof:
        return derive(first, (DEFINITION, last), names=(*more, *WEIGHED), facts=FACTS)

    # one pair coincides, two are opposite
    rows = {N: 6, d: 1, w: [[1], [1], [1], [1], [-1], [-1]], p: [3, 4, 5, 0, 1, 2], width: Fraction(1, 2)}
    same = Definition(s[i, j], c)
    below_0 = Relation(positive_weight[0], "<", Integer(0))
    return {
        "row": WEIGHED_ROW,
        "weight": WEIGHT,
        "share": SHARE,
        "below": positive(N * measure_closeness(i) / total(measure_closeness(k), (k, N))),
        "sum": prove(total(positive_weight[i], (i, N)), N),
        "equal": prove(positive_weight[i], Integer(1), same),
        "alike": prove(ell[i], ROW.body, same),
        "negative": holds("one pair of three is near", below_0, rows, names=DIFFERENTIATED),
    }


@claim(
    "F35",
    verdict=Verdict.PROVED,
    says="«held: w» and «held: temperature», as those of DCL, where the weights are held constant, «held: w.where"
    " G», by a copy of the rows that no derivative sees, «held: w.where ρ⁺» with «held: w.where s°»: the pull on"
    " a positive is its weight. Where they are differentiated, «w.where G» and «w.where"
    " G°», with «w.where ρ⁺»: a pair that is nearer than the mean of all, weighed by $ρ^+$, is pulled less, a"
    " farther one more. By the temperature, which no weight contains, the error is $G^{\\circ}$: «temperature».",
)
def gradients_of_weighed() -> dict[str, Piece]:
    both = {"": "differentiated", "held: ": "constant"}
    return {
        f"{name}{input}": by.prove()
        for name, mode in both.items()
        for input, by in STATEMENTS[mode].gradients.items()
    }


@claim(
    "F36",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="DCLW's loss is never below DCL's: «least», where «least.where ℓ» and «least.where ℓᵈ», with «least.where"
    " W⁺» and «least.where ρ⁺»; and it is DCL's where all positives have one cosine (F34). So its least value is"
    " DCL's, which batches reach whose partners coincide (M31).",
)
def never_below_dcl() -> dict[str, Piece]:
    difference = total(ell_decoupled[i] - ell[i], (i, N))
    by_share = Use(
        width / tau * positive_share[i], measure_closeness(k), ((k, N), (i, N)), measure_closeness(i)
    )
    names = (*WEIGHED, LOGITS, Definition(ell_decoupled[i], ROW.body))
    return {"least": bound(difference, by_share, last=Integer(0), names=names, facts=FACTS)}
