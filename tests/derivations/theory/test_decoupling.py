"""The factor between the gradients of InfoNCE and DCL, by differences."""

import math
import random

import pytest


def coupled(logits):
    return math.log(sum(map(math.exp, logits))) - logits[0]


def decoupled(logits):
    return math.log(sum(map(math.exp, logits[1:]))) - logits[0]


def slopes(loss, logits):
    """Central differences: err by 10⁻¹⁰."""
    found = []
    for at in range(len(logits)):
        up, down = list(logits), list(logits)
        up[at], down[at] = up[at] + 1e-6, down[at] - 1e-6
        found.append((loss(up) - loss(down)) / 2e-6)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_slope_differs_by_the_sigmoid_of_dcl(seed):
    r = random.Random(seed)
    logits = [r.gauss(0, 2) for _ in range(6)]
    factor = 1 / (1 + math.exp(-decoupled(logits)))
    assert coupled(logits) == pytest.approx(math.log1p(math.exp(decoupled(logits))))
    for with_it, without in zip(slopes(coupled, logits), slopes(decoupled, logits), strict=True):
        assert with_it == pytest.approx(factor * without, abs=1e-8)
