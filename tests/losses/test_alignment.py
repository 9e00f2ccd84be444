"""Alignment: the kink, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import alignment

LOSS = alignment.LOSS
EXAMPLE = LOSS.example()


def both(z1, z2, **options):
    value, cache = alignment.forward(z1, z2, **options)
    return value, alignment.backward(cache)


class TestEdges:
    @pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0, 3.0])
    def test_a_pair_that_coincides_has_loss_0_and_gradient_0(self, exponent):
        z1, z2 = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[1.0, 2.0], [0.0, 2.0]])
        value, gradients = both(z1, z2, exponent=exponent)
        assert value == 0.5
        np.testing.assert_array_equal(gradients.z1, [[0, 0], [0, -exponent / 2]])

    def test_just_off_the_kink_the_gradient_is_full(self):
        _, gradients = both(np.array([[5e-324]]), np.array([[0.0]]), exponent=1.0)
        assert gradients.z1 == 1

    @pytest.mark.parametrize("length", [1e-300, 1e300])
    def test_no_square_underflows_or_overflows(self, length):
        value, gradients = both(np.array([[3.0, 4.0]]) * length, np.zeros((1, 2)), exponent=1.0)
        assert value == pytest.approx(5 * length, rel=1e-15, abs=0)
        np.testing.assert_allclose(gradients.z1, [[0.6, 0.8]], rtol=1e-15)

    @pytest.mark.parametrize("row", [[-3.0, -4.0], [-3e200, -4e200], [3e200, 4e-200], [1e-200, 3e200, 4e200]])
    def test_the_length_of_a_row_of_any_signs_and_sizes_is_right(self, row):
        assert alignment.forward(np.array([row]), np.zeros((1, len(row))), exponent=1.0)[0] == math.hypot(
            *row
        )

    def test_the_scale_of_a_row_causes_no_rounding(self):
        # with 1/9 rounded, its square and the root of 1 + 1/81 would not round to the number nearest to √82
        rows = np.array([[float(x), 9.0] for x in range(1, 9)])
        lengths, _ = alignment.forward(rows, np.zeros_like(rows), exponent=1.0, reduction="none")
        np.testing.assert_array_equal(lengths, [math.sqrt(x * x + 81) for x in range(1, 9)])

    def test_rows_that_nearly_coincide_keep_their_digits(self):
        z1, z2 = np.full((1, 4), 1.0), np.full((1, 4), 1.0 + 2**-40)
        assert alignment.forward(z1, z2, exponent=2.0)[0] == 2.0**-78


REFUSED = (
    EXAMPLE,
    [
        ({"exponent": 0.0}, "exponent must be positive and finite"),
        ({"exponent": math.inf}, "exponent must be positive and finite"),
        ({"exponent": "2"}, "exponent must be a number"),
        ({"exponent": 2000.0}, "alignment overflows float64"),
    ],
)
