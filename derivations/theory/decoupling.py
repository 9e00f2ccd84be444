"""The factor of InfoNCE that DCL drops: it couples the positive with the negatives."""

from ..common.sphere import LOGITS, SOFTMAX
from ..evidence.plain import claim, given

DECOUPLED = given(
    "i k < N; a Σ_mn < A; f < d; p: N → A",
    *(LOGITS, SOFTMAX),
    "ℓ[i] := -log(P[i,p(i)])",
    "ℓᵈ[i] := log(Σ_m 1[m ≠ p(i)] e^L[i,m]) - L[i,p(i)]",
)
UNSURE = "(Σ_n 1[n ≠ p(i)] P[i,n])"  # 1 − P_p

claim("R7", "proved", DECOUPLED)(
    checked="InfoNCE is the softplus of DCL, row by row and for any candidates: «softplus», where «softplus.where"
    " ℓ» and «softplus.where ℓᵈ». So whatever the loss is differentiated by, the two derivatives differ by one"
    " factor of the row, its sigmoid «factor», which is what P of the positive is short of 1: «unsure». It is"
    " positive, «positive», and below 1. «logit», «row», «candidate», «temperature». DCL alone has «alone»: it"
    " pulls on the positive with the weight 1 however near that is, and pushes each negative by its share"
    " among the negatives. InfoNCE multiplies both by the factor, which couples them: a near positive takes"
    " the push off the negatives, easy negatives the pull off the positive. That the factor is there was said"
    " in Decoupled Contrastive Learning (Yeh et al., 2022).",
    softplus="ℓ[i] = log(1 + e^ℓᵈ[i])",
    factor=f"{UNSURE} = e^ℓᵈ[i]/(1 + e^ℓᵈ[i])",
    unsure=f"1 - P[i,p(i)] = {UNSURE}",
    positive="e^ℓᵈ[i]/(1 + e^ℓᵈ[i]) > 0",
    logit=f"∂ℓ[i]/∂L[k,a] = {UNSURE} ∂ℓᵈ[i]/∂L[k,a]",
    row=f"∂ℓ[i]/∂z[k,f] = {UNSURE} ∂ℓᵈ[i]/∂z[k,f]",
    candidate=f"∂ℓ[i]/∂y[a,f] = {UNSURE} ∂ℓᵈ[i]/∂y[a,f]",
    temperature=f"∂ℓ[i]/∂τ = {UNSURE} ∂ℓᵈ[i]/∂τ",
    alone="∂ℓᵈ[i]/∂L[i,a] = 1[a ≠ p(i)] e^L[i,a] / (Σ_m 1[m ≠ p(i)] e^L[i,m]) - 1[a = p(i)]",
)
