"""Soft targets: the cross-entropy of scores against a distribution over the candidates (document F)."""

from ..common.weights import state, weigh_row
from ..evidence.plain import claim, given
from . import supcon
from .cpc import SOFTMAX

TARGETS = given(
    "i k < N; a m < A; p: N → A; c real",
    SOFTMAX,
    "ℓ[i] := -Σ_a Yᵗ[i,a] log(e^u[i,a] / Σ_m e^u[i,m])",
    "𝓛 := (Σ_i ℓ[i])/ν",
    # P_a − t_a, each times the sum of the others: no cancellation if the target is one candidate [S2]
    "G[i,a] := Σ_m 1[m ≠ a] (P[i,a] Yᵗ[i,m] - Yᵗ[i,a] P[i,m])",
)
BY_SCORES = "∂𝓛/∂u[k,a] = G[k,a]/ν"


STATEMENT = state(
    "soft_targets", TARGETS, {"scores": TARGETS.gradient(BY_SCORES, "F5")}, weigh_row(TARGETS["G"])
)
SHIFTED = "-Σ_a Yᵗ[i,a] log(e^(u[i,a] + c) / Σ_m e^(u[i,m] + c))"

claim("F4", "definition", TARGETS)(
    printed=r"$\ell = -\sum_{k=1}^K \log(p(k)) q(k)$, $p(k|x) = \frac{\exp(z_k)}{\sum_{i=1}^K \exp(z_i)}$",
    checked="Printed in Rethinking the Inception Architecture for Computer Vision (Szegedy et al., 2016), of one"
    " row. «row» and «loss», all probabilities being positive: «positive». The targets of a row sum to 1. A"
    " constant added to all scores of a row changes nothing, «shift», nor does it in all rows: «whole».",
    row="ℓ[i]",
    loss="𝓛",
    positive="P[i,a] > 0",
    shift=f"{SHIFTED} = ℓ[i]",
    whole=f"(Σ_i ({SHIFTED}))/ν = 𝓛",
)

claim("F5", "proved", TARGETS)(
    checked="The gradient by the scores is the error over the number of rows, «scores», where «error»: as the"
    " targets sum to 1, each probability less its target. Each row sums to 0, «sum».",
    scores=BY_SCORES,
    error="G[i,a] = P[i,a] (Σ_m Yᵗ[i,m]) - Yᵗ[i,a]",
    sum="Σ_a G[i,a] = 0",
)

INFONCE = "log(e^u[i,p(i)] / Σ_m e^u[i,m])"
ROW = TARGETS.only("P", "ℓ")
OF_PAIRS = supcon.CLASSES.only().also(supcon.FORMS["out"]["ℓ"], "Yᵗ[i,j] := Yᶜ[i,j]/nᶜ[i]", "ψ⁺[i] := 1")

claim("F6", "proved", TARGETS)(
    checked="With all weight on one candidate, «one.where Yᵗ», the loss «one.where ℓ» is InfoNCE over scores:"
    " «one». With label smoothing, «smooth.where Yᵗ», it is «smooth»: a part of InfoNCE's loss, and a part for"
    " all candidates alike. SupCon, its mean outside the logarithm, «supcon.where ℓ», is «supcon», where"
    " «supcon.where Yᵗ»: soft targets over all rows but the anchor.",
    one=ROW.also("Yᵗ[i,a] := 1[a = p(i)]")(f"ℓ[i] = -{INFONCE}"),
    smooth=ROW.also("Yᵗ[i,a] := (1 - ε₀) 1[a = p(i)] + ε₀/A")(
        f"ℓ[i] = -(1 - ε₀) {INFONCE} - ε₀ (Σ_a log(P[i,a]))/A"
    ),
    supcon=OF_PAIRS(f"ℓ[i] = -Σ_j Yᵗ[i,j] log(e^L[i,j]/{supcon.OTHERS})"),
)
