"""The floor in floating point, on random batches and at its witness; a missing hypothesis is refused."""

import pytest

from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.theory import barlow_twins_floor as lesson


def test_vectors_that_are_not_orthonormal_are_refused():
    with pytest.raises(NotProved):
        lesson.prove(lesson.BY_GRAM, lesson.ALL, lesson.GRAM)


def test_a_higher_floor_is_not_proved():
    higher = lesson.d * lesson.weight * lesson.kappa
    factor = 1 + lesson.weight * lesson.kappa
    left = lesson.loss - lesson.d * lesson.weight * lesson.kappa / factor
    with pytest.raises(NotProved):
        lesson.prove(left, lesson.loss - higher, *lesson.NAMES)
