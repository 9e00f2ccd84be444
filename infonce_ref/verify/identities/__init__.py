"""Witness 3: what the ledger says must hold of a loss, whatever its code looks like.

Each identity takes a case and yields, for each input that it speaks of, the two sides that must be equal and
the size of the terms that were summed. The other side is NumPy's and SciPy's in float64, from the document's
formula, or another loss of the registry; never the loss's own cache. One file for each family of losses.
"""

from . import decoupled, distances, keys, linear, noise, pairs, streamed
from .identity import IDENTITIES, WITNESS, testify
from .pairs import ROWS, unit

__all__ = [
    "IDENTITIES",
    "ROWS",
    "WITNESS",
    "decoupled",
    "distances",
    "keys",
    "linear",
    "noise",
    "pairs",
    "streamed",
    "testify",
    "unit",
]
