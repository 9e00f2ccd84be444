"""Values that are right, and gradients that are NaN: the slope of a root at 0, and 0 times infinity behind a mask."""
import torch
import torch.nn.functional as F


def contrast(anchor, positive, temperature=0.1):
    rows = torch.cat([anchor, positive])
    rows = rows / rows.norm(dim=1, keepdim=True)
    apart = (rows.unsqueeze(1) - rows.unsqueeze(0)).pow(2).sum(-1).sqrt()
    logits = -apart.pow(2) / 2 / temperature
    logits = logits.masked_fill(torch.eye(len(rows), dtype=torch.bool), float("-inf"))
    return F.cross_entropy(logits, torch.arange(len(rows)).roll(len(anchor)))


def logarithm(w, labels):
    similar = F.normalize(w) @ F.normalize(w).T / 0.5
    other = ~torch.eye(len(w), dtype=torch.bool)
    p = similar.exp() * other / (similar.exp() * other).sum(1, keepdim=True)
    same = (labels[:, None] == labels) & other
    return -(torch.where(same, p.log(), 0).sum(1) / same.sum(1).clamp(min=1))[same.any(1)].mean()
