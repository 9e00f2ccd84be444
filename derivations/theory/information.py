"""Mutual information of two variables with finitely many values (document D3).

The sums run over the pairs of values that occur: p log p goes to 0 with p, so that a pair of probability 0
contributes 0. Every probability in them is positive, and no proof needs that all pairs occur.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from ..evidence.kinds import Empirical, Example, Finding, Misprint
from ..evidence.plain import Said, claim, given
from ..evidence.points import Law
from ..prover.inequality import SumOfLogs

# the probability of the other pairs in which x, or y, has the value that it has in pair i
SAME_X = "Σ_k 1[k ≠ i] 1[x(k) = x(i)] J[k]"
SAME_Y = "Σ_k 1[k ≠ i] 1[c(k) = c(i)] J[k]"
RANGES = "i k l < V; a < X; x: V → X; c: V → C"

PAIRS = given(
    RANGES,
    "J[i] := π[i] / Σ_k π[k]",
    f"Jˣ[i] := J[i] + {SAME_X}",
    f"Jʸ[i] := J[i] + {SAME_Y}",
    "Π[i] := Jˣ[i] Jʸ[i]",
    "Jˣᐟʸ[i] := J[i]/Jʸ[i]",
    "Jʸᐟˣ[i] := J[i]/Jˣ[i]",
    "Hˣ := -Σ_i J[i] log(Jˣ[i])",
    "Hʸ := -Σ_i J[i] log(Jʸ[i])",
    "Hˣᐟʸ := -Σ_i J[i] log(Jˣᐟʸ[i])",
    "Hʸᐟˣ := -Σ_i J[i] log(Jʸᐟˣ[i])",
    "ℐ := Σ_i J[i] log(J[i]/Π[i])",  # D3.21, D3.22
)
NAMES, LAW, INFORMATION = PAIRS.names, PAIRS["J"], PAIRS["ℐ"]
# the joint law's marginals stay names, which are declared positive
POSITIVE = PAIRS.without("Jˣ", "Jʸ")
NEVER = PAIRS.also("ϰ[k,l] := 1 - Σ_i 1[x(i) = x(k)] 1[c(i) = c(l)]")  # 1 where no pair occurs
ABSENT = NEVER["ϰ"]
OUTSIDE = "(Σ_lk J[k] J[l] ϰ[k,l]^2)"  # p(x) p(y) where no pair occurs


def exact_entropies(law: Mapping[tuple[int, ...], Fraction]) -> tuple[SumOfLogs, SumOfLogs, SumOfLogs]:
    """I(X;Y), H(X), H(Y) of a law of fractions, as exact sums of logarithms."""
    p_x, p_y = marginals(law)
    cells = {cell: p for cell, p in law.items() if p}
    mutual = sum((SumOfLogs.of(p / (p_x[x] * p_y[y]), p) for (x, y), p in cells.items()), SumOfLogs())
    entropies = (sum((SumOfLogs.of(p, -p) for p in table.values() if p), SumOfLogs()) for table in (p_x, p_y))
    return mutual, next(entropies), next(entropies)


def marginals(law: Mapping[tuple[int, ...], Fraction]) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    p_x: dict[int, Fraction] = {}
    p_y: dict[int, Fraction] = {}
    for (x, y), p in law.items():
        p_x[x], p_y[y] = p_x.get(x, Fraction(0)) + p, p_y.get(y, Fraction(0)) + p
    return p_x, p_y


def outside(inside: str, last: str, divisor: str = "1") -> tuple[Said, Said]:
    """inside, which is last + Σ (Π − J)/divisor over the pairs that occur, is last less the p(x) p(y) of all
    others, over the divisor; and this is a sum of squares, if each pair is listed once."""
    missing = f"{last} - (Σ_lk J[k] J[l] ϰ[k,l])/{divisor}"
    once = given(f"{RANGES}; ϰ is 0 or 1")
    return NEVER(f"{inside} = {missing}"), once(f"{missing} = {last} - {OUTSIDE}/{divisor}")


UNKNOWN = PAIRS.only("ℐ")  # of any two laws, J and Π
INSIDE = "Σ_i (Π[i] - J[i])"
CONDITIONAL = "ℐ = Σ_i J[i] log(Jˣᐟʸ[i]/Jˣ[i])"
EXCHANGED = "ℐ = Σ_i J[i] log(Jʸᐟˣ[i]/Jʸ[i])"

claim("D3.24", "proved", POSITIVE)(
    printed=r"$\sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}} p(x,y) \log \frac{p(x|y)}{p(x)}$",
    checked="The information is the mean logarithm of the conditional law over the marginal one: «conditional», and"
    " with the variables exchanged «exchanged».",
    conditional=CONDITIONAL,
    exchanged=EXCHANGED,
)

claim("D3.19", "proved", POSITIVE)(
    printed=r"$I(x;c) = \sum_{x,c} p(x,c) \log \frac{p(x|c)}{p(x)}$",
    checked="The information compares the conditional law with the marginal one, «conditional», where"
    " «conditional.where Jˣᐟʸ»: the sum D3.22 is this one.",
    conditional=CONDITIONAL,
    exchanged=EXCHANGED,
)

claim("D3.20", "no theorem", PAIRS)(
    printed="b(xn) = brobla)",
    checked="A margin note that cannot be read, so that nothing can be said of it: «unreadable».",
    unreadable=lambda: Empirical("the text is damaged"),
)

claim("D3.21", "definition", PAIRS)(
    printed=r"$I(X;Y) = D_{KL}(p(x,y) \| p(x) \otimes p(y))$",
    checked="The information is the mean logarithm of the joint law over the product of its marginals:"
    " «information», where «apart», over the pairs that occur. It is never negative, «gibbs», and $X$ and $Y$ may"
    " be exchanged: both marginals enter alike.",
    information="ℐ",
    apart="Π[i]",
    # −I = Σ p(x,y) log p(x)p(y)/p(x,y) ≤ Σ p(x)p(y) − 1 ≤ 0, over the pairs that occur: Gibbs' inequality
    gibbs=UNKNOWN.chain(
        f"-ℐ ≤ {INSIDE} by Σ_i J[i] log(Π[i] : J[i])", *outside(INSIDE, "0"), f"{OUTSIDE} ≥ 0", both="ℐ"
    ),
)

claim("D3.22", "definition", PAIRS)(
    printed=r"$I(X;Y) = \sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}} p(x,y) \log \frac{p(x,y)}{p(x)p(y)}$",
    checked="The information of discrete variables is a sum, «information», for finitely many values, where"
    " «apart»: «sum». The laws sum to 1, «joint», «marginal»; and at a pair that occurs its marginal «at pair» is"
    " positive, as «occurs». For continuous variables the sums are integrals, and the information may be infinite"
    " (D3.27).",
    information="ℐ",
    apart="Π[i]",
    sum=POSITIVE("ℐ = Σ_i J[i] log(J[i]/(Jˣ[i] Jʸ[i]))"),
    joint="Σ_i J[i] = 1",
    marginal="Σ_ak 1[x(k) = a] J[k] = 1",
    at_pair=f"Σ_k 1[x(k) = x(i)] J[k] = J[i] + {SAME_X} = Jˣ[i]",
    occurs=f"J[i] + {SAME_X} > 0",
)

MISPRINT = "Σ_i J[i] log(Jʸᐟˣ[i]/Jˣ[i])"  # as printed: p(y|x) over p(x)


def misprinted(law: Mapping[tuple[int, ...], Fraction]) -> SumOfLogs:
    """Σ p(x,y) log p(y|x)/p(x), as printed."""
    p_x, _ = marginals(law)
    return sum((SumOfLogs.of(p / p_x[x] / p_x[x], p) for (x, _), p in law.items() if p), SumOfLogs())


claim("D3.23", "corrected", POSITIVE)(
    printed=r"$\sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}} p(x,y) \log \frac{p(y|x)}{p(x)}$, three times",
    checked="A misprint: «coin» is false where $X$ is a fair coin and $Y$ always the same: they share no"
    " information, and the printed sum is not 0. It is another: «really».",
    correction="«right», with p(y) below. The printed sum is that one just where both entropies are the same,"
    " so that an example with equal marginals shows no difference.",
    coin=PAIRS.fails(
        f"ℐ = {MISPRINT}", {"V": 2, "X": 2, "C": 1, "π": [Fraction(1), Fraction(1)], "x": [0, 1], "c": [0, 0]}
    ),
    really=f"{MISPRINT} = ℐ + Hˣ - Hʸ",
    right=EXCHANGED,
    unseen=lambda: Example.at(
        "equal marginals",
        lambda law: Finding(misprinted(law), "=", exact_entropies(law)[0], ("the printed sum", "I(X;Y)")),
        law=Law(
            {(0, 0): Fraction(1, 3), (0, 1): Fraction(1, 6), (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)}
        ),
    ),
)

claim("D3.25", "proved", POSITIVE)(
    printed="Mutual information is a measure of dependence between two random variables X and Y. I(X;Y)"
    " measures how much information on X is gained by knowing Y (and vice versa)",
    checked="The information is an entropy less the conditional entropy, «gain.chain»: what knowing one takes off"
    " the entropy of the other. It measures dependence: it is 0 just for independent variables (D3.26), and of"
    " finitely many values it is no more than either entropy (D3.27).",
    gain="ℐ = Hˣ - Hˣᐟʸ = Hʸ - Hʸᐟˣ",
)

SQUARES = "Σ_i (√J[i] - √Π[i])^2"
# −I = 2 Σ p(x,y) log √(p(x)p(y)/p(x,y)) ≤ 2 Σ √(p(x,y) p(x)p(y)) − 2, which is minus a sum of squares
far_from_apart = UNKNOWN.chain(
    f"-ℐ ≤ {INSIDE} - {SQUARES} by Σ_i 2 J[i] log(√Π[i] : √J[i])",
    *outside(f"{INSIDE} - {SQUARES}", f"-{SQUARES}"),
)

claim("D3.26", "proved from LEMMA", UNKNOWN)(
    printed="If X and Y are independent, then $p(x, y) = p(x)p(y)$, which implies $I(X;Y) = 0$: they share no"
    " information",
    checked="Where «zero.where J» in every pair that occurs, «zero». Conversely, of any law «far.where J»,"
    " «far»: if the information is 0, so is each of these terms, none of which is negative: «square»,"
    " «outside». Then p(x, y) is p(x) p(y) in every pair that occurs, and every pair does.",
    zero=UNKNOWN.first("J[i] := Π[i]")("ℐ = 0"),
    far=far_from_apart,
    square="(√J[i] - √Π[i])^2 ≥ 0",
    outside="J[k] J[l] ϰ[k,l]^2 ≥ 0",
)

# the probability, given y, of any other x; and of another y, given x
DOUBT = f"Σ_i (J[i] ({SAME_Y})/Jʸ[i])"
DOUBT_OF_Y = f"Σ_i (J[i] ({SAME_X})/Jˣ[i])"
IDENTICAL = given("i k a < V; F: V → C", *NAMES).also("Jˣ[i] := J[i]", "Jʸ[i] := J[i]")


def _entropies(law: Law) -> Iterator[Finding]:
    mutual, of_x, of_y = exact_entropies(law)
    yield Finding(mutual, "<", of_x, ("I(X;Y)", "H(X)"))
    yield Finding(mutual, "=", of_y, ("I(X;Y)", "H(Y)"))


claim("D3.27", "corrected", PAIRS)(
    printed="If X and Y are completely dependent, the mutual information is maximal and equals the entropy of"
    " either of the two variables if they are identical",
    checked="If they are identical, «identical.where Jˣ» and «identical.where Jʸ», «identical». More is not"
    " possible of any law «identical.where J» with the marginals «below y.where Jˣ» and «below x.where Jʸ»:"
    " «below x», «below y». If one is a function of the other only, it need not be the entropy of both:"
    " «parity».",
    correction="If $Y$ is a function $F$ of $X$, «function.where Jʸ», «function», the most that this $Y$"
    " allows. What is lacking of the entropy of $X$ is at least the chance of another x given y, «doubt»:"
    " 0 just where no two values of $X$ give the same y. For continuous variables there is no limit: of V"
    " equal cells, «grid.where J», «grid».",
    identical=IDENTICAL("ℐ = Hˣ"),
    parity=lambda: Misprint.at(
        "Y is the parity of X, which is uniform on 0 … 3",
        _entropies,
        law=Law({(x, x % 2): Fraction(1, 4) for x in range(4)}),
    ),
    # I − H(X) = Σ p(x,y) log p(x|y) ≤ Σ p(x,y) p(x|y) − 1 ≤ 0
    below_x=PAIRS.chain(
        POSITIVE("ℐ - Hˣ ≤ Σ_i J[i] Jˣᐟʸ[i] - 1 by Σ_i J[i] log(Jˣᐟʸ[i])"),
        f"Σ_i J[i] Jˣᐟʸ[i] - 1 = -{DOUBT}",
        f"{DOUBT} ≥ 0",
        both="Hˣ",
    ),
    below_y=PAIRS.chain(
        POSITIVE("ℐ - Hʸ ≤ Σ_i J[i] Jʸᐟˣ[i] - 1 by Σ_i J[i] log(Jʸᐟˣ[i])"),
        f"Σ_i J[i] Jʸᐟˣ[i] - 1 = -{DOUBT_OF_Y}",
        f"{DOUBT_OF_Y} ≥ 0",
        both="Hʸ",
    ),
    function=IDENTICAL.also("Jʸ[i] := J[i] + Σ_k 1[k ≠ i] 1[F(k) = F(i)] J[k]")("ℐ = Hʸ"),
    doubt=f"{DOUBT} ≥ 0",
    grid=IDENTICAL.also("J[i] := 1/V")("ℐ = log(V)"),
)
