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
