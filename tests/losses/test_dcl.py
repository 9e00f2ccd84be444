"""DCL: the definition in plain loops, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.losses import dcl, ntxent


@pytest.fixture
def w():
    return np.random.default_rng(0).standard_normal((8, 3))


def loops(w, tau, p):
    """The mean over anchors, one term at a time."""
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    losses = []
    for i in range(len(z)):
        terms = [math.exp(z[i] @ z[j] / tau) for j in range(len(z)) if j not in (i, p(i))]
        losses.append(-math.log(math.exp(z[i] @ z[p(i)] / tau) / sum(terms)))
    return np.mean(losses)


class TestDefinition:
    # 1e-14: six logits of order 1 in each row, summed in another order

    def test_concatenated(self, w):
        value, _ = dcl.forward(w, temperature=0.7)
        assert value == pytest.approx(loops(w, 0.7, lambda i: (i + 4) % 8), rel=1e-14, abs=0)

    def test_interleaved(self, w):
        value, _ = dcl.forward(w, temperature=0.7, layout="interleaved")
        assert value == pytest.approx(loops(w, 0.7, lambda i: i ^ 1), rel=1e-14, abs=0)

    def test_gradients_are_the_slopes(self, w, assert_slopes):
        assert_slopes(dcl.LOSS, w=w, temperature=0.7)

    def test_its_softplus_is_ntxent(self, w):
        each, _ = dcl.forward(w, temperature=0.7, reduction="none")
        coupled, _ = ntxent.forward(w, temperature=0.7, reduction="none")
        np.testing.assert_allclose(np.logaddexp(0, each), coupled, rtol=1e-14)


class TestEdges:
    def test_all_rows_equal_is_log_of_the_negatives(self):
        value, cache = dcl.forward(np.ones((6, 2)), temperature=0.5)
        assert value == pytest.approx(np.log(4), rel=1e-15, abs=0)
        # every direction is as good as any other
        np.testing.assert_allclose(dcl.backward(cache).w, 0, atol=1e-15)

    def test_two_pairs_that_are_opposite_are_far_below_zero(self):
        # each ℓ is log 2 − 2/τ: no floor, as NT-Xent has
        w = np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
        assert dcl.forward(w, temperature=0.01)[0] == pytest.approx(math.log(2) - 200, rel=1e-14, abs=0)

    def test_a_positive_is_pulled_however_near_it_is(self):
        # one pair at an angle of 0.1, the other orthogonal to both: the pull is sin 0.1 from both sides, over τ
        near = np.array([[1.0, 0, 0], [0, 0, 1], [math.cos(0.1), math.sin(0.1), 0], [0, 0, 1]])
        _, cache = dcl.forward(near, temperature=0.001, reduction="sum")
        assert dcl.backward(cache).w[0, 1] == pytest.approx(-2 * math.sin(0.1) / 0.001, rel=1e-12, abs=0)

    def test_huge_and_tiny_rows_are_directions_like_any_other(self, w):
        scales = np.array([1e-300, 1e-160, 1e-5, 1, 1e5, 1e160, 1e300, 2])[:, None]
        value, cache = dcl.forward(w, temperature=0.5)
        scaled, scaled_cache = dcl.forward(w * scales, temperature=0.5)
        assert scaled == pytest.approx(value, rel=1e-13, abs=0)
        np.testing.assert_allclose(
            dcl.backward(scaled_cache).w * scales, dcl.backward(cache).w, rtol=1e-12, atol=1e-15
        )


class TestBadInput:
    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            (np.ones((7, 3)), r"even number of rows.*got 7"),
            (np.ones((2, 3)), "at least two pairs: .* an empty sum is −∞"),
            (np.ones(3), r"shape \(N, d\)"),
            (np.ones((8, 1)) * (np.arange(8) != 3)[:, None], "no zero row"),
        ],
    )
    def test_bad_rows(self, rows, said):
        with pytest.raises(ValueError, match=said):
            dcl.forward(rows, temperature=0.5)

    def test_unknown_layout(self, w):
        with pytest.raises(ValueError, match="layout must be one of"):
            dcl.forward(w, temperature=0.5, layout="stacked")
