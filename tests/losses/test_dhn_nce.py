import math

import mpmath
import numpy as np
import pytest

from infonce_ref.losses import dhn_nce

LOSS = dhn_nce.LOSS
PAIRS = LOSS.example()
EXACT = 1e-13  # a few dozen roundings of numbers of order 10


def double_loop(image, text, temperature, beta1, beta2):
    """D4.1-D4.5 with B − 1, in 50 digits."""
    with mpmath.workdps(50):
        pairs = range(len(image))
        total = mpmath.mpf(0)
        for left, right, beta in ((image, text, beta1), (text, image, beta2)):
            scores = [
                [mpmath.fdot(u, v) / temperature for v in right.astype(float)] for u in left.astype(float)
            ]
            for i, row in enumerate(scores):
                norm = sum(mpmath.exp(beta * row[k]) for k in pairs if k != i)
                weight = [(len(image) - 1) * mpmath.exp(beta * row[j]) / norm for j in pairs]
                inner = sum(mpmath.exp(row[j]) * weight[j] for j in pairs if j != i)
                total += mpmath.log(inner) - row[i]
        return float(total)


def gradients(**arguments):
    return dhn_nce.backward(dhn_nce.forward(**arguments)[1])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("temperature", [10.0, 0.5, 0.01, 0.001])
@pytest.mark.parametrize("beta", [0.0, 0.15, 1.0, 10.0])
def test_is_the_double_loop_with_B_minus_1(beta, temperature, dtype):
    pairs = {name: PAIRS[name].astype(dtype) for name in ("image", "text")}
    options = {"temperature": temperature, "beta1": beta, "beta2": beta / 2}
    value, _ = dhn_nce.forward(**pairs, **options)
    # 16 logits of up to 1/τ, each rounded to eps/τ
    tolerance = 16 * float(np.finfo(dtype).eps) * max(1, 1 / temperature)
    assert value == pytest.approx(double_loop(**pairs, **options), abs=tolerance)


def test_is_the_vectorisation_with_weights():
    """V1: −tr(S)/γ + 1ᵀ log((A ⊙ W) 1), W = (B−1) K / (K 11ᵀ), K = A^∘β ⊙ (11ᵀ − I)."""
    expected = 0.0
    s = PAIRS["image"] @ PAIRS["text"].T / PAIRS["temperature"]
    for logits, beta in ((s, PAIRS["beta1"]), (s.T, PAIRS["beta2"])):
        k = np.exp(beta * logits) * (1 - np.eye(4))
        w = 3 * k / k.sum(axis=1, keepdims=True)
        expected += np.log((np.exp(logits) * w).sum(axis=1)).sum() - np.trace(s)
    assert dhn_nce.forward(**PAIRS)[0] == pytest.approx(expected, rel=EXACT, abs=0)


@pytest.mark.parametrize("options", [{}, *LOSS.variants])
def test_gradients_are_the_slopes(assert_slopes, options):
    assert_slopes(LOSS, **LOSS.example(**options))


def test_constant_weights_change_no_value_but_the_gradients():
    """M20."""
    assert dhn_nce.forward(**PAIRS)[0] == dhn_nce.forward(**PAIRS, weights="constant")[0]
    moving, constant = gradients(**PAIRS), gradients(**PAIRS, weights="constant")
    assert np.max(np.abs(moving.image - constant.image)) > 0.1


def test_mean_is_the_sum_over_B():
    total, mean = (dhn_nce.forward(**PAIRS, reduction=name)[0] for name in ("sum", "mean"))
    assert mean == total / 4


def test_weights_are_a_masked_softmax():
    """V1, D4.12: nothing on the diagonal, B − 1 in each row."""
    logits = PAIRS["image"] @ PAIRS["text"].T
    w = np.exp(dhn_nce.hardness(logits, 2.0).log)
    np.testing.assert_array_equal(np.diag(w), 0)
    np.testing.assert_allclose(w.sum(axis=1), 3, rtol=EXACT)


def test_without_hardness_it_is_the_decoupled_loss():
    """M22 at β = 0: every weight is 1."""
    s = PAIRS["image"] @ PAIRS["text"].T / 0.5
    off = np.exp(s) * (1 - np.eye(4))
    expected = np.log(off.sum(axis=0)).sum() + np.log(off.sum(axis=1)).sum() - 2 * np.trace(s)
    value, _ = dhn_nce.forward(**PAIRS | {"beta1": 0.0, "beta2": 0.0})
    assert value == pytest.approx(expected, rel=EXACT, abs=0)


def test_hardness_raises_the_loss_up_to_the_hardest_negative():
    """M22: nondecreasing in β; as β → ∞ it is −S_ii/γ + max S_ij/γ + log(B−1)."""
    losses = [dhn_nce.forward(**PAIRS | {"beta1": b, "beta2": b})[0] for b in (0, 0.1, 1, 10, 1e6)]
    assert np.all(np.diff(losses) >= 0)
    s = PAIRS["image"] @ PAIRS["text"].T / 0.5
    off = s - np.diag(np.full(4, np.inf))
    limit = off.max(axis=0).sum() + off.max(axis=1).sum() - 2 * np.trace(s) + 8 * math.log(3)
    assert losses[-1] == pytest.approx(limit, rel=EXACT, abs=0)


def test_exchanging_images_and_texts_exchanges_the_betas():
    """D4.19: g(Aᵀ) needs β2 where g(A) has β1."""
    exchanged = PAIRS | {"image": PAIRS["text"], "text": PAIRS["image"]}
    value, both = dhn_nce.forward(**PAIRS)[0], exchanged | {"beta1": PAIRS["beta2"], "beta2": PAIRS["beta1"]}
    assert dhn_nce.forward(**both)[0] == pytest.approx(value, rel=EXACT, abs=0)
    assert abs(dhn_nce.forward(**exchanged)[0] - value) > 1e-3
    np.testing.assert_allclose(gradients(**both).text, gradients(**PAIRS).image, rtol=0, atol=EXACT)


def test_a_constant_added_to_every_score_changes_nothing():
    """M26, with a feature that all share: S → S + 4."""
    shared = {name: np.hstack([PAIRS[name], np.full((4, 1), 2.0)]) for name in ("image", "text")}
    assert dhn_nce.forward(**PAIRS | shared)[0] == pytest.approx(
        dhn_nce.forward(**PAIRS)[0], rel=EXACT, abs=0
    )
    g = gradients(**PAIRS | shared)
    # the rows and the columns of M sum to 0 together: so does the shared feature's gradient
    assert abs(g.image[:, 3].sum() + g.text[:, 3].sum()) < EXACT


class TestEdges:
    def test_two_pairs_have_one_negative_and_no_use_for_beta(self):
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

    def test_overflow_is_refused(self):
        huge = PAIRS | {"image": 1e200 * PAIRS["image"], "text": 1e200 * PAIRS["text"]}
        with np.errstate(all="ignore"), pytest.raises(ValueError, match="dhn_nce overflows float64"):
            dhn_nce.forward(**huge)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"image": PAIRS["image"][:1], "text": PAIRS["text"][:1]},
            "at least two pairs: .* an empty sum is −∞",
        ),
        ({"text": PAIRS["text"][:2]}, "must agree in B"),
        ({"text": PAIRS["text"][:, :2]}, "must agree in d"),
        ({"image": PAIRS["image"][0]}, "image must have shape"),
        ({"image": np.full((4, 3), np.inf)}, "image must be finite"),
        ({"temperature": 0.0}, "temperature must be positive"),
        ({"beta1": -0.1}, "beta1 must be finite and not negative"),
        ({"beta2": np.inf}, "beta2 must be finite"),
        ({"weights": "detached"}, "weights must be one of"),
        ({"reduction": "max"}, "reduction must be one of"),
    ],
)
def test_refuses(change, message):
    with pytest.raises(ValueError, match=message):
        dhn_nce.forward(**PAIRS | change)
