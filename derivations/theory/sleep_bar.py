"""The score at which the probability of a positive is one half: above it the row's gradient fades."""

from sympy import Expr, Integer, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, nonnegative
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    L,
    L_positive,
    M,
    N,
    a,
    bar,
    effective,
    ell,
    i,
    k,
    largest_score,
    n,
    own_score,
    rho,
    s,
    short,
    tau,
)
from . import effective_negatives
from .effective_negatives import ENTROPY, NEGATIVES

ZERO = Integer(0)
FACTS = Facts(ranges={i: N, a: M, k: M, n: M})
SCORES = (Definition(L[i, a], s[i, a] / tau), Definition(L_positive[i], own_score[i] / tau))
BAR = Definition(bar[i], tau * log(NEGATIVES))
NAMES = (*SCORES, *effective_negatives.NAMES, BAR)
PAIRS = total(rho[i, a] * rho[i, n] * (s[i, a] - s[i, n]) ** 2, (n, M), (a, M)) / (2 * tau**3)
OTHERS = total(Differ(a, k) * exp((s[i, a] - s[i, k]) / tau), (a, M))
MEAN = total(s[i, a], (a, M)) / M


def prove(first: Expr, *steps, names: tuple[Definition, ...] = NAMES) -> Proof:
    return derive(first, *steps, names=names, facts=FACTS)


def at_most(first: Expr, *uses: Use, last: Expr = ZERO, names: tuple[Definition, ...] = NAMES):
    return bound(first, *uses, last=last, names=names, facts=FACTS)


@claim(
    "R18",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"Let an anchor have M negatives of the scores $s$, logits «loss.where L», and its positive the"
    r" score $s^+$, «loss.where L⁺». Its loss «loss.where ℓ» is «loss», with «loss.where T⁺»: the positive"
    r" has the probability «half», one half where its score is $T^+$. Call this the bar below which the row"
    r" is awake. It rises with the temperature, by «slope»: the logarithm of the negatives in effect,"
    r" «slope.where M⁼» with «slope.where ρ» (R17), and that is not negative, «awake». Its own slope rises"
    r" with the temperature, «curvature» and «convex». Of any negative $k$ the bar is ahead by «largest»,"
    r" which is positive unless there is no other, «above»: no bar is below the largest score of a"
    r" negative. If no negative scores more than $s^{\max}$, «most.where s», then «most»: so as $τ$ goes to 0 the"
    r" bar goes to the largest score. And «least»: it is at least $τ \log M$ above the mean score, and so"
    r" much where all the scores are equal, «equal.where s», «equal». We know of no source.",
    brief=r"The positive of an anchor has the probability one half where its score is the bar $T^+$, «loss.where"
    r" T⁺», from the logits of the M negatives: the loss is «loss», with $s^+$ for the positive's score. The"
    r" bar rises with the temperature, «slope», by the logarithm of the negatives in effect (R17). It is never"
    r" below the largest score of a negative, where it goes as $τ$ goes to 0, and at least $τ \log M$ above their"
    r" mean, just so much if all are equal.",
)
def sleep_bar() -> dict[str, Piece]:
    gap = (bar[i] - own_score[i]) / tau
    half = exp(L_positive[i]) / (exp(L_positive[i]) + NEGATIVES)
    short_of = Definition(s[i, a], largest_score[i] - short[i, a])
    falls = exp(-short[i, a] / tau)
    tied = Definition(s[i, a], largest_score[i])
    unsure = total(Differ(a, n) * rho[i, a] * rho[i, n], (n, M), (a, M))
    return {
        "loss": prove(ell[i], (DEFINITION, log(1 + exp(gap)))),
        "half": prove(half, (DEFINITION, 1 / (1 + exp(gap)))),
        "slope": prove(Partial(bar[i], tau), (DERIVATIVE, log(effective[i]))),
        "awake": Chain(
            (
                at_most(-ENTROPY, Use(rho[i, a], rho[i, a], ((a, M),)), last=-unsure),
                nonnegative(unsure, names=NAMES),
            ),
            both=ENTROPY,
        ),
        "curvature": prove(Partial(Partial(bar[i], tau), tau), (DERIVATIVE, PAIRS)),
        "convex": nonnegative(PAIRS, names=NAMES),
        "largest": prove(bar[i] - s[i, k], (DEFINITION, tau * log(1 + OTHERS))),
        "above": at_most(-log(1 + OTHERS), Use(Integer(1), 1 / (1 + OTHERS)), last=-OTHERS / (1 + OTHERS)),
        "most": Chain(
            (
                at_most(
                    bar[i] / tau
                    - largest_score[i] / tau
                    - log(M)
                    + total(falls * short[i, a] / tau, (a, M)) / M,
                    Use(Integer(1), total(falls, (a, M)), bottom=M),
                    Use(falls / M, exp(short[i, a] / tau), ((a, M),)),
                    names=(short_of, *NAMES),
                ),
            ),
            both=largest_score[i] / tau + log(M),
        ),
        "least": Chain(
            (
                at_most(
                    MEAN / tau + log(M) - bar[i] / tau, Use(1 / M, M * exp(L[i, a]), ((a, M),), NEGATIVES)
                ),
            ),
            both=bar[i] / tau,
        ),
        "equal": prove(bar[i], (DEFINITION, largest_score[i] + tau * log(M)), names=(tied, *NAMES)),
    }
