"""The effective number of negatives of an anchor: e to the entropy of its shares of the push."""

from ..evidence.plain import claim, given

ANCHOR = given(
    "i < N; a k n Σ_m < M; x real",
    "ℓ[i] := -log(e^L⁺[i] / (e^L⁺[i] + Σ_m e^L[i,m]))",
    "P[i,a] := e^L[i,a] / (e^L⁺[i] + Σ_m e^L[i,m])",
    "ρ[i,a] := e^L[i,a] / Σ_m e^L[i,m]",
    "M⁼[i] := e^(-Σ_a ρ[i,a] log(ρ[i,a]))",
)

claim("R17", "proved from LEMMA", ANCHOR)(
    checked="An anchor pushes each of its M negatives with «push», of which a negative's share is «odds»,"
    " that is «odds.where ρ» (M15). Let «loss.where M⁼» be e to the entropy of the shares. Then the loss"
    " is «loss», where «loss.where ℓ»: that of so many negatives, all of them at the logit that the shares"
    " average. They are never more than there are, «most», each share being positive, «share»; and where"
    " the negatives tie among themselves, «equal.where L», wherever the positive is, they are all of them,"
    " «equal». That e to an entropy is an effective number was said of species (Hill, 1973); we"
    " searched for this identity and found no source.",
    push="∂ℓ[i]/∂L[i,a] = P[i,a]",
    odds="P[i,a] / Σ_m P[i,m] = ρ[i,a]",
    loss="ℓ[i] = log(1 + M⁼[i] e^(Σ_a ρ[i,a] L[i,a] - L⁺[i]))",
    most="-Σ_a ρ[i,a] log(ρ[i,a]) ≤ log(M) by Σ_a ρ[i,a] log((Σ_m e^L[i,m])/M : e^L[i,a])",
    share="ρ[i,a] > 0",
    equal=ANCHOR.also("L[i,a] := x")("M⁼[i] = M"),
)
