"""Where the slope of the loss by 1/τ vanishes, in floating point, written apart from the lesson."""

import math
import random

import pytest


def slope(scores, t):
    """dℓ/dt of all rows, the positive first."""
    total = 0.0
    for row in scores:
        weights = [math.exp(t * s) for s in row]
        total += sum(w * s for w, s in zip(weights, row, strict=True)) / sum(weights) - row[0]
    return total


def rest(scores):
    """The root of the slope by bisection: 100 halvings leave no bit."""
    low, high = 0.0, 1.0
    while slope(scores, high) < 0:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if slope(scores, middle) > 0 else (middle, high)
    return low


def cosines(seed, lead):
    r = random.Random(seed)
    return [[min(1, r.uniform(-1, 1) + lead), *(r.uniform(-1, 1) for _ in range(4))] for _ in range(6)]


@pytest.mark.parametrize("seed", range(5))
def test_with_mistakes_it_rests_between_its_two_bounds(seed):
    scores = cosines(seed, 0.5)
    ahead = sum(max(row) - row[0] for row in scores)
    above_mean = sum(row[0] - sum(row) / len(row) for row in scores)
    assert ahead > 0 < above_mean
    assert above_mean / len(scores) <= rest(scores) <= len(scores) * math.log(5) / ahead


@pytest.mark.parametrize("seed", range(5))
def test_without_a_mistake_the_loss_falls_for_ever(seed):
    scores = [sorted(row, reverse=True) for row in cosines(seed, 0)]
    assert all(slope(scores, t) < 0 for t in (0, 1, 10, 100))


@pytest.mark.parametrize("seed", range(5))
def test_below_the_mean_the_loss_only_rises(seed):
    scores = [sorted(row) for row in cosines(seed, 0)]
    assert all(slope(scores, t) > 0 for t in (0, 1, 10, 100))
