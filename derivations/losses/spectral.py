"""The spectral contrastive loss: products of pairs, and squared products of all non-pairs (document F)."""

from ..common.weights import state, weigh_row
from ..evidence.plain import claim, given
from ..symbols import B

SPECTRAL = given(
    "i j k < B; f g < d",
    "S[i,j] := Σ_f Z₁[i,f] Z₂[j,f]",
    "ℓ[i] := (Σ_j 1[i ≠ j] S[i,j]^2)/(B - 1) - 2 S[i,i]",
    "𝓛 := (Σ_i ℓ[i])/ν",
    "G[i,j] := 2 1[i ≠ j] S[i,j]/(B - 1) - 2 1[i = j]",
)
GRADIENTS = {
    "z1": "∂𝓛/∂Z₁[k,f] = (Σ_j G[k,j] Z₂[j,f])/ν",
    "z2": "∂𝓛/∂Z₂[k,f] = (Σ_j G[j,k] Z₁[j,f])/ν",
}
STATEMENT = state("spectral", SPECTRAL, SPECTRAL.gradients(GRADIENTS, "F8"), weigh_row(SPECTRAL["G"]), rows=B)

claim("F7", "definition", SPECTRAL)(
    printed=r"$\mathcal{L}(f) = -2 \cdot \mathbb{E}_{x, x^+}[f(x)^\top f(x^+)]"
    r" + \mathbb{E}_{x, x^-}[(f(x)^\top f(x^-))^2]$",
    checked="In a batch «row» and «loss», where «scores». In the mean over the pairs that is «batch»: of a"
    " row and its partner, and of the «pairs» ordered pairs of rows that are none. Of one pair alone there"
    " is no such pair, and their mean would be 0 over 0. The views may be exchanged, «exchange»; no square"
    " is negative, «square»; there is no exponential and no temperature.",
    row="ℓ[i]",
    loss="𝓛",
    scores="S[i,j]",
    batch=SPECTRAL.also("ν := B")("𝓛 = (Σ_ij 1[i ≠ j] S[i,j]^2)/(B (B - 1)) - 2 (Σ_i S[i,i])/B"),
    pairs="Σ_ij 1[i ≠ j] = B (B - 1)",
    exchange="𝓛 = (Σ_i ((Σ_j 1[i ≠ j] (Σ_f Z₂[i,f] Z₁[j,f])^2)/(B - 1) - 2 (Σ_f Z₂[i,f] Z₁[i,f])))/ν",
    square="S[i,j]^2 ≥ 0",
)

claim("F8", "proved", SPECTRAL)(
    checked="The gradients of the spectral loss are «z1» and «z2», where «z1.where G»: the pull on a positive is"
    " the same however near it is, «pull», the push on a negative grows with its score, and a negative with a score"
    " below 0 is pulled.",
    **GRADIENTS,
    pull="G[i,i] = -2",
)
