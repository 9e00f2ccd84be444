"""CLIP's loss of rows with a gap put between the modalities, in floating point."""

import math
import random

import pytest


def unit(row):
    return [x / math.hypot(*row) for x in row]


def clip(images, texts, temperature):
    logits = [[sum(x * y for x, y in zip(a, b, strict=True)) / temperature for b in texts] for a in images]
    total = 0.0
    for table in (logits, list(zip(*logits, strict=True))):
        total += sum(math.log(sum(math.exp(x - row[n]) for x in row)) for n, row in enumerate(table))
    return total / (2 * len(images))


@pytest.mark.parametrize("gap", [0.1, -0.5, 0.9])
def test_a_gap_costs_nothing_but_temperature(gap):
    r = random.Random(0)
    images, texts = ([unit([r.gauss(0, 1) for _ in range(3)]) for _ in range(4)] for _ in range(2))
    factor = math.sqrt(1 - gap**2)
    left, right = (
        [[*(factor * x for x in row), sign * gap] for row in rows]
        for rows, sign in ((images, 1), (texts, -1))
    )
    assert all(math.hypot(*row) == pytest.approx(1) for row in (*left, *right))
    assert clip(left, right, factor**2 * 0.3) == pytest.approx(clip(images, texts, 0.3), rel=1e-12, abs=0)
