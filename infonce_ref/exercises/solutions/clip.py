"""CLIP's loss of images and texts, and its gradient."""

import numpy as np


def log_softmax(x):
    """log P, row by row."""
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def logits(image, text, temperature):
    """L (B, B): image i and text j."""
    return image @ text.T / temperature


def loss(image, text, temperature):
    """The mean of the cross-entropies of the rows and of the columns of the logits: a number.

    image (B, d), text (B, d): rows as they come, row i of each a pair · temperature: a number
    """
    x = logits(image, text, temperature)
    return -(np.diag(log_softmax(x)).mean() + np.diag(log_softmax(x.T)).mean()) / 2


def gradient(image, text, temperature):
    """The gradients of the loss by image and by text: two arrays (B, d)."""
    x = logits(image, text, temperature)
    g = np.exp(log_softmax(x)) + np.exp(log_softmax(x.T)).T - 2 * np.eye(len(x))
    scale = 2 * len(x) * temperature
    return g @ text / scale, g.T @ image / scale
