"""The floor in floating point, on random batches and at its witness; what lacks a hypothesis is refused."""

import random

import pytest

from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.theory import barlow_twins_floor as lesson


def standardised(rows):
    columns = []
    for column in zip(*rows, strict=True):
        mean = sum(column) / len(column)
        spread = (sum((x - mean) ** 2 for x in column) / len(column)) ** 0.5
        columns.append([(x - mean) / spread for x in column])
    return columns


def loss(first, second, weight):
    left, right = standardised(first), standardised(second)
    correlations = [[sum(x * y for x, y in zip(a, b, strict=True)) / len(a) for b in right] for a in left]
    return sum(
        (1 - c) ** 2 if f == g else weight * c * c
        for f, row in enumerate(correlations)
        for g, c in enumerate(row)
    )


@pytest.mark.parametrize("weight", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_no_batch_passes_the_floor(seed, weight):
    r = random.Random(seed)
    rows, features = 3 + seed, 6
    first = [[r.gauss(0, 1) for _ in range(features)] for _ in range(rows)]
    second = [[x + r.gauss(0, 0.3) for x in row] for row in first]
    kappa = features / (rows - 1) - 1
    assert loss(first, second, weight) >= features * weight * kappa / (1 + weight * kappa)
    assert loss(first, first, weight) >= features * weight * kappa * (1 - 1e-12)  # some hundred roundings


def test_the_witness_reaches_it():
    first = [[1, 1, 2, 2], [-1, -1, 11, 11], [0, 0, -13, -13]]
    second = [[8, 8, 1, 1], [-5, -5, 1, 1], [-3, -3, -2, -2]]
    assert loss(first, second, 1 / 13) == pytest.approx(2 / 7, rel=1e-13, abs=0)


def test_vectors_that_are_not_orthonormal_do_not_do():
    with pytest.raises(NotProved):
        lesson.prove(lesson.BY_GRAM, lesson.ALL, lesson.GRAM)


def test_a_higher_floor_is_not_proved():
    higher = lesson.d * lesson.weight * lesson.kappa
    factor = 1 + lesson.weight * lesson.kappa
    left = lesson.loss - lesson.d * lesson.weight * lesson.kappa / factor
    with pytest.raises(NotProved):
        lesson.prove(left, lesson.loss - higher, *lesson.NAMES)
