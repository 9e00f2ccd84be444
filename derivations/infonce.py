"""InfoNCE over a batch of pairs, the anchor in its own denominator, and its gradient (document D1).

No line uses ‖z‖ = 1: the gradient is that of free rows, and holds with the anchor masked as well as without.
"""

from sympy import Expr, Integer, exp, log

from derivations import symbols
from derivations.pairs import divisor, positives
from derivations.prover.claim import Verdict, claim
from derivations.prover.notation import Definition, Differ, Partial, one_if, total
from derivations.prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof, derive
from derivations.prover.statement import Gradient, Statement
from derivations.prover.sums import Facts
from derivations.softmax import row_by_temperature
from derivations.symbols import G, L, N, P, d, ell, f, g, i, j, k, loss, m, nu, p, tau, z

FACTS = Facts(ranges={i: N, j: N, k: N, f: d, g: d}, maps={p: (N, N)}, derangements=(p,))

LOGITS = Definition(L[i, j], total(z[i, f] * z[j, f], (f, d)) / tau)  # [D1.2]
ROW = Definition(ell[i], -log(P[i, p[i]]))  # [D1.6]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)  # [D1.4]


def softmax(candidate) -> Definition:
    """P_ij over the candidates of row i: candidate(i, j) is 1, or 1[j ≠ i] with the mask [D1.3]."""
    return Definition(P[i, j], candidate(i, j) * exp(L[i, j]) / total(candidate(i, k) * exp(L[i, k]), (k, N)))


def everyone(row, column) -> Expr:
    return Integer(1)


def all_but_itself(row, column) -> Expr:
    return Differ(column, row)


# G = P − 1[positive], and the same with 1 − P_ip written as the sum of the other probabilities [D1.11, S2]
ERROR = Definition(G[i, j], P[i, j] - one_if(j, p[i]))
SAFE_ERROR = Definition(
    G[i, j], Differ(j, p[i]) * P[i, j] - one_if(j, p[i]) * total(Differ(m, p[i]) * P[i, m], (m, N))
)
PRINTED = (LOGITS, softmax(everyone), ROW, LOSS, ERROR)
MASKED = (LOGITS, softmax(all_but_itself), ROW, LOSS, ERROR)
SAFE = (LOGITS, softmax(everyone), ROW, LOSS, SAFE_ERROR)

BY_ROW = total((G[k, j] + G[j, k]) * z[j, f], (j, N)) / (nu * tau)  # [D1.13]
BY_TEMPERATURE = -total(G[i, j] * L[i, j], (j, N), (i, N)) / (nu * tau)  # [M7]


@claim(
    "D1.9",
    printed=r"\partial L_{ij} / \partial Z_k = (\delta_{ik} Z_j + \delta_{jk} Z_i) / \tau",
    statement="As printed, for the feature f of row k, and also where i = j = k: 2 Z_k/τ.",
    verdict=Verdict.PROVED,
)
def logit_by_row() -> Proof:
    return derive(
        Partial(L[i, j], z[k, f]),
        (DERIVATIVE, (one_if(i, k) * z[j, f] + one_if(j, k) * z[i, f]) / tau),
        names=PRINTED,
        facts=FACTS,
    )


@claim(
    "D1.10",
    printed=r"\partial \mathcal{L} / \partial Z_k = \sum_{ij} (\partial \mathcal{L} / \partial L_{ij})"
    r" (\partial L_{ij} / \partial Z_k)",
    statement="As printed: the chain rule, over all N² logits.",
    verdict=Verdict.PROVED,
)
def chain_rule() -> Proof:
    parts = Partial(loss, L[i, j]) * Partial(L[i, j], z[k, f])
    return derive(Partial(loss, z[k, f]), (CHAIN, total(parts, (j, N), (i, N))), names=PRINTED, facts=FACTS)


def _by_row(names) -> Proof:
    logit_by_row = (one_if(i, k) * z[j, f] + one_if(j, k) * z[i, f]) / tau
    return derive(
        Partial(loss, z[k, f]),
        (CHAIN, total(G[i, j] / nu * logit_by_row, (j, N), (i, N))),
        (SUMS, (total(G[k, j] * z[j, f], (j, N)) + total(G[i, k] * z[i, f], (i, N))) / (nu * tau)),
        (SUMS, BY_ROW),
        names=names,
        facts=FACTS,
    )


@claim(
    "M6",
    printed="",
    statement=r"\sum_i \partial \ell_i / \partial z_k = ((GZ)_k + (G^T Z)_k)/\tau; the first term is"
    " the gradient of the anchor alone, D2.8.",
    verdict=Verdict.PROVED,
)
@claim(
    "D1.12",
    printed=r"\partial \mathcal{L} / \partial Z_k = \frac{1}{N\tau} (\sum_j G_{kj} Z_j + \sum_i G_{ik} Z_i)",
    statement="As printed, for every N, d, τ and map p; the diagonal counts twice, 2 P_kk Z_k.",
    verdict=Verdict.PROVED,
)
def gradient() -> Proof:
    return _by_row(PRINTED)


@claim(
    "D1.13",
    printed=r"abla_Z \mathcal{L} = rac{1}{N au} (G + G^T) Z",
    statement=r"\nabla_Z \mathcal{L} = \frac{1}{N\tau} (G + G^T) Z, the anchor in its own denominator or masked.",
    verdict=Verdict.CORRECTED,
    right=r"\nabla_Z \mathcal{L} = \frac{1}{N\tau} (G + G^T) Z: the escapes \n, \f, \t were eaten in print.",
)
def gradient_with_and_without_mask() -> tuple[Proof, Proof]:
    return _by_row(PRINTED), _by_row(MASKED)


def gradient_by_row() -> Proof:
    """The gradient that `STATEMENT` hands out, whose G never subtracts P from 1."""
    return derive(Partial(loss, z[k, f]), (DERIVATIVE, BY_ROW), names=SAFE, facts=FACTS)


def gradient_by_temperature() -> Proof:
    """d𝓛/dτ = −Σ G_ij L_ij / (ντ) [M7]."""
    return derive(Partial(loss, tau), (DERIVATIVE, BY_TEMPERATURE), names=SAFE, facts=FACTS)


@claim(
    "M7",
    printed="",
    statement=r"d\ell/d\tau = (s_p - E_P[s])/\tau^2; with \beta = 1/\tau, d\ell/d\beta = E_P[s] - s_p and"
    r" d^2\ell/d\beta^2 = Var_P(s) \ge 0. For D1, d\mathcal{L}/d\tau = -\frac{1}{N\tau} \sum_{ij} G_{ij} L_{ij}"
    r" = -\langle Z, \nabla_Z \mathcal{L} \rangle / (2\tau).",
    verdict=Verdict.PROVED,
)
def temperature() -> tuple[Proof, ...]:
    radial = total(z[k, f] * BY_ROW, (f, d), (k, N))
    batch = derive(
        Partial(loss, tau),
        (DERIVATIVE, BY_TEMPERATURE),
        (DEFINITION, -radial / (2 * tau)),
        names=PRINTED,
        facts=FACTS,
    )
    return (*row_by_temperature(), batch)


def _bind(z, *, temperature, reduction="mean") -> dict:
    count = len(z)
    sizes = {N: count, d: len(z[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.z: z, tau: temperature, p: positives(count)}


STATEMENT = Statement(
    loss="infonce",
    form=loss,
    names=SAFE,
    gradients={
        "z": Gradient(z, (k, f), BY_ROW, SAFE, ("D1.12", "D1.13", "M6"), gradient_by_row),
        "temperature": Gradient(tau, (), BY_TEMPERATURE, SAFE, ("M7",), gradient_by_temperature),
    },
    bind=_bind,
)
