"""Exercise infonce."""

from ...mistakes import infonce
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=infonce.ENTRY,
    lesson="infonce",
    title="InfoNCE over two views, and (G + Gᵀ) Z",
    equations=(
        "D1.2 logits",
        "D1.3 softmax",
        "D1.4 row loss",
        "D1.5 partners",
        "D1.11 error",
        "D1.13 gradient",
    ),
    hints=(
        "L = z @ z.T / temperature is (N, N); the softmax runs along each row, axis 1, the anchor itself included.",
        "The positive of row i is row (i + N/2) mod N: an index for each row, or np.roll.",
        "G is P, minus 1 where j = p(i). It is not symmetric.",
        "z_k enters the loss as an anchor, in row k of L, and as a candidate, in column k: (G + Gᵀ) Z.",
        "The divisor is N times the temperature.",
    ),
)
