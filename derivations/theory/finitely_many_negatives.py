"""How far the mean loss of M drawn negatives is from that of infinitely many: at most their variance."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from mpmath import iv

from ..evidence.kinds import Example, Finding, interval
from ..evidence.plain import claim, given
from ..evidence.points import Numbers
from ..prover.evaluate import evaluator
from ..symbols import M

DRAWS = given(
    "m g < Ω; a n < M; ω[] > 0",
    "R[m] := ω[m] / Σ_g ω[g]",
    "Oʳ[m] := Σ_a E[m,a]",
    "ℓ[m] := log(1 + Oʳ[m])",
    "Ē[a] := Σ_m R[m] E[m,a]",
    "Ō := Σ_m R[m] Oʳ[m]",
)
LEAST = DRAWS.also("E[m,a] := E₀ + E⁺[m,a]")
PARTS = "(Oʳ[m] - Ō)^2/((1 + Ō) (1 + Oʳ[m]))"
DROPPED = f"(Σ_m R[m] ({PARTS}) (Σ_a E⁺[m,a]))/(1 + M E₀)"
VARIANCE = "(Σ_m R[m] (Oʳ[m] - Ō)^2)"
ACROSS = "1[a ≠ n] (Σ_m R[m] (E[m,a] - Ē[a]) (E[m,n] - Ē[n]))"

# of E: mean and deviation; of normal scores: mean x and variance; the odds; the gap
ALIKE = given("Σ_a < M; μ σ v O Δ > 0; x real")
average, spread, gap = map(ALIKE.letter, "μσΔ")
SECOND = ALIKE.read("M σ^2/(2 (1 + M μ)^2)")
FIRST_MOMENT, SECOND_MOMENT = (f"e^({k} x/τ + {k**2} v/(2 τ^2))" for k in (1, 2))


def second_order(negatives: int, ends: Numbers) -> Iterator[Finding]:
    """The gap over the second-order term of Taylor's series, in intervals."""
    low, high = ends
    mean_lead, deviation = (low + high) / 2, (high - low) / 2
    middle = 1 + negatives * mean_lead
    lost = iv.mpf(0)
    for k in range(negatives + 1):
        ratio = middle / (1 + k * low + (negatives - k) * high)
        lost += iv.log(interval(ratio)) * comb(negatives, k) / 2**negatives
    term = evaluator(SECOND, {M: negatives, average: mean_lead, spread: deviation})({})[0]
    gap_in_terms = lost * term.denominator / term.numerator
    for sign, end in (">", Fraction(99, 100)), ("<", Fraction(101, 100)):
        yield Finding(gap_in_terms, sign, interval(end), (gap / SECOND, ""))


claim("R21", "proved from LEMMA", DRAWS)(
    checked=r"Draw the negatives of an anchor by any law: outcome $m$ has the probability «at most.where R», a"
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
    at_most="Σ_m R[m] ℓ[m] ≤ log(1 + Ō) by Σ_m R[m] log(1 + Oʳ[m] : 1 + Ō)",
    sum="Ō = Σ_a Ē[a]",
    # no O is below M E₀
    at_least=LEAST.chain(
        f"log(1 + Ō) - Σ_m R[m] ℓ[m] ≤ Σ_m R[m] ({PARTS}) by Σ_m R[m] log(1 + Ō : 1 + Oʳ[m])",
        f"Σ_m R[m] ({PARTS}) = {VARIANCE}/((1 + Ō) (1 + M E₀)) - {DROPPED}",
        f"{DROPPED} ≥ 0",
    ),
    variance=f"{VARIANCE} = Σ_a Σ_m R[m] (E[m,a] - Ē[a])^2 + Σ_an {ACROSS}",
    alike=ALIKE(
        "(Σ_a σ^2)/((1 + Σ_a μ) (1 + M E₀)) = M σ^2/((1 + M μ) (1 + M E₀)) = σ^2/(M (1/M + μ) (1/M + E₀))"
    ),
    curvature=ALIKE("∂(1/(1 + O))/∂O = -1/(1 + O)^2"),
    normal=ALIKE(f"({SECOND_MOMENT} - ({FIRST_MOMENT})^2)/({FIRST_MOMENT})^2 = e^(v/τ^2) - 1"),
    second=lambda: Example.at(
        "200 negatives drawn apart, E being one of two numbers, both as likely",
        second_order,
        negatives=200,
        ends=Numbers([1, 3]),
    ),
)
