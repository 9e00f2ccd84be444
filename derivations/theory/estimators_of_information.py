"""Estimators of mutual information that learn a score: which of them are bounds.

The sums run over the pairs that occur; the scores of all others enter through σ° alone.
"""

from fractions import Fraction
from itertools import product

from sympy import E, Integer, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, counterexample
from ..evidence.points import Law
from ..evidence.verdicts import Verdict
from ..prover.inequality import Logs, Use, bound, nonnegative
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, derive
from ..prover.sums import Facts
from ..symbols import (
    N,
    V,
    W,
    a,
    apart,
    elsewhere,
    estimate,
    i,
    information,
    joint,
    m,
    others_law,
    partition,
    u,
)
from .information import FACTS, INFORMATION, LAW, exact_entropies, expectation
from .information_bound import FAIR_BIT, LISTS

# E[e^u] over x and c drawn independently
PARTITION = Definition(partition, total(apart[i] * exp(u[i]), (i, V)) + elsewhere)
NAMES = (LAW, INFORMATION, PARTITION)


def donsker_varadhan() -> Chain:
    """E u − log E′ e^u − I ≤ Σ p(x)p(c) e^u/E′ e^u − 1 ≤ 0."""
    use = Use(joint[i], apart[i] * exp(u[i]), ((i, V),), joint[i] * partition)
    left = elsewhere / partition
    first = expectation(u[i]) - log(partition) - information
    return Chain(
        (bound(first, use, last=-left, names=NAMES, facts=FACTS), nonnegative(left)), both=information
    )


def nguyen_wainwright_jordan() -> Chain:
    """E u − I − 1 ≤ Σ p(x)p(c) e^{u − 1} − 1, and so E u − E′ e^{u − 1} ≤ I."""
    use = Use(joint[i], apart[i] * exp(u[i] - 1), ((i, V),), joint[i])
    mean, left = partition / E, elsewhere / E
    first = expectation(u[i]) - information - 1
    below = bound(first, use, last=mean - 1 - left, names=NAMES, facts=FACTS)
    return Chain((below, nonnegative(left)), both=1 + information - mean)


def mini_batches(law: Law, odds: Fraction) -> Finding:
    """The mean over all batches of two pairs, the score 0 where x and c agree and log odds where not."""
    mean = Logs()
    for (first, p), (second, q) in product(law.items(), repeat=2):
        pairs, apart = (first, second), ((first[0], second[1]), (second[0], first[1]))
        for x, c in pairs:
            mean += Logs.of(1 if x == c else odds, p * q / 2)
        mean += Logs.of(sum(Fraction(1) if x == c else odds for x, c in apart) / 2, -p * q)
    return Finding(mean, ">", exact_entropies(law)[0], ("the mean of MINE's value", "I(x;c)"))


def clipped(law: Law, score: Fraction, clip: Fraction) -> Finding:
    """One score for all pairs, by its e^u."""
    value = Logs.of(score) - Logs.of(min(score, clip))
    return Finding(value, ">", exact_entropies(law)[0], ("SMILE's value", "I(x;c)"))


@claim(
    "R9",
    verdict=Verdict.FOLKLORE,
    heard="Code calls MINE's value on a mini-batch a lower bound: `lower_bound` in continuous_measures/mine.py of"
    " PIME. The bound of Mutual Information Neural Estimation (Belghazi et al., 2018) is of the law's means.",
    says="The values of MINE and of SMILE on a mini-batch are no lower bounds of the information, not even on"
    " average: «batches» for MINE, whose pairs drawn apart are those of the batch in another order, and «clip»"
    " for SMILE, which clips e^u. Neither value has an upper limit. MINE, with the score $-t$ where the bits"
    " differ and 0 elsewhere: in half of the batches «unbounded», in the others 0. SMILE, with one score $t$"
    " for all pairs and the clip at $b$: «clipped».",
    right="For a score $u$, «dv.where Z°» is the mean of $e^u$ over x and c drawn apart, and $σ°$ the part of it"
    " from pairs that never occur together. The value of Donsker and Varadhan is a bound, «dv». So is that"
    " of Nguyen, Wainwright and Jordan, «nwj», a difference of means, which a batch estimates without bias."
    " MINE takes the logarithm of a mean over the batch. On average over all batches, for any law $R$, this"
    " logarithm is too small, «jensen», and so MINE's value is too large. SMILE without its clip is Donsker"
    " and Varadhan's. Belghazi et al. (2018) said that MINE's batches are biased, Song and Ermon (2020a) that"
    " a clip trades variance for bias.",
)
def estimators() -> dict[str, Piece]:
    t, b = Symbol("t", real=True), Symbol("b", real=True)
    mean = total(others_law[m] * estimate[m], (m, W))
    too_small = total(others_law[m] * log(estimate[m]), (m, W)) - log(mean)
    return {
        "batches": counterexample(
            "a fair bit, in batches of two", mini_batches, law=FAIR_BIT, odds=Fraction(1, 8)
        ),
        "clip": counterexample(
            "a fair bit, and one score for all pairs, by e^u",
            clipped,
            law=FAIR_BIT,
            score=Fraction(8),
            clip=Fraction(2),
        ),
        "unbounded": derive(-log(total(exp(-t), (a, N)) / N), (SUMS, t), facts=Facts()),
        "clipped": derive(expectation(t) - b, (DEFINITION, t - b), names=(LAW,), facts=FACTS),
        "dv": donsker_varadhan(),
        "nwj": nguyen_wainwright_jordan(),
        "jensen": Chain(
            (
                bound(
                    too_small,
                    Use(others_law[m], estimate[m], ((m, W),), mean),
                    last=Integer(0),
                    names=(LISTS,),
                    facts=Facts(ranges={m: W}),
                ),
            ),
            both=log(mean),
        ),
    }
