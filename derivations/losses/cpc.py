"""InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the one? (D2, Eq. 2; D3)"""

from fractions import Fraction
from math import prod

from sympy import exp, log

from .. import symbols
from ..claims import claim
from ..pairs import divisor
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.statement import Statement, gradient
from ..prover.sums import Facts
from ..symbols import A, G, N, P, a, ell, i, k, loss, m, nu, p, u
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict

FACTS = Facts(ranges={i: N, k: N, a: A, m: A}, maps={p: (N, A)})

SOFTMAX = Definition(P[i, a], exp(u[i, a]) / total(exp(u[i, m]), (m, A)))
ROW = Definition(ell[i], -log(exp(u[i, p[i]]) / total(exp(u[i, m]), (m, A))))  # [D3.30]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)
# G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [S2]
ERROR = Definition(
    G[i, a], Differ(a, p[i]) * P[i, a] - one_if(a, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, A))
)
NAMES = (SOFTMAX, ROW, LOSS, ERROR)


def _bind(scores, *, positive, reduction="mean") -> dict:
    sizes = {N: len(scores), A: len(scores[0]), nu: divisor(len(scores), reduction)}
    return sizes | {u: scores, symbols.p: positive}


STATEMENT = Statement(
    loss="cpc",
    form=loss,
    names=NAMES,
    gradients={"scores": gradient(u[k, a], G[k, a] / nu, "D1.7", loss=loss, names=NAMES, facts=FACTS)},
    bind=_bind,
)


def likelihood(scored: list[list[Fraction]]) -> Fraction:
    """exp of Eq. 2 as printed, Σ_t log(e^{u_tt} / Σ_t' e^{u_tt'}), from the numbers e^u; t' runs over contexts."""
    return prod((row[t] / sum(row) for t, row in enumerate(scored)), start=Fraction(1))


@claim(
    "D2.3",
    printed=r"\mathcal{J}_{InfoNCE} = \sum_{t=1}^N [\log \frac{\exp(u_\theta(x_t, c_t))}"
    r"{\sum_{t' \in N} \exp(u_\theta(x_t, c_{t'}))}]",
    statement="As printed it is never positive: the logarithm of a likelihood, to be maximised. The minus sign that"
    " the text announces is missing (Eq. 3 has it), and N is a number, so t' = 1, …, N. The softmax runs over the"
    " contexts of one x; CPC's runs over the x of one context: two losses, with two values.",
    verdict=Verdict.CORRECTED,
    right=r"\mathcal{L} = -\sum_{t=1}^N \log \frac{\exp(u(x_t, c_t))}{\sum_{t'=1}^N \exp(u(x_t, c_{t'}))}"
    r" = \sum_t \log(1 + \sum_{t' \ne t} e^{u(x_t, c_{t'}) - u(x_t, c_t)}) > 0.",
)
def the_missing_minus() -> tuple[Proof | Sign | Counterexample, ...]:
    odds = total(Differ(a, p[i]) * exp(u[i, a] - u[i, p[i]]), (a, A))
    scored = [[Fraction(1), Fraction(1)], [Fraction(2), Fraction(4)]]  # e^u, x in rows and c in columns
    over_contexts = likelihood(scored)
    over_samples = likelihood([list(column) for column in zip(*scored, strict=True)])
    return (
        derive(ell[i], (DEFINITION, log(1 + odds)), names=NAMES, facts=FACTS),
        nonnegative(odds),
        counterexample(
            "two samples, exp(u) = (1 1; 2 4): the printed sum is negative, and not the same over samples",
            holds=over_contexts < 1 and over_contexts != over_samples,
            numbers={"exp J over contexts": over_contexts, "exp J over samples": over_samples},
        ),
    )
