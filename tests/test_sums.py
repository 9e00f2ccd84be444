"""The sums of exponentials that streaming adds up tile by tile."""

from fractions import Fraction

import numpy as np
import pytest

from infonce_ref.streaming.sums import Softmax, Sums, compute_losses, weight

EPS = 2.0**-52


def test_totals_keep_rounding_errors_whichever_is_larger():
    sums = Sums.none(np.ones((3, 1)), 0.5)
    np.testing.assert_array_equal(sums.shift, [0.5] * 3)
    numbers = np.random.default_rng(0)
    parts = numbers.uniform(0, 1, (50, 2)) * 2.0 ** numbers.integers(-40, 40, (50, 2))
    for part in parts:
        sums.plus(slice(1, 3), part)
    np.testing.assert_array_equal(sums.total[0], 0)
    for place in (0, 1):
        exact = sum(map(Fraction, parts[:, place]))
        kept = Fraction(sums.rounded[1 + place]) + Fraction(sums.lost[1 + place])
        assert abs(kept - exact) <= 50 * EPS**2 * exact
        assert sums.total[1 + place] == float(exact)


@pytest.mark.parametrize("axis", [0, 1])
def test_the_largest_score_so_far_is_the_shift(axis):
    scores = np.random.default_rng(0).standard_normal((4, 6)) * 300
    sums = Sums.none(np.ones((scores.shape[1 - axis], 1)), -1e4)
    whole = slice(0, scores.shape[1 - axis])
    for part in np.array_split(scores, 2, axis=axis):
        sums.add(whole, part if axis else part.T)
    np.testing.assert_array_equal(sums.shift, np.max(scores, axis=axis))
    above = sums.above(np.full(scores.shape[1 - axis], 7.0))
    np.testing.assert_allclose(above, np.logaddexp.reduce(scores, axis=axis) - 7, rtol=1e-14)


def test_a_new_shift_rescales_the_rounding_errors_too():
    scores = np.array([[1.0, 3.0], [300.0, 302.0]])
    sums = Sums.none(np.ones((2, 1)), -1e3)
    sums.add(slice(0, 2), scores)
    sums.lost += 0.25 * sums.rounded
    sums.add(slice(0, 2), scores + 1)
    expected = np.logaddexp(np.log(1.25) - 1, 0) + np.logaddexp.reduce(scores + 1, axis=1)
    np.testing.assert_allclose(sums.above(np.zeros(2)), expected, rtol=1e-14)


def test_sums_of_the_same_rows_merge():
    scores = np.random.default_rng(0).standard_normal((3, 8)) * 300
    one, other = (Sums.none(np.ones((3, 1)), -1e4) for _ in range(2))
    for sums, half in ((one, scores[:, :4]), (other, scores[:, 4:])):
        sums.add(slice(0, 3), half)
    one.lost += 0.25 * one.rounded
    other.lost -= 0.5 * other.rounded
    expected = np.logaddexp(
        np.log(1.25) + np.logaddexp.reduce(scores[:, :4], axis=1),
        np.log(0.5) + np.logaddexp.reduce(scores[:, 4:], axis=1),
    )
    one.merge(other)
    np.testing.assert_allclose(one.above(np.zeros(3)), expected, rtol=1e-14)
    np.testing.assert_array_equal(one.shift, np.max(scores, axis=1))
    np.testing.assert_array_equal(one.lost, 0)


def test_losses_and_softmax_follow_from_the_sums():
    logits, positive = np.array([[1.0, 2.0], [-3.0, 0.5]]), np.array([0.25, 4.0])
    negatives = Sums.none(np.ones((2, 1)), -10.0)
    negatives.add(slice(0, 2), logits)
    losses, softmax = compute_losses(positive, negatives)
    total = np.exp(positive) + np.exp(logits).sum(axis=1)
    np.testing.assert_allclose(losses, np.log(total) - positive, rtol=1e-13)
    np.testing.assert_allclose(softmax.q, 1 - np.exp(positive) / total, rtol=1e-13)
    probabilities = softmax.factor[:, None] * np.exp(logits - softmax.shift[:, None])
    np.testing.assert_allclose(probabilities, np.exp(logits) / total[:, None], rtol=1e-13)


def test_a_weighted_softmax_multiplies_each_row_by_its_upstream():
    q, shift, factor, upstream = np.arange(1.0, 9.0).reshape(4, 2)
    weighted = weight(Softmax(q, shift, factor), upstream)
    for found, expected in zip(weighted, (upstream * q, shift, upstream * factor)):
        np.testing.assert_array_equal(found, expected)
