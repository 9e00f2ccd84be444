"""Debiased and hard negatives: both sides of the clamp, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import hard_negative

LOSS = hard_negative.LOSS
BATCH = LOSS.example(rows=4)


def test_the_hardest_weight_does_not_lose_the_digits_of_beta_times_its_logit():
    # βL is near 1e7: log ρ as a difference of such numbers would be wrong in its 9th digit
    angle = np.array([0.3, 0.7, 1.6, 2.4])
    w = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    value, _ = hard_negative.forward(w, temperature=1.0, beta=1e7, prior=0.0)
    cosines = np.cos(angle[:, None] - angle)
    positive = cosines[np.arange(4), [2, 3, 0, 1]]
    hardest = cosines[np.arange(4), [1, 0, 3, 2]]  # of the nearest row, which is no partner
    expected = np.mean(np.log1p(2 * np.exp(hardest - positive)))
    assert value == pytest.approx(expected, rel=1e-14, abs=0)  # a few roundings


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
