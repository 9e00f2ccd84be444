"""The moving average of a network, BYOL's target and MoCo's key encoder (document D3)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import Expr

from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example
from ..evidence.points import Numbers, Rate
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import average, decay, i, newest, online, rate, share, start, steps, updated

FACTS = Facts(ranges={i: steps})
UPDATE = Definition(updated, rate * average + (1 - rate) * newest)  # ξ ← ζξ + (1 − ζ)θ [D3.41]


def mean(kept: Expr, past: Expr, first: Expr = start) -> Expr:
    """The average: the kept share of the start plus the later updates; first=1 gives the sum of the weights."""
    return kept * first + (1 - rate) * past


# After t updates by θ_0, …, θ_{t−1}: κ = ζᵗ, η_s = ζ^{t−1−s}.
MEAN = Definition(average, mean(share, total(decay[i] * online[i], (i, steps))))
WEIGHTS = mean(share, total(decay[i], (i, steps)), first=1)


def smoothed() -> dict[str, Piece]:
    """The induction steps: after a further update the average is still an average of the networks, with weights
    that sum to 1.
    """
    after = mean(rate * share, total(rate * decay[i] * online[i], (i, steps)) + newest)
    weights = mean(rate * share, total(rate * decay[i], (i, steps)) + 1, first=1)
    return {
        "step": derive(updated, (DEFINITION, after), names=(UPDATE, MEAN), facts=FACTS),
        "weights": derive(weights - 1, (SUMS, rate * (WEIGHTS - 1)), facts=FACTS),
    }


def move() -> Proof:
    """The distance that one update moves the average."""
    gap = newest - average
    return derive(updated - average, (DEFINITION, (1 - rate) * gap), names=(UPDATE,), facts=FACTS)


def after_updates(first: Fraction, updates: Sequence[Fraction], decayed: Fraction) -> Fraction:
    """Run the update step by step."""
    for newer in updates:
        first = decayed * first + (1 - decayed) * newer
    return first


def _run(zeta: Fraction, first: Fraction, updates: Sequence[Fraction]) -> Iterator[Finding]:
    for t in range(len(updates) + 1):
        weights = [zeta**t, *((1 - zeta) * zeta ** (t - 1 - s) for s in range(t))]
        closed = sum(weight * x for weight, x in zip(weights, [first, *updates[:t]], strict=True))
        run = after_updates(first, updates[:t], zeta)
        yield Finding(run, "=", closed, (f"the update run {t} times", "the mean with powers of ζ"))
        yield Finding(sum(weights), "=", 1, ("its weights together", ""))


@claim(
    "D3.41",
    printed=r"$\xi \leftarrow \tau \xi + (1 - \tau)\theta$",
    verdict=Verdict.DEFINITION,
    says="«update», with a rate between 0 and 1, which is not the temperature. A step goes part of the way to"
    " the online network: «move». If after some updates «step.where ξ», then after one more «step»: each"
    " weight is multiplied by the rate, and the newest network enters. At the start $κ$ is 1. So after t"
    " updates $κ$ is the t-th power of the rate, and an online network has the power that counts the updates"
    " since. What the weights together have beyond 1 is 0 at the start and is multiplied by the rate too,"
    " «weights»: they always sum to 1.",
)
def moving_average() -> dict[str, Piece]:
    numbers = Numbers(Fraction(n * n, 7) for n in range(4))
    return {
        "update": UPDATE,
        "move": move(),
        **smoothed(),
        "run": example(
            "the update run in fractions", _run, zeta=Rate(9, 10), first=Fraction(5), updates=numbers
        ),
    }
