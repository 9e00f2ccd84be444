"""How much a row's loss changes where its logits do: keys of an older encoder, logits of half precision."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from mpmath import iv

from ..common.sphere import NORM, UNIT
from ..evidence.kinds import Example, Finding, interval
from ..evidence.plain import Given, claim, given
from ..evidence.points import Numbers

BARE = given("i < N; a < M; f < d; x O > 0")
KEYS = BARE.also(NORM, UNIT)
AHEAD = "L[i,a] - L⁺[i]"  # a negative's logit less the positive's


def risen(most: str) -> Given:
    """The odds, the loss and the probabilities of the negatives, before and after each negative's logit rises by
    `most`, less δ̂."""
    after = f"{AHEAD} + {most} - δ̂[i,a]"
    return BARE.also(
        *(f"O₀[i] := Σ_a e^({AHEAD})", "ℓ₀[i] := log(1 + O₀[i])", f"P₀[i,a] := e^({AHEAD})/(1 + O₀[i])"),
        *(f"O₁[i] := Σ_a e^({after})", "ℓ₁[i] := log(1 + O₁[i])", f"P₁[i,a] := e^({after})/(1 + O₁[i])"),
    )


def odds(most: str):
    """e^δ̂ ≥ 1 + δ̂ for each negative."""
    weight = f"e^({AHEAD} + {most} - δ̂[i,a])"
    return risen(most).chain(
        f"Σ_a {weight} δ̂[i,a] ≤ e^({most}) O₀[i] - O₁[i] by Σ_a {weight} log(e^δ̂[i,a])", both="O₁[i]"
    )


ALLOWED = "ε̂ (Σ_a P₁[i,a])"
DISTANCE = "Σ_f (x z[i,f] - Δk[a,f])^2"

claim("R25", "proved from LEMMA", risen("ε̂"))(
    checked=r"Let no negative of a row come further ahead of the positive, in logits, than it was by more than"
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
    odds=odds("ε̂"),
    # the loss is convex in the logits
    loss=f"ℓ₁[i] - ℓ₀[i] + Σ_a P₁[i,a] δ̂[i,a] ≤ {ALLOWED}"
    " by Σ_a P₁[i,a] log(e^(δ̂[i,a] - ε̂ + ℓ₁[i]) : e^ℓ₀[i]) and 1/(1 + O₁[i]) log(e^ℓ₁[i] : e^ℓ₀[i])",
    reach=KEYS(f"x - Σ_f z[i,f] Δk[a,f] = (x^2 - Σ_f Δk[a,f]^2 + {DISTANCE})/(2 x)"),
)

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
    root = iv.exp(interval(quarter))
    return Finding(8 * (root - 1) / (root + 1), "<", 1, ("eight times the quotient in front of it", ""))


ROOT = "e^(1/4)"

claim("R26", "proved from LEMMA", BARE)(
    checked=r"CLIP's code holds its scale at 100 or below, so that logits reach 100. From 64 to 128 the numbers"
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
    odds=odds("1/2"),
    spacing=lambda: Example.at("bfloat16's numbers from 64 to 128", farthest, ends=Numbers([64, 128])),
    reached=lambda: Example.at(
        "two logits, both halfway between two numbers",
        two_logits,
        logits=Numbers([Fraction(399, 4), Fraction(397, 4)]),
    ),
    moved=f"1/(1 + O) - 1/(1 + e^(1/2) O)"
    f" = ({ROOT} - 1) (1 - (1 - {ROOT} O)^2/((1 + O) (1 + e^(1/2) O)))/({ROOT} + 1)",
    most=BARE.also("O := e^(-1/4)")(f"1 - {ROOT} O = 0"),
    less=lambda: Example.at("the quotient in front", steepest, quarter=Fraction(1, 4)),
)
