"""Products and sums with twice the digits, against fractions."""

from fractions import Fraction

import dask.array as da
import numpy as np
import pytest

from infonce_ref.double_length import difference, dot, halves, is_single, order, product, times, total

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


def test_only_float32_of_numpy_is_computed_in_float64():
    assert is_single(np.ones(2, np.float32))
    assert not is_single(np.ones(2))
    assert not is_single(da.ones(2, dtype=np.float32))  # whose dtype is NumPy's


@pytest.mark.parametrize("dtype", DTYPES)
def test_halves_add_up_and_their_products_are_exact(dtype):
    x = drawn(dtype, 200)
    parts = halves(x)
    assert both(parts) == fractions(x)
    for left in parts:
        for right in parts:
            y = right[::-1]
            assert fractions(left * y) == [a * b for a, b in zip(*map(fractions, (left, y)), strict=True)]


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_product_in_two_parts_is_exact(dtype):
    a, b = drawn(dtype, 2, 200)
    found = product(a, b)
    assert both(found) == [x * y for x, y in zip(*map(fractions, (a, b)), strict=True)]
    assert_parted(found)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_difference_in_two_parts_is_exact_whichever_is_larger(dtype):
    a, b = drawn(dtype, 2, 200)
    found = difference(a, b)
    assert both(found) == [x - y for x, y in zip(*map(fractions, (a, b)), strict=True)]
    assert_parted(found)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_sum_in_two_parts_is_rounded_again_exactly(dtype):
    high = drawn(dtype, 200, powers=1)
    low = high[::-1] * np.asarray(2.0**-8, dtype)
    found = order(high, low)
    assert both(found) == [x + y for x, y in zip(*map(fractions, (high, low)), strict=True)]
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


def test_a_total_of_zeros_is_zero():
    assert both(total(np.zeros((2, 3)))) == [0, 0]


def test_the_grid_is_as_fine_as_a_sum_of_its_terms_allows():
    """The 53 digits of a term below the grid overlap no other digits, so none is lost."""
    x = np.array([1.5 + 2.0**-49, (1 + 2.0**-52) * 2.0**-51])
    assert both(total(x)) == [sum(fractions(x))]


def test_each_row_of_a_total_has_its_own_grid():
    """On the grid of the long row, the digits of the short one would be rounded away."""
    short = np.array([1.5 + 2.0**-49, (1 + 2.0**-52) * 2.0**-51])
    found = both(total(np.stack([short, [2.0**100, 0.0]])))
    assert found == [sum(fractions(short)), 2**100]


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_product_of_numbers_of_two_parts_has_twice_the_digits(dtype):
    a, b = (product(*drawn(dtype, 2, 200, seed=seed)) for seed in (1, 2))
    eps = float(np.finfo(dtype).eps)
    high, low = times(a, b)
    assert np.all(np.abs(low) <= 2 * eps * np.abs(high))
    for x, y, value in zip(both(a), both(b), both((high, low)), strict=True):
        # the low parts' product, and roundings of theirs
        assert abs(value - x * y) <= 2 * eps**2 * abs(x * y)


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


@pytest.mark.parametrize("shape", [(3,), (2, 4, 3)])
def test_a_scalar_product_sums_over_the_last_axis(shape):
    a, b, more = (np.ones(shape) * row for row in ([1.0, 2, 3], [3.0, 3, -3], [0.0, 0, 2.0**-60]))
    # 3 + 6 − 9 = 0 leaves the last term's 3 · 2⁻⁶⁰
    assert np.array_equal(dot(a, b, more), np.full(shape[:-1], 3 * 2.0**-60))


@pytest.mark.parametrize("operation", [product, difference])
def test_autograd_differentiates_only_the_rounded_part(operation):
    """A rounding error is a constant; the sum of both parts has the derivative of the operation."""
    torch = pytest.importorskip("torch", reason="torch is not installed (an extra)")
    a, b = (torch.tensor([x], dtype=torch.float64, requires_grad=True) for x in (0.3, 7e5))
    slopes = torch.autograd.grad(sum(operation(a, b)).sum(), (a, b))
    expected = {product: (7e5, 0.3), difference: (1.0, -1.0)}[operation]
    assert tuple(x.item() for x in slopes) == expected
