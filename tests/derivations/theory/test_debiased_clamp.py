"""The cliff in floating point: the loss on both sides of its clamp, differentiated by differences."""

import math

import pytest

TEMPERATURE, PRIOR = 0.5, 0.1


def loss(positive, negatives):
    """Of cosines, as its paper writes it."""
    own, others = math.exp(positive / TEMPERATURE), [math.exp(s / TEMPERATURE) for s in negatives]
    estimate = (sum(others) / len(others) - PRIOR * own) / (1 - PRIOR)
    whole = own + len(others) * max(estimate, math.exp(-1 / TEMPERATURE))
    return math.log(whole / own)


@pytest.mark.parametrize("count", [1, 4, 64])
def test_the_pull_drops_by_the_factor_whatever_the_number_of_negatives(count):
    odds, positive, step = PRIOR / (1 - PRIOR), 0.2, 1e-6
    own, lowest = math.exp(positive / TEMPERATURE), math.exp(-1 / TEMPERATURE)
    edge = TEMPERATURE * math.log((1 - PRIOR) * lowest + PRIOR * own)  # where the clamp begins to bind

    def pull(negative):
        return (loss(positive - step, [negative] * count) - loss(positive + step, [negative] * count)) / step

    drop = pull(edge + 1e-4) / pull(edge - 1e-4)  # off the edge by 100 steps: errs by about 10⁻³
    assert drop == pytest.approx(1 + odds * math.exp((1 + positive) / TEMPERATURE), rel=2e-3, abs=0)
