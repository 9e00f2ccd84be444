"""The cross-entropy against a distribution, written again."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.soft_targets import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator

TARGETS = [[mpf(x) / 8 for x in row] for row in ([8, 0, 0, 0], [1, 2, 5, 0], [2, 2, 2, 2])]


def rows(scores):
    for row, weights in zip(scores, TARGETS, strict=True):
        lse = mpmath.log(sum(map(mpmath.exp, row)))
        yield sum(weight * (lse - score) for weight, score in zip(weights, row, strict=True))


def raw(scores):
    return sum(rows(scores)) / len(scores)


@pytest.mark.parametrize(("reduction", "times"), [("mean", 1), ("sum", 3)])
def test_the_statement_is_of_the_raw_loss(assert_states, array, reduction, times):
    def reduced(scores):
        return times * raw(scores)

    assert_states("soft_targets", reduced, {"scores": array(3, 4)}, targets=TARGETS, reduction=reduction)


def test_the_closed_form_keeps_its_digits_where_the_positive_has_all_the_weight():
    scores, one = [[mpf(400), mpf(0), mpf(-3)]], [[mpf(1), mpf(0), mpf(0)]]
    with mpmath.workdps(50):
        gradient = STATEMENT.gradients["scores"]
        at = evaluator(gradient.form, STATEMENT.bind(scores, targets=one), names=gradient.names)
        slopes = [at(dict(zip(gradient.indices, (0, a), strict=True))) for a in range(3)]
        assert all(0 < abs(value) < mpf(10) ** -170 and size < 2 * abs(value) for value, size in slopes)


def test_each_row_with_a_weight_of_its_own(assert_states, array):
    weights = array(3)

    def weighted(scores):
        return mpmath.fdot(weights, rows(scores))

    options = {"targets": TARGETS, "reduction": "none", "upstream": weights}
    assert_states("soft_targets", weighted, {"scores": array(3, 4)}, **options)
