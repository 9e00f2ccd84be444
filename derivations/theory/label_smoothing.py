"""Label smoothing: cross-entropy against a target that gives every candidate a share."""

from ..evidence.plain import claim, given
from .several_positives import CANDIDATES

SMOOTHED = given(
    "i < N; a n Σ_m < A; p: N → A; ε real; o > 0",
    CANDIDATES["P"],
    "Yᵗ[i,a] := (1 - ε) 1[a = p(i)] + ε/A",
    "ℓ[i] := -Σ_m Yᵗ[i,m] log(P[i,m])",
)
BETWEEN = SMOOTHED.also("ε := o/(1 + o)")  # any number between 0 and 1
SHARE = "(1[a = p(i)] + o/A)/(1 + o)"

claim("R14", "proved from LEMMA", SMOOTHED)(
    checked="Cross-entropy «slope.where ℓ» with a label smoothed by $ε$ over A candidates, «slope.where Yᵗ»,"
    " pulls at logit $a$ with «slope», at a negative with «negative»: a negative whose P is below that share"
    " is attracted, as if it were a positive. The pulls cancel, «sum». The loss is least where every P is its"
    " target, for «least»: it then is the entropy of the target, and where $ε$ is between 0 and 1,"
    " «least.where ε», each of these is positive, «share». There the logit of the positive is above that of"
    " each negative by the logarithm of «gap», and no more. That such a gap is finite was said in When Does"
    " Label Smoothing Help? (Müller, Kornblith and Hinton, 2019), and how large it is in Bag of Tricks for Image"
    " Classification (He et al., 2019), of a label whose smoothed part leaves out the positive.",
    slope="∂ℓ[i]/∂L[i,a] = P[i,a] - Yᵗ[i,a]",
    negative="1[a ≠ p(i)] (P[i,a] - Yᵗ[i,a]) = 1[a ≠ p(i)] (P[i,a] - ε/A)",
    sum="Σ_m (P[i,m] - Yᵗ[i,m]) = 0",
    least=BETWEEN(f"-Σ_a Yᵗ[i,a] log(Yᵗ[i,a]) ≤ ℓ[i] by Σ_a {SHARE} log(P[i,a] : {SHARE})"),
    share=f"{SHARE} > 0",
    gap="(1 - ε + ε/A)/(ε/A) = 1 + A (1 - ε)/ε",
)
