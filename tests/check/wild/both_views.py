"""BYOL of two views as in its paper: the regression losses of both predictions, summed."""
import torch.nn.functional as F


def regression(prediction, target):
    return 2 - 2 * (F.normalize(prediction, dim=1) * F.normalize(target.detach(), dim=1)).sum(1)


def byol(p1, p2, z1, z2):
    return (regression(p1, z2) + regression(p2, z1)).mean()


def averaged(p1, p2, z1, z2):
    return byol(p1, p2, z1, z2) / 2


def same_view(p1, p2, z1, z2):
    return byol(p1, p2, z2, z1)
