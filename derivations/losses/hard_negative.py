"""Debiased and hard negatives: NT-Xent with weighted negatives and a correction for the anchor's own class
(document F).

The estimate for the negatives may fall below its lower bound and is clamped there: η⁻ is 1 if it is above the
bound.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import mpmath
from mpmath import mpf
from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common.pairs import divisor, positives
from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, Relation, example, holds
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, nonnegative, positive
from ..prover.notation import Definition, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..symbols import (
    G,
    L,
    N,
    P,
    above,
    d,
    ell,
    ell_decoupled,
    estimated_negatives,
    f,
    floor,
    floored,
    hardness,
    hardness_power,
    i,
    is_negative,
    j,
    k,
    loss,
    m,
    nu,
    p,
    prior_of_class,
    reweighed,
    rho,
    s,
    tau,
    w,
    z,
)
from . import ntxent
from .dcl import negative
from .ntxent import BY_ROW, LOGITS, LOSS

FACTS = replace(ntxent.FACTS, masks=(is_negative, above))
MASK = Definition(is_negative[i, j], negative(i, j))  # for a proof that uses the values of the mask


def over_negatives(term: Callable[[Expr], Expr]) -> Expr:
    """Σ over k ≠ i, p(i)."""
    return total(is_negative[i, m] * term(m), (m, N))


def soft(candidate: Expr) -> Expr:
    """e^{βL_ij}; the weight of a negative is proportional to it."""
    return exp(hardness_power * L[i, candidate])


WEIGHTS = Definition(hardness[i, j], (N - 2) * soft(j) / over_negatives(soft))
REWEIGHED = Definition(reweighed[i], over_negatives(lambda j: hardness[i, j] * exp(L[i, j])))
FLOOR = Definition(floor, (N - 2) * exp(-1 / tau))
POSITIVE = exp(L[i, p[i]])
ESTIMATE = (reweighed[i] - prior_of_class * (N - 2) * POSITIVE) / (1 - prior_of_class)
# max(estimate, floor) in its two cases: η⁻ = 1 if the estimate is larger, and η⁻ = 0 otherwise, also at a tie
ESTIMATED = Definition(estimated_negatives[i], above[i] * ESTIMATE + (1 - above[i]) * floor)
DENOMINATOR = POSITIVE + estimated_negatives[i]
ROW = Definition(ell[i], log(DENOMINATOR) - L[i, p[i]])

SHARE = Definition(rho[i, j], is_negative[i, j] * soft(j) / over_negatives(soft))
CHANCE = Definition(
    P[i, j],
    above[i] * is_negative[i, j] * hardness[i, j] * exp(L[i, j]) / ((1 - prior_of_class) * DENOMINATOR),
)
# the floor is N − 2 candidates at the cosine −1
FLOORED = Definition(floored[i], (1 - above[i]) * floor / DENOMINATOR)
NEGATIVES = total(P[i, m], (m, N))
ERROR = Definition(
    G[i, j],
    (1 + hardness_power) * P[i, j]
    - hardness_power * rho[i, j] * NEGATIVES
    - one_if(j, p[i]) * (NEGATIVES + floored[i]),
)
NAMES = (
    NORM,
    UNIT,
    COSINE,
    LOGITS,
    WEIGHTS,
    REWEIGHED,
    FLOOR,
    ESTIMATED,
    ROW,
    LOSS,
    SHARE,
    CHANCE,
    FLOORED,
    ERROR,
)

BY_TEMPERATURE = (total(floored[i], (i, N)) / tau - total(G[i, j] * L[i, j], (j, N), (i, N))) / (nu * tau)


def _is_above(row, rows, partner, temperature, beta, prior) -> int:
    scores = [mpmath.exp(mpmath.fdot(rows[row], other) / temperature) for other in rows]
    negatives = [score for other, score in enumerate(scores) if other not in (row, partner)]
    weights = [score**beta for score in negatives]
    mean = mpmath.fdot(weights, negatives) / sum(weights)
    return int(mean - prior * scores[partner] > (1 - prior) * mpmath.exp(-1 / mpf(temperature)))


def _bind(w, *, temperature, beta, prior, layout="concatenated", reduction="mean") -> dict:
    partners = positives(len(w), layout)
    units = [[x / mpmath.norm(row) for x in row] for row in w]
    clamps = [
        _is_above(row, units, partner, temperature, beta, prior) for row, partner in enumerate(partners)
    ]
    rows = range(len(w))
    mask = [[int(other not in (row, partners[row])) for other in rows] for row in rows]
    sizes = {N: len(w), d: len(w[0]), nu: divisor(len(w), reduction)}
    options = {tau: temperature, hardness_power: beta, prior_of_class: prior}
    return sizes | options | {symbols.w: w, p: partners, is_negative: mask, above: clamps}


STATEMENT = with_weights(
    Statement(
        loss="hard_negative",
        form=loss,
        names=NAMES,
        gradients={
            "w": gradient(w[k, f], BY_ROW, "F30", loss=loss, names=NAMES, facts=FACTS),
            "temperature": gradient(tau, BY_TEMPERATURE, "F30", loss=loss, names=NAMES, facts=FACTS),
        },
        bind=_bind,
    ),
    weigh_row(CHANCE),
    weigh_row(FLOORED),
    facts=FACTS,
)


OPEN, SHUT = (Definition(above[i], Integer(case)) for case in (1, 0))


def prove(first: Expr, last: Expr, *names: Definition) -> Proof:
    """In one line by the definitions, and by these; what they define is no mask to be assumed."""
    given = {name.head.base for name in names if name in (MASK, OPEN, SHUT)}
    facts = replace(FACTS, masks=tuple(mask for mask in FACTS.masks if mask not in given))
    return derive(first, (DEFINITION, last), names=(*NAMES, *names), facts=facts)


@claim(
    "F29",
    printed=r"$-\log \frac{e^{f(x)^T f(x^+)}}{e^{f(x)^T f(x^+)} + N g}$,"
    r" $g = \max \{\frac{1}{\tau^-} (\frac{1}{N} \sum_{i=1}^N e^{f(x)^T f(u_i)} - \tau^+ \frac{1}{M} \sum_{i=1}^M"
    r" e^{f(x)^T f(v_i)}), e^{-1/t}\}$; hard negatives: $\frac{Q}{\tau^-}"
    r" (\mathbb{E}_{x^- \sim q_\beta}[e^{f(x)^T f(x^-)}] - \tau^+ \mathbb{E}_{v \sim q_\beta^+}[e^{f(x)^T f(v)}])$",
    verdict=Verdict.DEFINITION,
    says="«row», so that «printed», with the positive as the one $v$, and the other rows of both views,"
    " «count» of them, as the $u$. They count as «reweighed», by «weights», of which the sum is «sum». Where"
    " «open.where η⁻» the estimate is «open», and where «shut.where η⁻» the least that it can be, «shut». It takes"
    " the larger: what it estimates is a sum of «positive», but the estimate can be «below».",
)
def definition() -> dict[str, Piece]:
    one = {N: 4, p: [2, 3, 0, 1], w: [[1], [-1], [1], [-1]], is_negative: [[0, 1, 0, 1]], i: 0, d: 1}
    at = {tau: Fraction(1), hardness_power: 0, prior_of_class: Fraction(1, 2)}
    estimate = Relation(ESTIMATE, "<", Integer(0))
    return {
        "row": ROW,
        "printed": derive(exp(-ell[i]), (DEFINITION, POSITIVE / DENOMINATOR), names=(ROW,), facts=FACTS),
        "count": derive(total(negative(i, j), (j, N)), (SUMS, N - 2), facts=ntxent.FACTS),
        "reweighed": REWEIGHED,
        "weights": WEIGHTS,
        "sum": prove(over_negatives(lambda j: hardness[i, j]), N - 2),
        "open": prove(estimated_negatives[i], ESTIMATE, OPEN),
        "shut": prove(estimated_negatives[i], (N - 2) * exp(-1 / tau), SHUT),
        "positive": positive(exp(L[i, j])),
        "below": holds("two pairs, opposite", estimate, one | at, names=NAMES),
    }


@claim(
    "F30",
    verdict=Verdict.PROVED,
    says="«w» and «temperature», where «w.where G»; the weights are differentiated with the rest, and the"
    " floor by the temperature. «w.where P» is the share of a negative in the denominator, and 0 with the"
    " estimate clamped: then no negative is pushed, and the positive is pulled by what the floor takes. At"
    " the tie both cases meet and there is no derivative, «kink»: that it is clamped there is a convention."
    " Each row of $G$ sums to minus what the floor takes, «sum».",
)
def gradients() -> dict[str, Piece]:
    def kink(floor, positive, prior, step) -> Finding:
        """e^ℓ of one negative, at the floor, where its e^s/τ moves."""

        def slope(step: Fraction) -> Fraction:
            estimate = (floor + step - prior * positive) / (1 - prior)
            return (max(estimate, floor) - floor) / (positive * step)

        return Finding(slope(step), "≠", slope(-step), ("slope ahead", "slope behind"))

    return {
        **{name: by.prove() for name, by in STATEMENT.gradients.items()},
        "sum": prove(total(G[i, j], (j, N)), -floored[i]),
        "kink": example(
            "one negative and the positive, both opposite",
            kink,
            floor=Fraction(1, 2),
            positive=Fraction(1, 2),
            prior=Fraction(1, 10),
            step=Fraction(1, 100),
        ),
    }


@claim(
    "F31",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="With the prior 0 nothing is clamped, but where all negatives are opposite. The estimate is then"
    " above its floor by «excess»; and «bracket», where «least», and «opposite» is not negative, «square»."
    " So the loss is the softplus of DHN-NCE's row, its candidates those of both views: «softplus», where"
    " «softplus.where ℓᵈ». With the hardness 0 too it is NT-Xent, «ntxent».",
)
def to_other_losses() -> dict[str, Piece]:
    no_prior, soft_weights = Definition(prior_of_class, Integer(0)), Definition(hardness_power, Integer(0))
    weighed = Definition(ell_decoupled[i], log(reweighed[i]) - L[i, p[i]])
    above_least = total(is_negative[i, m] * hardness[i, m] * (exp(L[i, m]) - exp(-1 / tau)), (m, N))
    square = total((z[i, f] + z[j, f]) ** 2, (f, d)) / 2
    bracket, opposite = exp(1 / tau) * (exp(L[i, j]) - exp(-1 / tau)), exp((1 + s[i, j]) / tau)
    return {
        "excess": prove(ESTIMATE - floor, above_least, no_prior),
        "bracket": prove(bracket, opposite - 1),
        "least": bound((1 + s[i, j]) / tau, Use(Integer(1), opposite), last=opposite - 1, facts=FACTS),
        "opposite": prove(1 + s[i, j], square),
        "square": nonnegative(square),
        "softplus": prove(ell[i], log(1 + exp(ell_decoupled[i])), no_prior, weighed, OPEN),
        "ntxent": prove(ell[i], ntxent.ROW.body, no_prior, soft_weights, OPEN, MASK),
    }
