"""Uniformity, written again: the mean over the unordered pairs."""

from itertools import combinations

import mpmath
import pytest
from mpmath import mpf


def raw(z, t):
    pairs = list(combinations(z, 2))
    kernels = (mpmath.exp(-t * sum((a - b) ** 2 for a, b in zip(x, y, strict=True))) for x, y in pairs)
    return mpmath.log(sum(kernels) / len(pairs))


@pytest.mark.parametrize("t", [mpf(2), mpf("0.3")])
def test_the_statement_is_of_the_raw_loss(assert_states, array, t):
    def at(z):
        return raw(z, t)

    assert_states("uniformity", at, {"z": array(5, 3)}, t=t)
