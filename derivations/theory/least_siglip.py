"""The least loss of SigLIP at a given temperature and bias: a simplex of each view, R10's gap between them."""

from sympy import Symbol

from ..evidence.plain import claim, given
from ..losses import siglip
from ..symbols import siglip_bias

LETTERS = [siglip_bias, *(Symbol(name, real=True) for name in "xruvpqc")]
# the logits of a pair and of another text, at R10's gap with a simplex in each view
GAP = ("u := (1 - 2 x) r/τ + b", "v := b - (1 + (M - 1) x) r/(M τ)")
SLOPE = "κ := 2 p - (M - 1) q"
PAIRS = given(  # a pair, and M others
    "i j k < M + 1; f g < d",
    "S[i,j] := Σ_f I[i,f] T[j,f]",
    "r := (Σ_if (I[i,f]^2 + T[i,f]^2))/(2 (M + 1))",
    letters=LETTERS,
)
FLOOR = "log(1 + e^-u) + M log(1 + e^v)"
POSITIVES, NEGATIVES = "(Σ_i S[i,i])/(M + 1)", "(Σ_ij 1[j ≠ i] S[i,j])/(M + 1)"
CENTRES = "(Σ_f (Σ_i I[i,f]) (Σ_j T[j,f]))/(M + 1)^2"
LEAVES = f"(r + 2 {CENTRES} - {POSITIVES})"
CENTRED = "(Σ_if (I[i,f] - T[i,f] - (Σ_j (I[j,f] - T[j,f]))/(M + 1))^2)/(2 (M + 1))"
TOGETHER = "(Σ_f ((Σ_i (I[i,f] + T[i,f]))/(M + 1))^2)/2"
SPREAD = " + ".join(f"({rows}[i,f] - (Σ_j {rows}[j,f])/(M + 1))^2" for rows in "IT")
SPREAD = f"(Σ_if ({SPREAD}))/(2 (M + 1))"
COINCIDE = "(Σ_if (I[i,f] - T[i,f])^2)/(2 (M + 1))"

# a softplus is never below its tangent: at u for a pair, at v for another text. It is the lemma twice, with the
# weights σ̂ and 1 − σ̂
OWN, OTHER = "1 + e^(-L[i,i] - b)", "1 + e^(L[i,j] + b)"
USES = (
    f"Σ_i e^-u/((M + 1) (1 + e^-u)) log(e^(u - L[i,i] - b) (1 + e^-u) : {OWN})",
    f"Σ_i 1/((M + 1) (1 + e^-u)) log(1 + e^-u : {OWN})",
    f"Σ_ij 1[j ≠ i] e^v/((M + 1) (1 + e^v)) log(e^(L[i,j] + b - v) (1 + e^v) : {OTHER})",
    f"Σ_ij 1[j ≠ i]/((M + 1) (1 + e^v)) log(1 + e^v : {OTHER})",
)
TANGENT = (
    f"{FLOOR} + (Σ_i (e^-u/(1 + e^-u)) (u - L[i,i] - b))/(M + 1)"
    " + (Σ_ij 1[j ≠ i] (e^v/(1 + e^v)) (L[i,j] + b - v))/(M + 1)"
)
HALF = "((M + 1) q/2)"

# the floor as a function of x: its slope is κ r/τ, and rises
OVER_X = given("", "p := e^-u/(1 + e^-u)", "q := e^v/(1 + e^v)", SLOPE, *GAP, letters=LETTERS)
CURVE = "(4 e^u/(1 + e^u)^2 + ((M - 1)^2/M) e^v/(1 + e^v)^2) (r/τ)^2"
# rows of the lengths 1, their cosines 1 and −1/M, shortened by √(1 − x), with ±√x in one more feature
AT_GAP = OVER_X.only("u", "v")
LOGIT = "((1 - x) c - x) r/τ + b"

claim("M32", "proved from LEMMA", PAIRS)(
    checked="SigLIP of B pairs, M being $B - 1$, «tangent.where ℓ». For any two numbers $u$ and $v$"
    " «tangent». With $S$ for the scores, so that $L$ is $S/τ$, let «slope.where p» and «slope.where q»,"
    " both positive, and «above.where r», which is 1 for unit rows, «above.where u», «above.where v» and"
    " «above.where κ», for any $x$ from 0 to 1. Then the two sums in it are together «above». The first"
    " bracket is «leaves», «leaves sign». So where $κ$ is 0 the mean loss is at least $\\log(1 + e^{-u})"
    " + M \\log(1 + e^v)$. If $κ$ is not negative at an $x$ of 0, the same is true there: the numerator"
    " is «closed», where $p + q - q(M + 1)/2$ is half of $κ$, and «coincide», «coincide sign». If $κ$ is"
    " not positive at an $x$ of 1 it is true there, by «opposite», «opposite sign». One of the three is"
    " always so: «slope», which never falls as $x$ grows, «curvature», «curvature sign». So the floor is"
    " the least value over $x$. It is reached: give M4's regular simplex, image and text one row, R10's"
    " gap with the square $x$. That makes a cosine $c$ a logit so that a pair with «pair.where c» has"
    " «pair», another text with «another.where c» «another», and each row's loss is «reached». With an"
    " $x$ between 0 and 1 this takes B features. That such a family of one parameter holds the best rows"
    " was shown in Analysis of Using Sigmoid Loss for Contrastive Learning (Lee et al., 2024).",
    brief="No mean loss of SigLIP of B unit pairs, M being $B - 1$, is below the least value over $x$"
    " from 0 to 1 of $\\log(1 + e^{-u}) + M \\log(1 + e^v)$, with «above.where u», «above.where v» and an"
    " $r$ of 1. A regular simplex with R10's gap reaches it, $x$ being the square of the gap.",
    tangent=PAIRS.only().also(siglip.ROW)(f"{TANGENT} - (Σ_i ℓ[i])/(M + 1) ≤ 0 by {' and '.join(USES)}"),
    above=PAIRS.also(*GAP, SLOPE)(
        f"p (u - b - {POSITIVES}/τ) + q ({NEGATIVES}/τ + M (b - v))"
        f" = ((p + q) {LEAVES} - κ ({CENTRES} + x r))/τ"
    ),
    leaves=f"{LEAVES} = {CENTRED} + {TOGETHER}",
    leaves_sign=f"{CENTRED} + {TOGETHER} ≥ 0",
    closed=PAIRS.also(SLOPE)(
        f"(p + q) {LEAVES} - κ {CENTRES} = {HALF} {LEAVES} + (p + q - {HALF}) (r - {POSITIVES})"
    ),
    coincide=f"r - {POSITIVES} = {COINCIDE}",
    coincide_sign=f"{COINCIDE} ≥ 0",
    opposite=f"r + {CENTRES} = {TOGETHER} + {SPREAD}",
    opposite_sign=f"{TOGETHER} + {SPREAD} ≥ 0",
    slope=OVER_X(f"∂({FLOOR})/∂x = κ r/τ"),
    curvature=AT_GAP(f"∂(∂({FLOOR})/∂x)/∂x = {CURVE}"),
    curvature_sign=f"{CURVE} ≥ 0",
    pair=AT_GAP.also("c := 1")(f"u = {LOGIT}"),
    another=AT_GAP.also("c := -1/M")(f"v = {LOGIT}"),
    reached=PAIRS.only()(f"log(1 + e^-u) + Σ_j 1[j ≠ i] log(1 + e^v) = {FLOOR}"),
)
