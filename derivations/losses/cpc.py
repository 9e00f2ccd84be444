"""InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the one? (D2, Eq. 2; D3)"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common.masks import bind_mask, define_masked_rows, is_kept, name_form
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, fails, holds
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import A, G, N, P, a, ell, i, k, kept, loss, m, nu, p, u

FACTS = Facts(ranges={i: N, k: N, a: A, m: A}, maps={p: (N, A)})

SOFTMAX = Definition(P[i, a], exp(u[i, a]) / total(exp(u[i, m]), (m, A)))
ROW = Definition(ell[i], -log(exp(u[i, p[i]]) / total(exp(u[i, m]), (m, A))))  # [D3.30]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)
# G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [S2]
ERROR = Definition(
    G[i, a], Differ(a, p[i]) * P[i, a] - one_if(a, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, A))
)
NAMES = (SOFTMAX, ROW, LOSS, ERROR)

# some candidates left out: the positive always stands in the denominator
MASKED_FACTS = Facts(ranges=FACTS.ranges, maps={p: (N, A)}, masks=(kept,))
MASKED = (*define_masked_rows(lambda i, a: u[i, a], is_kept, a, A), LOSS, ERROR)


def _bind(scores, *, positive, keep=None, reduction="mean") -> dict:
    sizes = {N: len(scores), A: len(scores[0]), nu: divisor(len(scores), reduction)}
    return sizes | bind_mask(keep) | {u: scores, symbols.p: positive}


def _statement(names: tuple[Definition, ...], cited: str, facts: Facts) -> Statement:
    by_scores = gradient(u[k, a], G[k, a] / nu, cited, loss=loss, names=names, facts=facts)
    statement = Statement(loss="cpc", form=loss, names=names, gradients={"scores": by_scores}, bind=_bind)
    return with_weights(statement, weigh_row(ERROR), facts=facts)


STATEMENT = _statement(NAMES, "D1.7", FACTS)
MASKED_STATEMENT = _statement(MASKED, "M36", MASKED_FACTS)
STATEMENTS = {"": STATEMENT, "masked": MASKED_STATEMENT}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The loss over all candidates, or over those that a mask keeps."""
    return STATEMENTS[name_form(arguments)]


PRINTED = total(log(exp(u[i, p[i]]) / total(exp(u[i, m]), (m, A))), (i, N))  # Eq. 2
# over the x of one context
OF_CONTEXTS = -total(log(exp(u[i, p[i]]) / total(exp(u[k, p[i]]), (k, N))), (i, N)) / nu


@claim(
    "D2.3",
    printed=r"$\mathcal J_{InfoNCE}=\sum_{t=1}^{N}\left[\log\frac{\exp(u_\theta(x_t,c_t))}"
    r"{\sum_{t'\in N}\exp(u_\theta(x_t,c_{t'}))}\right]$",
    verdict=Verdict.CORRECTED,
    says="The minus sign that the text announces is missing (Eq. 3 has it): «missing» is false of the loss. N is"
    " a number, so that t' runs from 1 to N. The softmax is one over the contexts of one x; that of CPC, over"
    " the x of one context, makes another loss: «contexts».",
    right="«right», where ν is 1 for the sum over the batch. Each row is «odds»: of the terms of that sum"
    " «negatives» are not 0, and they are positive, «positive». So with two candidates or more the loss is"
    " positive.",
)
def the_missing_minus() -> dict[str, Piece]:
    negative = Differ(a, p[i])
    odds = total(negative * exp(u[i, a] - u[i, p[i]]), (a, A))
    scores = [[Fraction(0), Fraction(0)], [Fraction(1), Fraction(2)]]
    point = {N: 2, A: 2, nu: Fraction(1), p: [0, 1], u: scores}
    return {
        "missing": fails(Relation(loss, "=", PRINTED), point, names=NAMES),
        "contexts": holds("two samples", Relation(loss, "≠", OF_CONTEXTS), point, names=NAMES),
        "right": derive(loss, (DEFINITION, -PRINTED / nu), names=NAMES, facts=FACTS),
        "odds": derive(ell[i], (DEFINITION, log(1 + odds)), names=NAMES, facts=FACTS),
        "negatives": derive(total(negative, (a, A)), (SUMS, A - 1), facts=FACTS),
        "positive": positive(exp(u[i, a] - u[i, p[i]])),
    }


@claim(
    "M36",
    verdict=Verdict.PROVED,
    says="A mask leaves candidates out of the denominator, such as false negatives, or a positive among the keys of"
    " a queue. The loss of a row is then «scores.where ℓ», $Y^k$ being 1 for a candidate that is kept; the positive"
    " always stands in it. So it is «odds», and all terms of that sum are positive, «positive». The gradient is"
    " «scores», where «scores.where G» and «scores.where P»: a candidate that is left out is not pushed, «left»,"
    " and each row of $G$ sums to 0, «sum». If all are kept, «all.where Yᵏ», it is InfoNCE over scores: «all».",
    brief="A mask leaves candidates out of the denominator, such as false negatives: «scores.where ℓ», $Y^k$"
    " being 1 for a candidate that is kept. One that is left out is not pushed: «left».",
)
def masked() -> dict[str, Piece]:
    def prove(first: Expr, last: Expr) -> Proof:
        return derive(first, (DEFINITION, last), names=MASKED, facts=MASKED_FACTS)

    odds = exp(u[i, a] - u[i, p[i]])
    everything = (Definition(kept[i, a], Integer(1)), *MASKED)
    return {
        "scores": MASKED_STATEMENT.gradients["scores"].prove(),
        "odds": prove(ell[i], log(1 + total(Differ(a, p[i]) * kept[i, a] * odds, (a, A)))),
        "positive": positive(odds),
        "left": prove((1 - kept[i, a]) * Differ(a, p[i]) * G[i, a], Integer(0)),
        "sum": prove(total(G[i, a], (a, A)), Integer(0)),
        "all": derive(ell[i], (DEFINITION, ROW.body), names=everything, facts=FACTS),
    }
