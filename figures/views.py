"""Batches of two views that more than one figure draws on."""

import numpy as np


def orthogonal_pairs(pairs: int, similarity: float) -> np.ndarray:
    """Unit rows, views concatenated (2B, 2B): that similarity within a pair, and exactly 0 between pairs."""
    # a_k, b_k = cos φ u_k ± sin φ v_k with u, v orthonormal, so s_p = cos 2φ
    angle = np.arccos(similarity) / 2
    u, v = np.split(np.eye(2 * pairs), 2)
    return np.concatenate([np.cos(angle) * u + np.sin(angle) * v, np.cos(angle) * u - np.sin(angle) * v])
