"""The columns of a batch minus their means, for Barlow Twins and VICReg."""

CENTRED = (
    "Z̄₁[f] := (Σ_i Z₁[i,f])/B",
    "Z̃₁[i,f] := Z₁[i,f] - Z̄₁[f]",
    "Z̄₂[f] := (Σ_i Z₂[i,f])/B",
    "Z̃₂[i,f] := Z₂[i,f] - Z̄₂[f]",
)
