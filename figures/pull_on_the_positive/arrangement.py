"""Where the pull is measured: an anchor, its positive at similarity s, and M negatives orthogonal to the anchor."""

import numpy as np

from infonce_ref import sphere

M = 8
TEMPERATURES = ("τ", (1.0, 0.5, 0.2))
ANCHOR, SIDEWAYS, APART = np.eye(3)[:, None, :]  # (1, 3) each
APARTS = np.repeat(APART, M, axis=0)


def positive(s: float) -> np.ndarray:
    return s * ANCHOR + np.sqrt(1 - s**2) * SIDEWAYS


def length(w: np.ndarray, dz: np.ndarray) -> float:
    """‖∂𝓛/∂w‖ of the first of the rows w, given ∂𝓛/∂z, through `sphere`."""
    _, cache = sphere.forward(w)
    return float(np.linalg.norm(sphere.backward(cache, dz)[0]))


def t(s: np.ndarray) -> np.ndarray:
    """The length of what of the anchor is tangential at the positive."""
    return np.sqrt(1 - s**2)


def q(s: np.ndarray, tau: float, itself: float = 0.0) -> np.ndarray:
    """1 − P_p, where the anchor weighs `itself` in its own denominator."""
    return (M + itself) / (M + itself + np.exp(s / tau))
