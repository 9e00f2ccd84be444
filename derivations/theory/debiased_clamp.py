"""The clamp of the debiased loss: the loss is continuous there, its gradient jumps."""

from ..evidence.plain import claim, given

MEAN = given(
    "i < N; a Σ_m < M",
    "ℓ[i] := log(e^L⁺[i] + M g⁻[i]) - L⁺[i]",
    "g⁻[i] := (U[i] - π⁺ e^L⁺[i])/(1 - π⁺)",
    "U[i] := (Σ_m e^L[i,m])/M",
    "π⁺ := θ⁺/(1 + θ⁺)",  # any number between 0 and 1
)
FREE = MEAN.without("U")
CLAMPED = FREE.also("g⁻[i] := e^(-1/τ)")
PULL = "-M (g⁻[i] + θ⁺ e^L⁺[i])/(e^L⁺[i] + M g⁻[i])"
CLAMPED_PULL = "-M g⁻[i]/(e^L⁺[i] + M g⁻[i])"
PUSH = "e^L[i,a] (1 + θ⁺)/(e^L⁺[i] + M g⁻[i])"
DROP = "θ⁺ e^((1 + s⁺[i])/τ)"

claim("R5", "proved", FREE)(
    checked="The debiased loss of a row before M negatives is «pull.where ℓ» with «pull.where g⁻», clamped from"
    " below at «clamped.where g⁻», which is as little as $e^L$ can be for unit rows. The prior is «pull.where"
    " π⁺», any number between 0 and 1. The slope by the logit of the positive is «pull», and under the clamp"
    " «clamped». Where the one gives way to the other, $g^-$ is the same, so is the loss, and the pull drops"
    " by the factor «cliff», where «cliff.where L⁺» with the positive's cosine $s^+$: whatever the number of"
    " negatives, above 1 as «above». Nothing of it depends on how $U$ weighs the negatives, and so it holds of"
    " the loss for hard negatives too. With the plain mean, «push.where U», the push is «push», and under the"
    " clamp «no push». We know of no source.",
    pull=f"∂ℓ[i]/∂L⁺[i] = {PULL}",
    clamped=CLAMPED(f"∂ℓ[i]/∂L⁺[i] = {CLAMPED_PULL}"),
    cliff=CLAMPED.also("L⁺[i] := s⁺[i]/τ")(f"(g⁻[i] + θ⁺ e^L⁺[i])/g⁻[i] = 1 + {DROP}"),
    above=f"{DROP} > 0",
    push=MEAN(f"∂ℓ[i]/∂L[i,a] = {PUSH}"),
    no_push=CLAMPED("∂ℓ[i]/∂L[i,a] = 0"),
)
