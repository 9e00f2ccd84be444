"""Interleaved views, and the block boundaries if they are Dask's."""

import numpy as np
import pytest

from infonce_ref.streaming import two_views

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
