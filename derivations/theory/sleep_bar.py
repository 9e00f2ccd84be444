"""The score at which the probability of a positive is one half: above it the row's gradient fades."""

from ..evidence.plain import claim
from .effective_negatives import ANCHOR

SCORES = ANCHOR.first("L[i,a] := s[i,a]/τ", "L⁺[i] := s⁺[i]/τ").also("T⁺[i] := τ log(Σ_m e^L[i,m])")
UNSURE = "Σ_an 1[a ≠ n] ρ[i,a] ρ[i,n]"
SPREAD = "(Σ_an ρ[i,a] ρ[i,n] (s[i,a] - s[i,n])^2)/(2 τ^3)"
OTHERS = "(Σ_a 1[a ≠ k] e^((s[i,a] - s[i,k])/τ))"

claim("R18", "proved from LEMMA", SCORES)(
    checked=r"Let an anchor have M negatives of the scores $s$, logits «loss.where L», and its positive the"
    r" score $s^+$, «loss.where L⁺». Its loss «loss.where ℓ» is «loss», with «loss.where T⁺»: the positive"
    r" has the probability «half», one half where its score is $T^+$. Call this the bar below which the row"
    r" is awake. It rises with the temperature, by «slope»: the logarithm of the negatives in effect,"
    r" «slope.where M⁼» with «slope.where ρ» (R17), and that is not negative, «awake». Its own slope rises"
    r" with the temperature, «curvature» and «convex». Of any negative $k$ the bar is ahead by «largest»,"
    r" which is positive unless there is no other, «above»: no bar is below the largest score of a"
    r" negative. If no negative scores more than $s^{\max}$, «most.where s», then «most»: so as $τ$ goes to 0 the"
    r" bar goes to the largest score. And «least»: it is at least $τ \log M$ above the mean score, and so"
    r" much where all the scores are equal, «equal.where s», «equal». We know of no source.",
    brief=r"The positive of an anchor has the probability one half where its score is the bar $T^+$, «loss.where"
    r" T⁺», from the logits of the M negatives: the loss is «loss», with $s^+$ for the positive's score. The"
    r" bar rises with the temperature, «slope», by the logarithm of the negatives in effect (R17). It is never"
    r" below the largest score of a negative, where it goes as $τ$ goes to 0, and at least $τ \log M$ above their"
    r" mean, just so much if all are equal.",
    loss="ℓ[i] = log(1 + e^((T⁺[i] - s⁺[i])/τ))",
    half="e^L⁺[i] / (e^L⁺[i] + Σ_m e^L[i,m]) = 1/(1 + e^((T⁺[i] - s⁺[i])/τ))",
    slope="∂T⁺[i]/∂τ = log(M⁼[i])",
    awake=SCORES.chain(
        f"Σ_a ρ[i,a] log(ρ[i,a]) ≤ -{UNSURE} by Σ_a ρ[i,a] log(ρ[i,a])",
        f"{UNSURE} ≥ 0",
        both="-Σ_a ρ[i,a] log(ρ[i,a])",
    ),
    curvature=f"∂(∂T⁺[i]/∂τ)/∂τ = {SPREAD}",
    convex=f"{SPREAD} ≥ 0",
    largest=f"T⁺[i] - s[i,k] = τ log(1 + {OTHERS})",
    above=f"-log(1 + {OTHERS}) ≤ -{OTHERS}/(1 + {OTHERS}) by log(1/(1 + {OTHERS}))",
    most=SCORES.first("s[i,a] := sᵐ[i] - δ[i,a]").chain(
        "T⁺[i]/τ - sᵐ[i]/τ - log(M) + (Σ_a (e^(-δ[i,a]/τ) δ[i,a]/τ))/M ≤ 0"
        " by log(Σ_a e^(-δ[i,a]/τ) : M) and Σ_a e^(-δ[i,a]/τ)/M log(e^(δ[i,a]/τ))",
        both="sᵐ[i]/τ + log(M)",
    ),
    least="(Σ_a s[i,a])/(M τ) + log(M) ≤ T⁺[i]/τ by Σ_a 1/M log(M e^L[i,a] : Σ_m e^L[i,m])",
    equal=SCORES.first("s[i,a] := sᵐ[i]")("T⁺[i] = sᵐ[i] + τ log(M)"),
)
