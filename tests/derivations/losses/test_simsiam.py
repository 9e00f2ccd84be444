"""SimSiam, written again: minus the mean cosine of each prediction to the other view's projection."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.simsiam import STOPPED_STATEMENT, algorithm


def normalized(row):
    return [x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row]


def raw(p1, z1, p2, z2):
    def distance(p, z):
        return -sum(mpmath.fdot(normalized(x), normalized(y)) for x, y in zip(p, z, strict=True)) / len(p)

    return distance(p1, z2) / 2 + distance(p2, z1) / 2


@pytest.fixture
def rows(array):
    return {name: array(2, 3) for name in ("p1", "z1", "p2", "z2")}


def test_the_statement_without_stop_gradient_is_of_the_raw_loss(assert_states, rows):
    assert_states("simsiam", raw, rows, stop_gradient=False)


def test_the_stop_gradient_leaves_the_value_and_the_predictions_alone(assert_states, rows):
    assert_states("simsiam", raw, rows, inputs=("p1", "p2"), stop_gradient=True)


def test_the_stop_gradient_stops_the_projections():
    gradients = STOPPED_STATEMENT.gradients
    assert gradients["z1"].form == gradients["z2"].form == 0


def test_the_pseudo_code_computes_the_raw_loss(rows):
    with mpmath.workdps(50):
        assert abs(algorithm(**rows, root=mpmath.sqrt) - raw(**rows)) < mpf(10) ** -48


def test_a_collapsed_output_reaches_the_least_value():
    with mpmath.workdps(50):
        same = [[mpf(3), mpf(4)]] * 2
        assert abs(raw(same, same, same, same) + 1) < mpf(10) ** -48
