"""Odds add over groups of negatives, in floating point; the loss of one pair alone."""

import math
import random

import pytest


def loss(positive, negatives):
    return math.log(sum(math.exp(x - positive) for x in (positive, *negatives)))


@pytest.mark.parametrize("seed", range(3))
def test_odds_add_and_losses_do_not(seed):
    r = random.Random(seed)
    positive, negatives = r.gauss(0, 1), [r.gauss(0, 1) for _ in range(9)]
    groups = [negatives[:2], negatives[2:3], negatives[3:]]
    odds = sum(math.expm1(loss(positive, group)) for group in groups)
    assert odds == pytest.approx(math.expm1(loss(positive, negatives)))
    assert sum(loss(positive, group) for group in groups) > loss(positive, negatives)


def test_a_pair_alone_has_no_loss():
    assert loss(0.3, []) == 0
