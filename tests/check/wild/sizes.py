"""The size of the loss changes with its temperature, or with a number that it learns."""

import torch
import torch.nn.functional as F
from torch.nn.functional import normalize as unit


def over_a_base(a, b, temperature=0.07, base_temperature=0.07):
    logits = unit(a) @ unit(b).T / temperature
    return temperature / base_temperature * F.cross_entropy(logits, torch.arange(len(a)))


class Learned(torch.nn.Module):
    def __init__(self, start=1.0):
        super().__init__()
        self.tau = torch.nn.Parameter(torch.tensor(start))

    def forward(self, a, b):
        return self.tau * F.cross_entropy(unit(a) @ unit(b).T / self.tau, torch.arange(len(a)))


def twice_the_temperature(a, b, T=1.0):
    return 2 * T * F.cross_entropy(unit(a) @ unit(b).T / T, torch.arange(len(a)))


def decoupled(a, b, inverse=14.0):
    logits = inverse * unit(a) @ unit(b).T
    negatives = logits - torch.diag(torch.full((len(a),), torch.inf))
    rows, columns = torch.logsumexp(negatives, 1), torch.logsumexp(negatives, 0)
    return (rows + columns - 2 * logits.diag()).mean() / inverse


def by_its_root(a, b):
    return F.cross_entropy(unit(a) @ unit(b).T / 0.1, torch.arange(len(a))) / (1 + len(a)) ** 0.5


def always_cold(a, b, softmax_temperature=0.1):
    return F.cross_entropy(unit(a) @ unit(b).T / 0.07, torch.arange(len(a)))


def smoothed(a, b, temperature=0.1):
    logits = unit(a) @ unit(b).T / temperature
    return F.cross_entropy(logits, torch.arange(len(a)), label_smoothing=0.1)


class SmoothedByScale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.logit_scale = torch.nn.Parameter(torch.tensor(2.6592))

    def forward(self, a, b):
        return smoothed(a, b, 1 / self.logit_scale.exp()) + smoothed(b, a, 1 / self.logit_scale.exp())
