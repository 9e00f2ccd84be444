import math

import numpy as np
import pytest

from infonce_ref.losses import clip

LOSS = clip.LOSS
PAIRS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


class TestEdges:
    def test_zero_rows_are_allowed(self):
        zero = np.zeros((2, 3))
        assert clip.forward(zero, zero, temperature=0.1)[0] == pytest.approx(math.log(2), rel=EXACT, abs=0)


REFUSED = (
    PAIRS,
    [
        # each image keeps a text, but the first text keeps only its own image
        ({"keep": np.arange(4) + np.zeros((4, 4)) > 0}, "keep must leave each row a candidate besides")
    ],
)


def test_a_column_that_does_not_count_may_be_empty():
    """Without its columns the loss takes a mask that leaves a text to its own image alone."""
    keep = np.arange(4) + np.zeros((4, 4)) > 0
    with pytest.raises(ValueError, match="keep must leave each row a candidate besides"):
        clip.forward(**PAIRS, keep=keep)
    assert np.isfinite(clip.forward(**PAIRS, symmetric=False, keep=keep)[0])


def test_the_error_does_not_grow_with_the_number_of_pairs():
    """float32, 4096 pairs: the columns' sums are as accurate as the rows'."""
    rng = np.random.default_rng(0)
    image, text = rng.standard_normal((2, 4096, 4)).astype("float32")
    value, cache = clip.forward(image, text, temperature=10.0)
    exact, exact_cache = clip.forward(image.astype("f8"), text.astype("f8"), temperature=10.0)
    tolerance = float(16 * np.finfo("float32").eps)
    assert value == pytest.approx(exact, rel=tolerance, abs=0)
    np.testing.assert_allclose(cache.columns.q, exact_cache.columns.q, rtol=tolerance)
