"""What a head is, and the sums that several heads share."""

import numpy as np
import pytest
from conformance.batches import CLASSES, S, lse, masks

from infonce_ref.conformance.digits import balls, many_digits
from infonce_ref.conformance.heads import HEADS, Masks
from infonce_ref.conformance.heads import head as module
from infonce_ref.conformance.heads.head import (
    above,
    at_positive,
    by_direction,
    denominator,
    find_largest,
    hardest,
    log_plus,
    of_rows,
    probabilities,
    rows,
    softened,
)

ALL = masks()
CLOSE = {"rtol": 1e-12, "atol": 1e-13}  # a few roundings
X = 3 * S


def test_a_head_is_entered_by_its_name():
    try:

        @module.head("a test's own", "ℓ", "words", second="e", grid=(1.0,))
        def function(s, masks, t, e):
            return s

        entered = HEADS["a test's own"]
    finally:
        HEADS.pop("a test's own", None)
    assert entered == module.Head(
        function, "ℓ", "words", "", "e", (1.0,), True, False, None, (), "cross-entropy"
    )
    assert function(1, None, None, None) == 1


@pytest.mark.parametrize("name", [name for name, head in HEADS.items() if head.second])
def test_the_grid_of_a_second_number_rises_and_can_be_read_again(name):
    first, again = list(HEADS[name].grid), list(HEADS[name].grid)
    assert len(first) > 1
    assert first == again == sorted(set(first))


@pytest.mark.parametrize("name", HEADS)
def test_the_temperature_enters_a_tempered_head_alone(name):
    head = HEADS[name]
    where = masks(numbers={head.third: head.thirds[0]} if head.third else None)
    warm, cold = (
        head.function(-1 - S, where, np.array(t).reshape(1, 1, 1), np.array(0.7).reshape(1, 1, 1))
        for t in (2.0, 3.0)
    )
    assert np.array_equal(warm, cold) is not head.tempered


def test_weights_are_of_the_similarities_or_of_held_ones():
    assert ALL.weights_of("s") == "s"
    assert ALL._replace(held="held").weights_of("s") == "held"


def test_masks_have_no_numbers_by_default():
    assert Masks(*[None] * 5)[5:] == ({}, None)


def test_an_average_over_the_positives():
    where = masks(("positive", "other view"), of=CLASSES)
    found = at_positive(X, where)
    assert np.allclose(found[1], [X[1][a][where.positive[a]].mean() for a in range(6)], **CLOSE)
    first = where._replace(positive=where.positive[:3])
    assert np.allclose(at_positive(X[:, :3], first), found[:, :3], **CLOSE)


def test_the_average_of_no_positive_is_zero():
    nobody = ALL._replace(positive=np.zeros((6, 6), bool))
    assert np.array_equal(at_positive(X, nobody), np.zeros((2, 6)))


@pytest.mark.parametrize(
    "candidates", [("same view",), ("positive", "same view"), ("self", "positive", "other view")]
)
def test_the_logarithm_of_a_denominator(candidates):
    where = masks(candidates)
    below = where.others | (where.positive & where.with_positive)
    expected = [[lse(row[mask]) for row, mask in zip(x, below)] for x in X]
    assert np.allclose(denominator(X, where), expected, **CLOSE)


@pytest.mark.parametrize("x", [-50.0, -1.0, 0.0, 2.0, 800.0])
def test_the_logarithm_of_a_sum_with_a_weight(x):
    assert log_plus(0.25, np.array([x]))[0] == pytest.approx(np.logaddexp(np.log(0.25), x), rel=1e-14, abs=0)


def test_the_other_candidates_above_the_positive():
    expected = [[lse(row[o]) - row[p][0] for row, o, p in zip(x, ALL.others, ALL.positive)] for x in X]
    assert np.allclose(above(X, ALL), expected, **CLOSE)


def test_the_hardest_negative():
    expected = [[row[mask].max() for row, mask in zip(x, ALL.others)] for x in X]
    assert np.array_equal(hardest(X, ALL), expected)


@pytest.mark.parametrize("masked", [True, False])
def test_the_largest_logit_is_of_all_candidates_and_of_the_anchor_unless_it_is_masked(masked):
    where = masks(("same view",))  # the other rows of the other view are no candidates
    seen = where.others | where.positive | (np.eye(6, dtype=bool) & (not masked))
    where = where._replace(itself=None if masked else where.itself)
    expected = [[row[mask].max() for row, mask in zip(x, seen)] for x in X]
    assert np.array_equal(find_largest(X, where), expected)


def test_probabilities_are_shares_of_the_denominator():
    found = probabilities(X, ALL)
    below = np.sum(np.exp(X) * (ALL.others | ALL.positive), axis=-1)
    assert np.allclose(found, np.exp(X) / below[..., None], **CLOSE)


@pytest.mark.parametrize("of", [None, CLASSES])
@pytest.mark.parametrize("with_positive", [True, False])
def test_a_row_is_its_denominator_less_its_positive(of, with_positive):
    candidates = ("positive", "other view") if with_positive else ("other view",)
    where = masks(candidates) if of is None else masks(candidates, of=of)
    expected = denominator(X, where) - at_positive(X, where)
    assert np.allclose(rows(X, where), expected, **CLOSE)


def test_a_row_of_one_positive_has_all_digits_near_zero():
    x = np.where(masks().positive, 50.0, 0.0)
    assert np.allclose(rows(x, masks()), 4 * np.exp(-50), rtol=1e-14, atol=0)


@pytest.mark.parametrize("e", [0.5, 1e-3])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("denominator", lambda p, d, top, e: np.log(np.exp(d).sum() + e) - p),
        ("shifted", lambda p, d, top, e: np.log(np.exp(d).sum() + e * np.exp(top)) - p),
        ("numerator", lambda p, d, top, e: lse(d) - np.log(np.exp(p) + e)),
        (
            "terms",
            lambda p, d, top, e: np.log(np.sum(np.exp(d - top) + e)) - np.log(np.exp(p - top) + e),
        ),
        ("logarithm", lambda p, d, top, e: -np.log(np.exp(p) / np.exp(d).sum() + e)),
    ],
)
def test_an_epsilon_beside_the_logits(name, expected, e):
    where = masks(numbers={name: e})
    found = rows(X, where)
    for x, losses in zip(X, found):
        for a in range(6):
            d = x[a][where.others[a] | where.positive[a]]
            wanted = expected(x[a][where.positive[a]][0], d, x[a].max(), e)
            assert losses[a] == pytest.approx(wanted, rel=1e-12, abs=1e-13)


def test_an_epsilon_beside_the_logits_without_the_positive():
    where = masks(("same view", "other view"), numbers={"terms": 0.5})
    x, a = X[0], 4
    d, p, top = x[a][where.others[a]], x[a][where.positive[a]][0], x[a].max()
    wanted = np.log(np.sum(np.exp(d - top) + 0.5)) - np.log(np.exp(p - top) + 0.5)
    assert softened(x, where)[a] == pytest.approx(wanted, rel=1e-12, abs=0)


def test_two_epsilons_stand_at_both_places():
    where = masks(numbers={"numerator": 0.5, "denominator": 0.25})
    p, d = X[0][0][where.positive[0]][0], X[0][0][where.others[0] | where.positive[0]]
    wanted = np.log(np.exp(d).sum() + 0.25) - np.log(np.exp(p) + 0.5)
    assert softened(X[0], where)[0] == pytest.approx(wanted, rel=1e-12, abs=0)


def test_an_epsilon_of_several_positives_is_averaged():
    where = masks(("positive", "other view"), of=CLASSES, numbers={"logarithm": 0.5})
    a, x = 2, X[1]
    d = x[a][where.others[a] | where.positive[a]]
    wanted = -np.mean(np.log(np.exp(x[a][where.positive[a]]) / np.exp(d).sum() + 0.5))
    assert softened(x, where)[a] == pytest.approx(wanted, rel=1e-12, abs=0)


@pytest.mark.parametrize("name", ["denominator", "shifted", "numerator", "terms", "logarithm"])
def test_an_epsilon_has_many_digits_in_balls(name):
    where = masks(numbers={name: 0.5})
    with many_digits():
        found = rows(balls(X[0]), where)
        assert all(x.rel_accuracy_bits() > 100 for x in found)
    assert np.allclose(found.astype(float), rows(X[0], where), **CLOSE)


def test_other_numbers_do_not_enter_a_row():
    assert np.array_equal(rows(X, masks(numbers={"length": 0.5, "weight": 3.0})), rows(X, masks()))


def test_a_parameter_of_matrices_is_one_of_rows():
    e = np.arange(2.0).reshape(2, 1, 1, 1)
    assert of_rows(e).shape == (2, 1, 1)
    assert of_rows(0.5) == 0.5


def test_each_direction_has_its_number():
    assert by_direction(1.0, 2.0, masks()).tolist() == [1, 1, 1, 2, 2, 2]
    many = by_direction(np.array([1.0, 3.0]).reshape(2, 1, 1), np.array([2.0, 4.0]).reshape(2, 1, 1), masks())
    assert many.tolist() == [[1, 1, 1, 2, 2, 2], [3, 3, 3, 4, 4, 4]]


def test_margins_are_none_or_spaced_evenly_in_the_logarithm():
    steps = np.diff(np.log(module.MARGIN[1:]))
    assert module.MARGIN[0] == 0
    assert np.allclose(steps, steps[0], rtol=1e-9)
    assert 0 < steps[0] < 0.1  # the kinks of a hinge leave narrow basins
