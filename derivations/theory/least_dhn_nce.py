"""The least loss of DHN-NCE, for every hardness: at hardness 0 as M31's, and no hardness lowers a row."""

from ..evidence.plain import claim
from .least_clip import CENTRES, LENGTHS, PAIRS, VIEWS

ROWS = PAIRS.also(
    "ℓ[i] := log(Σ_j 1[j ≠ i] e^L[i,j]) - L[i,i]", "ℓ′[i] := log(Σ_j 1[j ≠ i] e^L[j,i]) - L[i,i]"
)
ABOVE = f"({VIEWS}/2 + {CENTRES})/(M (M + 1) τ)"
MEAN = "(Σ_i (ℓ[i] + ℓ′[i]))/(M + 1)"
GAPS = "L[i,j] - L[i,i] - ℓ[i]", "L[j,i] - L[i,i] - ℓ′[i]"
LEFT = f"({' + '.join(f'Σ_i (Σ_j 1[j ≠ i] e^({gap}) - 1)' for gap in GAPS)})/(M + 1)"
USES = " and ".join(f"Σ_ij 1[j ≠ i]/((M + 1) M) log(M e^({gap}))" for gap in GAPS)

claim("M34", "proved from LEMMA", PAIRS.without("ℓ"))(
    checked="DHN-NCE of B pairs, M being $B - 1$, with both hardnesses 0 has «floor.where ℓ» and"
    " «floor.where ℓ′» for a pair (M22). No mean of these is below twice $t + \\log M$: «floor», with"
    " «floor.where t», which for unit rows is $-B/((B - 1)τ)$. The loss stands above that by «above» at"
    " least, which is 0 only if image and text are one row and both views have the mean 0. No hardness"
    " lowers the loss of a row (M22), so the floor is that of every hardness. It is reached at M4's"
    " regular simplex, image and text in one corner: there every negative's logit is $t$ more than its"
    " pair's, all weights are 1 whatever the hardness, and each way costs «reached». That"
    " losses of this kind, DCL among them, are least at a simplex is shown in Bridging Mini-Batch and"
    " Asymptotic Analysis in Contrastive Learning (Koromilas et al., 2024); of this floor we know no source.",
    brief="No mean loss of DHN-NCE of B pairs, M being $B - 1$, is below twice $t + \\log M$, whatever"
    " the hardness: «floor», with «floor.where t», which for unit rows is $-B/((B - 1)τ)$. A regular"
    " simplex with image and text in one corner reaches it.",
    # log M + the mean gap ≤ ℓ, by the lemma at M e^{x − ℓ}, which are 1 in the mean
    floor=PAIRS.chain(
        PAIRS.without("ℓ")(f"2 (log(M) + t) + {ABOVE} - {MEAN} ≤ {LEFT} by {USES}"),
        ROWS.without("L")(f"{LEFT} = 0"),
        f"{ABOVE} ≥ 0",
        both=f"{MEAN} - {ABOVE}",
    ),
    above=f"{ABOVE} ≥ 0",
    reached=f"log(Σ_j 1[j ≠ i] e^t) = log(M) - {LENGTHS}/(2 M τ)",
)
