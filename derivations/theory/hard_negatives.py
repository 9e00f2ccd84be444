"""Which samples an anchor learns from: the conclusions of document D2 from its gradient, and their consequences.

The similarity of the unit anchor with one candidate is s, the others held fixed: P(s) = e^{s/τ}/(e^{s/τ} + R).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import Expr, Integer, Symbol, exp, log, sqrt

from ..common import rational, sphere
from ..evidence.claims import claim
from ..evidence.pieces import Empirical, Finding, Piece, counterexample, misprint
from ..evidence.points import Base, UnitRows, root
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative, positive
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import A, L, M, P, a, bracket, d, ell, f, g, i, j, m, n, norm, p, s, tau, w, y, z

FACTS = Facts()
similarity, rest = Symbol("s", real=True), Symbol("R", positive=True)
share = Symbol("P", real=True)
SHARE = Definition(share, exp(similarity / tau) / (exp(similarity / tau) + rest))  # P of the candidate
SINE = sqrt(1 - similarity**2)  # ‖(I − zzᵀ) z_a‖ of a unit candidate [D2.14]
BRACKET = Definition(bracket, (1 - share) / tau - similarity / (1 - similarity**2))


def prove(first: Expr, *steps, where: tuple[Definition, ...] = ()) -> Proof:
    """Prove a relation in one candidate's similarity s. where: the definition of s."""
    return derive(first, *steps, names=(*where, SHARE, BRACKET), facts=FACTS)


def anchored(first: Expr, *steps) -> Proof:
    """About a unit anchor z_i before candidates y_a of any length."""
    return derive(first, *steps, names=sphere.NAMES, facts=sphere.FACTS)


# --- an anchor, row 0, before its positive, row 1, and its negatives -------------------------------------


def shares(z: UnitRows, b: Fraction) -> list[Fraction]:
    """P of the candidates, the positive's first; e^{1/(25τ)} = b."""
    weights = [rational.exp(rational.dot(z[0], row), b) for row in z[1:]]
    return [weight / sum(weights) for weight in weights]


def sines(z: UnitRows) -> list[Fraction]:
    """√(1 − s²), the length of each candidate's component orthogonal to the anchor."""
    return [root(rational.dot(x, x)) for x in (rational.tangent(z[0], row) for row in z[1:])]


# --- the negatives --------------------------------------------------------------------------------------


def weights_of_negatives() -> dict[str, Piece]:
    """P_in/(1 − P_ip); no line uses unit length."""
    others = total(Differ(m, p[i]) * P[i, m], (m, A))
    softmax = exp(L[i, a]) / total(Differ(m, p[i]) * exp(L[i, m]), (m, A))
    return {
        "others": anchored(1 - P[i, p[i]], (DEFINITION, others)),
        "softmax": anchored(P[i, a] / others, (DEFINITION, softmax)),
        "odds": anchored(P[i, a] / P[i, n], (DEFINITION, exp(L[i, a] - L[i, n]))),
    }


def threshold() -> dict[str, Piece]:
    """P √(1 − s²)/τ has a slope of the sign of Δ, which falls through 0 once."""
    o = Symbol("o", positive=True)
    between = (Definition(similarity, (o - 1) / (o + 1)),)  # any number between −1 and 1
    right, late = (Definition(similarity, at) for at in (Integer(0), 2 / (2 + tau)))
    share_falls, sine_falls = share * (1 - share) / tau**2, (1 + similarity**2) / (1 - similarity**2) ** 2
    by_rest = rest * exp(similarity / tau) / (exp(similarity / tau) + rest) ** 2 / tau**2
    by_odds, within = (o**2 + 1) * (o + 1) ** 2 / (8 * o**2), 4 * o / (o + 1) ** 2
    before, after = rest / (1 + rest) / tau, share / tau + 1 / (4 + tau)
    return {
        "slope": prove(Partial(share * SINE / tau, similarity), (DERIVATIVE, share * SINE * bracket / tau)),
        "share": positive(share, names=(SHARE,)),
        "square": prove(1 - similarity**2, (DEFINITION, within), where=between),
        "square sign": positive(within),
        "falls": prove(Partial(bracket, similarity), (DERIVATIVE, -share_falls - sine_falls)),
        "share falls": prove(share_falls, (DEFINITION, by_rest)),
        "share falls sign": positive(by_rest),
        "sine falls": prove(sine_falls, (DEFINITION, by_odds), where=between),
        "sine falls sign": positive(by_odds),
        "before": prove(bracket, (DEFINITION, before), where=(right,)),
        "before sign": positive(before),
        "after": prove(bracket, (DEFINITION, -after), where=(late,)),
        "after sign": positive(after, names=(SHARE,)),
    }


@claim(
    "M15",
    verdict=Verdict.PROVED,
    says="Hardness weights: of what the positive lacks, «others», a negative has the share «softmax», the"
    " softmax over the negatives alone, and of two negatives «odds». What a negative adds along the sphere"
    " has the slope «slope», where «slope.where P», R being the sum over the others, and «slope.where Δ»."
    " Let $s$ be any number between -1 and 1, «square.where s». Then the factor of $Δ$ is positive,"
    " «share» and «square», and $Δ$ falls: «falls», where «share falls» and «sine falls» are both"
    " positive. At «before.where s» it is positive, «before», and at «after.where s» negative, «after». So"
    " what a negative adds climbs up to one $s^*$ between these two and falls beyond it; to 0, as where"
    " $s$ is short of 1 by $ε$ «easy».",
)
def hardness() -> dict[str, Piece]:
    return {**weights_of_negatives(), **threshold(), "easy": short_of(1)}


def short_of(end: int) -> Proof:
    """1 − s² where s is ε away from 1 or −1."""
    short = Symbol("ε", nonnegative=True)
    return derive(1 - (end - end * short) ** 2, (SUMS, short * (2 - short)), facts=FACTS)


def across() -> Proof:
    """‖(I − zzᵀ) z_p‖² = 1 − s², any other unit row in the place of the positive [D2.14]."""
    tangent = total(sphere.projector(i, f, g) * z[j, g], (g, d))
    return anchored(total(tangent**2, (f, d)), (DEFINITION, 1 - s[i, j] ** 2))


def _harder(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    (_, *P), (_, *sine) = shares(z, b), sines(z)
    s_harder, s_hard = (rational.dot(z[0], row) for row in z[2:])
    yield Finding(s_harder, ">", s_hard, ("similarity of row 2", "of row 3"))
    yield Finding(P[0], ">", P[1], ("its push with no normalisation, P", ""))
    yield Finding(P[0] * sine[0], "<", P[1] * sine[1], ("with it, P √(1 − s²)", ""))


@claim(
    "D2.4",
    printed="InfoNCE with feature normalisation gives the model the ability to mine hard negative samples by"
    " itself",
    verdict=Verdict.CORRECTED,
    says="Hard negatives are mined, but not by normalisation, and not the hardest. Eq. 8, from which this"
    " is concluded, is about the positive. A negative has the same factor, «across», which goes to 0 at"
    " the hardest ones: normalisation weakens them, as in «harder».",
    right="Hard negatives weigh more by the softmax, with normalisation and without: «odds». With it, what"
    " a negative adds has the slope «slope», where «slope.where P» and «slope.where Δ»: a harder negative"
    " adds more up to one $s^*$ only, and beyond it less, between «before.where s», where «before», and"
    " «after.where s», where «after» (M15).",
)
def normalisation_weakens_the_hardest() -> dict[str, Piece]:
    proved = hardness()
    return {
        "across": across(),
        **{name: proved[name] for name in ("odds", "slope", "before", "before sign", "after", "after sign")},
        "harder": misprint(
            "a positive at right angles, two hard negatives",
            _harder,
            z=UnitRows(rational.rows((25, 0), (0, -25), (24, 7), (20, 15), by=25)),
            b=Base(6, 5),
        ),
    }


def _similar(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    (_, *P), (_, *sine) = shares(z, b), sines(z)
    s_similar, s_easy = (rational.dot(z[0], row) for row in z[2:])
    yield Finding(s_similar, ">", s_easy, ("similarity of row 2", "of row 3"))
    yield Finding(P[0] * sine[0], ">", P[1] * sine[1], ("its push, P √(1 − s²)", ""))


@claim(
    "D2.16",
    printed="so normalised features let the model mine hard negative samples by itself: samples of high similarity"
    " do not help the gradient much",
    verdict=Verdict.REFUTED,
    says="The sentence contradicts itself: the negatives of high similarity are the hard ones. Where the"
    " softmax is cold one of them outweighs an easy one by far, in spite of normalisation: «similar».",
    right="It is the easy positive that helps little. What of it lies across the anchor has the square"
    " «across», and where $s$ is short of 1 by $ε$ this is «easy». Hard negatives are favoured by the"
    " softmax: «odds».",
)
def similar_negatives_help_most() -> dict[str, Piece]:
    return {
        **easy_positive(),
        **weights_of_negatives(),
        "similar": counterexample(
            "a positive at right angles, a similar negative and an easy one",
            _similar,
            z=UnitRows(rational.rows((5, 0), (0, -5), (4, 3), (0, 5))),
            b=Base(2),
        ),
    }


# --- the positive ---------------------------------------------------------------------------------------


@claim(
    "D2.15a",
    printed=r"if the similarity with the positive is too high, $z_i^T z_p \approx 1$, this coefficient tends to 0,"
    r" and there is hardly any effect on the gradient",
    verdict=Verdict.PROVED,
    says="The square of the coefficient is «across», and where $s$ is short of 1 by $ε$ it is «easy»,"
    " which goes to 0 with $ε$.",
)
def easy_positive() -> dict[str, Piece]:
    return {"across": across(), "easy": short_of(1)}


def _hardest(opposite: UnitRows, right: UnitRows, easy: UnitRows, b: Fraction) -> Iterator[Finding]:
    """One anchor before three positives, with one negative."""
    (far, _), (middle, _), (near, _) = map(sines, (opposite, right, easy))
    yield Finding(far, "=", near, ("√(1 − s²) of the opposite positive", "of the easy one"))
    yield Finding(far, "<", middle, ("", "of the one at right angles"))
    wholes = ((1 - shares(z, b)[0]) * sines(z)[0] for z in (opposite, right, easy))
    first, second, third = wholes
    yield Finding(first, "<", second, ("(1 − P) √(1 − s²) of the opposite positive", "at right angles"))
    yield Finding(second, ">", third, ("", "of the easy one"))


@claim(
    "D2.15b",
    printed="if the similarity with the positive is not high, this coefficient tends to 1 and has a greater effect"
    " on the gradient",
    verdict=Verdict.CORRECTED,
    says="Not where the positive is the hardest: «hardest».",
    right="The coefficient has the slope «slope»: it climbs for negative $s$ and falls for positive $s$."
    " What its square is short of 1 is «short», so it tends to 1 only where $s$ tends to 0. Where $s$ is"
    " $ε$ above -1 the square is «opposite»: the hardest positive counts as little as the easiest. With"
    " the factor $1 - P$ the coefficient climbs and falls too.",
)
def hardest_positive() -> dict[str, Piece]:
    tangent = total(sphere.projector(i, f, g) * z[j, g], (g, d))
    positives = ((-24, 7), (0, 25), (24, 7))
    opposite, right, easy = (UnitRows(rational.rows((25, 0), row, (0, -25), by=25)) for row in positives)
    return {
        "slope": prove(Partial(SINE, similarity), (DERIVATIVE, -similarity / SINE)),
        "short": anchored(1 - total(tangent**2, (f, d)), (DEFINITION, s[i, j] ** 2)),
        "opposite": short_of(-1),
        "hardest": misprint(
            "three positives, one negative", _hardest, opposite=opposite, right=right, easy=easy, b=Base(2)
        ),
    }


def _pushed_away(z: UnitRows, b: Fraction) -> Finding:
    """ds_p/dt along −τ ∂ℓ/∂w at ‖w‖ = 1."""
    mean = [rational.dot(shares(z, b), column) for column in zip(*z[1:], strict=True)]
    step = rational.tangent(z[0], [x - y for x, y in zip(z[1], mean, strict=True)])
    return Finding(rational.dot(step, z[1]), "<", 0, ("τ ds_p/dt", ""))


@claim(
    "D2.4b",
    verdict=Verdict.FOLKLORE,
    heard="Contrastive losses are introduced as pulling the positive close and pushing the negatives apart: in D1"
    " (D1.0), and in Supervised Contrastive Learning (Khosla et al., 2020).",
    says="A step against the gradient need not raise the similarity of the positive. A negative beyond the"
    " positive pushes the anchor away from both: «away».",
    right="Along $-∇$ with $‖w‖$ 1, the similarity with the positive changes at $1/τ$ times «rate», which may"
    " be negative. The loss never rises, «descent», and «descent sign». And with one negative $n$ beside the"
    " positive $a$, «pair», the positive never loses on it: the gap between the two grows at a positive"
    " multiple of «widening», «widening sign».",
)
def positive_pushed_away() -> dict[str, Piece]:
    def inner(left, right):
        return total(left(f) * right(f), (f, d))

    def along(row):
        return total(z[i, f] * row(f), (f, d))

    def across(row):
        """(I − zzᵀ) x."""
        return lambda feature: total(sphere.projector(i, feature, g) * row(g), (g, d))

    def candidate(index):
        return lambda feature: y[index, feature]

    def pull(feature):  # −τ ∂ℓ/∂z [D2.8]
        return y[p[i], feature] - total(P[i, m] * y[m, feature], (m, A))

    def gap(feature):  # the positive a minus the single negative n: −τ ∂ℓ/∂z = P_n (y_a − y_n)
        return y[a, feature] - y[n, feature]

    own, others = candidate(p[i]), Differ(a, p[i]) * P[i, a]
    theirs = inner(candidate(a), own) - along(candidate(a)) * along(own)
    rate = total(others, (a, A)) * (inner(own, own) - along(own) ** 2) - total(others * theirs, (a, A))
    widening = inner(across(gap), across(gap))
    pair = log(1 + exp(L[i, n] - L[i, a]))
    one = -exp(L[i, n]) / (exp(L[i, a]) + exp(L[i, n])) * gap(f) / tau
    descent = total(Partial(ell[i], w[i, f]) * -sphere.anchor_gradient(), (f, d))
    square = total((tau * norm[i] * sphere.anchor_gradient()) ** 2, (f, d))
    return {
        "away": counterexample(
            "one negative", _pushed_away, z=UnitRows(rational.rows((5, 0), (4, 3), (0, 5))), b=Base(21, 20)
        ),
        "rate": derive(
            inner(across(pull), own), (DEFINITION, rate), names=(sphere.SOFTMAX,), facts=sphere.FACTS
        ),
        "descent": anchored(descent, (DERIVATIVE, -square / (tau * norm[i]) ** 2)),
        "descent sign": nonnegative(square),
        "pair": derive(Partial(pair, z[i, f]), (DERIVATIVE, one), names=(sphere.LOGITS,), facts=sphere.FACTS),
        "widening": anchored(inner(across(gap), gap), (DEFINITION, widening)),
        "widening sign": nonnegative(widening),
    }


# --- the number of negatives ----------------------------------------------------------------------------

E, S, e = (Symbol(name, positive=True) for name in "ESe")  # e^{s/τ}: positive, all negatives, one more
UNSURE = S / (E + S)  # 1 − P_ip


def unsure_of_the_positive() -> Proof:
    """1 − P_ip in the form S/(E + S) used below."""
    negatives = total(Differ(a, p[i]) * exp(L[i, a]), (a, A))
    return anchored(1 - P[i, p[i]], (DEFINITION, negatives / (exp(L[i, p[i]]) + negatives)))


@claim(
    "D2.5",
    printed="the number of negative samples in InfoNCE is also the more the better",
    verdict=Verdict.NO_THEOREM,
    says="Empirical: «words».",
    right=r"One more negative, whatever it is, raises the loss and what the positive lacks, «unsure». Let"
    r" E, S and e be $e^{s/τ}$ of the positive, of all negatives together and of the new one. $e^ℓ$ is"
    r" multiplied by «more», where «share», and what the positive lacks rises by «gain», where «gain"
    r" sign». And the most that the bound on information can reach, $\log |A|$, grows (P1).",
)
def more_negatives() -> dict[str, Piece]:
    gain = E * e / ((E + S) * (E + S + e))
    return {
        "words": Empirical("“better” has no definition here"),
        "unsure": unsure_of_the_positive(),
        "more": prove((E + S + e) / (E + S), (SUMS, 1 + e / (E + S))),
        "share": positive(e / (E + S)),
        "gain": prove(UNSURE.subs(S, S + e) - UNSURE, (SUMS, gain)),
        "gain sign": positive(gain),
    }


def saturation() -> dict[str, Piece]:
    """With M negatives like one another 1 − P_ip = M/(M + E), E = e^{(s_p − s_n)/τ}; the next one adds less."""
    equal = total(exp(L[i, a]), (m, M))  # M negatives, all with the logit of one; n is the positive
    gap, size = exp(L[i, n] - L[i, a]), M + E
    gain, less = E / (size * (size + 1)), 2 * E / (size * (size + 1) * (size + 2))
    return {
        "equal": derive(equal / (exp(L[i, n]) + equal), (SUMS, M / (M + gap)), facts=sphere.FACTS),
        "room": prove(1 - M / size, (SUMS, E / size)),
        "room sign": positive(E / size),
        "next": prove((M + 1) / (M + 1 + E) - M / size, (SUMS, gain)),
        "next sign": positive(gain),
        "less": prove(gain - E / ((size + 1) * (size + 2)), (SUMS, less)),
        "less sign": positive(less),
    }


@claim(
    "D2.18",
    printed="this shows that the larger the batch size is set in training, the better the effect will be",
    verdict=Verdict.NO_THEOREM,
    says="Empirical: «words»; a coefficient is no measure of quality, and this one saturates.",
    right="With M negatives $a$ at equal similarity and the positive $n$ it is «equal», below 1 as «room» and"
    " «room sign», E being that exponential. A further one adds «next», and the one after it less: the"
    " difference is «less», «less sign».",
)
def larger_batches() -> dict[str, Piece]:
    return {"words": Empirical("“effect” has no definition here"), **saturation()}


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


@claim(
    "D2.17",
    printed=r"$|P_{ip}-1| = \mid\frac{\exp(z_i z_p/\tau)}{\sum_{a\in A}\exp(z_i z_a/\tau)} -1\mid \propto |A|$",
    verdict=Verdict.REFUTED,
    says="The value is «unsure», so that it is below 1 however large A is, and not proportional to its size:"
    " «twice». Of different sets the larger one may even have the smaller value: «smaller».",
    right="With E for $e^{s/τ}$ of the positive and S for the sum over the negatives it is short of 1 by"
    " «room», «room sign». It increases with S, «slope» and «slope sign», and is concave: «bend», «bend"
    " sign». With M negatives $a$ at equal similarity and the positive $n$ it is «equal», and of unit rows"
    " it lies between the two values of this at gaps of $-2/τ$ and $2/τ$ (M23).",
)
def not_proportional() -> dict[str, Piece]:
    slope, bend = E / (E + S) ** 2, 2 * E / (E + S) ** 3
    return {
        "unsure": unsure_of_the_positive(),
        "room": prove(1 - UNSURE, (SUMS, E / (E + S))),
        "room sign": positive(E / (E + S)),
        "slope": prove(Partial(UNSURE, S), (DERIVATIVE, slope)),
        "slope sign": positive(slope),
        "bend": prove(Partial(slope, S), (DERIVATIVE, -bend)),
        "bend sign": positive(bend),
        "equal": saturation()["equal"],
        "twice": counterexample(
            "one negative and three, all as similar as the positive",
            _twice,
            small=_rows((4, 3), (4, -3)),
            large=_rows((4, 3), (4, -3), (4, 3), (4, -3)),
            b=Base(6, 5),
        ),
        "smaller": counterexample(
            "one hard negative, and two easy ones",
            _smaller,
            small=_rows((4, 3), (5, 0)),
            large=_rows((4, 3), (0, 5), (0, -5)),
            b=Base(6, 5),
        ),
    }
