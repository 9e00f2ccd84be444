"""The InfoNCE bound on mutual information: the posterior, the printed proof, and a proof (document D3).

The first candidate x_1 comes with the context c from their joint law; the others come from p(x), apart from it.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod

from sympy import Expr, Integer, exp, log

from ..claims import claim
from ..prover.inequality import LEMMA, Bound, Logs, Sign, Use, bound, lemma, nonnegative
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    C,
    M,
    N,
    W,
    X,
    any_score,
    candidate,
    ell,
    g_of_c,
    i,
    information,
    j,
    joint,
    joint_x,
    joint_y,
    k,
    l,
    log_p_x,
    log_p_x_c,
    loss,
    m,
    n,
    others_law,
    others_weight,
    ratio,
    rest,
    score,
    scores,
    x_given_y,
)
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict
from .information import CELLS, DERIVED, LAW, Law, exact_entropies, expectation, marginals

Score = Callable[[int, int], Fraction]  # f(x, c)

# --- the posterior of the position, and the loss --------------------------------------------------------

POSITIONS = Facts(ranges={i: N, k: N, l: N})
DENSITY_RATIO = Definition(ratio[i], exp(log_p_x_c[i] - log_p_x[i]))


def arrangement(position) -> Expr:
    """p(x_i|c) Π_{l≠i} p(x_l): all candidates, of which that at the position belongs to c."""
    return exp(log_p_x_c[position] + total(Differ(l, position) * log_p_x[l], (l, N)))


@claim(
    "D3.28",
    printed=r"We start from the NCE loss: p(d=i|X,c) = \frac{p(x_i|c) \prod_{l \ne i} p(x_l)}"
    r"{\sum_j p(x_j|c) \prod_{l \ne j} p(x_l)}",
    statement=r"Bayes' rule for the position d of the sample that belongs to c: with d uniform on the N positions,"
    r" x_d drawn from p(x|c) and the others from p(x), the prior 1/N cancels.",
    verdict=Verdict.CORRECTED,
    right="The formula holds; it is a posterior probability, not a loss, and the multi-class one, not NCE's.",
)
def posterior() -> tuple[Proof, Proof]:
    bayes = arrangement(i) / N / total(arrangement(k) / N, (k, N))
    printed = arrangement(i) / total(arrangement(k), (k, N))
    sums_to_one = derive(total(printed, (i, N)), (SUMS, Integer(1)), facts=POSITIONS)
    return derive(bayes, (SUMS, printed), facts=POSITIONS), sums_to_one


@claim(
    "D3.29",
    printed=r"p(d=i|X,c) = \frac{p(x_i|c)/p(x_i)}{\sum_{j=1}^N p(x_j|c)/p(x_j)}",
    statement=r"As printed, for every N: numerator and denominator are divided by \prod_l p(x_l) > 0.",
    verdict=Verdict.PROVED,
)
def posterior_by_ratios() -> Proof:
    printed = arrangement(i) / total(arrangement(k), (k, N))
    by_ratio = ratio[i] / total(ratio[k], (k, N))
    return derive(printed, (DEFINITION, by_ratio), names=(DENSITY_RATIO,), facts=POSITIONS)


ROW = Definition(ell[i], -log(candidate[i] / total(candidate[k], (k, N))))


@claim(
    "D3.30",
    printed=r"\mathcal{L}_N = -E[\log \frac{f_k(x_{t+k}, c_t)}{\sum_{x_j \in X} f_k(x_j, c_t)}]",
    statement="A definition, for any f > 0: the N terms of the sum hold the positive, so each quotient is a"
    " probability, they sum to 1 over the positions, and the loss is not negative. The mean is over X and c.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=LEMMA,
)
def loss_is_not_negative() -> tuple[Proof, Bound, Sign]:
    quotient = candidate[i] / total(candidate[k], (k, N))
    others = total(Differ(l, i) * candidate[l], (l, N)) / total(candidate[k], (k, N))
    return (
        derive(total(quotient, (i, N)), (SUMS, Integer(1)), facts=POSITIONS),
        bound(-ell[i], Use(Integer(1), quotient), last=-others, names=(ROW,), facts=POSITIONS),
        nonnegative(others),
    )


@claim(
    "D3.31",
    printed=r"where f_k \propto \frac{p(x_{t+k}|c_t)}{p(x_{t+k})}",
    statement="Not part of the definition, which takes any f > 0: it is the minimiser. Given X and c the"
    " cross-entropy of the posterior against f's softmax is least where the two agree (Gibbs).",
    verdict=Verdict.CORRECTED,
    right=r"\mathcal{L}_N is least at f = g(c) p(x|c)/p(x), with any g(c) > 0; a factor that depends on x is no"
    " minimiser.",
)
def minimiser() -> tuple[Proof | Bound | Counterexample, ...]:
    belief, guess = (r[i] / total(r[k], (k, N)) for r in (ratio, candidate))
    excess = total(belief * log(belief / guess), (i, N))  # cross-entropy − entropy
    least = bound(-excess, Use(belief, guess / belief, ((i, N),)), last=Integer(0), facts=POSITIONS)
    scaled = Definition(candidate[i], g_of_c * ratio[i])
    agrees = derive(guess, (DEFINITION, belief), names=(scaled,), facts=POSITIONS)
    true = (Fraction(2, 3), Fraction(1, 3))
    wrong = (Fraction(1, 2), Fraction(1, 2))  # the ratios 2 and 1, times the factors 1 and 2
    entropy = sum((Logs.of(p, -p) for p in true), Logs())
    cross = sum((Logs.of(q, -p) for p, q in zip(true, wrong, strict=True)), Logs())
    costs = counterexample(
        "density ratios 2 and 1, scored 2·1 and 1·2: the factor that depends on x costs",
        holds=(cross - entropy).sign > 0,
        numbers={"least loss": entropy, "loss": cross},
    )
    return *lemma(), least, agrees, costs


# --- the printed proof, line by line --------------------------------------------------------------------

FACTS = Facts(ranges={i: X, j: C, k: X, l: C, m: W, n: W})
BEST = x_given_y[i, j] / joint_x[i]  # p(x|c)/p(x)
NAMES = (LAW, *DERIVED, Definition(others_law[m], others_weight[m] / total(others_weight[n], (n, W))))


def loss_of(law: Law, f: Score, size: int) -> Logs:
    """𝓛_N of a law of fractions, by enumeration of x_1, c and every x_2, …, x_N."""
    p_x, _ = marginals(law)
    total_loss = Logs()
    for (x, c), p in law.items():
        for others in product(p_x, repeat=size - 1):
            quotient = f(x, c) / (f(x, c) + sum(f(other, c) for other in others))
            total_loss += Logs.of(quotient, -p * prod(p_x[other] for other in others))
    return total_loss


def density_ratio(law: Law) -> Score:
    p_x, p_c = marginals(law)
    return lambda x, c: law.get((x, c), Fraction(0)) / (p_x[x] * p_c[c])


FAIR_BIT = {(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)}  # x = c: I = log 2


@claim(
    "D3.33a",
    printed=r"\mathcal{L}_N^{opt} = -E \log \frac{\frac{p(x|c)}{p(x)}}{\frac{p(x|c)}{p(x)} + \sum_{x_j \in X_{neg}}"
    r" \frac{p(x_j|c)}{p(x_j)}} = E \log [1 + \frac{p(x)}{p(x|c)} \sum_{x_j \in X_{neg}} \frac{p(x_j|c)}{p(x_j)}]",
    statement="As printed, inside the expectation and for every N.",
    verdict=Verdict.PROVED,
)
def first_line() -> Proof:
    negatives = total(Differ(l, i) * ratio[l], (l, N))
    quotient = ratio[i] / (ratio[i] + negatives)
    return derive(-log(quotient), (SUMS, log(1 + negatives / ratio[i])), facts=POSITIONS)


@claim(
    "D3.33b",
    printed=r"\approx E \log [1 + \frac{p(x)}{p(x|c)} (N-1) E_{x_j} \frac{p(x_j|c)}{p(x_j)}]",
    statement=r"Jensen: E \log(1 + aS) \le \log(1 + a E S), so the step goes up; the proof needs one down.",
    verdict=Verdict.REFUTED,
    right=r"\mathcal{L}^{opt} is at most the new line. Were \approx a \ge, the next step would give"
    r" \mathcal{L}^{opt} \ge \log N - (1 - 1/N) I, which is false. The bound itself needs another proof: P1.",
)
def replaced_by_the_mean() -> tuple[Bound, Counterexample, Counterexample]:
    a = 1 / score[i, j]  # of one x and c
    mean = 1 + a * total(others_law[m] * rest[j, m], (m, W))
    inside = total(others_law[m] * log(1 + a * rest[j, m]), (m, W)) - log(mean)
    use = Use(others_law[m], 1 + a * rest[j, m], ((m, W),), bottom=mean)
    jensen = bound(inside, use, last=Integer(0), names=NAMES, facts=FACTS)
    size, (mutual, _, _) = 3, exact_entropies(FAIR_BIT)
    best = loss_of(FAIR_BIT, density_ratio(FAIR_BIT), size)
    surrogate = Logs.of(1 + Fraction(size - 1, 2))  # p(x)/p(x|c) = 1/2 throughout
    claimed = Logs.of(size) - mutual * Fraction(size - 1, size)
    left, right = (claimed - best).sides()
    above = counterexample(
        "x = c a fair bit, N = 3: the printed line is above the optimal loss",
        holds=(surrogate - best).sign > 0,
        numbers={"optimal loss": best, "printed line": surrogate, "I": mutual},
    )
    false = counterexample(
        "so that it bounds nothing from below: with it the optimal loss would be at least the first number",
        holds=left > right,
        numbers={
            "log N − (1 − 1/N) I": claimed,
            "optimal loss": best,
            "the difference has the sign of": f"{left} − {right}",
        },
    )
    return jensen, above, false


@claim(
    "D3.33c",
    printed=r"E_{x_j} \frac{p(x_j|c)}{p(x_j)} = 1",
    statement="As printed, x_j being drawn from p(x), wherever p(x) = 0 implies p(x|c) = 0; the same of every c.",
    verdict=Verdict.PROVED,
)
def ratio_has_mean_one() -> Proof:
    return derive(total(joint_x[i] * BEST, (i, X)), (DEFINITION, Integer(1)), names=NAMES, facts=FACTS)


@claim(
    "D3.33d",
    printed=r"E \log [1 + \frac{p(x)}{p(x|c)} (N-1)] \ge E \log [\frac{p(x)}{p(x|c)} N]",
    statement=r"With u = p(x)/p(x|c): 1 + u(N-1) - uN = 1 - u, so that the step is false wherever u > 1; yet it"
    r" holds in expectation, for every N and every law.",
    verdict=Verdict.CORRECTED,
    right=r"E \log \frac{1 + u(N-1)}{uN} \ge \frac{1}{N} E \log \frac{1}{u} = \frac{I}{N} \ge 0: the logarithm is"
    r" concave, and (1 + u(N-1))/(uN) is a mean of 1/u and 1.",
)
def step_down_in_expectation() -> tuple[Proof | Bound | Counterexample, ...]:
    u, size = 1 / score[i, j], M + 1
    pointwise = derive(1 + u * (size - 1) - u * size, (SUMS, 1 - u), facts=FACTS)
    law = {(0, 0): Fraction(1, 8), (0, 1): Fraction(3, 8), (1, 0): Fraction(3, 8), (1, 1): Fraction(1, 8)}
    unlikely = 1 / density_ratio(law)(0, 0)  # u = 2
    left, right = Logs.of(1 + unlikely), Logs.of(2 * unlikely)
    false = counterexample(
        "p(x) = 1/2 and p(x|c) = 1/4, N = 2: at this x and c the printed step is false",
        holds=(right - left).sign > 0,
        numbers={"left": left, "right": right},
    )
    inverse, mean = (
        score[i, j],
        (score[i, j] + M) / size,
    )  # 1/u, and (1 + u(N − 1))/(uN) as a mean of 1/u and 1
    uses = (Use(1 / size, inverse, bottom=mean), Use(M / size, Integer(1), bottom=mean))
    concave = bound(log(inverse) / size - log(mean), *uses, last=Integer(0), facts=FACTS)
    as_mean = derive((1 + u * M) / (u * size), (SUMS, mean), facts=FACTS)
    gain = derive(expectation(log(BEST)) / N, (DEFINITION, information / N), names=NAMES, facts=FACTS)
    return pointwise, false, as_mean, concave, gain


@claim(
    "D3.33e",
    printed=r"E \log [\frac{p(x)}{p(x|c)} N] = -I(x, c) + \log N",
    statement="As printed.",
    verdict=Verdict.PROVED,
)
def last_line() -> Proof:
    return derive(expectation(log(N / BEST)), (DEFINITION, log(N) - information), names=NAMES, facts=FACTS)


# --- a proof --------------------------------------------------------------------------------------------

OUTCOMES = ((m, W), *CELLS)  # of x_1, c and all the others at once
LOSS = Definition(loss, -total(joint[i, j] * others_law[m] * log(score[i, j] / scores[i, j, m]), *OUTCOMES))
# E_Q of the positive's share of the scores, all N candidates drawn apart from c
SHARE = total(joint_x[i] * joint_y[j] * others_law[m] * score[i, j] / scores[i, j, m], *OUTCOMES)


def below_the_share() -> Bound:
    """log N − 𝓛 − I ≤ N E_Q[f(x_1, c)/Σ f] − 1, for any f > 0: log x ≤ x − 1 at x = N f/Σf · p(x)p(c)/p(x, c)."""
    independent = joint_x[i] * joint_y[j] / joint[i, j]
    use = Use(joint[i, j] * others_law[m], N * score[i, j] / scores[i, j, m] * independent, OUTCOMES)
    return bound(log(N) - loss - information, use, last=N * SHARE - 1, names=(*NAMES, LOSS), facts=FACTS)


def exchange() -> Proof:
    """Under Q the shares of x_1 = i and of another candidate x_l = k are alike: Q and Σ f stay as they are when
    the two change places. The other N − 2 enter by their law and by the sum of their scores, σ; ψ is any
    function, the score f among them."""
    law = joint_x[i] * joint_x[k] * joint_y[j] * others_law[m]
    both = score[i, j] + score[k, j] + rest[j, m]
    over = ((m, W), (j, C), (k, X), (i, X))
    first, other = (total(law * any_score[x, j] / both, *over) for x in (i, k))
    return derive(first, (SUMS, other), facts=FACTS)


def shares_sum_to_one() -> Proof:
    """The shares of all N candidates sum to 1, in each of the outcomes m and so under their law."""
    share = total(others_law[m] * score[m, i] / total(score[m, k], (k, N)), (m, W))
    facts = Facts(ranges={i: N, k: N, m: W, n: W})
    return derive(total(share, (i, N)), (DEFINITION, Integer(1)), names=NAMES, facts=facts)


JOINT = {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 6), (1, 0): Fraction(1, 12), (1, 1): Fraction(1, 4)}


def _some_score(x: int, c: int) -> Fraction:
    return Fraction(3 if x == c else 1, 1 + x)


def enumerated() -> Counterexample:
    """The bound on one law, for N = 2, 3, 4, the best f and another: exact signs."""
    mutual = exact_entropies(JOINT)[0]
    numbers: dict[str, object] = {"I": mutual}
    holds = True
    for size in (2, 3, 4):
        for name, f in (("best f", density_ratio(JOINT)), ("another f", _some_score)):
            below = Logs.of(size) - loss_of(JOINT, f, size)
            holds &= (mutual - below).sign > 0 and mean_share(JOINT, f, size) == Fraction(1, size)
            numbers[f"log {size} − 𝓛, {name}"] = f"{float(below):.6f}"
    return counterexample(
        "enumerated in fractions, with exact signs: log N − 𝓛 < I, and E_Q[share] = 1/N", holds, numbers
    )


def mean_share(law: Law, f: Score, size: int) -> Fraction:
    """E_Q[f(x_1, c)/Σ f], by enumeration."""
    p_x, p_c = marginals(law)
    mean = Fraction(0)
    for c, p in p_c.items():
        for xs in product(p_x, repeat=size):
            mean += p * prod(p_x[x] for x in xs) * f(xs[0], c) / sum(f(x, c) for x in xs)
    return mean


@claim(
    "D3.32",
    printed=r"I(x_{t+k}, c_t) \ge \log N - \mathcal{L}_N",
    statement="As printed, for every f > 0, where N counts the terms of the denominator, the positive among them.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=LEMMA,
)
@claim(
    "P1",
    printed="",
    statement=r"(x_1, c) \sim p(x, c), x_2 \dots x_N independent from p(x), any f > 0: with the share"
    r" f(x_1, c) / \sum_j f(x_j, c) and Q = p(c) \prod_l p(x_l), (1) \log N - \mathcal{L} - I \le N E_Q[share] - 1;"
    r" (2) under Q all N candidates have the same mean share; (3) the shares sum to 1. Hence E_Q[share] = 1/N and"
    r" I \ge \log N - \mathcal{L}. As \mathcal{L} \ge 0 the bound never passes \log N.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=LEMMA,
)
def proof() -> tuple[Proof | Bound | Sign | Counterexample, ...]:
    return *lemma(), below_the_share(), exchange(), shares_sum_to_one(), *loss_is_not_negative(), enumerated()
