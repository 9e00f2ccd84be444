"""The spectral contrastive loss, written again in loops."""

import mpmath
import pytest


def rows(z1, z2):
    for i, row in enumerate(z1):
        scores = [mpmath.fdot(row, other) for other in z2]
        yield sum(s**2 for j, s in enumerate(scores) if j != i) / (len(z2) - 1) - 2 * scores[i]


@pytest.mark.parametrize(("reduction", "divisor"), [("mean", 4), ("sum", 1)])
def test_the_statement_is_of_the_raw_loss(assert_states, array, reduction, divisor):
    def raw(z1, z2):
        return sum(rows(z1, z2)) / divisor

    assert_states("spectral", raw, {"z1": array(4, 3), "z2": array(4, 3)}, reduction=reduction)


def test_each_pair_with_a_weight_of_its_own(assert_states, array):
    weights = array(4)

    def weighted(z1, z2):
        return mpmath.fdot(weights, rows(z1, z2))

    options = {"reduction": "none", "upstream": weights}
    assert_states("spectral", weighted, {"z1": array(4, 3), "z2": array(4, 3)}, **options)
