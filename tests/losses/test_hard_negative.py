"""Debiased and hard negatives: both sides of the clamp, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import hard_negative

LOSS = hard_negative.LOSS
BATCH = LOSS.example(rows=4)


def triangle(angle):
    """Two pairs: the first at that angle on either side, the other opposite to the middle of them."""
    near = [[math.cos(angle / 2), math.sin(angle / 2)], [math.cos(angle / 2), -math.sin(angle / 2)]]
    return np.array([near[0], [-1.0, 0.0], near[1], [-1.0, 0.0]])


class TestClamp:
    def test_some_rows_are_clamped_and_some_are_not(self):
        _, cache = hard_negative.forward(**BATCH | {"prior": 0.6})
        shut = cache.floored > 0
        assert 0 < np.sum(shut) < 8
        np.testing.assert_array_equal(cache.negatives > 0, ~shut)

    def test_a_clamped_anchor_pushes_no_negative(self):
        _, cache = hard_negative.forward(
            triangle(0.2), temperature=0.5, beta=1.0, prior=0.5, reduction="none"
        )
        of_first = hard_negative.backward(cache, np.array([1.0, 0.0, 0.0, 0.0])).w
        assert cache.negatives[0] == 0
        np.testing.assert_array_equal(of_first[[1, 3]], 0)
        assert np.linalg.norm(of_first[2]) > 0

    def test_a_tie_is_clamped(self):
        # all negatives opposite, and powers of 2: the estimate is its floor exactly
        w = np.array([[1.0], [-1.0], [1.0], [-1.0]])
        _, cache = hard_negative.forward(w, temperature=1.0, beta=0.0, prior=0.0)
        np.testing.assert_array_equal(cache.negatives, 0)
        assert np.all(cache.floored > 0)

    def test_the_loss_is_continuous_at_the_clamp_and_the_pull_drops(self):
        """R5: by the factor 1 + τ⁺/(1 − τ⁺) e^{(1 + s)/τ}."""
        rows, tau, beta = triangle(0.6), 0.5, 0.0
        z = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        own, least = math.exp(z[0] @ z[2] / tau), math.exp(-1 / tau)
        mean = math.exp(z[0] @ z[1] / tau)  # both negatives of row 0 are equal
        at = (mean - least) / (own - least)  # the prior of the kink
        sides = []
        for prior in (at - 1e-9, at + 1e-9):
            value, cache = hard_negative.forward(
                rows, temperature=tau, beta=beta, prior=prior, reduction="none"
            )
            sides.append((value[0], cache.negatives[0] + cache.floored[0]))
        (before, free), (after, clamped) = sides
        assert before == pytest.approx(after, abs=1e-7)
        drop = 1 + at / (1 - at) * math.exp((1 + z[0] @ z[2]) / tau)
        assert free / clamped == pytest.approx(drop, rel=1e-6, abs=0)


class TestEdges:
    def test_where_all_rows_coincide_neither_prior_nor_hardness_counts(self):
        value, cache = hard_negative.forward(np.ones((6, 2)), temperature=0.1, beta=2.0, prior=0.3)
        assert value == pytest.approx(math.log(5), rel=1e-13, abs=0)  # e^{1/τ} of both, each rounded
        np.testing.assert_allclose(hard_negative.backward(cache).w, 0, atol=1e-13)

    def test_the_loss_keeps_its_digits_as_it_goes_to_zero(self):
        w = np.array([[1.0, 0.0], [-1.0, 0.0]] * 2)
        value, _ = hard_negative.forward(w, temperature=0.01, beta=1.0, prior=0.0)
        assert value == pytest.approx(2 * math.exp(-200), rel=1e-12, abs=0)  # eps/τ times a few

    def test_a_large_hardness_is_the_hardest_negative_alone(self):
        value, _ = hard_negative.forward(**BATCH | {"beta": 1e6, "prior": 0.0})
        z = BATCH["w"] / np.linalg.norm(BATCH["w"], axis=1, keepdims=True)
        s = z @ z.T / 0.5
        own = s[np.arange(8), (np.arange(8) + 4) % 8]
        s[np.eye(8, dtype=bool) | np.eye(8, k=4, dtype=bool) | np.eye(8, k=-4, dtype=bool)] = -np.inf
        assert value == pytest.approx(np.mean(np.log1p(6 * np.exp(s.max(axis=1) - own))), rel=1e-12, abs=0)


REFUSED = (
    BATCH,
    [
        ({"w": np.ones((7, 3))}, "even number of rows"),
        ({"beta": -1.0}, "beta must be finite and not negative"),
        ({"prior": 1.0}, "prior must be at least 0 and below 1; got 1.0"),
        ({"prior": -0.1}, "prior must be at least 0"),
        ({"prior": math.nan}, "prior must be at least 0"),
    ],
)
