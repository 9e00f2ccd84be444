"""Values of estimators on the batches of a fair bit, in floating point."""

import math

import pytest


@pytest.mark.parametrize("depth", [1.0, 10.0, 100.0])
def test_the_mean_of_mine_over_batches_of_two_is_half_the_depth(depth):
    values = []
    for first in (0, 1):
        for second in (0, 1):  # every pair is (bit, bit), so the joint scores are 0
            apart = [0.0 if first == second else -depth] * 2
            values.append(-math.log(sum(map(math.exp, apart)) / 2))
    assert sum(values) / 4 == pytest.approx(depth / 2)


@pytest.mark.parametrize("scores", [(0.0, -5.0), (1.0, 0.5), (3.0, 3.0)])
def test_the_two_bounds_hold_of_a_fair_bit(scores):
    same, other = scores
    partition = (math.exp(same) + math.exp(other)) / 2
    assert same - math.log(partition) <= math.log(2)
    assert same - partition / math.e <= math.log(2)
