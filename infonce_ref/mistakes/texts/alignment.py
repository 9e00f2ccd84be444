"""Alignment: the distance of each pair to a power, and its gradient."""


def loss(z1, z2, exponent):
    """The mean over the pairs of ‖z1 − z2‖ to the power `exponent`: a number.

    z1 (B, d), z2 (B, d): rows as they come, row i of each a pair · exponent: a number
    """
    return (((z1 - z2) ** 2).sum(axis=1) ** (exponent / 2)).mean()


def gradient(z1, z2, exponent):
    """The gradients of the loss by z1 and by z2: two arrays (B, d)."""
    square = ((z1 - z2) ** 2).sum(axis=1, keepdims=True)
    slope = exponent * square ** (exponent / 2 - 1) * (z1 - z2) / len(z1)
    return slope, -slope
