"""R25 and R26 in numbers: how much the library's loss changes if its logits change."""

import numpy as np
import pytest

from infonce_ref.losses import cpc, query_key

ROUNDING = 1e-12


def loss(logits):
    return cpc.forward(logits[None, :], positive=np.array([0]))[0]


@pytest.mark.parametrize("most", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_odds_grow_at_most_by_the_factor_and_the_loss_by_less(most, seed):
    rng = np.random.default_rng(seed)
    before = rng.normal(size=8) * 3
    after = before + np.append(0, most - rng.exponential(size=7))
    assert np.expm1(loss(after)) <= np.exp(most) * np.expm1(loss(before)) * (1 + ROUNDING)
    negatives = -np.expm1(-loss(after))  # their probability, after
    assert loss(after) - loss(before) <= most * negatives + ROUNDING


def test_every_negative_ahead_by_the_most_reaches_the_factor():
    before = np.array([0.3, -1.0, 2.0])
    after = before + np.array([0, 0.7, 0.7])
    assert np.expm1(loss(after)) == pytest.approx(np.exp(0.7) * np.expm1(loss(before)), rel=ROUNDING, abs=0)


@pytest.mark.parametrize("temperature", [0.07, 1.0])
def test_stale_keys_move_the_loss_by_no_more_than_their_drift_over_the_temperature(temperature):
    rng = np.random.default_rng(3)
    query, positive, keys, stale = (rng.normal(size=(n, 6)) for n in (1, 1, 20, 20))
    query /= np.linalg.norm(query)
    stale = keys + 0.1 * stale / np.linalg.norm(stale, axis=1, keepdims=True)  # each 0.1 away
    fresh, old = (query_key.forward(query, positive, k, temperature=temperature)[0] for k in (keys, stale))
    assert abs(fresh - old) <= 0.1 / temperature


@pytest.mark.parametrize("odds", np.geomspace(1e-3, 1e3, 13))
def test_half_precision_moves_a_probability_by_an_eighth_at_most(odds):
    moved = 1 / (1 + odds) - 1 / (1 + np.exp(0.5) * odds)
    assert moved <= np.tanh(1 / 8) + ROUNDING
    assert moved < 0.125
