"""The spectral loss: edges and bad input."""

from fractions import Fraction

import numpy as np

from infonce_ref.losses import spectral

LOSS = spectral.LOSS
EXAMPLE = LOSS.example()


def loops(z1, z2):
    """The mean over pairs, one product at a time, in the numbers that came."""
    total, count = 0, len(z1)
    for i, x in enumerate(z1):
        for j, y in enumerate(z2):
            score = sum(a * b for a, b in zip(x, y, strict=True))
            total += -2 * score if i == j else score**2 / (count - 1)
    return total / count


def gradients(**arguments):
    return spectral.backward(spectral.forward(**arguments)[1])


class TestEdges:
    def test_two_pairs_are_enough(self):
        whole = [
            [[Fraction(1), Fraction(2)], [Fraction(-1), Fraction(3)]],
            [[Fraction(2)] * 2, [Fraction(1)] * 2],
        ]
        z1, z2 = np.array(whole, dtype=float)
        assert spectral.forward(z1, z2)[0] == float(loops(*whole))

    def test_orthonormal_pairs_attain_the_minimum_for_unit_rows(self):
        value, cache = spectral.forward(np.eye(3), np.eye(3))
        assert value == -2
        # every row is pulled along itself: along the sphere it is at rest
        np.testing.assert_array_equal(spectral.backward(cache).z1, -2 / 3 * np.eye(3))

    def test_a_batch_that_is_all_0_is_stationary(self):
        value, cache = spectral.forward(np.zeros((3, 2)), np.zeros((3, 2)))
        assert value == 0
        assert not any(np.any(g) for g in spectral.backward(cache))

    def test_rows_that_coincide_are_pulled_and_pushed(self):
        same = np.ones((4, 1))
        # −2 + 1; from each, −2 as the positive and 2 as a negative
        assert spectral.forward(same, same)[0] == -1
        assert not any(np.any(g) for g in gradients(z1=same, z2=same))

    def test_a_negative_opposite_is_pulled(self):
        z1, z2 = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 0.0], [-1.0, 0.0]])
        assert gradients(z1=z1, z2=z2).z1[0] @ z2[1] < 0


REFUSED = (
    EXAMPLE,
    [
        ({"z2": EXAMPLE["z2"][:2]}, "must agree in B"),
        ({"z2": EXAMPLE["z2"][:, :2]}, "must agree in d"),
        ({"z1": EXAMPLE["z1"][:1], "z2": EXAMPLE["z2"][:1]}, "at least two pairs: .* a mean over none"),
        ({"z1": EXAMPLE["z1"][0]}, "z1 must have shape"),
        ({"z2": np.full((4, 3), np.nan)}, "z2 must be finite"),
        ({"z1": np.full((4, 3), 1e200)}, "spectral overflows float64"),
    ],
)
