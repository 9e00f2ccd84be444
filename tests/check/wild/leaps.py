"""A comparison that rounding decides, and a choice that changes without a jump."""
import torch
import torch.nn.functional as F


def below_one(z):
    z = F.normalize(z)
    s = z @ z.T
    partner = torch.arange(len(z)).roll(len(z) // 2)
    return (((s / 0.5).exp() * (s < 1)).sum(1).log() - s[torch.arange(len(z)), partner] / 0.5).mean()


def hardest_few(x, y):
    s = F.normalize(x) @ F.normalize(y).T / 0.1
    hard = s.masked_fill(torch.eye(len(s), dtype=torch.bool), -1e9).topk(2, 1).values
    return (torch.logsumexp(torch.cat([s.diagonal()[:, None], hard], 1), 1) - s.diagonal()).mean()
