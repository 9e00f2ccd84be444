"""Losses of scores that were computed elsewhere."""
import numpy as np
import torch
import torch.nn.functional as F


def of_output(outputs):
    target = torch.arange(len(outputs.logits_per_image))
    one, other = outputs.logits_per_image, outputs.logits_per_text
    return (F.cross_entropy(one, target) + F.cross_entropy(other, target)) / 2


def with_labels(logits_per_text, logits_per_image, labels):
    return (F.cross_entropy(logits_per_image, labels) + F.cross_entropy(logits_per_text, labels)) / 2


def of_columns(neg_logits, pos_logits):
    return F.cross_entropy(torch.cat([pos_logits, neg_logits], dim=1), torch.zeros(len(pos_logits)).long())


def in_a_dict(batch):
    logits = torch.cat([batch["neg_scores"], batch["pos_scores"].unsqueeze(1)], dim=1)
    return F.cross_entropy(logits, torch.full((len(logits),), logits.shape[1] - 1))


def triplets(batch):
    anchor, positive, negative = (F.normalize(batch[name]) for name in ("anchor", "positive", "negative"))
    return F.relu((anchor * negative).sum(1) - (anchor * positive).sum(1) + 0.2).mean()


def hinge(pos, neg, margin=0.2):
    return np.maximum(0, margin + neg - pos[:, None]).sum(axis=1).mean()
