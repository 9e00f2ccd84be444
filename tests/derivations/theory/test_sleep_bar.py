"""R18 in plain numbers: where a positive has the probability one half."""

import numpy as np
import pytest

from infonce_ref.losses import cpc


def bar(scores, temperature):
    largest = scores.max()
    return largest + temperature * np.log(np.exp((scores - largest) / temperature).sum())


@pytest.fixture(params=[1, 2, 30])
def scores(request):
    return np.random.default_rng(request.param).uniform(-1, 1, request.param)


@pytest.mark.parametrize("temperature", [0.01, 0.1, 1.0])
def test_at_the_bar_the_pull_is_one_half(scores, temperature):
    logits = np.concatenate([[bar(scores, temperature)], scores])[None] / temperature
    value, cache = cpc.forward(logits, positive=np.array([0]))
    assert cpc.backward(cache).scores[0, 0] == pytest.approx(-0.5, rel=1e-12, abs=0)
    assert value == pytest.approx(np.log(2), rel=1e-12, abs=0)


@pytest.mark.parametrize("temperature", [0.01, 0.1, 1.0])
def test_it_stands_between_its_bounds(scores, temperature):
    above = temperature * np.log(len(scores))
    rounding = 1e-12
    assert scores.max() <= bar(scores, temperature) + rounding
    assert scores.mean() + above <= bar(scores, temperature) + rounding
    assert bar(scores, temperature) <= scores.max() + above + rounding


def test_negatives_that_differ_raise_it_above_that_of_equal_ones():
    assert bar(np.array([-0.2, 0.2]), 0.1) > 0.1 * np.log(2) + 0.1  # by far: the larger score is 0.2


def test_its_slope_is_the_logarithm_of_the_negatives_in_effect(scores):
    temperature, step = 0.2, 1e-5
    shares = np.exp(scores / temperature) / np.exp(scores / temperature).sum()
    slope = (bar(scores, temperature + step) - bar(scores, temperature - step)) / (2 * step)
    assert slope == pytest.approx(-np.sum(shares * np.log(shares)), rel=1e-8, abs=1e-8)
