"""Queues inside a loss: one that moves with each call, one for other features, and a layer that learns."""
import torch
import torch.nn.functional as F


def contrast(query, key, queue):
    logits = torch.cat([(query * key).sum(1, keepdim=True), query @ queue], dim=1) / 0.07
    return F.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))


class MoCo(torch.nn.Module):
    def __init__(self, dim=5, size=24):
        super().__init__()
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.register_buffer("pointer", torch.zeros(1, dtype=torch.long))

    def forward(self, query, key):
        query, key = F.normalize(query), F.normalize(key)
        loss = contrast(query, key, self.queue.clone().to(query.dtype))
        start = int(self.pointer) if int(self.pointer) + len(key) <= self.queue.shape[1] else 0
        self.queue[:, start : start + len(key)] = key.T.detach()
        self.pointer[0] = start + len(key)
        return loss


class Large(MoCo):
    def __init__(self):
        super().__init__(128, 4096)


class Prototypes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(5, 7, bias=False).double()

    def forward(self, student, teacher):
        student, teacher = (self.layer(F.normalize(x)) / 0.1 for x in (student, teacher))
        return -(teacher.detach().softmax(1) * student.log_softmax(1)).sum(1).mean()
