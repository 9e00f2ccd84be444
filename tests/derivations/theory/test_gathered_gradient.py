"""The step that raises the loss, taken in floating point."""

import math

import pytest

INVERSE, RANKS = 25 * math.log(21 / 20), [0, 1, 0, 1]  # 1/τ of the witness
BATCH = [(0.8, 0.6), (-0.6, 0.8), (0.8, 0.6), (0.96, -0.28)]


def dot(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def loss(rows, held=None, rank=None):
    """NT-Xent; of the anchors of one rank alone, with the rows of other ranks as they are held."""
    total = 0.0
    for n, row in enumerate(rows):
        if rank is not None and RANKS[n] != rank:
            continue
        seen = rows if rank is None else [x if RANKS[m] == rank else held[m] for m, x in enumerate(rows)]
        weights = [math.exp(INVERSE * dot(row, x)) if m != n else 0.0 for m, x in enumerate(seen)]
        total += math.log(sum(weights) / weights[(n + 2) % 4])
    return total


def turned(angles):
    return [(math.cos(x), math.sin(x)) for x in angles]


def slopes(of, angles):
    """By central differences: err by 10⁻¹⁰."""
    found = []
    for at in range(len(angles)):
        up, down = list(angles), list(angles)
        up[at], down[at] = up[at] + 1e-6, down[at] - 1e-6
        found.append((of(turned(up)) - of(turned(down))) / 2e-6)
    return found


def test_a_step_against_the_local_gradient_raises_the_loss():
    angles = [math.atan2(y, x) for x, y in BATCH]
    local = [
        sum(part)
        for part in zip(
            *(slopes(lambda rows, rank=rank: loss(rows, BATCH, rank), angles) for rank in (0, 1)), strict=True
        )
    ]
    full = slopes(loss, angles)
    assert dot(full, local) == pytest.approx(-0.07253108 * INVERSE**2, rel=1e-6, abs=0)
    after = turned([x - 0.01 * pull for x, pull in zip(angles, local, strict=True)])
    assert loss(after) > loss(BATCH)
