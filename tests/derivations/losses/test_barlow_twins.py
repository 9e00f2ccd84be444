"""Barlow Twins, written again: standardise the columns, correlate them."""

import mpmath
import pytest
from mpmath import mpf


def standardised(view):
    count = len(view)
    columns = []
    for column in zip(*view, strict=True):
        mean = sum(column) / count
        deviation = mpmath.sqrt(sum((x - mean) ** 2 for x in column) / count)
        columns.append([(x - mean) / deviation for x in column])
    return columns


def raw(z1, z2, weight):
    loss = mpf(0)
    for a, column in enumerate(standardised(z1)):
        for b, other in enumerate(standardised(z2)):
            correlation = mpmath.fdot(column, other) / len(z1)
            loss += (1 - correlation) ** 2 if a == b else weight * correlation**2
    return loss


@pytest.mark.parametrize("weight", [mpf("0.005"), mpf(1)])
def test_the_statement_is_of_the_raw_loss(assert_states, array, weight):
    def weighed(z1, z2):
        return raw(z1, z2, weight)

    assert_states("barlow_twins", weighed, {"z1": array(4, 3), "z2": array(4, 3)}, weight=weight)
