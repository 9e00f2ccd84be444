"""Label smoothing: cross-entropy against a target that gives every candidate a share."""

from sympy import Expr, Integer, Symbol, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, positive
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import A, L, N, P, a, ell, i, m, n, p, target_share
from ..theory.several_positives import SOFTMAX

FACTS = Facts(ranges={i: N, a: A, n: A}, maps={p: (N, A)})

smoothing, odds = Symbol("ε", real=True), Symbol("o", positive=True)
BETWEEN = Definition(smoothing, odds / (1 + odds))  # any number between 0 and 1
TARGET = Definition(target_share[i, a], (1 - smoothing) * one_if(a, p[i]) + smoothing / A)
SMOOTHED = Definition(ell[i], -total(target_share[i, m] * log(P[i, m]), (m, A)))
NAMES = (SOFTMAX, TARGET, SMOOTHED)


def prove(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=NAMES, facts=FACTS)


@claim(
    "R14",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="Cross-entropy «slope.where ℓ» with a label smoothed by $ε$ over A candidates, «slope.where Yᵗ»,"
    " pulls at logit $a$ with «slope», at a negative with «negative»: a negative whose P is below that share"
    " is attracted, as if it were a positive. The pulls cancel, «sum». The loss is least where every P is its"
    " target, for «least»: it then is the entropy of the target, and where $ε$ is between 0 and 1,"
    " «least.where ε», each of these is positive, «share». There the logit of the positive is above that of"
    " each negative by the logarithm of «gap», and no more. That such a gap is finite was said in When Does"
    " Label Smoothing Help? (Müller, Kornblith and Hinton, 2019), and how large it is in Bag of Tricks for Image"
    " Classification (He et al., 2019), of a label whose smoothed part leaves out the positive.",
)
def smoothed_labels() -> dict[str, Piece]:
    def entropy(share: Expr) -> Expr:
        return -total(share * log(share), (a, A))

    share = (one_if(a, p[i]) + odds / A) / (1 + odds)
    odds_of_two = (1 - smoothing + smoothing / A) / (smoothing / A)  # e^{L_p − L_n}
    names = (*NAMES, BETWEEN)
    return {
        "slope": prove(Partial(ell[i], L[i, a]), (DERIVATIVE, P[i, a] - target_share[i, a])),
        "negative": prove(
            Differ(a, p[i]) * (P[i, a] - target_share[i, a]),
            (DEFINITION, Differ(a, p[i]) * (P[i, a] - smoothing / A)),
        ),
        "sum": prove(total(P[i, m] - target_share[i, m], (m, A)), (DEFINITION, Integer(0))),
        "least": Chain(
            (
                bound(
                    entropy(target_share[i, a]) - ell[i],
                    Use(share, P[i, a], ((a, A),), share),
                    last=Integer(0),
                    names=names,
                    facts=FACTS,
                ),
            ),
            both=ell[i],
        ),
        "share": positive(share),
        "gap": derive(odds_of_two, (SUMS, 1 + A * (1 - smoothing) / smoothing), facts=FACTS),
    }
