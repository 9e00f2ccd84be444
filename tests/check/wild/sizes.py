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
