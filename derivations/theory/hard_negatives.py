"""Which samples an anchor learns from: what document D2 concludes from its gradient, and what follows from it.

The similarity of the unit anchor with one candidate is s, the others held fixed: P(s) = e^{s/τ}/(e^{s/τ} + R).
"""

from collections.abc import Sequence
from fractions import Fraction

from sympy import Expr, Symbol, exp, sqrt

from .. import sphere
from ..claims import claim
from ..prover import rational
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import A, L, M, P, a, d, ell, f, g, i, m, n, norm, p, tau, w, y, z
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict

FACTS = Facts()
similarity, rest = Symbol("s", real=True), Symbol("R", positive=True)
SHARE = exp(similarity / tau) / (exp(similarity / tau) + rest)  # P of the candidate
SINE = sqrt(1 - similarity**2)  # ‖(I − zzᵀ) z_a‖ of a unit candidate [D2.14]


def prove(first: Expr, *steps) -> Proof:
    return derive(first, *steps, facts=FACTS)


def anchored(first: Expr, *steps) -> Proof:
    """About a unit anchor z_i before candidates y_a of any length."""
    return derive(first, *steps, names=sphere.NAMES, facts=sphere.FACTS)


def shares(b: Fraction, *similarities: Fraction) -> list[Fraction]:
    """The softmax over all candidates; e^{1/(25τ)} = b."""
    weights = [rational.exp(x, b) for x in similarities]
    return [weight / sum(weights) for weight in weights]


# cosine: sine, of unit rows of fractions
SINES = {Fraction(24, 25): Fraction(7, 25), Fraction(4, 5): Fraction(3, 5), Fraction(0): Fraction(1)}


def pushes(b: Fraction, *negatives: Fraction) -> list[Fraction]:
    """P_n √(1 − s_n²) of each negative, beside a positive at s = 0: what it adds to the gradient, times"
    " τ‖w‖."""
    _, *P_n = shares(b, Fraction(0), *negatives)
    return [P * SINES[s] for P, s in zip(P_n, negatives, strict=True)]


WARM, COLD = Fraction(6, 5), Fraction(2)  # b = e^{1/(25τ)}: τ = 0.22 and 0.058
HARDER, HARD = Fraction(24, 25), Fraction(4, 5)


# --- the negatives --------------------------------------------------------------------------------------


def weights_of_negatives() -> tuple[Proof, Proof, Proof]:
    """r_n = P_in/(1 − P_ip), the softmax of the negatives alone; no line uses unit length."""
    others = total(Differ(m, p[i]) * P[i, m], (m, A))
    softmax = exp(L[i, a]) / total(Differ(m, p[i]) * exp(L[i, m]), (m, A))
    names, facts = (sphere.SOFTMAX,), sphere.FACTS
    quotient = (P[i, a] / others) / (P[i, n] / others)
    return (
        derive(1 - P[i, p[i]], (DEFINITION, others), names=names, facts=facts),
        derive(P[i, a] / others, (DEFINITION, softmax), names=names, facts=facts),
        derive(quotient, (DEFINITION, exp(L[i, a] - L[i, n])), names=names, facts=facts),
    )


def threshold() -> tuple[Proof | Sign, ...]:
    """c′ has the sign of (1 − P)/τ − s/(1 − s²), > 0 for s ≤ 0; on 0 ≤ s < 1 the first falls, the second climbs
    from 0 to ∞: they cross once, at s*."""
    contribution = SHARE * SINE / tau
    against = similarity / (1 - similarity**2)
    slope = SHARE * SINE * ((1 - SHARE) / tau - against) / tau
    fall = SHARE * rest / (exp(similarity / tau) + rest) / tau**2
    climb = (1 + similarity**2) / (1 - similarity**2) ** 2
    return (
        prove(Partial(contribution, similarity), (DERIVATIVE, slope)),
        prove(Partial((1 - SHARE) / tau, similarity), (DERIVATIVE, -fall)),
        nonnegative(fall),
        prove(Partial(against, similarity), (DERIVATIVE, climb)),
    )


@claim(
    "M15",
    printed="",
    statement=r"Hardness weights: r_n = P_{in}/(1 - P_{ip}) is the softmax over the negatives alone, and"
    r" r_n/r_m = e^{(s_n - s_m)/\tau}. What a negative adds along the sphere, P(s) \sqrt{1 - s^2}/\tau,"
    r" climbs up"
    r" to one s^* in (0, 1), where s/(1 - s^2) = (1 - P(s))/\tau, and falls to 0 beyond.",
    verdict=Verdict.PROVED,
)
def hardness() -> tuple[Proof | Sign, ...]:
    return *weights_of_negatives(), *threshold()


@claim(
    "D2.4",
    printed="InfoNCE with feature normalisation gives the model the ability to mine hard negative samples"
    " by itself",
    statement=r"Eq. 8, from which this is concluded, is about the positive. For a negative the same factor is"
    r" \sqrt{1 - s_{in}^2}, which goes to 0 at the hardest ones, s \to 1: normalisation weakens them.",
    verdict=Verdict.REFUTED,
    right=r"Hard negatives weigh more by the softmax, with or without normalisation: r_n/r_m = e^{(s_n -"
    r" s_m)/\tau},"
    r" r_n = P_{in}/(1 - P_{ip}). With normalisation P(s) \sqrt{1 - s^2}/\tau climbs up to one s^* in (0,"
    r" 1) only.",
)
def normalisation_weakens_the_hardest() -> tuple[Proof | Sign | Counterexample, ...]:
    harder, hard = pushes(WARM, HARDER, HARD)
    return (
        sphere.length_of_the_tangent_part(),
        *hardness(),
        counterexample(
            "unit rows, e^{1/(25τ)} = 6/5 (τ = 0.22), a positive at s = 0: the harder negative pushes less",
            harder < hard,
            {"P √(1 − s²) at s = 24/25": f"{float(harder):.6f}", "at s = 4/5": f"{float(hard):.6f}"},
        ),
    )


@claim(
    "D2.16",
    printed="so normalised features let the model mine hard negatives by itself: samples of high similarity"
    " do not"
    " help the gradient much",
    statement="The sentence contradicts itself: the negatives of high similarity are the hard ones. As the"
    " softmax"
    " is cold, one of them outweighs an easy one by far, in spite of normalisation.",
    verdict=Verdict.REFUTED,
    right=r"It is the easy positive that helps little: its coefficient (1 - P_{ip}) \sqrt{1 -"
    r" s_{ip}^2}/(\tau \|w\|)"
    r" goes to 0 as s_{ip} \to 1. Hard negatives are favoured by the softmax, r_n/r_m = e^{(s_n -"
    r" s_m)/\tau}.",
)
def similar_negatives_help_most() -> tuple[Proof | Counterexample, ...]:
    similar, easy = pushes(COLD, HARD, Fraction(0))
    return (
        sphere.coefficient_of_the_positive(),
        *easy_positive(),
        *weights_of_negatives(),
        counterexample(
            "unit rows, e^{1/(25τ)} = 2 (τ = 0.058), a positive at s = 0: the similar negative pushes more",
            similar > easy,
            {"P √(1 − s²) at s = 4/5": f"{float(similar):.6f}", "at s = 0": f"{float(easy):.6g}"},
        ),
    )


# --- the positive ---------------------------------------------------------------------------------------


@claim(
    "D2.15a",
    printed=r"if z_i^T z_p \approx 1, this coefficient goes to 0, and the positive hardly contributes to"
    r" the gradient",
    statement=r"\|(I - z_i z_i^T) z_p\| = \sqrt{1 - s^2}, and at s = 1 - \varepsilon it is"
    r" \sqrt{\varepsilon (2 -"
    r" \varepsilon)}, which goes to 0 with \varepsilon.",
    verdict=Verdict.PROVED,
)
def easy_positive() -> tuple[Proof, Proof]:
    short = Symbol("ε", nonnegative=True)
    return sphere.length_of_the_tangent_part(), prove(1 - (1 - short) ** 2, (SUMS, short * (2 - short)))


@claim(
    "D2.15b",
    printed="if the similarity with the positive is not high, this coefficient tends to 1 and does more for"
    " training",
    statement=r"\sqrt{1 - s^2} has the slope -s/\sqrt{1 - s^2}: it climbs up to 1 at s = 0, and falls on"
    r" both sides.",
    verdict=Verdict.CORRECTED,
    right=r"It tends to 1 as s \to 0 only. At s \to -1 it goes to 0 again: the hardest positive gets no"
    r" gradient;"
    r" (1 - P_{ip}) \sqrt{1 - s^2} climbs and falls too.",
)
def hardest_positive() -> tuple[Proof, Counterexample]:
    whole = []
    for s in (-HARDER, Fraction(0), HARDER):
        P_p, _ = shares(COLD, s, Fraction(0))  # one negative, at s = 0
        whole.append((1 - P_p) * SINES[abs(s)])
    return (
        prove(Partial(SINE, similarity), (DERIVATIVE, -similarity / SINE)),
        counterexample(
            "a negative at s = 0, e^{1/(25τ)} = 2: a positive at s = 0 gets more gradient than one at ∓24/25",
            whole[0] < whole[1] > whole[2],
            {
                f"(1 − P) √(1 − s²) at s = {s}": f"{float(x):.6g}"
                for s, x in zip(("−24/25", 0, "24/25"), whole, strict=True)
            },
        ),
    )


@claim(
    "D2.4b",
    printed="(implied) a step against the gradient raises the similarity of the positive, lowers that of a"
    " negative",
    statement=r"Along -\nabla, \|w\| = 1: ds_p/dt = \frac{1}{\tau} [(1 - P_{ip})(\|z_p\|^2 - s_p^2)"
    r" - \sum_n P_{in} (z_n \cdot z_p - s_n s_p)], which may be negative: a negative beyond the positive"
    r" pushes the"
    " anchor away from both.",
    verdict=Verdict.REFUTED,
    right=r"Always d\ell_i/dt = -\|\nabla\|^2 \le 0; and with one negative s_p - s_n never falls.",
)
def positive_pushed_away() -> tuple[Proof | Sign | Counterexample, ...]:
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

    def gap(feature):  # the positive a less the one negative n: −τ ∂ℓ/∂z = P_n (y_a − y_n)
        return y[a, feature] - y[n, feature]

    positive, negative = candidate(p[i]), Differ(a, p[i]) * P[i, a]
    own = total(negative, (a, A)) * (inner(positive, positive) - along(positive) ** 2)
    theirs = inner(candidate(a), positive) - along(candidate(a)) * along(positive)
    rate = own - total(negative * theirs, (a, A))
    widening = inner(across(gap), across(gap))
    descent = total(Partial(ell[i], w[i, f]) * -sphere.anchor_gradient(), (f, d))
    square = total((tau * norm[i] * sphere.anchor_gradient()) ** 2, (f, d))
    z_i, z_p, z_n = rational.rows((5, 0), (4, 3), (0, 5))
    away = rational.dot(rational.tangent(z_i, [x - x_n for x, x_n in zip(z_p, z_n, strict=True)]), z_p)
    return (
        derive(
            inner(across(pull), positive), (DEFINITION, rate), names=(sphere.SOFTMAX,), facts=sphere.FACTS
        ),
        counterexample(
            "z = (1, 0), z_p = (4/5, 3/5), one negative (0, 1): s_p falls, at every temperature",
            away < 0,
            {"ds_p/dt · τ/P_in": away},
        ),
        anchored(descent, (DERIVATIVE, -square / (tau * norm[i]) ** 2)),
        nonnegative(square),
        anchored(inner(across(gap), gap), (DEFINITION, widening)),
        nonnegative(widening),
    )


# --- the number of negatives ----------------------------------------------------------------------------

E, S, e = (Symbol(name, positive=True) for name in "ESe")  # e^{s/τ}: positive, all negatives, one more
UNSURE = S / (E + S)  # 1 − P_ip


def one_more() -> tuple[Proof | Sign, ...]:
    """e^ℓ is multiplied by 1 + e/(E + S) > 1, and 1 − P_ip grows by E e/((E + S)(E + S + e))."""
    gain = E * e / ((E + S) * (E + S + e))
    return (
        prove((E + S + e) / E, (SUMS, (E + S) / E * (1 + e / (E + S)))),
        prove(UNSURE.subs(S, S + e) - UNSURE, (SUMS, gain)),
        nonnegative(gain),
    )


@claim(
    "D2.5",
    printed="in InfoNCE more negatives are always better",
    statement=r"Empirical: no theorem. Provable: one more negative, whatever it is, raises \ell_i by"
    r" \log(1 + e/(E + S)) > 0 and 1 - P_{ip} as well, E, S and e being the e^{s/\tau} of the positive, of"
    r" all"
    r" negatives, and of the new one; and the most that the bound on information can reach, \log |A|, grows"
    r" (P1).",
    verdict=Verdict.NO_THEOREM,
)
def more_negatives() -> tuple[Proof | Sign, ...]:
    return one_more()


def saturation() -> tuple[Proof | Sign, ...]:
    """With M negatives like one another 1 − P_ip = M/(M + E), E = e^{(s_p − s_n)/τ}; the next one adds"
    " less."""
    size = M + E
    gain = E / (size * (size + 1))
    return (
        prove(1 - M / size, (SUMS, E / size)),
        nonnegative(E / size),
        prove((M + 1) / (M + 1 + E) - M / size, (SUMS, gain)),
        prove(gain - E / ((size + 1) * (size + 2)), (SUMS, 2 * E / (size * (size + 1) * (size + 2)))),
    )


@claim(
    "D2.18",
    printed="this shows that the larger the batch size of training, the better the effect",
    statement=r"Empirical: no theorem; a coefficient is no measure of quality, and this one saturates."
    r" Provable:"
    r" with M negatives at equal similarity 1 - P_{ip} = M/(M + E) < 1, E = e^{(s_p - s_n)/\tau}, and each"
    r" further one adds"
    r" less, E/((M + E)(M + 1 + E)).",
    verdict=Verdict.NO_THEOREM,
)
def larger_batches() -> tuple[Proof | Sign, ...]:
    return saturation()


def unsure(positive: Fraction, negatives: Sequence[Fraction], b: Fraction = COLD) -> Fraction:
    """|P_ip − 1|."""
    return abs(shares(b, positive, *negatives)[0] - 1)


@claim(
    "D2.17",
    printed=r"|P_{ip} - 1| = |\frac{\exp(z_i z_p/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - 1| \propto |A|",
    statement=r"1 - P_{ip} = S/(E + S) < 1, with E = e^{s_p/\tau} and S the sum over the negatives:"
    r" bounded, so"
    r" it is not proportional to |A|; of different sets the larger one may even have the smaller value.",
    verdict=Verdict.REFUTED,
    right=r"It increases with S and is concave: slopes E/(E + S)^2 > 0 and -2E/(E + S)^3 < 0. M = |A| - 1"
    r" negatives at"
    r" equal similarity: M/(M + e^{(s_p - s_n)/\tau}). Unit rows: M/(M + e^{2/\tau}) \le 1 - P_{ip} \le"
    r" M/(M + e^{-2/\tau}), since |s_n - s_p| \le 2 (M23).",
)
def not_proportional() -> tuple[Proof | Sign | Counterexample, ...]:
    names, facts = (sphere.SOFTMAX,), sphere.FACTS
    negatives = total(Differ(a, p[i]) * exp(L[i, a]), (a, A))
    slope, bend = E / (E + S) ** 2, 2 * E / (E + S) ** 3
    equal = total(exp(L[i, a]), (m, M))  # M negatives, all with the logit of one
    near, zero, far = Fraction(1, 25), Fraction(0), Fraction(-1, 25)
    one, three = unsure(near, [zero]), unsure(near, [zero] * 3)
    small, large = unsure(zero, [near]), unsure(near, [far] * 2)
    return (
        derive(
            1 - P[i, p[i]], (DEFINITION, negatives / (exp(L[i, p[i]]) + negatives)), names=names, facts=facts
        ),
        prove(Partial(UNSURE, S), (DERIVATIVE, slope)),
        nonnegative(slope),
        prove(Partial(slope, S), (DERIVATIVE, -bend)),
        nonnegative(bend),
        derive(equal / (exp(L[i, n]) + equal), (SUMS, M / (M + exp(L[i, n] - L[i, a]))), facts=facts),
        *saturation(),
        counterexample(
            "e^{(s_p − s_n)/τ} = 2, |A| = 2 and 4: twice as many candidates, not twice the value",
            three != 2 * one and three < 1,
            {"|P − 1| with 1 negative": one, "with 3": three},
        ),
        counterexample(
            "e^{s_n/τ}/e^{s_p/τ} = 2 once, and 1/4 twice: three candidates have the smaller value",
            large < small,
            {"|A| = 2": small, "|A| = 3": large},
        ),
    )
