"""Alignment, written again: the mean distance to a power."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.alignment import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator


def rows(z1, z2, exponent):
    for row, other in zip(z1, z2, strict=True):
        yield mpmath.sqrt(sum((x - y) ** 2 for x, y in zip(row, other, strict=True))) ** exponent


def raw(z1, z2, exponent):
    return sum(rows(z1, z2, exponent)) / len(z1)


@pytest.mark.parametrize("exponent", [mpf("0.5"), mpf(1), mpf(2), mpf(3)])
def test_the_statement_is_of_the_raw_loss(assert_states, array, exponent):
    def of_exponent(z1, z2):
        return raw(z1, z2, exponent)

    assert_states("alignment", of_exponent, {"z1": array(4, 3), "z2": array(4, 3)}, exponent=exponent)


@pytest.mark.parametrize("exponent", [mpf(1), mpf(2)])
def test_equal_rows_have_no_loss_and_by_convention_no_gradient(exponent):
    rows = [[mpf(1), mpf(2)], [mpf(0), mpf(1)]]
    gradient = STATEMENT.gradients["z1"]
    bound = STATEMENT.bind(rows, [rows[0], [mpf(0), mpf(2)]], exponent=exponent)
    slopes = [
        evaluator(gradient.form, bound, names=gradient.names)(
            dict(zip(gradient.indices, (i, f), strict=True))
        )[0]
        for i in range(2)
        for f in range(2)
    ]
    assert slopes == [0, 0, 0, -exponent / 2]
    assert evaluator(STATEMENT.form, bound, names=STATEMENT.names)({})[0] == mpf(1) / 2


def test_each_pair_with_a_weight_of_its_own(assert_states, array):
    weights = array(4)

    def weighted(z1, z2):
        return mpmath.fdot(weights, rows(z1, z2, 3))

    options = {"exponent": 3, "reduction": "none", "upstream": weights}
    assert_states("alignment", weighted, {"z1": array(4, 3), "z2": array(4, 3)}, **options)
