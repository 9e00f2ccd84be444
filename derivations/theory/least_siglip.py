"""The least loss of SigLIP at a given temperature and bias: a simplex of each view, R10's gap between them."""

from sympy import Expr, Integer, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..losses import siglip
from ..prover.inequality import Bound, Use, bound, nonnegative
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import B, L, M, S, caption, d, ell, f, g, i, image, j, k, tau
from ..symbols import siglip_bias as bias

PAIRS = M + 1  # a pair, and M others
FACTS = Facts(ranges={i: PAIRS, j: PAIRS, k: PAIRS, f: d, g: d})
ROW = Definition(siglip.ROW.head, siglip.ROW.body.xreplace({B: PAIRS}))
SCORE = Definition(S[i, j], total(image[i, f] * caption[j, f], (f, d)))

square = Symbol("x", real=True)  # γ²
length, own, other = Symbol("r", real=True), Symbol("u", real=True), Symbol("v", real=True)
pull, push, slope = Symbol("p", real=True), Symbol("q", real=True), Symbol("κ", real=True)
cosine = Symbol("c", real=True)
PAIR_ROWS = ((i, PAIRS),)
LENGTH = Definition(length, total(image[i, f] ** 2 + caption[i, f] ** 2, (f, d), *PAIR_ROWS) / (2 * PAIRS))
# the logits of a pair and of another text, at R10's gap with a simplex in each view
OWN = Definition(own, (1 - 2 * square) * length / tau + bias)
OTHER = Definition(other, bias - (1 + (M - 1) * square) * length / (M * tau))
SLOPE = Definition(slope, 2 * pull - (M - 1) * push)
FLOOR = log(1 + exp(-own)) + M * log(1 + exp(other))

POSITIVES = total(S[i, i], *PAIR_ROWS) / PAIRS
NEGATIVES = total(Differ(j, i) * S[i, j], (j, PAIRS), *PAIR_ROWS) / PAIRS
CENTRES = total(total(image[i, f], *PAIR_ROWS) * total(caption[j, f], (j, PAIRS)), (f, d)) / PAIRS**2
LEAVES = length + 2 * CENTRES - POSITIVES
CENTRED = total(
    (image[i, f] - caption[i, f] - total(image[j, f] - caption[j, f], (j, PAIRS)) / PAIRS) ** 2,
    (f, d),
    *PAIR_ROWS,
) / (2 * PAIRS)
TOGETHER = total((total(image[i, f] + caption[i, f], *PAIR_ROWS) / PAIRS) ** 2, (f, d)) / 2
SPREAD = total(
    sum((rows[i, f] - total(rows[j, f], (j, PAIRS)) / PAIRS) ** 2 for rows in (image, caption)),
    (f, d),
    *PAIR_ROWS,
) / (2 * PAIRS)
COINCIDE = total((image[i, f] - caption[i, f]) ** 2, (f, d), *PAIR_ROWS) / (2 * PAIRS)


def tangent() -> Bound:
    """A softplus is never below its tangent: at u for a pair, at v for another text. It is the lemma twice, with
    the weights σ̂ and 1 − σ̂."""
    uses, below = [], FLOOR
    for at, logit, mask, limits in (
        (-own, -L[i, i] - bias, Integer(1), PAIR_ROWS),
        (other, L[i, j] + bias, Differ(j, i), ((j, PAIRS), *PAIR_ROWS)),
    ):
        weight = mask / (PAIRS * (1 + exp(at)))
        uses.append(Use(weight * exp(at), exp(logit - at) * (1 + exp(at)), limits, 1 + exp(logit)))
        uses.append(Use(weight, 1 + exp(at), limits, 1 + exp(logit)))
        below += total(mask * exp(at) / (1 + exp(at)) * (logit - at), *limits) / PAIRS
    mean = total(ell[i], *PAIR_ROWS) / PAIRS
    return bound(below - mean, *uses, last=Integer(0), names=(ROW,), facts=FACTS)


def prove(first: Expr, last: Expr, *names: Definition) -> Proof:
    return derive(first, (DEFINITION, last), names=(SCORE, LENGTH, *names), facts=FACTS)


@claim(
    "M32",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="SigLIP of B pairs, M being $B - 1$, «tangent.where ℓ». For any two numbers $u$ and $v$"
    " «tangent». With $S$ for the scores, so that $L$ is $S/τ$, let «slope.where p» and «slope.where q»,"
    " both positive, and «above.where r», which is 1 for unit rows, «above.where u», «above.where v» and"
    " «above.where κ», for any $x$ from 0 to 1. Then the two sums in it are together «above». The first"
    " bracket is «leaves», «leaves sign». So where $κ$ is 0 the mean loss is at least $\\log(1 + e^{-u})"
    " + M \\log(1 + e^v)$. If $κ$ is not negative at an $x$ of 0, the same is true there: the numerator"
    " is «closed», where $p + q - q(M + 1)/2$ is half of $κ$, and «coincide», «coincide sign». If $κ$ is"
    " not positive at an $x$ of 1 it is true there, by «opposite», «opposite sign». One of the three is"
    " always so: «slope», which never falls as $x$ grows, «curvature», «curvature sign». So the floor is"
    " the least value over $x$. It is reached: give M4's regular simplex, image and text one row, R10's"
    " gap with the square $x$. That makes a cosine $c$ a logit so that a pair with «pair.where c» has"
    " «pair», another text with «another.where c» «another», and each row's loss is «reached». With an"
    " $x$ between 0 and 1 this takes B features. That such a family of one parameter holds the best rows"
    " was shown in Analysis of Using Sigmoid Loss for Contrastive Learning (Lee et al., 2024).",
    brief="No mean loss of SigLIP of B unit pairs, M being $B - 1$, is below the least value over $x$"
    " from 0 to 1 of $\\log(1 + e^{-u}) + M \\log(1 + e^v)$, with «above.where u», «above.where v» and an"
    " $r$ of 1. A regular simplex with R10's gap reaches it, $x$ being the square of the gap.",
)
def least() -> dict[str, Piece]:
    moved = pull * (own - bias - POSITIVES / tau) + push * (NEGATIVES / tau + M * (bias - other))
    above = ((pull + push) * LEAVES - slope * (CENTRES + square * length)) / tau
    half = (M + 1) * push / 2
    closed = half * LEAVES + (pull + push - half) * (length - POSITIVES)
    return {
        "tangent": tangent(),
        "above": prove(moved, above, OWN, OTHER, SLOPE),
        "leaves": prove(LEAVES, CENTRED + TOGETHER),
        "leaves sign": nonnegative(CENTRED + TOGETHER),
        "closed": prove((pull + push) * LEAVES - slope * CENTRES, closed, SLOPE),
        "coincide": prove(length - POSITIVES, COINCIDE),
        "coincide sign": nonnegative(COINCIDE),
        "opposite": prove(length + CENTRES, TOGETHER + SPREAD),
        "opposite sign": nonnegative(TOGETHER + SPREAD),
        **over_the_gap(),
        **at_the_gap(),
    }


def over_the_gap() -> dict[str, Piece]:
    """The floor as a function of x: its slope is κ r/τ, and rises."""
    sigmoids = (
        Definition(pull, exp(-own) / (1 + exp(-own))),
        Definition(push, exp(other) / (1 + exp(other))),
        SLOPE,
        OWN,
        OTHER,
    )
    by_x = Partial(FLOOR, square)
    curve = (4 * exp(own) / (1 + exp(own)) ** 2 + (M - 1) ** 2 / M * exp(other) / (1 + exp(other)) ** 2) * (
        length / tau
    ) ** 2
    facts = Facts()
    return {
        "slope": derive(by_x, (DERIVATIVE, slope * length / tau), names=sigmoids, facts=facts),
        "curvature": derive(Partial(by_x, square), (DERIVATIVE, curve), names=(OWN, OTHER), facts=facts),
        "curvature sign": nonnegative(curve),
    }


def at_the_gap() -> dict[str, Piece]:
    """Rows of the lengths 1, their cosines 1 and −1/M, shortened by √(1 − x), with ±√x in one more feature."""
    logit = ((1 - square) * cosine - square) * length / tau + bias

    def at(name: Symbol, value: Expr) -> Proof:
        names = (OWN, OTHER, Definition(cosine, value))
        return derive(name, (DEFINITION, logit), names=names, facts=Facts())

    return {
        "pair": at(own, Integer(1)),
        "another": at(other, -1 / M),
        "reached": derive(
            log(1 + exp(-own)) + total(Differ(j, i) * log(1 + exp(other)), (j, PAIRS)),
            (SUMS, FLOOR),
            facts=FACTS,
        ),
    }
