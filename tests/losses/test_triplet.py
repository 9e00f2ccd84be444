from fractions import Fraction

import numpy as np
import pytest

from infonce_ref.losses import triplet

LOSS = triplet.LOSS
TRIPLETS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def gradients(*rows, **options):
    return triplet.backward(triplet.forward(*rows, **options)[1])


class TestEdges:
    def test_a_tie_has_gradient_0(self):
        anchor, positive, negative = np.zeros((1, 2)), np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])
        value, cache = triplet.forward(anchor, positive, negative, margin=3.0)  # 1 − 4 + 3
        assert value == 0
        assert all(not np.any(g) for g in triplet.backward(cache))

    def test_just_past_the_tie_the_gradient_is_full(self):
        anchor, positive, negative = np.zeros((1, 2)), np.array([[1.0, 0.0]]), np.array([[0.0, 2.0]])
        g = gradients(anchor, positive, negative, margin=np.nextafter(3.0, 4.0))
        np.testing.assert_array_equal(g.anchor, 2 * (negative - positive))

    def test_a_negative_almost_equal_to_the_positive_keeps_its_digits(self):
        a, p, n = 1e8, 1.0, 1.0 + 2.0**-30
        exact = (Fraction(a) - Fraction(p)) ** 2 - (Fraction(a) - Fraction(n)) ** 2
        value, _ = triplet.forward(*(np.array([[x]]) for x in (a, p, n)), margin=0.0)
        assert value == pytest.approx(float(exact), rel=EXACT, abs=0)


REFUSED = (
    TRIPLETS,
    [
        ({"margin": -0.1}, "margin must be finite and not negative"),
        ({"margin": np.inf}, "margin must be finite"),
        ({"margin": None}, "margin must be a number"),
    ],
)
