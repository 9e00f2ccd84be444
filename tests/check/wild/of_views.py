"""Terms of two views that have unlike weights."""

import torch
import torch.nn.functional as F


def vicreg(x, y, variance=(25.0, 25.0), covariance=(1.0, 1.0)):
    n, d = x.shape
    total = 25 * F.mse_loss(x, y)
    for view, spread, apart in zip((x, y), variance, covariance):
        total = total + spread * F.relu(1 - torch.sqrt(view.var(0) + 1e-4)).mean()
        centred = view - view.mean(0)
        c = centred.T @ centred / (n - 1)
        total = total + apart * (c.pow(2).sum() - c.diagonal().pow(2).sum()) / d
    return total


def variance_of_one_at_half(x, y):
    return vicreg(x, y, (25.0, 12.5))


def covariance_of_one_alone(x, y):
    return vicreg(x, y, covariance=(0.0, 1.0))


def simsiam(p1, p2, z1, z2):
    return -F.cosine_similarity(p1, z2.detach()).mean() - F.cosine_similarity(p2, z1.detach()).mean() / 2


def spread(x, y):
    x, y = F.normalize(x), F.normalize(y)
    first, second = (torch.pdist(z).pow(2).mul(-2).exp().mean().log() for z in (x, y))
    return (x - y).pow(2).sum(1).mean() + first + second / 2
