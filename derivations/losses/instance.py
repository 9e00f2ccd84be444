"""Instance discrimination: every sample its own class, the memory bank holds the classes (document D3)."""

from math import exp as number_exp

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..claims import claim
from ..pairs import divisor
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.statement import Statement, gradient
from ..prover.sums import Facts
from ..symbols import G, K, L, N, P, b, d, ell, f, i, j, k, loss, m, nu, p, tau, v
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict

FACTS = Facts(ranges={i: N, k: N, j: K, m: K, f: d}, maps={p: (N, K)})

LOGITS = Definition(L[i, j], total(v[i, f] * b[j, f], (f, d)) / tau)
POSTERIOR = Definition(P[i, j], exp(L[i, j]) / total(exp(L[i, m]), (m, K)))  # [D3.5]
ROW = Definition(ell[i], -log(P[i, p[i]]))
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)  # [D3.6], ν = 1 as printed
# G = P − 1[own row], with 1 − P written as the sum of the other probabilities [S2]
ERROR = Definition(
    G[i, j], Differ(j, p[i]) * P[i, j] - one_if(j, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, K))
)
NAMES = (LOGITS, POSTERIOR, ROW, LOSS, ERROR)

BY_FEATURE = total(G[k, j] * b[j, f], (j, K)) / (nu * tau)  # [M16]
BY_BANK = total(G[i, j] * v[i, f], (i, N)) / (nu * tau)  # [M16]
BY_TEMPERATURE = -total(G[i, j] * L[i, j], (j, K), (i, N)) / (nu * tau)  # [M7]


def _bind(v, bank, *, index, temperature, reduction="sum") -> dict:
    sizes = {N: len(v), K: len(bank), d: len(v[0]), nu: divisor(len(v), reduction)}
    return sizes | {symbols.v: v, b: bank, p: index, tau: temperature}


def _by(entry: Expr, form: Expr, claim: str):
    return gradient(entry, form, claim, loss=loss, names=NAMES, facts=FACTS)


STATEMENT = Statement(
    loss="instance",
    form=loss,
    names=NAMES,
    gradients={
        "v": _by(v[k, f], BY_FEATURE, "M16"),
        "bank": _by(b[j, f], BY_BANK, "M16"),
        "temperature": _by(tau, BY_TEMPERATURE, "M7"),
    },
    bind=_bind,
)


def _derive(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=NAMES, facts=FACTS)


@claim(
    "D3.5",
    printed=r"p(i|v) = \frac{\exp(v_i^T v/\tau)}{\sum_{j=1}^n \exp(v_j^T v/\tau)}",
    statement=r"A definition; every p(j|v) is positive, and \sum_j p(j|v) = 1.",
    verdict=Verdict.PROVED,
)
def class_probabilities() -> tuple[Proof, Sign]:
    return _derive(total(P[i, j], (j, K)), (DEFINITION, Integer(1))), nonnegative(P[i, j], names=NAMES)


@claim(
    "D3.6",
    printed=r"J(\theta) = -\sum_{i=1}^n \log p(i|f_\theta(x_i))",
    statement=r"A definition; each term is \log(1 + \sum_{j \ne i} e^{(v_j - v_i)^T v/\tau}), positive as soon as"
    " there are two instances.",
    verdict=Verdict.PROVED,
)
def classification_loss() -> tuple[Proof, Sign]:
    odds = total(Differ(j, p[i]) * exp(L[i, j] - L[i, p[i]]), (j, K))
    return _derive(ell[i], (DEFINITION, log(1 + odds))), nonnegative(odds)


class _Counter:
    """Multiplies and exponentiates, and keeps count of it."""

    def __init__(self):
        self.products = self.exponentials = 0

    def times(self, x: float, y: float) -> float:
        self.products += 1
        return x * y

    def exp(self, x: float) -> float:
        self.exponentials += 1
        return number_exp(x)

    def probability(self, own: int, feature: list[float], bank: list[list[float]]) -> float:
        """p(own | feature) as printed."""
        scores = [self.exp(sum(map(self.times, row, feature))) for row in bank]
        return scores[own] / sum(scores)


@claim(
    "D3.7",
    printed="many classes, one for each sample in memory; p(i|v) is hard to compute",
    statement="Exact p(i|v) costs n exponentials and n d products for each query, growing with the data set; it is"
    " the cost that is high, nothing is out of reach. Counted while the formula runs.",
    verdict=Verdict.CHECKED,
    scope="n = 1, …, 9 and d = 1, …, 4",
)
def cost() -> Counterexample:
    counted = {}
    for n in range(1, 10):
        for features in range(1, 5):
            counter = _Counter()
            counter.probability(0, [0.5] * features, [[0.25] * features] * n)
            counted[n, features] = (counter.exponentials, counter.products)
    return counterexample(
        "n exponentials and n d products for each query",
        holds=all(count == (n, n * features) for (n, features), count in counted.items()),
        numbers={"n = 9, d = 4": counted[9, 4]},
    )


@claim(
    "M16",
    printed="",
    statement=r"\partial \ell / \partial v = \frac{1}{\tau} \sum_j (p_j - \delta_{ij}) v_j and"
    r" \partial \ell / \partial v_j = \frac{1}{\tau} (p_j - \delta_{ij}) v, for the feature v of instance i.",
    verdict=Verdict.PROVED,
)
def gradients() -> tuple[Proof, Proof]:
    error = P[i, j] - one_if(j, p[i])
    by_feature = _derive(
        Partial(ell[i], v[i, f]),
        (DERIVATIVE, total(error * b[j, f], (j, K)) / tau),
        (SUMS, (total(P[i, j] * b[j, f], (j, K)) - b[p[i], f]) / tau),
    )
    by_row_of_the_bank = _derive(Partial(ell[i], b[j, f]), (DERIVATIVE, error * v[i, f] / tau))
    return by_feature, by_row_of_the_bank
