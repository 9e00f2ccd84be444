"""Classes of rows, side by side."""

import numpy as np
import pytest

from infonce_ref.streaming.classes import Classes


def test_rows_of_a_class_stay_in_the_order_in_which_they_came():
    labels = np.random.default_rng(0).integers(0, 3, 500)
    classes = Classes.of(labels)
    expected = np.concatenate([np.flatnonzero(labels == label) for label in range(3)])
    np.testing.assert_array_equal(classes.order, expected)
    np.testing.assert_array_equal(classes.as_they_came(classes.side_by_side(labels)), labels)


def test_what_is_known_of_a_row_is_its_class():
    classes = Classes.of(np.array([7, 2, 7, 5, 2, 7]))
    assert classes.label.tolist() == [2, 2, 5, 7, 7, 7]
    assert classes.place.tolist() == [0, 1, 0, 0, 1, 2]
    assert classes.size.tolist() == [2, 2, 1, 3, 3, 3]


def test_moved_rows_lie_in_blocks_as_before():
    da = pytest.importorskip("dask.array")
    x = da.from_array(np.arange(24.0).reshape(6, 4), chunks=((1, 3, 2), (3, 1)))
    moved = Classes.of(np.array([1, 0, 1, 0, 1, 0])).side_by_side(x)
    assert moved.chunks == x.chunks
    np.testing.assert_array_equal(moved.compute(), x.compute()[[1, 3, 5, 0, 2, 4]])
