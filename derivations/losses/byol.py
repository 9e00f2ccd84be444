"""BYOL: two views without negatives, one of them held constant (document D3)."""

from ..common.cosine import cosine_by, definitions
from ..common.moving_average import SMOOTHED
from ..common.weights import state
from ..evidence.plain import claim, given

BYOL = given(
    "i k < N; f g h < d",
    *definitions("qθ", "z′", "cos"),
    "ℓ[i] := Σ_f (q̄θ[i,f] - z̄′[i,f])^2",  # D3.43
    "𝓛 := (Σ_i ℓ[i])/ν",
)
ACROSS = cosine_by("qθ", "z′", "cos")
BY_TARGET = cosine_by("z′", "qθ", "cos")
BY_PREDICTION = BYOL.gradient(f"∂𝓛/∂qθ[k,f] = -2 ({ACROSS})/ν", "M18", "D3.43")


STATEMENT = state("byol", BYOL, {"prediction": BY_PREDICTION})

claim("D3.43", "proved", BYOL)(
    printed=r"$\mathcal{L}_{\theta,\xi} := \| \bar{q}_{\theta}(z_{\theta}) - \bar{z}_{\xi}' \|_{2}^{2} = 2 - 2"
    r" \cdot \frac{\langle q_{\theta}(z_{\theta}), z_{\xi}' \rangle}{\| q_{\theta}(z_{\theta}) \|_{2} \cdot \|"
    r" z_{\xi}' \|_{2}}$",
    checked="The squared distance of two unit rows is twice what their cosine is short of 1, in any number of"
    " features, where neither row is 0: «distance».",
    distance="Σ_f (q̄θ[i,f] - z̄′[i,f])^2 = 2 - 2 cos[i]",
)

claim("M18", "proved", BYOL)(
    checked="The gradient of BYOL's loss is a multiple of the target's part across the prediction: «gradient». It"
    " stands across the prediction, «across», and for one row its square is four times «length», the square of the"
    " sine over that of the length. So it vanishes where the target points along the prediction, «along.where z′»"
    " gives «along», and also where it points the other way, «against.where z′».",
    gradient=BY_PREDICTION.prove,
    across=f"Σ_f qθ[k,f] ({ACROSS}) = 0",
    length=f"Σ_f ({ACROSS})^2 = (1 - cos[k]^2)/‖qθ[k]‖^2",
    along=BYOL.also("z′[i,f] := ς qθ[i,f]")(f"{ACROSS} = 0"),
    against=BYOL.also("z′[i,f] := -ς qθ[i,f]")(f"{ACROSS} = 0"),
)

claim("D3.42", "proved", BYOL)(
    printed="Online network: it is trained actively in each step of the optimisation. Target network: it is"
    " not trained directly, but is a smoothed version of the online network, updated with an exponential"
    " moving average",
    checked="The target is a mean of its start and of all earlier online networks (D3.41): «step.where ξ»"
    " becomes «step», and «weights», so that the weights always sum to 1. That it is not trained is a"
    " choice: training follows «followed», which moves the online network, and leaves out «left out».",
    **SMOOTHED,
    followed=BY_PREDICTION.prove,
    left_out=f"∂𝓛/∂z′[k,f] = -2 ({BY_TARGET})/ν",
)
