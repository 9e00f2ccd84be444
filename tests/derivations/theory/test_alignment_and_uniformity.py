"""The least mean of e^{−t‖z_i − z_j‖²} in floating point, at random rows and at the simplex."""

import math
import random

import pytest


def unit(row):
    return [x / math.hypot(*row) for x in row]


def kernel(rows, t):
    pairs = [(x, y) for m, x in enumerate(rows) for n, y in enumerate(rows) if m != n]
    return sum(math.exp(-t * math.dist(x, y) ** 2) for x, y in pairs) / len(pairs)


@pytest.mark.parametrize("t", [0.5, 2.0])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_random_rows_stay_above_the_simplex(count, t):
    r = random.Random(count)
    rows = [unit([r.gauss(0, 1) for _ in range(4)]) for _ in range(count)]
    corners = [unit([(m == n) - 1 / count for n in range(count)]) for m in range(count)]
    least = math.exp(-2 * t * count / (count - 1))
    assert kernel(rows, t) > least
    assert kernel(corners, t) == pytest.approx(least, rel=1e-12, abs=0)
