"""NT-Xent: the definition in plain loops, edges and bad input."""

import numpy as np
import pytest

from infonce_ref.losses import ntxent


@pytest.fixture
def w():
    return np.random.default_rng(0).standard_normal((8, 3))


def loops(w, tau, p):
    """The mean over anchors of −log of the softmax, one term at a time."""
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    losses = []
    for i in range(len(z)):
        terms = [np.exp(z[i] @ z[j] / tau) for j in range(len(z)) if j != i]
        losses.append(-np.log(np.exp(z[i] @ z[p(i)] / tau) / sum(terms)))
    return np.mean(losses)


class TestDefinition:
    # 1e-14: seven logits of order 1 in each row, summed in another order

    def test_concatenated(self, w):
        value, _ = ntxent.forward(w, temperature=0.7)
        assert value == pytest.approx(loops(w, 0.7, lambda i: (i + 4) % 8), rel=1e-14, abs=0)

    def test_interleaved(self, w):
        value, _ = ntxent.forward(w, temperature=0.7, layout="interleaved")
        assert value == pytest.approx(loops(w, 0.7, lambda i: i ^ 1), rel=1e-14, abs=0)

    def test_sum_is_n_means(self, w):
        mean, total = (ntxent.forward(w, temperature=0.7, reduction=r)[0] for r in ("mean", "sum"))
        assert total == pytest.approx(8 * mean, rel=1e-15, abs=0)


class TestEdges:
    def test_all_rows_equal_is_log_of_the_candidates(self):
        value, cache = ntxent.forward(np.ones((6, 2)), temperature=0.5)
        assert value == pytest.approx(np.log(5), rel=1e-15, abs=0)
        # every direction is as good as any other
        np.testing.assert_allclose(ntxent.backward(cache).w, 0, atol=1e-16)

    def test_two_pairs(self):
        w = np.array([[1.0, 0], [0, 1], [1, 0], [0, 1]])
        assert ntxent.forward(w, temperature=1.0)[0] == pytest.approx(np.log(1 + 2 / np.e), rel=1e-15, abs=0)

    def test_opposite_pairs_at_a_low_temperature_do_not_round_to_zero(self):
        # exact: each ℓ is log(1 + 2 e^{−2/τ}); LSE over everything minus s_p would give 0
        w = np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
        value, _ = ntxent.forward(w, temperature=0.03)
        assert value == pytest.approx(2 * np.exp(-2 / 0.03), rel=1e-12, abs=0)

    def test_huge_and_tiny_rows_are_directions_like_any_other(self, w):
        scales = np.array([1e-300, 1e-160, 1e-5, 1, 1e5, 1e160, 1e300, 2])[:, None]
        value, cache = ntxent.forward(w, temperature=0.5)
        scaled, scaled_cache = ntxent.forward(w * scales, temperature=0.5)
        assert scaled == pytest.approx(value, rel=1e-14, abs=0)
        np.testing.assert_allclose(
            ntxent.backward(scaled_cache).w * scales, ntxent.backward(cache).w, rtol=1e-12, atol=1e-16
        )


class TestBadInput:
    @pytest.mark.parametrize(
        ("rows", "said"),
        [
            (np.ones((7, 3)), r"even number of rows.*got 7"),
            (np.ones(3), r"shape \(N, d\)"),
            (np.ones((8, 1)) * (np.arange(8) != 3)[:, None], "no zero row"),
        ],
    )
    def test_bad_rows(self, rows, said):
        with pytest.raises(ValueError, match=said):
            ntxent.forward(rows, temperature=0.5)

    def test_unknown_layout(self, w):
        with pytest.raises(ValueError, match="layout must be one of"):
            ntxent.forward(w, temperature=0.5, layout="stacked")
