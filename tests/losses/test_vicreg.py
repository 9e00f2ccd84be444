"""VICReg: its three terms, the kink, collapse, edges and bad input."""

import math

import numpy as np

from infonce_ref.losses import vicreg

LOSS = vicreg.LOSS
EXAMPLE = LOSS.example()
OPTIONS = {name: x for name, x in EXAMPLE.items() if name not in ("z1", "z2")}


def both(z1, z2, **options):
    value, cache = vicreg.forward(np.array(z1), np.array(z2), **OPTIONS | options)
    return value, vicreg.backward(cache)


class TestEdges:
    COLUMN = ([-1.0], [0.0], [1.0])  # of deviation 1

    def test_at_the_kink_the_hinge_is_inactive(self):
        # 1 + ε is 1 in float64
        value, gradients = both(self.COLUMN, self.COLUMN, margin=1.0, epsilon=1e-20)
        assert value == 0
        assert not np.any(gradients.z1)

    def test_just_below_the_kink_the_gradient_is_full(self):
        _, gradients = both(self.COLUMN, self.COLUMN, margin=1 + 2.0**-50, epsilon=1e-20)
        np.testing.assert_array_equal(gradients.z1[:, 0], [12.5, 0, -12.5])  # μ z̃/((B−1) S)

    def test_a_deviation_is_found_if_its_square_overflows(self):
        value, _ = both(np.array(self.COLUMN) * 1e170, np.array(self.COLUMN) * 1e170)
        assert value == 0  # the columns' deviation exceeds the margin

    def test_a_mean_far_from_0_costs_no_digits(self):
        z = np.round(EXAMPLE["z1"] * 16) / 16  # so that 2³⁰ + z is exact
        here, there = (both(x, x)[1].z1 for x in (z, z + 2**30))
        np.testing.assert_allclose(here, there, rtol=1e-13)


REFUSED = (
    EXAMPLE,
    [
        ({"z1": EXAMPLE["z1"][:1], "z2": EXAMPLE["z2"][:1]}, "at least two rows, or no column varies"),
        ({"z1": EXAMPLE["z1"] * 1e200}, "vicreg overflows float64"),
        ({"invariance": -1.0}, "invariance must be finite and not negative"),
        ({"variance": math.inf}, "variance must be finite and not negative"),
        ({"covariance": "1"}, "covariance must be a number"),
        ({"margin": -1.0}, "margin must be finite and not negative"),
        ({"epsilon": 0.0}, "epsilon must be positive and finite"),
    ],
)
