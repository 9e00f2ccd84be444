"""SupCon whose mask of positives still has the anchor."""

import torch
from torch.nn.functional import normalize as unit


def parts(rows, labels):
    logits = unit(rows) @ unit(rows).T / 0.1
    same, itself = (labels[:, None] == labels).to(rows), torch.eye(len(rows)).to(rows)
    return logits, same, 1 - itself


def pulled(rows, labels):
    logits, same, others = parts(rows, labels)
    log_p = logits - torch.log((logits.exp() * others).sum(1, keepdim=True))
    return -((same * log_p).sum(1) / same.sum(1)).mean()


def counted(rows, labels):
    logits, same, others = parts(rows, labels)
    log_p = logits - torch.log((logits.exp() * others).sum(1, keepdim=True))
    return -((same * others * log_p).sum(1) / same.sum(1)).mean()


def summed(rows, labels):
    logits, same, others = parts(rows, labels)
    log_p = logits - torch.log((logits.exp() * others).sum(1, keepdim=True))
    return -(same * log_p).sum(1).mean()


def inside(rows, labels):
    logits, same, others = parts(rows, labels)
    return -torch.log((logits.exp() * same).sum(1) / (logits.exp() * others).sum(1)).mean()


def and_a_candidate(rows, labels):
    logits, same, _ = parts(rows, labels)
    return -((same * logits.log_softmax(1)).sum(1) / same.sum(1)).mean()
