"""R21 in plain numbers: the library's mean loss over all draws of M negatives, beside the loss of their mean."""

from itertools import product

import numpy as np
import pytest

from infonce_ref.losses import cpc

ENDS = np.array([-0.8, 0.5])  # similarities, both as likely; the positive's is 0.3
POSITIVE = 0.3


@pytest.fixture(params=[1, 2, 6])
def negatives(request):
    return request.param


@pytest.mark.parametrize("temperature", [0.2, 1.0])
def test_the_gap_is_between_0_and_the_bound(negatives, temperature):
    draws = np.array(list(product(ENDS, repeat=negatives)))
    logits = np.column_stack([np.full(len(draws), POSITIVE), draws]) / temperature
    mean = cpc.forward(logits, positive=np.zeros(len(draws), dtype=int))[0]
    leads = np.exp((ENDS - POSITIVE) / temperature)
    total = 1 + negatives * leads.mean()
    gap = np.log(total) - mean
    assert 0 < gap <= negatives * leads.var() / (total * (1 + negatives * leads.min()))
