"""The elementary functions have full accuracy with every library."""

import array_api_strict
import mpmath
import numpy as np
import pytest

from infonce_ref import elementary
from infonce_ref.elementary import power_of_two, stable_sum


@pytest.mark.parametrize("n", [1, 127, 129, 5000])
def test_a_sum_is_as_accurate_for_any_memory_layout(n):
    x = np.random.default_rng(0).uniform(1, 2, (n, 3)).astype("float32")
    exact = np.sum(x, axis=0, dtype="float64")
    for sums in (stable_sum(x, axis=0), stable_sum(x.T), stable_sum(np.stack([x, x]), axis=1)[1]):
        assert sums.dtype == np.float32
        # blocks of 128 and blocks of these: few roundings; a sequential sum of 5000 numbers has an error of
        # 1e-5
        np.testing.assert_allclose(sums, exact, rtol=1e-6)


def test_other_libraries_use_their_own_sum():
    x = array_api_strict.reshape(array_api_strict.arange(2 * 129), (129, 2))
    np.testing.assert_array_equal(np.asarray(stable_sum(x, axis=0)), np.asarray(x).sum(axis=0))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("standard", [False, True])
def test_the_power_of_two_is_at_most_x_and_above_half_of_it(dtype, standard):
    limits = np.finfo(dtype)
    x = np.array([limits.smallest_subnormal, limits.smallest_normal, 0.3, 1.0, 1.5, limits.max], dtype)
    if standard:
        x = array_api_strict.asarray(x)
    powers = np.asarray(power_of_two(x))
    mantissas, _ = np.frexp(powers)
    assert np.all(mantissas == 0.5)
    assert np.all((powers <= np.asarray(x)) & (np.asarray(x) / powers < 2))


def exact(function, x):
    with mpmath.workdps(50):
        return [float(function(mpmath.mpf(float(number)))) for number in x]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sigmoid_and_softplus_have_all_digits_on_both_sides(dtype):
    x = np.array([-80.0, -20.0, -1.5, -1e-3, 0.0, 1e-3, 1.5, 20.0, 80.0], dtype)
    rtol = 4 * np.finfo(dtype).eps
    for function, limit in (
        (elementary.sigmoid, lambda x: 1 / (1 + mpmath.exp(-x))),
        (elementary.softplus, lambda x: mpmath.log1p(mpmath.exp(x))),
    ):
        found = function(x)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, exact(limit, x), rtol=rtol)


@pytest.mark.parametrize("origin", [0.0, 1000.0])
def test_a_softmax_and_its_log_sum_exp(origin):
    logits = np.array([[1000.0, 1001.0, -np.inf], [999.0, 998.5, 1000.0]])
    alone, e = logits[0].copy(), np.exp(logits - 1000)
    probabilities, above = elementary.softmax_in_place(logits, *([np.full(2, origin)] if origin else []))
    np.testing.assert_allclose(probabilities, e / e.sum(axis=1, keepdims=True), rtol=1e-15)
    np.testing.assert_allclose(above, np.log(e.sum(axis=1)) + (1000 - origin), rtol=1e-15)
    assert probabilities is logits
    np.testing.assert_array_equal(elementary.softmax_in_place(alone)[0], probabilities[0])


def test_masks():
    x = np.zeros((2, 2))
    np.testing.assert_array_equal(elementary.identity_mask(x, 2), [[True, False], [False, True]])
    np.testing.assert_array_equal(elementary.one_hot(np.array([2, 0]), 3), [[0, 0, 1], [1, 0, 0]])
    np.testing.assert_array_equal(
        elementary.mask_logits(x, np.eye(2, dtype=bool)), [[-np.inf, 0], [0, -np.inf]]
    )


@pytest.mark.parametrize("library", [np, array_api_strict])
def test_in_place_functions_overwrite_if_the_library_allows(library):
    x = library.asarray([[0.0, 1.0], [2.0, 3.0]])
    product, space = np.asarray(x) @ np.asarray(x), library.zeros((2, 2))
    found = elementary.compute_into(space, library.matmul, x, x)
    np.testing.assert_array_equal(np.asarray(found), product)
    assert (found is space) == (library is np)
    exponential = np.exp(np.asarray(x))
    found = elementary.compute_into(x, library.exp, x)
    np.testing.assert_array_equal(np.asarray(found), exponential)
    assert (found is x) == (library is np)
    masked = elementary.mask_in_place(x, library.asarray([[True, False], [False, False]]))
    np.testing.assert_array_equal(np.asarray(masked), [[-np.inf, *np.asarray(x)[0, 1:]], np.asarray(x)[1]])
    assert (masked is x) == (library is np)


def test_a_long_sum_is_made_of_blocks_on_any_axis(monkeypatch):
    monkeypatch.setattr(elementary, "BLOCK", 4)
    x = np.arange(2.0 * 9 * 3).reshape(2, 9, 3)
    for axis in (1, -2):
        np.testing.assert_array_equal(stable_sum(x, axis=axis), x.sum(axis=1))
    np.testing.assert_array_equal(stable_sum(x), x.sum(axis=2))


def test_a_row_without_a_weight_has_the_softmax_of_an_empty_sum():
    logits = np.array([[3.0, -np.inf], [-np.inf, -np.inf], [-2000.0, -2000.0]])
    probabilities, above = elementary.softmax_in_place(logits)
    assert probabilities.tolist() == [[1, 0], [0, 0], [0.5, 0.5]]
    # log 2 beside 2000: an ulp of 2000
    assert above == pytest.approx([3, -np.inf, -2000 + np.log(2)], rel=2.0**-52, abs=0)


def test_rows_without_logits_have_the_log_sum_exp_of_an_empty_sum():
    logits = np.empty((2, 0))
    probabilities, above = elementary.softmax_in_place(logits)
    assert probabilities is logits
    assert above.tolist() == [-np.inf, -np.inf]
    assert elementary.softmax_in_place(np.empty(0))[1] == -np.inf


def test_the_largest_logit_is_that_of_each_row_and_zero_of_none():
    logits = np.array([[1.0, 3.0], [-7.0, -np.inf], [-np.inf, -np.inf]])
    assert elementary.find_largest(logits).tolist() == [[3], [-7], [0]]


def test_empty_sums_become_one_and_are_marked():
    total, none = elementary.fill_empty(np.array([0.0, 1.0, 2.5]))
    assert total.tolist() == [1, 1, 2.5]
    assert none.tolist() == [True, False, False]


@pytest.mark.parametrize("library", [np, array_api_strict])
def test_minus_abs(library):
    assert np.asarray(elementary.minus_abs(library.asarray([-2.0, 0.0, 3.0]))).tolist() == [-2, 0, -3]


def test_a_product_is_of_both_matrices_in_their_order():
    a, b, space = np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), np.empty((1, 1))
    assert elementary.compute_into(space, np.matmul, a, b) is space
    assert space == 11


def test_masks_are_on_the_device_of_their_array():
    device = array_api_strict.Device("device1")
    x = array_api_strict.asarray([0, 1], device=device)
    assert elementary.identity_mask(x, 2).device == device
    assert elementary.one_hot(array_api_strict.astype(x, array_api_strict.uint64), 2).device == device
    assert elementary.one_hot(x, 2).device == device


def test_the_identity_is_of_booleans():
    assert elementary.identity_mask(np.ones(1), 2).dtype == bool


@pytest.mark.parametrize(
    ("function", "at", "value", "slope"),
    [
        # at 0 the slopes are those on the right
        (elementary.minus_abs, 0.0, 0, -1),
        (elementary.minus_abs, -2.0, -2, 1),
        (elementary.sigmoid, 0.0, 0.5, 0.25),
        (elementary.softplus, 0.0, np.log(2), 0.5),
        (elementary.sigmoid, -np.log(3), 0.25, 0.1875),
        (elementary.softplus, np.log(3), np.log(4), 0.75),
        # log (eˣ + e⁰) and its softmax
        (lambda x: elementary.softmax_in_place(pair(x))[1], 0.0, np.log(2), 0.5),
        (lambda x: elementary.softmax_in_place(pair(x))[1], np.log(3), np.log(4), 0.75),
        (lambda x: elementary.softmax_in_place(pair(x))[0][0], np.log(3), 0.75, 0.1875),
        (lambda x: elementary.softmax_in_place(pair(x))[0][1], np.log(3), 0.25, -0.1875),
    ],
)
def test_a_framework_differentiates_through_branches_and_ties(function, at, value, slope):
    torch = pytest.importorskip("torch", reason="torch is not installed (an extra)")
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    found = function(x)
    (by_x,) = torch.autograd.grad(found, x)
    # a few roundings of numbers near 1
    assert (found.item(), by_x.item()) == pytest.approx((value, slope), rel=1e-14, abs=1e-16)


def pair(x):
    """The logits x and 0."""
    import torch

    return torch.stack((x, torch.zeros_like(x)))
