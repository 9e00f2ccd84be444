"""The pairwise logistic loss over rows of scores: the positive against each other candidate (document T)."""

from ..common.weights import state
from ..evidence.plain import claim, given

# σ(u_j − u_p), the probability that the candidate is mistaken for the positive
CHANCE = "e^u[k,{0}]/(e^u[k,{0}] + e^u[k,p(k)])"
PAIRS = given(
    "i k < N; a m < A; p: N → A",
    "ℓ[i] := Σ_a 1[a ≠ p(i)] log(1 + e^(u[i,a] - u[i,p(i)]))",
    "𝓛 := (Σ_i ℓ[i])/ν",
)
GRADIENT = (
    f"∂𝓛/∂u[k,a] = (1[a ≠ p(k)] ({CHANCE.format('a')})"
    f" - 1[a = p(k)] (Σ_m 1[m ≠ p(k)] ({CHANCE.format('m')})))/ν"
)

claim("T1", "proved", PAIRS)(
    printed=r"$C_{ij} = -o_{ij} + \log(1 + e^{o_{ij}})$",
    checked="Summed over the negatives, «gradient»: a negative is pushed by the chance that it is taken for the"
    " positive, and the positive is pulled by their sum.",
    gradient=GRADIENT,
)


STATEMENT = state("ranknet", PAIRS, PAIRS.gradients({"scores": GRADIENT}, "T1"))
