"""Sums over the wrong axes: a forgotten `axis` runs over the anchors too."""

import torch
from torch.nn.functional import normalize as unit


def without_axis(query, key, bank):
    pull, push = (query * key).sum(1), query @ bank.T
    return (torch.log(pull.exp() + push.exp().sum()) - pull).mean()


def mean_without_axis(query, key, bank, temperature=0.2):
    query, key, bank = unit(query), unit(key), unit(bank)
    pull, push = torch.exp((query * key).sum(1) / temperature), torch.exp(query @ bank.T / temperature)
    return -torch.log(pull / (pull + push.mean())).mean()


def above_and_below(a, b, temperature=0.2):
    e = torch.exp(unit(a) @ unit(b).T / temperature)
    return -torch.log(e.diagonal().sum() / e.sum())


def above_alone(a, b, temperature=0.2):
    e = torch.exp(unit(a) @ unit(b).T / temperature)
    return -torch.log(e.diagonal().sum() / e.sum(1)).mean()
