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
    def test_two_rows_are_their_distance(self):
        value, gradient = both(np.array([[0.0, 0.0], [3.0, 4.0]]), 2.0)
        assert value == -50
        np.testing.assert_array_equal(gradient, [[12, 16], [-12, -16]])

    def test_rows_that_all_coincide_are_at_rest_and_at_the_largest_value(self):
        value, gradient = both(np.ones((5, 2)), 2.0)
        assert value == 0
        assert not np.any(gradient)

    def test_two_rows_that_coincide_do_not_push_each_other(self):
        value, gradient = both(np.array([[0.0], [0.0], [1.0]]), 1000.0)
        assert value == pytest.approx(math.log(1 / 3), rel=1e-15, abs=0)  # e^{-1000} beside 1
        assert not np.any(gradient)

    def test_rows_that_nearly_coincide_keep_their_digits(self):
        z = np.array([[1.0], [1.0 + 2**-30], [1.0 - 2**-30]])
        value, gradient = both(z, 2.0)
        # −t times the mean of 1, 1 and 4, beside which the next term is 2⁻⁶⁰
        assert value == pytest.approx(-2 * 2 * 2.0**-60, rel=1e-15, abs=0)
        np.testing.assert_allclose(gradient[:, 0], [0, -(2**-28), 2**-28], rtol=1e-15)

    def test_one_near_pair_of_many_keeps_its_digits(self):
        # 2/(N(N−1)) is no small difference from 1: as log(1 + (2/(N(N−1)) − 1)) it would lose two digits
        value, _ = both(np.array([[0.0], *([float(k)] for k in range(82))]), 1e4)
        assert value == pytest.approx(-math.log(83 * 82 / 2), rel=1e-15, abs=0)

    def test_a_large_t_sees_the_nearest_pair_alone(self):
        z = np.array([[0.0], [1.0], [3.0]])
        value, gradient = both(z, 1e6)
        assert value == pytest.approx(-1e6 - math.log(3), rel=1e-15, abs=0)
        np.testing.assert_array_equal(gradient[:, 0], [2e6, -2e6, 0])

    def test_a_regular_simplex_of_unit_rows_is_pushed_along_its_own_rows_only(self):
        """At its best on the sphere: N rows have D = 2N/(N−1).  [R16]"""
        z = np.eye(4) - 0.25
        z /= np.linalg.norm(z, axis=1, keepdims=True)
        value, gradient = both(z, 2.0)
        assert value == pytest.approx(-2 * 8 / 3, rel=1e-15, abs=0)
        tangential = gradient - z * np.sum(z * gradient, axis=1, keepdims=True)
        np.testing.assert_allclose(tangential, 0, atol=1e-15)

    def test_rows_too_far_apart_for_a_square_do_not_interact(self):
        value, gradient = both(np.array([[0.0], [1.0], [1e200]]), 1.0)
        assert value == pytest.approx(-1 - math.log(3), rel=1e-15, abs=0)
        assert gradient[2] == 0


REFUSED = (
    EXAMPLE,
    [
        ({"z": np.ones((1, 3))}, "z must hold at least two rows"),
        ({"z": np.ones(3)}, "z must have shape"),
        ({"z": np.array([[0.0], [1e200]])}, "uniformity overflows float64"),
        ({"t": 0.0}, "t must be positive and finite"),
        ({"t": -2.0}, "t must be positive and finite"),
        ({"t": "2"}, "t must be a number"),
    ],
)
