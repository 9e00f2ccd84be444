"""Exercise bound."""

from ...mistakes import bound
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=bound.ENTRY,
    lesson="information",
    title="the bound on mutual information",
    equations=("P1 bound", "D3.30 row", "D1.11 error", "D1.7 derivative"),
    hints=(
        "The bound is log N − 𝓛, in nats; 𝓛 is the mean cross-entropy of the rows.",
        "N counts the terms of the denominator, the positive among them: here the columns.",
        "The gradient is that of −𝓛: along it the bound grows.",
    ),
)
