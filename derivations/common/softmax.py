"""Softmax and cross-entropy: the loss of one row of logits, its derivatives, and the forms that do not cancel.

Here the N² logits are independent variables.
"""

import sys
from collections.abc import Iterator
from fractions import Fraction

from ..evidence.kinds import Approximate, Finding
from ..evidence.plain import claim, given
from ..prover.inequality import lemma

SOFTMAX = given(
    "i j k Σ_m < N; p: N → N; x[] real",
    "P[i,j] := e^L[i,j] / Σ_k e^L[i,k]",  # D1.3
    "ℓ[i] := -log P[i,p(i)]",  # D1.6
    "G[i,j] := P[i,j] - 1[j = p(i)]",  # D1.11
    "𝓛 := (Σ_i ℓ[i])/ν",  # D1.4
)
ONE_NEGATIVE = given("x real")
EPS = sys.float_info.epsilon

claim("D1.6", "definition", SOFTMAX)(
    printed=r"$\ell_i = -\log P_{i,p(i)}$",
    checked="The loss of a row is minus the logarithm of its positive's probability, «loss», where «positive»: the"
    " logarithm of the row's sum, less the logit of the positive, «difference».",
    loss="ℓ[i]",
    positive="P[i,p(i)] > 0",
    difference="ℓ[i] = log(Σ_k e^L[i,k]) - L[i,p(i)]",
)

claim("D1.7", "proved", SOFTMAX)(
    printed=r"$\frac{\partial \ell_i}{\partial L_{ij}} = P_{ij} - [1 : j = p(i), 0 : j \neq p(i)]$",
    checked="The derivative of a row's loss by a logit is the probability, less one at the positive,"
    " «derivative.chain»: as printed for the logits of the row itself, and those of other rows do not enter.",
    derivative="∂ℓ[i]/∂L[k,j] = 1[i = k] (P[i,j] - 1[j = p(i)]) = 1[i = k] G[i,j]",
)

claim("D1.8", "proved", SOFTMAX)(
    printed=r"$\frac{\partial \mathcal{L}}{\partial L_{ij}} = \frac{1}{N} (P_{ij} - \mathbb{1}_{j=p(i)})$",
    checked=r"The derivative of the batch's loss by a logit is that of its row's loss, over the number of rows:"
    r" «derivative.chain», the N² entries of $L$ being independent variables, and $\nu$ the number of rows.",
    derivative="∂𝓛/∂L[i,j] = (P[i,j] - 1[j = p(i)])/ν = G[i,j]/ν",
)

claim("D1.11", "definition", SOFTMAX)(
    printed=r"$G_{ij} = P_{ij} - \mathbb{1}_{j=p(i)}$",
    checked="The error of a row is its probabilities, less one at the positive: «error». Every row of it sums to"
    " zero: «sum».",
    error="G[i,j]",
    sum="Σ_j G[i,j] = Σ_j P[i,j] - 1 = 0",
)


COLD, WARM = SOFTMAX.first("L[i,j] := s[i,j]/τ"), SOFTMAX.first("L[i,j] := s[i,j] β")
SPREAD = "Σ_j P[i,j] (s[i,j] - Σ_m P[i,m] s[i,m])^2"
# dℓ/dτ, and with β = 1/τ both dℓ/dβ and d²ℓ/dβ², a variance [M7]
ROW_BY_TEMPERATURE = {
    "by temperature": COLD("∂ℓ[i]/∂τ = (s[i,p(i)] - Σ_j P[i,j] s[i,j])/τ^2"),
    "slope": WARM("∂ℓ[i]/∂β = Σ_j P[i,j] s[i,j] - s[i,p(i)]"),
    "curvature": WARM(f"∂(∂ℓ[i]/∂β)/∂β = Σ_j P[i,j] s[i,j]^2 - (Σ_j P[i,j] s[i,j])^2 = {SPREAD}"),
    "convex": WARM(f"{SPREAD} ≥ 0"),
}


claim("S1", "proved", SOFTMAX.also("x[i] := log(Σ_k 1[k ≠ p(i)] e^L[i,k]) - L[i,p(i)]"))(
    checked="The surprise at the positive of a softmax is a softplus, «softplus», where «softplus.where x» is the"
    " logarithm of what the others weigh, less the positive's logit. As the loss goes to 0, an error of $x_i$"
    " becomes a relative error of the loss that is no larger (S3).",
    softplus="ℓ[i] = log(1 + e^x[i])",
)

claim("S2", "proved", SOFTMAX)(
    checked="What the positive's probability is short of one is a sum without subtraction, «others»: the"
    " probabilities of the others, all of them positive, «positive», so that nothing cancels.",
    others="1 - P[i,p(i)] = Σ_j P[i,j] - P[i,p(i)] = Σ_j 1[j ≠ p(i)] P[i,j]",
    positive="P[i,j] > 0",
)


def _largest_errors(scores, inverse_temperatures) -> Iterator[Finding]:
    """At each temperature, the largest errors for x in float64, in units of eps/τ; numbers are exact fractions."""
    largest = []
    for temperature in (1 / inverse for inverse in inverse_temperatures):
        rounded = [Fraction(float(-s / 2) / temperature) - Fraction(float(s) / temperature) for s in scores]
        exact = [(-s / 2 - s) / Fraction(temperature) for s in scores]
        error = max(abs(x - y) for x, y in zip(rounded, exact, strict=True))
        largest.append(error / Fraction(EPS) * Fraction(temperature))
    yield Finding(min(largest), ">", Fraction(1, 8), ("error · τ/eps, where it is least", ""))
    yield Finding(max(largest), "<", Fraction(3, 4), ("where it is largest", ""))


claim("S3", "checked", ONE_NEGATIVE)(
    checked="With one negative, whose logit is $x$ above that of the positive, «slope». As «above» and «below», an"
    " error of $x$ becomes a relative error of the loss that is between $P_p$ and 1 times as large. A logit"
    r" $s/\tau$ is rounded by up to half an eps of itself. So much is lost before the loss begins, in float64:"
    r" «rounded»; and tolerances are multiples of $\mathrm{eps} \max(1, 1/\tau)$.",
    slope="∂log(1 + e^x)/∂x = e^x/(1 + e^x)",
    above="log(1 + e^x) ≤ e^x by log(1 + e^x)",
    below="-log(1 + e^x) ≤ -e^x/(1 + e^x) by log(1/(1 + e^x))",
    **{"lemma, right of 1": lambda: lemma()[0], "lemma, left of 1": lambda: lemma()[1]},
    rounded=lambda: Approximate.at(
        "the largest error of x, the positive's score being s_p and the negative's −s_p/2",
        _largest_errors,
        scores=[Fraction(step, 64) for step in range(33, 64, 5)],
        inverse_temperatures=[10, 100, 1000],
    ),
)
