"""DHN-NCE, the decoupled loss that weighs hard negatives, and its gradient."""

import numpy as np


def log_sum(x):
    """log Σ over the negatives, all but the diagonal (B,), and the softmax over them (B, B)."""
    x = np.where(np.eye(len(x)) == 1, -np.inf, x)
    top = x.max(axis=1, keepdims=True)
    e = np.exp(x - top)
    total = e.sum(axis=1, keepdims=True)
    return (top + np.log(total))[:, 0], e / total


def rows(x, beta):
    """The loss of each row of the logits (B,)."""
    weights = np.log(len(x) - 1) - log_sum(beta * x)[0]
    return -np.diag(x) + weights + log_sum((1 + beta) * x)[0]


def slope(x, beta):
    """The gradient of the rows' sum by the logits (B, B), the weights differentiated."""
    return (1 + beta) * log_sum((1 + beta) * x)[1] - beta * log_sum(beta * x)[1] - np.eye(len(x))


def loss(image, text, temperature, beta1, beta2):
    """The sum over the batch of both directions, image to text with beta1, text to image with beta2: a number.

    image (B, d), text (B, d): rows as they come, row i of each a pair · temperature, beta1, beta2: numbers
    """
    x = image @ text.T / temperature
    return rows(x, beta1).sum() + rows(x.T, beta2).sum()


def gradient(image, text, temperature, beta1, beta2):
    """The gradients of the loss by image and by text: two arrays (B, d). The weights are differentiated."""
    x = image @ text.T / temperature
    g = slope(x, beta1) + slope(x.T, beta2).T
    return g @ text / temperature, g.T @ image / temperature
