"""SigLIP: classifies each image and text as a pair or not, by a sigmoid of its own; and its gradient."""

import numpy as np


def scores(image, text, temperature):
    """L (B, B)."""
    return image @ text.T / temperature


def signs(n):
    """1 at each pair, −1 elsewhere (B, B)."""
    return 2 * np.eye(n) - 1


def loss(image, text, temperature, bias):
    """The mean over the images of the sum over all texts: a number.

    image, text (B, d): row i of each a pair · temperature, bias: numbers, both learned
    """
    x = scores(image, text, temperature) + bias
    return np.logaddexp(0, -signs(len(x)) * x).sum(axis=1).mean()


def gradient(image, text, temperature, bias):
    """The gradients by image and by text, two arrays (B, d), and by temperature and by bias, two numbers."""
    s = scores(image, text, temperature)
    y = signs(len(s))
    g = -y * np.exp(-np.logaddexp(0, y * (s + bias))) / len(s)
    return g @ text / temperature, g.T @ image / temperature, -(g * s).sum() / temperature, g.sum()
