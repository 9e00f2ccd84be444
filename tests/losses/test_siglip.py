"""SigLIP: the definition in plain loops, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import nce, siglip

LOSS = siglip.LOSS
PAIRS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def test_is_a_logistic_loss_of_each_image_with_each_text():
    image, text, tau, bias = PAIRS["image"], PAIRS["text"], PAIRS["temperature"], PAIRS["bias"]
    total = 0.0
    for i, x in enumerate(image):
        for j, y in enumerate(text):
            label = 1 if i == j else -1
            total -= math.log(1 / (1 + math.exp(-label * (x @ y / tau + bias))))
    assert siglip.forward(**PAIRS)[0] == pytest.approx(total / len(image), rel=EXACT, abs=0)


def test_gradients_are_the_slopes(assert_slopes):
    assert_slopes(LOSS, **PAIRS)


def test_gradients_of_each_image_are_the_slopes(assert_slopes):
    assert_slopes(LOSS, **PAIRS, reduction="none")


def test_is_nce_with_constant_noise():
    scores = PAIRS["image"] @ PAIRS["text"].T / PAIRS["temperature"]
    others = scores[~np.eye(4, dtype=bool)].reshape(4, 3)
    noise = np.full((4, 3), -PAIRS["bias"] - math.log(3))
    expected, _ = nce.forward(np.diag(scores).copy(), others, log_noise_data=noise[:, 0], log_noise=noise)
    assert siglip.forward(**PAIRS)[0] == pytest.approx(expected, rel=EXACT, abs=0)


class TestEdges:
    def test_two_pairs_are_four_softplus(self):
        rows = np.eye(2)
        value, _ = siglip.forward(rows, rows, temperature=0.5, bias=-1.0)
        assert value == pytest.approx(math.log1p(math.exp(-1)) + math.log1p(math.exp(-1)), rel=EXACT, abs=0)

    def test_the_loss_and_its_gradients_keep_their_digits_as_it_goes_to_zero(self):
        z = np.array([[1.0, 0.0], [-1.0, 0.0]])
        value, cache = siglip.forward(z, z, temperature=0.01, bias=0.0)
        assert value == pytest.approx(2 * math.exp(-100), rel=1e-12, abs=0)  # eps/τ times a few
        # −(σ(−100) x + σ(−100) x)/(2τ)
        assert siglip.backward(cache).image[0, 0] == pytest.approx(-100 * math.exp(-100), rel=1e-12, abs=0)

    def test_a_start_at_minus_ten_fits_many_texts(self):
        # where all scores are 0 the bias stands still at −log(B − 1)
        zero = np.zeros((5, 2))
        _, cache = siglip.forward(zero, zero, temperature=1.0, bias=-math.log(4))
        assert siglip.backward(cache).bias == pytest.approx(0, abs=EXACT)
        _, cache = siglip.forward(zero, zero, temperature=1.0, bias=-10.0)
        assert siglip.backward(cache).bias == pytest.approx(5 / (1 + math.exp(10)) - 1, rel=EXACT, abs=0)

    def test_a_bias_of_hundreds_overflows_nothing(self):
        for bias in (-900.0, 900.0):
            value, cache = siglip.forward(**PAIRS | {"bias": bias})
            assert value == pytest.approx((1 if bias < 0 else 3) * 900, rel=0.01, abs=0)
            assert siglip.backward(cache).bias == pytest.approx(-1 if bias < 0 else 3, rel=EXACT, abs=0)

    def test_a_feature_that_all_rows_share_is_a_bias(self):
        wider = {name: np.insert(PAIRS[name], 0, 0.5, axis=1) for name in ("image", "text")}
        value, _ = siglip.forward(**PAIRS | wider | {"bias": PAIRS["bias"] - 0.25 / PAIRS["temperature"]})
        assert value == pytest.approx(siglip.forward(**PAIRS)[0], rel=EXACT, abs=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": PAIRS["text"][:2]}, "must agree in B"),
        ({"text": PAIRS["text"][:, :2]}, "must agree in d"),
        ({"image": np.full((4, 3), np.inf)}, "image must be finite"),
        ({"text": PAIRS["text"].astype(np.float32)}, "must share one dtype"),
        ({"temperature": -1.0}, "temperature must be positive"),
        ({"bias": math.nan}, "bias must be finite"),
        ({"bias": np.zeros(4)}, "bias must be a number"),
    ],
)
def test_refuses(change, message):
    with pytest.raises(ValueError, match=message):
        siglip.forward(**PAIRS | change)
