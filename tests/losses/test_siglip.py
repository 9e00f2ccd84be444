"""SigLIP: edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import siglip

LOSS = siglip.LOSS
PAIRS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


class TestEdges:
    def test_two_pairs_are_four_softplus(self):
        rows = np.eye(2)
        value, _ = siglip.forward(rows, rows, temperature=0.5, bias=-1.0)
        assert value == pytest.approx(math.log1p(math.exp(-1)) + math.log1p(math.exp(-1)), rel=EXACT, abs=0)

    def test_the_loss_and_its_gradients_keep_their_digits_near_zero(self):
        z = np.array([[1.0, 0.0], [-1.0, 0.0]])
        value, cache = siglip.forward(z, z, temperature=0.01, bias=0.0)
        assert value == pytest.approx(2 * math.exp(-100), rel=1e-12, abs=0)  # eps/τ times a few
        # −(σ(−100) x + σ(−100) x)/(2τ)
        assert siglip.backward(cache).image[0, 0] == pytest.approx(-100 * math.exp(-100), rel=1e-12, abs=0)

    def test_a_start_at_minus_ten_fits_many_texts(self):
        # if all scores are 0 the bias rests at −log(B − 1)
        zero = np.zeros((5, 2))
        _, cache = siglip.forward(zero, zero, temperature=1.0, bias=-math.log(4))
        assert siglip.backward(cache).bias == pytest.approx(0, abs=EXACT)
        _, cache = siglip.forward(zero, zero, temperature=1.0, bias=-10.0)
        assert siglip.backward(cache).bias == pytest.approx(5 / (1 + math.exp(10)) - 1, rel=EXACT, abs=0)

    def test_a_bias_of_hundreds_does_not_overflow(self):
        for bias in (-900.0, 900.0):
            value, cache = siglip.forward(**PAIRS | {"bias": bias})
            assert value == pytest.approx((1 if bias < 0 else 3) * 900, rel=0.01, abs=0)
            assert siglip.backward(cache).bias == pytest.approx(-1 if bias < 0 else 3, rel=EXACT, abs=0)


REFUSED = (
    PAIRS,
    [
        ({"text": PAIRS["text"][:2]}, "must agree in B"),
        ({"text": PAIRS["text"][:, :2]}, "must agree in d"),
        ({"text": PAIRS["text"].astype(np.float32)}, "must share one dtype"),
        ({"bias": math.nan}, "bias must be finite"),
        ({"bias": np.zeros(4)}, "bias must be a number"),
    ],
)
