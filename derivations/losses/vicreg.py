"""VICReg: two views agree, and the columns of each are spread out and uncorrelated (document F)."""

from fractions import Fraction

from ..common.columns import CENTRED
from ..common.statement import Statement
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Rows, root
from ..symbols import below1, below2, loss
from . import alignment, barlow_twins


def of_view_2(said: str) -> str:
    """The same of the other view."""
    return said.translate(str.maketrans("₁₂", "₂₁"))


RANGES = "i j k < B; f g h < d"
COVARIANCE = "Γ₁[f,g] := (Σ_i Z̃₁[i,f] Z̃₁[i,g])/(B - 1)"
SPREAD = "S₁[f] := √((Σ_i Z̃₁[i,f]^2)/(B - 1) + ε⁺)"  # √(Var + ε)
INVARIANCE = "(Σ_if (Z₁[i,f] - Z₂[i,f])^2)/B"
# max(0, γ − S) in its two cases: η = 1 where S < γ, and η = 0 elsewhere, the tie S = γ among it
HINGE = "(Σ_f η₁[f] (γ₀ - S₁[f]))/d"
OFF_DIAGONAL = "(Σ_fg 1[f ≠ g] Γ₁[f,g]^2)/d"
VIEWS = given(
    f"{RANGES}; η₁ is 0 or 1; η₂ is 0 or 1",
    *CENTRED,
    *(COVARIANCE, SPREAD, of_view_2(COVARIANCE), of_view_2(SPREAD)),
    f"𝓛 := ι₀ {INVARIANCE} + μ₀ ({HINGE} + {of_view_2(HINGE)}) + ρ₀ ({OFF_DIAGONAL} + {of_view_2(OFF_DIAGONAL)})",
)
# the slope of the parts that are of one view
OWN = "4 ρ₀ (Σ_h 1[f ≠ h] Γ₁[f,h] Z̃₁[k,h])/(d (B - 1)) - μ₀ η₁[f] Z̃₁[k,f]/(d (B - 1) S₁[f])"
BY_VIEW = f"∂𝓛/∂Z₁[k,f] = 2 ι₀ (Z₁[k,f] - Z₂[k,f])/B + {OWN}"


def _bind(z1, z2, *, margin, epsilon, **_) -> dict:
    def below(view) -> list[int]:
        """η of each column: S < γ, without the root."""
        return [
            int(margin > 0 and _variance(column) + epsilon < margin**2) for column in zip(*view, strict=True)
        ]

    return {below1: below(z1), below2: below(z2)}


def _variance(column):
    mean = sum(column) / len(column)
    return sum((x - mean) ** 2 for x in column) / (len(column) - 1)


GRADIENTS = {"z1": BY_VIEW, "z2": of_view_2(BY_VIEW)}
STATEMENT = Statement("vicreg", loss, VIEWS.names, VIEWS.gradients(GRADIENTS, "F28"), _bind)
DISTANCE = given(RANGES, alignment.SQUARED, alignment.ROW, "αᵉ := 2", "ψ°[i] := 1")
CORRELATED = given(f"{RANGES}; C[] real", *barlow_twins.NAMES, *(COVARIANCE, SPREAD), "Z₂[i,f] := Z₁[i,f]")

claim("F27", "definition", VIEWS)(
    printed=r"$\ell(Z, Z') = \lambda s(Z, Z') + \mu [v(Z) + v(Z')] + \nu [c(Z) + c(Z')]$, $s(Z, Z') ="
    r" \frac{1}{n} \sum_i \|z_i - z'_i\|_2^2$, $v(Z) = \frac{1}{d} \sum_{j=1}^d \max(0, \gamma - S(z^j,"
    r" \epsilon))$, $S(x, \epsilon) = \sqrt{\mathrm{Var}(x) + \epsilon}$, $c(Z) = \frac{1}{d} \sum_{i \neq"
    r" j} [C(Z)]_{i,j}^2$, $C(Z) = \frac{1}{n - 1} \sum_{i=1}^n (z_i - \bar{z})(z_i - \bar{z})^T$",
    checked="VICReg adds a hinge on the spread of each column, the covariances of columns, and the distance of the"
    " views: «loss», where «covariance» and «spread», so that a variance is a covariance of a column with itself,"
    " over B - 1: «variance». $η$ is 1 where the hinge is open. A column has «sum», which is not negative, «sign»."
    " The first part by itself, with the weights «first.where ι₀», «first.where μ₀» and «first.where ρ₀», is"
    " «first»: alignment with the exponent 2, «alignment». For two views that are the same, the covariance is"
    " Barlow Twins' correlation times the deviations, «barlow». The official code, main_vicreg.py of vicreg, has"
    " other scales: it divides the first part by the number of features too, and halves the second, so that the"
    " same weights mean another loss.",
    brief="VICReg adds three parts with weights: the distance of the views, how far the deviation of each"
    " feature is below its margin, and the squares of the covariances between features, «loss». With the"
    " first alone it is alignment with the exponent 2. The official code, main_vicreg.py of vicreg, scales"
    " the parts otherwise.",
    loss="𝓛",
    covariance="Γ₁[f,g]",
    spread="S₁[f]",
    variance="S₁[f]^2 = Γ₁[f,f] + ε⁺",
    sum="(B - 1) Γ₁[f,f] = Σ_i Z̃₁[i,f]^2",
    sign="Σ_i Z̃₁[i,f]^2 ≥ 0",
    first=VIEWS.also("ι₀ := 1", "μ₀ := 0", "ρ₀ := 0")(f"𝓛 = {INVARIANCE}"),
    alignment=DISTANCE(f"(Σ_i ℓ[i])/B = {INVARIANCE}"),
    barlow=CORRELATED("Γ₁[f,g] = B σ₁[f] σ₁[g] C[f,g]/(B - 1)"),
)


def kink(column, margin, step) -> Finding:
    """The column stretched; its deviation over B − 1 is the length of its last row."""

    def slope(step: Fraction) -> Fraction:
        stretched = [row[0] * (1 + step) for row in column]
        return max(Fraction(0), margin - root(_variance(stretched))) / step

    return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))


claim("F28", "proved", VIEWS)(
    checked="The gradients of VICReg's loss are «z1» and «z2», of the three parts of the loss each by itself. Where"
    " a hinge is at 0 both cases meet, and there may be no derivative, «kink»: that it is shut there is a"
    " convention. None of the two parts that are of one view moves its mean: «together».",
    **GRADIENTS,
    kink=lambda: Example.at(
        "a column of deviation 1", kink, column=Rows([[-1], [0], [1]]), margin=1, step=Fraction(1, 10)
    ),
    together=f"Σ_k ({OWN}) = 0",
)
