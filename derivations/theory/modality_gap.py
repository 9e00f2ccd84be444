"""The modality gap: images and texts can be far apart on the sphere at the same loss."""

from ..common.sphere import NORM, UNIT
from ..evidence.plain import claim, given
from ..losses import clip

# Each image gets one more feature, γ, each text −γ, and the others become shorter by the factor √(1 − γ²).
GAPPED = given("i j k < B; f Σ_g < d; γ x b b′ real")
COLDER = GAPPED.also("τ′ := (1 - γ^2) τ")
LOGIT = "((Σ_g (1 - γ^2) I[i,g] T[j,g]) - γ^2)/τ′"
BEFORE = "(Σ_g I[i,g] T[j,g])/τ"
DISTANCE = "Σ_f ((Σ_i √(1 - γ^2) I[i,f])/B - (Σ_i √(1 - γ^2) T[i,f])/B)^2"
ROW, COLUMN = (f"e^(L[i,i] - x)/(Σ_k e^({logit} - x))" for logit in ("L[i,k]", "L[k,i]"))

claim("R10", "proved", COLDER)(
    checked=r"No loss of CLIP says how far apart the two modalities are, but by its temperature. Shorten all unit"
    r" rows by the factor $\sqrt{1 - γ^2}$, $γ$ between -1 and 1, and give each image one more feature $γ$ and each"
    r" text $-γ$: the rows are unit again, «unit». The two modalities now lie apart, with the squared distance"
    r" «distance» between their means, the sum on the right being «distance sign». At the temperature"
    r" «logit.where τ′» the logits are «logit», with the same number off all, and the loss of a pair,"
    r" «loss.where ℓ», is what it was: «loss». SigLIP's loss stays too, with the bias «bias.where b′»: «bias». That"
    r" trained models have such a gap was said in Mind the Gap (Liang et al., 2022); of this identity we know no"
    r" source.",
    unit=GAPPED.also(NORM, UNIT)("Σ_f (1 - γ^2) z[i,f]^2 + γ^2 = 1"),
    distance=GAPPED(f"{DISTANCE} + ((Σ_i γ)/B - (Σ_i (-γ))/B)^2 = {DISTANCE} + 4 γ^2"),
    distance_sign=f"{DISTANCE} ≥ 0",
    logit=f"{LOGIT} = {BEFORE} - γ^2/τ′",
    loss=GAPPED.also(clip.ROWS, clip.COLUMNS, clip.PAIR)(f"-(log({ROW}) + log({COLUMN}))/2 = ℓ[i]"),
    bias=COLDER.also("b′ := b + γ^2/τ′")(f"{LOGIT} + b′ = {BEFORE} + b"),
)
