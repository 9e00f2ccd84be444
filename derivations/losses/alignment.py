"""Alignment: the mean distance of two views, to a power (document F).

A power of a distance is e^{α log ‖Δ‖}, defined only for different rows. For equal rows ψ° is 0, and so are
their loss and, by convention, their gradient.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from ..common.weights import state
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Numbers, Rows, root
from ..prover.inequality import nonnegative
from ..symbols import B, differing
from . import byol

RANGES = "i j k < B; f g < d"
NOT_0, NOT_0_IN_ROW_K = (f"‖Δ‖²[{row},{row}] + 1 - ψ°[{row}]" for row in "ik")  # ‖Δ‖², and 1 where ψ° is 0
VIEWS = given(
    f"{RANGES}; ψ° is 0 or 1; y real",  # two rows differ by e^{−y} in one feature
    "‖Δ‖²[i,j] := Σ_f (Z₁[i,f] - Z₂[j,f])^2",
    f"ℓ[i] := ψ°[i] e^((αᵉ/2) log({NOT_0}))",
    "𝓛 := (Σ_i ℓ[i])/ν",
)
SQUARED, ROW, LOSS = VIEWS.names
# α ‖Δ‖^{α−2} (x − y)/B
FACTOR = f"ψ°[k] αᵉ e^(((αᵉ - 2)/2) log({NOT_0_IN_ROW_K}))"
GRADIENTS = {
    "z1": f"∂𝓛/∂Z₁[k,f] = {FACTOR} (Z₁[k,f] - Z₂[k,f])/ν",
    "z2": f"∂𝓛/∂Z₂[k,f] = {FACTOR} (Z₂[k,f] - Z₁[k,f])/ν",
}


def _bind(z1, z2, **_) -> dict:
    return {differing: [int(x != y) for x, y in zip(z1, z2, strict=True)]}


STATEMENT = state("alignment", VIEWS, VIEWS.gradients(GRADIENTS, "F13"), bind=_bind, rows=B)
DIFFERENT = given(RANGES, SQUARED, ROW, "ψ°[i] := 1")
SQUARE = ("αᵉ := 2", LOSS)
UNIT_ROWS = byol.BYOL.without("ℓ", "𝓛").also(
    *DIFFERENT.names, SQUARE[0], "Z₁[i,f] := q̄θ[i,f]", "Z₂[i,f] := z̄′[i,f]"
)

claim("F12", "definition", VIEWS)(
    printed=r"$\mathcal{L}_{align}(f; \alpha) = \mathbb{E}_{(x,y) \sim p_{pos}}[\|f(x) - f(y)\|_2^\alpha]$,"
    r" $\alpha > 0$",
    checked="Alignment is a power of the distance of partners: «row» and «loss», where «squared», and $ψ°$ is 1 if"
    " the two rows differ. Then «log», which says the power by a logarithm; with an exponent of 2 the loss is"
    " «square», and BYOL's row is that of unit rows, «byol». Nothing is negative: «sign».",
    row="ℓ[i]",
    loss="𝓛",
    squared="‖Δ‖²[i,j]",
    log=DIFFERENT("log(ℓ[i]) = αᵉ log(‖Δ‖²[i,i])/2"),
    square=DIFFERENT.also(*SQUARE)("𝓛 = (Σ_i ‖Δ‖²[i,i])/ν"),
    byol=UNIT_ROWS("ℓ[i] = Σ_f (q̄θ[i,f] - z̄′[i,f])^2"),
    sign=lambda: nonnegative(ROW.body, names=(SQUARED,)),
)


def _kink(first, second, step) -> Finding:
    """One pair of rows of one number, at the exponent 1."""

    def slope(step: Fraction) -> Fraction:
        return root((first[0][0] + step - second[0][0]) ** 2) / step

    return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))


def _steep(steps) -> Iterator[Finding]:
    """The exponent 1/2: the slope from 0 to a step is the step's root over the step."""
    for step, shorter in pairwise(steps):
        yield Finding(root(shorter) / shorter, ">", root(step) / step, (f"slope to {shorter}", f"to {step}"))


claim("F13", "proved", VIEWS)(
    brief="Alignment's gradient draws the two rows of a pair together, as strongly as a power of their distance."
    " By a row of the first view it is «z1», and by its partner the opposite. Where both are equal it is 0.",
    checked="The gradients of alignment are «z1» and «z2». Of two rows that are equal the gradient here is 0, as it"
    " is for an exponent of 2 everywhere, «smooth». Move one of them by $e^{-y}$, which then is their distance: the"
    " slope from the equal rows to there is «ahead», and the other way «behind». For an exponent above 1 both go to"
    " 0 as $y$ grows: 0 is the derivative. For an exponent of 1 they are 1 and -1, «kink», and for one below 1 they"
    " grow without bound, «steep»: then equal rows have no derivative, and 0 is a convention.",
    **GRADIENTS,
    smooth="∂‖Δ‖²[k,k]/∂Z₁[k,f] = 2 (Z₁[k,f] - Z₂[k,f])",
    ahead="e^((αᵉ/2) log((e^-y)^2))/e^-y = e^((1 - αᵉ) y)",
    behind="e^((αᵉ/2) log((-e^-y)^2))/(-e^-y) = -e^((1 - αᵉ) y)",
    steep=lambda: Example.at("the exponent 1/2", _steep, steps=Numbers([Fraction(1, 4), Fraction(1, 100)])),
    kink=lambda: Example.at(
        "two equal rows, the exponent 1", _kink, first=Rows([[0]]), second=Rows([[0]]), step=Fraction(1, 10)
    ),
)
