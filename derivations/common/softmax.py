"""Softmax and cross-entropy: the loss of one row of logits, its derivatives, and the forms that do not cancel.

Here the N² logits are independent variables.
"""

import sys
from collections.abc import Iterator
from fractions import Fraction

from sympy import IndexedBase, Integer, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, measured
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, lemma, nonnegative, positive
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from ..prover.sums import Facts
from ..symbols import G, L, N, P, beta, ell, i, j, k, loss, m, nu, p, s, tau

FACTS = Facts(ranges={i: N, j: N, k: N}, maps={p: (N, N)})

SOFTMAX = Definition(P[i, j], exp(L[i, j]) / total(exp(L[i, k]), (k, N)))  # [D1.3]
ROW = Definition(ell[i], -log(P[i, p[i]]))  # [D1.6]
ERROR = Definition(G[i, j], P[i, j] - one_if(j, p[i]))  # [D1.11]
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)  # [D1.4]
NAMES = (SOFTMAX, ROW, ERROR, LOSS)
EPS = sys.float_info.epsilon


@claim(
    "D1.6",
    printed=r"$\ell_i = -\log P_{i,p(i)}$",
    verdict=Verdict.DEFINITION,
    says="«loss», where «positive»: the logarithm of the row's sum, less the logit of the positive,"
    " «difference».",
)
def row_loss() -> dict[str, Piece]:
    lse = log(total(exp(L[i, k]), (k, N))) - L[i, p[i]]
    return {
        "loss": ROW,
        "positive": positive(P[i, p[i]], names=NAMES),
        "difference": derive(ell[i], (DEFINITION, lse), names=NAMES, facts=FACTS),
    }


@claim(
    "D1.7",
    printed=r"$\frac{\partial \ell_i}{\partial L_{ij}} = P_{ij} - [1 : j = p(i), 0 : j \neq p(i)]$",
    verdict=Verdict.PROVED,
    says="«derivative.chain»: as printed for the logits of the row itself, and those of other rows do not enter.",
)
def row_by_logit() -> dict[str, Piece]:
    error = one_if(i, k) * (P[i, j] - one_if(j, p[i]))
    steps = (DERIVATIVE, error), (DEFINITION, one_if(i, k) * G[i, j])
    return {"derivative": derive(Partial(ell[i], L[k, j]), *steps, names=NAMES, facts=FACTS)}


@claim(
    "D1.8",
    printed=r"$\frac{\partial \mathcal{L}}{\partial L_{ij}} = \frac{1}{N} (P_{ij} - \mathbb{1}_{j=p(i)})$",
    verdict=Verdict.PROVED,
    says=r"«derivative.chain», the N² entries of $L$ being independent variables, and $\nu$ the number of rows.",
)
def loss_by_logit() -> dict[str, Piece]:
    steps = (DERIVATIVE, (P[i, j] - one_if(j, p[i])) / nu), (DEFINITION, G[i, j] / nu)
    return {"derivative": derive(Partial(loss, L[i, j]), *steps, names=NAMES, facts=FACTS)}


@claim(
    "D1.11",
    printed=r"$G_{ij} = P_{ij} - \mathbb{1}_{j=p(i)}$",
    verdict=Verdict.DEFINITION,
    says="«error». Every row of it sums to zero: «sum».",
)
def error_rows_sum_to_zero() -> dict[str, Piece]:
    steps = (DEFINITION, total(P[i, j], (j, N)) - 1), (DEFINITION, Integer(0))
    return {"error": ERROR, "sum": derive(total(G[i, j], (j, N)), *steps, names=NAMES, facts=FACTS)}


def row_by_temperature() -> dict[str, Piece]:
    """dℓ/dτ, and with β = 1/τ both dℓ/dβ and d²ℓ/dβ², a variance [M7]."""
    mean = total(P[i, j] * s[i, j], (j, N))
    cold = (Definition(L[i, j], s[i, j] / tau), *NAMES)
    warm = (Definition(L[i, j], s[i, j] * beta), *NAMES)
    square = total(P[i, j] * s[i, j] ** 2, (j, N))
    spread = total(P[i, j] * (s[i, j] - total(P[i, m] * s[i, m], (m, N))) ** 2, (j, N))
    return {
        "by temperature": derive(
            Partial(ell[i], tau), (DERIVATIVE, (s[i, p[i]] - mean) / tau**2), names=cold, facts=FACTS
        ),
        "slope": derive(Partial(ell[i], beta), (DERIVATIVE, mean - s[i, p[i]]), names=warm, facts=FACTS),
        "curvature": derive(
            Partial(Partial(ell[i], beta), beta),
            (DERIVATIVE, square - mean**2),
            (DEFINITION, spread),  # a mean of squares
            names=warm,
            facts=FACTS,
        ),
        "convex": nonnegative(spread, names=warm),
    }


@claim(
    "S1",
    verdict=Verdict.PROVED,
    says="The surprise at the positive of a softmax is a softplus, «softplus», where «softplus.where x» is the"
    " logarithm of what the others weigh, less the positive's logit. As the loss goes to 0, an error of $x_i$"
    " becomes a relative error of the loss that is no larger (S3).",
)
def softplus_form() -> dict[str, Piece]:
    x = IndexedBase("x", real=True)
    others = log(total(Differ(k, p[i]) * exp(L[i, k]), (k, N)))
    names = (*NAMES, Definition(x[i], others - L[i, p[i]]))
    return {"softplus": derive(ell[i], (DEFINITION, log(1 + exp(x[i]))), names=names, facts=FACTS)}


@claim(
    "S2",
    verdict=Verdict.PROVED,
    says="«others»: the probabilities of the others, all of them positive, «positive», so that nothing cancels.",
)
def others_sum() -> dict[str, Piece]:
    others = total(Differ(j, p[i]) * P[i, j], (j, N))
    steps = (DEFINITION, total(P[i, j], (j, N)) - P[i, p[i]]), (SUMS, others)
    return {
        "others": derive(1 - P[i, p[i]], *steps, names=NAMES, facts=FACTS),
        "positive": positive(P[i, j], names=NAMES),
    }


@claim(
    "S3",
    verdict=Verdict.CHECKED,
    says="With one negative, whose logit is $x$ above that of the positive, «slope». As «above» and «below», an"
    " error of $x$ becomes a relative error of the loss that is between $P_p$ and 1 times as large. A logit"
    r" $s/\tau$ is rounded by up to half an eps of itself. So much is lost before the loss begins, in float64:"
    r" «rounded»; and tolerances are multiples of $\mathrm{eps} \max(1, 1/\tau)$.",
)
def rounded_logits() -> dict[str, Piece]:
    x = Symbol("x", real=True)
    odds = exp(x)
    single = log(1 + odds)
    after, before = lemma()
    return {
        "slope": derive(Partial(single, x), (DERIVATIVE, odds / (1 + odds)), facts=FACTS),
        "above": bound(single, Use(Integer(1), 1 + odds), last=odds, facts=FACTS),
        "below": bound(-single, Use(Integer(1), 1 / (1 + odds)), last=-odds / (1 + odds), facts=FACTS),
        "lemma, right of 1": after,
        "lemma, left of 1": before,
        "rounded": measured(
            "the largest error of x, the positive's score being s_p and the negative's −s_p/2",
            _largest_errors,
            scores=[Fraction(step, 64) for step in range(33, 64, 5)],
            inverse_temperatures=[10, 100, 1000],
        ),
    }


def _largest_errors(scores, inverse_temperatures) -> Iterator[Finding]:
    """At each temperature, the largest errors for x in float64, in units of eps/τ; numbers are exact fractions."""
    largest = []
    for temperature in (1 / inverse for inverse in inverse_temperatures):
        rounded = [Fraction(float(-s / 2) / temperature) - Fraction(float(s) / temperature) for s in scores]
        exact = [(-s / 2 - s) / Fraction(temperature) for s in scores]
        error = max(abs(x - y) for x, y in zip(rounded, exact, strict=True))
        largest.append(error / Fraction(EPS) * Fraction(temperature))
    yield Finding(min(largest), ">", Fraction(1, 8), ("error · τ/eps, where it is least", ""))
    yield Finding(max(largest), "<", Fraction(3, 4), ("where it is largest", ""))
