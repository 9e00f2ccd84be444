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
