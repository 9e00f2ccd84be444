"""The moving average of a network, BYOL's target and MoCo's key encoder (document D3)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Numbers, Rate

NETWORKS = given(
    "i < t",
    "ξ⁺ := ζ ξ + (1 - ζ) θₜ",  # ξ ← ζξ + (1 − ζ)θ [D3.41]
    # After t updates by θ_0, …, θ_{t−1}: κ = ζᵗ, η_s = ζ^{t−1−s}.
    "ξ := κ ξ₀ + (1 - ζ) (Σ_i η[i] θ[i])",
)
# The induction steps: after a further update the average is still an average of the networks, with weights that sum
# to 1.
SMOOTHED = {
    "step": NETWORKS("ξ⁺ = ζ κ ξ₀ + (1 - ζ) (Σ_i ζ η[i] θ[i] + θₜ)"),
    "weights": NETWORKS("ζ κ + (1 - ζ) (Σ_i ζ η[i] + 1) - 1 = ζ (κ + (1 - ζ) (Σ_i η[i]) - 1)"),
}


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


def run() -> Example:
    return Example.at(
        "the update run in fractions",
        _run,
        zeta=Rate(9, 10),
        first=Fraction(5),
        updates=Numbers(Fraction(n * n, 7) for n in range(4)),
    )


MOVING_AVERAGE = {
    "update": NETWORKS("ξ⁺"),
    "move": NETWORKS.only("ξ⁺")("ξ⁺ - ξ = (1 - ζ) (θₜ - ξ)"),  # how far one update moves the average
    **SMOOTHED,
    "run": run,
}

claim("D3.41", "definition", NETWORKS)(
    printed=r"$\xi \leftarrow \tau \xi + (1 - \tau)\theta$",
    checked="The target network follows the online network slowly: «update», with a rate between 0 and 1, which is"
    " not the temperature. A step goes part of the way to the online network: «move». If after some updates"
    " «step.where ξ», then after one more «step»: each weight is multiplied by the rate, and the newest network"
    " enters. At the start $κ$ is 1. So after t updates $κ$ is the t-th power of the rate, and an online network"
    " has the power that counts the updates since. What the weights together have beyond 1 is 0 at the start and is"
    " multiplied by the rate too, «weights»: they always sum to 1.",
    **MOVING_AVERAGE,
)
