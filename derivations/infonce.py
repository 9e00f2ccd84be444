"""InfoNCE over a batch of pairs, the anchor in its own denominator, and its gradient (document D1)."""

from sympy import exp, log

from derivations.pairs import divisor, positives
from derivations.prover.notation import Definition, Differ, one_if, total, unfold
from derivations.prover.statement import Gradient, Statement
from derivations.symbols import G, L, N, P, d, ell, f, i, j, k, m, nu, p, tau, z

LOGITS = Definition(L[i, j], total(z[i, f] * z[j, f], (f, d)) / tau)  # [D1.2]
SOFTMAX = Definition(P[i, j], exp(L[i, j]) / total(exp(L[i, k]), (k, N)))  # [D1.3]
ROW = Definition(ell[i], -log(P[i, p[i]]))  # [D1.6]
LOSS = total(ell[i], (i, N)) / nu  # [D1.4]
# G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [D1.11, S2]
ERROR = Definition(
    G[i, j], Differ(j, p[i]) * P[i, j] - one_if(j, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, N))
)
NAMES = (LOGITS, SOFTMAX, ROW, ERROR)

TO_ROWS = total((G[k, j] + G[j, k]) * z[j, f], (j, N)) / (nu * tau)  # [D1.13]
TO_TEMPERATURE = -total(G[i, j] * L[i, j], (j, N), (i, N)) / (nu * tau)  # [M7]


def _bind(rows, *, temperature, reduction="mean"):
    count = len(rows)
    sizes = {N: count, d: len(rows[0]), nu: divisor(count, reduction)}
    return sizes | {z: rows, tau: temperature, p: positives(count)}


def _unproved():
    raise ValueError("the proof of this gradient has not been written")


STATEMENT = Statement(
    loss="infonce",
    definition=unfold(LOSS, NAMES),
    gradients={
        "z": Gradient((k, f), unfold(TO_ROWS, NAMES), ("D1.12", "D1.13", "M6"), _unproved),
        "temperature": Gradient((), unfold(TO_TEMPERATURE, NAMES), ("M7",), _unproved),
    },
    bind=_bind,
)
