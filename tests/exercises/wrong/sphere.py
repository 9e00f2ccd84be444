"""Expected: sphere.projection_missing."""

import numpy as np


def forward(w):
    return np.array([row / np.sqrt(row @ row) for row in w])


def backward(w, dz):
    return np.array([d / np.sqrt(row @ row) for row, d in zip(w, dz)])
