"""Losses with one mistake each, and the name under which the report must know it.

Written with the tape of tests/verify/public_bugs, so that each has the gradient that autograd would give it.
"""

from typing import NamedTuple

import numpy as np
from verify.public_bugs import tape
from verify.public_bugs.tape import Node, detach, exp, log, logsumexp, softmax, softplus, unit, where

TAU = 0.15


class Pathology(NamedTuple):
    """loss: a scalar node of nodes · name: the mistake's, in the report · is_: what it is meant to be · inputs ·
    settings: of the claim."""

    loss: object
    name: str
    is_: str
    inputs: str
    settings: dict


PATHOLOGIES: list[Pathology] = []
INPUTS = {
    "ntxent": "concatenated",
    "clip": "two",
    "cpc": "two",
    "query_key": "queue",
    "triplet": "triplets",
    "byol": "two",
    "siglip": "two",
    "dcl": "concatenated",
    "supcon": "classes",
}


def wrong(name, is_, **settings):
    def mark(loss):
        PATHOLOGIES.append(Pathology(loss, name, is_, INPUTS[is_], settings or {"temperature": TAU}))
        return loss

    return mark


def value_and_gradients(loss):
    """A NumPy function that returns the value and what its backward needs, and that backward."""

    def forward(*arrays):
        leaves = [Node(np.array(x)) if x.dtype.kind == "f" else x for x in arrays]
        with np.errstate(all="ignore"):
            output = loss(*leaves)
        return output.value, (output, [leaf for leaf in leaves if isinstance(leaf, Node)])

    def backward(cache):
        with np.errstate(all="ignore"):
            return tuple(tape.gradients(*cache))

    forward.__name__ = loss.__name__
    return forward, backward


def pairs(n):
    itself = np.eye(n, dtype=bool)
    return itself, np.roll(itself, n // 2, axis=0)


def cosines(w, tau=TAU):
    z = unit(w)
    return z @ z.T / tau


def at(mask, x):
    return where(mask, x, 0).sum(1)


def rows(x, positive, candidates):
    return logsumexp(where(candidates, x, -np.inf), 1) - at(positive, x)


def ntxent(x):
    itself, positive = pairs(len(x.value))
    return rows(x, positive, ~itself)


def across(x, y, tau=TAU):
    return unit(x) @ unit(y).T / tau


def diagonal(s):
    return at(np.eye(len(s.value), dtype=bool), s)


def one_way(s):
    return logsumexp(s, 1) - diagonal(s)


def clip(s):
    return (one_way(s).mean() + one_way(s.T).mean()) / 2


# --- the temperature


@wrong("temperature twice", "ntxent")
def temperature_twice(w):
    return ntxent(cosines(w) / TAU).mean()


@wrong("multiplied by the temperature", "ntxent")
def temperature_multiplied(w):
    return ntxent(cosines(w) * TAU * TAU).mean()


@wrong("temperature not used", "ntxent")
def temperature_forgotten(w):
    return ntxent(cosines(w, 1.0)).mean()


@wrong("root of the temperature", "ntxent")
def root_of_temperature(w):
    return ntxent(cosines(w, TAU**0.5)).mean()


@wrong("scale not exponentiated", "clip")
def log_scale_as_it_is(x, y):
    return clip(across(x, y, 1.0) * float(np.log(1 / TAU)))


@wrong("another temperature", "clip")
def temperature_hard_coded(x, y):
    return clip(across(x, y, 0.07))


@wrong("mean over the features", "clip")
def mean_for_dot(x, y):
    return clip(across(x, y) / x.shape[1])


@wrong("divided by √d", "clip")
def attention_scaling(x, y):
    return clip(across(x, y) / x.shape[1] ** 0.5)


@wrong("temperature missing on the positive", "query_key")
def positive_untempered(q, k, n):
    p, s = (unit(q) * unit(k)).sum(1), unit(q) @ unit(n).T / TAU
    return (logsumexp(tape.concat(p[:, None], s, axis=1), 1) - p).mean()


@wrong("temperature missing on the positive in the denominator", "query_key")
def positive_untempered_below(q, k, n):
    p, s = (unit(q) * unit(k)).sum(1), unit(q) @ unit(n).T / TAU
    return (logsumexp(tape.concat(p[:, None], s, axis=1), 1) - p / TAU).mean()


@wrong("temperature missing on the negatives", "query_key")
def negatives_untempered(q, k, n):
    p, s = (unit(q) * unit(k)).sum(1) / TAU, unit(q) @ unit(n).T
    return (logsumexp(tape.concat(p[:, None], s, axis=1), 1) - p).mean()


# --- the rows


@wrong("not normalised", "ntxent")
def not_normalised(w):
    return ntxent(w @ w.T / TAU).mean()


@wrong("normalised along the batch", "ntxent")
def wrong_axis(w):
    z = unit(w, axis=0)
    return ntxent(z @ z.T / TAU).mean()


@wrong("normalised over all axes", "clip")
def one_norm_for_all(x, y):
    x, y = (v / (v * v).sum() ** 0.5 for v in (x, y))
    return clip(x @ y.T / TAU)


@wrong("one side normalised", "clip")
def one_side(x, y):
    return clip(unit(x) @ y.T / TAU)


@wrong("layer norm for unit norm", "clip")
def layer_norm(x, y):
    def standard(v):
        c = v - v.sum(1, keepdims=True) / v.shape[1]
        return c / ((c * c).sum(1, keepdims=True) / v.shape[1]) ** 0.5

    return clip(standard(x) @ standard(y).T / TAU)


@wrong("another similarity", "ntxent")
def distance_for_similarity(w):
    square = (w * w).sum(1)
    return ntxent((2 * (w @ w.T) - square[:, None] - square[None, :]) / TAU).mean()


@wrong("sign flipped", "clip")
def distance_as_logit(x, y):
    return clip((1 - across(x, y, 1.0)) / TAU)


@wrong("similarities clamped at 0", "ntxent")
def clamped(w):
    return ntxent(tape.at_least(cosines(w), 0)).mean()


@wrong("absolute similarities", "clip")
def absolute(x, y):
    s = across(x, y)
    return clip(s * np.sign(s.value))


@wrong("squared similarities", "clip")
def squared(x, y):
    return clip(across(x, y, 1.0) ** 2 / TAU)


# --- who stands in the denominator, and who is the positive


@wrong("self left in the denominator", "ntxent")
def self_left_in(w):
    x = cosines(w)
    return rows(x, pairs(len(x.value))[1], np.ones(x.shape, bool)).mean()


@wrong("self left in the denominator", "ntxent")
def masked_after_the_softmax(w):
    x = cosines(w)
    itself, positive = pairs(len(x.value))
    p = softmax(x, 1) * ~itself
    return -log((p * positive).sum(1)).mean()


@wrong("masked with 0 for −∞", "ntxent")
def masked_with_zero(w):
    x = cosines(w)
    itself, positive = pairs(len(x.value))
    return (logsumexp(where(~itself, x, 0), 1) - at(positive, x)).mean()


@wrong("self term subtracted without temperature", "ntxent")
def minus_e(w):
    x = cosines(w)
    return (log(exp(x).sum(1) - np.e) - at(pairs(len(x.value))[1], x)).mean()


@wrong("positive missing from the denominator", "ntxent")
def decoupled(w):
    x = cosines(w)
    itself, positive = pairs(len(x.value))
    return rows(x, positive, ~itself & ~positive).mean()


@wrong("positive in the denominator", "dcl")
def coupled(w):
    return ntxent(cosines(w)).mean()


@wrong("positive counted twice", "query_key")
def positive_in_the_queue(q, k, n):
    p, s = (unit(q) * unit(k)).sum(1)[:, None] / TAU, unit(q) @ unit(n).T / TAU
    return (logsumexp(tape.concat(p, p, s, axis=1), 1) - p.sum(1)).mean()


@wrong("same view missing", "ntxent")
def only_across(w):
    n = w.shape[0] // 2
    return clip(across(w[:n], w[n:]))


@wrong("other view missing", "ntxent")
def only_within(w):
    x = cosines(w)
    n = len(x.value)
    itself, positive = pairs(n)
    same = np.kron(np.eye(2, dtype=bool), np.ones((n // 2, n // 2), bool))
    return rows(x, positive, (same | positive) & ~itself).mean()


@wrong("labels shifted", "clip")
def shifted_labels(x, y):
    s = across(x, y)
    shifted = np.roll(np.eye(len(s.value), dtype=bool), 1, axis=1)
    return (logsumexp(s, 1) - at(shifted, s)).mean()


@wrong("every label 0", "cpc")
def labels_zero(x, y):
    s = across(x, y)
    return (logsumexp(s, 1) - s[:, 0]).mean()


@wrong("one direction", "clip")
def one_direction(x, y):
    return one_way(across(x, y)).mean()


@wrong("one direction", "ntxent")
def first_view_alone(w):
    x = ntxent(cosines(w))
    return x[: w.shape[0] // 2].mean()


@wrong("softmax over the wrong axis", "cpc", temperature=TAU, anchors="first")
def transposed(x, y):
    return one_way(across(x, y).T).mean()


@wrong("softmax over the whole matrix", "cpc")
def whole_matrix(x, y):
    s = across(x, y)
    return logsumexp(logsumexp(s, 1)[None, :], 1).sum() - diagonal(s).mean()


# --- what is done with the logits


@wrong("double softmax", "cpc")
def double_softmax(x, y):
    return one_way(softmax(across(x, y), 1)).mean()


@wrong("logarithm missing", "cpc")
def no_logarithm(x, y):
    return -diagonal(softmax(across(x, y), 1)).mean()


@wrong("label smoothing", "clip")
def label_smoothing(x, y):
    def smooth(s):
        return (logsumexp(s, 1) - 0.9 * diagonal(s) - 0.1 * s.mean(1)).mean()

    s = across(x, y)
    return (smooth(s) + smooth(s.T)) / 2


@wrong("log of the mean for mean of the log", "cpc")
def log_of_mean(x, y):
    return -log(diagonal(softmax(across(x, y), 1)).mean())


@wrong("sigmoid for softmax", "cpc")
def sigmoids(x, y):
    s = across(x, y)
    sign = 2 * np.eye(len(s.value)) - 1
    return softplus(s * -sign).sum(1).mean()


@wrong("loss clamped at 0", "dcl")
def clamped_loss(w):
    x = cosines(w)
    itself, positive = pairs(len(x.value))
    return tape.at_least(rows(x, positive, ~itself & ~positive), 0).mean()


@wrong("number added to the denominator", "ntxent")
def epsilon_added(w):
    x = cosines(w)
    itself, positive = pairs(len(x.value))
    return (log((exp(x) * ~itself).sum(1) + 1e-3) - at(positive, x)).mean()


@wrong("number added inside the logarithm", "cpc")
def epsilon_inside(x, y):
    return -log(diagonal(softmax(across(x, y), 1)) + 1e-3).mean()


@wrong("negatives averaged", "query_key")
def mean_of_negatives(q, k, n):
    p, s = (unit(q) * unit(k)).sum(1) / TAU, unit(q) @ unit(n).T / TAU
    top = logsumexp(s, 1) - np.log(s.shape[1])
    return softplus(top - p).mean()


@wrong("hardest only", "query_key")
def hardest_negative(q, k, n):
    p, s = (unit(q) * unit(k)).sum(1) / TAU, unit(q) @ unit(n).T / TAU
    return softplus(tape.maximum(s, 1).sum(1) - p).mean()


# --- how the batch is reduced


@wrong("sum for mean", "ntxent")
def sum_for_mean(w):
    return ntxent(cosines(w)).sum()


@wrong("mean over B", "clip")
def both_added(x, y):
    return 2 * clip(across(x, y))


@wrong("another reduction", "ntxent")
def mean_over_two_b_minus_two(w):
    return ntxent(cosines(w)).sum() / (w.shape[0] - 2)


@wrong("constant factor", "ntxent")
def times_the_temperature(w):
    return ntxent(cosines(w)).mean() * TAU


@wrong("logarithms to base 2", "cpc")
def bits(x, y):
    return one_way(across(x, y)).mean() / float(np.log(2))


@wrong("constant added", "cpc")
def bound_for_loss(x, y):
    return one_way(across(x, y)).mean() - float(np.log(2))


@wrong("sign flipped", "cpc")
def maximised(x, y):
    return -one_way(across(x, y)).mean()


# --- triplets, targets, sigmoids, classes


def squares(a, b):
    return ((a - b) * (a - b)).sum(1)


@wrong("sign flipped", "triplet", margin=0.3)
def swapped(a, p, n):
    return tape.at_least(squares(a, n) - squares(a, p) + 0.3, 0).mean()


@wrong("another similarity", "triplet", margin=0.3)
def root_of_distance(a, p, n):
    return tape.at_least(squares(a, p) ** 0.5 - squares(a, n) ** 0.5 + 0.3, 0).mean()


@wrong("another margin", "triplet", margin=0.3)
def another_margin(a, p, n):
    return tape.at_least(squares(a, p) - squares(a, n) + 0.1, 0).mean()


@wrong("constant factor", "byol", reduction="mean")
def half_of_byol(x, y):
    return (1 - (unit(x) * unit(detach(y))).sum(1)).mean()


@wrong("stop-gradient missing", "byol", reduction="mean")
def no_stop_gradient(x, y):
    return (2 - 2 * (unit(x) * unit(y)).sum(1)).mean()


@wrong("another bias", "siglip", temperature=TAU, bias=-3.0)
def bias_forgotten(x, y):
    s = across(x, y) - 1
    sign = 2 * np.eye(len(s.value)) - 1
    return softplus(s * -sign).sum(1).mean()


@wrong("each positive alone", "supcon")
def positives_alone(w, labels):
    x = cosines(w)
    same = labels[:, None] == labels
    positive = same & ~np.eye(len(labels), dtype=bool)
    top = logsumexp(where(~same, x, -np.inf), 1)[:, None]
    return ((softplus(top - x) * positive).sum(1) / positive.sum(1)).mean()


# --- the gradient


@wrong("no gradient", "clip")
def on_copies(x, y):
    return clip(across(detach(x), detach(y)))


@wrong("one view detached", "clip")
def one_view(x, y):
    return clip(across(x, detach(y)))


@wrong("candidates detached", "ntxent")
def gathered(w):
    z = unit(w)
    return ntxent(z @ detach(z).T / TAU).mean()


@wrong("negatives detached", "query_key")
def detached_queue(q, k, n):
    p, s = (unit(q) * unit(k)).sum(1)[:, None] / TAU, unit(q) @ unit(detach(n)).T / TAU
    return (logsumexp(tape.concat(p, s, axis=1), 1) - p.sum(1)).mean()


@wrong("keys detached", "query_key")
def detached_keys(q, k, n):
    p, s = (unit(q) * unit(detach(k))).sum(1)[:, None] / TAU, unit(q) @ unit(detach(n)).T / TAU
    return (logsumexp(tape.concat(p, s, axis=1), 1) - p.sum(1)).mean()


@wrong("push missing", "cpc")
def negatives_without_force(x, y):
    s = across(x, y)
    own = np.eye(len(s.value), dtype=bool)
    return (logsumexp(s * own + detach(s) * ~own, 1) - diagonal(s)).mean()


@wrong("pull missing", "cpc")
def positive_without_force(x, y):
    s = across(x, y)
    own = np.eye(len(s.value), dtype=bool)
    s = detach(s) * own + s * ~own
    return one_way(s).mean()


@wrong("one direction detached", "clip")
def one_direction_without_force(x, y):
    s = across(x, y)
    return (one_way(s).mean() + one_way(detach(s).T).mean()) / 2


@wrong("gradient times a constant", "clip")
def averaged_over_ranks(x, y):
    loss = clip(across(x, y))
    return loss * 0.5 + detach(loss) * 0.5
