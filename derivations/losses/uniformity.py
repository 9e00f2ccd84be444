"""Uniformity: the logarithm of the mean Gaussian kernel of all pairs of rows (document F)."""

from ..common import sphere
from ..common.statement import Statement
from ..evidence.plain import claim, given
from ..symbols import loss

UNIFORMITY = given(
    "i j k Σ_mn < N; f g < d",
    "‖Δ‖²[i,j] := Σ_f (z[i,f] - z[j,f])^2",
    "𝓛 := log((Σ_mn 1[m ≠ n] e^(-t₀ ‖Δ‖²[m,n]))/(N (N - 1)))",
    "κ̂[i,j] := 1[i ≠ j] e^(-t₀ ‖Δ‖²[i,j]) / Σ_mn 1[m ≠ n] e^(-t₀ ‖Δ‖²[m,n])",
)
UNIT = UNIFORMITY.without("κ̂").also(sphere.NORM, sphere.UNIT, sphere.COSINE)
BY_ROW = "4 t₀ (Σ_j κ̂[k,j] (z[j,f] - z[k,f]))"


BY_Z = UNIFORMITY.gradient(f"∂𝓛/∂z[k,f] = {BY_ROW}", "F20")
STATEMENT = Statement("uniformity", loss, UNIFORMITY.names, {"z": BY_Z})

claim("F19", "definition", UNIFORMITY)(
    printed=r"$\mathcal{L}_{uniform}(f; t) = \log \mathbb{E}_{x,y \sim p_{data}}[e^{-t\|f(x)-f(y)\|_2^2}]$,"
    r" $t > 0$",
    checked="In a batch «loss», where «squared»: the mean over the «pairs» ordered pairs of rows, none paired"
    " with itself, is of positive numbers, «positive». Each pair is met twice, «mutual», so that the"
    " unordered pairs have the same mean. Of unit rows it is «cosine», what a softmax of their cosines divides by,"
    " at a temperature of half of one over $t_0$.",
    loss="𝓛",
    squared="‖Δ‖²[i,j]",
    pairs="Σ_ij 1[i ≠ j] = N (N - 1)",
    positive="e^(-t₀ ‖Δ‖²[i,j]) > 0",
    mutual="‖Δ‖²[i,j] = ‖Δ‖²[j,i]",
    cosine=UNIT("e^𝓛 = e^(-2 t₀) (Σ_mn 1[m ≠ n] e^(2 t₀ s[m,n]))/(N (N - 1))"),
)

claim("F20", "proved", UNIFORMITY)(
    checked="The gradient of uniformity is «z», where «z.where κ̂»: every row is pushed from every other, by their"
    " share and their distance. The shares sum to 1, «shares», and the batch as a whole is not moved, «together».",
    z=BY_Z.prove,
    shares="Σ_ij κ̂[i,j] = 1",
    together=f"Σ_k {BY_ROW} = 0",
)
