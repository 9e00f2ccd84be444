"""Explain what an NT-Xent loss does to a batch of embeddings: how many negatives count, which negatives it
pushes, and where a learned temperature would stop.

    import infonce_ref
    print(infonce_ref.explain(a, b, temperature=0.1))

Each number comes from a closed form of the ledger and from all pairs of rows; memory grows with the number of rows.
"""

from collections.abc import Sequence
from typing import Any

from ..pairs import Layout
from .record import LADDER, Progress
from .text import Explanation

__all__ = ["LADDER", "Explanation", "explain"]


def explain(
    a: Any,
    b: Any = None,
    *,
    temperature: float = 0.1,
    labels: Any = None,
    temperatures: Sequence[float] = LADDER,
    layout: Layout = "concatenated",
    batch: int | None = None,
    draws: int = 16,
    top: int = 5,
    seed: int = 0,
    progress: Progress | None = None,
) -> Explanation:
    """Explain what NT-Xent does to this batch.

    a, b: two views (B, d) of the same things, row by row; or a alone, of 2B rows in a layout. float16, float32 or
    float64, NumPy or PyTorch, possibly memory-mapped · temperature: the one to explain in detail ·
    temperatures: the other rows of the table · labels: (B,) or (2B,), words or whole numbers · batch: pairs
    per batch; `draws` random batches are averaged; None: all pairs at once · top: how many pairs of each kind
    to list · seed: for the draws · progress(what, done, to_do): called from time to time.

    Raises ValueError for other arrays, NaN or zero rows, a temperature below 0.002, and more rows than can be
    compared pairwise in an hour.

    >>> import numpy as np
    >>> import infonce_ref
    >>> rng = np.random.default_rng(0)
    >>> things = rng.standard_normal((64, 8))
    >>> a, b = (things + 0.5 * rng.standard_normal((64, 8)) for _ in range(2))
    >>> found = infonce_ref.explain(a, b, temperature=0.1)
    >>> print(f"{found.row.loss:.3f} nats, {found.row.effective_negatives:.1f} of 126 negatives")
    1.894 nats, 13.0 of 126 negatives
    """
    from ..embeddings.rows import Loaded
    from .explained import explain_views

    return explain_views(
        Loaded(a, b, labels, ("a",) if b is None else ("a", "b")),
        temperature=temperature,
        temperatures=temperatures,
        layout=layout,
        batch=batch,
        draws=draws,
        top=top,
        seed=seed,
        progress=progress,
    )
