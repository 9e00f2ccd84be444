"""Interleaved views, and the block boundaries if they are Dask's."""

import array_api_strict
import numpy as np
import pytest

from infonce_ref.streaming import two_views
from infonce_ref.streaming.sums import compute_losses

LAYOUTS = pytest.mark.parametrize("layout", ["concatenated", "interleaved"])


@LAYOUTS
def test_interleaving_makes_partners_adjacent_and_is_undone(layout):
    rows = np.arange(12.0).reshape(6, 2)
    together = two_views.interleave(rows, layout)
    first, second = two_views.split_views(rows, layout)
    np.testing.assert_array_equal(together[0::2], first)
    np.testing.assert_array_equal(together[1::2], second)
    np.testing.assert_array_equal(two_views.restore_order(together, layout), rows)


@LAYOUTS
def test_interleaved_blocks_have_an_even_number_of_rows(layout):
    da = pytest.importorskip("dask.array")
    rows = da.from_array(np.arange(20.0).reshape(10, 2), chunks=((3, 2, 1, 4), (1, 1)))
    together = two_views.interleave(rows, layout)
    assert together.chunks[0] == (4, 2, 4)
    np.testing.assert_array_equal(together, two_views.interleave(rows.compute(), layout))


def test_restored_rows_have_their_old_blocks():
    da = pytest.importorskip("dask.array")
    together = da.from_array(np.arange(10.0), chunks=((4, 2, 4),))
    back = two_views.restore_order(together, "concatenated")
    assert back.chunks == together.chunks
    np.testing.assert_array_equal(back, [0, 2, 4, 6, 8, 1, 3, 5, 7, 9])


ROWS = np.random.default_rng(0).standard_normal((6, 3))
TAU = 0.6
PARTNER = np.array([1, 0, 3, 2, 5, 4])


def dense(x):
    """The scores, the positives' logits, the softmax r over the negatives, and q = 1 − P of the positive."""
    s = x @ x.T
    e = np.exp(s)
    e[np.arange(6), np.arange(6)] = e[np.arange(6), PARTNER] = 0
    positive = s[np.arange(6), PARTNER]
    others = e.sum(axis=1)
    return s, positive, e / others[:, None], others / (others + np.exp(positive))


@pytest.mark.parametrize("tile", [2, 4, None])
def test_the_sums_are_over_all_rows_but_a_row_and_its_partner(tile):
    x = ROWS / np.sqrt(TAU)
    scores, positive, sums = two_views.forward(x, tile, None)
    s, expected, *_ = dense(x)
    s[np.arange(6), np.arange(6)] = s[np.arange(6), PARTNER] = -np.inf
    # a few roundings of numbers up to 10
    np.testing.assert_allclose(positive, expected, rtol=0, atol=1e-14)
    np.testing.assert_allclose(sums.above(np.zeros(6)), np.logaddexp.reduce(s, axis=1), rtol=0, atol=1e-14)
    assert scores.rows is scores.columns


@pytest.mark.parametrize("size", [1.0, 1e300, 1e-300])
@pytest.mark.parametrize("tile", [2, None])
def test_the_gradient_is_that_of_all_scores_at_once(tile, size):
    """By z of Σ a_i q_i (Σ_j r_ij s_ij − s_ip), with s = z zᵀ/τ: (G + Gᵀ) z/τ; by τ: −Σ G_ij s_ij/τ."""
    x = ROWS / np.sqrt(TAU)
    scores, positive, sums = two_views.forward(x, tile, None)
    _, softmax = compute_losses(positive, sums)
    upstream = np.array([0.5, -1.0, 2.0, 0.25, 3.0, 1.0])
    dz, dtau = two_views.backward(two_views.Cache(scores, softmax, TAU), upstream * size)
    s, _, r, q = dense(x)
    g = (upstream * q)[:, None] * (r - np.eye(6)[PARTNER])
    # a few roundings of sums of terms near 10
    np.testing.assert_allclose(dz / size, (g + g.T) @ ROWS / TAU, rtol=0, atol=1e-13)
    np.testing.assert_allclose(dtau / size, -np.sum(g * s) / TAU, rtol=0, atol=1e-13)


def test_a_function_of_rows_gets_their_partners_too():
    x, y = np.arange(8.0).reshape(4, 2), np.arange(4.0)
    found = two_views.map_with_partners(
        lambda x, y, of_x, of_y: (10 * x + of_x, y[:, None] - of_y[:, None]), x, y
    )
    assert found[0].tolist() == [[4, 15], [26, 37], [40, 51], [62, 73]]
    assert found[1].tolist() == [[-2], [-2], [2], [2]]


def test_views_are_split_by_the_layout():
    x = np.arange(6)
    assert [part.tolist() for part in two_views.split_views(x, "concatenated")] == [[0, 1, 2], [3, 4, 5]]
    assert [part.tolist() for part in two_views.split_views(x, "interleaved")] == [[0, 2, 4], [1, 3, 5]]
    assert all(np.shares_memory(part, x) for part in two_views.split_views(x, "interleaved"))


@LAYOUTS
def test_interleaved_rows_are_a_copy(layout):
    x = np.arange(8.0).reshape(4, 2)
    assert not np.shares_memory(two_views.interleave(x, layout), x)


def test_rows_that_are_adjacent_already_are_not_restored():
    x = np.arange(4)
    assert two_views.restore_order(x, "interleaved") is x


def test_the_mask_is_of_each_row_and_its_partner():
    expected = np.eye(5, dtype=bool)
    expected[[0, 1, 2, 3], [1, 0, 3, 2]] = True
    np.testing.assert_array_equal(two_views.mask_pairs(np.ones((9, 2)), 5), expected)


def test_the_mask_is_on_the_device_of_the_rows():
    device = array_api_strict.Device("device1")
    assert two_views.mask_pairs(array_api_strict.ones((2, 2), device=device), 4).device == device
