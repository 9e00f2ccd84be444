"""Estimators of mutual information that learn a score: which of them are bounds.

The sums run over the pairs that occur; the scores of all others enter through σ° alone.
"""

from fractions import Fraction
from itertools import product

from ..evidence.kinds import Counterexample, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Law
from ..prover.inequality import SumOfLogs
from .information import INFORMATION, LAW, exact_entropies
from .information_bound import FAIR_BIT, LISTS

PAIRS = given(
    "i k l < V; t b real",
    *(LAW, INFORMATION),
    "Z° := Σ_i Π[i] e^u[i] + σ°",  # E[e^u] over x and c drawn independently
)
BATCHES = given("m < Ω; Σ_j < Ω", LISTS)
MEAN = "(Σ_m R[m] Ẑ[m])"


def mini_batches(law: Law, odds: Fraction) -> Finding:
    """The mean over all batches of two pairs, the score 0 where x and c agree and log odds where not."""
    mean = SumOfLogs()
    for (first, p), (second, q) in product(law.items(), repeat=2):
        pairs, apart = (first, second), ((first[0], second[1]), (second[0], first[1]))
        for x, c in pairs:
            mean += SumOfLogs.of(1 if x == c else odds, p * q / 2)
        mean += SumOfLogs.of(sum(Fraction(1) if x == c else odds for x, c in apart) / 2, -p * q)
    return Finding(mean, ">", exact_entropies(law)[0], ("the mean of MINE's value", "I(x;c)"))


def clipped(law: Law, score: Fraction, clip: Fraction) -> Finding:
    """One score for all pairs, by its e^u."""
    value = SumOfLogs.of(score) - SumOfLogs.of(min(score, clip))
    return Finding(value, ">", exact_entropies(law)[0], ("SMILE's value", "I(x;c)"))


claim("R9", "folklore", PAIRS)(
    said_by="Code calls MINE's value on a mini-batch a lower bound: `lower_bound` in continuous_measures/mine.py of"
    " PIME. The bound of Mutual Information Neural Estimation (Belghazi et al., 2018) is of the law's means.",
    checked="The values of MINE and of SMILE on a mini-batch are no lower bounds of the information, not even on"
    " average: «batches» for MINE, whose pairs drawn apart are those of the batch in another order, and «clip»"
    " for SMILE, which clips e^u. Neither value has an upper limit. MINE, with the score $-t$ where the bits"
    " differ and 0 elsewhere: in half of the batches «unbounded», in the others 0. SMILE, with one score $t$"
    " for all pairs and the clip at $b$: «clipped».",
    correction="For a score $u$, «dv.where Z°» is the mean of $e^u$ over x and c drawn apart, and $σ°$ the part of"
    " it from pairs that never occur together. The value of Donsker and Varadhan is a bound, «dv». So is that"
    " of Nguyen, Wainwright and Jordan, «nwj», a difference of means, which a batch estimates without bias."
    " MINE takes the logarithm of a mean over the batch. On average over all batches, for any law $R$, this"
    " logarithm is too small, «jensen», and so MINE's value is too large. SMILE without its clip is Donsker"
    " and Varadhan's. Belghazi et al. (2018) said that MINE's batches are biased, Song and Ermon (2020a) that"
    " a clip trades variance for bias.",
    batches=lambda: Counterexample.at(
        "a fair bit, in batches of two", mini_batches, law=FAIR_BIT, odds=Fraction(1, 8)
    ),
    clip=lambda: Counterexample.at(
        "a fair bit, and one score for all pairs, by e^u",
        clipped,
        law=FAIR_BIT,
        score=Fraction(8),
        clip=Fraction(2),
    ),
    unbounded=given("Σ_a < N; t real")("-log((Σ_a e^-t)/N) = t"),
    clipped=PAIRS.only("J")("Σ_i J[i] t - b = t - b"),
    # E u − log E′ e^u − I ≤ Σ p(x)p(c) e^u/E′ e^u − 1 ≤ 0
    dv=PAIRS.chain(
        "Σ_i J[i] u[i] - log(Z°) - ℐ ≤ -σ°/Z° by Σ_i J[i] log(Π[i] e^u[i] : J[i] Z°)", "σ°/Z° ≥ 0", both="ℐ"
    ),
    # E u − I − 1 ≤ Σ p(x)p(c) e^{u − 1} − 1, and so E u − E′ e^{u − 1} ≤ I
    nwj=PAIRS.chain(
        "Σ_i J[i] u[i] - ℐ - 1 ≤ Z°/e - 1 - σ°/e by Σ_i J[i] log(Π[i] e^(u[i] - 1) : J[i])",
        "σ°/e ≥ 0",
        both="1 + ℐ - Z°/e",
    ),
    jensen=BATCHES(f"Σ_m R[m] log(Ẑ[m]) ≤ log({MEAN}) by Σ_m R[m] log(Ẑ[m] : {MEAN})"),
)
