"""The resting point of a learned temperature, for fixed scores.

By convexity in β = 1/τ (M7): the slope of the loss rises with β, so its two limits decide.
"""

from collections.abc import Iterator
from fractions import Fraction

from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Numbers, Rows
from ..losses import clip

ROWS = given(
    "i < N; a Σ_mn < A; p: N → A; o: N → A",
    "L[i,a] := β s[i,a]",
    "P[i,a] := e^L[i,a] / Σ_m e^L[i,m]",
    "ℓ[i] := log(Σ_m e^L[i,m]) - L[i,p(i)]",
    "𝓛 := (Σ_i ℓ[i])/ν",
)
MEAN = "Σ_a P[i,a] s[i,a]"  # E_P[s] of a row
SLOPE = f"(Σ_i ({MEAN} - s[i,p(i)]))"  # ν ∂𝓛/∂β
PAIRS = "(Σ_ian P[i,a] P[i,n] (s[i,a] - s[i,n])^2)/(2 ν)"
SHORT = "Σ_ia 1[a ≠ p(i)] P[i,a] δ[i,a]"
OTHERS = "Σ_ia 1[a ≠ o(i)] P[i,a]"
CLIP = given("i j k < B", "L[i,j] := β s[i,j]", *(clip.ROWS, clip.COLUMNS, clip.PAIR, clip.LOSS))


def slopes(scores: Rows, bases: Numbers) -> Iterator[Finding]:
    """The positive comes first; e^β = b."""
    for b, sign in zip(bases, "<=>", strict=True):
        slope = Fraction(0)
        for row in scores:
            weights = [b ** int(score) for score in row]
            slope += sum(w * score for w, score in zip(weights, row, strict=True)) / sum(weights) - row[0]
        yield Finding(slope, sign, 0, (f"ν ∂𝓛/∂β where e^β is {b}", ""))


claim("R1", "proved from LEMMA", ROWS)(
    checked=r"With $β$ for $1/τ$, the scores fixed: «slope», of «slope.where 𝓛» with «slope.where ℓ»,"
    r" «slope.where P» and «slope.where L», which rises with $β$, as «curvature» and «convex», strictly,"
    r" unless the scores of every row are tied, for P is positive, «share». Two ends settle where it is 0."
    r" At $β$ 0, «hot.where L», the sum of the rows' slopes is «hot»; and for any candidates $o(i)$"
    r" «cold». So: (1) Let no candidate score more than its positive, «right.where s». Then the slope is"
    r" nowhere positive, «right», «right sign»: a scale that is learned climbs into its clamp. (2) Let the"
    r" positives' scores sum to no more than the means of all rows do, whatever single rows do, so that"
    r" the slope at 0 is not negative. Then the slope is positive wherever $β$ is, and $β$ falls to 0. (3)"
    r" Otherwise let $o(i)$ be the best candidate of each row. The slope is negative at 0, positive as"
    r" soon as $β$ is above $N \log A$ over the sum of all $s_{i o(i)} - s_{i p(i)}$, and 0 at exactly one"
    r" $β$, where the positives' scores sum to the expected ones. For cosines no slope of a row rises"
    r" faster than 1, «room», so that this $β$ is at least the mean by which positives score above the"
    r" means of their rows. «example». CLIP's slope is «clip», that of the B rows and the B columns, with"
    r" «clip.where 𝓛», «clip.where ℓ», «clip.where P» and «clip.where L»; by the logarithm $υ$ of the"
    r" scale it is «log scale», 0 at the same place. Users see the clamp reached: issue 214 of open_clip."
    r" That an estimate exists unless the scores separate is said of logistic regression in On the Existence"
    r" of Maximum Likelihood Estimates in Logistic Regression Models (Albert and Anderson, 1984), of which the"
    r" one parameter $β$ is a case; of the bounds on $β$ we know no source.",
    brief=r"By $β$, one over the temperature, the loss has the slope «slope»: how far the expected scores are above"
    r" the positives'. It rises with $β$, so that there are three cases. If no candidate scores more than its"
    r" positive, a learned scale climbs into its clamp. If the positives do not score more than the average, summed"
    r" over the rows, it falls to 0. Otherwise it stops at the one $β$ where the positives score as is expected.",
    slope=f"∂𝓛/∂β = {SLOPE}/ν",
    curvature=f"∂(∂𝓛/∂β)/∂β = {PAIRS}",
    convex=f"{PAIRS} ≥ 0",
    share="P[i,a] > 0",
    hot=ROWS.also("L[i,a] := 0")(f"{SLOPE} = Σ_i ((Σ_a s[i,a])/A - s[i,p(i)])"),
    # for any candidates o(i): the entropy of P is at most log A, and log Σ e^{βs} is at least any β s_io
    cold=ROWS.chain(
        f"β (Σ_i (s[i,o(i)] - s[i,p(i)])) - N log(A) - β {SLOPE} ≤ -{OTHERS}"
        " by Σ_i log(e^L[i,o(i)] : Σ_m e^L[i,m]) and Σ_ia P[i,a] log(1/A : P[i,a])",
        f"{OTHERS} ≥ 0",
        both=f"β {SLOPE}",
    ),
    # no candidate scores more than the positive
    right=ROWS.also("s[i,a] := s⁺[i] - 1[a ≠ p(i)] δ[i,a]")(f"{SLOPE} = -{SHORT}"),
    right_sign=f"{SHORT} ≥ 0",
    room=f"1 - Σ_a P[i,a] (s[i,a] - Σ_n P[i,n] s[i,n])^2 = Σ_a P[i,a] (1 - s[i,a]^2) + ({MEAN})^2",
    example=lambda: Example.at(
        "one positive is second of two, two are first",
        slopes,
        scores=Rows([[0, 1], [1, 0], [1, 0]]),
        bases=Numbers([1, 2, 4]),
    ),
    # CLIP's slope: of the rows and of the columns
    clip=CLIP("∂𝓛/∂β = (Σ_i (Σ_j P[i,j] s[i,j] - s[i,i]) + Σ_i (Σ_j Pᶜ[i,j] s[i,j] - s[i,i]))/(2 B)"),
    log_scale=ROWS.also("β := e^υ")(f"∂𝓛/∂υ = β {SLOPE}/ν"),
)
