"""MoCo as most write it: queries and keys are normalised inside, and the queue is taken as it comes."""
import torch
import torch.nn.functional as F


def loss(query, key, queue, temperature=0.1):
    query, key = F.normalize(query), F.normalize(key)
    logits = torch.cat([(query * key).sum(1, keepdim=True), query @ queue.T], dim=1) / temperature
    return F.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))


def with_constant_keys(query, key, queue):
    return loss(query, key.detach(), queue.clone().detach())


def with_constant_queries(query, key, queue):
    return loss(query.detach(), key, queue)


def with_negatives_first(anchor, positive, negative, scale=20.0):
    scores = F.normalize(anchor) @ F.normalize(torch.cat([negative, positive])).T * scale
    return F.cross_entropy(scores, torch.arange(len(anchor)))
