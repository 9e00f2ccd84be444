"""The smallest and largest value of the loss, with the anchor in its own denominator and without; the least of DCL;
the limits of τ."""

from collections.abc import Iterator
from fractions import Fraction

from ..common import rational
from ..common.pairs import positives
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Base, Integers, Numbers, UnitRows
from ..losses import dcl, infonce, ntxent
from ..prover.notation import Definition
from ..symbols import M, N

NEGATIVE = "1[j ≠ i] 1[j ≠ p(i)]"  # 1 at each negative j of row i, else 0
GAP = "(L[i,j] - L[i,p(i)])"  # of a negative
AHEAD = "(L[i,i] - L[i,p(i)])"  # of the anchor itself

COSINES = given(
    "i j k Σ_m < N; f g < d; p: N → N; p(i) ≠ i; x > 0",
    *ntxent.NAMES,
    # with the anchor in its own denominator [D1.3]
    "Pˢ[i,j] := e^L[i,j] / Σ_m e^L[i,m]",
    "ℓˢ[i] := -log(Pˢ[i,p(i)])",
)

# --- the anchor in its own denominator ------------------------------------------------------------------

APART = "(Σ_f (z[i,f] - z[p(i),f])^2)/(2 τ)"
REST = f"Σ_j {NEGATIVE} Pˢ[i,j]"

claim("M1", "proved from LEMMA", COSINES)(
    checked=r"With the anchor in its own denominator, as in D1, «bound.where ℓˢ» and «bound.where Pˢ», and unit"
    r" rows, «bound». There «gap», and «sign», and the right side is not positive either, «rest»: the loss of"
    r" a row is at least $\log 2$, the probability of a positive at most one half.",
    bound=f"log(2) + Pˢ[i,p(i)] {AHEAD} - ℓˢ[i] ≤ -{REST}"
    f" by log(2 e^L[i,p(i)] : Σ_m e^L[i,m]) and Pˢ[i,p(i)] log(e^{AHEAD})",
    gap=f"{AHEAD} = {APART}",
    sign=f"{APART} ≥ 0",
    rest=f"{REST} ≥ 0",
)

claim("M2", "proved", COSINES)(
    checked="For unit rows «one more»: with the anchor in its own denominator, and without.",
    one_more="e^ℓˢ[i] = e^ℓ[i] + e^((1 - s[i,p(i)])/τ)",
)


def _pulls(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    """Row 0 before its positive, row 1, and a negative, row 2: P_p − 1 and P_n, the coefficients of z_p and z_n."""
    full, masked = (
        (positive - 1, negative)
        for names in (infonce.PRINTED, infonce.MASKED)
        for _, positive, negative in (infonce.probabilities(z, b, names)[0],)
    )
    for row in z[1:]:
        yield Finding(rational.dot(z[0], row), "=", 0, ("cosine of the anchor with another row", ""))
    names = ("(P_p − 1)/P_n with the anchor", "masked")
    yield Finding(full[0] / full[1], "≠", masked[0] / masked[1], names)


ODDS = f"Σ_j {NEGATIVE} e^{GAP}"

claim("M3", "proved", COSINES)(
    checked="Of the others the two softmaxes keep the proportions: «shares». But the gradients are not"
    " parallel, not even along the sphere. With $x$ for the sum of $e^{(s_n - s_p)/τ}$ over the negatives,"
    " the coefficient of the positive is «masked» without the anchor and «own» with it, which for coinciding"
    " views is «aligned»: as $x$ goes to 0 the former vanishes, and the latter goes to $-1/2$.",
    shares="1[j ≠ i] Pˢ[i,j] = (1 - Pˢ[i,i]) P[i,j]",
    masked=f"P[i,p(i)] - 1 = -({ODDS})/(1 + {ODDS})",
    own=f"Pˢ[i,p(i)] - 1 = (-e^{AHEAD} - {ODDS})/(1 + e^{AHEAD} + {ODDS})",
    aligned="(-1 - x)/(2 + x) = -1/2 - x/(2 (2 + x))",
    not_parallel=lambda: Example.at(
        "anchor, positive and negative at right angles",
        _pulls,
        z=UnitRows([[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        b=Base(21, 20),
    ),
)

# --- the least loss -------------------------------------------------------------------------------------


def _count(name: Definition) -> Definition:
    """The same of an anchor, its positive, and M negatives."""
    return Definition(name.head, name.body.xreplace({N: M + 2}))


COUNTED = given("i j k Σ_m < M + 2; f g < d; p: M + 2 → M + 2; p(i) ≠ i; t real", *map(_count, COSINES.names))
STEP = "(-M - 2)/(M τ)"  # (s_n − s_p)/τ of each negative
SIMPLEX = COUNTED.also(f"t := {STEP}", "Λ := 1 + M e^t", "Λˢ := 2 + M e^t")
CENTRE, PAIRS = "(Σ_f (Σ_i z[i,f])^2)", "(Σ_if (z[i,f] - z[p(i),f])^2)"
# Σ_i Σ_n (s_in − s_ip) + N² = ‖Σ z‖² + (N − 1)/2 Σ ‖z_i − z_p(i)‖²
ABOVE = f"({CENTRE} + (M + 1) {PAIRS}/2)"
WHOLE = f"Σ_m {NEGATIVE} e^{GAP}".replace("j", "m")  # the odds


def least(loss: str, level: str, *own: str) -> tuple[str, str]:
    """log Λ + … ≤ the mean of ℓ − the squares that are returned beside it.

    own: the gaps h of the positive, and of the anchor if it is in its own denominator. The lemma at the roots r of
    Λ e^{h − ℓ} and, with x for the gap of a negative, of Λ e^{x − t − ℓ}: log r² ≤ 2 (r − 1) = r² − 1 − (r − 1)².
    """
    whole = f"({' + '.join(f'e^({h})' for h in own)} + {WHOLE})"
    flat = f"({len(own)} + Σ_j {NEGATIVE} e^({STEP}))"  # where h = 0 and x = t
    uses = [f"Σ_i 2/((M + 2) {flat}) log(e^(({h})/2) √{flat} : √{whole})" for h in own]
    weight = f"2 {NEGATIVE} e^({STEP})/((M + 2) {flat})"
    uses.append(f"Σ_ij {weight} log(e^(({GAP} - {STEP})/2) √{flat} : √{whole})")
    squares = [f"Σ_i (√{level} e^(({h} - {loss}[i])/2) - 1)^2" for h in own]
    squares.append(f"Σ_ij {NEGATIVE} e^t (√{level} e^(({GAP} - t - {loss}[i])/2) - 1)^2")
    right = f"({' + '.join(squares)})/((M + 2) {level})"
    above = f"(e^t {ABOVE} + {len(own) - 1} {PAIRS}/2)/((M + 2) τ {level})"
    below = f"log({level}) + {above} - (Σ_i {loss}[i])/(M + 2) ≤ -{right} by {' and '.join(uses)}"
    return below, f"{right} ≥ 0"


MASKED, SQUARES = least("ℓ", "Λ", "0")
OWN, OWN_SQUARES = least("ℓˢ", "Λˢ", "0", AHEAD)
MEAN = "(Σ_i ℓ[i])/(M + 2)"
MORE = f"e^t {ABOVE}/((M + 2) τ Λ)"
IMAGES = given("k l f < B; c[] real")
PRODUCT = "1[k = l] - 1[k ≠ l]/(B - 1)"


def _at_the_bounds(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    for names, own in ((infonce.MASKED, 1), (infonce.PRINTED, 2)):
        P = infonce.probabilities(z, b, names)
        for row, positive in enumerate(positives(len(z))):
            yield Finding(
                1 / P[row][positive], "=", own + 2 / b**50, (f"e^ℓ of row {row}", f"{own} + 2 e^(−2/τ)")
            )


claim("M4", "proved from LEMMA", SIMPLEX)(
    checked="For unit rows, two of each image. With «masked.where Λ» and «masked.where t» NT-Xent has «masked»."
    " With the anchor in its own denominator, «own.where Λˢ», it is «own». No square is negative: «pairs»,"
    " «centre», and those on the right. So no mean loss is below the logarithm in its bound, «floor», with"
    " equality only if all the squares vanish. Then pairs coincide, and every negative has the gap $t$, that"
    " is the cosine «cosine»; for B images «images»: the images form a regular simplex. There equality"
    " holds: such gaps turn «odds» into «attained», and coinciding views add 1 to it for the anchor (M2). A"
    " regular simplex has rows with the products «rows». Their features sum to 0, «hyperplane»; and by"
    " «independent» a combination of its rows vanishes only if all its weights are equal. So it needs $B -"
    " 1$ features, and no more.",
    brief="Let unit rows be two views of each of some images, so that an anchor has M negatives. No mean"
    " loss of NT-Xent is below the logarithm of $Λ$, «floor», with «masked.where Λ» and «masked.where t». It"
    " is reached just where both views of an image are one row and the images form a regular simplex. With"
    " the anchor in its own denominator «own.where Λˢ» takes the place of $Λ$.",
    masked=MASKED,
    squares=SQUARES,
    floor=SIMPLEX.chain(MASKED, SQUARES, f"{MORE} ≥ 0", both=f"{MEAN} - {MORE}"),
    own=OWN,
    own_squares=OWN_SQUARES,
    pairs=f"{PAIRS} ≥ 0",
    centre=f"{CENTRE} ≥ 0",
    cosine="1 + τ t = -2/M",
    images=IMAGES("-2/(2 B - 2) = -1/(B - 1)"),
    odds=f"e^ℓ[i] = 1 + {ODDS}",
    attained=COUNTED(f"1 + Σ_j {NEGATIVE} e^t = 1 + M e^t"),
    rows=IMAGES(f"Σ_f (B (1[k = f] - 1/B) (1[l = f] - 1/B)/(B - 1)) = {PRODUCT}"),
    hyperplane=IMAGES("Σ_f (1[k = f] - 1/B) = 0"),
    independent=IMAGES(f"Σ_kl c[k] c[l] ({PRODUCT}) = B (Σ_k (c[k] - (Σ_l c[l])/B)^2)/(B - 1)"),
    two_images=lambda: Example.at(
        "two images, opposite: both losses are at their bounds",
        _at_the_bounds,
        z=UnitRows([[1], [-1], [1], [-1]]),
        b=Base(21, 20),
    ),
)

# --- the least loss with the positive in no denominator ---------------------------------------------------

FREE = SIMPLEX.only("‖w‖", "z", "s", "L", "t")  # ℓ may be any number
DCL = SIMPLEX.only().also(_count(dcl.ROW))
DCL_ABOVE = f"{ABOVE}/((M + 2) M τ)"
EXCESS = f"{GAP} - ℓ[i]"
DCL_LEFT = f"(Σ_i (Σ_j {NEGATIVE} e^({EXCESS}) - 1))/(M + 2)"

claim("M31", "proved from LEMMA", FREE)(
    checked="For unit rows, two of each image, no mean loss of DCL is below $t + \\log M$: «floor», with"
    " «reached.where t»; for B images M is $2B - 2$. The loss stands above it by «above» at least, which is 0 only"
    " if the two views of each image coincide and the rows sum to 0. The floor is below 0 as soon as $τ$ is less"
    " than $(M + 2)/(M \\log M)$, and falls without end as $τ$ goes to 0. It is reached just where also every"
    " negative's logit is $t$ more than the positive's, at M4's regular simplex: there the loss of a row is"
    " «reached», and the two sides of the lemma are equal only if all negatives of a row have one logit.",
    # log M + the mean gap ≤ ℓ, by the lemma at M e^{x − ℓ}, which are 1 in the mean
    floor=FREE.chain(
        f"log(M) + t + {DCL_ABOVE} - {MEAN} ≤ {DCL_LEFT} by Σ_ij {NEGATIVE}/((M + 2) M) log(M e^({EXCESS}))",
        DCL(f"{DCL_LEFT} = 0"),
        f"{DCL_ABOVE} ≥ 0",
        both=f"{MEAN} - {DCL_ABOVE}",
    ),
    above=f"{DCL_ABOVE} ≥ 0",
    reached=f"log(Σ_j {NEGATIVE} e^t) = log(M) - (M + 2)/(M τ)",
)

# --- between two bounds ---------------------------------------------------------------------------------

LOW, HIGH = "1 + M e^(-2/τ)", "1 + M e^(2/τ)"
FLAT, UP = (f"(1 + Σ_j {NEGATIVE} e^({end}/τ))" for end in (-2, 2))
FARTHER = "(Σ_f (z[i,f] + z[j,f])^2)/2 + (Σ_f (z[i,f] - z[p(i),f])^2)/2"
NEARER = "(Σ_f (z[i,f] - z[j,f])^2)/2 + (Σ_f (z[i,f] + z[p(i),f])^2)/2"

claim("M23", "proved from LEMMA", COUNTED)(
    checked="For unit rows and the negatives of NT-Xent, «negatives» (2N - 2 for N images): «least», and"
    " «most». Each gap lies between $-2/τ$ and $2/τ$, by «above» and «below», sums of squares. So the loss"
    " lies between the two logarithms.",
    negatives=f"Σ_j {NEGATIVE} = M",
    least=f"log({LOW}) + e^(-2/τ) (Σ_j {NEGATIVE} ({GAP} + 2/τ))/({LOW}) - ℓ[i] ≤ 0"
    f" by 1/{FLAT} log({FLAT} : 1 + {WHOLE})"
    f" and Σ_j {NEGATIVE} e^(-2/τ)/{FLAT} log(e^({GAP} + 2/τ) {FLAT} : 1 + {WHOLE})",
    most=f"ℓ[i] - log({HIGH}) + (Σ_j {NEGATIVE} e^{GAP} (2/τ - {GAP}))/({HIGH}) ≤ 0"
    f" by log(1 + {WHOLE} : {UP}) and Σ_j {NEGATIVE} e^{GAP}/{UP} log(e^(2/τ - {GAP}))",
    above=f"2 + (s[i,j] - s[i,p(i)]) = {FARTHER}",
    below=f"2 - (s[i,j] - s[i,p(i)]) = {NEARER}",
    above_sign=f"{FARTHER} ≥ 0",
    below_sign=f"{NEARER} ≥ 0",
)

# --- the limits of the temperature ------------------------------------------------------------------------


def _colder(scores: Numbers, powers: Integers) -> Iterator[Finding]:
    """The positive comes first; e^{1/τ} = 2^n."""
    for n in powers:
        risk = sum(Fraction(2) ** int(n * (score - scores[0])) for score in scores)
        ties = sum(score == max(scores) for score in scores)
        yield Finding(risk - ties, "=", Fraction(1, 2**n), (f"e^ℓ less the ties, e^(1/τ) being 2^{n}", ""))


CANDIDATES = given(
    "i < N; a k Σ_m < A; f < d; p: N → A; δ[] x ≥ 0",
    "L[i,a] := β (Σ_f q[i,f] y[a,f])",
    "P[i,a] := e^L[i,a] / Σ_m e^L[i,m]",
    "ℓ[i] := -log(P[i,p(i)])",
)
HOT = CANDIDATES.also("L[i,a] := 0")
WEIGHED = "Σ_a P[i,a] y[a,f] - y[p(i),f]"
FALLEN = "Σ_m e^(-δ[m]/τ)"

claim("M8", "proved from LEMMA", CANDIDATES)(
    checked=r"Hot: with $β$ for $1/τ$, «slope.where L», «slope», smooth in $β$; where it is 0, «hot.where L»,"
    r" «hot», and the mean of the candidates takes the place of their weighed mean, «mean». Cold: in terms of"
    r" any candidate $k$, «cold». Let its score be the largest. Then the logarithm on the right is not"
    r" negative, «least», and with $δ$ for what each score is short of it, «most», it is at most $\log A$. So"
    r" times $τ$ the loss goes to the largest score less that of the positive. And as «decay», each $e^{-x}$"
    r" is at most $1/(1 + x)$, and for a score that is short of the largest it goes to 0 with $τ$: what"
    r" remains in the logarithm is the number of ties. The loss goes to its logarithm if the positive is one"
    r" of them, else to infinity.",
    brief=r"As $τ$ grows without end the loss goes to that of equal scores, «hot», A the number of candidates,"
    r" and the gradient times $τ$ to the mean of the candidates less the positive. As $τ$ goes to 0, $τ$ times"
    r" the loss goes to the largest score less that of the positive: take for $k$ a candidate of the largest"
    r" score in «cold», whose logarithm on the right lies between 0 and $\log A$. The loss itself goes to the"
    r" logarithm of the number of ties if the positive is one of them, else to infinity.",
    slope=f"∂ℓ[i]/∂q[i,f] = β ({WEIGHED})",
    hot=HOT("ℓ[i] = log(A)"),
    mean=HOT(f"{WEIGHED} = (Σ_a y[a,f])/A - y[p(i),f]"),
    cold="log((Σ_a e^(u[i,a]/τ))/e^(u[i,p(i)]/τ))"
    " = (u[i,k] - u[i,p(i)])/τ + log(1 + Σ_a 1[a ≠ k] e^((u[i,a] - u[i,k])/τ))",
    least="-log(1 + x) ≤ -x/(1 + x) by log(1/(1 + x))",
    most=f"log({FALLEN}) - log(A) + (Σ_a (e^(-δ[a]/τ) δ[a]/τ))/A ≤ 0"
    f" by log({FALLEN} : A) and Σ_a e^(-δ[a]/τ)/A log(e^(δ[a]/τ))",
    decay="x e^-x ≤ 1 - e^-x by e^-x log(e^x)",
    colder=lambda: Example.at(
        "two ties, the positive one of them",
        _colder,
        scores=Numbers([1, 1, 0]),
        powers=Integers([1, 10, 100]),
    ),
)
