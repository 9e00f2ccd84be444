"""Products and sums with twice the digits, against fractions."""

from fractions import Fraction
from operator import mul, sub

import numpy as np
import pytest

from infonce_ref.double_length import difference, dot, product, total

DTYPES = ("float32", "float64")


def drawn(dtype, *shape, seed=0, powers=20):
    """Draw numbers whose digits are all used, and of different magnitudes."""
    numbers = np.random.default_rng(seed)
    return (numbers.standard_normal(shape) * 2.0 ** numbers.integers(-powers, powers, shape)).astype(dtype)


def fractions(x):
    return [Fraction(float(y)) for y in np.ravel(x)]


def both(pair):
    """The exact sum of two parts."""
    return [high + low for high, low in zip(*map(fractions, pair), strict=True)]


def assert_parted(pair):
    """Assert that the first part is the sum, rounded."""
    high, low = pair
    np.testing.assert_array_equal(high + low, high)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("in_parts", "exact"), [(product, mul), (difference, sub)])
def test_a_product_and_a_difference_in_two_parts_are_exact(in_parts, exact, dtype):
    a, b = drawn(dtype, 2, 200)
    found = in_parts(a, b)
    assert both(found) == [exact(x, y) for x, y in zip(*map(fractions, (a, b)), strict=True)]
    assert_parted(found)


@pytest.mark.parametrize("n", [1, 2, 3, 64, 1000])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_total_has_twice_the_digits_where_its_terms_cancel(dtype, n):
    x = drawn(dtype, 3, n)
    x[1] -= x[1, ::-1] * np.asarray(1 - 2.0**-9, dtype)
    x[2] = -np.abs(x[2])
    found, eps = total(x), float(np.finfo(dtype).eps)
    for row, value in zip(x, both(found), strict=True):
        # the terms' low parts, below 4 n eps max, are added n times; each sum is rounded to half an eps
        assert abs(value - sum(fractions(row))) <= 4 * n**2 * eps**2 * np.max(np.abs(row))
    assert_parted(found)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_scalar_product_keeps_its_digits_where_it_cancels(dtype):
    eps = float(np.finfo(dtype).eps)
    a = drawn(dtype, 50, 8, powers=3)
    b, more = difference(drawn(dtype, 50, 8, seed=1, powers=3), drawn(dtype, 50, 8, seed=2, powers=3))
    # the last term makes the sum a thousandth of its terms
    rest = np.sum(a[:, :-1].astype(float) * b[:, :-1], axis=1) * (1 - 1e-3)
    b[:, -1] = (-rest / a[:, -1]).astype(dtype)
    for row, value in zip(range(50), fractions(dot(a, b, more)), strict=True):
        x, y, z = (fractions(v[row]) for v in (a, b, more))
        exact = sum(p * (q + r) for p, q, r in zip(x, y, z, strict=True))
        assert abs(value - exact) <= eps * abs(exact)
