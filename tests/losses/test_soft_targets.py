"""Cross-entropy against a distribution: edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import cpc, soft_targets

LOSS = soft_targets.LOSS
EXAMPLE = LOSS.example()


class TestEdges:
    def test_learned_targets_give_their_entropy_and_no_gradient(self):
        targets = np.array([[0.5, 0.25, 0.25], [0.125, 0.5, 0.375]])
        value, cache = soft_targets.forward(np.log(targets), targets=targets)
        assert value == pytest.approx(-np.sum(targets * np.log(targets)) / 2, rel=1e-15, abs=0)
        np.testing.assert_allclose(soft_targets.backward(cache).scores, 0, atol=1e-16)

    def test_one_candidate_keeps_the_digits_of_cpc(self):
        scores = np.array([[90.0, 0.0, -5.0]])
        value, cache = soft_targets.forward(scores, targets=np.array([[1.0, 0.0, 0.0]]))
        expected, other = cpc.forward(scores, positive=np.array([0]))
        assert value == pytest.approx(
            expected, rel=2e-14, abs=0
        )  # a logit of 90: half a unit in its last place
        np.testing.assert_allclose(
            soft_targets.backward(cache).scores, cpc.backward(other).scores, rtol=1e-14
        )

    def test_the_largest_score_may_tie(self):
        value, cache = soft_targets.forward(np.zeros((1, 4)), targets=np.full((1, 4), 0.25))
        assert value == pytest.approx(math.log(4), rel=1e-15, abs=0)
        np.testing.assert_array_equal(soft_targets.backward(cache).scores, 0)

    def test_a_target_of_zero_counts_for_nothing_however_low_its_score(self):
        value, _ = soft_targets.forward(np.array([[0.0, 0.0, -1e300]]), targets=np.array([[0.5, 0.5, 0.0]]))
        assert value == pytest.approx(math.log(2), rel=1e-15, abs=0)

    def test_targets_may_be_rounded(self):
        soft_targets.forward(np.zeros((1, 3), np.float32), targets=np.full((1, 3), 1 / 3, np.float32))

    def test_targets_may_be_off_by_half_the_digits_and_the_gradient_by_as_much(self):
        targets = np.array([[0.0, 1 + 2.0**-26]])
        value, cache = soft_targets.forward(np.array([[700.0, 0.0]]), targets=targets)
        assert value == 700 * targets[0, 1]
        np.testing.assert_array_equal(
            soft_targets.backward(cache).scores, targets[0, 1] * np.array([[1, -1]])
        )
        with pytest.raises(ValueError, match="the gradient of soft_targets by scores overflows float64"):
            soft_targets.backward(cache, np.finfo(float).max)


REFUSED = (
    EXAMPLE,
    [
        ({"targets": EXAMPLE["targets"] * 2}, "must sum to 1; got one that is 1 off"),
        ({"targets": EXAMPLE["targets"] * [[1], [1], [2]]}, "must sum to 1; got one that is 1 off"),
        ({"targets": EXAMPLE["targets"] * [[1], [0.5], [1]]}, "must sum to 1; got one that is 0.5 off"),
        ({"targets": EXAMPLE["targets"] - 0.5}, "must not be negative"),
        ({"targets": EXAMPLE["targets"][:, :4]}, "must agree in K"),
        ({"targets": EXAMPLE["targets"][:2]}, "must agree in n"),
        ({"targets": EXAMPLE["targets"].astype(np.float32)}, "share one dtype"),
    ],
)
