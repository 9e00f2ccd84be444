"""How far the mean loss of M drawn negatives is from that of infinitely many: at most their variance."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from mpmath import iv
from sympy import Expr, Integer, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.points import Numbers
from ..evidence.verdicts import Verdict
from ..prover.evaluate import evaluator
from ..prover.inequality import Use, bound, nonnegative
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
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
    tau,
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


# of E: mean and deviation; of normal scores: variance; the odds; the gap
average, spread, scatter, odds, gap = (Symbol(name, positive=True) for name in ("μ", "σ", "v", "O", "Δ"))
place = Symbol("x", real=True)
SECOND = M * spread**2 / (2 * (1 + M * average) ** 2)


def moment(power: int) -> Expr:
    """The mean of E^power for scores with the normal law."""
    return exp(power * place / tau + power**2 * scatter / (2 * tau**2))


def second_order(negatives: int, ends: Numbers) -> Iterator[Finding]:
    """The gap over the second-order term of Taylor's series, in intervals."""
    low, high = ends
    mean_lead, deviation = (low + high) / 2, (high - low) / 2
    middle = 1 + negatives * mean_lead
    lost = iv.mpf(0)
    for k in range(negatives + 1):
        ratio = middle / (1 + k * low + (negatives - k) * high)
        lost += iv.log(iv.mpf(ratio.numerator) / ratio.denominator) * comb(negatives, k) / 2**negatives
    term = evaluator(SECOND, {M: negatives, average: mean_lead, spread: deviation})({})[0]
    gap_in_terms = lost * term.denominator / term.numerator
    for sign, end in (">", Fraction(99, 100)), ("<", Fraction(101, 100)):
        yield Finding(gap_in_terms, sign, iv.mpf(end.numerator) / end.denominator, (gap / SECOND, ""))


@claim(
    "R21",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"Draw the negatives of an anchor by any law: outcome $m$ has the probability «at most.where R», a"
    r" negative's logit is $\log E$ more than the positive's, the odds are «at most.where Oʳ» and the loss"
    r" «at most.where ℓ». Then «at most», with «at most.where Ō»: drawn negatives cost less on average than"
    r" their mean, «sum». And they cost not much less: let no $E$ be below $E_0$, which is $e^{-2/\tau}$ for"
    r" cosines, «at least.where E». Then «at least». If no two negatives are correlated, the second sum of"
    r" «variance» is 0. So for M negatives of one mean $\mu$ and variance $\sigma^2$ of E, drawn apart, the"
    r" right side is «alike.chain», which goes to 0 as 1/M. The slope of the logarithm has the slope"
    r" «curvature»; to second order the gap is the variance times half the size of that: «second». Scores"
    r" with the normal law of mean $x$ and variance $v$ have the mean $e^{kx/\tau + k^2v/(2\tau^2)}$ of"
    r" $E^k$, so the ratio of $\sigma^2$ to $\mu^2$ is «normal», and the negatives that are needed for a"
    r" given gap grow as the exponential in it. That the logarithm of a sample mean is too small by its"
    r" variance was said in Debiasing Evidence Approximations (Nowozin, 2018); of the bound we know no"
    r" source.",
    brief=r"Draw the M negatives of an anchor by any law, and let $O^r$ be the odds against the positive, of the"
    r" mean Ō. Then the mean loss is at most that of the mean odds, «at most». If the negatives are"
    r" uncorrelated, of one mean and variance, and E, e to a negative's logit less the positive's, has a least"
    r" value above 0, the gap goes to 0 as 1/M. For scores with a normal law the variance of E over the square of"
    r" its mean is «normal», $v$ the variance of a score: the negatives for a given gap grow with it.",
)
def finitely_many_negatives() -> dict[str, Piece]:
    apart = total(Differ(a, n) * covariance(a, n), (n, M), (a, M))
    by_negative = total(covariance(a, a), (a, M)) + apart
    return {
        "at most": at_most(),
        "sum": derive(odds_mean, (DEFINITION, total(lead_mean[a], (a, M))), names=NAMES, facts=FACTS),
        "at least": at_least(),
        "variance": derive(VARIANCE, (DEFINITION, by_negative), names=NAMES, facts=FACTS),
        "alike": derive(
            total(spread**2, (a, M)) / ((1 + total(average, (a, M))) * (1 + M * lead_least)),
            (SUMS, M * spread**2 / ((1 + M * average) * (1 + M * lead_least))),
            (SUMS, spread**2 / (M * (1 / M + average) * (1 / M + lead_least))),
            facts=FACTS,
        ),
        "curvature": derive(Partial(1 / (1 + odds), odds), (DERIVATIVE, -1 / (1 + odds) ** 2), facts=FACTS),
        "normal": derive(
            (moment(2) - moment(1) ** 2) / moment(1) ** 2, (SUMS, exp(scatter / tau**2) - 1), facts=FACTS
        ),
        "second": example(
            "200 negatives drawn apart, E being one of two numbers, both as likely",
            second_order,
            negatives=200,
            ends=Numbers([1, 3]),
        ),
    }
