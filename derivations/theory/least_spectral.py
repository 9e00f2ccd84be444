"""The least of the spectral loss over unit rows: both views one tight frame."""

from sympy import IndexedBase

from ..evidence.plain import claim, given

PAIRS = given(  # a pair, and M others
    "i j < M + 1; f g < d",
    "‖w[i]‖ := √(Σ_f w[i,f]^2)",
    "‖w′[i]‖ := √(Σ_f w′[i,f]^2)",
    "Z₁[i,f] := w[i,f]/‖w[i]‖",
    "Z₂[i,f] := w′[i,f]/‖w′[i]‖",
    "S[i,j] := Σ_f Z₁[i,f] Z₂[j,f]",
    "ℓ[i] := (Σ_j 1[i ≠ j] S[i,j]^2)/M - 2 S[i,i]",
    letters=[IndexedBase(name, real=True) for name in ("w", "w′", "‖w‖", "‖w′‖")],
)
MEAN = "(Σ_i ℓ[i])/(M + 1)"
NEAR = "(Σ_if (Z₁[i,f] - Z₂[i,f])^2)/(M + 1) + (Σ_ij 1[i ≠ j] S[i,j]^2)/((M + 1) M)"
# (M + 1) M times what the loss is above −2 + (B/d − 1)/(B − 1). With D = Z₁ − Z₂ and W = Z₁ + Z₂ and unit rows
# the loss is known from ‖D‖² and the d × d matrices Z₁ᵀZ₁ and Z₂ᵀZ₂. Their sum is short of (2B/d) I by the first
# term; their difference is the symmetric part of DᵀW, and ‖D‖² ‖W‖² exceeds its square by the second and third.
FRAME = "(Σ_fg (Σ_i (Z₁[i,f] Z₁[i,g] + Z₂[i,f] Z₂[i,g]) - (2 M + 2) 1[f = g]/d)^2)/4"
D_IF, D_JF, D_IG, D_JG = (f"(Z₁[{i},{f}] - Z₂[{i},{f}])" for f in "fg" for i in "ij")
W_IF, _, W_IG, W_JG = (f"(Z₁[{i},{f}] + Z₂[{i},{f}])" for f in "fg" for i in "ij")
AREAS = f"(Σ_fgij ({D_IF} {W_JG} - {D_JF} {W_IG})^2)/8"
TURN = f"(Σ_fg (Σ_i ({D_IF} {W_IG} - {D_IG} {W_IF}))^2)/16"
QUARTIC = f"(Σ_ij 1[j ≠ i] (Σ_f {D_IF}^2) (Σ_g {D_JG}^2))/4"
ABOVE = f"({FRAME} + {AREAS} + {TURN} + {QUARTIC})/((M + 1) M)"
CIRCLE = [[1, 0], [0, 1], [-1, 0], [0, -1]]

claim("M33", "proved", PAIRS)(
    checked="The spectral loss of $M + 1$ pairs of unit rows has «near», and none of these squares is"
    " negative, «near sign»: no mean loss is below -2, and where both views are one orthonormal batch it"
    " is -2. Only d rows can be orthonormal. With more than d pairs the floor is higher: «floor», and"
    " this is not negative either, «floor sign». Every sum but one is 0 where the two views coincide, and"
    " that one if their d products of columns are those of a tight frame, a multiple of the identity"
    " matrix. Four rows on a circle are one. That B unit rows have squared products which sum to no less"
    " than the square of B over d is in Lower Bounds on the Maximum Cross Correlation of Signals (Welch,"
    " 1974), and that tight frames of unit rows exist for any number of rows from d on in Finite Normalized"
    " Tight Frames (Benedetto and Fickus, 2003); of the floor for two views we know no source.",
    brief="No mean spectral loss of B pairs of unit rows, M being $B - 1$, is below -2, as «near», nor below"
    " $-2 + (B/d - 1)/M$, which is more for B above d. Both views one orthonormal batch, or one tight frame,"
    " reach it.",
    near=f"{MEAN} + 2 = {NEAR}",
    near_sign=f"{NEAR} ≥ 0",
    floor=f"{MEAN} + 2 - ((M + 1)/d - 1)/M = {ABOVE}",
    floor_sign=f"{ABOVE} ≥ 0",
    circle=PAIRS.only("S", "ℓ").holds(
        "four rows on a circle", f"{MEAN} = -5/3", {"M": 3, "d": 2, "Z₁": CIRCLE, "Z₂": CIRCLE}
    ),
)
