"""NT-Xent: edges and bad input."""

import numpy as np
import pytest

from infonce_ref.losses import ntxent


class TestEdges:
    def test_all_rows_equal_is_log_of_the_candidates(self):
        value, cache = ntxent.forward(np.ones((6, 2)), temperature=0.5)
        assert value == pytest.approx(np.log(5), rel=1e-15, abs=0)
        # all directions are equivalent
        np.testing.assert_allclose(ntxent.backward(cache).w, 0, atol=1e-16)

    def test_two_pairs(self):
        w = np.array([[1.0, 0], [0, 1], [1, 0], [0, 1]])
        assert ntxent.forward(w, temperature=1.0)[0] == pytest.approx(np.log(1 + 2 / np.e), rel=1e-15, abs=0)

    def test_opposite_pairs_at_a_low_temperature_do_not_round_to_zero(self):
        # exact: each ℓ is log(1 + 2 e^{−2/τ}); LSE over everything minus s_p would give 0
        w = np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
        value, _ = ntxent.forward(w, temperature=0.03)
        assert value == pytest.approx(2 * np.exp(-2 / 0.03), rel=1e-12, abs=0)


REFUSED = (
    {"temperature": 0.5},
    [
        ({"w": np.ones((7, 3))}, r"even number of rows.*got 7"),
        ({"w": np.ones(3)}, r"shape \(N, d\)"),
        ({"w": np.ones((8, 1)) * (np.arange(8) != 3)[:, None]}, "no zero row"),
    ],
)
