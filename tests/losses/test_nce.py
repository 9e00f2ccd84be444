import math

import numpy as np
import pytest

from infonce_ref.losses import nce

LOSS = nce.LOSS
DRAWN = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def test_the_minimum_is_at_the_data_distribution():
    """Data and noise drawn in exact proportion: the slope of each symbol's score vanishes at log p_d [M24]."""
    data, noise = np.array([0, 0, 1, 2]), np.array([0, 1, 2, 2, 0, 1, 2, 2]).reshape(4, 2)
    log_p_d, log_p_n = np.log([1 / 2, 1 / 4, 1 / 4]), np.log([1 / 4, 1 / 4, 1 / 2])
    _, cache = nce.forward(
        log_p_d[data], log_p_d[noise], log_noise_data=log_p_n[data], log_noise=log_p_n[noise]
    )
    gradients = nce.backward(cache)
    for symbol in range(3):
        slope = gradients.data_scores[data == symbol].sum() + gradients.noise_scores[noise == symbol].sum()
        assert slope == pytest.approx(0, abs=EXACT)


def test_a_number_added_to_every_score_is_not_free():
    """NCE is normalised by itself, InfoNCE is not [D2.1]."""
    moved = DRAWN | {k: DRAWN[k] + 1.0 for k in ("data_scores", "noise_scores")}
    assert abs(nce.forward(**moved)[0] - nce.forward(**DRAWN)[0]) > 0.1


class TestEdges:
    def test_one_noise_sample_is_two_logistic_losses(self):
        zero = np.zeros(1)
        value, cache = nce.forward(
            np.array([2.0]), np.array([[-1.0]]), log_noise_data=zero, log_noise=zero[:, None]
        )
        assert value == pytest.approx(math.log1p(math.exp(-2)) + math.log1p(math.exp(-1)), rel=EXACT, abs=0)
        assert nce.backward(cache).data_scores[0] == pytest.approx(-1 / (1 + math.exp(2)), rel=EXACT, abs=0)

    def test_scores_equal_to_the_noise_give_h_of_one_in_m_plus_one(self):
        log_noise = np.full((2, 3), -1.5)
        value, cache = nce.forward(
            log_noise[:, 0], log_noise, log_noise_data=log_noise[:, 0], log_noise=log_noise
        )
        assert value == pytest.approx(math.log(4) + 3 * math.log(4 / 3), rel=EXACT, abs=0)
        np.testing.assert_allclose(nce.backward(cache).noise_scores, 1 / 8, rtol=EXACT)

    def test_the_loss_keeps_its_digits_as_it_goes_to_zero(self):
        zero = np.zeros(1)
        value, cache = nce.forward(
            np.array([300.0]), np.array([[-300.0]]), log_noise_data=zero, log_noise=zero[:, None]
        )
        assert value == pytest.approx(2 * math.exp(-300), rel=EXACT, abs=0)
        assert nce.backward(cache).data_scores[0] == pytest.approx(-math.exp(-300), rel=EXACT, abs=0)

    def test_certain_mistakes_cost_their_log_odds(self):
        zero = np.zeros(1)
        value, _ = nce.forward(
            np.array([-1000.0]), np.array([[2000.0]]), log_noise_data=zero, log_noise=zero[:, None]
        )
        assert value == 3000.0


REFUSED = (
    DRAWN,
    [
        ({"noise_scores": np.ones((2, 4))}, "must agree in n"),
        ({"log_noise": np.zeros((3, 2))}, "must agree in m"),
        ({"noise_scores": np.ones((3, 0))}, "noise_scores must not be empty"),
        ({"log_noise_data": np.full(3, -np.inf)}, "log_noise_data must be finite"),
        ({"log_noise": np.zeros((3, 4), dtype=np.float32)}, "must share one dtype"),
        ({"data_scores": np.ones((3, 1))}, "data_scores must have shape"),
    ],
)
