"""Instance discrimination: every sample its own class, the memory bank holds the classes (document D3)."""

from collections.abc import Iterator

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, measured
from ..evidence.points import Integers
from ..evidence.verdicts import Verdict
from ..prover.evaluate import Functions, evaluator
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import G, K, L, N, P, b, d, ell, f, i, j, k, loss, m, nu, p, tau, v

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


STATEMENT = with_weights(
    Statement(
        loss="instance",
        form=loss,
        names=NAMES,
        gradients={
            "v": _by(v[k, f], BY_FEATURE, "M16"),
            "bank": _by(b[j, f], BY_BANK, "M16"),
            "temperature": _by(tau, BY_TEMPERATURE, "M7"),
        },
        bind=_bind,
    ),
    weigh_row(ERROR),
    facts=FACTS,
)


def _derive(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=NAMES, facts=FACTS)


@claim(
    "D3.5",
    printed=r"$p(i|v) = \frac{\exp(v_i^T v/\tau)}{\sum_{j=1}^n \exp(v_j^T v/\tau)}$",
    verdict=Verdict.DEFINITION,
    says="«probability», with the logits «logits» of the rows of the memory bank. All are positive, «positive»,"
    " and «sum».",
)
def class_probabilities() -> dict[str, Piece]:
    return {
        "probability": POSTERIOR,
        "logits": LOGITS,
        "positive": positive(P[i, j], names=NAMES),
        "sum": _derive(total(P[i, j], (j, K)), (DEFINITION, Integer(1))),
    }


@claim(
    "D3.6",
    printed=r"$J(\theta) = -\sum_{i=1}^{n} \log p(i|f_{\theta}(x_i))$",
    verdict=Verdict.DEFINITION,
    says="«loss», the divisor 1 as printed, of «row», where p(i) is the instance of row i. «odds»; of the"
    " terms of the inner sum «others» are not 0, and these are positive, «positive»: so is the loss as soon as"
    " there are two instances.",
)
def classification_loss() -> dict[str, Piece]:
    other = Differ(j, p[i])
    odds = total(other * exp(L[i, j] - L[i, p[i]]), (j, K))
    return {
        "loss": LOSS,
        "row": ROW,
        "odds": _derive(loss, (DEFINITION, total(log(1 + odds), (i, N)) / nu)),
        "others": _derive(total(other, (j, K)), (SUMS, K - 1)),
        "positive": positive(exp(L[i, j] - L[i, p[i]])),
    }


class _Counter:
    """A number that counts the multiplications and exponentials of an evaluation."""

    def __init__(self) -> None:
        self.products = self.exponentials = 0

    def exp(self, x: "_Counted") -> "_Counted":
        self.exponentials += 1
        return _Counted(self)


class _Counted:
    """A number that counts the operations on it."""

    def __init__(self, counter: _Counter):
        self.counter = counter

    def __mul__(self, other: object) -> "_Counted":
        self.counter.products += isinstance(other, _Counted)
        return self

    def __add__(self, other: object) -> "_Counted":
        return self

    __rmul__, __radd__ = __mul__, __add__

    def __abs__(self) -> int:
        return 1  # operations for measuring rounding are not counted


def _cost(instances: Integers, features: Integers) -> Iterator[Finding]:
    normaliser = total(exp(L[i, m]), (m, K))
    for count in instances:
        for width in features:
            counter = _Counter()
            rows = [[_Counted(counter)] * width for _ in range(count)]
            inside = {v: rows[:1], b: rows, K: count, d: width, tau: 1}
            functions = Functions(counter.exp, counter.exp, counter.exp)
            evaluator(normaliser, inside, functions, (LOGITS,))({i: 0})
            where = f"of {count} instances with {width} features"
            yield Finding(counter.exponentials, "=", count, (f"exponentials {where}", ""))
            yield Finding(counter.products, "=", count * width, (f"products {where}", ""))


@claim(
    "D3.7",
    printed="Problems: many classes (one for each sample in memory); it is difficult to compute p(i|v)",
    verdict=Verdict.CHECKED,
    says="The sum under p(i|v) takes n exponentials and n d products for each query, growing with the data"
    " set; it is the cost that is high, nothing is out of reach. Counted while the formula of D3.5 was"
    " evaluated: «cost».",
)
def cost() -> dict[str, Piece]:
    return {
        "cost": measured(
            "the operations of one query", _cost, instances=Integers([5, 9]), features=Integers([3])
        )
    }


@claim(
    "M16",
    verdict=Verdict.PROVED,
    says="By the feature of a row «feature», and by a row of the bank «bank», with p(i) for the instance of"
    " row i.",
)
def gradients() -> dict[str, Piece]:
    error = P[i, j] - one_if(j, p[i])
    return {
        "feature": _derive(
            Partial(ell[i], v[i, f]),
            (DERIVATIVE, total(error * b[j, f], (j, K)) / tau),
            (SUMS, (total(P[i, j] * b[j, f], (j, K)) - b[p[i], f]) / tau),
        ),
        "bank": _derive(Partial(ell[i], b[j, f]), (DERIVATIVE, error * v[i, f] / tau)),
    }
