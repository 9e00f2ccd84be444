"""Softmax and cross-entropy: the loss of one row of logits, its derivatives, and the forms that do not cancel.

Here the N² logits are independent variables; where they come from is the business of the other lessons.
"""

import mpmath
from sympy import Integer, Symbol, exp, log

from .claims import claim
from .evidence import Verdict
from .prover.inequality import Bound, Use, bound, lemma
from .prover.notation import Definition, Differ, Partial, one_if, total
from .prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from .prover.sums import Facts
from .symbols import G, L, N, P, beta, ell, i, j, k, loss, m, nu, p, s, tau
from .unbound import Counterexample, counterexample

FACTS = Facts(ranges={i: N, j: N, k: N}, maps={p: (N, N)})

SOFTMAX = Definition(P[i, j], exp(L[i, j]) / total(exp(L[i, k]), (k, N)))  # [D1.3]
ROW = Definition(ell[i], -log(P[i, p[i]]))  # [D1.6]
ERROR = Definition(G[i, j], P[i, j] - one_if(j, p[i]))  # [D1.11]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)  # [D1.4]
NAMES = (SOFTMAX, ROW, ERROR, LOSS)


@claim(
    "D1.6",
    printed=r"\ell_i = -\log P_{i,p(i)}",
    statement=r"A definition; LSE minus the positive's logit: \ell_i = \log\sum_k e^{L_{ik}} - L_{i,p(i)}.",
    verdict=Verdict.PROVED,
)
def row_loss() -> Proof:
    lse = log(total(exp(L[i, k]), (k, N))) - L[i, p[i]]
    return derive(ell[i], (DEFINITION, -log(P[i, p[i]])), (DEFINITION, lse), names=NAMES, facts=FACTS)


@claim(
    "D1.7",
    printed=r"\partial \ell_i / \partial L_{ij} = P_{ij} - 1[j = p(i)]",
    statement=r"\partial \ell_i / \partial L_{kj} = \delta_{ik} (P_{ij} - 1[j = p(i)]): no other row enters.",
    verdict=Verdict.PROVED,
)
def row_by_logit() -> Proof:
    error = one_if(i, k) * (P[i, j] - one_if(j, p[i]))
    last = one_if(i, k) * G[i, j]
    return derive(Partial(ell[i], L[k, j]), (DERIVATIVE, error), (DEFINITION, last), names=NAMES, facts=FACTS)


@claim(
    "D1.8",
    printed=r"\partial \mathcal{L} / \partial L_{ij} = (P_{ij} - 1[j = p(i)]) / N",
    statement="As printed, the N² entries of L being independent variables; ν = N for the mean.",
    verdict=Verdict.PROVED,
)
def loss_by_logit() -> Proof:
    return derive(
        Partial(loss, L[i, j]),
        (DERIVATIVE, (P[i, j] - one_if(j, p[i])) / nu),
        (DEFINITION, G[i, j] / nu),
        names=NAMES,
        facts=FACTS,
    )


@claim(
    "D1.11",
    printed=r"G_{ij} = P_{ij} - 1_{j=p(i)}",
    statement=r"A definition; every row of G sums to zero: \sum_j G_{ij} = 0.",
    verdict=Verdict.PROVED,
)
def error_rows_sum_to_zero() -> Proof:
    return derive(
        total(G[i, j], (j, N)),
        (DEFINITION, total(P[i, j], (j, N)) - 1),
        (DEFINITION, one_if(i, i) * 0),
        names=NAMES,
        facts=FACTS,
    )


def row_by_temperature() -> tuple[Proof, ...]:
    """dℓ/dτ, and with β = 1/τ both dℓ/dβ and d²ℓ/dβ², a variance [M7]."""
    mean = total(P[i, j] * s[i, j], (j, N))
    cold = (Definition(L[i, j], s[i, j] / tau), *NAMES)
    by_temperature = derive(
        Partial(ell[i], tau), (DERIVATIVE, (s[i, p[i]] - mean) / tau**2), names=cold, facts=FACTS
    )
    warm = (Definition(L[i, j], s[i, j] * beta), *NAMES)
    slope = derive(Partial(ell[i], beta), (DERIVATIVE, mean - s[i, p[i]]), names=warm, facts=FACTS)
    square = total(P[i, j] * s[i, j] ** 2, (j, N))
    spread = total(P[i, j] * (s[i, j] - total(P[i, m] * s[i, m], (m, N))) ** 2, (j, N))
    curvature = derive(
        Partial(Partial(ell[i], beta), beta),
        (DERIVATIVE, square - mean**2),
        (DEFINITION, spread),  # a mean of squares
        names=warm,
        facts=FACTS,
    )
    return by_temperature, slope, curvature


@claim(
    "S1",
    printed="",
    statement=r"\ell_i = \log(1 + \exp(\mathrm{LSE}_{j \ne p(i)} L_{ij} - L_{i,p(i)})): the softplus form,"
    " which keeps relative accuracy as the loss goes to 0.",
    verdict=Verdict.PROVED,
)
def softplus_form() -> Proof:
    others = log(total(Differ(k, p[i]) * exp(L[i, k]), (k, N)))
    return derive(ell[i], (DEFINITION, log(1 + exp(others - L[i, p[i]]))), names=NAMES, facts=FACTS)


@claim(
    "S2",
    printed="",
    statement=r"1 - P_{i,p(i)} = \sum_{j \ne p(i)} P_{ij}: the probabilities of the others, which do not cancel.",
    verdict=Verdict.PROVED,
)
def others_sum() -> Proof:
    others = total(Differ(j, p[i]) * P[i, j], (j, N))
    return derive(
        1 - P[i, p[i]],
        (DEFINITION, total(P[i, j], (j, N)) - P[i, p[i]]),
        (SUMS, others),
        names=NAMES,
        facts=FACTS,
    )


@claim(
    "S3",
    printed="",
    statement=r"A logit s/\tau rounded to a dtype errs by up to \frac{1}{2} eps |s|/\tau. With one negative,"
    r" \ell = \log(1 + e^x) and x = (s_n - s_p)/\tau, an error of x becomes a relative error of \ell that is P_p"
    r" to 1 times as large, since e^x/(1 + e^x) \le \ell \le e^x. So no dtype gives a relative error below the"
    r" order of eps/\tau; tolerances are multiples of eps \max(1, 1/\tau).",
    verdict=Verdict.CHECKED,
)
def rounded_logits() -> tuple[Proof | Bound | Counterexample, ...]:
    x = Symbol("x", real=True)
    odds = exp(x)
    single = log(1 + odds)
    above = bound(single, Use(Integer(1), 1 + odds), last=odds, facts=FACTS)
    below = bound(-single, Use(Integer(1), 1 / (1 + odds)), last=-odds / (1 + odds), facts=FACTS)
    eps, worst = mpmath.mpf(2) ** -52, {}
    for temperature in (0.1, 0.01, 0.001):
        worst[temperature] = max(_error(step / 64, temperature) for step in range(33, 64))
    return (
        *lemma(),
        derive(Partial(single, x), (DERIVATIVE, odds / (1 + odds)), facts=FACTS),
        above,
        below,
        counterexample(
            "s_n = −s_p/2, logits in float64, the rest in 50 digits: from 1/8 eps/τ up to at most 3/4 eps/τ",
            all(1 / 8 < error * t / eps < 3 / 4 for t, error in worst.items()),
            {f"largest relative error at τ = {t}": f"{float(e / eps):.3g} eps" for t, e in worst.items()},
        ),
    )


def _error(positive: float, temperature: float) -> mpmath.mpf:
    """The relative error of ℓ that the rounding of its two logits makes."""
    with mpmath.workdps(50):
        scores = (positive, -positive / 2)
        exact, rounded = (
            mpmath.log1p(mpmath.exp(logits[1] - logits[0]))
            for logits in (
                [mpmath.mpf(s) / mpmath.mpf(temperature) for s in scores],
                [mpmath.mpf(s / temperature) for s in scores],
            )
        )
        return abs(rounded / exact - 1)
