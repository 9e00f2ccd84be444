"""The triplet loss against 50-digit differences of max(0, …) itself, on both sides of the hinge."""

import random

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.triplet import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator


def raw(anchor, positive, negative, margin):
    """Mean of max(0, ‖a − p‖² − ‖a − n‖² + μ)."""
    total = mpf(0)
    for a, p, n in zip(anchor, positive, negative, strict=True):
        near = sum((x - y) ** 2 for x, y in zip(a, p, strict=True))
        far = sum((x - y) ** 2 for x, y in zip(a, n, strict=True))
        total += max(mpf(0), near - far + margin)
    return total / len(anchor)


def triplets(seed):
    r = random.Random(seed)
    rows = [[[mpf(r.randint(-9, 9)) / 8 for _ in range(3)] for _ in range(4)] for _ in range(3)]
    return dict(zip(("anchor", "positive", "negative"), rows, strict=True))


@pytest.mark.parametrize("name", ["anchor", "positive", "negative"])
def test_the_gradient_is_that_of_the_raw_hinge(name):
    with mpmath.workdps(50):
        inputs, margin = triplets(1), mpf("0.3")
        at = evaluator(STATEMENT.gradients[name].closed_form, STATEMENT.bind(**inputs, margin=margin))
        step = mpf(10) ** -20
        gradient = STATEMENT.gradients[name]
        for row in range(4):
            for feature in range(3):
                inputs[name][row][feature] += step
                above = raw(**inputs, margin=margin)
                inputs[name][row][feature] -= 2 * step
                below = raw(**inputs, margin=margin)
                inputs[name][row][feature] += step
                value, _ = at(dict(zip(gradient.indices, (row, feature), strict=True)))
                # a quadratic: its central difference errs by rounding alone, 10⁻⁵⁰/10⁻²⁰
                assert abs(value - (above - below) / (2 * step)) < mpf(10) ** -28


def test_open_and_shut_hinges_are_both_there():
    bound = STATEMENT.bind(**triplets(1), margin=mpf("0.3"))
    assert set(next(bits for symbol, bits in bound.items() if str(symbol) == "α")) == {0, 1}


def test_the_definition_is_the_raw_hinge():
    with mpmath.workdps(50):
        inputs, margin = triplets(1), mpf("0.3")
        value, _ = evaluator(STATEMENT.definition, STATEMENT.bind(**inputs, margin=margin))({})
        assert abs(value - raw(**inputs, margin=margin)) < mpf(10) ** -48


def test_at_the_tie_the_hinge_is_shut():
    tie = {"anchor": [[0]], "positive": [[1]], "negative": [[2]]}
    gradient = STATEMENT.gradients["anchor"]
    at = evaluator(gradient.closed_form, STATEMENT.bind(**tie, margin=3))
    assert at(dict.fromkeys(gradient.indices, 0))[0] == 0


@pytest.mark.parametrize("name", ["anchor", "positive", "negative"])
def test_the_gradient_is_proved_for_every_size(name):
    STATEMENT.gradients[name].prove()
