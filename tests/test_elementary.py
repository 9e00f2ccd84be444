"""Sums are accurate for any memory layout; `verify` has the digits of the other elementary functions."""

import array_api_strict
import numpy as np
import pytest

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
