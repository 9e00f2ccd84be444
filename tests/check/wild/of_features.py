"""What depends on the number of features, or compares them."""
import numpy as np


def cross_entropy(scores):
    return (np.log(np.exp(scores).sum(1)) - scores.diagonal()).mean()


def means(x, y, temperature=0.2):
    return cross_entropy((x[:, None] * y).mean(2) / temperature)


def scaled(x, y):
    return cross_entropy(x @ y.T / x.shape[1] ** 0.5)


def city_blocks(x, y):
    return cross_entropy(-np.abs(x[:, None] - y).sum(2))


def uniformity_of_a_sum(z, t=2.0):
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    near = np.exp(-t * ((z[:, None] - z) ** 2).sum(2)) * (1 - np.eye(len(z)))
    return np.log(near.sum())


def half_of_a_mean(x, y):
    return ((x - y) ** 2).mean() / 2


def huber(x, y):
    far = np.abs(x - y)
    return np.where(far < 1, far**2 / 2, far - 0.5).mean()


def batch_norm(x, y, weight=0.0051):
    x, y = ((v - v.mean(0)) / np.sqrt(v.var(0) + 1e-5) for v in (x, y))
    c = x.T @ y / len(x)
    own = np.eye(len(c), dtype=bool)
    return ((1 - c[own]) ** 2).sum() + weight * (c[~own] ** 2).sum()
