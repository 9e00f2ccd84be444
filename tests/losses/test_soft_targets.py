"""Cross-entropy against a distribution: edges and bad input."""

import numpy as np
import pytest

from infonce_ref.losses import soft_targets

LOSS = soft_targets.LOSS
EXAMPLE = LOSS.example()


class TestEdges:
    def test_targets_may_be_rounded(self):
        soft_targets.forward(np.zeros((1, 3), np.float32), targets=np.full((1, 3), 1 / 3, np.float32))

    def test_targets_off_by_half_the_digits_change_the_gradient_by_as_much(self):
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
        ({"targets": EXAMPLE["targets"] * (1 + 1e-6)}, "must sum to 1; got one that is 1e-06 off"),
        ({"targets": EXAMPLE["targets"] - 0.5}, "must not be negative"),
    ],
)
