"""SigLIP's best bias and its lower bound, in floating point."""

import math
import random

import pytest


def terms(logits, bias):
    return [
        math.log1p(math.exp(-(x + bias) if m == n else x + bias))
        for m, row in enumerate(logits)
        for n, x in enumerate(row)
    ]


def best_bias(logits):
    """Where the sigmoids sum to the number of pairs, by bisection."""
    low, high = -50.0, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        too_many = sum(1 / (1 + math.exp(-(x + middle))) for row in logits for x in row) > len(logits)
        low, high = (low, middle) if too_many else (middle, high)
    return low


@pytest.mark.parametrize("seed", range(4))
def test_the_bias_where_the_sigmoids_sum_to_b_is_the_best(seed):
    r = random.Random(seed)
    logits = [[r.gauss(0, 3) for _ in range(5)] for _ in range(5)]
    best = best_bias(logits)
    assert all(sum(terms(logits, best)) < sum(terms(logits, best + shift)) for shift in (-0.01, 0.01))


def test_one_negative_above_one_positive_keeps_the_loss_above_log_2():
    scores = [[1, 0.8, 0], [0.8, 1, -0.48], [0, 0, 0.6]]
    for scale in (1, 10, 100):
        logits = [[scale * x for x in row] for row in scores]
        assert sum(terms(logits, best_bias(logits))) > math.log1p(math.exp(scale * 0.2)) > math.log(2)
