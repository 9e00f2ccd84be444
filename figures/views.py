"""What more than one figure draws on: batches of two views, and the definition of NT-Xent."""

from collections.abc import Callable
from typing import Any

import numpy as np


def define_ntxent(w: Any, tau: float, exp: Callable[[Any], Any], sqrt: Callable[[Any], Any]) -> Any:
    """P of each row's positive by the definition as printed; of complex numbers too, and of mpmath's."""
    z, rows = w / sqrt(np.sum(w * w, axis=1, keepdims=True)), np.arange(len(w))
    weights = exp(z @ z.T / tau) * (1 - np.eye(len(w), dtype=int))
    # e^{s_ip/τ} / Σ_{k≠i} e^{s_ik/τ}                                          [D3.2, D3.4]
    return weights[rows, (rows + len(w) // 2) % len(w)] / weights.sum(axis=1)


def orthogonal_pairs(pairs: int, similarity: float) -> np.ndarray:
    """Unit rows, views concatenated (2B, 2B): that similarity within a pair, and exactly 0 between pairs."""
    # a_k, b_k = cos φ u_k ± sin φ v_k with u, v orthonormal, so s_p = cos 2φ
    angle = np.arccos(similarity) / 2
    u, v = np.split(np.eye(2 * pairs), 2)
    return np.concatenate([np.cos(angle) * u + np.sin(angle) * v, np.cos(angle) * u - np.sin(angle) * v])
