"""Which samples an anchor learns from: the conclusions of document D2 from its gradient, and their consequences.

The similarity of the unit anchor with one candidate is s, the others held fixed: P(s) = e^{s/τ}/(e^{s/τ} + R).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..common import rational, sphere
from ..evidence.kinds import Counterexample, Empirical, Finding, Misprint
from ..evidence.plain import claim, given
from ..evidence.points import Base, UnitRows, root

# a unit anchor z_i before candidates y_a of any length
ANCHORED = given("i j k < N; f g h < d; Σ_am < A; p: N → A", *sphere.NAMES)
EQUAL = given("i < N; Σ_m < M")  # M negatives, all with the logit of one
ONE = given(  # in one candidate's similarity s
    "s P real; R o > 0; ε ≥ 0",
    "P := e^(s/τ)/(e^(s/τ) + R)",
    "Δ := (1 - P)/τ - s/(1 - s^2)",
)
BETWEEN = ONE.first("s := (o - 1)/(o + 1)")  # any number between −1 and 1

# --- an anchor, row 0, before its positive, row 1, and its negatives -------------------------------------


def shares(z: UnitRows, b: Fraction) -> list[Fraction]:
    """P of the candidates, the positive's first; e^{1/(25τ)} = b."""
    weights = [rational.exp(rational.dot(z[0], row), b) for row in z[1:]]
    return [weight / sum(weights) for weight in weights]


def sines(z: UnitRows) -> list[Fraction]:
    """√(1 − s²), the length of each candidate's component orthogonal to the anchor."""
    return [root(rational.dot(x, x)) for x in (rational.tangent(z[0], row) for row in z[1:])]


# --- the negatives --------------------------------------------------------------------------------------

OTHERS = "Σ_m 1[m ≠ p(i)] P[i,m]"
WEIGHTS = {  # P_in/(1 − P_ip); no line uses unit length
    "others": ANCHORED(f"1 - P[i,p(i)] = {OTHERS}"),
    "softmax": ANCHORED(f"P[i,a]/({OTHERS}) = e^L[i,a] / Σ_m 1[m ≠ p(i)] e^L[i,m]"),
    "odds": ANCHORED("P[i,a]/P[i,n] = e^(L[i,a] - L[i,n])"),
}
# P √(1 − s²)/τ has a slope of the sign of Δ, which falls through 0 once
SLOPE = ONE("∂(P √(1 - s^2)/τ)/∂s = P √(1 - s^2) Δ/τ")
SIGNS = {
    "before": ONE.first("s := 0")("Δ = R/((1 + R) τ)"),
    "before sign": ONE("R/((1 + R) τ) > 0"),
    "after": ONE.first("s := 2/(2 + τ)")("Δ = -(P/τ + 1/(4 + τ))"),
    "after sign": ONE("P/τ + 1/(4 + τ) > 0"),
}
SHARE_FALLS, SINE_FALLS = "P (1 - P)/τ^2", "(1 + s^2)/(1 - s^2)^2"
BY_REST = "R e^(s/τ)/((e^(s/τ) + R)^2 τ^2)"
BY_ODDS = "(o^2 + 1) (o + 1)^2/(8 o^2)"
SHORT_OF_1 = ONE("1 - (1 - ε)^2 = ε (2 - ε)")
# what of z_j lies across the anchor: ‖(I − zzᵀ) z_j‖², z_j any other unit row [D2.14]
ACROSS = "Σ_f (Σ_g (1[f = g] - z[i,f] z[i,g]) z[j,g])^2"
EASY_POSITIVE = {"across": ANCHORED(f"{ACROSS} = 1 - s[i,j]^2"), "easy": SHORT_OF_1}

claim("M15", "proved", ONE)(
    checked="Hardness weights: of what the positive lacks, «others», a negative has the share «softmax», the"
    " softmax over the negatives alone, and of two negatives «odds». What a negative adds along the sphere"
    " has the slope «slope», where «slope.where P», R being the sum over the others, and «slope.where Δ»."
    " Let $s$ be any number between -1 and 1, «square.where s». Then the factor of $Δ$ is positive,"
    " «share» and «square», and $Δ$ falls: «falls», where «share falls» and «sine falls» are both"
    " positive. At «before.where s» it is positive, «before», and at «after.where s» negative, «after». So"
    " what a negative adds climbs up to one $s^*$ between these two and falls beyond it; to 0, as where"
    " $s$ is short of 1 by $ε$ «easy».",
    **WEIGHTS,
    slope=SLOPE,
    share="P > 0",
    square=BETWEEN("1 - s^2 = 4 o/(o + 1)^2"),
    square_sign="4 o/(o + 1)^2 > 0",
    falls=f"∂Δ/∂s = -{SHARE_FALLS} - {SINE_FALLS}",
    share_falls=f"{SHARE_FALLS} = {BY_REST}",
    share_falls_sign=f"{BY_REST} > 0",
    sine_falls=BETWEEN(f"{SINE_FALLS} = {BY_ODDS}"),
    sine_falls_sign=f"{BY_ODDS} > 0",
    **SIGNS,
    easy=SHORT_OF_1,
)


def _harder(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    (_, *P), (_, *sine) = shares(z, b), sines(z)
    s_harder, s_hard = (rational.dot(z[0], row) for row in z[2:])
    yield Finding(s_harder, ">", s_hard, ("similarity of row 2", "of row 3"))
    yield Finding(P[0], ">", P[1], ("its push with no normalisation, P", ""))
    yield Finding(P[0] * sine[0], "<", P[1] * sine[1], ("with it, P √(1 − s²)", ""))


claim("D2.4", "corrected", ANCHORED)(
    printed="InfoNCE with feature normalisation gives the model the ability to mine hard negative samples by"
    " itself",
    checked="Hard negatives are mined, but not by normalisation, and not the hardest. Eq. 8, from which this"
    " is concluded, is about the positive. A negative has the same factor, «across», which goes to 0 at"
    " the hardest ones: normalisation weakens them, as in «harder».",
    correction="Hard negatives weigh more by the softmax, with normalisation and without: «odds». With it, what"
    " a negative adds has the slope «slope», where «slope.where P» and «slope.where Δ»: a harder negative"
    " adds more up to one $s^*$ only, and beyond it less, between «before.where s», where «before», and"
    " «after.where s», where «after» (M15).",
    across=EASY_POSITIVE["across"],
    odds=WEIGHTS["odds"],
    slope=SLOPE,
    **SIGNS,
    harder=lambda: Misprint.at(
        "a positive at right angles, two hard negatives",
        _harder,
        z=UnitRows(rational.rows((25, 0), (0, -25), (24, 7), (20, 15), by=25)),
        b=Base(6, 5),
    ),
)


def _similar(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    (_, *P), (_, *sine) = shares(z, b), sines(z)
    s_similar, s_easy = (rational.dot(z[0], row) for row in z[2:])
    yield Finding(s_similar, ">", s_easy, ("similarity of row 2", "of row 3"))
    yield Finding(P[0] * sine[0], ">", P[1] * sine[1], ("its push, P √(1 − s²)", ""))


claim("D2.16", "refuted", ANCHORED)(
    printed="so normalised features let the model mine hard negative samples by itself: samples of high similarity"
    " do not help the gradient much",
    checked="If samples of high similarity did not help, hard negatives would not be mined, because they are those"
    " of high similarity. Where the softmax is cold one of them outweighs an easy one by far, in spite of"
    " normalisation: «similar».",
    correction="It is the easy positive that helps little. What of it lies across the anchor has the square"
    " «across», and where $s$ is short of 1 by $ε$ this is «easy». Hard negatives are favoured by the"
    " softmax: «odds».",
    **EASY_POSITIVE,
    **WEIGHTS,
    similar=lambda: Counterexample.at(
        "a positive at right angles, a similar negative and an easy one",
        _similar,
        z=UnitRows(rational.rows((5, 0), (0, -5), (4, 3), (0, 5))),
        b=Base(2),
    ),
)

# --- the positive ---------------------------------------------------------------------------------------

claim("D2.15a", "proved", ANCHORED)(
    printed=r"if the similarity with the positive is too high, $z_i^T z_p \approx 1$, this coefficient tends to 0,"
    r" and there is hardly any effect on the gradient",
    checked="The square of the coefficient is «across», and where $s$ is short of 1 by $ε$ it is «easy»,"
    " which goes to 0 with $ε$.",
    **EASY_POSITIVE,
)


def _hardest(opposite: UnitRows, right: UnitRows, easy: UnitRows, b: Fraction) -> Iterator[Finding]:
    """One anchor before three positives, with one negative."""
    (far, _), (middle, _), (near, _) = map(sines, (opposite, right, easy))
    yield Finding(far, "=", near, ("√(1 − s²) of the opposite positive", "of the easy one"))
    yield Finding(far, "<", middle, ("", "of the one at right angles"))
    wholes = ((1 - shares(z, b)[0]) * sines(z)[0] for z in (opposite, right, easy))
    first, second, third = wholes
    yield Finding(first, "<", second, ("(1 − P) √(1 − s²) of the opposite positive", "at right angles"))
    yield Finding(second, ">", third, ("", "of the easy one"))


def _before_a_negative(*positive: int) -> UnitRows:
    return UnitRows(rational.rows((25, 0), positive, (0, -25), by=25))


claim("D2.15b", "corrected", ONE)(
    printed="if the similarity with the positive is not high, this coefficient tends to 1 and has a greater effect"
    " on the gradient",
    checked="A positive of low similarity does not have a coefficient near 1 where it is the hardest, opposite to"
    " the anchor: «hardest».",
    correction="The coefficient has the slope «slope»: it climbs for negative $s$ and falls for positive $s$."
    " What its square is short of 1 is «short», so it tends to 1 only where $s$ tends to 0. Where $s$ is"
    " $ε$ above -1 the square is «opposite»: the hardest positive counts as little as the easiest. With"
    " the factor $1 - P$ the coefficient climbs and falls too.",
    slope="∂√(1 - s^2)/∂s = -s/√(1 - s^2)",
    short=ANCHORED(f"1 - {ACROSS} = s[i,j]^2"),
    opposite="1 - (-1 + ε)^2 = ε (2 - ε)",
    hardest=lambda: Misprint.at(
        "three positives, one negative",
        _hardest,
        opposite=_before_a_negative(-24, 7),
        right=_before_a_negative(0, 25),
        easy=_before_a_negative(24, 7),
        b=Base(2),
    ),
)


def _pushed_away(z: UnitRows, b: Fraction) -> Finding:
    """ds_p/dt along −τ ∂ℓ/∂w at ‖w‖ = 1."""
    mean = [rational.dot(shares(z, b), column) for column in zip(*z[1:], strict=True)]
    step = rational.tangent(z[0], [x - y for x, y in zip(z[1], mean, strict=True)])
    return Finding(rational.dot(step, z[1]), "<", 0, ("τ ds_p/dt", ""))


GAP = "Σ_g (1[f = g] - z[i,f] z[i,g]) (y[a,g] - y[n,g])"  # across the anchor, as the next two
PULL = "Σ_g (1[f = g] - z[i,f] z[i,g]) (y[p(i),g] - Σ_m P[i,m] y[m,g])"  # of −τ ∂ℓ/∂z [D2.8]
BRACKET = (  # the same, as D2.12 writes it
    "Σ_g (1[f = g] - z[i,f] z[i,g]) (y[p(i),g] (P[i,p(i)] - 1) + Σ_a 1[a ≠ p(i)] P[i,a] y[a,g])"
)
THEIRS = "Σ_f y[a,f] y[p(i),f] - (Σ_f z[i,f] y[a,f]) (Σ_f z[i,f] y[p(i),f])"
OWN = "Σ_f y[p(i),f]^2 - (Σ_f z[i,f] y[p(i),f])^2"

claim("D2.4b", "folklore", ANCHORED)(
    said_by="Contrastive losses are introduced as pulling the positive close and pushing the negatives apart: in D1"
    " (D1.0), and in Supervised Contrastive Learning (Khosla et al., 2020).",
    checked="A step against the gradient need not raise the similarity of the positive. A negative beyond the"
    " positive pushes the anchor away from both: «away».",
    correction="Along $-∇$ with $‖w‖$ 1, the similarity with the positive changes at $1/τ$ times «rate», which may"
    " be negative. The loss never rises, «descent», and «descent sign». And with one negative $n$ beside the"
    " positive $a$, «pair», the positive never loses on it: the gap between the two grows at a positive"
    " multiple of «widening», «widening sign».",
    away=lambda: Counterexample.at(
        "one negative", _pushed_away, z=UnitRows(rational.rows((5, 0), (4, 3), (0, 5))), b=Base(21, 20)
    ),
    rate=ANCHORED.only("P")(
        f"Σ_f ({PULL}) y[p(i),f] = (Σ_a 1[a ≠ p(i)] P[i,a]) ({OWN}) - Σ_a 1[a ≠ p(i)] P[i,a] ({THEIRS})"
    ),
    descent=f"Σ_f ∂ℓ[i]/∂w[i,f] (-({BRACKET})/(τ ‖w[i]‖)) = -(Σ_f ({BRACKET})^2)/(τ ‖w[i]‖)^2",
    descent_sign=f"Σ_f ({BRACKET})^2 ≥ 0",
    # one negative n beside the positive a
    pair=ANCHORED.only("L")(
        "∂log(1 + e^(L[i,n] - L[i,a]))/∂z[i,f] = -e^L[i,n] (y[a,f] - y[n,f])/((e^L[i,a] + e^L[i,n]) τ)"
    ),
    widening=f"Σ_f ({GAP}) (y[a,f] - y[n,f]) = Σ_f ({GAP})^2",
    widening_sign=f"Σ_f ({GAP})^2 ≥ 0",
)

# --- the number of negatives ----------------------------------------------------------------------------

# e^{s/τ}: of the positive, of all negatives together, of one more
SUMS = given("E S e > 0")
NEGATIVES = "Σ_a 1[a ≠ p(i)] e^L[i,a]"
# 1 − P_ip, of the form S/(E + S)
UNSURE = ANCHORED(f"1 - P[i,p(i)] = ({NEGATIVES})/(e^L[i,p(i)] + {NEGATIVES})")
ALIKE = EQUAL("(Σ_m e^L[i,a])/(e^L[i,n] + Σ_m e^L[i,a]) = M/(M + e^(L[i,n] - L[i,a]))")

claim("D2.5", "no theorem", SUMS)(
    printed="the number of negative samples in InfoNCE is also the more the better",
    checked="Empirical: «words».",
    correction=r"One more negative, whatever it is, raises the loss and what the positive lacks, «unsure». Let"
    r" E, S and e be $e^{s/τ}$ of the positive, of all negatives together and of the new one. $e^ℓ$ is"
    r" multiplied by «more», where «share», and what the positive lacks rises by «gain», where «gain"
    r" sign». And the most that the bound on information can reach, $\log |A|$, grows (P1).",
    words=lambda: Empirical("“better” has no definition here"),
    unsure=UNSURE,
    more="(E + S + e)/(E + S) = 1 + e/(E + S)",
    share="e/(E + S) > 0",
    gain="(S + e)/(E + S + e) - S/(E + S) = E e/((E + S) (E + S + e))",
    gain_sign="E e/((E + S) (E + S + e)) > 0",
)

GAIN = "E/((M + E) (M + E + 1))"  # by the next negative
LESS = "2 E/((M + E) (M + E + 1) (M + E + 2))"

claim("D2.18", "no theorem", SUMS)(
    printed="this shows that the larger the batch size is set in training, the better the effect will be",
    checked="Empirical: «words»; a coefficient is no measure of quality, and this one saturates.",
    correction="With M negatives $a$ at equal similarity and the positive $n$ it is «equal», below 1 as «room» and"
    " «room sign», E being that exponential. A further one adds «next», and the one after it less: the"
    " difference is «less», «less sign».",
    words=lambda: Empirical("“effect” has no definition here"),
    equal=ALIKE,
    room="1 - M/(M + E) = E/(M + E)",
    room_sign="E/(M + E) > 0",
    next=f"(M + 1)/(M + 1 + E) - M/(M + E) = {GAIN}",
    next_sign=f"{GAIN} > 0",
    less=f"{GAIN} - E/((M + E + 1) (M + E + 2)) = {LESS}",
    less_sign=f"{LESS} > 0",
)


def _unsure(z: UnitRows, b: Fraction) -> Fraction:
    """|P_ip − 1|."""
    return abs(shares(z, b)[0] - 1)


def _twice(small: UnitRows, large: UnitRows, b: Fraction) -> Finding:
    times = Fraction(len(large) - 1, len(small) - 1)
    grows = _unsure(large, b) / _unsure(small, b)
    return Finding(grows, "≠", times, ("|P − 1| of the larger over the smaller", "|A|"))


def _smaller(small: UnitRows, large: UnitRows, b: Fraction) -> Iterator[Finding]:
    yield Finding(len(large) - 1, ">", len(small) - 1, ("candidates of the larger set", ""))
    yield Finding(_unsure(large, b), "<", _unsure(small, b), ("|P − 1|", ""))


def _rows(*rows: Sequence[int]) -> UnitRows:
    return UnitRows(rational.rows((5, 0), *rows))


claim("D2.17", "refuted", SUMS)(
    printed=r"$|P_{ip}-1| = \mid\frac{\exp(z_i z_p/\tau)}{\sum_{a\in A}\exp(z_i z_a/\tau)} -1\mid \propto |A|$",
    checked="The value is «unsure», so that it is below 1 however large A is, and not proportional to its size:"
    " «twice». Of different sets the larger one may even have the smaller value: «smaller».",
    correction="With E for $e^{s/τ}$ of the positive and S for the sum over the negatives it is short of 1 by"
    " «room», «room sign». It increases with S, «slope» and «slope sign», and is concave: «bend», «bend"
    " sign». With M negatives $a$ at equal similarity and the positive $n$ it is «equal», and of unit rows"
    " it lies between the two values of this at gaps of $-2/τ$ and $2/τ$ (M23).",
    unsure=UNSURE,
    room="1 - S/(E + S) = E/(E + S)",
    room_sign="E/(E + S) > 0",
    slope="∂(S/(E + S))/∂S = E/(E + S)^2",
    slope_sign="E/(E + S)^2 > 0",
    bend="∂(E/(E + S)^2)/∂S = -2 E/(E + S)^3",
    bend_sign="2 E/(E + S)^3 > 0",
    equal=ALIKE,
    twice=lambda: Counterexample.at(
        "one negative and three, all as similar as the positive",
        _twice,
        small=_rows((4, 3), (4, -3)),
        large=_rows((4, 3), (4, -3), (4, 3), (4, -3)),
        b=Base(6, 5),
    ),
    smaller=lambda: Counterexample.at(
        "one hard negative, and two easy ones",
        _smaller,
        small=_rows((4, 3), (5, 0)),
        large=_rows((4, 3), (0, 5), (0, -5)),
        b=Base(6, 5),
    ),
)
