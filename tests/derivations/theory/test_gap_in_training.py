"""R20 in plain numbers: how CLIP's loss moves a gap, by differences of the library's own loss."""

import numpy as np
import pytest

from infonce_ref.losses import clip


def with_gap(rows, gap, sign):
    return np.concatenate([np.sqrt(1 - gap**2) * rows, np.full((len(rows), 1), sign * gap)], axis=1)


def loss(images, texts, gap, temperature):
    return clip.forward(with_gap(images, gap, 1), with_gap(texts, gap, -1), temperature=temperature)[0]


def slope(of, x):
    return (of(x + 1e-5) - of(x - 1e-5)) / 2e-5


RIGHT = np.eye(3), np.eye(3)
# the third image is nearer to the first text than to its own
MISTAKEN = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0, np.sqrt(0.75), 0]]), np.eye(4)[[0, 1, 3]]


@pytest.mark.parametrize("temperature", [0.02, 0.1, 1.0])
def test_a_batch_without_mistakes_closes_the_gap(temperature):
    assert slope(lambda gap: loss(*RIGHT, gap, temperature), 0.9) > 0  # descent goes down in γ


def test_a_mistake_opens_it_where_the_temperature_is_low_and_closes_it_where_it_is_high():
    assert slope(lambda gap: loss(*MISTAKEN, gap, 0.1), 0.3) < 0
    assert slope(lambda gap: loss(*MISTAKEN, gap, 1.0), 0.3) > 0


@pytest.mark.parametrize("pair", [RIGHT, MISTAKEN])
@pytest.mark.parametrize("temperature", [0.3, 1.0])
def test_the_gap_goes_as_the_square_of_the_temperature(pair, temperature):
    """log γ + 2 log(1/τ) stays constant if the angle with the sine γ and the logarithm of 1/τ descend together."""
    angle = 0.6
    by_angle = slope(lambda x: loss(*pair, np.sin(x), temperature), angle)
    by_scale = slope(lambda x: loss(*pair, np.sin(angle), temperature * np.exp(-x)), 0.0)
    assert abs(by_scale) > 1e-3
    assert by_angle / np.tan(angle) + 2 * by_scale == pytest.approx(0, abs=1e-8)  # the differences' error
