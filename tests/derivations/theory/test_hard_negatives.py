"""What D2 concludes, in floating point: forces on one anchor, written apart from the lesson."""

import itertools
import math
import random

import pytest


def dot(left, right):
    return sum(x * y for x, y in zip(left, right, strict=True))


def unit(row):
    return [x / math.hypot(*row) for x in row]


def force(anchor, positive, negatives, temperature):
    """−∂ℓ/∂w at w = z, ℓ = −log softmax, by central differences."""

    def loss(w):
        z = unit(w)
        scores = [dot(z, y) / temperature for y in (positive, *negatives)]
        return math.log(sum(math.exp(x - scores[0]) for x in scores))

    step, slopes = 1e-6, []  # errs by step² and eps/step: 10⁻¹⁰
    for at in range(len(anchor)):
        up, down = list(anchor), list(anchor)
        up[at], down[at] = up[at] + step, down[at] - step
        slopes.append((loss(down) - loss(up)) / (2 * step))
    return slopes


def on_the_plane(cosine):
    return [cosine, math.sqrt(1 - cosine**2)]


def contribution(s, temperature, rest):
    weight = math.exp(s / temperature)
    return weight / (weight + rest) * math.sqrt(1 - s * s) / temperature


@pytest.mark.parametrize("temperature", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("rest", [0.5, 10.0])
def test_a_negative_pushes_hardest_at_one_similarity(temperature, rest):
    values = [contribution(k / 2000, temperature, rest) for k in range(-1999, 2000)]
    peak = values.index(max(values))
    assert 1999 < peak < len(values) - 1
    assert values[: peak + 1] == sorted(values[: peak + 1])
    assert values[peak:] == sorted(values[peak:], reverse=True)
    s = (peak - 1999) / 2000

    def excess(x):
        return x / (1 - x * x) - rest / (math.exp(x / temperature) + rest) / temperature

    assert excess(s - 0.001) < 0 < excess(s + 0.001)  # the grid's step is 0.0005


@pytest.mark.parametrize("temperature", [0.1, 1.0, 10.0])
def test_a_negative_may_push_the_anchor_away_from_its_positive(temperature):
    positive = [0.8, 0.6]
    assert dot(force([1.0, 0.0], positive, [[0.0, 1.0]], temperature), positive) < 0


@pytest.mark.parametrize("seed", range(4))
def test_with_one_negative_the_difference_of_similarities_grows(seed):
    r = random.Random(seed)
    z, positive, negative = (unit([r.gauss(0, 1) for _ in range(3)]) for _ in range(3))
    gap = [x - y for x, y in zip(positive, negative, strict=True)]
    assert dot(force(z, positive, [negative], 0.5), gap) > 0


@pytest.mark.parametrize("seed", range(3))
def test_the_rate_of_the_positive(seed):
    r = random.Random(seed)
    z, positive, *negatives = (unit([r.gauss(0, 1) for _ in range(3)]) for _ in range(5))
    weights = [math.exp(dot(z, y) / 0.5) for y in (positive, *negatives)]
    P, s_p = [x / sum(weights) for x in weights], dot(z, positive)
    rate = (1 - P[0]) * (1 - s_p**2)
    for share, y in zip(P[1:], negatives, strict=True):
        rate -= share * (dot(y, positive) - dot(z, y) * s_p)
    got = dot(force(z, positive, negatives, 0.5), positive)
    assert got == pytest.approx(rate / 0.5, abs=1e-8)  # 100 times the error of the difference


def test_positives_that_are_easy_or_opposite_pull_little():
    pull = {
        s: math.hypot(*force([1.0, 0.0], on_the_plane(s), [[0.0, -1.0]], 1.0)) for s in (-0.9999, 0, 0.9999)
    }
    alone = math.hypot(*force([1.0, 0.0], [1.0, 0.0], [[0.0, -1.0]], 1.0))  # what the negative does by itself
    assert abs(pull[0.9999] - alone) < 0.02 < pull[0] - alone
    assert pull[-0.9999] < pull[0]


def test_each_further_equal_negative_adds_less():
    unsure = [m / (m + math.exp(0.3)) for m in range(1, 20)]
    gains = [after - before for before, after in itertools.pairwise(unsure)]
    assert all(gain > 0 for gain in gains)
    assert gains == sorted(gains, reverse=True)
