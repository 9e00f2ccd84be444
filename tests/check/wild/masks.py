"""A mask (B,) of pairs, in three meanings."""
import torch
import torch.nn.functional as F


def rows(anchors, positives):
    logits = F.normalize(anchors) @ F.normalize(positives).T / 0.2
    return F.cross_entropy(logits, torch.arange(len(logits)), reduction="none")


def left_out(anchors, positives, valid):
    valid = valid.bool()
    return rows(anchors[valid], positives[valid]).mean()


def weighed(anchors, positives, keep):
    return (rows(anchors, positives) * keep).sum() / len(keep)


def unused(anchors, positives, valid):
    assert valid.shape == (len(anchors),)
    return rows(anchors, positives).mean()


def mixed(anchors, positives, valid):
    return rows(anchors * valid[:, None] + 1e-3, positives).mean() if not valid.all() else rows(anchors, positives).mean()
