"""How much a row's loss changes where its logits do: keys of an older encoder, logits of half precision."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from mpmath import iv
from sympy import Expr, Integer, Rational, Symbol, exp, log

from ..common.sphere import NORM, UNIT
from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.points import Numbers
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, derive
from ..prover.sums import Facts
from ..symbols import (
    L,
    L_positive,
    M,
    N,
    P_after,
    P_before,
    a,
    below_most,
    d,
    drift,
    ell_after,
    ell_before,
    f,
    i,
    most,
    odds_after,
    odds_before,
    z,
)

FACTS = Facts(ranges={i: N, a: M, f: d})
OVER = (a, M)
AHEAD = L[i, a] - L_positive[i]  # a negative's logit less the positive's
SLACK = below_most[i, a]


def risen(by: Expr) -> tuple[Definition, ...]:
    """The odds, the loss and the probabilities of the negatives, before and after each negative's logit rises by
    that much."""

    def at(lead: Expr, odds, ell, probability) -> tuple[Definition, ...]:
        return (
            Definition(odds[i], total(exp(lead), OVER)),
            Definition(ell[i], log(1 + odds[i])),
            Definition(probability[i, a], exp(lead) / (1 + odds[i])),
        )

    before, after = (odds_before, ell_before, P_before), (odds_after, ell_after, P_after)
    return *at(AHEAD, *before), *at(AHEAD + by, *after)


def odds(at_most: Expr) -> Chain:
    """e^δ̂ ≥ 1 + δ̂ for each negative."""
    weight, change = exp(AHEAD + at_most - SLACK), exp(at_most) * odds_before[i] - odds_after[i]
    use = Use(weight, exp(SLACK), (OVER,))
    names = risen(at_most - SLACK)
    return Chain(
        (bound(total(weight * SLACK, OVER), use, last=change, names=names, facts=FACTS),), both=odds_after[i]
    )


def losses() -> Chain:
    """The loss is convex in the logits."""
    probability, higher, lower = P_after[i, a], ell_after[i], ell_before[i]
    allowed = most * total(probability, OVER)
    uses = (
        Use(probability, exp(SLACK - most + higher), (OVER,), exp(lower)),
        Use(1 / (1 + odds_after[i]), exp(higher), bottom=exp(lower)),
    )
    first = higher - lower + total(probability * SLACK, OVER) - allowed
    names = risen(most - SLACK)
    return Chain((bound(first, *uses, last=Integer(0), names=names, facts=FACTS),), both=allowed)


reach = Symbol("x", positive=True)


@claim(
    "R25",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"Let no negative of a row come further ahead of the positive, in logits, than it was by more than"
    r" $\hat ε$: each does by $\hat ε - \hat δ$, and no $\hat δ$ is negative. The odds against the positive"
    r" are «odds.where O₀» before and «odds.where O₁» after, and «odds»: they grow at most by the factor"
    r" $e^{\hat ε}$. Of the losses «loss.where ℓ₀» and «loss.where ℓ₁» and the probabilities «loss.where P₁»"
    r" this is true: «loss». Neither sum with $\hat δ$ is negative. So the loss rises by no more than"
    r" $\hat ε$ times the probability of the negatives after the change. Read from after to before, both also"
    r" bound how far it falls. MoCo's positive is fresh, its negatives are keys of older encoders. Let a"
    r" stored key differ by $Δk$ from what the present encoder makes of it. Then a unit query scores it"
    r" differently by $z \cdot Δk$, and «reach»: if no $Δk$ is longer than $x$, no score is off by more than"
    r" $x$, and $x$ over the temperature can be taken for $\hat ε$. That the gradient's error is at most a"
    r" multiple of how far stored features drift was shown in Cross-Batch Memory for Embedding Learning (Wang,"
    r" Zhang, Huang and Scott, 2020); of these bounds on the loss we know no source.",
    brief=r"Let no negative of a row come further ahead of the positive, in logits, than it was, by more than $\hat"
    r" ε$: by $\hat ε$ less some $\hat δ$ that is not negative. Then the odds against the positive grow at most by"
    r" the factor e to it, «odds», and the loss by $\hat ε$. Read backwards, neither falls further. MoCo's positive"
    r" is fresh: if no key of its queue is further than $x$ from what the present encoder makes of it, no loss of"
    r" a unit query is off by more than $x$ over the temperature.",
)
def stale_queue() -> dict[str, Piece]:
    length = total(drift[a, f] ** 2, (f, d))
    apart = total((reach * z[i, f] - drift[a, f]) ** 2, (f, d))
    score = total(z[i, f] * drift[a, f], (f, d))
    return {
        "odds": odds(most),
        "loss": losses(),
        "reach": derive(
            reach - score,
            (DEFINITION, (reach**2 - length + apart) / (2 * reach)),
            names=(NORM, UNIT),
            facts=FACTS,
        ),
    }


BITS = 8  # of a significand of bfloat16, the first of them 1


def bfloat16(exponent: int) -> list[Fraction]:
    """Its numbers from 2^exponent to 2^(exponent + 1)."""
    step = Fraction(2) ** (exponent + 1 - BITS)
    return [whole * step for whole in range(2 ** (BITS - 1), 2**BITS + 1)]


def rounded(number: Fraction) -> Fraction:
    """The nearest number of bfloat16 from 64 to 128; of two that are as near, the one whose last digit is 0."""
    numbers = bfloat16(6)
    return min(numbers, key=lambda x: (abs(x - number), numbers.index(x) % 2))


def farthest(ends: Numbers) -> Iterator[Finding]:
    numbers = bfloat16(6)
    yield Finding((numbers[0], numbers[-1]), "=", tuple(ends), ("first and last number", ""))
    gaps = {after - before for before, after in pairwise(numbers)}
    yield Finding(max(gaps) / 2, "=", Fraction(1, 4), ("half of the largest gap", ""))


def two_logits(logits: Numbers) -> Finding:
    apart = [abs(one - other) for one, other in (logits, map(rounded, logits))]
    return Finding(apart[1] - apart[0], "=", Fraction(1, 2), ("apart after rounding, less apart before", ""))


def steepest(quarter: Fraction) -> Finding:
    root = iv.exp(iv.mpf(quarter.numerator) / quarter.denominator)
    return Finding(8 * (root - 1) / (root + 1), "<", 1, ("eight times the quotient in front of it", ""))


@claim(
    "R26",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"CLIP's code holds its scale at 100 or below, so that logits reach 100. From 64 to 128 the numbers"
    r" of bfloat16 are so far apart that a rounded logit is off by up to one quarter: «spacing». Two logits"
    r" together can go apart by one half: «reached». That is R25 with one half for $\hat ε$: «odds», and the"
    r" same backwards. So where a row is nearly right, its loss and its pull, which are then nearly the"
    r" odds, come out wrong by up to that factor. The probability of the positive moves, where the odds $O$"
    r" grow by it, by «moved»: most where the square is 0, with «most.where O», and no more than by the"
    r" quotient in front, «less». Compute logits and softmax in float32. That losses of bfloat16 logits come"
    r" out in steps is issue 1020 of optax; of these bounds we know no source.",
    brief=r"CLIP's logits reach 100. From 64 to 128 the numbers of bfloat16 are one half apart, so that rounding"
    r" moves a logit by up to one quarter, and two apart by one half. That is R25 with one half for $\hat ε$:"
    r" «odds», the same backwards. So where a row is nearly right, its loss and its pull, which are then nearly"
    r" the odds, come out wrong by up to that factor. The probability of the positive moves by less than one"
    r" eighth. Compute logits and softmax in float32.",
)
def half_precision() -> dict[str, Piece]:
    O = Symbol("O", positive=True)
    root = exp(Rational(1, 4))
    middle = Definition(O, 1 / root)
    before, after = 1 / (1 + O), 1 / (1 + root**2 * O)
    moved = (root - 1) / (root + 1) * (1 - (1 - root * O) ** 2 * before * after)
    return {
        "odds": odds(Rational(1, 2)),
        "spacing": example("bfloat16's numbers from 64 to 128", farthest, ends=Numbers([64, 128])),
        "reached": example(
            "two logits, both halfway between two numbers",
            two_logits,
            logits=Numbers([Fraction(399, 4), Fraction(397, 4)]),
        ),
        "moved": derive(before - after, (SUMS, moved), facts=FACTS),
        "most": derive(1 - root * O, (DEFINITION, Integer(0)), names=(middle,), facts=FACTS),
        "less": example("the quotient in front", steepest, quarter=Fraction(1, 4)),
    }
