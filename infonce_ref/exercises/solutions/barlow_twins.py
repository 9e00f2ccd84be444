"""Barlow Twins: the columns of two views correlated, each with itself and with no other; and its gradient."""

import numpy as np


def standardised(z):
    """Each column centred and divided by its deviation over B; and these deviations (d,)."""
    deviation = z.std(axis=0)
    return (z - z.mean(axis=0)) / deviation, deviation


def correlation(first, second):
    """C (d, d), of columns that are standardised."""
    return first.T @ second / len(first)


def loss(z1, z2, weight):
    """The sum of (1 − C_ff)², and weight times the sum of the other C_fg²: a number.

    z1, z2 (B, d): row i of each a pair, no column constant · weight: a number
    """
    first, second = standardised(z1)[0], standardised(z2)[0]
    c = correlation(first, second)
    diagonal = np.eye(len(c)) == 1
    return ((1 - c[diagonal]) ** 2).sum() + weight * (c[~diagonal] ** 2).sum()


def back(column, deviation, pull):
    """The gradient by the columns from that by the standardised ones: the part along each column is removed."""
    along = (column * pull).mean(axis=0)
    return (pull - along * column) / (len(column) * deviation)


def gradient(z1, z2, weight):
    """The gradients by z1 and by z2: two arrays (B, d)."""
    (first, s1), (second, s2) = standardised(z1), standardised(z2)
    c = correlation(first, second)
    g = np.where(np.eye(len(c)) == 1, -2 * (1 - c), 2 * weight * c)
    return back(first, s1, second @ g.T), back(second, s2, first @ g)
