"""VICReg at collapse: if all rows are equal, the gradient keeps them equal."""

from ..evidence.plain import claim, given

# c₁, c₂, c₃: the weights of the three terms with their divisors; α: 1 if the hinge of a feature is open.
OPEN, OPEN_2 = "c₂ (Σ_f α[f] (μ - D[f]))", "c₂ (Σ_f α′[f] (μ - D′[f]))"
OFF, OFF_2 = "c₃ (Σ_fg 1[f ≠ g] C[f,g]^2)", "c₃ (Σ_fg 1[f ≠ g] C′[f,g]^2)"
VIEWS = given(
    "k Σ_ij < B; f g < d; c₁ c₂ c₃ χ′[] α′[] y[] C[] D[] y′[] C′[] D′[] real; ε > 0",
    "y[i,f] := z₁[i,f] - (Σ_j z₁[j,f])/B",
    "C[f,g] := (Σ_i y[i,f] y[i,g])/(B - 1)",
    "D[f] := √(C[f,f] + ε)",
    "y′[i,f] := z₂[i,f] - (Σ_j z₂[j,f])/B",
    "C′[f,g] := (Σ_i y′[i,f] y′[i,g])/(B - 1)",
    "D′[f] := √(C′[f,f] + ε)",
    f"𝓛 := c₁ (Σ_if (z₁[i,f] - z₂[i,f])^2) + {OPEN} + {OFF} + {OPEN_2} + {OFF_2}",
)
# ∂𝓛/∂z of row k of view 1
OTHERS = "4 c₃ (Σ_g 1[f ≠ g] C[f,g] y[k,g])"
PULL = f"2 c₁ (z₁[k,f] - z₂[k,f]) + ({OTHERS} - c₂ α[f] y[k,f]/D[f])/(B - 1)"
COLLAPSED = VIEWS.first("z₁[i,f] := χ[f]", "z₂[i,f] := χ′[f]")
STUCK = VIEWS.first("z₁[i,f] := χ[f]", "z₂[i,f] := χ[f]")

claim("R15", "proved", VIEWS)(
    checked="VICReg with any weights of its three terms is «gradient.where 𝓛», $α$ being 1 where the hinge of a"
    " feature is open. There «gradient», with «gradient.where y», «gradient.where C» and «gradient.where D». Where"
    " all rows of view 1 are one row, «collapsed.where z₁», and those of view 2 another, «collapsed.where z₂», it"
    " is «collapsed», the same for every row: the variance that it asks for it does not get. Where that is the"
    " same row too, «stuck.where z₂», «stuck»: from exact collapse no gradient leads away, through any encoder,"
    " and by exchange of the views none of view 2. The $ε$ under the root makes that so, which without it had no"
    " derivative there. That the variance without a root has hardly a gradient near collapse is said in VICReg"
    " (Bardes, Ponce and LeCun, 2022), as the reason to take the root; that the root with $ε$ has none at collapse"
    " either, we found nowhere.",
    gradient=f"∂𝓛/∂z₁[k,f] = {PULL}",
    collapsed=COLLAPSED(f"{PULL} = 2 c₁ (χ[f] - χ′[f])"),
    stuck=STUCK(f"{PULL} = 0"),
)
