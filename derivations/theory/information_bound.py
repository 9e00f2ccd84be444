"""The InfoNCE bound on mutual information: the posterior, the printed proof, and a proof (document D3).

A list is a context with N candidates, each drawn independently of it. The positive stands at each of the N places
with equal probability, and there it is drawn with the context from p(x, c): a draw is a list and such a
place.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

from sympy import Expr, Integer, exp, log, sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, counterexample, example, misprint
from ..evidence.points import Law, Numbers, Rows
from ..evidence.verdicts import Verdict
from ..prover.inequality import Logs, Use, bound, nonnegative
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    D,
    M,
    N,
    V,
    W,
    X,
    a,
    absent,
    all_scores,
    any_ratio,
    apart,
    c_of,
    candidate,
    density,
    density_weight,
    draw_law,
    drawn,
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
    list_scores,
    log_p_x,
    loss,
    loss_apart,
    m,
    mean_share,
    n,
    of_one,
    of_places,
    others_law,
    others_score,
    others_weight,
    p_x_c,
    pair,
    pair_apart,
    pair_law,
    ratio,
    rest,
    score,
    scores,
    value_score,
    x_given_y,
    x_of,
)
from .information import (
    ABSENT,
    FACTS,
    INFORMATION,
    LAW,
    NAMES,
    OUTSIDE,
    POSITIVE,
    exact_entropies,
    expectation,
    marginals,
    outside,
)

Cells = Mapping[tuple[int, ...], Fraction]  # (x, c) → probability
Score = Callable[[int, int], Fraction]  # f(x, c)

# --- the posterior of the place, and the loss -----------------------------------------------------------

PLACES = Facts(ranges={i: N, k: N, l: N})
RATIO = Definition(any_ratio[i], p_x_c[i] / exp(log_p_x[i]))


def arrangement(place: Expr) -> Expr:
    """p(x_i|c) Π_{l≠i} p(x_l): the probability of all candidates if the one at the place belongs to c."""
    return p_x_c[place] * exp(total(Differ(l, place) * log_p_x[l], (l, N)))


POSTERIOR = arrangement(i) / total(arrangement(k), (k, N))


@claim(
    "D3.28",
    printed=r"We start from the NCE loss: $p(d=i|X,c_t) = \frac{p(x_i|c_t) \prod_{l \neq i} p(x_l)}"
    r"{\sum_{j=1}^{N} p(x_j|c_t) \prod_{l \neq j} p(x_l)}$",
    verdict=Verdict.CORRECTED,
    says="It is no loss, but a probability, and not that of NCE, which asks of each sample alone whether it is a"
    " datum: «binary».",
    right="«bayes»: Bayes' rule for the place of the positive, drawn from p(x|c) at any of the N places, all as"
    " likely, with the others from p(x). It is a law: «law».",
)
def posterior() -> dict[str, Piece]:
    def first(ratios) -> Finding:
        among_all, alone = ratios[0] / sum(ratios), ratios[0] / (ratios[0] + 1)
        return Finding(among_all, "≠", alone, ("the printed formula", "NCE's posterior, one noise sample"))

    bayes = arrangement(i) / N / total(arrangement(k) / N, (k, N))
    return {
        "binary": misprint(
            "two candidates, by their p(x|c)/p(x), and the first of them", first, ratios=Numbers([2, 3])
        ),
        "bayes": derive(bayes, (SUMS, POSTERIOR), facts=PLACES),
        "law": derive(total(POSTERIOR, (i, N)), (SUMS, Integer(1)), facts=PLACES),
    }


@claim(
    "D3.29",
    printed=r"$p(d=i|X,c_t) = \frac{\frac{p(x_i|c_t)}{p(x_i)}}{\sum_{j=1}^{N} \frac{p(x_j|c_t)}{p(x_j)}}$",
    verdict=Verdict.PROVED,
    says="«ratios», where «ratios.where r′»: above and below are divided by the product of all p(x), none of"
    " which is 0. A candidate may be impossible in the context, though not all of them.",
)
def posterior_by_ratios() -> dict[str, Piece]:
    by_ratio = any_ratio[i] / total(any_ratio[k], (k, N))
    return {"ratios": derive(POSTERIOR, (DEFINITION, by_ratio), names=(RATIO,), facts=PLACES)}


ROW = Definition(ell[i], -log(candidate[i] / total(candidate[k], (k, N))))


@claim(
    "D3.30",
    printed=r"$\mathcal{L}_{\mathrm{N}} = -\mathbb{E}\left[\log \frac{f_k(x_{t+k}, c_t)}"
    r"{\sum_{x_j \in X} f_k(x_j, c_t)}\right]$",
    verdict=Verdict.DEFINITION,
    says="«row» for one list, in the mean over X and c, for any score that is positive. The positive is among"
    " the N terms of the sum, so that the quotients are a law of its place, «law», and the loss is never"
    " negative: «negative».",
)
def loss_is_not_negative() -> dict[str, Piece]:
    quotient = candidate[i] / total(candidate[k], (k, N))
    others = total(Differ(l, i) * candidate[l], (l, N)) / total(candidate[k], (k, N))
    below = bound(-ell[i], Use(Integer(1), quotient), last=-others, names=(ROW,), facts=PLACES)
    return {
        "row": ROW,
        "law": derive(total(quotient, (i, N)), (SUMS, Integer(1)), facts=PLACES),
        "negative": Chain((below, nonnegative(others)), both=ell[i]),
    }


@claim(
    "D3.31",
    printed=r"where $f_k(x_{t+k}, c_t) \propto \frac{p(x_{t+k}|c_t)}{p(x_{t+k})}$",
    verdict=Verdict.CORRECTED,
    says="No part of the definition, which takes any positive score, but of the best one; and the factor left"
    " out may not depend on x: «costs».",
    right="Given a list whose candidates all may belong to c, the posterior's entropy less its cross-entropy"
    " with the scores is at most minus a sum of squares: «least», «squares». So the loss is least where each"
    " square is 0, and only there: then «quotient» is 1 for every candidate, and the score is the density ratio"
    " times «quotient.where γ», one factor for all x that meet in a list, and so a function of c. All these"
    " scores are best: «agrees».",
)
def minimiser() -> dict[str, Piece]:
    def losses(ratios, factors) -> Finding:
        scored = [r * factor for r, factor in zip(ratios, factors, strict=True)]
        least, cost = (
            sum((Logs.of(s / sum(by), -r / sum(ratios)) for s, r in zip(by, ratios, strict=True)), Logs())
            for by in (ratios, scored)
        )
        return Finding(least, "<", cost, ("the least loss", "the loss"))

    belief, guess = (r[i] / total(r[k], (k, N)) for r in (ratio, candidate))
    excess = total(belief * log(belief / guess), (i, N))  # cross-entropy − entropy
    squares = total((sqrt(belief) - sqrt(guess)) ** 2, (i, N))
    use = Use(2 * belief, sqrt(guess / belief), ((i, N),))
    factor = Definition(g_of_c, total(candidate[k], (k, N)) / total(ratio[k], (k, N)))
    scaled = Definition(candidate[i], g_of_c * ratio[i])
    return {
        "costs": misprint(
            "density ratios, and a factor for each", losses, ratios=Numbers([2, 1]), factors=Numbers([1, 2])
        ),
        "least": bound(-excess, use, last=-squares, facts=PLACES),
        "squares": nonnegative(squares),
        "quotient": derive(
            guess / belief, (DEFINITION, candidate[i] / (g_of_c * ratio[i])), names=(factor,), facts=PLACES
        ),
        "agrees": derive(guess, (DEFINITION, belief), names=(scaled,), facts=PLACES),
    }


# --- the printed proof, line by line --------------------------------------------------------------------

BEST = x_given_y[i] / joint_x[i]  # p(x|c)/p(x)
LISTS = Definition(others_law[m], others_weight[m] / total(others_weight[j], (j, W)))


def loss_of(law: Cells, f: Score, size: int) -> Logs:
    """𝓛_N of a law of fractions, by enumeration of x_1, c and every x_2, …, x_N."""
    p_x, _ = marginals(law)
    total_loss = Logs()
    for (x, c), p in law.items():
        for others in product(p_x, repeat=size - 1):
            quotient = f(x, c) / (f(x, c) + sum(f(other, c) for other in others))
            total_loss += Logs.of(quotient, -p * prod(p_x[other] for other in others))
    return total_loss


def density_ratio(law: Cells) -> Score:
    p_x, p_c = marginals(law)
    return lambda x, c: law.get((x, c), Fraction(0)) / (p_x[x] * p_c[c])


FAIR_BIT = Law({(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)})  # x = c: I = log 2


@claim(
    "D3.33a",
    printed=r"$\mathcal{L}_{\mathrm{N}}^{\mathrm{opt}} = -\mathbb{E}_{X} \log"
    r" [\frac{\frac{p(x_{t+k}|c_t)}{p(x_{t+k})}}{\frac{p(x_{t+k}|c_t)}{p(x_{t+k})} + \sum_{x_j \in X_{neg}}"
    r" \frac{p(x_j|c_t)}{p(x_j)}}] = \mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)}"
    r" \sum_{x_j \in X_{neg}} \frac{p(x_j|c_t)}{p(x_j)}]$",
    verdict=Verdict.PROVED,
    says="The first equality puts the best scores, the density ratios (D3.31), into the loss (D3.30). Then"
    " «line» inside the mean, also where a negative is impossible in the context and its ratio 0.",
)
def first_line() -> dict[str, Piece]:
    negatives = total(any_ratio[l], (l, M))
    quotient = ratio[i] / (ratio[i] + negatives)
    facts = Facts(ranges={i: N, l: M})
    return {"line": derive(-log(quotient), (SUMS, log(1 + negatives / ratio[i])), facts=facts)}


@claim(
    "D3.33b",
    printed=r"$\approx \mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1)"
    r" \mathbb{E}_{x_j} \frac{p(x_j|c_t)}{p(x_j)}]$",
    verdict=Verdict.REFUTED,
    says="The proof needs a step down here, and this is one up: «above».",
    right="«jensen», whatever the law $R$ of the negatives, as the logarithm is concave: the optimal loss is at"
    " most the printed line. The bound itself needs another proof, P1.",
)
def replaced_by_the_mean() -> dict[str, Piece]:
    def lines(law, N) -> Finding:
        f = density_ratio(law)
        printed = sum((Logs.of(1 + Fraction(N - 1) / f(*cell), p) for cell, p in law.items()), Logs())
        return Finding(loss_of(law, f, N), "<", printed, ("the optimal loss", "the printed line"))

    summand = 1 + rest[m] / ratio[i]
    mean = 1 + total(others_law[m] * rest[m], (m, W)) / ratio[i]
    inside = total(others_law[m] * log(summand), (m, W)) - log(mean)
    use = Use(others_law[m], summand, ((m, W),), bottom=mean)
    facts = Facts(ranges={i: N, m: W})
    return {
        "above": counterexample("x and c are one fair bit", lines, law=FAIR_BIT, N=3),
        "jensen": bound(inside, use, last=Integer(0), names=(LISTS,), facts=facts),
    }


@claim(
    "D3.33c",
    printed=r"$\mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1) \mathbb{E}_{x_j}"
    r" \frac{p(x_j|c_t)}{p(x_j)}] = \mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1)]$",
    verdict=Verdict.PROVED,
    says="«mean», c being that of the pair $i$, and «context». The sum runs over the values $a$ of x that occur,"
    " whether they occur in this context or not.",
)
def ratio_has_mean_one() -> dict[str, Piece]:
    p_x, again = (total(one_if(x_of[other], a) * joint[other], (other, V)) for other in (k, l))
    together = total(one_if(x_of[l], a) * one_if(c_of[l], c_of[i]) * joint[l], (l, V))  # p(x, c)
    context = total(one_if(c_of[l], c_of[i]) * joint[l], (l, V)) / joint_y[i]  # p(c)/p(c)
    mean = total(p_x * (together / joint_y[i]) / again, (a, X))
    return {
        "mean": derive(mean, (SUMS, context), facts=FACTS),
        "context": derive(context, (DEFINITION, Integer(1)), names=NAMES, facts=FACTS),
    }


def step_down_in_expectation() -> Chain:
    """E log uN − E log(1 + u(N − 1)) ≤ E (u − 1)/(1 + u(N − 1)), u = p(x)/p(x|c), which is (E u − 1)/N less a mean
    of squares; and E u ≤ 1."""
    u, size = apart[i] / joint[i], M + 1
    up, down = 1 + u * M, u * size
    squares = expectation(M * (u - 1) ** 2 / (size * up))
    first, inside = expectation(log(down)) - expectation(log(up)), total(apart[i] - joint[i], (i, V)) / size
    below = bound(first, Use(joint[i], down, ((i, V),), bottom=up), last=inside - squares, facts=FACTS)
    return Chain(
        (below, *outside(inside - squares, -squares, size), nonnegative(OUTSIDE / size + squares)),
        both=expectation(log(up)),
    )


@claim(
    "D3.33d",
    printed=r"$\mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1)] \geq \mathbb{E}_{X} \log"
    r" [\frac{p(x_{t+k})}{p(x_{t+k}|c_t)} N]$",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="«mean», with $M + 1$ for N and «u» for p(x)/p(x|c): true in the mean, for every law. It is not true of"
    " each x and c, as the notation might suggest: «false».",
)
def step_down() -> dict[str, Piece]:
    def at_one(law, x, c, N) -> Finding:
        u = 1 / density_ratio(law)(x, c)
        return Finding(Logs.of(1 + u * (N - 1)), "<", Logs.of(u * N), ("log(1 + u(N − 1))", "log(uN)"))

    law = Law(
        {(0, 0): Fraction(1, 8), (0, 1): Fraction(3, 8), (1, 0): Fraction(3, 8), (1, 1): Fraction(1, 8)}
    )
    return {
        "mean": step_down_in_expectation(),
        "u": derive(1 / BEST, (DEFINITION, apart[i] / joint[i]), names=POSITIVE, facts=FACTS),
        "false": example("one x and c", at_one, law=law, x=0, c=0, N=2),
    }


@claim(
    "D3.33e",
    printed=r"$\mathbb{E}_{X} \log [\frac{p(x_{t+k})}{p(x_{t+k}|c_t)} N] = -I(x_{t+k}, c_t) + \log(N)$",
    verdict=Verdict.PROVED,
    says="«line».",
    brief="The last line is right: the mean of the logarithm of N over the density ratio is the logarithm of N less"
    " the information, «line».",
)
def last_line() -> dict[str, Piece]:
    line = expectation(log(N / BEST))
    return {"line": derive(line, (DEFINITION, log(N) - information), names=POSITIVE, facts=FACTS)}


# --- a proof --------------------------------------------------------------------------------------------

DRAWS = Facts(ranges={i: V, k: D, m: W, n: D}, maps={pair: (D, V), drawn: (D, W)})
DENSITY = Definition(
    density[i], N * density_weight[i] / total(density_weight[pair[n]] * others_law[drawn[n]], (n, D))
)
DRAW = Definition(draw_law[n], density[pair[n]] * others_law[drawn[n]] / N)
MUTUAL = Definition(information, total(draw_law[n] * log(density[pair[n]]), (n, D)))
LOSS = Definition(loss, -total(draw_law[n] * log(score[n] / scores[n]), (n, D)))
SETTING = (LISTS, DENSITY, DRAW, MUTUAL, LOSS)
OTHERS = total(Differ(k, n) * one_if(drawn[k], drawn[n]) * score[k], (k, D)) + rest[drawn[n]]
SCORES = Definition(scores[n], score[n] + OTHERS)
BY_LIST = Definition(list_scores[m], rest[m] + total(one_if(drawn[n], m) * score[n], (n, D)))

SHARES = total(others_law[drawn[n]] * score[n] / scores[n], (n, D))
# the share of the candidates that cannot be the positive
IMPOSSIBLE = total(others_law[m] * rest[m] / list_scores[m], (m, W))


def shares(less: Expr) -> tuple[Proof, Proof, Proof]:
    """E_R Σ φ/Φ − 1 − less: summed list by list, as the shares of all candidates of a list sum to 1."""
    per_draw = total(others_law[drawn[n]] * score[n] / list_scores[drawn[n]], (n, D)) - 1 - less
    of_list = total(one_if(drawn[n], m) * score[n], (n, D)) / list_scores[m]
    by_list = total(others_law[m] * of_list, (m, W)) - 1 - less
    names = (LISTS, SCORES, BY_LIST)
    return (
        derive(SHARES - 1 - less, (DEFINITION, per_draw), names=names, facts=DRAWS),
        derive(per_draw, (SUMS, by_list), facts=DRAWS),
        derive(by_list, (DEFINITION, -IMPOSSIBLE - less), names=names, facts=DRAWS),
    )


def gibbs() -> Use:
    """log x ≤ x − 1 at x = N φ/Φ · p(x)p(c)/p(x, c)."""
    return Use(draw_law[n], N * score[n] / density[pair[n]], ((n, D),), scores[n])


def the_bound() -> Chain:
    """log N − 𝓛 − I ≤ E_R Σ φ/Φ − 1 ≤ 0: in each list the shares of its candidates sum to 1 at most."""
    below = bound(log(N) - loss - information, gibbs(), last=SHARES - 1, names=SETTING, facts=DRAWS)
    return Chain((below, *shares(Integer(0)), nonnegative(IMPOSSIBLE, (BY_LIST,))), both=information)


# Independent draws: the pair i from p(x, c), the others m by any law R apart from it; then also x apart from c.
INDEPENDENT = Facts(ranges={i: V, k: V, l: V, m: W}, maps=FACTS.maps)
WHOLE = Definition(all_scores[k, l, m], value_score[x_of[k], c_of[l]] + others_score[c_of[l], m])


def share_of(x_pair: Expr, c_pair: Expr) -> Expr:
    """The share of the x of one pair among the candidates, in the context of another."""
    return value_score[x_of[x_pair], c_of[c_pair]] / all_scores[x_pair, c_pair, m]


LOSS_APART = Definition(loss_apart, -total(joint[i] * others_law[m] * log(share_of(i, i)), (m, W), (i, V)))
ALL_APART = Definition(
    mean_share, total(joint[k] * joint[l] * others_law[m] * share_of(k, l), (m, W), (k, V), (l, V))
)


def bound_by_mean_share() -> Chain:
    """log N − 𝓛ᵃ − I ≤ N E_{p(x) p(c) R} φ/Φ − 1, by log x ≤ x − 1; pairs that never occur only add to the mean."""
    top = N * value_score[x_of[i], c_of[i]] * apart[i] / joint[i]
    use = Use(joint[i] * others_law[m], top, ((m, W), (i, V)), all_scores[i, i, m])
    occurring = N * total(apart[i] * others_law[m] * share_of(i, i), (m, W), (i, V))

    def left(mask: Expr) -> Expr:
        return N * total(joint[k] * joint[l] * mask * others_law[m] * share_of(k, l), (m, W), (k, V), (l, V))

    never, as_squares = left(absent[k, l]), left(absent[k, l] ** 2)
    opened = (ALL_APART, LISTS, *NAMES, ABSENT, WHOLE)
    below = bound(
        log(N) - loss_apart - information,
        use,
        last=occurring - 1,
        names=(INFORMATION, LAW, LISTS, LOSS_APART),
        facts=INDEPENDENT,
    )
    last = N * mean_share - 1
    return Chain(
        (
            below,
            derive(occurring - 1, (DEFINITION, last - never), names=opened, facts=INDEPENDENT),
            derive(last - never, (SUMS, last - as_squares), facts=replace(INDEPENDENT, masks=(absent,))),
            nonnegative(as_squares),
        ),
        both=information,
    )


def one_more_candidate() -> Proof:
    """If a mean is the same at each of N places, so it is at each of N + 1: Σ_k J_k F̄_k + … = (N + 1) E F."""
    by_places = Definition(
        of_places[k], N * total(others_law[m] * joint[i] * of_one[i, m, k], (i, V), (m, W))
    )
    new = total(joint[k] * others_law[m] * joint[i] * of_one[k, m, i], (i, V), (m, W), (k, V))
    mean = total(joint[i] * others_law[m] * joint[k] * of_one[i, m, k], (i, V), (m, W), (k, V))
    return derive(
        total(joint[k] * of_places[k], (k, V)) + new,
        (DEFINITION, (N + 1) * mean),
        names=(by_places,),
        facts=INDEPENDENT,
    )


def at_most_log_n() -> Chain:
    """−𝓛 ≤ 0, so that the bound is never above log N."""
    mean, left = (total(draw_law[n] * part / scores[n], (n, D)) for part in (score[n], OTHERS))
    use = Use(draw_law[n], score[n], ((n, D),), scores[n])
    return Chain(
        (
            bound(-loss, use, last=mean - 1, names=SETTING, facts=DRAWS),
            derive(mean - 1, (DEFINITION, -left), names=(*SETTING, SCORES), facts=DRAWS),
            nonnegative(left),
        ),
        both=log(N),
    )


def enumerated(law: Cells, N: int, scores: Rows) -> Iterator[Finding]:
    """The setting with all its draws, from a law and any score f."""
    p_x, p_c = marginals(law)

    def f(x: int, c: int) -> Fraction:
        return scores[x][c]

    lists = [(xs, c) for c in p_c for xs in product(p_x, repeat=N)]
    chance = {(xs, c): p_c[c] * prod(p_x[x] for x in xs) for xs, c in lists}
    apart: dict[tuple[int, int], Fraction] = {}
    mean = Logs()
    for xs, c in lists:
        for x in xs:
            if p := law.get((x, c), Fraction(0)):
                apart[x, c] = apart.get((x, c), Fraction(0)) + chance[xs, c] / N
                drawn = p / (p_x[x] * p_c[c]) * chance[xs, c] / N
                mean += Logs.of(f(x, c) / sum(f(other, c) for other in xs), -drawn)
    cells = sorted(apart)
    yield Finding(
        [apart[cell] for cell in cells], "=", [p_x[x] * p_c[c] for x, c in cells], ("Π", "p(x) p(c)")
    )
    yield Finding(mean, "=", loss_of(law, f, N), ("𝓛, the positive anywhere", "𝓛, the positive first"))
    yield Finding(Logs.of(N) - mean, "<", exact_entropies(law)[0], (f"log {N} − 𝓛", "ℐ"))


JOINT = Law({(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)})  # (0, 1) does not occur
SCORED = Rows([[3, 1], [Fraction(1, 2), 2]])  # f(x, c)


@claim(
    "D3.32",
    printed=r"$I(x_{t+k}, c_t) \geq \log(N) - \mathcal{L}_{\mathrm{N}}$",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="For finitely many values and any positive score: «apart», where N counts the terms of the denominator,"
    " the positive among them. The pair $i$ is the positive and its context, and the others are the outcome $m$"
    " of a law $R$ apart from both: «apart.where 𝓛ᵃ» and «apart.where Φˣ». If the positive too is drawn apart"
    " from the context, it has the mean share «apart.where P̄ˣ». For N independent draws from p(x) this is 1/N,"
    " and the bound is the printed one: their shares sum to 1, and each place has the same mean. For let $F^x$ be"
    " any number that depends on one candidate and on the others in whatever order. If its sum over N places has N"
    " times the mean of one, also with a further candidate $k$ among the others, «places.where F̄ˣ», then its sum"
    " over N + 1 places has N + 1 times the mean of one: «places». A list of one has one place, and so it is for"
    " every N, by induction.",
)
def independent_candidates() -> dict[str, Piece]:
    return {"apart": bound_by_mean_share(), "places": one_more_candidate()}


@claim(
    "P1",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="«bound», for any positive score $φ$ and finitely many values. A list, a context with N candidates drawn"
    " apart from it, has the probability $R$. A draw $n$ is a list $Λ(n)$ and a place in it, all places as likely,"
    " whose candidate makes with the context the pair $ι(n)$; its law is that of the list times $ϱ$, the density"
    " ratio of this pair: «law», «law.where J′». Here «bound.where 𝓛», and «bound.where Φ» is the sum of the"
    " scores of its list, $σ$ of those candidates that cannot belong to the context. The information is D3.21's,"
    " «information», of the law $J″$ of candidates and contexts drawn together and $Π′$ of those drawn apart. The"
    " candidates of a list may depend on one another. If they are independent draws from p(x), $Π′$ is p(x) p(c),"
    " and one fixed place will do, as D3.32 shows. The bound is never above log N: «negative».",
)
def proof() -> dict[str, Piece]:
    together = Definition(pair_law[i], total(one_if(pair[n], i) * draw_law[n], (n, D)))
    apart = Definition(pair_apart[i], total(one_if(pair[n], i) * others_law[drawn[n]], (n, D)) / N)
    by_pair = total(pair_law[i] * log(pair_law[i] / pair_apart[i]), (i, V))
    return {
        "bound": the_bound(),
        "law": derive(total(draw_law[n], (n, D)), (DEFINITION, Integer(1)), names=SETTING, facts=DRAWS),
        "information": derive(
            information, (DEFINITION, by_pair), names=(*SETTING, together, apart), facts=DRAWS
        ),
        "negative": at_most_log_n(),
        "enumerated": example("every list of 3 candidates", enumerated, law=JOINT, N=3, scores=SCORED),
    }
