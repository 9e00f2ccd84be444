"""Several candidates of the anchor's class: the anchor may repel a positive, and false negatives set a floor."""

from sympy import Expr, Integer, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.points import Positive
from ..evidence.verdicts import Verdict
from ..prover.inequality import Bound, Use, bound, nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    A,
    K,
    L,
    M,
    N,
    P,
    a,
    also_positive,
    count,
    ell_in,
    ell_out,
    i,
    k,
    m,
    margin,
    n,
    others_law,
    others_weight,
    p,
)

FACTS = Facts(ranges={i: N, k: N, a: A}, maps={p: (N, A)}, masks=(also_positive,))


def positive_of(row: Expr, candidate: Expr) -> Expr:
    """1 at each positive of the row: at p(i), and wherever Y⁺ is 1."""
    return one_if(candidate, p[row]) + Differ(candidate, p[row]) * also_positive[row, candidate]


SOFTMAX = Definition(P[i, a], exp(L[i, a]) / total(exp(L[i, m]), (m, A)))
COUNT = Definition(count[i], 1 + total(Differ(m, p[i]) * also_positive[i, m], (m, A)))
TOGETHER = P[i, p[i]] + total(Differ(m, p[i]) * also_positive[i, m] * P[i, m], (m, A))
OUT = Definition(ell_out[i], -total(positive_of(i, m) * log(P[i, m]), (m, A)) / count[i])
IN = Definition(ell_in[i], -log(TOGETHER / count[i]))
NAMES = (SOFTMAX, COUNT, OUT, IN)

# the mean over the positives of the log of P, and of all of them the P: log x ≤ x − 1 in both
BY_POSITIVE = Use(positive_of(i, a) / count[i], P[i, a], ((a, A),), TOGETHER / count[i])
ALL_POSITIVES = Use(Integer(1), TOGETHER / count[i], bottom=1 / count[i])
OF_NEGATIVES = total(Differ(a, p[i]) * (1 - also_positive[i, a]) ** 2 * P[i, a], (a, A))


def prove(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=NAMES, facts=FACTS)


def below(first: Expr, *uses: Use, last: Expr) -> Bound:
    return bound(first, *uses, last=last, names=NAMES, facts=FACTS)


@claim(
    "R6",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="SupCon, «out.where ℓᵒᵘᵗ» with «out.where n⁺», pulls at logit $a$ with «out». The anchor repels a"
    " positive just where its P is above the inverse of the number of positives. With the mean within the"
    " logarithm, «in.where ℓⁱⁿ», it is «in», and at a positive «own»: none is repelled, as «negatives» and"
    " P is positive. The two stand in this order, «order», and neither falls below the logarithm of the"
    " number of positives: «floor». For scores of any size that floor is sharp, for where K positives"
    " score alike and M negatives less by the margin $μ$ both losses are «alike»; unit rows stay above it"
    " (R19). The order was said in Supervised Contrastive Learning (Khosla et al., 2020), the repulsion in"
    " SINCERE (Feeney and Hughes, 2023).",
    brief="SupCon with the mean outside the logarithm pulls at a logit with «out», $n^+$ being the number of"
    " positives: the anchor repels a positive whose P is above the inverse of that. With the mean inside it"
    " repels none. The first loss is never below the second, «order».",
)
def supcon() -> dict[str, Piece]:
    score = Symbol("x", real=True)
    whole = total(exp(score), (m, K)) + total(exp(score - margin), (n, M))
    # p(i) is any positive: the choice does not matter
    own = -P[i, p[i]] * OF_NEGATIVES / TOGETHER
    return {
        "out": prove(Partial(ell_out[i], L[i, a]), (DERIVATIVE, P[i, a] - positive_of(i, a) / count[i])),
        "in": prove(
            Partial(ell_in[i], L[i, a]), (DERIVATIVE, P[i, a] - positive_of(i, a) * P[i, a] / TOGETHER)
        ),
        "own": prove(Partial(ell_in[i], L[i, p[i]]), (DERIVATIVE, own)),
        "negatives": nonnegative(OF_NEGATIVES, names=NAMES),
        "order": Chain((below(ell_in[i] - ell_out[i], BY_POSITIVE, last=Integer(0)),), both=ell_out[i]),
        "floor": Chain(
            (
                below(log(count[i]) - ell_in[i], ALL_POSITIVES, last=-OF_NEGATIVES),
                nonnegative(OF_NEGATIVES, names=NAMES),
            ),
            both=ell_in[i],
        ),
        "alike": derive(-log(exp(score) / whole), (SUMS, log(K + M * exp(-margin))), facts=FACTS),
    }


# --- positives that are taken for negatives -----------------------------------------------------------------

LAW = Definition(others_law[i], others_weight[i] / total(others_weight[k], (k, N)))


def expectation(of: Expr) -> Expr:
    return total(others_law[i] * of, (i, N))


def scaled(use: Use) -> Use:
    """The use of the lemma in each draw, weighted by the draw's probability."""
    return use._replace(weight=others_law[i] * use.weight, limits=(*use.limits, (i, N)))


@claim(
    "R13",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="In the draw $i$ of an anchor with its candidates let $n^+$ of these be of the anchor's class:"
    " one that is marked as its positive, «floor.where n⁺», the others false negatives. If each is as"
    " likely to be the marked one, whatever they score, then the mean loss of the draw is «floor.where"
    " ℓᵒᵘᵗ», and over all draws, of any law $R$, «floor»: no encoder goes below the mean of the logarithm"
    " of one more than the number of false negatives. That fails where the positive is marked because it"
    " is near, as another view of the same image is: «nearer». A term of the candidates that collide with the"
    " anchor's class was split off in A Theoretical Analysis of Contrastive Unsupervised Representation"
    " Learning (Arora et al., 2019), and with many negatives in Understanding Negative Samples (Nozawa and"
    " Sato, 2021); of this form of the floor we know no source.",
)
def false_negatives() -> dict[str, Piece]:
    def always_the_nearer(scores) -> Finding:
        ((marked, other),) = scores
        return Finding((marked + other) / marked, "<", 2, ("e^ℓ, the nearer always marked", "1 + 1"))

    names, left = (*NAMES, LAW), expectation(OF_NEGATIVES)
    return {
        "floor": Chain(
            (
                bound(
                    expectation(log(count[i])) - expectation(ell_out[i]),
                    scaled(BY_POSITIVE),
                    scaled(ALL_POSITIVES),
                    last=-left,
                    names=names,
                    facts=FACTS,
                ),
                nonnegative(left, names=names),
            ),
            both=expectation(ell_out[i]),
        ),
        "nearer": example(
            "one false negative and no other, by e^(s/τ)", always_the_nearer, scores=Positive([[3, 1]])
        ),
    }
