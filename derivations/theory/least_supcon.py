"""The minimum of SupCon for unit rows: each class in one point, the points at the corners of a regular simplex."""

from collections.abc import Callable

from sympy import Expr, Symbol, exp, log, sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import Bound, Sign, Use, bound, nonnegative, positive
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.sums import Facts
from ..symbols import K, L, M, d, ell_in, f, i, j, k, level, m, norm, p, tau, w, z

# M + 1 classes of K + 1 rows: row i of class k
MEMBERS, CLASSES = K + 1, M + 1
ROWS = CLASSES * MEMBERS
FACTS = Facts(
    ranges={k: CLASSES, m: CLASSES, i: MEMBERS, j: MEMBERS, f: d},
    maps={p: (MEMBERS, MEMBERS)},
    derangements=(p,),
)

NORM = Definition(norm[k, i], sqrt(total(w[k, i, f] ** 2, (f, d))))
UNIT = Definition(z[k, i, f], w[k, i, f] / norm[k, i])
LOGITS = Definition(L[k, i, m, j], total(z[k, i, f] * z[m, j, f], (f, d)) / tau)


def of_positives(logit: Callable[[Expr], Expr]) -> Expr:
    """Σ e^L over the positives. p(i) is one of them, separated so that the sum is visibly > 0."""
    rest = total(Differ(j, i) * Differ(j, p[i]) * exp(logit(j)), (j, MEMBERS))
    return exp(logit(p[i])) + rest


def of_negatives(logit: Expr) -> Expr:
    """Σ e^L over the rows of other classes."""
    return total(Differ(m, k) * exp(logit), (j, MEMBERS), (m, CLASSES))


def own_logit(j: Expr) -> Expr:
    """The logit of a row with another of its class."""
    return L[k, i, k, j]


OWN, OTHERS = of_positives(own_logit), of_negatives(L[k, i, m, j])
IN = Definition(ell_in[k, i], log(K) + log(OWN + OTHERS) - log(OWN))
step = Symbol("t", real=True)
STEP = Definition(step, -CLASSES / (M * tau))
LEVEL = Definition(level, K + M * MEMBERS * exp(step))
NAMES = (NORM, UNIT, LOGITS, IN)
SIMPLEX = (*NAMES, STEP, LEVEL)

ALL = ((i, MEMBERS), (k, CLASSES))
WITHIN, ACROSS = ((j, MEMBERS), *ALL), ((j, MEMBERS), (m, CLASSES), *ALL)


def apart(j: Expr) -> Expr:
    """‖z − z′‖² of two rows of a class."""
    return total((z[k, i, f] - z[k, j, f]) ** 2, (f, d))


CENTRE = total(total(z[k, i, f], *ALL) ** 2, (f, d))
PAIRS = total(apart(j), *WITHIN) / 2
NEAR = exp(L[k, i, k, j] - 1 / tau)
WEIGHED = M * MEMBERS / K * total(Differ(j, i) * NEAR * apart(j), *WITHIN) / 2


def prove(first: Expr, *steps, names=NAMES) -> Proof:
    return derive(first, *steps, names=names, facts=FACTS)


def least() -> tuple[Bound, Sign]:
    """log Λ + squares ≤ the mean loss − squares, as in M4: the lemma at roots, and once more for the positives."""
    t, flat = STEP.body, K + M * MEMBERS * exp(STEP.body)
    whole = OWN + OTHERS  # e^ℓ is K times it, over the positives' part
    negative = Differ(m, k)
    weight = M * MEMBERS * exp(t) / (ROWS * flat)
    uses = (
        Use(2 * K / (ROWS * flat), sqrt(flat) * sqrt(OWN), ALL, sqrt(K) * sqrt(whole)),
        Use(
            2 * negative * exp(t) / (ROWS * flat),
            exp((L[k, i, m, j] - t) / 2) * sqrt(flat),
            ACROSS,
            sqrt(whole),
        ),
        Use(weight, OWN * exp(-1 / tau) / K, ALL),
        Use(weight / K * Differ(j, i) * NEAR, 1 / NEAR, WITHIN),
    )
    squares = K * total((sqrt(level) * exp(-ell_in[k, i] / 2) - 1) ** 2, *ALL)
    squares += exp(step) * total(
        negative * (sqrt(level) * exp((L[k, i, m, j] - step - ell_in[k, i]) / 2) / sqrt(OWN / K) - 1) ** 2,
        *ACROSS,
    )
    squares = squares / (ROWS * level)
    above = exp(step) * (CENTRE + PAIRS + WEIGHED)
    first = log(level) + above / (ROWS * tau * level) - total(ell_in[k, i], *ALL) / ROWS
    return bound(first, *uses, last=-squares, names=SIMPLEX, facts=FACTS), nonnegative(squares, names=NAMES)


def floor(below: Bound, squares: Sign) -> Chain:
    """log Λ ≤ the mean of ℓ: no square is negative."""
    mean = total(ell_in[k, i], *ALL) / ROWS
    above = exp(step) * (CENTRE + PAIRS + WEIGHED) / (ROWS * tau * level)
    return Chain((below, squares, nonnegative(above, names=NAMES)), both=mean - above)


@claim(
    "R19",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"Let each of M + 1 classes have K + 1 unit rows $z_{ki}$ with the logits «least.where L», and"
    r" let $p(i)$ be any of the K positives of row $i$. SupCon with the mean inside is «least.where ℓⁱⁿ»."
    r" With «least.where Λ» and «least.where t», «least». None of these sums is negative, «squares»,"
    r" «centre», «pairs» and «near»: so «floor», and with the mean outside"
    r" the loss is never smaller (R6). That is above R6's floor, the logarithm of K, as «more» and"
    r" «excess». Equality holds only where all squares vanish: each class is one point, the points sum to"
    r" 0, and two of them have the cosine «cosine», a regular simplex, which needs M features (M4). There"
    r" it does hold, with the mean inside, «in», and outside, «out». Nothing is proved here of classes of"
    r" unequal sizes, whose cosines depend on the sizes, as A Unified Geometric Framework for Weighted"
    r" Contrastive Learning (Vock, Duchesnay and Dufumier, 2026) has it. That the loss is least where classes"
    r" collapse to a simplex was shown in Dissecting Supervised Contrastive Learning (Graf et al., 2021).",
    brief="Let each of M + 1 classes have K + 1 unit rows. No mean loss of SupCon, with the mean inside or"
    " outside the logarithm, is below the logarithm of $Λ$, «floor», with «least.where Λ» and «least.where"
    " t». It is reached just where each class is one row and the classes form a regular simplex.",
)
def least_supcon() -> dict[str, Piece]:
    lowest, squares = least()
    own, others = of_positives(lambda _: 1 / tau), of_negatives(-1 / (M * tau))
    mean = total(Differ(j, i) / tau, (j, MEMBERS)) / K
    excess = M * MEMBERS / K * exp(step)
    return {
        "least": lowest,
        "squares": squares,
        "floor": floor(lowest, squares),
        "centre": nonnegative(CENTRE, names=NAMES),
        "pairs": nonnegative(PAIRS, names=NAMES),
        "near": nonnegative(WEIGHED, names=NAMES),
        "more": prove(level / K, (DEFINITION, 1 + excess), names=SIMPLEX),
        "excess": positive(excess),
        "cosine": prove(1 + tau * step, (DEFINITION, -1 / M), names=SIMPLEX),
        "in": prove(log(K) + log(own + others) - log(own), (DEFINITION, log(level)), names=SIMPLEX),
        "out": prove(log(own + others) - mean, (DEFINITION, log(level)), names=SIMPLEX),
    }
