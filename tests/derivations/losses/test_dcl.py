"""DCL, written again: every row but the anchor and its positive a candidate, and the positive beside them."""

import mpmath
import pytest
from mpmath import mpf


def rows(w, temperature, partner=lambda i, n: (i + n // 2) % n):
    n = len(w)
    z = [[x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row] for row in w]
    for i, row in enumerate(z):
        scores = [mpmath.fdot(row, other) / temperature for other in z]
        positive = partner(i, n)
        negatives = (mpmath.exp(score) for j, score in enumerate(scores) if j not in (i, positive))
        yield mpmath.log(sum(negatives)) - scores[positive]


def raw(w, temperature):
    return sum(rows(w, temperature)) / len(w)


@pytest.mark.parametrize("temperature", [mpf(1), mpf("0.4")])
def test_the_statement_is_of_the_raw_loss(assert_states, array, temperature):
    assert_states("dcl", raw, {"w": array(6, 3), "temperature": temperature})


def test_interleaved_and_summed(assert_states, array):
    def total(w, temperature):
        return sum(rows(w, temperature, lambda i, n: i ^ 1))

    options = {"layout": "interleaved", "reduction": "sum"}
    assert_states("dcl", total, {"w": array(4, 3), "temperature": mpf(1)}, **options)


def test_each_row_with_a_weight_of_its_own(assert_states, array):
    weights = array(6)

    def weighted(w, temperature):
        return mpmath.fdot(weights, rows(w, temperature))

    point = {"w": array(6, 3), "temperature": mpf("0.5")}
    assert_states("dcl", weighted, point, reduction="none", upstream=weights)
