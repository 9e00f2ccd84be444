"""Each mistaken formula that `check` can name, compared with its printed form anchor by anchor."""

import numpy as np
import pytest
from conformance.batches import (
    ACROSS,
    ALL,
    CLASSES,
    NEGATIVES,
    SIDES,
    E,
    S,
    T,
    check,
    lse,
    masks,
    row_by_row,
    sum_over_anchors,
)


def share(r):
    """The softmax of the logits, that of the positive first."""
    return np.exp(r.t * r.d) / np.sum(np.exp(r.t * r.d))


BY_ANCHOR = {
    "logits clamped": lambda r: lse(np.clip(r.t * r.d, -r.e, r.e)) - np.clip(r.t * r.p[0], -r.e, r.e),
    "logits cut": lambda r: lse(np.minimum(r.t * r.d, r.e)) - min(r.t * r.p[0], r.e),
    "double softmax": lambda r: lse(share(r)) - share(r)[0],
    "no logarithm": lambda r: -share(r)[0],
    "label smoothing": lambda r: lse(r.t * r.d) - (1 - r.e) * r.t * r.p[0] - r.e * np.mean(r.t * r.d),
    "positive twice": lambda r: np.log(2 + np.sum(np.exp(r.t * (r.n - r.p)))),
    "one more": lambda r: np.log(1 + np.sum(np.exp(r.t * r.d))) - r.t * r.p[0],
    "positive untempered": lambda r: lse(np.append(r.p, r.t * r.n)) - r.p[0],
    "positive untempered below": lambda r: lse(np.append(r.p, r.t * r.n)) - r.t * r.p[0],
    "others untempered": lambda r: lse(np.append(r.t * r.p, r.n)) - r.t * r.p[0],
    "linear": lambda r: r.e * np.sum(r.n) - r.p[0],
    "backward hinge": lambda r: np.sum(np.maximum(0, r.p - r.n + r.e)),
    "epsilon": lambda r: np.log(r.e + np.sum(np.exp(r.t * r.d))) - r.t * r.p[0],
    "epsilon inside the logarithm": lambda r: -np.log(share(r)[0] + r.e),
}
OF_SEVERAL = {
    "logits clamped": lambda r: lse(np.clip(r.t * r.d, -r.e, r.e)) - np.mean(np.clip(r.t * r.p, -r.e, r.e)),
    "no logarithm": lambda r: -np.mean(np.exp(r.t * r.p)) / np.sum(np.exp(r.t * r.d)),
    "label smoothing": lambda r: lse(r.t * r.d) - (1 - r.e) * r.t * np.mean(r.p) - r.e * np.mean(r.t * r.d),
    "one more": lambda r: np.log(1 + np.sum(np.exp(r.t * r.d))) - r.t * np.mean(r.p),
    "epsilon": lambda r: np.log(r.e + np.sum(np.exp(r.t * r.d))) - r.t * np.mean(r.p),
}
OF_THE_BATCH = {
    "log of mean": lambda rows: -np.log(np.mean([share(r)[0] for r in rows])),
    "whole matrix": lambda rows: (
        len(rows) * lse(np.concatenate([r.t * r.d for r in rows])) - sum(r.t * r.p[0] for r in rows)
    ),
    "late hinge": lambda rows: max(0, sum(np.sum(r.n - r.p + r.e) for r in rows)),
}


@pytest.mark.parametrize("anchors", SIDES)
@pytest.mark.parametrize("name", BY_ANCHOR)
def test_a_mistake_is_the_sum_of_its_formula(name, anchors):
    check(name, sum_over_anchors(BY_ANCHOR[name]), masks(ALL, anchors), T, E, S[:, SIDES[anchors]])


@pytest.mark.parametrize("name", OF_SEVERAL)
def test_a_mistake_with_several_positives_is_the_sum_of_its_formula(name):
    check(name, sum_over_anchors(OF_SEVERAL[name]), masks(ACROSS, of=CLASSES), T, E)


@pytest.mark.parametrize("anchors", SIDES)
@pytest.mark.parametrize("name", OF_THE_BATCH)
def test_a_mistake_of_the_whole_batch_is_its_formula(name, anchors):
    def expected(s, where, t, e):
        return OF_THE_BATCH[name](list(row_by_row(s, where, t, e)))

    check(name, expected, masks(ALL, anchors), T, E, S[:, SIDES[anchors]])


def test_a_sum_of_gaps_below_0_costs_nothing():
    check("late hinge", lambda *_: 0.0, masks(ALL), T, (-3.0, -5.0))


def test_e_is_subtracted_from_a_row_sum_above_it():
    def cost(r):
        return np.log(np.sum(np.exp(r.t * r.d)) - np.e) - r.t * r.p[0]

    check("less e", sum_over_anchors(cost), masks(ALL), T, E, S + 1)


def test_a_row_without_its_positive_is_clamped_at_0():
    def cost(r):
        return max(0.0, lse(r.t * r.d) - r.t * r.p[0])

    nearer = S + masks().positive
    costs = [cost(r) for r in row_by_row(nearer[0], masks(NEGATIVES), T[0], E[0])]
    assert 0 < costs.count(0.0) < len(costs)
    check("clamped loss", sum_over_anchors(cost), masks(NEGATIVES), T, E, nearer)


@pytest.mark.parametrize("candidates", [ALL, ACROSS, NEGATIVES])
def test_a_softmax_over_the_wrong_axis_is_over_the_anchors(candidates):
    """Of those that have the positive among their candidates."""

    def expected(s, where, t, e):
        seen = where.others | (where.positive & where.with_positive)
        loss = 0.0
        for a, c in enumerate(np.argmax(where.positive, axis=1)):
            loss += lse(t * s[seen[:, c], c]) - t * s[a, c]
        return loss

    check("transposed", expected, masks(candidates), T, E)
