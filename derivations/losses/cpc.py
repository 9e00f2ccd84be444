"""InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the one? (D2, Eq. 2; D3)"""

from fractions import Fraction

from sympy import exp, log

from .. import symbols
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, fails, holds
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, derive
from ..prover.sums import Facts
from ..symbols import A, G, N, P, a, ell, i, k, loss, m, nu, p, u

FACTS = Facts(ranges={i: N, k: N, a: A, m: A}, maps={p: (N, A)})

SOFTMAX = Definition(P[i, a], exp(u[i, a]) / total(exp(u[i, m]), (m, A)))
ROW = Definition(ell[i], -log(exp(u[i, p[i]]) / total(exp(u[i, m]), (m, A))))  # [D3.30]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)
# G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [S2]
ERROR = Definition(
    G[i, a], Differ(a, p[i]) * P[i, a] - one_if(a, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, A))
)
NAMES = (SOFTMAX, ROW, LOSS, ERROR)


def _bind(scores, *, positive, reduction="mean") -> dict:
    sizes = {N: len(scores), A: len(scores[0]), nu: divisor(len(scores), reduction)}
    return sizes | {u: scores, symbols.p: positive}


STATEMENT = with_weights(
    Statement(
        loss="cpc",
        form=loss,
        names=NAMES,
        gradients={"scores": gradient(u[k, a], G[k, a] / nu, "D1.7", loss=loss, names=NAMES, facts=FACTS)},
        bind=_bind,
    ),
    weigh_row(ERROR),
    facts=FACTS,
)


PRINTED = total(log(exp(u[i, p[i]]) / total(exp(u[i, m]), (m, A))), (i, N))  # Eq. 2
OF_CONTEXTS = (
    -total(log(exp(u[i, p[i]]) / total(exp(u[k, p[i]]), (k, N))), (i, N)) / nu
)  # over the x of one context


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
