"""SupCon, every other row of the anchor's class a positive, the mean outside of the logarithm; and its gradient."""

import numpy as np


def logits(w, temperature):
    """The unit rows z (N, d), and L (N, N)."""
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    return z, z @ z.T / temperature


def log_softmax(x):
    """log P (N, N): each row over all rows but the anchor itself, where it is −∞."""
    x = np.where(np.eye(len(x)) == 1, -np.inf, x)
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def targets(labels):
    """1/|P_i| at the positives of each row, 0 elsewhere (N, N); which rows have one (N,)."""
    same = (labels[:, None] == labels) & (np.eye(len(labels)) == 0)
    count = same.sum(axis=1, keepdims=True)
    return same / np.maximum(count, 1), count[:, 0] > 0


def loss(w, labels, temperature):
    """The mean, over the rows that have a positive, of the mean over their positives of −log P: a number.

    w (N, d): rows of any length · labels (N,): the class of each row · temperature: a number
    """
    _, x = logits(w, temperature)
    share, counted = targets(labels)
    log_p = np.where(share > 0, log_softmax(x), 0)
    return -(share * log_p).sum(axis=1)[counted].mean()


def gradient(w, labels, temperature):
    """The gradient of the loss by w: an array (N, d)."""
    z, x = logits(w, temperature)
    share, counted = targets(labels)
    g = counted[:, None] * (np.exp(log_softmax(x)) - share)
    dz = (g + g.T) @ z / (counted.sum() * temperature)
    radial = (z * dz).sum(axis=1, keepdims=True) * z
    return (dz - radial) / np.linalg.norm(w, axis=1, keepdims=True)
