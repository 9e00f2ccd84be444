"""Rows sorted by class."""

import array_api_strict
import numpy as np
import pytest

from infonce_ref.streaming.classes import Classes, Part


def test_rows_of_a_class_keep_their_order():
    labels = np.random.default_rng(0).integers(0, 3, 500)
    classes = Classes.from_labels(labels)
    expected = np.concatenate([np.flatnonzero(labels == label) for label in range(3)])
    np.testing.assert_array_equal(classes.order, expected)
    np.testing.assert_array_equal(classes.restore_order(classes.sort_rows(labels)), labels)


def test_label_place_and_size_describe_the_class():
    classes = Classes.from_labels(np.array([7, 2, 7, 5, 2, 7]))
    assert classes.label.tolist() == [2, 2, 5, 7, 7, 7]
    assert classes.place.tolist() == [0, 1, 0, 0, 1, 2]
    assert classes.size.tolist() == [2, 2, 1, 3, 3, 3]


def test_reordered_rows_keep_the_blocks():
    da = pytest.importorskip("dask.array")
    x = da.from_array(np.arange(24.0).reshape(6, 4), chunks=((1, 3, 2), (3, 1)))
    moved = Classes.from_labels(np.array([1, 0, 1, 0, 1, 0])).sort_rows(x)
    assert moved.chunks == x.chunks
    np.testing.assert_array_equal(moved.compute(), x.compute()[[1, 3, 5, 0, 2, 4]])


def test_the_classes_of_dasks_labels_are_numpys():
    da = pytest.importorskip("dask.array")
    classes = Classes.from_labels(da.from_array(np.array([1, 0, 1]), chunks=2))
    assert type(classes.order) is np.ndarray
    assert classes.order.tolist() == [1, 0, 2]


def test_a_row_has_one_positive_fewer_than_its_class_has_rows():
    count, counted = Classes.from_labels(np.array([7, 2, 7, 5, 2, 7])).count_positives(np.ones(1, "float32"))
    assert count.tolist() == [1, 1, 1, 2, 2, 2]
    assert counted.tolist() == [1, 1, 0, 1, 1, 1]
    assert count.dtype == counted.dtype == np.float32


@pytest.mark.parametrize("sizes", [[1], [5], [1, 1], range(1, 10), range(9, 0, -1)])
def test_the_sum_over_a_class_is_the_sum_of_its_rows(sizes):
    label = np.repeat(np.arange(len(sizes)), sizes)
    x = np.random.default_rng(0).integers(-99, 99, (len(label), 3)).astype("float32")
    expected = np.stack([x[label == each].sum(axis=0) for each in label])
    found = Classes.from_labels(label).sum_classes(x)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.float32


def test_the_sum_over_a_class_is_as_accurate_as_the_sum_over_pairs():
    rows = np.random.default_rng(0).uniform(1, 2, (2**15, 1)).astype("float32")
    found = Classes.from_labels(np.zeros(len(rows), int)).sum_classes(rows)[0, 0]
    # half an eps at each of 15 levels; a sequential sum has an error of 1e-4
    assert found == pytest.approx(rows.sum(dtype="float64"), rel=7.5 * 2.0**-23, abs=0)


def test_centred_rows_are_differences_to_the_mean_of_their_class():
    label = np.array([0, 0, 0, 1, 1, 2])
    x = np.random.default_rng(0).standard_normal((6, 3))
    expected = np.concatenate([x[label == each] - x[label == each].mean(axis=0) for each in range(3)])
    np.testing.assert_allclose(Classes.from_labels(label).center(x), expected, rtol=0, atol=1e-15)


def test_centred_rows_keep_the_digits_of_nearly_equal_rows():
    rng = np.random.default_rng(0)
    differences = rng.integers(-9, 9, (5, 3)) * 2.0**-50
    differences -= differences[:1]
    expected = differences - differences.mean(axis=0)
    # the computed mean of these rows is off by 2⁻⁵⁴
    found = Classes.from_labels(np.zeros(5, int)).center(1 + differences)
    np.testing.assert_allclose(
        found, expected, rtol=0, atol=4 * np.finfo(float).eps * np.max(np.abs(differences))
    )


def test_centred_rows_are_exactly_0_if_all_rows_of_a_class_are_the_same():
    x = np.random.default_rng(0).standard_normal((2, 3)).astype("float32")[[0, 0, 0, 1, 1]]
    found = Classes.from_labels(np.array([4, 4, 4, 7, 7])).center(x)
    assert np.all(found == 0)
    assert found.dtype == np.float32


ROWS, COLUMNS = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 2, 2])


@pytest.mark.parametrize("within", [True, False])
def test_a_part_says_whether_a_block_counts_in_whole_or_part(within):
    part = Part(ROWS, COLUMNS, within)
    counts = (ROWS[:, None] == COLUMNS[None, :]) == within
    for a, b in (
        (slice(i, i + n), slice(j, j + m))
        for i in range(5)
        for j in range(6)
        for n in (1, 2, 5)
        for m in (1, 2, 6)
    ):
        block = counts[a, b]
        assert part.contains(a, b) is (True if block.all() else None if block.any() else False)
        np.testing.assert_array_equal(part.mask_rest(a, b), ~block)


def test_rows_of_every_class_keep_their_digits_when_centred():
    """Subtracting a row of another class first would cost the last ones: of 2⁻⁵⁰ beside 1."""
    rng = np.random.default_rng(0)
    label = np.array([0, 0, 0, 3, 3, 3, 3, 3, 8, 8, 8])
    differences = rng.integers(-9, 9, (11, 2)) * 2.0**-50
    expected = np.empty((11, 2))
    for each in (0, 3, 8):
        differences[label == each] -= differences[label == each][:1]
        expected[label == each] = differences[label == each] - differences[label == each].mean(axis=0)
    found = Classes.from_labels(label).center(differences + np.array([[1.0, 2.0]]) * (label[:, None] != 3))
    # a few roundings of differences
    np.testing.assert_allclose(found, expected, rtol=0, atol=4 * 2.0**-52 * np.max(np.abs(differences)))


def test_classes_of_another_device_stay_there():
    device = array_api_strict.Device("device1")
    classes = Classes.from_labels(array_api_strict.asarray([2, 1, 2], device=device))
    x = array_api_strict.asarray([[1.0], [2.0], [5.0]], device=device)
    assert {part.device for part in (*classes, *classes.count_positives(x), classes.center(x))} == {device}


def test_counts_are_on_the_device_of_the_rows():
    device = array_api_strict.Device("device1")
    like = array_api_strict.ones(3, device=device)
    assert [x.device for x in Classes.from_labels(np.array([2, 1, 2])).count_positives(like)] == [device] * 2
