"""Mistakes that public libraries made in these losses, and that the catalogue lacks, typed anew as NumPy functions.

Each comes from issues on GitHub, which are given; words and code are this project's. They take the arguments
of the textbook's functions, and are differentiated by a complex step: `stop` is where a library cut the graph.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy import arange, concatenate, diag, exp, eye, log, where

from infonce_ref.textbook import larger, logsumexp, pick, places, stop, unit

ORDER = ("finite differences", "proved formula", "laws", "50 digits")  # the cheap checks first


class Bug(NamedTuple):
    """value: the wrong loss; its docstring says what is wrong. reports: issues on GitHub. method: the first check
    of `ORDER` that fails. grade: the loss's grade, wrong or inexact. Both are "" for a control, where no check may
    fail. named: the names that `infonce-ref check` gives; () if none.
    """

    loss: str
    value: Callable
    reports: tuple[str, ...]
    method: str
    grade: str
    named: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.value.__name__

    @property
    def links(self) -> list[str]:
        return [f"https://github.com/{report.replace('#', '/issues/')}" for report in self.reports]


BUGS = []


def bug(loss, method, *reports, grade="wrong", named=()):
    """Register a function as a bug of a loss."""

    def mark(value):
        BUGS.append(Bug(loss, value, reports, method, grade, named))
        return value

    return mark


# --- NT-Xent ------------------------------------------------------------------------------------------------------


def scores(x, y, temperature):
    z = unit(concatenate([x, y]))
    return z @ z.T / temperature


def losses(s):
    """ℓ_i of each anchor from its logits, which is right."""
    itself, positive, _ = places(len(s))
    return logsumexp(s, ~itself) - pick(s, positive)


def split(n):
    """The rows of each of two ranks, which hold half of the pairs; a single pair is on one."""
    return [concatenate([block, block + n]) for block in np.array_split(arange(n), min(n, 2))]


def of_ranks(x, y, temperature, gather=lambda z, own: z, first=lambda start: start):
    """The mean over the anchors of two ranks. gather(z, own): the rows that a rank sees · first(start): the column
    that it takes for its first anchor.
    """
    ranks = split(len(x))
    z = unit(concatenate([x, y]))[concatenate(ranks)]
    total, start = 0, 0
    for rows in ranks:
        n, here = len(rows), arange(len(rows))
        own = np.isin(arange(len(z)), start + here)
        s = z[own] @ gather(z, own).T / temperature
        among = arange(len(z)) != first(start) + here[:, None]
        total = total + (logsumexp(s, among) - s[here, start + np.roll(here, n // 2)]).sum()
        start += n
    return total / len(z)


@bug("ntxent", "", "KevinMusgrave/pytorch-metric-learning#282", grade="")
def row_max_not_detached(x, y, temperature):
    """The maximum that is subtracted stays in the graph; its gradient cancels, so nothing is wrong: a control."""
    s = scores(x, y, temperature)
    itself, positive, _ = places(len(s))
    top = where(itself, -np.inf, stop(s)).argmax(1)
    s = s - s[arange(len(s)), top][:, None]
    return (log(where(itself, 0, exp(where(itself, 0, s))).sum(1)) - pick(s, positive)).mean()


@bug("ntxent", "laws", "Lightning-Universe/lightning-bolts#811")
def exp_of_inverse_temperature_overflows(x, y, temperature):
    """e^{1/τ} is formed and taken off the row sum: digits go long before it overflows to ∞ − ∞."""
    s = scores(x, y, temperature)
    return (log(exp(s).sum(1) - exp(1 / temperature)) - pick(s, places(len(s))[1])).mean()


@bug("ntxent", "laws", "Lightning-Universe/lightning-bolts#320", "huggingface/sentence-transformers#2774")
def row_max_not_subtracted(x, y, temperature):
    """The exponentials of the logits as they are, then the logarithm of their ratio: overflows when cold."""
    s = scores(x, y, temperature)
    itself, positive, _ = places(len(s))
    return -log(pick(exp(s), positive) / pick(exp(s), ~itself)).mean()


@bug(
    "ntxent",
    "laws",
    "emadeldeen24/TS-TCC#25",
    "HobbitLong/SupContrast#104",
    "tfzhou/ContrastiveSeg#68",
    grade="inexact",
)
def max_taken_over_masked_self_pair(x, y, temperature):
    """The row's maximum is the anchor itself, masked afterwards: when cold, all that is left underflows."""
    s = scores(x, y, temperature)
    itself, positive, _ = places(len(s))
    s = s - stop(s).max(1, keepdims=True)
    return (log(pick(exp(s), ~itself)) - pick(s, positive)).mean()


@bug("ntxent", "finite differences", "lucidrains/contrastive-learner#2", named=("mean over 2b minus 2",))
def mean_over_2_times_b_minus_1(x, y, temperature):
    """The sum over 2B rows is divided by 2(B − 1)."""
    return losses(scores(x, y, temperature)).sum() / (2 * len(x) - 2)


@bug(
    "ntxent",
    "proved formula",
    "HobbitLong/SupContrast#106",
    "HobbitLong/SupContrast#73",
    named=("base temperature",),
)
def base_temperature_rescales_loss(x, y, temperature):
    """The loss is multiplied by τ over a base temperature that stays at 0.07 whatever τ is."""
    return losses(scores(x, y, temperature)).mean() * temperature / 0.07


@bug("ntxent", "proved formula", "vturrisi/solo-learn#206")
def rank_blind_self_mask_of_gathered_batch(x, y, temperature):
    """On every rank the mask clears column i of the gathered rows, though from the second rank on the anchor stands
    further right."""
    return of_ranks(x, y, temperature, first=lambda start: 0)


@bug("ntxent", "proved formula", "Spijkervet/SimCLR#46", "Spijkervet/SimCLR#37")
def gathered_views_interleaved_by_rank(x, y, temperature):
    """Each rank joins its two views before the gather, but partners are read as if all first views came first."""
    rows = concatenate([x, y])[concatenate(split(len(x)))]
    return losses(scores(rows[: len(x)], rows[len(x) :], temperature)).mean()


@bug("ntxent", "proved formula", "p3i0t/SimCLR-CIFAR10#6")
def negative_cosines_clamped_to_zero(x, y, temperature):
    """Similarities are clamped from below near 0: pairs past a right angle exert no force."""
    return losses(larger(scores(x, y, 1.0), 1e-7) / temperature).mean()


@bug(
    "ntxent",
    "finite differences",
    "lightly-ai/lightly#1528",
    "Spijkervet/SimCLR#33",
    "open-mmlab/mmselfsup#107",
)
def gather_backward_returns_own_slice(x, y, temperature):
    """The gather's backward keeps this rank's gradient of its own rows, and drops the other ranks' gradients of
    them."""
    return of_ranks(x, y, temperature, lambda z, own: where(own[:, None], z, stop(z)))


@bug(
    "ntxent",
    "finite differences",
    "KevinMusgrave/pytorch-metric-learning#363",
    "mlfoundations/open_clip#616",
    "texttron/tevatron#30",
    named=("gradient half",),
)
def gradient_off_by_world_size(x, y, temperature):
    """Each of two ranks has the whole loss and its own slice's gradient, which the mean over ranks halves again."""
    loss = losses(scores(x, y, temperature)).mean()
    return (loss + stop(loss)) / 2


@bug(
    "ntxent",
    "finite differences",
    "sl-93/SUPERVISED-CONTRASTIVE-LEARNING-FOR-PRE-TRAINED-LANGUAGE-MODEL-FINE-TUNING#2",
    "hangyu94/Ada-CM#8",
    "liorshk/facenet_pytorch#6",
    named=("no gradient",),
)
def loss_computed_on_detached_copies(x, y, temperature):
    """The embeddings are turned into plain arrays before the loss: its value is right and nothing is trained."""
    return losses(scores(stop(x), stop(y), stop(temperature))).mean()


# --- other losses -------------------------------------------------------------------------------------------------


@bug("dcl", "laws", "raminnakhli/Decoupled-Contrastive-Learning#14")
def log_of_a_small_number_for_minus_infinity(x, y, temperature):
    """log 10⁻⁴⁵ = −103.6 is added to the logits of the anchor and its positive, which reappear at a cold
    temperature."""
    s = scores(x, y, temperature)
    itself, positive, _ = places(len(s))
    return (logsumexp(s + log(1e-45) * (itself | positive), s == s) - pick(s, positive)).mean()


@bug("clip", "50 digits", "openai/CLIP#46", "openai/CLIP#530")
def clamp_of_scale_in_the_graph_kills_its_gradient(x, y, temperature):
    """1/τ is cut at 100 inside the forward pass: past it the temperature has no gradient and never comes back."""
    s = x @ y.T * where(stop(1 / temperature) < 100, 1 / temperature, 100)
    return (logsumexp(s, s == s) + logsumexp(s.T, s == s) - 2 * diag(s)).mean() / 2


@bug("triplet", "proved formula", "jinnnju/PaAno#1", named=("zero",))
def minus_inf_mask_turned_to_plus_inf_by_distance(x, y, negative, margin):
    """The mask of similarities, −∞, becomes a distance of +∞ that is picked as the negative: the loss is 0."""
    near, far = ((x - y) ** 2).sum(1), stop((x - negative) ** 2).sum(1) + np.inf
    return larger(0, near - far + margin).mean()


@bug("byol", "proved formula", "imbue-ai/self_supervised#7", named=("half",))
def half_scale_one_minus_cosine(x, y):
    """1 − cos, half of the loss."""
    return (1 - (unit(x) * unit(stop(y))).sum(1)).mean()


@bug("simsiam", "finite differences", "ai4co/rl4co#283", named=("sign flipped",))
def similarity_maximised_with_wrong_sign(p1, z1, p2, z2):
    """+cos is minimised: the views are driven to opposite directions."""
    return ((unit(p1) * unit(stop(z2))).sum(1) + (unit(p2) * unit(stop(z1))).sum(1)).mean() / 2


@bug("barlow_twins", "finite differences", "lightly-ai/lightly#1977", named=("gradient half",))
def gathered_gradient_halved(x, y, weight):
    """Each of two ranks has the whole loss and the gradient of its own rows, which the mean over ranks halves."""
    x, y = (z - z.mean(0) for z in (x, y))
    c = x.T @ y / np.sqrt((x * x).sum(0)[:, None] * (y * y).sum(0))
    whole = where(eye(len(c), dtype=bool), (1 - c) ** 2, weight * c * c).sum()
    return (whole + stop(whole)) / 2


@bug(
    "dhn_nce",
    "laws",
    "raminnakhli/Decoupled-Contrastive-Learning#14",
    "taesungp/contrastive-unpaired-translation#47",
    "zju3dv/LoFTR#285",
)
def additive_finite_mask(x, y, temperature, beta1, beta2):
    """log 10⁻⁴⁵ = −103.6 is added to masked logits instead of −∞: at a cold temperature the pair reappears."""

    def one_way(s, beta):
        mask, all_of_it = log(1e-45) * eye(len(s)), s == s
        hard, plain = (logsumexp(slope * s + mask, all_of_it) for slope in (1 + beta, beta))
        return (hard - plain - diag(s)).sum() + len(s) * log(len(s) - 1)

    s = x @ y.T / temperature
    return one_way(s, beta1) + one_way(s.T, beta2)
