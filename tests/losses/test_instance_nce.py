import math

import numpy as np
import pytest

from infonce_ref.losses import instance_nce

LOSS = instance_nce.LOSS
DRAWN = LOSS.example()


class TestEdges:
    def test_the_slope_of_a_dominant_noise_row_keeps_its_digits(self):
        """r = (1 − ε, ε) and q = ε: the slopes are −ε, ε − ε/2 and ε/2; computing 1 − r would lose them."""
        bank = np.array([[2.0], [1.0], [0.0]])
        _, cache = instance_nce.forward(
            np.ones((1, 1)), bank, index=np.array([0]), noise_index=np.array([[1, 2]]), temperature=0.01
        )
        epsilon = math.exp(-100)
        slopes = instance_nce.backward(cache).bank[:, 0] * 0.01
        np.testing.assert_allclose(slopes, [-epsilon, epsilon / 2, epsilon / 2], rtol=1e-12)  # eps/τ

    def test_equal_noise_rows_beside_a_dominant_one_keep_their_digits(self):
        """Of the second feature r = (⅓, ⅓, ⅓) and q = 3 e⁻²⁰⁰: its three slopes are q/3 each."""
        bank = np.array([[2.0], [1.0], [0.0], [0.0]])
        drawn = {"index": np.array([0, 0]), "noise_index": np.array([[1, 2, 2], [3, 3, 3]])}
        _, cache = instance_nce.forward(np.ones((2, 1)), bank, **drawn, temperature=0.01)
        slope = instance_nce.backward(cache).bank[3, 0] * 0.01 * 2
        assert slope == pytest.approx(3 * math.exp(-200), rel=1e-12, abs=0)  # eps/τ

    def test_a_feature_that_all_rows_share_has_no_gradient(self):
        shared = np.full((5, 1), 2.0**20)
        batch = {"v": np.c_[DRAWN["v"], np.zeros(3)], "bank": np.c_[DRAWN["bank"], shared]}
        _, cache = instance_nce.forward(**DRAWN | batch)
        np.testing.assert_array_equal(instance_nce.backward(cache).v[:, -1], 0)


REFUSED = (
    DRAWN,
    [
        ({"noise_index": np.array([[0], [1], [5]])}, r"noise_index must lie in 0 … 4; got 0 … 5"),
        ({"index": np.array([0, 1, -1])}, r"index must lie in 0 … 4; got -1 … 1"),
        ({"noise_index": np.zeros((3, 0), dtype=int)}, "noise_index must not be empty"),
    ],
)
