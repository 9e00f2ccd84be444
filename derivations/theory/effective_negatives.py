"""The effective number of negatives of an anchor: e to the entropy of its shares of the push."""

from sympy import Integer, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, positive
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, derive
from ..prover.sums import Facts
from ..symbols import L, L_positive, M, N, P, a, effective, ell, i, m, rho

FACTS = Facts(ranges={i: N, a: M})
NEGATIVES = total(exp(L[i, m]), (m, M))
LOSS = Definition(ell[i], -log(exp(L_positive[i]) / (exp(L_positive[i]) + NEGATIVES)))
SOFTMAX = Definition(P[i, a], exp(L[i, a]) / (exp(L_positive[i]) + NEGATIVES))
SHARE = Definition(rho[i, a], exp(L[i, a]) / NEGATIVES)
ENTROPY = -total(rho[i, a] * log(rho[i, a]), (a, M))
COUNT = Definition(effective[i], exp(ENTROPY))
NAMES = (LOSS, SOFTMAX, SHARE, COUNT)


@claim(
    "R17",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="An anchor pushes each of its M negatives with «push», of which a negative's share is «odds»,"
    " that is «odds.where ρ» (M15). Let «loss.where M⁼» be e to the entropy of the shares. Then the loss"
    " is «loss», where «loss.where ℓ»: that of so many negatives, all of them at the logit that the shares"
    " average. They are never more than there are, «most», each share being positive, «share»; and where"
    " the negatives tie among themselves, «equal.where L», wherever the positive is, they are all of them,"
    " «equal». That e to an entropy is an effective number was said of species (Hill, 1973); we"
    " searched for this identity and found no source.",
)
def effective_negatives() -> dict[str, Piece]:
    def prove(first, *steps, names=NAMES):
        return derive(first, *steps, names=names, facts=FACTS)

    mean = total(rho[i, a] * L[i, a], (a, M))
    tied = Definition(L[i, a], Symbol("x", real=True))
    return {
        "push": prove(Partial(ell[i], L[i, a]), (DERIVATIVE, P[i, a])),
        "odds": prove(P[i, a] / total(P[i, m], (m, M)), (DEFINITION, rho[i, a])),
        "loss": prove(ell[i], (DEFINITION, log(1 + effective[i] * exp(mean - L_positive[i])))),
        "most": Chain(
            (
                bound(
                    ENTROPY - log(M),
                    Use(rho[i, a], NEGATIVES / M, ((a, M),), exp(L[i, a])),
                    last=Integer(0),
                    names=NAMES,
                    facts=FACTS,
                ),
            ),
            both=log(M),
        ),
        "share": positive(rho[i, a], names=NAMES),
        "equal": prove(effective[i], (DEFINITION, M), names=(*NAMES, tied)),
    }
