"""The least mean loss of a batch, as M4's of NT-Xent: of CLIP, DHN-NCE, SigLIP, the spectral loss and SupCon.

Each is reached at a regular simplex or a tight frame. The loss is written as the least value and sums of squares,
by log x ≤ x − 1 at the equal gaps of the simplex.
"""

from ..evidence.kinds import Chain
from ..evidence.plain import claim, given
from ..losses import siglip
from ..prover.inequality import Sign, nonnegative

# --- CLIP -----------------------------------------------------------------------------------------------

LENGTHS = "(Σ_if (I[i,f]^2 + T[i,f]^2))"
PAIRS = given(  # a pair, and M others
    "i j k < M + 1; f g < d; t real",
    "L[i,j] := (Σ_g I[i,g] T[j,g])/τ",
    "P[i,j] := e^L[i,j] / Σ_k e^L[i,k]",
    "Pᶜ[i,j] := e^L[i,j] / Σ_k e^L[k,j]",
    "ℓ[i] := -(log(P[i,i]) + log(Pᶜ[i,i]))/2",
    f"t := -{LENGTHS}/(2 M τ)",
    "Λ := 1 + M e^t",
)
VIEWS = "(Σ_jif (I[i,f] - T[i,f] - I[j,f] + T[j,f])^2)"
CENTRES = "(Σ_f ((Σ_i I[i,f])^2 + (Σ_i T[i,f])^2))"
APART = f"e^t ({VIEWS}/4 + {CENTRES}/2)/((M + 1) τ Λ)"
MEAN = "(Σ_i ℓ[i])/(M + 1)"
CLIP_USES = " and ".join(  # in the row of a pair, and in its column
    f"Σ_i 1/(2 (M + 1) Λ) log(Λ : Σ_k e^({others} - L[i,i]))"
    f" and Σ_ij 1[j ≠ i] e^t/(2 (M + 1) Λ) log(Λ e^({own} - L[i,i] - t) : Σ_k e^({others} - L[i,i]))"
    for own, others in (("L[i,j]", "L[i,k]"), ("L[j,i]", "L[k,i]"))
)

claim("M30", "proved from LEMMA", PAIRS)(
    checked="No mean loss of CLIP, of B pairs, M being $B - 1$, is below the logarithm of $Λ$: «floor», with"
    " «floor.where Λ» and «floor.where t». For unit rows the sum is 2B, and $t$ is $-B/((B - 1)τ)$. The loss stands"
    " above it by «apart» at least, which is 0 only if each text differs from its image by the same vector and both"
    " views have the mean 0. If every negative's logit is $t$ more than its pair's, both sides are equal:"
    " «reached». So they are where image and text are one row and the images form M4's regular simplex.",
    # log Λ + e^t (Σ gaps − t)/(BΛ) ≤ the mean of ℓ, and the gaps have a mean of at least t
    floor=PAIRS.chain(
        f"log(Λ) + {APART} - {MEAN} ≤ 0 by {CLIP_USES}", f"{APART} ≥ 0", both=f"{MEAN} - {APART}"
    ),
    apart=f"{APART} ≥ 0",
    reached="1 + Σ_j 1[j ≠ i] e^t = Λ",
)

# --- DHN-NCE, for every hardness ------------------------------------------------------------------------

# at hardness 0 as M31, and no hardness lowers a row
DHN_NCE = PAIRS.also(
    "ℓ[i] := log(Σ_j 1[j ≠ i] e^L[i,j]) - L[i,i]", "ℓ′[i] := log(Σ_j 1[j ≠ i] e^L[j,i]) - L[i,i]"
)
FARTHER = f"({VIEWS}/2 + {CENTRES})/(M (M + 1) τ)"
BOTH_MEAN = "(Σ_i (ℓ[i] + ℓ′[i]))/(M + 1)"
GAPS = "L[i,j] - L[i,i] - ℓ[i]", "L[j,i] - L[i,i] - ℓ′[i]"
LEFT = f"({' + '.join(f'Σ_i (Σ_j 1[j ≠ i] e^({gap}) - 1)' for gap in GAPS)})/(M + 1)"
GAPS_USES = " and ".join(f"Σ_ij 1[j ≠ i]/((M + 1) M) log(M e^({gap}))" for gap in GAPS)

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
        PAIRS.without("ℓ")(f"2 (log(M) + t) + {FARTHER} - {BOTH_MEAN} ≤ {LEFT} by {GAPS_USES}"),
        DHN_NCE.without("L")(f"{LEFT} = 0"),
        f"{FARTHER} ≥ 0",
        both=f"{BOTH_MEAN} - {FARTHER}",
    ),
    above=f"{FARTHER} ≥ 0",
    reached=f"log(Σ_j 1[j ≠ i] e^t) = log(M) - {LENGTHS}/(2 M τ)",
)

# --- SigLIP, at a given temperature and bias ------------------------------------------------------------

# a simplex of each view, R10's gap between them
LETTERS = "b x r u v p q c real"
# the logits of a pair and of another text, at R10's gap with a simplex in each view
GAP = ("u := (1 - 2 x) r/τ + b", "v := b - (1 + (M - 1) x) r/(M τ)")
SLOPE = "κ := 2 p - (M - 1) q"
TEXTS = given(  # a pair, and M others
    f"i j k < M + 1; f g < d; {LETTERS}",
    "S[i,j] := Σ_f I[i,f] T[j,f]",
    "r := (Σ_if (I[i,f]^2 + T[i,f]^2))/(2 (M + 1))",
)
FLOOR = "log(1 + e^-u) + M log(1 + e^v)"
POSITIVES, NEGATIVES = "(Σ_i S[i,i])/(M + 1)", "(Σ_ij 1[j ≠ i] S[i,j])/(M + 1)"
CENTRES_DOT = "(Σ_f (Σ_i I[i,f]) (Σ_j T[j,f]))/(M + 1)^2"
LEAVES = f"(r + 2 {CENTRES_DOT} - {POSITIVES})"
CENTRED = "(Σ_if (I[i,f] - T[i,f] - (Σ_j (I[j,f] - T[j,f]))/(M + 1))^2)/(2 (M + 1))"
TOGETHER = "(Σ_f ((Σ_i (I[i,f] + T[i,f]))/(M + 1))^2)/2"
SPREAD = " + ".join(f"({rows}[i,f] - (Σ_j {rows}[j,f])/(M + 1))^2" for rows in "IT")
SPREAD = f"(Σ_if ({SPREAD}))/(2 (M + 1))"
COINCIDE = "(Σ_if (I[i,f] - T[i,f])^2)/(2 (M + 1))"

# a softplus is never below its tangent: at u for a pair, at v for another text. It is the lemma twice, with the
# weights σ̂ and 1 − σ̂
OWN, OTHER = "1 + e^(-L[i,i] - b)", "1 + e^(L[i,j] + b)"
TANGENT_USES = (
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
OVER_X = given(LETTERS, "p := e^-u/(1 + e^-u)", "q := e^v/(1 + e^v)", SLOPE, *GAP)
CURVE = "(4 e^u/(1 + e^u)^2 + ((M - 1)^2/M) e^v/(1 + e^v)^2) (r/τ)^2"
# rows of the lengths 1, their cosines 1 and −1/M, shortened by √(1 − x), with ±√x in one more feature
AT_GAP = OVER_X.only("u", "v")
LOGIT = "((1 - x) c - x) r/τ + b"

claim("M32", "proved from LEMMA", TEXTS)(
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
    tangent=TEXTS.only().also(siglip.ROW)(f"{TANGENT} - {MEAN} ≤ 0 by {' and '.join(TANGENT_USES)}"),
    above=TEXTS.also(*GAP, SLOPE)(
        f"p (u - b - {POSITIVES}/τ) + q ({NEGATIVES}/τ + M (b - v))"
        f" = ((p + q) {LEAVES} - κ ({CENTRES_DOT} + x r))/τ"
    ),
    leaves=f"{LEAVES} = {CENTRED} + {TOGETHER}",
    leaves_sign=f"{CENTRED} + {TOGETHER} ≥ 0",
    closed=TEXTS.also(SLOPE)(
        f"(p + q) {LEAVES} - κ {CENTRES_DOT} = {HALF} {LEAVES} + (p + q - {HALF}) (r - {POSITIVES})"
    ),
    coincide=f"r - {POSITIVES} = {COINCIDE}",
    coincide_sign=f"{COINCIDE} ≥ 0",
    opposite=f"r + {CENTRES_DOT} = {TOGETHER} + {SPREAD}",
    opposite_sign=f"{TOGETHER} + {SPREAD} ≥ 0",
    slope=OVER_X(f"∂({FLOOR})/∂x = κ r/τ"),
    curvature=AT_GAP(f"∂(∂({FLOOR})/∂x)/∂x = {CURVE}"),
    curvature_sign=f"{CURVE} ≥ 0",
    pair=AT_GAP.also("c := 1")(f"u = {LOGIT}"),
    another=AT_GAP.also("c := -1/M")(f"v = {LOGIT}"),
    reached=TEXTS.only()(f"log(1 + e^-u) + Σ_j 1[j ≠ i] log(1 + e^v) = {FLOOR}"),
)

# --- the spectral loss ----------------------------------------------------------------------------------

UNIT_PAIRS = given(
    "i j < M + 1; f g < d; w[] w′[] ‖w‖[] ‖w′‖[] real",
    "‖w[i]‖ := √(Σ_f w[i,f]^2)",
    "‖w′[i]‖ := √(Σ_f w′[i,f]^2)",
    "Z₁[i,f] := w[i,f]/‖w[i]‖",
    "Z₂[i,f] := w′[i,f]/‖w′[i]‖",
    "S[i,j] := Σ_f Z₁[i,f] Z₂[j,f]",
    "ℓ[i] := (Σ_j 1[i ≠ j] S[i,j]^2)/M - 2 S[i,i]",
)
ORTHONORMAL = "(Σ_if (Z₁[i,f] - Z₂[i,f])^2)/(M + 1) + (Σ_ij 1[i ≠ j] S[i,j]^2)/((M + 1) M)"
# (M + 1) M times what the loss is above −2 + (B/d − 1)/(B − 1). With D = Z₁ − Z₂ and W = Z₁ + Z₂ and unit rows
# the loss is known from ‖D‖² and the d × d matrices Z₁ᵀZ₁ and Z₂ᵀZ₂. Their sum is short of (2B/d) I by the first
# term; their difference is the symmetric part of DᵀW, and ‖D‖² ‖W‖² exceeds its square by the second and third.
FRAME = "(Σ_fg (Σ_i (Z₁[i,f] Z₁[i,g] + Z₂[i,f] Z₂[i,g]) - (2 M + 2) 1[f = g]/d)^2)/4"
D_IF, D_JF, D_IG, D_JG = (f"(Z₁[{i},{f}] - Z₂[{i},{f}])" for f in "fg" for i in "ij")
W_IF, _, W_IG, W_JG = (f"(Z₁[{i},{f}] + Z₂[{i},{f}])" for f in "fg" for i in "ij")
AREAS = f"(Σ_fgij ({D_IF} {W_JG} - {D_JF} {W_IG})^2)/8"
TURN = f"(Σ_fg (Σ_i ({D_IF} {W_IG} - {D_IG} {W_IF}))^2)/16"
QUARTIC = f"(Σ_ij 1[j ≠ i] (Σ_f {D_IF}^2) (Σ_g {D_JG}^2))/4"
FRAMES = f"({FRAME} + {AREAS} + {TURN} + {QUARTIC})/((M + 1) M)"
CIRCLE = [[1, 0], [0, 1], [-1, 0], [0, -1]]

claim("M33", "proved", UNIT_PAIRS)(
    checked="The spectral loss of $M + 1$ pairs of unit rows has «near», and none of these squares is"
    " negative, «near sign»: no mean loss is below -2, and where both views are one orthonormal batch it"
    " is -2. Only d rows can be orthonormal. With more than d pairs the floor is higher: «floor», and"
    " this is not negative either, «floor sign». Every sum but one is 0 where the two views coincide, and"
    " that one if their d products of columns are those of a tight frame, a multiple of the identity"
    " matrix. Four rows on a circle are one. That B unit rows have squared products which sum to no less"
    " than the square of B over d is in Lower Bounds on the Maximum Cross Correlation of Signals (Welch,"
    " 1974), and that tight frames of unit rows exist for any number of rows from d on in Finite Normalized"
    " Tight Frames (Benedetto and Fickus, 2003); of the floor for two views we know no source.",
    brief="No mean spectral loss of B pairs of unit rows, M being $B - 1$, is below -2, as «near», nor below"
    " $-2 + (B/d - 1)/M$, which is more for B above d. Both views one orthonormal batch, or one tight frame,"
    " reach it.",
    near=f"{MEAN} + 2 = {ORTHONORMAL}",
    near_sign=f"{ORTHONORMAL} ≥ 0",
    floor=f"{MEAN} + 2 - ((M + 1)/d - 1)/M = {FRAMES}",
    floor_sign=f"{FRAMES} ≥ 0",
    circle=UNIT_PAIRS.only("S", "ℓ").holds(
        "four rows on a circle", f"{MEAN} = -5/3", {"M": 3, "d": 2, "Z₁": CIRCLE, "Z₂": CIRCLE}
    ),
)

# --- SupCon ---------------------------------------------------------------------------------------------

# each class in one point, the points at the corners of a regular simplex
# Σ e^L over the rows of the anchor's class, with the term of p(i) apart to show that it is > 0; over other classes
OWN = "(e^L[k,i,k,p(i)] + Σ_j 1[j ≠ i] 1[j ≠ p(i)] e^L[k,i,k,j])"
OTHERS = "(Σ_mj 1[m ≠ k] e^L[k,i,m,j])"
CLASSES = given(  # M + 1 classes of K + 1 rows: row i of class k
    "k m < M + 1; i j < K + 1; f < d; p: K + 1 → K + 1; p(i) ≠ i; t real",
    "‖w[k,i]‖ := √(Σ_f w[k,i,f]^2)",
    "z[k,i,f] := w[k,i,f]/‖w[k,i]‖",
    "L[k,i,m,j] := (Σ_f z[k,i,f] z[m,j,f])/τ",
    f"ℓⁱⁿ[k,i] := log(K) + log({OWN} + {OTHERS}) - log({OWN})",
)
SIMPLEX = CLASSES.also("t := (-M - 1)/(M τ)", "Λ := K + M (K + 1) e^t")
STEP = "(-M - 1)/(M τ)"
FLAT = f"(K + M (K + 1) e^({STEP}))"
COUNT = "(M + 1) (K + 1)"

APART = "(Σ_f (z[k,i,f] - z[k,j,f])^2)"  # of two rows of a class
CLASS_CENTRE = "Σ_f (Σ_ki z[k,i,f])^2"
WITHIN_PAIRS = f"(Σ_kij {APART})/2"
NEAR = "e^(L[k,i,k,j] - 1/τ)"
WEIGHED = f"M (K + 1) (Σ_kij 1[j ≠ i] {NEAR} {APART})/(2 K)"
WITHIN = "Σ_ki (√(Λ) e^(-ℓⁱⁿ[k,i]/2) - 1)^2"
ACROSS = f"Σ_kimj 1[m ≠ k] (√(Λ) e^((L[k,i,m,j] - t - ℓⁱⁿ[k,i])/2)/√({OWN}/K) - 1)^2"
SQUARES = f"(K ({WITHIN}) + e^t ({ACROSS}))/({COUNT} Λ)"
SCATTER = f"e^t ({CLASS_CENTRE} + {WITHIN_PAIRS} + {WEIGHED})/({COUNT} τ Λ)"
CLASS_MEAN = f"(Σ_ki ℓⁱⁿ[k,i])/({COUNT})"
# as in M4: the lemma at roots, and once more for the positives; e^ℓ is K times the whole, over the positives' part
CLASS_USES = " and ".join(
    (
        f"Σ_ki 2 K/({COUNT} {FLAT}) log(√{FLAT} √{OWN} : √K √({OWN} + {OTHERS}))",
        f"Σ_kimj 2 1[m ≠ k] e^({STEP})/({COUNT} {FLAT})"
        f" log(e^((L[k,i,m,j] - (-M - 1)/(M τ))/2) √{FLAT} : √({OWN} + {OTHERS}))",
        f"Σ_ki M (K + 1) e^({STEP})/({COUNT} {FLAT}) log({OWN} e^(-1/τ)/K)",
        f"Σ_kij M (K + 1) e^({STEP}) 1[j ≠ i] {NEAR}/({COUNT} {FLAT} K) log(e^(1/τ - L[k,i,k,j]))",
    )
)
LEAST = f"log(Λ) + {SCATTER} - {CLASS_MEAN} ≤ -{SQUARES} by {CLASS_USES}"
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
        (SIMPLEX.piece(LEAST), _sign(SQUARES), _sign(SCATTER)),
        both=SIMPLEX.read(f"{CLASS_MEAN} - {SCATTER}"),
    ),
    centre=lambda: _sign(CLASS_CENTRE),
    pairs=lambda: _sign(WITHIN_PAIRS),
    near=lambda: _sign(WEIGHED),
    more="Λ/K = 1 + M (K + 1) e^t/K",
    excess="M (K + 1) e^t/K > 0",
    cosine="1 + τ t = -1/M",
    **{
        "in": SIMPLEX(f"log(K) + log({ALIKE} + {OPPOSITE}) - log({ALIKE}) = log(Λ)"),
        "out": SIMPLEX(f"log({ALIKE} + {OPPOSITE}) - (Σ_j (1[j ≠ i]/τ))/K = log(Λ)"),
    },
)
