"""Bounds on mutual information by SupCon's losses: positives inside or outside the logarithm.

The symbols are P1's, but a draw is a list with a place for all its M positives at once.
"""

from collections.abc import Iterator
from math import comb
from typing import Any

from mpmath import iv

from ..evidence.kinds import Counterexample, Finding, interval
from ..evidence.plain import claim, given
from ..evidence.points import Rate
from .bound_by_loss import NTXENT_BOUND
from .information_bound import IMPOSSIBLE, LISTS

# φ is the sum of the scores of a draw's positives; each candidate is in a share M/N of the places of a list
SHARE = "(N/(Kᵖ M))"
DRAWS = given(
    "k n < D; m < Ω; Σ_j < M; Λ: D → Ω; σ[] ≥ 0",
    LISTS,
    "J′[n] := ωᵖ[n] / Σ_k ωᵖ[k]",
    "ϱᵖ[n] := J′[n] Kᵖ/R[Λ(n)]",
    "ℐ := Σ_n J′[n] log(ϱᵖ[n])",
    "𝓛ⁱⁿ := -Σ_n J′[n] log(φ[n]/(M Φ[n]))",
)
BY_LISTS = DRAWS.only("R").also(
    f"Φ[n] := {SHARE} (φ[n] + Σ_k 1[k ≠ n] 1[Λ(k) = Λ(n)] φ[k]) + σ[Λ(n)]",
    f"Ψ[m] := σ[m] + {SHARE} (Σ_n 1[Λ(n) = m] φ[n])",
)
PER_DRAW, PER_DRAW_OF_LIST = (f"Σ_n R[Λ(n)] {SHARE} (φ[n]/{whole}) - 1" for whole in ("Φ[n]", "Ψ[Λ(n)]"))
PER_LIST = f"Σ_m R[m] {SHARE} ((Σ_n 1[Λ(n) = m] φ[n])/Ψ[m]) - 1"
# log N − 𝓛ⁱⁿ − ℐ ≤ E_R Σ N φ/(Kᵖ M Φ) − 1 ≤ 0: over the places of a list, the shares of the positives sum to
# Kᵖ M/N at most
BOUND = DRAWS.chain(
    f"log(N) - 𝓛ⁱⁿ - ℐ ≤ {PER_DRAW} by Σ_n J′[n] log(φ[n]/(M Φ[n]) : ϱᵖ[n]/N)",
    BY_LISTS(f"{PER_DRAW} = {PER_DRAW_OF_LIST}"),
    DRAWS.only()(f"{PER_DRAW_OF_LIST} = {PER_LIST}"),
    BY_LISTS(f"{PER_LIST} = -{IMPOSSIBLE}"),
    BY_LISTS.only("Ψ")(f"{IMPOSSIBLE} ≥ 0"),
    both="ℐ",
)


def noisy_channel(right: Rate, values: int, candidates: int, positives: int) -> tuple[Any, Any]:
    """log N − 𝓛ⁱⁿ and I where each positive shows the context's value with the chance `right`, else any other,"
    " each
    negative any value, and the score is the density ratio: that of a value that is the context's, or of"
    " another."""
    hit, miss = values * right, values * (1 - right) / (values - 1)
    negatives, value = candidates - positives, iv.mpf(0)
    ways = [comb(negatives, others) * (values - 1) ** (negatives - others) for others in range(negatives + 1)]
    of_negatives = [iv.mpf(number) / values**negatives for number in ways]
    for hits in range(positives + 1):
        own = hits * hit + (positives - hits) * miss
        chance = interval(comb(positives, hits) * right**hits * (1 - right) ** (positives - hits))
        for others, share in enumerate(of_negatives):
            whole = own + others * hit + (negatives - others) * miss
            value += chance * share * iv.log(interval(candidates * own / (positives * whole)))
    return value, interval(right) * iv.log(interval(hit)) + interval(1 - right) * iv.log(interval(miss))


def _above(right: Rate, values: int, N: int, positives: int) -> Iterator[Finding]:
    value, mutual = noisy_channel(right, values, N, positives)
    yield Finding(value, ">", mutual, ("log N − 𝓛ⁱⁿ", "I(x;c)"))
    yield Finding(value, "<", positives * mutual, ("log N − 𝓛ⁱⁿ", f"{positives} I(x;c)"))


def _far_above(right: Rate, values: int, N: int, positives: int) -> Finding:
    value, mutual = noisy_channel(right, values, N, positives)
    return Finding(value - iv.log(positives), ">", mutual, (f"log(N/{positives}) − 𝓛ⁱⁿ", "I(x;c)"))


claim("R3", "folklore", DRAWS)(
    said_by="Multi-label Contrastive Predictive Coding (Song and Ermon, 2020b) bounds the information of one"
    " pair by a loss with several positives, each from a context of its own. For positives that share their"
    " context, as SupCon's do, a reader may assume the same.",
    checked="With several positives of one context the loss that has their mean within the logarithm (R6) does"
    " not bound the information of one of them, even with the true density ratio as the score: «above»; nor"
    " with the number of positives out of N: «far above».",
    correction="M positives, drawn together in their context, have any of $K^p$ places in a list of N candidates,"
    " of finitely many values: «bound», for any positive score. Here «bound.where 𝓛ⁱⁿ» over a law «bound.where J′»,"
    " where $φ$ sums the"
    " scores of the positives, and in «bound.where Φ», the same as «bound.where Ψ», each candidate is in the same"
    " share of the places, $σ$ being what those places add that cannot be. And «bound.where ℐ», where «bound.where"
    " ϱᵖ» is the density of a draw against its list with any place. If the positives are drawn apart from one"
    " another given the context, «each.where ϱᵖ», it is «each»: M times the information of one. So it is this that"
    " the loss bounds, and with N, not N over M, in the logarithm. The loss with the mean outside is the mean of M"
    " losses with one positive each, to whose denominator the other positives only add: «outside» in the symbols"
    " of P1, «outside.where ℐ», «outside.where J′», «outside.where Φ» and «outside.where Ψ», $σ'$ now the scores"
    " of these positives, and N one more than the number of negatives. That nobody had related SupCon to"
    " information is said in Generalizing Supervised Contrastive Learning (Jeong and Hero, 2025); that"
    " several positives take a multi-label bound past the logarithm of the candidates in Multi-label Contrastive"
    " Predictive Coding (Song and Ermon, 2020b); of the factor M we know no source.",
    brief="Take M positives of one context and a loss that has their mean within the logarithm (R6). Log N less"
    " the loss does not bound the information of one of them, even with the true density ratio as the score,"
    " «above». It bounds $ℐ$, that of all M together, «bound», for finitely many values and any positive score;"
    " which is M times that of one if they are drawn apart from one another given the context.",
    above=lambda: Counterexample.at(
        "a bit, and views that show it three times of four",
        _above,
        right=Rate(3, 4),
        values=2,
        N=16,
        positives=2,
    ),
    far_above=lambda: Counterexample.at(
        "1024 values, and views that show the right one twice of five",
        _far_above,
        right=Rate(2, 5),
        values=1024,
        N=512,
        positives=3,
    ),
    bound=BOUND,
    # the information of all positives, independent given the context, is the sum of each one's
    each=DRAWS.only("ℐ").also("ϱᵖ[n] := e^(Σ_j log(rᵖ[n,j]))")("ℐ = Σ_j Σ_n J′[n] log(rᵖ[n,j])"),
    outside=NTXENT_BOUND,
)
