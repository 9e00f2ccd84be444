"""Losses with the signatures of public code, rewritten: each is NT-Xent, CLIP, CPC or SupCon at τ = 0.2."""

import torch
import torch.nn.functional as F

TAU = 0.2


def logits_of(z1, z2):
    return F.normalize(z1, dim=-1) @ F.normalize(z2, dim=-1).transpose(-1, -2) / TAU


def rows(z1, z2):
    """CPC with rows as arguments, whose labels are the row numbers."""
    logits = logits_of(z1, z2)
    return torch.logsumexp(logits, 1) - logits.diagonal()


def row_sums(scores):
    """A step of a loss, that no positive enters."""
    return torch.logsumexp(scores, 1)


def both(z1, z2):
    return (rows(z1, z2) + rows(z2, z1)).mean() / 2


def supcon(w, labels):
    positive = (labels[:, None] == labels) & ~torch.eye(len(w), dtype=torch.bool)
    log_p = logits_of(w, w).masked_fill(torch.eye(len(w), dtype=torch.bool), -1e30).log_softmax(1)
    count = positive.sum(1)
    return -((log_p * positive).sum(1)[count > 0] / count[count > 0]).mean()


class BatchSize(torch.nn.Module):
    def __init__(self, device, batch_size, temperature):
        super().__init__()
        self.n, self.t = batch_size, temperature
        self.mask = torch.ones(2 * batch_size, 2 * batch_size, dtype=torch.bool, device=device)
        for i in range(2 * batch_size):
            self.mask[i, i] = self.mask[i, (i + batch_size) % (2 * batch_size)] = False

    def forward(self, z_i, z_j):
        n = 2 * self.n
        z = F.normalize(torch.cat([z_i, z_j]))
        s = z @ z.T / self.t
        positive = torch.cat([s.diagonal(self.n), s.diagonal(-self.n)])[:, None]
        logits = torch.cat([positive, s[self.mask].reshape(n, -1)], dim=1)
        return F.cross_entropy(logits, torch.zeros(n).to(positive.device).long(), reduction="sum") / n


def size_in_call(z1, z2, batch_size):
    return F.cross_entropy(logits_of(z1, z2), torch.arange(batch_size))


class OnCard(torch.nn.Module):
    def __init__(self, tau=TAU, device="cuda:0"):
        super().__init__()
        self.tau, self.device = torch.tensor(tau).cuda(), device

    def forward(self, z1, z2):
        logits = F.normalize(z1).cuda() @ F.normalize(z2).to(self.device).T / self.tau
        return F.cross_entropy(logits, torch.arange(len(z1), device=self.device))


def autocast(z1, z2):
    with torch.autocast("cpu", torch.bfloat16):
        return F.cross_entropy(logits_of(z1.float(), z2.float()), torch.arange(len(z1)))


def focal(z1, z2):
    log_p = logits_of(z1, z2).log_softmax(1).diagonal()
    return -((1 - log_p.exp().detach()) ** 2 * log_p).mean()


def views(features):
    assert isinstance(features, list)
    return both(*features)


def keyword_labels(embeddings, *, labels):
    return supcon(embeddings, labels)


def views_of_classes(features, labels):
    assert features.ndim == 3
    return supcon(torch.cat(torch.unbind(features, dim=1)), labels.repeat(features.shape[1]))


def labels_by_choice(features, labels=None, mask=None):
    if features.ndim < 3:
        raise ValueError("features must be (batch, views, ...)")
    labels = torch.arange(len(features)) if labels is None else labels
    return views_of_classes(features, labels)


def of_sequences(z1, z2):
    batch, steps, _ = z1.shape
    labels = torch.arange(steps).expand(batch, -1)
    return F.cross_entropy(logits_of(z1, z2).transpose(1, 2), labels)


def of_steps(z1, z2):
    return of_sequences(z1.transpose(0, 1), z2.transpose(0, 1))


def by_mask(scores, mask):
    assert mask.dtype == torch.bool
    return (torch.logsumexp(scores, 1) - scores[mask]).mean()


def by_numbers(scores, pos_mask):
    return torch.logsumexp(scores, 1).mean() - (scores * pos_mask).sum() / (
        (1 - pos_mask).sum() / (len(scores) - 1)
    )


def queue_of_columns(q, k, queue):
    q, k, queue = F.normalize(q), F.normalize(k), F.normalize(queue, dim=0)
    logits = torch.cat([(q * k).sum(1, keepdim=True), q @ queue.clone().detach()], dim=1) / TAU
    return logits, torch.zeros(len(q), dtype=torch.long)


def raises_deep(x, y):
    raise ValueError("embeddings and labels differ" if x.ndim == 2 else "other")


def unlabelled(x, y):
    return {"one": logits_of(x, y), "other": logits_of(y, x)}


def named_as_options(x, y, device, inputs, take):
    assert (device, take) == ("cpu", 1)
    return x.sum(), rows(x, y).mean() * inputs / TAU


def turned(x, y):
    return rows(x, y).roll(1)


def of_both(x, y):
    return (rows(x, y) + rows(y, x)) / 2


def logits_with_labels(logits, labels):
    return F.cross_entropy(logits, labels)


def of_record(outputs):
    image, text = F.normalize(outputs["image_embed"]), F.normalize(outputs["text_embed"])
    logits = outputs["logit_scale"] * image @ text.T
    labels = torch.arange(len(image))
    loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2
    return {"loss": loss, "clip_loss": loss, "clip_acc": 100.0}


def all_steps(z1, z2):
    assert z1.ndim == 3
    return rows(z1.flatten(0, 1), z2.flatten(0, 1)).mean()


def first_sequence(z1, z2):
    return of_sequences(z1[:1], z2[:1])


def by_two_masks(anchor, sample, pos_mask=None, neg_mask=None):
    logits = logits_of(anchor, sample)
    below = (logits.exp() * (pos_mask + neg_mask)).sum(1).log()
    return (below - (logits * pos_mask).sum(1)).mean()


def with_hard_negatives(queries, passages):
    assert len(passages) == 2 * len(queries)
    return F.cross_entropy(logits_of(queries, passages), 2 * torch.arange(len(queries)))


class NoiseContrast(torch.nn.Module):
    """NCE of likelihoods, with noise that is uniform over all samples."""

    def __init__(self, n_data):
        super().__init__()
        self.p = 1 / n_data

    def forward(self, x):
        noise = self.p * (x.shape[1] - 1)
        own, others = x[:, 0] / (x[:, 0] + noise), noise / (x[:, 1:] + noise)
        return -(own.log().sum() + others.log().sum()) / len(x)


class OldSpelling(BatchSize):
    def __init__(self, batchSize, T):
        super().__init__("cpu", batchSize, T)


def pooled(z1, z2):
    """The losses of two sequences, and that of their mean."""
    return all_steps(z1, z2) + all_steps(z1.mean(0, keepdim=True), z2.mean(0, keepdim=True))


def barlow_twins(z1, z2):
    normalise = torch.nn.BatchNorm1d(z1.shape[1], affine=False)  # in torch's default dtype, with ε = 1e-5
    c = normalise(z1).T @ normalise(z2) / len(z1)
    own = torch.eye(len(c), dtype=torch.bool)
    return (1 - c[own]).square().sum() + 0.005 * c[~own].square().sum()


def student_of_a_queue(q, k, queue):
    """The student's similarities of a query to a queue, with the key's as targets, as in ReSSL."""
    own, taught = q @ queue.T / 0.1, (k @ queue.T / 0.04).detach().softmax(1)
    return -(taught * own.log_softmax(1)).sum(1).mean()


def of_all_similarities(sim_matrix, temperature=TAU):
    n = len(sim_matrix)
    logits = (sim_matrix / temperature).masked_fill(torch.eye(n, dtype=torch.bool), -torch.inf)
    return F.cross_entropy(logits, torch.arange(n).roll(n // 2))


def in_part_float32(x, y):
    logits = F.normalize(x) @ F.normalize(y).T / TAU
    return (logits.logsumexp(1) - logits.diag().float()).mean()


def distance_to_target(x, y):
    return ((x - y.detach()) ** 2).sum(1).mean()


def keys_first(keys, queries):
    return F.cross_entropy(queries @ keys.detach().T, torch.arange(len(keys)))
