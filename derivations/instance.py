"""Instance discrimination: every sample its own class, the memory bank holds the classes (document D3)."""

from sympy import Expr, exp, log

from derivations import symbols
from derivations.pairs import divisor
from derivations.prover.notation import Definition, Differ, one_if, total
from derivations.prover.statement import Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import G, K, L, N, P, b, d, ell, f, i, j, k, loss, m, nu, p, tau, v

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
