"""The spectral loss of a law in floating point, as a distance of matrices and as a mean over batches."""

import itertools
import math
import random

import pytest


@pytest.mark.parametrize("seed", range(3))
def test_the_mean_over_batches_is_the_distance_of_two_matrices(seed):
    r = random.Random(seed)
    law = [[r.random() for _ in range(4)] for _ in range(3)]
    whole = sum(map(sum, law))
    law = [[x / whole for x in row] for row in law]
    first, second = ([[r.gauss(0, 1) for _ in range(2)] for _ in range(size)] for size in (3, 4))
    p, q = [sum(row) for row in law], [sum(column) for column in zip(*law, strict=True)]
    product = [[sum(x * y for x, y in zip(a, b, strict=True)) for b in second] for a in first]
    cells = list(itertools.product(range(3), range(4)))
    batches = 0.0  # of two pairs
    for (i, j), (k, l) in itertools.product(cells, repeat=2):
        positives = -(product[i][j] + product[k][l])
        batches += law[i][j] * law[k][l] * (positives + (product[i][l] ** 2 + product[k][j] ** 2) / 2)
    distance = constant = 0.0
    for i, j in cells:
        entry, root = law[i][j] / math.sqrt(p[i] * q[j]), math.sqrt(p[i] * q[j])
        distance += (entry - root * product[i][j]) ** 2
        constant += entry**2
    assert batches == pytest.approx(distance - constant)
