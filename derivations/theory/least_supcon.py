"""The minimum of SupCon for unit rows: each class in one point, the points at the corners of a regular simplex."""

from sympy import Symbol

from ..evidence.kinds import Chain
from ..evidence.plain import claim, given
from ..prover.inequality import Sign, nonnegative

# Σ e^L over the rows of the anchor's class, with the term of p(i) apart to show that it is > 0; over other classes
OWN = "(e^L[k,i,k,p(i)] + Σ_j 1[j ≠ i] 1[j ≠ p(i)] e^L[k,i,k,j])"
OTHERS = "(Σ_mj 1[m ≠ k] e^L[k,i,m,j])"
CLASSES = given(  # M + 1 classes of K + 1 rows: row i of class k
    "k m < M + 1; i j < K + 1; f < d; p: K + 1 → K + 1; p(i) ≠ i",
    "‖w[k,i]‖ := √(Σ_f w[k,i,f]^2)",
    "z[k,i,f] := w[k,i,f]/‖w[k,i]‖",
    "L[k,i,m,j] := (Σ_f z[k,i,f] z[m,j,f])/τ",
    f"ℓⁱⁿ[k,i] := log(K) + log({OWN} + {OTHERS}) - log({OWN})",
    letters=[Symbol("t", real=True)],
)
SIMPLEX = CLASSES.also("t := (-M - 1)/(M τ)", "Λ := K + M (K + 1) e^t")
STEP = "(-M - 1)/(M τ)"
FLAT = f"(K + M (K + 1) e^({STEP}))"
COUNT = "(M + 1) (K + 1)"

APART = "(Σ_f (z[k,i,f] - z[k,j,f])^2)"  # of two rows of a class
CENTRE = "Σ_f (Σ_ki z[k,i,f])^2"
PAIRS = f"(Σ_kij {APART})/2"
NEAR = "e^(L[k,i,k,j] - 1/τ)"
WEIGHED = f"M (K + 1) (Σ_kij 1[j ≠ i] {NEAR} {APART})/(2 K)"
WITHIN = "Σ_ki (√(Λ) e^(-ℓⁱⁿ[k,i]/2) - 1)^2"
ACROSS = f"Σ_kimj 1[m ≠ k] (√(Λ) e^((L[k,i,m,j] - t - ℓⁱⁿ[k,i])/2)/√({OWN}/K) - 1)^2"
SQUARES = f"(K ({WITHIN}) + e^t ({ACROSS}))/({COUNT} Λ)"
ABOVE = f"e^t ({CENTRE} + {PAIRS} + {WEIGHED})/({COUNT} τ Λ)"
MEAN = f"(Σ_ki ℓⁱⁿ[k,i])/({COUNT})"
# as in M4: the lemma at roots, and once more for the positives; e^ℓ is K times the whole, over the positives' part
USES = " and ".join(
    (
        f"Σ_ki 2 K/({COUNT} {FLAT}) log(√{FLAT} √{OWN} : √K √({OWN} + {OTHERS}))",
        f"Σ_kimj 2 1[m ≠ k] e^({STEP})/({COUNT} {FLAT})"
        f" log(e^((L[k,i,m,j] - (-M - 1)/(M τ))/2) √{FLAT} : √({OWN} + {OTHERS}))",
        f"Σ_ki M (K + 1) e^({STEP})/({COUNT} {FLAT}) log({OWN} e^(-1/τ)/K)",
        f"Σ_kij M (K + 1) e^({STEP}) 1[j ≠ i] {NEAR}/({COUNT} {FLAT} K) log(e^(1/τ - L[k,i,k,j]))",
    )
)
LEAST = f"log(Λ) + {ABOVE} - {MEAN} ≤ -{SQUARES} by {USES}"
ALIKE, OPPOSITE = "(e^(1/τ) + Σ_j 1[j ≠ i] 1[j ≠ p(i)] e^(1/τ))", "(Σ_mj 1[m ≠ k] e^(-1/(M τ)))"


def _sign(text: str) -> Sign:
    """It is not negative, of unit rows."""
    return nonnegative(CLASSES.read(text), CLASSES.names)


claim("R19", "proved from LEMMA", SIMPLEX)(
    checked=r"Let each of M + 1 classes have K + 1 unit rows $z_{ki}$ with the logits «least.where L», and"
    r" let $p(i)$ be any of the K positives of row $i$. SupCon with the mean inside is «least.where ℓⁱⁿ»."
    r" With «least.where Λ» and «least.where t», «least». None of these sums is negative, «squares»,"
    r" «centre», «pairs» and «near»: so «floor», and with the mean outside"
    r" the loss is never smaller (R6). That is above R6's floor, the logarithm of K, as «more» and"
    r" «excess». Equality holds only where all squares vanish: each class is one point, the points sum to"
    r" 0, and two of them have the cosine «cosine», a regular simplex, which needs M features (M4). There"
    r" it does hold, with the mean inside, «in», and outside, «out». Nothing is proved here of classes of"
    r" unequal sizes, whose cosines depend on the sizes, as A Unified Geometric Framework for Weighted"
    r" Contrastive Learning (Vock, Duchesnay and Dufumier, 2026) has it. That the loss is least where classes"
    r" collapse to a simplex was shown in Dissecting Supervised Contrastive Learning (Graf et al., 2021).",
    brief="Let each of M + 1 classes have K + 1 unit rows. No mean loss of SupCon, with the mean inside or"
    " outside the logarithm, is below the logarithm of $Λ$, «floor», with «least.where Λ» and «least.where"
    " t». It is reached just where each class is one row and the classes form a regular simplex.",
    least=LEAST,
    squares=lambda: _sign(SQUARES),
    floor=lambda: Chain(
        (SIMPLEX.piece(LEAST), _sign(SQUARES), _sign(ABOVE)),
        both=SIMPLEX.read(f"{MEAN} - {ABOVE}"),
    ),
    centre=lambda: _sign(CENTRE),
    pairs=lambda: _sign(PAIRS),
    near=lambda: _sign(WEIGHED),
    more="Λ/K = 1 + M (K + 1) e^t/K",
    excess="M (K + 1) e^t/K > 0",
    cosine="1 + τ t = -1/M",
    **{
        "in": SIMPLEX(f"log(K) + log({ALIKE} + {OPPOSITE}) - log({ALIKE}) = log(Λ)"),
        "out": SIMPLEX(f"log({ALIKE} + {OPPOSITE}) - (Σ_j (1[j ≠ i]/τ))/K = log(Λ)"),
    },
)
