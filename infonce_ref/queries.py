"""Queries, a near positive for each, and other rows: where the judge tries the losses that score keys."""

from typing import NamedTuple

import numpy as np


class Queries(NamedTuple):
    """Unit rows: query (n, d), positive (n, d), others (M, d)."""

    query: np.ndarray
    positive: np.ndarray
    others: np.ndarray


def query_example(
    seed: int, noise: float, *, queries: int = 3, others: int = 4, features: int = 3
) -> Queries:
    """Each positive is its query + noise · Gaussian, the others are apart; all rows have length 1."""
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((queries, features))
    positive = query / np.linalg.norm(query, axis=1, keepdims=True)
    positive = positive + noise * rng.standard_normal((queries, features))
    rows = (query, positive, rng.standard_normal((others, features)))
    return Queries(*(x / np.linalg.norm(x, axis=1, keepdims=True) for x in rows))
