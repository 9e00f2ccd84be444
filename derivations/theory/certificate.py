"""What a measured loss certifies of the information, with a given confidence."""

from fractions import Fraction
from math import comb

from mpmath import iv
from sympy import Expr, Integer, Symbol, exp, log, sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.sums import Facts
from ..symbols import L, L_positive, M, N, a, below_most, doubt_margin, ell, i, span, tau

FACTS = Facts(ranges={i: N, a: M})
OVER, SLACK = (a, M), below_most[i, a]
LOSS = Definition(ell[i], log(1 + total(exp(L[i, a] - L_positive[i]), OVER)))
COSINES = Definition(L[i, a], L_positive[i] + 2 / tau - SLACK)  # two cosines differ by 2 at most

batches = Symbol("n", positive=True)
doubt = Symbol("δ", positive=True)
SPAN = Definition(span, log(1 + M * exp(2 / tau)))
MARGIN = Definition(doubt_margin, span * sqrt(log(1 / doubt) / (2 * batches)))


def prove(first: Expr, last: Expr, *names: Definition) -> Proof:
    return derive(first, (DEFINITION, last), names=names, facts=FACTS)


def in_range() -> Chain:
    """ℓ ≤ log(1 + M e^{2/τ}), by the lemma at e^ℓ and at e^δ̂ for each negative."""
    names, top = (LOSS, COSINES, SPAN), 1 + M * exp(2 / tau)
    rest = exp(L[i, a] - L_positive[i]) / top
    uses = (Use(Integer(1), exp(ell[i]), bottom=top), Use(rest, exp(SLACK), (OVER,)))
    first = ell[i] - span + total(rest * SLACK, OVER)
    return Chain((bound(first, *uses, last=Integer(0), names=names, facts=FACTS),), both=span)


def coverage(draws: int, odds: int, chance: Fraction) -> Finding:
    """How often the mean of losses, each 0 or log(1 + odds) by a fair coin, is too low by more than the margin."""
    most = iv.log(iv.mpf(odds + 1))
    margin = most * iv.sqrt(iv.log(iv.mpf(chance.denominator) / chance.numerator) / (2 * draws))
    missed = [k for k in range(draws + 1) if not most * k / draws >= most / 2 - margin]
    return Finding(Fraction(sum(comb(draws, k) for k in missed), 2**draws), "<", chance, ("too low", ""))


@claim(
    "R24",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"The loss of a row of cosines with M negatives, «range.where ℓ» and «range.where L», is positive"
    r" and at most the span «range.where Rˡ»: «range», where no $\hat δ$ is negative. So is the mean loss"
    r" of a batch. Take n batches, drawn apart from one another by one law, and the mean of their losses."
    r" By Hoeffding's inequality (1963), which is named and not proved here, it is below its expectation"
    r" by more than the margin «chance.where tˡ» with a probability of at most «chance». P1 bounds the"
    r" information by the expectation; so the information is at least $\log N$ less the measured mean"
    r" loss, less the margin, with confidence $1 - δ$. How many batches a margin takes: «enough». One"
    r" example, counted: «coverage». The encoder must be held while they are drawn: a loss on the batches"
    r" that trained it certifies nothing.",
    brief=r"Hold the encoder, and draw n batches apart from one another, each as P1 asks, of finitely many values."
    r" The information is at least $\log N$ less the mean of their losses, less the margin «chance.where tˡ»,"
    r" with the confidence $1 - δ$: by P1, and by Hoeffding's inequality (1963), named and not proved here, with"
    r" the chance «chance». No loss of cosines is above the span «range.where Rˡ», of M negatives. A loss"
    r" on the batches that trained the encoder certifies nothing.",
)
def certificate() -> dict[str, Piece]:
    return {
        "range": in_range(),
        "chance": prove(exp(-2 * batches * doubt_margin**2 / span**2), doubt, MARGIN),
        "enough": prove(2 * batches * doubt_margin**2, span**2 * log(1 / doubt), MARGIN),
        "coverage": example(
            "the mean of 40 losses, each 0 or its most by a fair coin",
            coverage,
            draws=40,
            odds=3,
            chance=Fraction(1, 20),
        ),
    }
