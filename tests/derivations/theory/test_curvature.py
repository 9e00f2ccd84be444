"""Curvature and steepness against differences in 50 digits, written apart from the lesson."""

import random

import mpmath
import pytest
from mpmath import mpf

STEP = mpf(10) ** -12


def second_difference(of, steps=STEP):
    """Errs by step² times the fourth derivative, 10⁻²⁴, and by rounding, 10⁻⁵⁰/10⁻²⁴."""
    return (of(steps) - 2 * of(0) + of(-steps)) / steps**2


def dot(left, right):
    return mpmath.fsum(x * y for x, y in zip(left, right, strict=True))


def softmax(logits):
    weights = [mpmath.exp(x) for x in logits]
    return [x / mpmath.fsum(weights) for x in weights]


def variance(P, values):
    mean = dot(P, values)
    return mpmath.fsum(p * (x - mean) ** 2 for p, x in zip(P, values, strict=True))


def some_rows(seed, count, width, unit=True):
    r = random.Random(seed)
    rows = [[mpf(r.randint(-20, 20)) / 8 + mpf(1) / 32 for _ in range(width)] for _ in range(count)]
    return [[x / mpmath.sqrt(dot(row, row)) for x in row] if unit else row for row in rows]


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


def test_along_a_line_of_logits_the_curvature_is_a_variance_of_at_most_half():
    (logits, way), positive = some_rows(1, 2, 4, unit=False), 2

    def loss(t):
        return -mpmath.log(softmax([x + t * y for x, y in zip(logits, way, strict=True)])[positive])

    expected = variance(softmax(logits), way)
    assert abs(second_difference(loss) - expected) < mpf(10) ** -20
    assert expected <= dot(way, way) / 2


def test_along_a_line_of_the_anchor_the_curvature_is_a_variance():
    keys, (query, way), temperature = some_rows(2, 5, 3), some_rows(3, 2, 3), mpf("0.3")

    def loss(t):
        at = [x + t * y for x, y in zip(query, way, strict=True)]
        return -mpmath.log(softmax([dot(at, key) / temperature for key in keys])[1])

    P = softmax([dot(query, key) / temperature for key in keys])
    expected = variance(P, [dot(way, key) for key in keys]) / temperature**2
    assert abs(second_difference(loss) - expected) < mpf(10) ** -19  # the fourth derivative is of size 1/τ⁴
    assert expected <= 1 / temperature**2


@pytest.mark.parametrize("seed", range(5))
def test_no_gradient_is_longer_than_the_bound(seed):
    keys, (query,), temperature = some_rows(seed, 4, 2), some_rows(seed + 50, 1, 2), mpf("0.2")
    P = softmax([dot(query, key) / temperature for key in keys])
    gradient = [(dot(P, column) - column[0]) / temperature for column in zip(*keys, strict=True)]
    assert mpmath.sqrt(dot(gradient, gradient)) <= 2 * (1 - P[0]) / temperature


def batch_loss(z, temperature):
    half = len(z) // 2
    rows = [softmax([dot(row, other) / temperature for other in z]) for row in z]
    return -mpmath.fsum(mpmath.log(P[(i + half) % len(z)]) for i, P in enumerate(rows)) / len(z)


def test_along_a_line_of_all_rows():
    z, V, temperature, half = some_rows(4, 4, 2), some_rows(5, 4, 2), mpf("0.5"), 2

    def loss(t):
        moved = [[x + t * y for x, y in zip(*pair, strict=True)] for pair in zip(z, V, strict=True)]
        return batch_loss(moved, temperature)

    total = mpf(0)
    for i in range(4):
        P = softmax([dot(z[i], z[j]) / temperature for j in range(4)])
        total += variance(P, [(dot(V[i], z[j]) + dot(z[i], V[j])) / temperature for j in range(4)])
        G = [P[j] - (j == (i + half) % 4) for j in range(4)]
        total += 2 / temperature * mpmath.fsum(G[j] * dot(V[i], V[j]) for j in range(4))
    assert abs(second_difference(loss) - total / 4) < mpf(10) ** -19


def test_the_loss_is_not_convex_in_its_rows():
    t = mpmath.sqrt(mpmath.log(2) / 2)
    middle, end = ([[1, x], [1, -x], [1, x], [1, -x]] for x in (mpf(0), t))
    assert abs(mpmath.exp(batch_loss(middle, mpf(1) / 2)) - 4) < mpf(10) ** -45
    assert abs(mpmath.exp(batch_loss(end, mpf(1) / 2)) - mpf(5) / 2) < mpf(10) ** -45
