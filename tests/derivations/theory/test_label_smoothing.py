"""The least smoothed loss in floating point, found by descent."""

import math

import pytest


@pytest.mark.parametrize("epsilon", [0.05, 0.3])
@pytest.mark.parametrize("size", [2, 10])
def test_descent_ends_at_the_finite_gap(size, epsilon):
    logits = [0.0] * size
    targets = [epsilon / size + (1 - epsilon) * (a == 0) for a in range(size)]
    for _ in range(20_000):
        whole = sum(map(math.exp, logits))
        # a negative whose share is below ε/K is raised
        logits = [x - math.exp(x) / whole + t for x, t in zip(logits, targets, strict=True)]
    gap = math.log(1 + size * (1 - epsilon) / epsilon)
    assert all(logits[0] - x == pytest.approx(gap, rel=1e-9, abs=0) for x in logits[1:])
