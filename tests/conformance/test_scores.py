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
    check_declaration,
    list_heads,
    lse,
    masks,
    row_by_row,
    sum_over_anchors,
)

from infonce_ref.conformance.heads import HEADS, KERNEL

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


def test_a_power_of_no_distance_is_zero():
    same = np.where(masks().positive, 0.0, S[0])
    assert HEADS["power"].function(same, masks(), 1.0, 0.5) == 0
    one = same.copy()
    one[0, N] = -4.0
    assert HEADS["power"].function(one, masks(), 1.0, 0.5) == pytest.approx(2, rel=1e-14, abs=0)


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


@pytest.mark.parametrize("anchors", ["first", "second"])
def test_the_uniformity_of_one_view_stands_alone(anchors):
    check(
        "uniformity of each view",
        lambda s, where, t, e: uniform(s, where, t, anchors == "first"),
        masks(("same view",), anchors),
        T,
        E,
        S[:, SIDES[anchors]],
    )


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


@pytest.mark.parametrize(
    "name",
    ["pull", "power", "pull and squares", "decorrelated", "hinge", "hardest hinge", "hinge of the mean"],
)
def test_a_loss_without_temperature_ignores_it(name):
    head = HEADS[name]
    cold, warm = (head.function(NEGATIVE[0], masks(), t, 0.5) for t in (0.1, 10.0))
    assert not head.tempered
    assert cold == warm


def test_only_these_losses_have_no_temperature():
    without = {name for name in BY_ANCHOR if not HEADS[name].tempered} | {"power"}
    of_sigmoids = {"sigmoid", "sigmoid without bias", "sigmoid of means"}
    assert without == (set(BY_ANCHOR) | {"power"}) - of_sigmoids


def test_losses_of_a_whole_batch_are_one_term():
    whole = {KERNEL, "uniformity of each view", "alignment and uniformity", "decorrelated"}
    assert {name for name, head in HEADS.items() if head.whole and not head.mistake} == whole


def test_the_bases_of_the_losses():
    bases = {name: HEADS[name].base for name in BY_ANCHOR}
    for name in ("hinge", "hardest hinge", "hinge of the mean"):
        assert bases.pop(name) == "hinge"
    for name in ("sigmoid", "sigmoid without bias", "sigmoid of means"):
        assert bases.pop(name) == "sigmoid"
    assert all(name == base for name, base in bases.items())
    assert {HEADS[name].base for name in ("uniformity of each view", "alignment and uniformity")} == {KERNEL}


@pytest.mark.parametrize("name", list_heads("scores"))
def test_a_head_tries_values_for_the_numbers_that_it_names(name):
    check_declaration(name)
