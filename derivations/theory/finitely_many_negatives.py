"""How far the mean loss of M drawn negatives is from that of infinitely many: at most their variance."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from mpmath import iv
from sympy import Expr, Integer, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.points import Numbers
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, nonnegative
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, derive
from ..prover.sums import Facts
from ..symbols import (
    M,
    W,
    a,
    ell,
    g,
    lead,
    lead_least,
    lead_mean,
    lead_more,
    m,
    n,
    odds_drawn,
    odds_mean,
    others_law,
    others_weight,
)

FACTS = Facts(ranges={m: W, g: W, a: M, n: M})
NAMES = (
    Definition(others_law[m], others_weight[m] / total(others_weight[g], (g, W))),
    Definition(odds_drawn[m], total(lead[m, a], (a, M))),
    Definition(ell[m], log(1 + odds_drawn[m])),
    Definition(lead_mean[a], total(others_law[m] * lead[m, a], (m, W))),
    Definition(odds_mean, total(others_law[m] * odds_drawn[m], (m, W))),
)
LEAST = Definition(lead[m, a], lead_least + lead_more[m, a])
OVER = (m, W)


def mean(value: Expr) -> Expr:
    return total(others_law[m] * value, OVER)


def covariance(one: Expr, other: Expr) -> Expr:
    return mean((lead[m, one] - lead_mean[one]) * (lead[m, other] - lead_mean[other]))


VARIANCE = mean((odds_drawn[m] - odds_mean) ** 2)


def at_most() -> Chain:
    use = Use(others_law[m], 1 + odds_drawn[m], (OVER,), 1 + odds_mean)
    gap = mean(ell[m]) - log(1 + odds_mean)
    return Chain((bound(gap, use, last=Integer(0), names=NAMES, facts=FACTS),), both=log(1 + odds_mean))


def at_least() -> Chain:
    """log (1 + Ō) − 𝔼 ℓ ≤ 𝔼 (O − Ō)²/((1 + Ō)(1 + O)), and no O is below M E₀."""
    use = Use(others_law[m], 1 + odds_mean, (OVER,), 1 + odds_drawn[m])
    parts = (odds_drawn[m] - odds_mean) ** 2 / ((1 + odds_mean) * (1 + odds_drawn[m]))
    limit = VARIANCE / ((1 + odds_mean) * (1 + M * lead_least))
    dropped = mean(parts * total(lead_more[m, a], (a, M))) / (1 + M * lead_least)
    names = (*NAMES, LEAST)
    return Chain(
        (
            bound(log(1 + odds_mean) - mean(ell[m]), use, last=mean(parts), names=NAMES, facts=FACTS),
            derive(mean(parts), (DEFINITION, limit - dropped), names=names, facts=FACTS),
            nonnegative(dropped, names=NAMES),
        ),
    )


def second_order(negatives: int, ends: Numbers) -> Iterator[Finding]:
    """The gap over the second-order term of Taylor's series, in intervals."""
    low, high = ends
    average, variance = (low + high) / 2, ((high - low) / 2) ** 2
    middle = 1 + negatives * average
    gap = iv.mpf(0)
    for k in range(negatives + 1):
        ratio = middle / (1 + k * low + (negatives - k) * high)
        gap += iv.log(iv.mpf(ratio.numerator) / ratio.denominator) * comb(negatives, k) / 2**negatives
    term = negatives * variance / (2 * middle**2)
    gap_in_terms = gap * term.denominator / term.numerator
    for sign, end in (">", Fraction(99, 100)), ("<", Fraction(101, 100)):
        yield Finding(
            gap_in_terms, sign, iv.mpf(end.numerator) / end.denominator, ("the gap, in such terms", "")
        )


@claim(
    "R21",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"Draw the negatives of an anchor by any law: outcome $m$ has the probability «at most.where R», a"
    r" negative's logit is $\log E$ more than the positive's, the odds are «at most.where Oʳ» and the"
    r" loss «at most.where ℓ». Then «at most», with «at most.where Ō»: drawn negatives cost less on"
    r" average than their mean, «sum». And they cost not much less: let no $E$ be below $E_0$, which is"
    r" $e^{-2/\tau}$ for cosines, «at least.where E». Then «at least». If no two negatives are"
    r" correlated, the second sum of «variance» is 0. So for M negatives of one mean $\mu$ and variance"
    r" $\sigma^2$ of E, drawn apart, the gap is at most $M\sigma^2/((1 + M\mu)(1 + M E_0))$, which goes"
    r" to 0 as 1/M. To second order it is $M\sigma^2/(2(1 + M\mu)^2)$: «second». For scores with the"
    r" normal law of variance $v$ the ratio of $\sigma^2$ to $\mu^2$ is $e^{v/\tau^2} - 1$, so the"
    r" negatives that are needed for a given gap grow as $e^{v/\tau^2}$. That the logarithm of a sample"
    r" mean is too small by its variance was said in Debiasing Evidence Approximations (Nowozin, 2018);"
    r" of the bound we know no source.",
)
def finitely_many_negatives() -> dict[str, Piece]:
    apart = total(Differ(a, n) * covariance(a, n), (n, M), (a, M))
    by_negative = total(covariance(a, a), (a, M)) + apart
    return {
        "at most": at_most(),
        "sum": derive(odds_mean, (DEFINITION, total(lead_mean[a], (a, M))), names=NAMES, facts=FACTS),
        "at least": at_least(),
        "variance": derive(VARIANCE, (DEFINITION, by_negative), names=NAMES, facts=FACTS),
        "second": example(
            "200 negatives drawn apart, E being one of two numbers, both as likely",
            second_order,
            negatives=200,
            ends=Numbers([1, 3]),
        ),
    }
