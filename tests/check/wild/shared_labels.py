"""Pairs with ids or classes: what two pairs with the same one are to each other is not seen where all differ."""
import torch
import torch.nn.functional as F


def scores(x, y):
    return F.normalize(x) @ F.normalize(y).T / 0.1


def apart(ids):
    return (ids[:, None] == ids) & ~torch.eye(len(ids), dtype=torch.bool)


def left_out(user, item, ids):
    return F.cross_entropy(scores(user, item).masked_fill(apart(ids), -torch.inf), torch.arange(len(ids)))


def logit_of_zero(user, item, ids):
    return F.cross_entropy(scores(user, item) * ~apart(ids), torch.arange(len(ids)))


def of_classes(image, text, labels, divide=True):
    s, share = scores(image, text), (labels[:, None] == labels).to(image.dtype)
    share = share / share.sum(1, keepdim=True) if divide else share
    return (F.cross_entropy(s, share) + F.cross_entropy(s.T, share)) / 2


def not_divided(image, text, labels):
    return of_classes(image, text, labels, divide=False)
