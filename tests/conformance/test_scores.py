"""Each loss without a softmax, compared with its formula anchor by anchor."""

import numpy as np
import pytest
from conformance.batches import (
    ACROSS,
    ALL,
    CLASSES,
    SIDES,
    E,
    N,
    S,
    T,
    check,
    lse,
    masks,
    row_by_row,
    sum_over_anchors,
)

from infonce_ref.conformance.heads import KERNEL

NEGATIVE = S - 1.5  # minus distances


def softplus(x):
    return np.log1p(np.exp(x))


def hinge(x):
    return np.maximum(x, 0)


BY_ANCHOR = {
    "pull": lambda r: -r.p[0],
    "pull and squares": lambda r: np.mean(r.n**2) - 2 * r.p[0],
    "decorrelated": lambda r: (1 - r.p[0]) ** 2 + r.e * np.sum(r.n**2),
    "hinge": lambda r: np.sum(hinge(r.n - r.p + r.e)),
    "hardest hinge": lambda r: hinge(r.n.max() - r.p[0] + r.e),
    "hinge of the mean": lambda r: hinge(r.n.mean() - r.p[0] + r.e),
    "sigmoid": lambda r: np.sum(softplus(-(r.t * r.p + r.e))) + np.sum(softplus(r.t * r.n + r.e)),
    "sigmoid without bias": lambda r: np.sum(softplus(-r.t * r.p)) + np.sum(softplus(r.t * r.n)),
    "sigmoid of means": lambda r: softplus(-r.t * r.p[0]) + np.mean(softplus(r.t * r.n)),
}


@pytest.mark.parametrize("anchors", SIDES)
@pytest.mark.parametrize("name", BY_ANCHOR)
def test_a_loss_is_the_sum_of_its_formula(name, anchors):
    check(name, sum_over_anchors(BY_ANCHOR[name]), masks(ALL, anchors), T, E, S[:, SIDES[anchors]])


@pytest.mark.parametrize(
    ("name", "of_row"),
    [
        ("pull", lambda r: -np.sum(r.p)),
        ("pull and squares", lambda r: np.mean(r.n**2) - 2 * np.mean(r.p)),
        ("sigmoid", BY_ANCHOR["sigmoid"]),
        ("sigmoid of means", lambda r: np.mean(softplus(-r.t * r.p)) + np.mean(softplus(r.t * r.n))),
        ("hardest hinge", lambda r: hinge(r.n.max() - r.p.mean() + r.e)),
    ],
)
def test_a_loss_of_several_positives_is_the_sum_of_its_formula(name, of_row):
    check(name, sum_over_anchors(of_row), masks(ACROSS, of=CLASSES), T, E)


def test_alignment_is_a_power_of_the_distance():
    check(
        "power", sum_over_anchors(lambda r: (-r.p[0]) ** r.e), masks(("positive",)), T, (0.5, 3.0), NEGATIVE
    )


@pytest.mark.parametrize("candidates", [ALL, ("other view",), ("self", "positive")])
def test_uniformity_is_the_log_of_the_mean_over_all_compared_pairs(candidates):
    def expected(s, where, t, e):
        every = np.concatenate([r.d for r in row_by_row(s, where, t, e)])
        return np.log(np.mean(np.exp(t * every)))

    check(KERNEL, expected, masks(candidates), T, E)


def uniform(s, where, t, first):
    every = np.concatenate([r.d for r in row_by_row(s, where, t, 0.0) if r.first == first])
    return lse(t * every) - np.log(len(every))


SAME = masks(("same view",))


def test_the_uniformities_of_the_views_are_averaged():
    def expected(s, where, t, e):
        return (uniform(s, where, t, True) + uniform(s, where, t, False)) / 2

    check("uniformity of each view", expected, SAME, T, E)


def test_alignment_and_uniformity_are_added_by_weight():
    def expected(s, where, t, e):
        apart = np.mean([-r.p[0] for r in row_by_row(s, where, t, e)])
        return apart + e * (uniform(s, where, t, True) + uniform(s, where, t, False)) / 2

    check("alignment and uniformity", expected, SAME, T, E)


@pytest.mark.parametrize("name", ["pull and squares", "hinge of the mean", "sigmoid of means"])
def test_a_mean_of_no_negative_is_zero(name):
    """An anchor whose denominator has its positive alone: the hinge is max(0, 0 − s_p + e)."""
    alone = masks(("positive",), "first")
    of_row = {
        "pull and squares": lambda r: -2 * r.p[0],
        "hinge of the mean": lambda r: hinge(-r.p[0] + r.e),
        "sigmoid of means": lambda r: softplus(-r.t * r.p[0]),
    }[name]
    check(name, sum_over_anchors(of_row), alone, T, E, S[:, :N])
