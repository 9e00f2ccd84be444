"""Rows onto the unit sphere, and a gradient back through it."""

import numpy as np


def forward(w):
    """Each row divided by its length: an array (N, d).

    w (N, d): rows, none of them 0
    """
    return w / np.linalg.norm(w, axis=1, keepdims=True)


def backward(w, dz):
    """The gradient by w of a loss whose gradient by z = forward(w) is dz (N, d): an array (N, d)."""
    length = np.linalg.norm(w, axis=1, keepdims=True)
    z = w / length
    radial = (z * dz).sum(axis=1, keepdims=True) * z
    return (dz - radial) / length
