"""The InfoNCE bound on mutual information: the posterior, the printed proof, and a proof (document D3).

A list is a context with N candidates, each drawn independently of it. The positive stands at each of the N places
with equal probability, and there it is drawn with the context from p(x, c): a draw is a list and such a
place.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import prod

from ..evidence.kinds import Counterexample, Example, Finding, Misprint
from ..evidence.plain import Said, claim, given
from ..evidence.points import Law, Numbers, Rows
from ..prover.inequality import SumOfLogs
from .information import (
    ABSENT,
    INFORMATION,
    INSIDE,
    LAW,
    NAMES,
    OUTSIDE,
    PAIRS,
    POSITIVE,
    exact_entropies,
    marginals,
    outside,
)

Cells = Mapping[tuple[int, ...], Fraction]  # (x, c) → probability
Score = Callable[[int, int], Fraction]  # f(x, c)

# --- the posterior of the place, and the loss -----------------------------------------------------------

PLACES = given("i k l < N")
# p(x_i|c) Π_{l≠i} p(x_l): the probability of all candidates if the one at the place i belongs to c
ARRANGEMENT, ANOTHER = (f"ϖ′[{place}] e^(Σ_l 1[l ≠ {place}] ϖ[l])" for place in "ik")
POSTERIOR = f"{ARRANGEMENT} / Σ_k {ANOTHER}"


def _first(ratios: Numbers) -> Finding:
    among_all, alone = ratios[0] / sum(ratios), ratios[0] / (ratios[0] + 1)
    return Finding(among_all, "≠", alone, ("the printed formula", "NCE's posterior, one noise sample"))


claim("D3.28", "corrected", PLACES)(
    printed=r"We start from the NCE loss: $p(d=i|X,c_t) = \frac{p(x_i|c_t) \prod_{l \neq i} p(x_l)}"
    r"{\sum_{j=1}^{N} p(x_j|c_t) \prod_{l \neq j} p(x_l)}$",
    checked="It is no loss, but a probability, and not that of NCE, which asks of each sample alone whether it is a"
    " datum: «binary».",
    correction="«bayes»: Bayes' rule for the place of the positive, drawn from p(x|c) at any of the N places, all"
    " as likely, with the others from p(x). It is a law: «law».",
    binary=lambda: Misprint.at(
        "two candidates, by their p(x|c)/p(x), and the first of them", _first, ratios=Numbers([2, 3])
    ),
    bayes=f"{ARRANGEMENT}/(N (Σ_k ({ANOTHER}/N))) = {POSTERIOR}",
    law=f"Σ_i ({POSTERIOR}) = 1",
)

claim("D3.29", "proved", PLACES.also("r′[i] := ϖ′[i]/e^ϖ[i]"))(
    printed=r"$p(d=i|X,c_t) = \frac{\frac{p(x_i|c_t)}{p(x_i)}}{\sum_{j=1}^{N} \frac{p(x_j|c_t)}{p(x_j)}}$",
    checked="The probability that a candidate is the positive is its share of the density ratios, «ratios», where"
    " «ratios.where r′»: above and below are divided by the product of all p(x), none of which is 0. A candidate"
    " may be impossible in the context, though not all of them.",
    ratios=f"{POSTERIOR} = r′[i] / Σ_k r′[k]",
)

GUESS, BELIEF = "φ′[i] / Σ_k φ′[k]", "r[i] / Σ_k r[k]"
LOST = "(Σ_l 1[l ≠ i] φ′[l]) / Σ_k φ′[k]"

claim("D3.30", "definition", PLACES.also(f"ℓ[i] := -log({GUESS})"))(
    printed=r"$\mathcal{L}_{\mathrm{N}} = -\mathbb{E}\left[\log \frac{f_k(x_{t+k}, c_t)}"
    r"{\sum_{x_j \in X} f_k(x_j, c_t)}\right]$",
    checked="InfoNCE is minus the logarithm of the positive's share of the scores: «row» for one list, in the mean"
    " over X and c, for any score that is positive. The positive is among the N terms of the sum, so that the"
    " quotients are a law of its place, «law», and the loss is never negative: «negative».",
    row="ℓ[i]",
    law=f"Σ_i ({GUESS}) = 1",
    negative=PLACES.also(f"ℓ[i] := -log({GUESS})").chain(
        f"-ℓ[i] ≤ -{LOST} by log({GUESS})", f"{LOST} ≥ 0", both="ℓ[i]"
    ),
)


def _losses(ratios: Numbers, factors: Numbers) -> Finding:
    scored = [r * factor for r, factor in zip(ratios, factors, strict=True)]
    least, cost = (
        sum(
            (SumOfLogs.of(s / sum(by), -r / sum(ratios)) for s, r in zip(by, ratios, strict=True)),
            SumOfLogs(),
        )
        for by in (ratios, scored)
    )
    return Finding(least, "<", cost, ("the least loss", "the loss"))


SQUARES = f"Σ_i (√({BELIEF}) - √({GUESS}))^2"

claim("D3.31", "corrected", PLACES)(
    printed=r"where $f_k(x_{t+k}, c_t) \propto \frac{p(x_{t+k}|c_t)}{p(x_{t+k})}$",
    checked="No part of the definition, which takes any positive score, but of the best one; and the factor left"
    " out may not depend on x: «costs».",
    correction="Given a list whose candidates all may belong to c, the posterior's entropy less its cross-entropy"
    " with the scores is at most minus a sum of squares: «least», «squares». So the loss is least where each"
    " square is 0, and only there: then «quotient» is 1 for every candidate, and the score is the density ratio"
    " times «quotient.where γ», one factor for all x that meet in a list, and so a function of c. All these"
    " scores are best: «agrees».",
    costs=lambda: Misprint.at(
        "density ratios, and a factor for each", _losses, ratios=Numbers([2, 1]), factors=Numbers([1, 2])
    ),
    # entropy − cross-entropy
    least=f"-Σ_i ({BELIEF}) log(({BELIEF})/({GUESS})) ≤ -{SQUARES}"
    f" by Σ_i 2 ({BELIEF}) log(√(({GUESS})/({BELIEF})))",
    squares=f"{SQUARES} ≥ 0",
    quotient=PLACES.also("γ := (Σ_k φ′[k]) / Σ_k r[k]")(f"({GUESS})/({BELIEF}) = φ′[i]/(γ r[i])"),
    agrees=PLACES.also("φ′[i] := γ r[i]")(f"{GUESS} = {BELIEF}"),
)

# --- the printed proof, line by line --------------------------------------------------------------------

LISTED = given("i < N; m Σ_j < Ω; ω[] > 0; σ[] ≥ 0", "R[m] := ω[m] / Σ_j ω[j]")
LISTS = LISTED["R"]
BEST = "Jˣᐟʸ[i]/Jˣ[i]"  # p(x|c)/p(x)


def loss_of(law: Cells, f: Score, size: int) -> SumOfLogs:
    """𝓛_N of a law of fractions, by enumeration of x_1, c and every x_2, …, x_N."""
    p_x, _ = marginals(law)
    total_loss = SumOfLogs()
    for (x, c), p in law.items():
        for others in product(p_x, repeat=size - 1):
            quotient = f(x, c) / (f(x, c) + sum(f(other, c) for other in others))
            total_loss += SumOfLogs.of(quotient, -p * prod(p_x[other] for other in others))
    return total_loss


def density_ratio(law: Cells) -> Score:
    p_x, p_c = marginals(law)
    return lambda x, c: law.get((x, c), Fraction(0)) / (p_x[x] * p_c[c])


FAIR_BIT = Law({(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2)})  # x = c: I = log 2

claim("D3.33a", "proved", given("i < N; l < M"))(
    printed=r"$\mathcal{L}_{\mathrm{N}}^{\mathrm{opt}} = -\mathbb{E}_{X} \log"
    r" [\frac{\frac{p(x_{t+k}|c_t)}{p(x_{t+k})}}{\frac{p(x_{t+k}|c_t)}{p(x_{t+k})} + \sum_{x_j \in X_{neg}}"
    r" \frac{p(x_j|c_t)}{p(x_j)}}] = \mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)}"
    r" \sum_{x_j \in X_{neg}} \frac{p(x_j|c_t)}{p(x_j)}]$",
    checked="The first equality puts the best scores, the density ratios (D3.31), into the loss (D3.30). Then"
    " «line» inside the mean, also where a negative is impossible in the context and its ratio 0.",
    line="-log(r[i]/(r[i] + Σ_l r′[l])) = log(1 + (Σ_l r′[l])/r[i])",
)


def _lines(law: Law, N: int) -> Finding:
    f = density_ratio(law)
    printed = sum((SumOfLogs.of(1 + Fraction(N - 1) / f(*cell), p) for cell, p in law.items()), SumOfLogs())
    return Finding(loss_of(law, f, N), "<", printed, ("the optimal loss", "the printed line"))


SUMMAND, MEAN = "1 + σ[m]/r[i]", "1 + (Σ_m R[m] σ[m])/r[i]"

claim("D3.33b", "refuted", LISTED)(
    printed=r"$\approx \mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1)"
    r" \mathbb{E}_{x_j} \frac{p(x_j|c_t)}{p(x_j)}]$",
    checked="The proof needs a step down here, and this is one up: «above».",
    correction="«jensen», whatever the law $R$ of the negatives, as the logarithm is concave: the optimal loss is"
    " at most the printed line. The bound itself needs another proof, P1.",
    above=lambda: Counterexample.at("x and c are one fair bit", _lines, law=FAIR_BIT, N=3),
    jensen=f"Σ_m R[m] log({SUMMAND}) - log({MEAN}) ≤ 0 by Σ_m R[m] log({SUMMAND} : {MEAN})",
)

OF_X, AGAIN = (f"(Σ_{other} 1[x({other}) = a] J[{other}])" for other in "kl")  # p(x)
TOGETHER = "(Σ_l 1[x(l) = a] 1[c(l) = c(i)] J[l])"  # p(x, c)
CONTEXT = "(Σ_l 1[c(l) = c(i)] J[l])/Jʸ[i]"  # p(c)/p(c)

claim("D3.33c", "proved", PAIRS)(
    printed=r"$\mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1) \mathbb{E}_{x_j}"
    r" \frac{p(x_j|c_t)}{p(x_j)}] = \mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1)]$",
    checked="Under the marginal law the density ratio has the mean one: «mean», c being that of the pair $i$, and"
    " «context». The sum runs over the values $a$ of x that occur, whether they occur in this context or not.",
    mean=PAIRS.only()(f"Σ_a ({OF_X} {TOGETHER}/(Jʸ[i] {AGAIN})) = {CONTEXT}"),
    context=f"{CONTEXT} = 1",
)

# u = p(x)/p(x|c)
UP, DOWN = "1 + M Π[i]/J[i]", "(M + 1) Π[i]/J[i]"
LESS = f"Σ_i (J[i] M (Π[i]/J[i] - 1)^2/((M + 1) ({UP})))"
# E log uN − E log(1 + u(N − 1)) ≤ E (u − 1)/(1 + u(N − 1)), which is (E u − 1)/N less a mean of squares;
# and E u ≤ 1
STEP_DOWN = PAIRS.only().chain(
    f"Σ_i J[i] log({DOWN}) - Σ_i J[i] log({UP}) ≤ ({INSIDE})/(M + 1) - {LESS} by Σ_i J[i] log({DOWN} : {UP})",
    *outside(f"({INSIDE})/(M + 1) - {LESS}", f"-{LESS}", "(M + 1)"),
    f"{OUTSIDE}/(M + 1) + {LESS} ≥ 0",
    both=f"Σ_i J[i] log({UP})",
)


def _at_one(law: Law, x: int, c: int, N: int) -> Finding:
    u = 1 / density_ratio(law)(x, c)
    return Finding(SumOfLogs.of(1 + u * (N - 1)), "<", SumOfLogs.of(u * N), ("log(1 + u(N − 1))", "log(uN)"))


claim("D3.33d", "proved from LEMMA", POSITIVE)(
    printed=r"$\mathbb{E}_{X} \log [1 + \frac{p(x_{t+k})}{p(x_{t+k}|c_t)} (N-1)] \geq \mathbb{E}_{X} \log"
    r" [\frac{p(x_{t+k})}{p(x_{t+k}|c_t)} N]$",
    checked="The last inequality of the bound is «mean», with $M + 1$ for N and «u» for p(x)/p(x|c): true in the"
    " mean, for every law. It is not true of each x and c, as the notation might suggest: «false».",
    mean=STEP_DOWN,
    u=f"1/({BEST}) = Π[i]/J[i]",
    false=lambda: Example.at(
        "one x and c",
        _at_one,
        law=Law(
            {(0, 0): Fraction(1, 8), (0, 1): Fraction(3, 8), (1, 0): Fraction(3, 8), (1, 1): Fraction(1, 8)}
        ),
        x=0,
        c=0,
        N=2,
    ),
)

claim("D3.33e", "proved", POSITIVE)(
    printed=r"$\mathbb{E}_{X} \log [\frac{p(x_{t+k})}{p(x_{t+k}|c_t)} N] = -I(x_{t+k}, c_t) + \log(N)$",
    checked="What is left is log N less the information: «line».",
    brief="The last line is right: the mean of the logarithm of N over the density ratio is the logarithm of N less"
    " the information, «line».",
    line=f"Σ_i J[i] log(N/({BEST})) = log(N) - ℐ",
)

# --- a proof --------------------------------------------------------------------------------------------

# in the list of a draw, the scores of the other candidates
OTHER_SCORES = "Σ_k 1[k ≠ n] 1[Λ(k) = Λ(n)] φ[k] + σ[Λ(n)]"
DRAWS = "i < V; k n < D; m Σ_j < Ω; ι: D → V; Λ: D → Ω; ω[] > 0; σ[] ≥ 0"
DRAWN = given(
    f"{DRAWS}; Σ_ag < Ω′",
    LISTS,
    "ϱ[i] := N ϱ′[i] / Σ_n ϱ′[ι(n)] R[Λ(n)]",
    "J′[n] := ϱ[ι(n)] R[Λ(n)]/N",
    "ℐ := Σ_n J′[n] log(ϱ[ι(n)])",
    "𝓛 := -Σ_n J′[n] log(φ[n]/Φ[n])",
)
SCORED_DRAWS = DRAWN.also(f"Φ[n] := φ[n] + {OTHER_SCORES}")
BY_LISTS = SCORED_DRAWS.only("R", "Φ").also("Ψ[m] := σ[m] + Σ_n 1[Λ(n) = m] φ[n]")
SHARES = "Σ_n (R[Λ(n)] φ[n]/Φ[n])"
IMPOSSIBLE = "Σ_m (R[m] σ[m]/Ψ[m])"  # the share of the candidates that cannot be the positive


def shares(less: str = "0") -> tuple[Said, Said, Said]:
    """E_R Σ φ/Φ − 1 − less: summed list by list, as the shares of all candidates of a list sum to 1."""
    per_draw = f"Σ_n (R[Λ(n)] φ[n]/Ψ[Λ(n)]) - 1 - {less}"
    by_list = f"Σ_m (R[m] (Σ_n 1[Λ(n) = m] φ[n])/Ψ[m]) - 1 - {less}"
    return (
        BY_LISTS(f"{SHARES} - 1 - {less} = {per_draw}"),
        BY_LISTS.only()(f"{per_draw} = {by_list}"),
        BY_LISTS(f"{by_list} = -{IMPOSSIBLE} - {less}"),
    )


GIBBS = "Σ_n J′[n] log(N φ[n]/ϱ[ι(n)] : Φ[n])"  # log x ≤ x − 1 at x = N φ/Φ · p(x)p(c)/p(x, c)
# log N − 𝓛 − I ≤ E_R Σ φ/Φ − 1 ≤ 0: in each list the shares of its candidates sum to 1 at most
THE_BOUND = DRAWN.chain(
    f"log(N) - 𝓛 - ℐ ≤ {SHARES} - 1 by {GIBBS}", *shares(), BY_LISTS(f"{IMPOSSIBLE} ≥ 0"), both="ℐ"
)


# Independent draws: the pair i from p(x, c), the others m by any law R apart from it; then also x apart from c.
# The share is that of the x of one pair among the candidates, in the context of another.
OWN_SHARE, SHARE = "φˣ[x(i),c(i)]/Φˣ[i,i,m]", "φˣ[x(k),c(l)]/Φˣ[k,l,m]"
PLACED = "i k l < V; m Σ_j < Ω; x: V → X; c: V → C"
INDEPENDENT = given(
    PLACED,
    f"P̄ˣ := Σ_lkm (J[k] J[l] R[m] {SHARE})",
    LISTS,
    *NAMES,
    ABSENT,
    "Φˣ[k,l,m] := φˣ[x(k),c(l)] + σˣ[c(l),m]",
)
LOSS_OF_PAIRS = given(PLACED, INFORMATION, LAW, LISTS, f"𝓛ᵃ := -Σ_im J[i] R[m] log({OWN_SHARE})")
OCCURRING = f"N (Σ_im (Π[i] R[m] {OWN_SHARE})) - 1"
NEVER, NEVER_SQUARED = (f"N (Σ_lkm (J[k] J[l] {mask} R[m] {SHARE}))" for mask in ("ϰ[k,l]", "ϰ[k,l]^2"))
MORE_PLACES = INDEPENDENT.only().also("F̄ˣ[k] := N (Σ_mi R[m] J[i] Fˣ[i,m,k])")


def enumerated(law: Cells, N: int, scores: Rows) -> Iterator[Finding]:
    """The setting with all its draws, from a law and any score f."""
    p_x, p_c = marginals(law)

    def f(x: int, c: int) -> Fraction:
        return scores[x][c]

    lists = [(xs, c) for c in p_c for xs in product(p_x, repeat=N)]
    chance = {(xs, c): p_c[c] * prod(p_x[x] for x in xs) for xs, c in lists}
    apart: dict[tuple[int, int], Fraction] = {}
    mean = SumOfLogs()
    for xs, c in lists:
        for x in xs:
            if p := law.get((x, c), Fraction(0)):
                apart[x, c] = apart.get((x, c), Fraction(0)) + chance[xs, c] / N
                drawn = p / (p_x[x] * p_c[c]) * chance[xs, c] / N
                mean += SumOfLogs.of(f(x, c) / sum(f(other, c) for other in xs), -drawn)
    cells = sorted(apart)
    yield Finding(
        [apart[cell] for cell in cells], "=", [p_x[x] * p_c[c] for x, c in cells], ("Π", "p(x) p(c)")
    )
    yield Finding(mean, "=", loss_of(law, f, N), ("𝓛, the positive anywhere", "𝓛, the positive first"))
    yield Finding(SumOfLogs.of(N) - mean, "<", exact_entropies(law)[0], (f"log {N} − 𝓛", "ℐ"))


JOINT = Law({(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)})  # (0, 1) does not occur
SCORED = Rows([[3, 1], [Fraction(1, 2), 2]])  # f(x, c)

claim("D3.32", "proved from LEMMA", INDEPENDENT)(
    printed=r"$I(x_{t+k}, c_t) \geq \log(N) - \mathcal{L}_{\mathrm{N}}$",
    checked="For finitely many values and any positive score: «apart», where N counts the terms of the denominator,"
    " the positive among them. The pair $i$ is the positive and its context, and the others are the outcome $m$"
    " of a law $R$ apart from both: «apart.where 𝓛ᵃ» and «apart.where Φˣ». If the positive too is drawn apart"
    " from the context, it has the mean share «apart.where P̄ˣ». For N independent draws from p(x) this is 1/N,"
    " and the bound is the printed one: their shares sum to 1, and each place has the same mean. For let $F^x$ be"
    " any number that depends on one candidate and on the others in whatever order. If its sum over N places has N"
    " times the mean of one, also with a further candidate $k$ among the others, «places.where F̄ˣ», then its sum"
    " over N + 1 places has N + 1 times the mean of one: «places». A list of one has one place, and so it is for"
    " every N, by induction.",
    # log N − 𝓛ᵃ − I ≤ N E_{p(x) p(c) R} φ/Φ − 1; pairs that never occur only add to the mean
    apart=INDEPENDENT.chain(
        LOSS_OF_PAIRS(
            f"log(N) - 𝓛ᵃ - ℐ ≤ {OCCURRING} by Σ_im J[i] R[m] log(N φˣ[x(i),c(i)] Π[i]/J[i] : Φˣ[i,i,m])"
        ),
        f"{OCCURRING} = N P̄ˣ - 1 - {NEVER}",
        given(f"{PLACED}; ϰ is 0 or 1")(f"N P̄ˣ - 1 - {NEVER} = N P̄ˣ - 1 - {NEVER_SQUARED}"),
        f"{NEVER_SQUARED} ≥ 0",
        both="ℐ",
    ),
    # if a mean is the same at each of N places, so it is at each of N + 1
    places=MORE_PLACES(
        "Σ_k J[k] F̄ˣ[k] + Σ_kmi J[k] R[m] J[i] Fˣ[k,m,i] = (N + 1) (Σ_kmi J[i] R[m] J[k] Fˣ[i,m,k])"
    ),
)

BY_PAIRS = DRAWN.also("J″[i] := Σ_n 1[ι(n) = i] J′[n]", "Π′[i] := (Σ_n 1[ι(n) = i] R[Λ(n)])/N")
OTHERS_SHARE = f"Σ_n (J′[n] ({OTHER_SCORES})/Φ[n])"

claim("P1", "proved from LEMMA", DRAWN)(
    checked="InfoNCE is a lower bound of the information: «bound», for any positive score $φ$ and finitely many"
    " values. A list, a context with N candidates drawn apart from it, has the probability $R$. A draw $n$ is a"
    " list $Λ(n)$ and a place in it, all places as likely, whose candidate makes with the context the pair $ι(n)$;"
    " its law is that of the list times $ϱ$, the density ratio of this pair: «law», «law.where J′». Here"
    " «bound.where 𝓛», and «bound.where Φ» is the sum of the scores of its list, $σ$ of those candidates that"
    " cannot belong to the context. The information is D3.21's, «information», of the law $J″$ of candidates and"
    " contexts drawn together and $Π′$ of those drawn apart. The candidates of a list may depend on one another. If"
    " they are independent draws from p(x), $Π′$ is p(x) p(c), and one fixed place will do, as D3.32 shows. The"
    " bound is never above log N: «negative».",
    bound=THE_BOUND,
    law="Σ_n J′[n] = 1",
    information=BY_PAIRS("ℐ = Σ_i J″[i] log(J″[i]/Π′[i])"),
    # −𝓛 ≤ 0
    negative=DRAWN.chain(
        "-𝓛 ≤ Σ_n (J′[n] φ[n]/Φ[n]) - 1 by Σ_n J′[n] log(φ[n] : Φ[n])",
        SCORED_DRAWS(f"Σ_n (J′[n] φ[n]/Φ[n]) - 1 = -{OTHERS_SHARE}"),
        f"{OTHERS_SHARE} ≥ 0",
        both="log(N)",
    ),
    enumerated=lambda: Example.at("every list of 3 candidates", enumerated, law=JOINT, N=3, scores=SCORED),
)
