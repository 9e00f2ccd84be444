"""What losses in these tests are written in, each as strangers write it in NumPy."""

import numpy as np


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def logsumexp(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    return np.squeeze(top, axis) + np.log(np.exp(x - top).sum(axis=axis))


def rows(s):
    """The cross-entropy of each row of scores, whose positive is on the diagonal."""
    return logsumexp(s) - np.diag(s)
