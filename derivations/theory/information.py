"""Mutual information of two variables with finitely many values (document D3).

A law is a table of positive weights divided by their sum. A cell of probability 0 counts 0, the limit of p log p:
the sums then run over the other cells, where a second law adds up to 1 at most, and every bound holds all the more.
"""

from fractions import Fraction

from sympy import Expr, Integer, log

from ..claims import Counterexample, Verdict, claim, counterexample
from ..prover.inequality import LEMMA, Bound, Logs, Sign, Use, bound, lemma, nonnegative
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    C,
    N,
    X,
    entropy_x,
    entropy_x_y,
    entropy_y,
    entropy_y_x,
    function,
    i,
    information,
    j,
    joint,
    joint_x,
    joint_y,
    k,
    l,
    weight,
    weight_x,
    weight_y,
    x_given_y,
    y_given_x,
)

FACTS = Facts(ranges={i: X, j: C, k: X, l: C}, maps={function: (X, C)})
CELLS = ((j, C), (i, X))

LAW = Definition(joint[i, j], weight[i, j] / total(weight[k, l], (l, C), (k, X)))
MARGINALS = (
    Definition(joint_x[i], total(joint[i, j], (j, C))),
    Definition(joint_y[j], total(joint[i, j], (i, X))),
)
CONDITIONALS = (
    Definition(x_given_y[i, j], joint[i, j] / joint_y[j]),
    Definition(y_given_x[i, j], joint[i, j] / joint_x[i]),
)


def expectation(value: Expr) -> Expr:
    return total(joint[i, j] * value, *CELLS)


QUANTITIES = (
    Definition(information, expectation(log(joint[i, j] / (joint_x[i] * joint_y[j])))),  # [D3.22]
    Definition(entropy_x, -total(joint_x[i] * log(joint_x[i]), (i, X))),
    Definition(entropy_y, -total(joint_y[j] * log(joint_y[j]), (j, C))),
    Definition(entropy_x_y, -expectation(log(x_given_y[i, j]))),
    Definition(entropy_y_x, -expectation(log(y_given_x[i, j]))),
)
DERIVED = (*MARGINALS, *CONDITIONALS, *QUANTITIES)
NAMES = (LAW, *DERIVED)

Law = dict[tuple[int, int], Fraction]  # (x, y) → probability


def exact_entropies(law: Law) -> tuple[Logs, Logs, Logs]:
    """I(X;Y), H(X), H(Y) of a law of fractions, as exact sums of logarithms."""
    p_x, p_y = marginals(law)
    mutual = sum((Logs.of(p / (p_x[x] * p_y[y]), p) for (x, y), p in law.items()), Logs())
    of_x, of_y = (sum((Logs.of(p, -p) for p in table.values()), Logs()) for table in (p_x, p_y))
    return mutual, of_x, of_y


def marginals(law: Law) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    p_x: dict[int, Fraction] = {}
    p_y: dict[int, Fraction] = {}
    for (x, y), p in law.items():
        p_x[x], p_y[y] = p_x.get(x, Fraction(0)) + p, p_y.get(y, Fraction(0)) + p
    return p_x, p_y


@claim(
    "D3.19",
    printed=r"I(x;c) = \sum_{x,c} p(x,c) \log \frac{p(x|c)}{p(x)}",
    statement=r"As printed: it is \sum p(x,c) \log \frac{p(x,c)}{p(x) p(c)}, as p(x,c) = p(x|c) p(c).",
    verdict=Verdict.PROVED,
)
@claim(
    "D3.24",
    printed=r"I(X;Y) = \sum\sum p(x,y) \log \frac{p(x|y)}{p(x)}",
    statement=r"As printed, and by symmetry \sum\sum p(x,y) \log \frac{p(y|x)}{p(y)}.",
    verdict=Verdict.PROVED,
)
def from_conditionals() -> tuple[Proof, ...]:
    by_x, by_y = (
        expectation(log(x_given_y[i, j] / joint_x[i])),
        expectation(log(y_given_x[i, j] / joint_y[j])),
    )
    return tuple(derive(information, (DEFINITION, form), names=NAMES, facts=FACTS) for form in (by_x, by_y))


@claim(
    "D3.20",
    printed="b(xn) = brobla)",
    statement="A margin note that cannot be read. The identity that stands beside the formula in every textbook"
    " is p(x, y) = p(x|y) p(y), and that one is proved; nothing says that it is what was written.",
    verdict=Verdict.NO_THEOREM,
)
def product_rule() -> Proof:
    return derive(x_given_y[i, j] * joint_y[j], (DEFINITION, joint[i, j]), names=NAMES, facts=FACTS)


@claim(
    "D3.21",
    printed=r"I(X;Y) = D_{KL}(p(x,y) \,\|\, p(x) \otimes p(y))",
    statement=r"A definition; I \ge 0 (Gibbs), and X and Y may be exchanged.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=LEMMA,
)
def gibbs() -> tuple[Proof | Bound, ...]:
    independent = joint_x[i] * joint_y[j]
    use = Use(joint[i, j], independent / joint[i, j], CELLS)
    below = bound(-information, use, last=Integer(0), names=NAMES, facts=FACTS)
    exchanged = total(joint[i, j] * log(joint[i, j] / (joint_y[j] * joint_x[i])), *reversed(CELLS))
    symmetric = derive(information, (DEFINITION, exchanged), names=NAMES, facts=FACTS)
    return (*lemma(), below, symmetric)


@claim(
    "D3.22",
    printed=r"I(X;Y) = \sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}} p(x,y) \log \frac{p(x,y)}{p(x) p(y)}",
    statement="As printed for finitely many values, where both marginals sum to 1 as the joint does;"
    " for continuous variables the sums are integrals, and I may be infinite (D3.27).",
    verdict=Verdict.PROVED,
)
def marginals_sum_to_one() -> tuple[Proof, ...]:
    sums = (total(joint_x[i], (i, X)), total(joint_y[j], (j, C)), total(joint_x[i] * joint_y[j], *CELLS))
    return tuple(derive(whole, (DEFINITION, Integer(1)), names=NAMES, facts=FACTS) for whole in sums)


MISPRINT = expectation(log(y_given_x[i, j] / joint_x[i]))  # as printed: p(y|x) over p(x)


def misprinted(law: Law) -> Logs:
    """Σ p(x,y) log p(y|x)/p(x), as printed."""
    p_x, _ = marginals(law)
    return sum((Logs.of(p / p_x[x] / p_x[x], p) for (x, _), p in law.items()), Logs())


@claim(
    "D3.23",
    printed=r"I(X;Y) = \sum\sum p(x,y) \log \frac{p(y|x)}{p(x)}, printed three times",
    statement=r"The printed sum is I(X;Y) + H(X) - H(Y): it is I if and only if H(X) = H(Y).",
    verdict=Verdict.REFUTED,
    right=r"I(X;Y) = \sum\sum p(x,y) \log \frac{p(y|x)}{p(y)}; a test on equal marginals sees no difference.",
)
def misprint() -> tuple[Proof, Counterexample, Counterexample]:
    really = derive(MISPRINT, (DEFINITION, information + entropy_x - entropy_y), names=NAMES, facts=FACTS)
    coin = {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 2)}  # X a fair coin, Y always 0
    equal = {(0, 0): Fraction(1, 3), (0, 1): Fraction(1, 6), (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)}
    by_coin, by_equal = (
        {"printed": misprinted(law), "I(X;Y)": exact_entropies(law)[0]} for law in (coin, equal)
    )
    seen = counterexample(
        "X is a fair coin and Y is always 0: they share no information, but the printed sum is not 0",
        holds=(by_coin["printed"] - by_coin["I(X;Y)"]).sign != 0,
        numbers=by_coin,
    )
    unseen = counterexample(
        "with equal marginals the misprint is not seen",
        holds=(by_equal["printed"] - by_equal["I(X;Y)"]).sign == 0,
        numbers=by_equal,
    )
    return really, seen, unseen


@claim(
    "D3.25",
    printed="I(X;Y) measures how much information on X is gained by knowing Y (and vice versa)",
    statement=r"I = H(X) - H(X|Y) = H(Y) - H(Y|X).",
    verdict=Verdict.PROVED,
)
def gain() -> Proof:
    return derive(
        information,
        (DEFINITION, entropy_x - entropy_x_y),
        (DEFINITION, entropy_y - entropy_y_x),
        names=NAMES,
        facts=FACTS,
    )


@claim(
    "D3.26",
    printed=r"If X and Y are independent, p(x,y) = p(x) p(y), then I(X;Y) = 0",
    statement=r"As printed; and conversely, if I = 0 then p(x,y) = p(x) p(y) in every cell: the lemma"
    r" \log x \le x - 1, used with x = p(x) p(y) / p(x,y), is an equality at x = 1 only.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=f"{LEMMA}, strict unless x = 1, for the converse",
)
def independence() -> tuple[Proof | Bound, ...]:
    product = weight_x[i] * weight_y[j]
    separate = Definition(joint[i, j], product / total(weight_x[k] * weight_y[l], (l, C), (k, X)))
    names = (separate, *DERIVED)
    factors = derive(joint[i, j], (DEFINITION, joint_x[i] * joint_y[j]), names=names, facts=FACTS)
    zero = derive(information, (DEFINITION, Integer(0)), names=names, facts=FACTS)
    return factors, zero, *gibbs()


LAW_OF_X = weight_x[i] / total(weight_x[k], (k, X))
# y = F(x): p(x,y) = p(x) 1[y = F(x)]. The cells of probability 0 have no log: the means run over the others.
FUNCTION = (
    Definition(joint[i, j], LAW_OF_X * one_if(j, function[i])),
    *MARGINALS,
    Definition(information, total(LAW_OF_X * log(LAW_OF_X / (joint_x[i] * joint_y[function[i]])), (i, X))),
    Definition(entropy_x, -total(joint_x[i] * log(joint_x[i]), (i, X))),
    Definition(entropy_y, -total(LAW_OF_X * log(joint_y[function[i]]), (i, X))),
)


def _by_function() -> Proof:
    """I = H(Y) where y = F(x)."""
    return derive(information, (DEFINITION, entropy_y), names=FUNCTION, facts=FACTS)


def _lost() -> tuple[Proof, Sign]:
    """H(X) − I = Σ p(x) log(1 + Σ p(x′)/p(x)) where y = F(x), over the other x′ with F(x′) = F(x): 0 if none."""
    others = total(Differ(k, i) * one_if(function[k], function[i]) * weight_x[k], (k, X)) / weight_x[i]
    gap = total(joint_x[i] * log(1 + others), (i, X))
    return derive(entropy_x - information, (DEFINITION, gap), names=FUNCTION, facts=FACTS), nonnegative(
        others
    )


def _identical() -> Proof:
    """I = H(X) where y = x; on the cells of probability > 0, p(x,y) = p(x)."""
    diagonal = Definition(joint[i, j], one_if(i, j) * LAW_OF_X)
    marginal_x = Definition(joint_x[i], total(joint[i, j], (j, X)))
    marginal_y = Definition(joint_y[j], total(joint[i, j], (i, X)))
    shared = total(joint[i, j] * log(LAW_OF_X / (joint_x[i] * joint_y[j])), (j, X), (i, X))
    facts = Facts(ranges={i: X, j: X, k: X})
    entropy = -total(joint_x[i] * log(joint_x[i]), (i, X))
    return derive(shared, (DEFINITION, entropy), names=(diagonal, marginal_x, marginal_y), facts=facts)


def _at_most_the_entropy() -> tuple[Bound, Sign]:
    """I − H(X) = Σ p(x,y) log p(x|y) ≤ −Σ p(x,y) (1 − p(x|y)) ≤ 0, and the same of Y."""
    doubt = expectation(
        total(Differ(k, i) * joint[k, j], (k, X)) / joint_y[j]
    )  # p(another x | y), on average
    use = Use(joint[i, j], x_given_y[i, j], CELLS)
    return (
        bound(information - entropy_x, use, last=-doubt, names=NAMES, facts=FACTS),
        nonnegative(doubt, NAMES),
    )


def _grid() -> Proof:
    """X = Y uniform on N values: I = log N, the mean of log((1/N)/(1/N · 1/N)) over the cells x = y."""
    cell = Definition(joint[i, j], one_if(i, j) / N)
    shared = total(joint[i, j] * log(N), (j, N), (i, N))
    return derive(shared, (DEFINITION, log(N)), names=(cell,), facts=Facts(ranges={i: N, j: N}))


@claim(
    "D3.27",
    printed="if X and Y are completely dependent, I is maximal and equals the entropy of either if identical",
    statement=r"X = Y gives I = H(X) = H(Y); Y = F(X) gives I = H(Y), which may be less than H(X);"
    r" and always I \le \min(H(X), H(Y)).",
    verdict=Verdict.CORRECTED,
    right=r"With Y = F(X), I = H(Y) = \min(H(X), H(Y)), the most that these marginals allow; it is H(X) as well"
    r" iff F is injective: H(X) - I is a mean of \log(1 + p(x')/p(x) + \ldots) over the other x' with F(x') = F(x)."
    r" For continuous X = Y, I is infinite: on a grid of n cells it is \log n.",
)
def dependence() -> tuple[Proof | Bound | Sign | Counterexample, ...]:
    halves = {(x, x % 2): Fraction(1, 4) for x in range(4)}  # Y is the parity of X
    mutual, of_x, of_y = exact_entropies(halves)
    parity = counterexample(
        "Y is the parity of X, uniform on 0 … 3: completely dependent, and I is not the entropy of X",
        holds=(mutual - of_y).sign == 0 and (of_x - mutual).sign > 0,
        numbers={"I(X;Y)": mutual, "H(X)": of_x, "H(Y)": of_y},
    )
    return _identical(), _by_function(), *_lost(), *_at_most_the_entropy(), _grid(), parity
