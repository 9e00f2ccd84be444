"""NT-Xent, the loss of SimCLR: cosine similarities, no anchor in its own denominator (document D3)."""

from sympy import exp, log, sqrt

from derivations.pairs import divisor, positives
from derivations.prover.notation import Definition, Differ, one_if, total, unfold
from derivations.prover.statement import Gradient, Statement
from derivations.symbols import G, L, N, P, d, ell, f, i, j, k, m, norm, nu, p, s, tau, w, z

NORM = Definition(norm[i], sqrt(total(w[i, f] ** 2, (f, d))))
UNIT = Definition(z[i, f], w[i, f] / norm[i])
COSINE = Definition(s[i, j], total(z[i, f] * z[j, f], (f, d)))  # [D3.3]
LOGITS = Definition(L[i, j], s[i, j] / tau)
OTHERS = total(Differ(k, i) * exp(L[i, k]), (k, N))  # Σ over k ≠ i
ROW = Definition(ell[i], -log(exp(L[i, p[i]]) / OTHERS))  # [D3.2]
LOSS = total(ell[i], (i, N)) / nu  # [D3.4]
SOFTMAX = Definition(P[i, j], Differ(j, i) * exp(L[i, j]) / OTHERS)
# G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [S2]
ERROR = Definition(
    G[i, j], Differ(j, p[i]) * P[i, j] - one_if(j, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, N))
)
NAMES = (NORM, UNIT, COSINE, LOGITS, ROW, SOFTMAX, ERROR)

TO_ROWS = total((G[k, j] + G[j, k]) * (z[j, f] - s[k, j] * z[k, f]), (j, N)) / (nu * tau * norm[k])  # [M5]
TO_TEMPERATURE = -total(G[i, j] * L[i, j], (j, N), (i, N)) / (nu * tau)  # [M7]


def _bind(rows, *, temperature, reduction="mean", layout="concatenated"):
    count = len(rows)
    sizes = {N: count, d: len(rows[0]), nu: divisor(count, reduction)}
    return sizes | {w: rows, tau: temperature, p: positives(count, layout)}


def _unproved():
    raise ValueError("the proof of this gradient has not been written")


STATEMENT = Statement(
    loss="ntxent",
    definition=unfold(LOSS, NAMES),
    gradients={
        "w": Gradient((k, f), unfold(TO_ROWS, NAMES), ("M5",), _unproved),
        "temperature": Gradient((), unfold(TO_TEMPERATURE, NAMES), ("M7",), _unproved),
    },
    bind=_bind,
)
