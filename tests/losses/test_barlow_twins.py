"""Barlow Twins: invariances, constant columns, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import barlow_twins

LOSS = barlow_twins.LOSS
EXAMPLE = LOSS.example()
COPIED = EXAMPLE["z1"][:, [0, 0, 0]]  # three equal columns, so every correlation is 1


def gradients(**arguments):
    return barlow_twins.backward(barlow_twins.forward(**arguments)[1])


class TestEdges:
    def test_a_mean_far_from_0_costs_no_digits(self):
        # so that 2³⁰ + z is exact
        z1, z2 = (np.round(EXAMPLE["z1"] * 16) / 16, np.round(EXAMPLE["z2"] * 16) / 16)
        here = gradients(z1=z1, z2=z2, weight=0.1)
        there = gradients(z1=z1 + 2**30, z2=z2, weight=0.1)
        for x, y in zip(here, there, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-13)

    @pytest.mark.parametrize("length", [1e-300, 1e300])
    def test_rows_at_the_ends_of_the_dtype(self, length):
        value = barlow_twins.forward(EXAMPLE["z1"] * length, EXAMPLE["z2"], weight=0.005)[0]
        assert value == pytest.approx(barlow_twins.forward(**EXAMPLE)[0], rel=1e-14, abs=0)

    @pytest.mark.parametrize("name", ["z1", "z2"])
    def test_a_constant_column_is_refused(self, name):
        dead = EXAMPLE[name].copy()
        dead[:, 1] = 0.3
        with pytest.raises(ValueError, match=f"{name} must have no constant column, .* drop such features"):
            barlow_twins.forward(**EXAMPLE | {name: dead})


REFUSED = (
    EXAMPLE,
    [
        ({"z1": EXAMPLE["z1"][:1], "z2": EXAMPLE["z2"][:1]}, "at least two rows, or no column varies"),
        ({"weight": -0.1}, "weight must be finite and not negative"),
        ({"weight": math.inf}, "weight must be finite and not negative"),
        ({"weight": "1"}, "weight must be a number"),
        ({"weight": 1e308, "z1": COPIED, "z2": COPIED}, "barlow_twins overflows float64"),
    ],
)
