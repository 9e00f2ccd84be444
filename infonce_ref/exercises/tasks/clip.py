"""Exercise clip."""

from ...mistakes import clip
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=clip.ENTRY,
    lesson="clip",
    title="CLIP: rows and columns of one matrix",
    equations=(
        "M17 logits.where L logits.where P logits.where Pᶜ logits.where ℓ logits.where 𝓛 logits.where G",
        "M17 logits image text",
    ),
    hints=(
        "One matrix of logits, image i and text j; its diagonal holds the pairs.",
        "The loss is the mean of two cross-entropies: of the rows, and of the columns (the rows of the transpose).",
        "G = P + P of the columns − 2 on the diagonal, over 2B.",
        "The images get G T / τ and the texts Gᵀ I / τ.",
    ),
)
