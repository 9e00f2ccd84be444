"""The resting point of a learned temperature, for fixed scores.

By convexity in β = 1/τ (M7): the slope of the loss rises with β, so its two limits decide.
"""

from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, Integer, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.points import Numbers, Rows
from ..evidence.verdicts import Verdict
from ..losses import clip
from ..prover.inequality import Use, bound, nonnegative, positive
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    A,
    B,
    L,
    N,
    P,
    a,
    beta,
    columns,
    ell,
    i,
    j,
    log_scale,
    loss,
    m,
    n,
    nu,
    other,
    own_score,
    p,
    s,
    short,
)

FACTS = Facts(ranges={i: N, a: A}, maps={p: (N, A), other: (N, A)})


def logits(inverse: Expr) -> tuple[Definition, ...]:
    """Logits, softmax and loss at an inverse temperature."""
    return (
        Definition(L[i, a], inverse * s[i, a]),
        Definition(P[i, a], exp(L[i, a]) / total(exp(L[i, m]), (m, A))),
        Definition(ell[i], log(total(exp(L[i, m]), (m, A))) - L[i, p[i]]),
        Definition(loss, total(ell[i], (i, N)) / nu),
    )


NAMES = logits(beta)
MEAN = total(P[i, a] * s[i, a], (a, A))  # E_P[s] of a row
SLOPE = total(MEAN - s[i, p[i]], (i, N))  # ν ∂𝓛/∂β
PAIRS = total(P[i, a] * P[i, n] * (s[i, a] - s[i, n]) ** 2, (n, A), (a, A), (i, N)) / (2 * nu)


def prove(first: Expr, *steps, names: tuple[Definition, ...] = NAMES) -> Proof:
    return derive(first, *steps, names=names, facts=FACTS)


def no_mistake() -> Proof:
    """The slope where no candidate scores more than the positive."""
    scored = Definition(s[i, a], own_score[i] - Differ(a, p[i]) * short[i, a])
    return prove(SLOPE, (DEFINITION, -SHORT), names=(*NAMES, scored))


SHORT = total(Differ(a, p[i]) * P[i, a] * short[i, a], (a, A), (i, N))


def cold() -> Chain:
    """β Σ (s_io − E_P[s]) − N log A ≤ 0, of any candidates o(i): the entropy of P is at most log A, and log Σ
    e^{βs} is at least any β s_io."""
    others = total(Differ(a, other[i]) * P[i, a], (a, A), (i, N))
    ahead = beta * total(s[i, other[i]] - s[i, p[i]], (i, N)) - N * log(A)
    below = bound(
        ahead - beta * SLOPE,
        Use(Integer(1), exp(L[i, other[i]]), ((i, N),), total(exp(L[i, m]), (m, A))),
        Use(P[i, a], 1 / A, ((a, A), (i, N)), P[i, a]),
        last=-others,
        names=NAMES,
        facts=FACTS,
    )
    return Chain((below, nonnegative(others, names=NAMES)), both=beta * SLOPE)


def images_and_texts() -> Proof:
    """CLIP's slope: of the rows and of the columns."""
    names = (Definition(L[i, j], beta * s[i, j]), clip.ROWS, clip.COLUMNS, clip.PAIR, clip.LOSS)
    rows, by_column = (
        total(total(share[i, j] * s[i, j], (j, B)) - s[i, i], (i, B)) for share in (P, columns)
    )
    return derive(
        Partial(loss, beta), (DERIVATIVE, (rows + by_column) / (2 * B)), names=names, facts=clip.FACTS
    )


def slopes(scores: Rows, bases: Numbers) -> Iterator[Finding]:
    """The positive comes first; e^β = b."""
    for b, sign in zip(bases, "<=>", strict=True):
        slope = Fraction(0)
        for row in scores:
            weights = [b ** int(score) for score in row]
            slope += sum(w * score for w, score in zip(weights, row, strict=True)) / sum(weights) - row[0]
        yield Finding(slope, sign, 0, (f"ν ∂𝓛/∂β where e^β is {b}", ""))


@claim(
    "R1",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"With $β$ for $1/τ$, the scores fixed: «slope», of «slope.where 𝓛» with «slope.where ℓ»,"
    r" «slope.where P» and «slope.where L», which rises with $β$, as «curvature» and «convex», strictly,"
    r" unless the scores of every row are tied, for P is positive, «share». Two ends settle where it is 0."
    r" At $β$ 0, «hot.where L», the sum of the rows' slopes is «hot»; and for any candidates $o(i)$"
    r" «cold». So: (1) Let no candidate score more than its positive, «right.where s». Then the slope is"
    r" nowhere positive, «right», «right sign»: a scale that is learned climbs into its clamp. (2) Let the"
    r" positives' scores sum to no more than the means of all rows do, whatever single rows do, so that"
    r" the slope at 0 is not negative. Then the slope is positive wherever $β$ is, and $β$ falls to 0. (3)"
    r" Otherwise let $o(i)$ be the best candidate of each row. The slope is negative at 0, positive as"
    r" soon as $β$ is above $N \log A$ over the sum of all $s_{i o(i)} - s_{i p(i)}$, and 0 at exactly one"
    r" $β$, where the positives' scores sum to the expected ones. For cosines no slope of a row rises"
    r" faster than 1, «room», so that this $β$ is at least the mean by which positives score above the"
    r" means of their rows. «example». CLIP's slope is «clip», that of the B rows and the B columns, with"
    r" «clip.where 𝓛», «clip.where ℓ», «clip.where P» and «clip.where L»; by the logarithm $υ$ of the"
    r" scale it is «log scale», 0 at the same place. Users see the clamp reached: issue 214 of open_clip."
    r" That an estimate exists unless the scores separate is said of logistic regression in On the Existence"
    r" of Maximum Likelihood Estimates in Logistic Regression Models (Albert and Anderson, 1984), of which the"
    r" one parameter $β$ is a case; of the bounds on $β$ we know no source.",
    brief=r"By $β$, one over the temperature, the loss has the slope «slope»: how far the expected scores are above"
    r" the positives'. It rises with $β$, so that there are three cases. If no candidate scores more than its"
    r" positive, a learned scale climbs into its clamp. If the positives do not score more than the average, summed"
    r" over the rows, it falls to 0. Otherwise it stops at the one $β$ where the positives score as is expected.",
)
def learned_temperature() -> dict[str, Piece]:
    spread = total(P[i, a] * (s[i, a] - total(P[i, n] * s[i, n], (n, A))) ** 2, (a, A))
    room = total(P[i, a] * (1 - s[i, a] ** 2), (a, A)) + MEAN**2
    scale = Definition(beta, exp(log_scale))
    return {
        "slope": prove(Partial(loss, beta), (DERIVATIVE, SLOPE / nu)),
        "curvature": prove(Partial(Partial(loss, beta), beta), (DERIVATIVE, PAIRS)),
        "convex": nonnegative(PAIRS, names=NAMES),
        "share": positive(P[i, a], names=NAMES),
        "hot": prove(
            SLOPE,
            (DEFINITION, total(total(s[i, a], (a, A)) / A - s[i, p[i]], (i, N))),
            names=logits(Integer(0)),
        ),
        "cold": cold(),
        "right": no_mistake(),
        "right sign": nonnegative(SHORT, names=NAMES),
        "room": prove(1 - spread, (DEFINITION, room)),
        "example": example(
            "one positive is second of two, two are first",
            slopes,
            scores=Rows([[0, 1], [1, 0], [1, 0]]),
            bases=Numbers([1, 2, 4]),
        ),
        "clip": images_and_texts(),
        "log scale": prove(Partial(loss, log_scale), (DERIVATIVE, beta * SLOPE / nu), names=(*NAMES, scale)),
    }
