"""Mutual information of two variables with finitely many values (document D3).

The sums run over the pairs of values that occur: p log p goes to 0 with p, so that a pair of probability 0
contributes 0. Every probability in them is positive, and no proof needs that all pairs occur.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from sympy import Expr, Integer, log, sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Empirical, Finding, Piece, Relation, example, fails, misprint
from ..evidence.points import Law
from ..evidence.verdicts import Verdict
from ..prover.inequality import Logs, Use, bound, nonnegative, positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    C,
    V,
    X,
    a,
    absent,
    apart,
    c_of,
    entropy_x,
    entropy_x_y,
    entropy_y,
    entropy_y_x,
    function,
    i,
    information,
    joint,
    joint_x,
    joint_y,
    k,
    l,
    weight,
    x_given_y,
    x_of,
    y_given_x,
)

FACTS = Facts(ranges={i: V, k: V, l: V, a: X}, maps={x_of: (V, X), c_of: (V, C)})

Value = Callable[[Expr], Expr]  # pair → the value that a variable takes in it


def expectation(value: Expr) -> Expr:
    return total(joint[i] * value, (i, V))


def others(value: Value) -> Expr:
    """The probability of the other pairs in which the variable takes the value that it has in pair i."""
    if value is itself:
        return Integer(0)
    return total(Differ(k, i) * one_if(value(k), value(i)) * joint[k], (k, V))


LAW = Definition(joint[i], weight[i] / total(weight[k], (k, V)))
APART = Definition(apart[i], joint_x[i] * joint_y[i])
INFORMATION = Definition(information, expectation(log(joint[i] / apart[i])))  # [D3.21, D3.22]


def quantities(of_x: Value, of_y: Value) -> tuple[Definition, ...]:
    """Marginals, conditionals and entropies of two variables, by their values in each pair."""
    return (
        Definition(joint_x[i], joint[i] + others(of_x)),
        Definition(joint_y[i], joint[i] + others(of_y)),
        APART,
        Definition(x_given_y[i], joint[i] / joint_y[i]),
        Definition(y_given_x[i], joint[i] / joint_x[i]),
        Definition(entropy_x, -expectation(log(joint_x[i]))),
        Definition(entropy_y, -expectation(log(joint_y[i]))),
        Definition(entropy_x_y, -expectation(log(x_given_y[i]))),
        Definition(entropy_y_x, -expectation(log(y_given_x[i]))),
        INFORMATION,
    )


def of_x(pair: Expr) -> Expr:
    return x_of[pair]


def of_y(pair: Expr) -> Expr:
    return c_of[pair]


def itself(pair: Expr) -> Expr:
    """A variable that takes another value in each pair."""
    return pair


NAMES = (LAW, *quantities(of_x, of_y))
# the joint law's marginals stay names, which are declared positive
POSITIVE = tuple(name for name in NAMES if name.head not in (joint_x[i], joint_y[i]))
ABSENT = Definition(absent[k, l], 1 - total(one_if(x_of[i], x_of[k]) * one_if(c_of[i], c_of[l]), (i, V)))
OUTSIDE = total(joint[k] * joint[l] * absent[k, l] ** 2, (k, V), (l, V))  # p(x) p(y) where no pair occurs


def exact_entropies(law: Mapping[tuple[int, ...], Fraction]) -> tuple[Logs, Logs, Logs]:
    """I(X;Y), H(X), H(Y) of a law of fractions, as exact sums of logarithms."""
    p_x, p_y = marginals(law)
    cells = {cell: p for cell, p in law.items() if p}
    mutual = sum((Logs.of(p / (p_x[x] * p_y[y]), p) for (x, y), p in cells.items()), Logs())
    entropies = (sum((Logs.of(p, -p) for p in table.values() if p), Logs()) for table in (p_x, p_y))
    return mutual, next(entropies), next(entropies)


def marginals(law: Mapping[tuple[int, ...], Fraction]) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    p_x: dict[int, Fraction] = {}
    p_y: dict[int, Fraction] = {}
    for (x, y), p in law.items():
        p_x[x], p_y[y] = p_x.get(x, Fraction(0)) + p, p_y.get(y, Fraction(0)) + p
    return p_x, p_y


def outside(inside: Expr, last: Expr, divisor: Expr) -> tuple[Proof, Proof]:
    """inside, which is last + Σ (Π − J)/divisor over the pairs that occur, is last less the p(x) p(y) of all
    others, over the divisor; and this is a sum of squares, if each pair is listed once."""
    missing = total(joint[k] * joint[l] * absent[k, l], (k, V), (l, V)) / divisor
    return (
        derive(inside, (DEFINITION, last - missing), names=(*NAMES, ABSENT), facts=FACTS),
        derive(last - missing, (SUMS, last - OUTSIDE / divisor), facts=replace(FACTS, masks=(absent,))),
    )


def at_least_0() -> Chain:
    """−I = Σ p(x,y) log p(x)p(y)/p(x,y) ≤ Σ p(x)p(y) − 1 ≤ 0, over the pairs that occur: Gibbs' inequality."""
    inside = total(apart[i] - joint[i], (i, V))
    use = Use(joint[i], apart[i], ((i, V),), joint[i])
    return Chain(
        (
            bound(-information, use, last=inside, names=(INFORMATION,), facts=FACTS),
            *outside(inside, Integer(0), Integer(1)),
            nonnegative(OUTSIDE),
        ),
        both=information,
    )


@claim(
    "D3.19",
    printed=r"$I(x;c) = \sum_{x,c} p(x,c) \log \frac{p(x|c)}{p(x)}$",
    verdict=Verdict.PROVED,
    says="«conditional», where «conditional.where Jˣᐟʸ»: the sum D3.22 is this one.",
)
@claim(
    "D3.24",
    printed=r"$\sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}} p(x,y) \log \frac{p(x|y)}{p(x)}$",
    verdict=Verdict.PROVED,
    says="«conditional», and with the variables exchanged «exchanged».",
)
def from_conditionals() -> dict[str, Piece]:
    by_x = expectation(log(x_given_y[i] / joint_x[i]))
    by_y = expectation(log(y_given_x[i] / joint_y[i]))
    return {
        "conditional": derive(information, (DEFINITION, by_x), names=POSITIVE, facts=FACTS),
        "exchanged": derive(information, (DEFINITION, by_y), names=POSITIVE, facts=FACTS),
    }


@claim(
    "D3.20",
    printed="b(xn) = brobla)",
    verdict=Verdict.NO_THEOREM,
    says="A margin note that cannot be read, so that nothing can be said of it: «unreadable».",
)
def unreadable() -> dict[str, Piece]:
    return {"unreadable": Empirical("the text is damaged")}


@claim(
    "D3.21",
    printed=r"$I(X;Y) = D_{KL}(p(x,y) \| p(x) \otimes p(y))$",
    verdict=Verdict.DEFINITION,
    says="«information», where «apart», over the pairs that occur. It is never negative, «gibbs», and $X$ and"
    " $Y$ may be exchanged: both marginals enter alike.",
)
def divergence() -> dict[str, Piece]:
    return {"information": INFORMATION, "apart": APART, "gibbs": at_least_0()}


@claim(
    "D3.22",
    printed=r"$I(X;Y) = \sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}} p(x,y) \log \frac{p(x,y)}{p(x)p(y)}$",
    verdict=Verdict.DEFINITION,
    says="«information», for finitely many values, where «apart»: «sum». The laws sum to 1, «joint»,"
    " «marginal»; and at a pair that occurs its marginal «at_pair» is positive, as «occurs». For continuous"
    " variables the sums are integrals, and the information may be infinite (D3.27).",
)
def marginals_sum_to_one() -> dict[str, Piece]:
    of_value, same_value = (total(one_if(x_of[k], value) * joint[k], (k, V)) for value in (a, x_of[i]))
    at_pair = joint[i] + others(of_x)
    printed = expectation(log(joint[i] / (joint_x[i] * joint_y[i])))
    return {
        "information": INFORMATION,
        "apart": APART,
        "sum": derive(information, (DEFINITION, printed), names=POSITIVE, facts=FACTS),
        "joint": derive(total(joint[i], (i, V)), (DEFINITION, Integer(1)), names=NAMES, facts=FACTS),
        "marginal": derive(total(of_value, (a, X)), (DEFINITION, Integer(1)), names=NAMES, facts=FACTS),
        "at_pair": derive(same_value, (SUMS, at_pair), (DEFINITION, joint_x[i]), names=NAMES, facts=FACTS),
        "occurs": positive(at_pair),
    }


MISPRINT = expectation(log(y_given_x[i] / joint_x[i]))  # as printed: p(y|x) over p(x)


def misprinted(law: Mapping[tuple[int, ...], Fraction]) -> Logs:
    """Σ p(x,y) log p(y|x)/p(x), as printed."""
    p_x, _ = marginals(law)
    return sum((Logs.of(p / p_x[x] / p_x[x], p) for (x, _), p in law.items() if p), Logs())


@claim(
    "D3.23",
    printed=r"$\sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}} p(x,y) \log \frac{p(y|x)}{p(x)}$, three times",
    verdict=Verdict.CORRECTED,
    says="A misprint: «coin» is false where $X$ is a fair coin and $Y$ always the same: they share no"
    " information, and the printed sum is not 0. It is another: «really».",
    right="«right», with p(y) below. The printed sum is that one just where both entropies are the same,"
    " so that an example with equal marginals shows no difference.",
)
def misprint_of_the_marginal() -> dict[str, Piece]:
    def both(law) -> Finding:
        return Finding(misprinted(law), "=", exact_entropies(law)[0], ("the printed sum", "I(X;Y)"))

    coin = {V: 2, weight: [Fraction(1), Fraction(1)], x_of: [0, 1], c_of: [0, 0]}
    symmetric = Law(
        {(0, 0): Fraction(1, 3), (0, 1): Fraction(1, 6), (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)}
    )
    by_y = expectation(log(y_given_x[i] / joint_y[i]))
    return {
        "coin": fails(Relation(information, "=", MISPRINT), coin, names=NAMES),
        "really": derive(
            MISPRINT, (DEFINITION, information + entropy_x - entropy_y), names=POSITIVE, facts=FACTS
        ),
        "right": derive(information, (DEFINITION, by_y), names=POSITIVE, facts=FACTS),
        "unseen": example("equal marginals", both, law=symmetric),
    }


@claim(
    "D3.25",
    printed="Mutual information is a measure of dependence between two random variables X and Y. I(X;Y)"
    " measures how much information on X is gained by knowing Y (and vice versa)",
    verdict=Verdict.PROVED,
    says="«gain.chain»: what knowing one takes off the entropy of the other. It measures dependence: it is 0"
    " just for independent variables (D3.26), and of finitely many values it is no more than"
    " either entropy (D3.27).",
)
def gain() -> dict[str, Piece]:
    return {
        "gain": derive(
            information,
            (DEFINITION, entropy_x - entropy_x_y),
            (DEFINITION, entropy_y - entropy_y_x),
            names=POSITIVE,
            facts=FACTS,
        )
    }


def far_from_apart() -> Chain:
    """−I = 2 Σ p(x,y) log √(p(x)p(y)/p(x,y)) ≤ 2 Σ √(p(x,y) p(x)p(y)) − 2, which is minus a sum of squares."""
    squares = total((sqrt(joint[i]) - sqrt(apart[i])) ** 2, (i, V))
    inside = total(apart[i] - joint[i], (i, V)) - squares
    use = Use(2 * joint[i], sqrt(apart[i]), ((i, V),), sqrt(joint[i]))
    below = bound(-information, use, last=inside, names=(INFORMATION,), facts=FACTS)
    return Chain((below, *outside(inside, -squares, Integer(1))))


@claim(
    "D3.26",
    printed="If X and Y are independent, then $p(x, y) = p(x)p(y)$, which implies $I(X;Y) = 0$: they share no"
    " information",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="Where «zero.where J» in every pair that occurs, «zero». Conversely, of any law «far.where J»,"
    " «far»: if the information is 0, so is each of these terms, none of which is negative: «square»,"
    " «outside». Then p(x, y) is p(x) p(y) in every pair that occurs, and every pair does.",
)
def independence() -> dict[str, Piece]:
    independent = (Definition(joint[i], apart[i]), INFORMATION)
    return {
        "zero": derive(information, (DEFINITION, Integer(0)), names=independent, facts=FACTS),
        "far": far_from_apart(),
        "square": nonnegative((sqrt(joint[i]) - sqrt(apart[i])) ** 2),
        "outside": nonnegative(joint[k] * joint[l] * absent[k, l] ** 2),
    }


def at_most_the_entropy(entropy: Expr, conditional: Expr, known: Value, marginal: Expr) -> tuple[Chain, Expr]:
    """I − H(X) = Σ p(x,y) log p(x|y) ≤ Σ p(x,y) p(x|y) − 1 ≤ 0, the middle minus the probability, given y, of any
    other x; and that probability."""
    mean, doubt = expectation(conditional), expectation(others(known) / marginal)
    use = Use(joint[i], conditional, ((i, V),))
    chain = Chain(
        (
            bound(information - entropy, use, last=mean - 1, names=POSITIVE, facts=FACTS),
            derive(mean - 1, (DEFINITION, -doubt), names=NAMES, facts=FACTS),
            nonnegative(doubt),
        ),
        both=entropy,
    )
    return chain, doubt


@claim(
    "D3.27",
    printed="If X and Y are completely dependent, the mutual information is maximal and equals the entropy of"
    " either of the two variables if they are identical",
    verdict=Verdict.CORRECTED,
    says="If they are identical, «identical.where Jˣ» and «identical.where Jʸ», «identical». More is not"
    " possible of any law «identical.where J» with the marginals «below_y.where Jˣ» and «below_x.where Jʸ»:"
    " «below_x», «below_y». If one is a function of the other only, it need not be the entropy of both:"
    " «parity».",
    right="If $Y$ is a function $F$ of $X$, «function.where Jʸ», «function», the most that this $Y$"
    " allows. What is lacking of the entropy of $X$ is at least the chance of another x given y, «doubt»:"
    " 0 just where no two values of $X$ give the same y. For continuous variables there is no limit: of V"
    " equal cells, «grid.where J», «grid».",
)
def dependence() -> dict[str, Piece]:
    def entropies(law) -> Iterator[Finding]:
        mutual, of_x, of_y = exact_entropies(law)
        yield Finding(mutual, "<", of_x, ("I(X;Y)", "H(X)"))
        yield Finding(mutual, "=", of_y, ("I(X;Y)", "H(Y)"))

    same = (LAW, *quantities(itself, itself))
    mapped = (LAW, *quantities(itself, lambda pair: function[pair]))
    uniform = (Definition(joint[i], 1 / V), *quantities(itself, itself))
    facts = Facts(ranges={i: V, k: V, a: V}, maps={function: (V, C)})
    below_x, doubt = at_most_the_entropy(entropy_x, x_given_y[i], of_y, joint_y[i])
    below_y, _ = at_most_the_entropy(entropy_y, y_given_x[i], of_x, joint_x[i])
    return {
        "identical": derive(information, (DEFINITION, entropy_x), names=same, facts=facts),
        "parity": misprint(
            "Y is the parity of X, which is uniform on 0 … 3",
            entropies,
            law=Law({(x, x % 2): Fraction(1, 4) for x in range(4)}),
        ),
        "below_x": below_x,
        "below_y": below_y,
        "function": derive(information, (DEFINITION, entropy_y), names=mapped, facts=facts),
        "doubt": nonnegative(doubt),
        "grid": derive(information, (DEFINITION, log(V)), names=uniform, facts=facts),
    }
