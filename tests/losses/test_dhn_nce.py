import math

import numpy as np
import pytest

from infonce_ref.losses import dhn_nce

LOSS = dhn_nce.LOSS
PAIRS = LOSS.example()
EXACT = 1e-13  # a few dozen roundings of numbers of order 10


def gradients(**arguments):
    return dhn_nce.backward(dhn_nce.forward(**arguments)[1])


def test_constant_weights_change_no_value_but_the_gradients():
    """M20."""
    assert dhn_nce.forward(**PAIRS)[0] == dhn_nce.forward(**PAIRS, weights="constant")[0]
    moving, constant = gradients(**PAIRS), gradients(**PAIRS, weights="constant")
    assert np.max(np.abs(moving.image - constant.image)) > 0.1


def test_weights_are_a_masked_softmax():
    """V1, D4.12: 0 on the diagonal, sum B − 1 in each row."""
    logits = PAIRS["image"] @ PAIRS["text"].T
    w = np.exp(dhn_nce.hardness(logits, 2.0).log)
    np.testing.assert_array_equal(np.diag(w), 0)
    np.testing.assert_allclose(w.sum(axis=1), 3, rtol=EXACT)


def test_hardness_raises_the_loss_up_to_the_hardest_negative():
    """M22: nondecreasing in β; as β → ∞ it is −S_ii/γ + max S_ij/γ + log(B−1)."""
    losses = [dhn_nce.forward(**PAIRS | {"beta1": b, "beta2": b})[0] for b in (0, 0.1, 1, 10, 1e6)]
    assert np.all(np.diff(losses) >= 0)
    s = PAIRS["image"] @ PAIRS["text"].T / 0.5
    off = s - np.diag(np.full(4, np.inf))
    limit = off.max(axis=0).sum() + off.max(axis=1).sum() - 2 * np.trace(s) + 8 * math.log(3)
    assert losses[-1] == pytest.approx(limit, rel=EXACT, abs=0)


class TestEdges:
    def test_with_two_pairs_there_is_one_negative_and_beta_has_no_effect(self):
        two = PAIRS | {name: PAIRS[name][:2] for name in ("image", "text")}
        s = two["image"] @ two["text"].T / 0.5
        value, cache = dhn_nce.forward(**two | {"beta1": 5.0})
        assert value == pytest.approx(2 * (s[0, 1] + s[1, 0]) - 2 * np.trace(s), rel=EXACT, abs=0)
        slopes = [dhn_nce.slope(direction, cache.weights, 1.0) for direction in (cache.forth, cache.back)]
        np.testing.assert_allclose(slopes, 2 * [1 - np.eye(2)], rtol=EXACT)

    def test_everything_equal_is_stationary(self):
        same = np.ones((4, 3))
        value, cache = dhn_nce.forward(**PAIRS | {"image": same, "text": same})
        assert value == pytest.approx(8 * math.log(3), rel=EXACT, abs=0)
        assert all(np.max(np.abs(g)) < EXACT for g in dhn_nce.backward(cache))

    def test_zero_rows_are_allowed(self):
        zero = np.zeros((3, 2))
        value, _ = dhn_nce.forward(**PAIRS | {"image": zero, "text": zero})
        assert value == pytest.approx(6 * math.log(2), rel=EXACT, abs=0)

    def test_hardest_negatives_that_tie_share_the_weight(self):
        logits = np.array([[9.0, 1.0, 1.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]])
        np.testing.assert_allclose(dhn_nce.hardness(logits, 1e6).r[0], [0, 0.5, 0.5], rtol=EXACT)

    def test_opposite_pairs_at_a_low_temperature_are_finite(self):
        image = np.array([[1.0, 0.0], [-1.0, 0.0]])
        value, cache = dhn_nce.forward(**PAIRS | {"image": image, "text": -image, "temperature": 1e-3})
        assert value == pytest.approx(8000, rel=EXACT, abs=0)  # every ℓ_i = 2/τ, the bound of M22
        assert all(np.all(np.isfinite(g)) for g in dhn_nce.backward(cache))


REFUSED = (
    PAIRS,
    [
        (
            {"image": PAIRS["image"][:1], "text": PAIRS["text"][:1]},
            "at least two pairs: .* an empty sum is −∞",
        ),
        ({"text": PAIRS["text"][:2]}, "must agree in B"),
        ({"text": PAIRS["text"][:, :2]}, "must agree in d"),
        ({"image": PAIRS["image"][0]}, "image must have shape"),
        ({"beta1": -0.1}, "beta1 must be finite and not negative"),
        ({"beta2": np.inf}, "beta2 must be finite"),
    ],
)
