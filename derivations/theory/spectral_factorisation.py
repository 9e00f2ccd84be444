"""The spectral loss factors a matrix: the frequencies of pairs of samples."""

from ..evidence.plain import claim, given

SIMILARITY = "(Σ_f z₁[i,f] z₂[j,f])"
ROOT = "√(Jˣ[i] Jʸ[j])"
SAMPLES = given(
    "i k < X; j a < X′; f Σ_g < d",
    f"𝓛 := Σ_ij Jˣ[i] Jʸ[j] {SIMILARITY}^2 - 2 (Σ_ij J⁺[i,j] {SIMILARITY})",
)
MADE = "(Σ_g √(Jˣ[i]) z₁[i,g] √(Jʸ[j]) z₂[j,g])"

claim("R11", "proved", SAMPLES)(
    checked=r"With the chance $J^+$ of a pair of samples, and $J^x$ and $J^y$ of each sample by itself, «loss.where"
    r" 𝓛» is the loss of a batch in the mean over all batches of pairs drawn apart: its positives are drawn"
    r" together, and of two pairs the one's first view and the other's second have «apart», whose two sums are"
    r" $J^x$ and $J^y$. It is «loss»: the distance of a matrix from what d features can make, rows $\sqrt{J^x_i}"
    r" z_i$ of one view times rows $\sqrt{J^y_j} z'_j$ of the other, and a number that no encoder changes. So the"
    r" best encoder of d features is the best approximation of rank d. That was said, of one encoder, in Provable"
    r" Guarantees for Self-Supervised Deep Learning with Spectral Contrastive Loss (HaoChen et al., 2021).",
    loss=f"𝓛 = Σ_ij (J⁺[i,j]/{ROOT} - {MADE})^2 - Σ_ij (J⁺[i,j]/{ROOT})^2",
    apart=f"Σ_ijak J⁺[i,a] J⁺[k,j] {SIMILARITY}^2 = Σ_ij (Σ_a J⁺[i,a]) (Σ_k J⁺[k,j]) {SIMILARITY}^2",
)
