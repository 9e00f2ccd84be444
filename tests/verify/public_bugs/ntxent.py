"""NT-Xent as public libraries have got it wrong. Rows i and i + B are a pair."""

import numpy as np

from .bug import bug
from .tape import at_least, detach, exp, log, logsumexp, maximum, unit, where


def masks(n):
    """Masks (N, N) of each row itself, and of its partner."""
    itself = np.eye(n, dtype=bool)
    return itself, np.roll(itself, n // 2, axis=0)


def scores(w, temperature):
    z = unit(w)
    return z @ z.T / temperature


def at(mask, x):
    """The entry of each row at which the mask is true."""
    return where(mask, x, 0).sum(1)


def losses(x):
    """ℓ_i of each anchor from its logits, which is right."""
    itself, positive = masks(len(x.value))
    return logsumexp(where(~itself, x, -np.inf), 1) - at(positive, x)


def textbook(w, temperature):
    return losses(scores(w, temperature)).mean()


def of_ranks(w, temperature, gather, mask=lambda start, n: np.arange(n) + start):
    """The mean over the anchors of two ranks; each rank holds half of the pairs. gather(z, own) returns the rows
    that a rank sees, mask(start, n) the columns that it takes for its own anchors.
    """
    n = len(w.value)
    blocks = np.array_split(np.arange(n // 2), 2)
    order = np.concatenate([np.concatenate([block, block + n // 2]) for block in blocks])
    z = unit(w)[order]
    total, start = 0.0, 0
    for block in blocks:
        own = np.arange(start, start + 2 * len(block))
        rows = z[own]
        partner = start + np.roll(np.arange(len(own)), len(block))
        x = rows @ gather(z, np.isin(np.arange(n), own)).T / temperature
        here, columns = np.arange(len(own)), np.arange(n)
        is_self = columns == mask(start, len(own))[:, None]
        total = total + (logsumexp(where(~is_self, x, -np.inf), 1) - x[here, partner]).sum()
        start += len(own)
    return total / n


@bug("", "https://github.com/KevinMusgrave/pytorch-metric-learning/issues/282", grade="")
def row_max_not_detached(w, temperature):
    """The maximum that is subtracted stays in the graph; its gradient cancels, so nothing is wrong: a control."""
    x = scores(w, temperature)
    itself, positive = masks(len(w.value))
    shifted = x - maximum(where(~itself, x, -np.inf), 1)
    return (log(exp(where(~itself, shifted, -np.inf)).sum(1)) - at(positive, shifted)).mean()


@bug(
    "finite differences",
    "https://github.com/Lightning-Universe/lightning-bolts/issues/695",
    named=("self subtracted as constant",),
)
def self_pair_subtracted_as_constant(w, temperature):
    """The anchor is not masked: the number e^{1/τ} is taken off the full row sum instead, which leaves a radial
    force on unit rows and no slope of its own by τ."""
    x = scores(w, temperature)
    _, positive = masks(len(w.value))
    return (log(exp(x).sum(1) - exp(1 / detach(temperature))) - at(positive, x)).mean()


@bug("symbolic", "https://github.com/Lightning-Universe/lightning-bolts/issues/811")
def exp_of_inverse_temperature_overflows(w, temperature):
    """e^{1/τ} is formed and taken off the row sum: digits go long before it overflows to ∞ − ∞."""
    x = scores(w, temperature)
    _, positive = masks(len(w.value))
    return (log(exp(x).sum(1) - exp(1 / temperature)) - at(positive, x)).mean()


@bug(
    "symbolic",
    "https://github.com/Lightning-Universe/lightning-bolts/issues/320",
    "https://github.com/huggingface/sentence-transformers/issues/2774",
)
def row_max_not_subtracted(w, temperature):
    """The exponentials of the logits as they are, then the logarithm of their ratio: overflows when cold."""
    x = scores(w, temperature)
    itself, positive = masks(len(w.value))
    return -log(at(positive, exp(x)) / where(~itself, exp(x), 0).sum(1)).mean()


@bug(
    "identities",
    "https://github.com/emadeldeen24/TS-TCC/issues/25",
    "https://github.com/HobbitLong/SupContrast/issues/104",
    "https://github.com/tfzhou/ContrastiveSeg/issues/68",
)
def max_taken_over_masked_self_pair(w, temperature):
    """The row's maximum is the anchor itself, masked afterwards: when cold, all that is left underflows."""
    x = scores(w, temperature)
    itself, positive = masks(len(w.value))
    shifted = x - detach(maximum(x, 1))
    return (log(where(~itself, exp(shifted), 0).sum(1)) - at(positive, shifted)).mean()


@bug(
    "finite differences",
    "https://github.com/lucidrains/contrastive-learner/issues/2",
    named=("mean over 2b minus 2",),
)
def mean_over_2_times_b_minus_1(w, temperature):
    """The sum over 2B rows is divided by 2(B − 1)."""
    return losses(scores(w, temperature)).sum() / (len(w.value) - 2)


@bug(
    "symbolic",
    "https://github.com/HobbitLong/SupContrast/issues/106",
    "https://github.com/HobbitLong/SupContrast/issues/73",
    named=("base temperature",),
)
def base_temperature_rescales_loss(w, temperature):
    """The loss is multiplied by τ over a base temperature that stays at 0.07 whatever τ is."""
    return losses(scores(w, temperature)).mean() * temperature / 0.07


@bug("symbolic", "https://github.com/vturrisi/solo-learn/issues/206")
def rank_blind_self_mask_of_gathered_batch(w, temperature):
    """On every rank the mask clears column i of the gathered rows, though from the second rank on the anchor stands
    further right."""
    return of_ranks(w, temperature, lambda z, own: z, lambda start, n: np.arange(n))


@bug(
    "symbolic",
    "https://github.com/Spijkervet/SimCLR/pull/46",
    "https://github.com/Spijkervet/SimCLR/issues/37",
)
def gathered_views_interleaved_by_rank(w, temperature):
    """Each rank joins its two views before the gather, but partners are read as if all first views came first."""
    n = len(w.value)
    blocks = np.array_split(np.arange(n // 2), 2)
    order = np.concatenate([np.concatenate([block, block + n // 2]) for block in blocks])
    return losses(scores(w[order], temperature)).mean()


@bug("symbolic", "https://github.com/p3i0t/SimCLR-CIFAR10/issues/6")
def negative_cosines_clamped_to_zero(w, temperature):
    """Similarities are clamped from below near 0: pairs past a right angle exert no force."""
    z = unit(w)
    return losses(at_least(z @ z.T, 1e-7) / temperature).mean()


@bug(
    "finite differences",
    "https://github.com/lightly-ai/lightly/issues/1528",
    "https://github.com/Spijkervet/SimCLR/issues/33",
    "https://github.com/open-mmlab/mmselfsup/issues/107",
)
def gather_backward_returns_own_slice(w, temperature):
    """The gather's backward keeps this rank's gradient of its own rows, and drops the other ranks' gradients of
    them."""
    return of_ranks(
        w, temperature, lambda z, own: where(own[:, None], z, 0) + where(~own[:, None], detach(z), 0)
    )


@bug(
    "finite differences",
    "https://github.com/KevinMusgrave/pytorch-metric-learning/issues/363",
    "https://github.com/mlfoundations/open_clip/issues/616",
    "https://github.com/texttron/tevatron/issues/30",
    named=("gradient half",),
)
def gradient_off_by_world_size(w, temperature):
    """Each of two ranks has the whole loss and its own slice's gradient, which the mean over ranks halves again."""
    loss = losses(scores(w, temperature)).mean()
    return loss / 2 + detach(loss / 2)


@bug(
    "finite differences",
    "https://github.com/sl-93/SUPERVISED-CONTRASTIVE-LEARNING-FOR-PRE-TRAINED-LANGUAGE-MODEL-FINE-TUNING/issues/2",
    "https://github.com/hangyu94/Ada-CM/issues/8",
    "https://github.com/liorshk/facenet_pytorch/issues/6",
    named=("no gradient",),
)
def loss_computed_on_detached_copies(w, temperature):
    """The embeddings are turned into plain arrays before the loss: its value is right and nothing is trained."""
    return losses(scores(detach(w), detach(temperature))).mean()
