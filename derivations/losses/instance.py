"""Instance discrimination: every sample its own class, the memory bank holds the classes (document D3)."""

from collections.abc import Iterator

from ..common.weights import state, weigh_row
from ..evidence.kinds import Approximate, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Integers
from ..prover.evaluate import Functions, evaluator
from ..symbols import K, b, d, i, p, tau, v

BANK = given(
    "i k < N; j m < K; f < d; p: N → K",
    "L[i,j] := (Σ_f v[i,f] b[j,f])/τ",
    "P[i,j] := e^L[i,j] / Σ_m e^L[i,m]",  # D3.5
    "ℓ[i] := -log(P[i,p(i)])",
    "𝓛 := (Σ_i ℓ[i])/ν",  # D3.6, ν = 1 as printed
    # G = P − 1[own row], with 1 − P written as the sum of the other probabilities [S2]
    "G[i,j] := 1[j ≠ p(i)] P[i,j] - 1[j = p(i)] (Σ_m 1[m ≠ p(i)] P[i,m])",
)
STATEMENT = state(
    "instance",
    BANK,
    {
        "v": BANK.gradient("∂𝓛/∂v[k,f] = (Σ_j G[k,j] b[j,f])/(ν τ)", "M16"),
        "bank": BANK.gradient("∂𝓛/∂b[j,f] = (Σ_i G[i,j] v[i,f])/(ν τ)", "M16"),
        "temperature": BANK.gradient("∂𝓛/∂τ = -(Σ_ij G[i,j] L[i,j])/(ν τ)", "M7"),
    },
    weigh_row(BANK["G"]),
    bind=lambda index, **_: {p: index},
    reduction="sum",
)

claim("D3.5", "definition", BANK)(
    printed=r"$p(i|v) = \frac{\exp(v_i^T v/\tau)}{\sum_{j=1}^n \exp(v_j^T v/\tau)}$",
    checked="The probability of an instance is a softmax over the memory bank: «probability», with the logits"
    " «logits» of the rows of the memory bank. All are positive, «positive», and «sum».",
    probability="P[i,j]",
    logits="L[i,j]",
    positive="P[i,j] > 0",
    sum="Σ_j P[i,j] = 1",
)

claim("D3.6", "definition", BANK)(
    printed=r"$J(\theta) = -\sum_{i=1}^{n} \log p(i|f_{\theta}(x_i))$",
    checked="The loss adds up minus the logarithm of the probability of each row's own instance: «loss», the"
    " divisor 1 as printed, of «row», where p(i) is the instance of row i. «odds»; of the terms of the inner sum"
    " «others» are not 0, and these are positive, «positive»: so is the loss as soon as there are two instances.",
    loss="𝓛",
    row="ℓ[i]",
    odds="𝓛 = (Σ_i log(1 + Σ_j 1[j ≠ p(i)] e^(L[i,j] - L[i,p(i)])))/ν",
    others="Σ_j 1[j ≠ p(i)] = K - 1",
    positive="e^(L[i,j] - L[i,p(i)]) > 0",
)


class _Counted:
    """A number that counts the multiplications by another one, and the exponentials."""

    def __init__(self) -> None:
        self.products = self.exponentials = 0

    def __mul__(self, other: object) -> "_Counted":
        self.products += isinstance(other, _Counted)
        return self

    def __add__(self, other: object) -> "_Counted":
        return self

    __rmul__, __radd__ = __mul__, __add__

    def exp(self, x: "_Counted") -> "_Counted":
        self.exponentials += 1
        return self

    def __abs__(self) -> int:
        return 1  # operations for measuring rounding are not counted


def _cost(instances: Integers, features: Integers) -> Iterator[Finding]:
    normaliser = BANK.read("Σ_m e^L[i,m]")
    for count in instances:
        for width in features:
            number = _Counted()
            rows = [[number] * width] * count
            inside = {v: rows[:1], b: rows, K: count, d: width, tau: 1}
            functions = Functions(number.exp, number.exp, number.exp)
            evaluator(normaliser, inside, functions, (BANK["L"],))({i: 0})
            where = f"of {count} instances with {width} features"
            yield Finding(number.exponentials, "=", count, (f"exponentials {where}", ""))
            yield Finding(number.products, "=", count * width, (f"products {where}", ""))


claim("D3.7", "checked", BANK)(
    printed="Problems: many classes (one for each sample in memory); it is difficult to compute p(i|v)",
    checked="The sum under p(i|v) takes n exponentials and n d products for each query, growing with the data"
    " set; it is the cost that is high, nothing is out of reach. Counted while the formula of D3.5 was"
    " evaluated: «cost».",
    cost=lambda: Approximate.at(
        "the operations of one query", _cost, instances=Integers([5, 9]), features=Integers([3])
    ),
)

claim("M16", "proved", BANK)(
    checked="By the feature of a row «feature», and by a row of the bank «bank», with p(i) for the instance of"
    " row i.",
    feature="∂ℓ[i]/∂v[i,f] = (Σ_j (P[i,j] - 1[j = p(i)]) b[j,f])/τ = (Σ_j P[i,j] b[j,f] - b[p(i),f])/τ",
    bank="∂ℓ[i]/∂b[j,f] = (P[i,j] - 1[j = p(i)]) v[i,f]/τ",
)
