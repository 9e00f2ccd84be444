"""Clamps: of the positive alone, as in LightGCL, of all logits, of the negatives; the last two are sound."""

import torch
import torch.nn.functional as F
from torch.nn.functional import normalize as unit


def positive_capped(user, item, temperature=0.2):
    logits = user @ item.T / temperature
    return (torch.logsumexp(logits, 1) - logits.diagonal().clamp(-5.0, 5.0)).mean()


def positive_capped_above(a, b, temperature=0.07):
    logits = unit(a) @ unit(b).T / temperature
    return (torch.logsumexp(logits, 1) - logits.diagonal().clamp(max=8.5)).mean()


def never_reached(a, b, temperature=0.2):
    return F.cross_entropy((unit(a) @ unit(b).T / temperature).clamp(max=20), torch.arange(len(a)))


def long_rows(a, b):
    return F.cross_entropy((a @ b.T).clamp(-30, 30), torch.arange(len(a)))


def of_scores(logits):
    return F.cross_entropy(logits.clamp(-20, 20), torch.arange(len(logits)))


def negatives(a, b, temperature=0.07):
    logits, pair = unit(a) @ unit(b).T / temperature, torch.eye(len(a), dtype=torch.bool)
    return F.cross_entropy(torch.where(pair, logits, logits.clamp(-6, 6)), torch.arange(len(a)))


def of_cosines(a, b, temperature=0.1):
    cosines = (unit(a) @ unit(b).T).clamp(-1 + 1e-7, 1 - 1e-7)
    return F.cross_entropy(cosines / temperature, torch.arange(len(a)))


class OfScale(torch.nn.Module):
    """CLIP's: the learned scale has a bound, the logits have none."""

    def __init__(self, temperature=0.07):
        super().__init__()
        self.logit_scale = torch.nn.Parameter(-torch.tensor(temperature).log())

    def forward(self, image, text):
        logits = self.logit_scale.exp().clamp(max=100) * unit(image) @ unit(text).T
        labels = torch.arange(len(image))
        return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2
