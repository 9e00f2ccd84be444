"""BYOL of two views as in its paper: the regression losses of both predictions, summed."""
import torch
import torch.nn.functional as F


def regression(prediction, target):
    return 2 - 2 * (F.normalize(prediction, dim=1) * F.normalize(target.detach(), dim=1)).sum(1)


def byol(p1, p2, z1, z2):
    return (regression(p1, z2) + regression(p2, z1)).mean()


def averaged(p1, p2, z1, z2):
    return byol(p1, p2, z1, z2) / 2


def same_view(p1, p2, z1, z2):
    return byol(p1, p2, z2, z1)


def moco_v3(q1, q2, k1, k2, tau=0.2):
    def contrast(q, k):
        logits = F.normalize(q) @ F.normalize(k.detach()).T / tau
        return 2 * tau * F.cross_entropy(logits, torch.arange(len(q)))

    return contrast(q1, k2) + contrast(q2, k1)
