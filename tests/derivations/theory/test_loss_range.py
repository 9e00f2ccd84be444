"""The extremes of the losses in floating point, on random unit rows and at the simplex, apart from the lesson."""

import math
import random

import pytest

EPS = 2.0**-52


def unit_rows(seed, count, width):
    r = random.Random(seed)
    rows = [[r.gauss(0, 1) for _ in range(width)] for _ in range(count)]
    return [[x / math.hypot(*row) for x in row] for row in rows]


def dot(left, right):
    return sum(x * y for x, y in zip(left, right, strict=True))


def losses(z, temperature, own):
    half = len(z) // 2
    for i, row in enumerate(z):
        weights = [math.exp(dot(row, other) / temperature) for other in z]
        whole = sum(weights) if own else sum(weights) - weights[i]
        yield math.log(whole / weights[(i + half) % len(z)])


@pytest.mark.parametrize("temperature", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("seed", range(3))
def test_no_batch_passes_its_bounds(seed, temperature):
    pairs = 2 + seed
    z, M = unit_rows(seed, 2 * pairs, 3), 2 * pairs - 2
    masked, full = (list(losses(z, temperature, own)) for own in (False, True))
    down = M * math.exp(-pairs / ((pairs - 1) * temperature))
    assert min(full) >= math.log(2)
    assert sum(masked) / len(z) >= math.log(1 + down)
    assert sum(full) / len(z) >= math.log(2 + down)
    assert math.log(1 + M * math.exp(-2 / temperature)) <= min(masked)
    assert max(masked) <= math.log(1 + M * math.exp(2 / temperature))


@pytest.mark.parametrize("pairs", [2, 3, 4])
def test_a_simplex_of_coinciding_pairs_has_the_least_loss(pairs):
    corners = [[(i == j) - 1 / pairs for j in range(pairs)] for i in range(pairs)]
    corners = [[x / math.hypot(*row) for x in row] for row in corners]
    down = (2 * pairs - 2) * math.exp(-pairs / ((pairs - 1) * 0.5))
    for own, first in ((False, 1), (True, 2)):
        for loss in losses(corners * 2, 0.5, own):
            assert loss == pytest.approx(math.log(first + down), rel=100 * EPS, abs=0)  # some ten roundings


def test_the_two_losses_differ_by_one_term():
    z, temperature = unit_rows(7, 6, 3), 0.5
    masked, full = (list(losses(z, temperature, own)) for own in (False, True))
    for i, (without, own) in enumerate(zip(masked, full, strict=True)):
        term = math.exp((1 - dot(z[i], z[(i + 3) % 6])) / temperature)
        assert math.exp(own) == pytest.approx(math.exp(without) + term, rel=100 * EPS, abs=0)


def test_a_hot_loss_counts_the_candidates_and_a_cold_one_the_gap():
    z = unit_rows(8, 6, 3)
    assert next(losses(z, 1e9, own=True)) == pytest.approx(math.log(6), rel=1e-8, abs=0)  # off by at most 2/τ
    similar, temperature = [dot(z[0], other) for other in z[1:]], 0.005
    gap = max(similar) - similar[2]  # the positive of row 0 is row 3
    cold = temperature * next(losses(z, temperature, own=False))
    assert gap <= cold <= gap + temperature * math.log(5)
