"""R24 in plain numbers: how often the certificate is wrong, and the span of the library's loss."""

import numpy as np
import pytest

from infonce_ref.losses import cpc


@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_the_worst_row_of_cosines_reaches_the_span(temperature):
    worst = np.array([[-1.0, 1, 1, 1]]) / temperature
    loss = cpc.forward(worst, positive=np.array([0]))[0]
    assert loss == pytest.approx(np.log1p(3 * np.exp(2 / temperature)), rel=1e-14, abs=0)


@pytest.mark.parametrize("doubt", [0.2, 0.05])
def test_the_mean_of_losses_is_too_low_no_more_often_than_the_confidence_allows(doubt):
    rng, batches, span = np.random.default_rng(0), 10, np.log1p(3 * np.exp(2))
    scores = rng.choice([-1.0, 1.0], size=(4000, batches, 4))
    losses = np.log(np.exp(scores).sum(-1)) - scores[..., 0]
    margin = span * np.sqrt(np.log(1 / doubt) / (2 * batches))
    assert np.mean(losses.mean(1) < losses.mean() - margin) <= doubt
