"""NumPy: plain exponentials at a low temperature, rows of length 1 expected, labels of classes."""
import numpy as np


def supcon(features, labels, temp=0.02):
    similar = np.exp(features @ features.T / temp)
    np.fill_diagonal(similar, 0)
    same = labels[:, None] == labels
    np.fill_diagonal(same, False)
    log_p = np.log(np.where(same, similar, 1)) - same * np.log(similar.sum(1, keepdims=True))
    kept = same.any(1)
    return -(log_p.sum(1)[kept] / same.sum(1)[kept]).mean()
