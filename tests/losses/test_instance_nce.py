import itertools
import math

import numpy as np
import pytest

from infonce_ref.losses import instance_nce

LOSS = instance_nce.LOSS
DRAWN = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def noise_terms(arguments):
    """Σ_k log(1 + r_k) of each feature."""
    return np.sum(np.log1p(instance_nce.forward(**arguments)[1].rows.r), axis=1)


@pytest.mark.parametrize("tau", [0.01, 0.5, 100.0])
def test_the_noise_terms_are_nearly_constant(tau):
    terms = noise_terms(DRAWN | {"temperature": tau})
    assert np.all(terms >= math.log(2) - EXACT)
    assert np.all(terms <= 4 * math.log(1 + 1 / 4) + EXACT)


def test_over_all_draws_the_normaliser_is_unbiased_and_the_posterior_too_high():
    """E[Ẑ] = Z and E[ĥ] ≥ h, by enumerating the noise [D3.13, D3.15]."""
    e, m = np.exp(DRAWN["bank"] @ DRAWN["v"][0] / DRAWN["temperature"]), 2
    draws = np.array(list(itertools.product(range(len(e)), repeat=m)))
    assert np.mean(len(e) / m * e[draws].sum(axis=1)) == pytest.approx(e.sum(), rel=EXACT, abs=0)
    _, cache = instance_nce.forward(
        np.tile(DRAWN["v"][0], (len(draws), 1)),
        DRAWN["bank"],
        index=np.full(len(draws), 3),
        noise_index=draws,
        temperature=DRAWN["temperature"],
    )
    p = e[3] / e.sum()
    assert np.mean(1 - cache.rows.q) > p / (p + m / len(e)) + 0.01


class TestEdges:
    def test_noise_equal_to_the_row_itself_gives_no_gradient(self):
        own = DRAWN | {"noise_index": DRAWN["index"][:, None]}
        value, cache = instance_nce.forward(**own)
        assert value == pytest.approx(2 * math.log(2), rel=EXACT, abs=0)
        assert all(np.max(np.abs(g)) < EXACT for g in instance_nce.backward(cache))

    def test_a_row_among_its_own_noise_and_repeated_noise(self, assert_slopes):
        assert_slopes(LOSS, **DRAWN | {"noise_index": np.array([[2, 2, 0], [0, 0, 0], [1, 3, 3]])})

    def test_a_bank_of_equal_rows(self):
        value, cache = instance_nce.forward(**DRAWN | {"bank": np.ones((5, 3))})
        assert value == pytest.approx(math.log(5) + 4 * math.log(5 / 4), rel=EXACT, abs=0)
        np.testing.assert_allclose(instance_nce.backward(cache).v, 0, atol=EXACT)

    def test_the_slope_of_a_dominant_noise_row_keeps_its_digits(self):
        """r = (1 − ε, ε) and q = ε: the slopes are −ε, ε − ε/2 and ε/2; a form with 1 − r would lose them."""
        bank = np.array([[2.0], [1.0], [0.0]])
        _, cache = instance_nce.forward(
            np.ones((1, 1)), bank, index=np.array([0]), noise_index=np.array([[1, 2]]), temperature=0.01
        )
        epsilon = math.exp(-100)
        slopes = instance_nce.backward(cache).bank[:, 0] * 0.01
        np.testing.assert_allclose(slopes, [-epsilon, epsilon / 2, epsilon / 2], rtol=1e-12)  # eps/τ

    def test_a_feature_that_all_rows_share_pulls_nowhere(self):
        shared = np.full((5, 1), 2.0**20)
        batch = {"v": np.c_[DRAWN["v"], np.zeros(3)], "bank": np.c_[DRAWN["bank"], shared]}
        _, cache = instance_nce.forward(**DRAWN | batch)
        np.testing.assert_array_equal(instance_nce.backward(cache).v[:, -1], 0)


REFUSED = (
    DRAWN,
    [
        ({"noise_index": np.array([[0], [1], [5]])}, r"noise_index must lie in 0 … 4; got 0 … 5"),
        ({"index": np.array([0, 1, -1])}, r"index must lie in 0 … 4; got -1 … 1"),
        ({"noise_index": np.zeros((2, 4), dtype=int)}, "must agree in n"),
        ({"noise_index": np.zeros((3, 0), dtype=int)}, "noise_index must not be empty"),
        ({"noise_index": np.zeros(3, dtype=int)}, "noise_index must have shape"),
        ({"bank": np.ones((5, 2))}, "must agree in d"),
        ({"bank": np.full((5, 3), np.inf)}, "bank must be finite"),
        ({"temperature": "warm"}, "temperature must be a number"),
    ],
)
