"""Functions of rows, computed a few rows at a time."""

import numpy as np
import pytest

from infonce_ref.streaming import rows


@pytest.mark.parametrize(("n", "parts"), [(3, [3]), (4, [4]), (5, [4, 1]), (12, [4, 4, 4])])
def test_rows_are_mapped_in_blocks(n, parts, monkeypatch):
    monkeypatch.setattr(rows, "BLOCK", 4)
    x, y = np.arange(2.0 * n).reshape(n, 2), np.arange(float(n))
    seen = []

    def function(x, y):
        seen.append(len(x))
        return x * y[:, None], x.sum(axis=1).astype("float32")

    product, total = rows.map_rows(function, x, y)
    assert seen == parts
    np.testing.assert_array_equal(product, x * y[:, None])
    np.testing.assert_array_equal(total, x.sum(axis=1))
    assert (product.dtype, total.dtype) == (np.float64, np.float32)


@pytest.mark.parametrize(("upstream", "size"), [([-12.0, 3.0], 8), ([0.3, -0.1], 0.25), ([0.0, 0.0], 1)])
def test_the_scale_is_a_power_of_two_near_the_largest_upstream(upstream, size):
    assert rows.find_scale(np.array(upstream)) == size
