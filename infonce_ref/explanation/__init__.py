"""Explain what an NT-Xent loss does to a batch of embeddings: how many negatives share the push, which negatives it
pushes, and where a learned temperature would stop.

    import infonce_ref
    print(infonce_ref.explain(a, b, temperature=0.1))

Each number comes from a closed form of the ledger and from all pairs of rows; memory grows with the number of rows.
"""

from .explained import Explanation, explain
from .record import LADDER

__all__ = ["LADDER", "Explanation", "explain"]
