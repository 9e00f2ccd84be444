"""Uniformity: both ends of t, coinciding rows, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import uniformity

LOSS = uniformity.LOSS
EXAMPLE = LOSS.example()


def both(z, t):
    value, cache = uniformity.forward(z, t=t)
    return value, uniformity.backward(cache).z


class TestEdges:
    def test_rows_that_nearly_coincide_keep_their_digits(self):
        z = np.array([[1.0], [1.0 + 2**-30], [1.0 - 2**-30]])
        value, gradient = both(z, 2.0)
        # −t times the mean of 1, 1 and 4; relative to it the next term is 2⁻⁶⁰
        assert value == pytest.approx(-2 * 2 * 2.0**-60, rel=1e-15, abs=0)
        np.testing.assert_allclose(gradient[:, 0], [0, -(2**-28), 2**-28], rtol=1e-15)

    def test_one_near_pair_of_many_keeps_its_digits(self):
        # 2/(N(N−1)) is not close to 1, so log(1 + (2/(N(N−1)) − 1)) would lose two digits
        value, _ = both(np.array([[0.0], *([float(k)] for k in range(82))]), 1e4)
        assert value == pytest.approx(-math.log(83 * 82 / 2), rel=1e-15, abs=0)

    def test_rows_whose_squared_distance_overflows_do_not_interact(self):
        value, gradient = both(np.array([[0.0], [1.0], [1e200]]), 1.0)
        assert value == pytest.approx(-1 - math.log(3), rel=1e-15, abs=0)
        assert gradient[2] == 0


REFUSED = (
    EXAMPLE,
    [
        ({"z": np.ones((1, 3))}, "z must hold at least two rows"),
        ({"z": np.array([[0.0], [1e200]])}, "uniformity overflows float64"),
        ({"t": 0.0}, "t must be positive and finite"),
        ({"t": -2.0}, "t must be positive and finite"),
        ({"t": "2"}, "t must be a number"),
    ],
)
