"""Several candidates of the anchor's class: the anchor may repel a positive, and false negatives set a floor."""

from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Positive

IS_POSITIVE = "(1[a = p(i)] + 1[a ≠ p(i)] Y⁺[i,a])"  # p(i), and wherever Y⁺ is 1
TOGETHER = "(P[i,p(i)] + Σ_m 1[m ≠ p(i)] Y⁺[i,m] P[i,m])"
OF_NEGATIVES = "Σ_a 1[a ≠ p(i)] (1 - Y⁺[i,a])^2 P[i,a]"
CANDIDATES = given(
    "i k < N; a Σ_m < A; p: N → A; Y⁺ is 0 or 1; ω[] > 0",
    "P[i,a] := e^L[i,a] / Σ_m e^L[i,m]",
    "n⁺[i] := 1 + Σ_m 1[m ≠ p(i)] Y⁺[i,m]",
    "ℓᵒᵘᵗ[i] := -(Σ_m (1[m = p(i)] + 1[m ≠ p(i)] Y⁺[i,m]) log(P[i,m]))/n⁺[i]",
    f"ℓⁱⁿ[i] := -log({TOGETHER}/n⁺[i])",
)
# the mean over the positives of the log of P, and of all of them the P: log x ≤ x − 1 in both
BY_POSITIVE = f"{IS_POSITIVE}/n⁺[i] log(P[i,a] : {TOGETHER}/n⁺[i])"
ALL_POSITIVES = f"log({TOGETHER}/n⁺[i] : 1/n⁺[i])"
ALIKE = given("Σ_m < K; Σ_n < M; x real")

claim("R6", "proved from LEMMA", CANDIDATES)(
    checked="SupCon, «out.where ℓᵒᵘᵗ» with «out.where n⁺», pulls at logit $a$ with «out». The anchor repels a"
    " positive just where its P is above the inverse of the number of positives. With the mean within the"
    " logarithm, «in.where ℓⁱⁿ», it is «in», and at a positive «own»: none is repelled, as «negatives» and"
    " P is positive. The two stand in this order, «order», and neither falls below the logarithm of the"
    " number of positives: «floor». For scores of any size that floor is sharp, for where K positives"
    " score alike and M negatives less by the margin $μ$ both losses are «alike»; unit rows stay above it"
    " (R19). The order was said in Supervised Contrastive Learning (Khosla et al., 2020), the repulsion in"
    " SINCERE (Feeney and Hughes, 2023).",
    brief="SupCon with the mean outside the logarithm pulls at a logit with «out», $n^+$ being the number of"
    " positives: the anchor repels a positive whose P is above the inverse of that. With the mean inside it"
    " repels none. The first loss is never below the second, «order».",
    out=f"∂ℓᵒᵘᵗ[i]/∂L[i,a] = P[i,a] - {IS_POSITIVE}/n⁺[i]",
    in_=f"∂ℓⁱⁿ[i]/∂L[i,a] = P[i,a] - {IS_POSITIVE} P[i,a]/{TOGETHER}",
    # p(i) is any positive: the choice does not matter
    own=f"∂ℓⁱⁿ[i]/∂L[i,p(i)] = -P[i,p(i)] ({OF_NEGATIVES})/{TOGETHER}",
    negatives=f"{OF_NEGATIVES} ≥ 0",
    order=f"ℓⁱⁿ[i] ≤ ℓᵒᵘᵗ[i] by Σ_a {BY_POSITIVE}",
    floor=CANDIDATES.chain(
        f"log(n⁺[i]) - ℓⁱⁿ[i] ≤ -{OF_NEGATIVES} by {ALL_POSITIVES}", f"{OF_NEGATIVES} ≥ 0", both="ℓⁱⁿ[i]"
    ),
    alike=ALIKE("-log(e^x/(Σ_m e^x + Σ_n e^(x - μ))) = log(K + M e^-μ)"),
)

# --- positives that are taken for negatives -----------------------------------------------------------------


def _always_the_nearer(scores) -> Finding:
    ((marked, other),) = scores
    return Finding((marked + other) / marked, "<", 2, ("e^ℓ, the nearer always marked", "1 + 1"))


DRAWN = CANDIDATES.also("R[i] := ω[i] / Σ_k ω[k]")
COLLIDING = f"Σ_i R[i] ({OF_NEGATIVES})"

claim("R13", "proved from LEMMA", DRAWN)(
    checked="If each candidate of the anchor's class is as likely to be the marked positive, no encoder goes below"
    " the mean of the logarithm of one more than the number of false negatives. In the draw $i$ of an anchor"
    " with its candidates let $n^+$ of these be of the anchor's class: one that is marked as its positive,"
    " «floor.where n⁺», the others false negatives. If each is as likely to be the marked one, whatever they"
    " score, then the mean loss of the draw is «floor.where ℓᵒᵘᵗ», and over all draws, of any law $R$,"
    " «floor». That fails where the positive is marked because it is near, as another view of the same image"
    " is: «nearer». A term of the candidates that collide with the anchor's class was split off in A"
    " Theoretical Analysis of Contrastive Unsupervised Representation Learning (Arora et al., 2019), and with"
    " many negatives in Understanding Negative Samples (Nozawa and Sato, 2021); of this form of the floor we"
    " know no source.",
    floor=DRAWN.chain(
        f"Σ_i R[i] log(n⁺[i]) - Σ_i R[i] ℓᵒᵘᵗ[i] ≤ -{COLLIDING}"
        f" by Σ_ia R[i] {BY_POSITIVE} and Σ_i R[i] {ALL_POSITIVES}",
        f"{COLLIDING} ≥ 0",
        both="Σ_i R[i] ℓᵒᵘᵗ[i]",
    ),
    nearer=lambda: Example.at(
        "one false negative and no other, by e^(s/τ)", _always_the_nearer, scores=Positive([[3, 1]])
    ),
)
