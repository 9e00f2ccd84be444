"""InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the one? (D2, Eq. 2; D3)"""

from sympy import exp, log

from derivations import symbols
from derivations.pairs import divisor
from derivations.prover.notation import Definition, Differ, one_if, total
from derivations.prover.statement import Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import A, G, N, P, a, ell, i, k, loss, m, nu, p, u

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
