"""Debiased and hard negatives: both sides of the clamp, edges and bad input."""

import math

import numpy as np

from infonce_ref.losses import hard_negative

LOSS = hard_negative.LOSS
BATCH = LOSS.example(rows=4)


class TestClamp:
    def test_a_tie_is_clamped(self):
        # all negatives are opposite, and the numbers are powers of 2: the estimate equals its floor exactly
        w = np.array([[1.0], [-1.0], [1.0], [-1.0]])
        _, cache = hard_negative.forward(w, temperature=1.0, beta=0.0, prior=0.0)
        np.testing.assert_array_equal(cache.negatives, 0)
        assert np.all(cache.floored > 0)


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
