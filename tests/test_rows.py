"""Functions of rows, computed a few rows at a time."""

import array_api_strict
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


W = np.array([[3.0, 4.0], [0.0, 2.0], [-1.0, 0.0]])
Z = np.array([[0.6, 0.8], [0.0, 1.0], [-1.0, 0.0]])


def test_rows_are_projected_and_divided_by_the_root_of_the_temperature():
    x, length, scale = rows.project_rows(W, 0.25)
    # each entry is rounded twice
    np.testing.assert_allclose(x, 2 * Z, rtol=4e-16, atol=0)
    assert (length * scale).tolist() == [[5], [2], [1]]
    assert scale.tolist() == [[4], [2], [1]]


def test_the_gradient_by_rows_is_orthogonal_to_them_and_divided_by_their_length():
    """(I − z zᵀ) dz/‖w‖: ⟨z, dz⟩ is 2.2, 4 and −5; a row along an axis has a part of exactly 0."""
    dz = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    found = rows.differentiate_by_w(dz, *rows.project_rows(W, 0.3), "mine")
    np.testing.assert_allclose(
        found, [[-0.064, 0.048], [1.5, 0], [0, 6]], rtol=1e-14, atol=0
    )  # 2 − 1.76 cancels
    assert found[1, 1] == found[2, 0] == 0


def test_a_gradient_that_overflows_names_the_loss():
    x, length, scale = rows.project_rows(np.array([[1e-310, 0.0]]), 1.0)
    with (
        np.errstate(over="ignore"),
        pytest.raises(ValueError, match="the gradient of mine by w overflows float64"),
    ):
        rows.differentiate_by_w(np.ones((1, 2)), x, length, scale, "mine")


def test_rows_of_dask_are_mapped_in_their_own_blocks():
    da = pytest.importorskip("dask.array")
    x = da.from_array(np.arange(10.0).reshape(5, 2), chunks=((2, 3), (2,)))
    (double,) = rows.map_rows(lambda x: (2 * x,), x)
    assert double.chunks == x.chunks
    np.testing.assert_array_equal(double.compute(), 2 * np.arange(10.0).reshape(5, 2))


def test_another_library_maps_all_rows_at_once(monkeypatch):
    monkeypatch.setattr(rows, "BLOCK", 2)
    x, seen = array_api_strict.ones((5, 1)), []
    rows.map_rows(lambda x: seen.append(x.shape[0]) or (x,), x)
    assert seen == [5]


def test_a_block_holds_whole_pairs_of_adjacent_partners():
    assert rows.BLOCK % 2 == 0


def test_few_rows_are_not_copied():
    w = np.ones((3, 2))
    assert rows.map_rows(lambda x: (x,), w)[0] is w
