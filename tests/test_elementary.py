"""The elementary functions have full accuracy with every library."""

import array_api_strict
import mpmath
import numpy as np
import pytest

from infonce_ref import elementary
from infonce_ref.elementary import stable_sum


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
