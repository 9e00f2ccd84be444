"""Soft targets: the cross-entropy of scores against a distribution over the candidates (document F)."""

from sympy import Expr, Integer, Symbol, exp, log

from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, Proof, derive
from ..symbols import (
    A,
    G,
    L,
    N,
    P,
    a,
    counted,
    ell,
    i,
    j,
    k,
    loss,
    m,
    nu,
    number,
    p,
    selected,
    smoothing,
    target_share,
    u,
)
from . import cpc, ntxent, supcon
from .cpc import FACTS, SOFTMAX

ROW = Definition(ell[i], -total(target_share[i, a] * log(exp(u[i, a]) / total(exp(u[i, m]), (m, A))), (a, A)))
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)
# P_a − t_a, each times the sum of the others: no cancellation if the target is one candidate [S2]
ERROR = Definition(
    G[i, a], total(Differ(m, a) * (P[i, a] * target_share[i, m] - target_share[i, a] * P[i, m]), (m, A))
)
NAMES = (SOFTMAX, ROW, LOSS, ERROR)


def _bind(scores, *, targets, reduction="mean") -> dict:
    sizes = {N: len(scores), A: len(scores[0]), nu: divisor(len(scores), reduction)}
    return sizes | {u: scores, target_share: targets}


STATEMENT = with_weights(
    Statement(
        loss="soft_targets",
        form=loss,
        names=NAMES,
        gradients={"scores": gradient(u[k, a], G[k, a] / nu, "F5", loss=loss, names=NAMES, facts=FACTS)},
        bind=_bind,
    ),
    weigh_row(ERROR),
    facts=FACTS,
)


@claim(
    "F4",
    printed=r"$\ell = -\sum_{k=1}^K \log(p(k)) q(k)$, $p(k|x) = \frac{\exp(z_k)}{\sum_{i=1}^K \exp(z_i)}$",
    verdict=Verdict.DEFINITION,
    says="Printed in Rethinking the Inception Architecture for Computer Vision (Szegedy et al., 2016), of one"
    " row. «row» and «loss», all probabilities being positive: «positive». The targets of a row sum to 1. A"
    " constant added to all scores of a row changes nothing, «shift», nor does it in all rows: «whole».",
)
def definition() -> dict[str, Piece]:
    c = Symbol("c", real=True)
    moved = -total(
        target_share[i, a] * log(exp(u[i, a] + c) / total(exp(u[i, m] + c), (m, A))),
        (a, A),
    )
    return {
        "row": ROW,
        "loss": LOSS,
        "positive": positive(P[i, a], names=NAMES),
        "shift": derive(moved, (DEFINITION, ell[i]), names=NAMES, facts=FACTS),
        "whole": derive(total(moved, (i, N)) / nu, (DEFINITION, loss), names=NAMES, facts=FACTS),
    }


@claim(
    "F5",
    verdict=Verdict.PROVED,
    says="«scores», where «error»: as the targets sum to 1, each probability less its target. Each row sums"
    " to 0, «sum».",
)
def gradient_by_score() -> dict[str, Piece]:
    error = P[i, a] * total(target_share[i, m], (m, A)) - target_share[i, a]
    return {
        "scores": STATEMENT.gradients["scores"].prove(),
        "error": derive(G[i, a], (DEFINITION, error), names=NAMES, facts=FACTS),
        "sum": derive(total(G[i, a], (a, A)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS),
    }


@claim(
    "F6",
    verdict=Verdict.PROVED,
    says="With all weight on one candidate, «one.where Yᵗ», the loss «one.where ℓ» is InfoNCE over scores:"
    " «one». With label smoothing, «smooth.where Yᵗ», it is «smooth»: a part of InfoNCE's loss, and a part for"
    " all candidates alike. SupCon, its mean outside the logarithm, «supcon.where ℓ», is «supcon», where"
    " «supcon.where Yᵗ»: soft targets over all rows but the anchor.",
)
def to_other_losses() -> dict[str, Piece]:
    everyone = -total(log(P[i, a]), (a, A)) / A
    uniform = Definition(target_share[i, j], selected[i, j] / number[i])
    of_pairs = -total(target_share[i, j] * log(exp(L[i, j]) / ntxent.OTHERS), (j, N))
    spread = (1 - smoothing) * one_if(a, p[i]) + smoothing / A

    def with_targets(weight: Expr, last: Expr) -> Proof:
        names = (SOFTMAX, ROW, Definition(target_share[i, a], weight))
        return derive(ell[i], (DEFINITION, last), names=names, facts=FACTS)

    return {
        "one": with_targets(one_if(a, p[i]), cpc.ROW.body),
        "smooth": with_targets(spread, (1 - smoothing) * cpc.ROW.body + smoothing * everyone),
        "supcon": derive(
            ell[i],
            (DEFINITION, of_pairs),
            names=(supcon.FORMS["out"]["ℓ"], uniform, Definition(counted[i], Integer(1))),
            facts=supcon.CLASSES.facts,
        ),
    }
