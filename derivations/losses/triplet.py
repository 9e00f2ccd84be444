"""The triplet loss: a hinge on the difference of two squared distances (named in document D3)."""

from fractions import Fraction

from mpmath import mpf

from ..common.weights import state
from ..evidence.kinds import Empirical, Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Rows
from ..symbols import active

# max(0, x) in its two cases: α = 1 where x > 0, and α = 0 elsewhere, the tie x = 0 among it
TRIPLETS = given(
    "i k < N; f g < d; α is 0 or 1",
    "ℓ[i] := α[i] (Σ_g ((xᵃ[i,g] - xᵖ[i,g])^2 - (xᵃ[i,g] - xⁿ[i,g])^2) + μ)",
    "𝓛 := (Σ_i ℓ[i])/ν",
)
GRADIENTS = {
    "anchor": "∂𝓛/∂xᵃ[k,f] = 2 α[k] (xⁿ[k,f] - xᵖ[k,f])/ν",
    "positive": "∂𝓛/∂xᵖ[k,f] = 2 α[k] (xᵖ[k,f] - xᵃ[k,f])/ν",
    "negative": "∂𝓛/∂xⁿ[k,f] = 2 α[k] (xᵃ[k,f] - xⁿ[k,f])/ν",
}


def _kink(anchor, positive, negative, margin, step) -> Finding:
    """One triplet of one number; the squares of the anchor cancel, so that the slopes are exact."""

    def slope(step: Fraction) -> Fraction:
        moved = anchor[0][0] + step
        hinge = (moved - positive[0][0]) ** 2 - (moved - negative[0][0]) ** 2 + margin
        return max(Fraction(0), hinge) / step

    return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))


claim("M12", "proved", TRIPLETS)(
    checked="The gradients of the triplet loss are differences of rows: «anchor», «positive» and «negative», where"
    " $α$ is 1 with the hinge open and 0 with it shut. Where the hinge is at 0 both meet, and there may be no"
    " derivative: «kink». That it is shut there is a convention.",
    **GRADIENTS,
    kink=lambda: Example.at(
        "no derivative where the hinge is 0",
        _kink,
        anchor=Rows([[0]]),
        positive=Rows([[1]]),
        negative=Rows([[2]]),
        margin=3,
        step=Fraction(1, 10),
    ),
)

claim("D3.1", "no theorem", TRIPLETS)(
    printed="Triplet Loss: Es una técnica de aprendizaje supervisado, el cual es predecesor de propuestas en"
    " self-supervised.",
    checked="«history».",
    correction="What can be proved is the gradient of the loss that bears the name (M12): it moves no triplet"
    " as a whole, «together».",
    history=lambda: Empirical("History, without a formula"),
    together="∂𝓛/∂xᵃ[k,f] + ∂𝓛/∂xᵖ[k,f] + ∂𝓛/∂xⁿ[k,f] = 0",
)


def _is_open(a, p, n, limit) -> int:
    return int(sum(mpf(x - y) ** 2 - (x - u) ** 2 for x, y, u in zip(a, p, n, strict=True)) + limit > 0)


def _bind(anchor, positive, negative, *, margin, **_) -> dict:
    return {active: [_is_open(*rows, margin) for rows in zip(anchor, positive, negative, strict=True)]}


STATEMENT = state("triplet", TRIPLETS, TRIPLETS.gradients(GRADIENTS, "M12"), bind=_bind)
