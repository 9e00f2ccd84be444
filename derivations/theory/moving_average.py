"""The network that follows slowly, BYOL's target and MoCo's key encoder: a mean of earlier ones (document D3)."""

from fractions import Fraction

from sympy import Expr, Integer

from ..claims import claim
from ..evidence import Verdict
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import average, decay, i, newest, online, rate, share, start, steps
from ..unbound import Counterexample, counterexample

# ξ ← ζξ + (1 − ζ)θ, after t updates by θ_0, …, θ_{t−1}: κ = ζᵗ, η_s = ζ^{t−1−s}
PAST, SHARES = total(decay[i] * online[i], (i, steps)), total(decay[i], (i, steps))


def mean(kept: Expr, past: Expr, first: Expr = start) -> Expr:
    """What is kept of the start, and what came since; of the weights alone where first = 1."""
    return kept * first + (1 - rate) * past


def after_updates(first, updates, decayed) -> Fraction:
    """The update run step by step."""
    for newer in updates:
        first = decayed * first + (1 - decayed) * newer
    return first


def _run() -> Counterexample:
    decayed, first, updates = Fraction(9, 10), Fraction(5), [Fraction(n * n, 7) for n in range(8)]
    count = len(updates)
    closed = decayed**count * first
    closed += (1 - decayed) * sum(decayed ** (count - 1 - s) * x for s, x in enumerate(updates))
    return counterexample(
        "eight updates run in fractions, and the closed form",
        holds=after_updates(first, updates, decayed) == closed,
        numbers={"run": after_updates(first, updates, decayed), "closed form": closed},
    )


@claim(
    "D3.41",
    printed=r"\xi \leftarrow \tau\xi + (1 - \tau)\theta",
    statement=r"A definition; \tau here is a rate, not the temperature. By induction"
    r" \xi_t = \tau^t \xi_0 + (1 - \tau) \sum_{s<t} \tau^{t-1-s} \theta_s: an update multiplies each weight"
    r" by \tau and adds (1 - \tau)\theta_t. The weights sum to 1, by induction too: at t = 0 the only one is 1, and"
    r" if they do after t updates, which says \kappa = 1 - (1 - \zeta) \sum \eta below, then after one more. A step"
    r" is (1 - \tau)(\theta - \xi).",
    verdict=Verdict.PROVED,
)
def moving_average() -> tuple[Proof | Counterexample, ...]:
    facts = Facts(ranges={i: steps})
    one = Integer(1)
    nothing_yet = Definition(share, one)  # t = 0: κ = 1, and the sums are empty
    hypothesis = Definition(share, 1 - (1 - rate) * SHARES)  # after t updates the weights sum to 1
    newer = total(rate * decay[i] * online[i], (i, steps)) + newest  # every η times ζ, and η_t = 1
    weights = mean(rate * share, total(rate * decay[i], (i, steps)) + 1, first=one)
    after, update = (rate * x + (1 - rate) * newest for x in (mean(share, PAST), average))
    return (
        derive(mean(share, Integer(0)), (DEFINITION, start), names=(nothing_yet,), facts=facts),
        derive(after, (SUMS, mean(rate * share, newer)), facts=facts),
        derive(mean(share, Integer(0), first=one), (DEFINITION, one), names=(nothing_yet,), facts=facts),
        derive(weights, (DEFINITION, one), names=(hypothesis,), facts=facts),
        derive(update - average, (SUMS, (1 - rate) * (newest - average)), facts=facts),
        _run(),
    )
