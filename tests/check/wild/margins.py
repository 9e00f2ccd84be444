"""A margin on the positive's angle; a number that raises given negatives; a small number under a root."""

import torch
import torch.nn.functional as F
from torch.nn.functional import normalize as unit


def angle(a, b, temperature=0.1, margin=0.2):
    cosine, pair = (unit(a) @ unit(b).T).clamp(-1 + 1e-7, 1 - 1e-7), torch.eye(len(a), dtype=torch.bool)
    cosine = torch.where(pair, torch.cos(torch.acos(cosine) + margin), cosine)
    return F.cross_entropy(cosine / temperature, torch.arange(len(a)))


def own_hard(anchor, positive, hard, temperature=0.1, raised=1.0):
    a, p, h = (unit(x) for x in (anchor, positive, hard))
    near, far = a @ p.T / temperature, a @ h.T / temperature
    far = far + raised * torch.eye(len(a), dtype=a.dtype)
    return F.cross_entropy(torch.cat([near, far], 1), torch.arange(len(a)))


def root(state, goal):
    squared = (state[:, None] - goal[None]).pow(2).sum(-1)
    return F.cross_entropy(-torch.sqrt(squared + 1e-6), torch.arange(len(state)))


def root_of_triplets(anchor, positive, negative, margin=0.3):
    near, far = (torch.sqrt((anchor - x).pow(2).sum(1) + 1e-6) for x in (positive, negative))
    return F.relu(near - far + margin).mean()


def root_of_pairs(x, y):
    return torch.sqrt((unit(x) - unit(y)).pow(2).sum(1) + 1e-6).mean()
