"""What a measured loss certifies of the information, with a given confidence."""

from fractions import Fraction
from math import comb

from mpmath import iv

from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given

BATCHES = given(
    "i < N; a < M; n δ > 0",
    "ℓ[i] := log(1 + Σ_a e^(L[i,a] - L⁺[i]))",
    "L[i,a] := L⁺[i] + 2/τ - δ̂[i,a]",  # two cosines differ by 2 at most
    "Rˡ := log(1 + M e^(2/τ))",
)
MARGIN = BATCHES.without("ℓ", "L", "Rˡ").also("tˡ := Rˡ √(log(1/δ)/(2 n))")
REST = "e^(L[i,a] - L⁺[i])/(1 + M e^(2/τ))"


def coverage(draws: int, odds: int, chance: Fraction) -> Finding:
    """How often the mean of losses, each 0 or log(1 + odds) by a fair coin, is too low by more than the margin."""
    most = iv.log(iv.mpf(odds + 1))
    margin = most * iv.sqrt(iv.log(iv.mpf(chance.denominator) / chance.numerator) / (2 * draws))
    missed = [k for k in range(draws + 1) if not most * k / draws >= most / 2 - margin]
    return Finding(Fraction(sum(comb(draws, k) for k in missed), 2**draws), "<", chance, ("too low", ""))


claim("R24", "proved from LEMMA", BATCHES)(
    checked=r"The loss of a row of cosines with M negatives, «range.where ℓ» and «range.where L», is positive"
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
    # the lemma at e^ℓ, and at e^δ̂ for each negative
    range=f"ℓ[i] + Σ_a ({REST}) δ̂[i,a] ≤ Rˡ by log(e^ℓ[i] : 1 + M e^(2/τ)) and Σ_a {REST} log(e^δ̂[i,a])",
    chance=MARGIN("e^(-2 n tˡ^2/Rˡ^2) = δ"),
    enough=MARGIN("2 n tˡ^2 = Rˡ^2 log(1/δ)"),
    coverage=lambda: Example.at(
        "the mean of 40 losses, each 0 or its most by a fair coin",
        coverage,
        draws=40,
        odds=3,
        chance=Fraction(1, 20),
    ),
)
