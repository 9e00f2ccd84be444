import math

import numpy as np
import pytest

from infonce_ref.losses import clip

LOSS = clip.LOSS
PAIRS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


class TestEdges:
    def test_two_pairs_are_four_softplus(self):
        image, text, tau = PAIRS["image"][:2], PAIRS["text"][:2], 0.5
        s = image @ text.T / tau
        margins = [s[0, 1] - s[0, 0], s[1, 0] - s[1, 1], s[1, 0] - s[0, 0], s[0, 1] - s[1, 1]]
        value, _ = clip.forward(image, text, temperature=tau)
        assert value == pytest.approx(np.mean(np.log1p(np.exp(margins))), rel=EXACT, abs=0)

    def test_where_everything_coincides_it_is_log_B_and_stationary(self):
        same = np.ones((4, 3))
        value, cache = clip.forward(same, same, temperature=1.0)
        assert value == pytest.approx(math.log(4), rel=EXACT, abs=0)
        assert all(np.max(np.abs(g)) < EXACT for g in clip.backward(cache))

    def test_zero_rows_are_allowed(self):
        zero = np.zeros((2, 3))
        assert clip.forward(zero, zero, temperature=0.1)[0] == pytest.approx(math.log(2), rel=EXACT, abs=0)

    def test_the_loss_keeps_its_digits_as_it_goes_to_zero(self):
        z = np.array([[1.0, 0.0], [-1.0, 0.0]])
        value, _ = clip.forward(z, z, temperature=0.01)
        assert value == pytest.approx(math.exp(-200), rel=1e-12, abs=0)  # eps/τ times a few


REFUSED = (
    PAIRS,
    [
        ({"text": PAIRS["text"][:2]}, "must agree in B"),
        ({"text": PAIRS["text"][:, :2]}, "must agree in d"),
        ({"image": PAIRS["image"][0]}, "image must have shape"),
        ({"text": PAIRS["text"].astype(np.float32)}, "must share one dtype"),
    ],
)


def test_many_pairs_err_no_more_than_few():
    """float32, 4096 pairs: the columns' sums are as accurate as the rows'."""
    rng = np.random.default_rng(0)
    image, text = rng.standard_normal((2, 4096, 4)).astype("float32")
    value, cache = clip.forward(image, text, temperature=10.0)
    exact, exact_cache = clip.forward(image.astype("f8"), text.astype("f8"), temperature=10.0)
    tolerance = float(16 * np.finfo("float32").eps)
    assert value == pytest.approx(exact, rel=tolerance, abs=0)
    np.testing.assert_allclose(cache.columns.q, exact_cache.columns.q, rtol=tolerance)
