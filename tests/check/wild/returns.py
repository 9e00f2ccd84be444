"""What PyTorch losses return beside the loss, or in its place. Each is CPC or CLIP at 0.1."""
import dataclasses
from collections import namedtuple

import torch
import torch.nn.functional as F


def logits_of(query, key):
    return F.normalize(query) @ F.normalize(key).T / 0.1


def nce(logits, reduction="mean"):
    return F.cross_entropy(logits, torch.arange(len(logits)), reduction=reduction)


def hits(logits):
    return (logits.argmax(1) == torch.arange(len(logits))).float().mean()


def accuracy_first(query, key):
    logits = logits_of(query, key)
    return hits(logits), nce(logits)


def loss_and_logits(query, key):
    logits = logits_of(query, key)
    return {"loss": nce(logits), "logits": logits}


def logits_labels_loss(query, key):
    logits = logits_of(query, key)
    return logits, torch.arange(len(logits)), nce(logits)


def logits_in_a_dict(query, key):
    logits = logits_of(query, key)
    return {"labels": torch.arange(len(logits)), "output": logits, "acc": hits(logits)}


def loss_of_each_row(query, key):
    logits = logits_of(query, key)
    return nce(logits, "none"), {"pos": logits.diagonal().mean().item(), "acc": hits(logits)}


def list_of_rows(query, key):
    return list(nce(logits_of(query, key), "none"))


def parts_and_total(query, key):
    logits = logits_of(query, key)
    one, other = nce(logits) / 2, nce(logits.T) / 2
    return {"i2t": one, "t2i": other, "total": one + other, "acc": hits(logits)}


def two_parts(query, key):
    logits = logits_of(query, key)
    return {"loss_i2t": nce(logits) / 2, "loss_t2i": nce(logits.T) / 2, "acc": hits(logits)}


def positive_not_detached(query, key):
    logits = logits_of(query, key)
    return nce(logits), logits.diagonal().mean()


def regularised(query, key):
    return {"nce_loss": nce(logits_of(query, key)), "l2_loss": query.square().mean()}


def of_unit_rows(query, key):
    assert torch.allclose(query.norm(dim=1), torch.ones(len(query), dtype=query.dtype)), "normalise first"
    return nce(query @ key.T / 0.1), query.std()


Result = namedtuple("Result", "contrastive accuracy")


def named_tuple(query, key):
    logits = logits_of(query, key)
    return Result(nce(logits), hits(logits))


@dataclasses.dataclass
class Output:
    contrastive: torch.Tensor
    features: torch.Tensor
    temperature: float = 0.1


def data_class(query, key):
    return Output(nce(logits_of(query, key)), F.normalize(query))


class WithScale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.logit_scale = torch.nn.Parameter(torch.tensor(10.0).log())

    def forward(self, query, key):
        scale = self.logit_scale.exp()
        return scale, nce(scale * F.normalize(query) @ F.normalize(key).T)
