"""MoCo's loss in float32, which refuses rows that are not normalised."""
import torch


class InfoNCE(torch.nn.Module):
    def __init__(self, tau=0.07):
        super().__init__()
        self.tau = tau

    def forward(self, query, key, queue):
        query, key, queue = query.float(), key.float(), queue.float()
        if not torch.allclose(query.norm(dim=-1), torch.ones(len(query))):
            raise ValueError("queries must be L2-normalised")
        positive = torch.exp((query * key).sum(-1) / self.tau)
        return -torch.log(positive / (positive + torch.exp(query @ queue.T / self.tau).sum(-1))).mean()
