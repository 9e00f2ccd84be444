"""InfoNCE over a batch of two views, written again: every row is a candidate, the anchor among them."""

import mpmath
import pytest
from mpmath import mpf


def raw(z, temperature):
    loss, n = mpf(0), len(z)
    for i, row in enumerate(z):
        scores = [mpmath.fdot(row, other) / temperature for other in z]
        loss += mpmath.log(sum(map(mpmath.exp, scores))) - scores[(i + n // 2) % n]
    return loss / n


@pytest.mark.parametrize("temperature", [mpf(1), mpf("0.4")])
def test_the_statement_is_of_the_raw_loss(assert_states, array, temperature):
    assert_states("infonce", raw, {"z": array(6, 3), "temperature": temperature})


def test_the_sum_is_n_means(assert_states, array):
    def total(z, temperature):
        return 6 * raw(z, temperature)

    assert_states("infonce", total, {"z": array(6, 3), "temperature": mpf(1)}, reduction="sum")
