"""Exercise temperature."""

from ...mistakes import temperature
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=temperature.ENTRY,
    lesson="ntxent",
    title="the derivative of NT-Xent by its temperature",
    equations=(
        "D3.2 loss scores",
        "D3.3 cosine unit length",
        "D1.5 partners",
        "D3.4 mean",
        "D1.11 error",
        "M7 batch",
    ),
    hints=(
        "The loss is that of the exercise before. Only the temperature varies: s is constant.",
        "∂L_ij/∂τ = −L_ij/τ, and ∂𝓛/∂L_ij = G_ij/N.",
        "So the slope is −Σ G_ij L_ij / (N τ): a number.",
    ),
)
