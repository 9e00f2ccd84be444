"""DCL: edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import dcl


class TestEdges:
    def test_all_rows_equal_is_log_of_the_negatives(self):
        value, cache = dcl.forward(np.ones((6, 2)), temperature=0.5)
        assert value == pytest.approx(np.log(4), rel=1e-15, abs=0)
        # all directions are equivalent
        np.testing.assert_allclose(dcl.backward(cache).w, 0, atol=1e-15)

    def test_two_opposite_pairs_are_far_below_zero(self):
        # each ℓ is log 2 − 2/τ: no floor, as NT-Xent has
        w = np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
        assert dcl.forward(w, temperature=0.01)[0] == pytest.approx(math.log(2) - 200, rel=1e-14, abs=0)

    def test_a_positive_is_pulled_however_near_it_is(self):
        # one pair at an angle of 0.1, the other orthogonal to both: the pull is sin 0.1 from both sides, over τ
        near = np.array([[1.0, 0, 0], [0, 0, 1], [math.cos(0.1), math.sin(0.1), 0], [0, 0, 1]])
        _, cache = dcl.forward(near, temperature=0.001, reduction="sum")
        assert dcl.backward(cache).w[0, 1] == pytest.approx(-2 * math.sin(0.1) / 0.001, rel=1e-12, abs=0)


REFUSED = (
    {"temperature": 0.5},
    [
        ({"w": np.ones((7, 3))}, r"even number of rows.*got 7"),
        ({"w": np.ones((2, 3))}, "at least two pairs: .* an empty sum is −∞"),
        ({"w": np.ones(3)}, r"shape \(N, d\)"),
        ({"w": np.ones((8, 1)) * (np.arange(8) != 3)[:, None]}, "no zero row"),
    ],
)
