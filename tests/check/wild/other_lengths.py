"""Rows divided by other lengths than their own: right on rows of length 1."""
import torch
import torch.nn.functional as F


def keepdim_missing(x, y):
    return F.cross_entropy(x @ y.T / (x.norm(dim=1) * y.norm(dim=1)) / 0.1, torch.arange(len(x)))


def of_the_other_view(x, y):
    length = x.norm(dim=1, keepdim=True)
    return F.cross_entropy((x / length) @ (y / length).T / 0.1, torch.arange(len(x)))
