"""What an NT-Xent loss does to a batch of embeddings: how many negatives it really has, whom it pushes, and where a
learned temperature would stop.

    import infonce_ref
    print(infonce_ref.explain(a, b, temperature=0.1))

Each number comes from a closed form of the ledger and from all pairs of rows, in memory that grows with the rows
alone.
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
    """What NT-Xent does to this batch.

    a, b: two views (B, d) of the same things, row by row; or a alone, of 2B rows in a layout. float16, float32 or
    float64, NumPy or PyTorch, perhaps mapped into memory · temperature: the one to speak of · temperatures: the
    others in the table · labels: (B,) or (2B,), words or whole numbers · batch: pairs in a batch, of which `draws`
    are drawn; all pairs at once if None · top: how many rows of each kind to name · seed: of what is drawn ·
    progress(what, done, to_do): called now and then.

    Raises ValueError for what is no such array, for NaN or zero rows, a temperature below 0.002, and more rows than
    can be compared with one another in an hour.

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
    from .explained import explained

    return explained(
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
