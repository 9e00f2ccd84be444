"""Barlow Twins: the features of two views correlated, each with itself and with no other (document F)."""

from ..common.columns import CENTRED
from ..common.statement import Statement
from ..evidence.plain import claim, given
from ..symbols import loss

REDUNDANT = "λ₀ (Σ_fg 1[f ≠ g] C[f,g]^2)"
# 1 − 𝒞_ff as a mean of squares: no cancellation if the views agree [F25]
SHORTFALL = "(Σ_i (Ẑ₁[i,f] - Ẑ₂[i,f])^2)/(2 B)"
FEATURES = given(
    "i j k < B; f g h < d; c[] C[] real",
    *CENTRED,
    # each column divided by its standard deviation over the batch (by B, not B − 1)
    "σ₁[f] := √((Σ_i Z̃₁[i,f]^2)/B)",
    "Ẑ₁[i,f] := Z̃₁[i,f]/σ₁[f]",
    "σ₂[f] := √((Σ_i Z̃₂[i,f]^2)/B)",
    "Ẑ₂[i,f] := Z̃₂[i,f]/σ₂[f]",
    "C[f,g] := (Σ_i Ẑ₁[i,f] Ẑ₂[i,g])/B",
    f"𝓛 := Σ_f (1 - C[f,f])^2 + {REDUNDANT}",
    f"G[f,g] := 2 λ₀ 1[f ≠ g] C[f,g] - 2·1[f = g] {SHORTFALL}",
)
NAMES = FEATURES.names
BY_Z1 = "(Σ_h G[f,h] (Ẑ₂[k,h] - C[f,h] Ẑ₁[k,f]))/(B σ₁[f])"
BY_Z2 = "(Σ_h G[h,f] (Ẑ₁[k,h] - C[h,f] Ẑ₂[k,f]))/(B σ₂[f])"
GRADIENTS = {"z1": f"∂𝓛/∂Z₁[k,f] = {BY_Z1}", "z2": f"∂𝓛/∂Z₂[k,f] = {BY_Z2}"}


STATEMENT = Statement("barlow_twins", loss, NAMES, FEATURES.gradients(GRADIENTS, "F26"))
MOVED = "(ς Z₁[i,f] + c[f] - (Σ_i (ς Z₁[i,f] + c[f]))/B)"

claim("F25", "definition", FEATURES)(
    printed=r"$\mathcal{L}_{BT} = \sum_i (1 - \mathcal{C}_{ii})^2 + \lambda \sum_i \sum_{j \neq i}"
    r" \mathcal{C}_{ij}^2$, $\mathcal{C}_{ij} = \frac{\sum_b z_{b,i}^A z_{b,j}^B}{\sqrt{\sum_b (z_{b,i}^A)^2}"
    r" \sqrt{\sum_b (z_{b,j}^B)^2}}$, the columns centred along the batch",
    checked="Barlow Twins asks each column to agree with its own in the other view, and with no other: «loss»,"
    " where «correlation» is «printed»: columns of mean 0, «mean», and variance 1, «variance». It needs columns"
    " that are not constant, and then takes no notice of their scale and mean: «scale». The correlation of a"
    " feature with itself is short of 1 by «shortfall», which is not negative, «sign». Of two views that are the"
    " same, «aligned.where Z₂», only the redundancy is left: «aligned». The official code, main.py of barlowtwins,"
    " adds 1/100000 to each variance before it divides, by batch normalisation.",
    loss="𝓛",
    correlation="C[f,g]",
    printed_="C[f,g] = (Σ_i Z̃₁[i,f] Z̃₂[i,g])/(√(Σ_i Z̃₁[i,f]^2) √(Σ_i Z̃₂[i,g]^2))",
    mean="Σ_i Ẑ₁[i,f] = 0",
    variance="(Σ_i Ẑ₁[i,f]^2)/B = 1",
    scale=f"{MOVED}/√((Σ_i {MOVED}^2)/B) = Ẑ₁[i,f]",
    shortfall=f"1 - C[f,f] = {SHORTFALL}",
    sign=f"{SHORTFALL} ≥ 0",
    aligned=FEATURES.also("Z₂[i,f] := Z₁[i,f]")(f"𝓛 = {REDUNDANT}"),
)

claim("F26", "proved", FEATURES)(
    checked="The gradients of Barlow Twins' loss are «z1» and «z2», where «error». As the loss takes no notice of a"
    " column's mean and scale, its gradient moves neither: «together» and «spread».",
    **GRADIENTS,
    error="G[f,g] = 2 λ₀ 1[f ≠ g] C[f,g] - 2·1[f = g] (1 - C[f,g])",
    together=f"Σ_k ({BY_Z1}) = 0",
    spread=f"Σ_k ({BY_Z1}) Z̃₁[k,f] = 0",
)
