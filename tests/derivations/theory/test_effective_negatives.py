"""The identity of R17 in plain numbers."""

import math

import numpy as np
import pytest


@pytest.mark.parametrize("negatives", [1, 2, 30])
def test_so_many_at_their_mean_logit_have_the_same_loss(negatives):
    rng = np.random.default_rng(negatives)
    own, logits = rng.normal(), 3 * rng.normal(size=negatives)
    weights = np.exp(logits)
    shares = weights / weights.sum()
    effective = math.exp(-np.sum(shares * np.log(shares)))
    loss = -math.log(math.exp(own) / (math.exp(own) + weights.sum()))
    assert loss == pytest.approx(math.log1p(effective * math.exp(shares @ logits - own)), rel=1e-12, abs=0)
    assert effective * (1 + 1e-12) >= 1
    assert effective <= negatives * (1 + 1e-12)
