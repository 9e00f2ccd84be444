"""Reductions of the anchors' losses, and how the upstream gradient is split over the anchors."""

import array_api_strict
import numpy as np
import pytest

from infonce_ref.checks import NotFinite
from infonce_ref.reduction import check_reduction, count_or_one, reduce_losses, split_upstream

LOSSES = np.array([1.0, 2.0, 6.0, 0.0])
ROWS = np.zeros((4, 3))
# the terms of each anchor's loss: several, one, and none of one that is left out
TERMS = np.array([3.0, 1.0, 4.0, 0.0])


@pytest.mark.parametrize(
    ("reduction", "counted", "result"),
    [
        ("mean", None, 9 / 4),
        ("mean", np.array([1.0, 1.0, 1.0, 0.0]), 9 / 3),
        ("mean", TERMS, 9 / 8),
        ("mean", np.zeros(4), 9),  # of no term: divided by 1
        ("sum", None, 9),
        ("sum", TERMS, 9),
        ("none", None, [1, 2, 6, 0]),
        ("none", TERMS, [1, 2, 6, 0]),
    ],
)
@pytest.mark.parametrize("library", [np, array_api_strict])
def test_losses_are_reduced_to_one_number_or_left(library, reduction, counted, result):
    found = reduce_losses(
        library.asarray(LOSSES), reduction, None if counted is None else library.asarray(counted)
    )
    assert np.asarray(found).tolist() == result
    assert found.ndim == (reduction == "none")


@pytest.mark.parametrize(("counted", "number"), [([0.0, 0.0], 1), ([0.0, 1.0], 1), ([2.0, 3.0], 5)])
def test_the_number_of_terms_is_at_least_one(counted, number):
    assert count_or_one(np.array(counted)) == number


@pytest.mark.parametrize(
    ("reduction", "counted", "each"),
    [
        ("mean", None, [2, 2, 2, 2]),
        ("sum", None, [8, 8, 8, 8]),
        ("mean", TERMS, [1, 1, 1, 0]),  # 8 over 8 terms
        ("mean", np.array([1.0, 1.0, 0.0, 0.0]), [4, 4, 0, 0]),
        ("mean", np.zeros(4), [0, 0, 0, 0]),
        ("sum", TERMS, [8, 8, 8, 0]),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_number_is_split_over_the_anchors_that_count(dtype, reduction, counted, each):
    found = split_upstream(
        8.0, reduction, ROWS.astype(dtype), None if counted is None else counted.astype(dtype)
    )
    assert found.tolist() == each
    assert found.dtype == dtype


def test_the_split_numbers_are_on_the_device_of_the_losses():
    device = array_api_strict.Device("device1")
    like = array_api_strict.asarray(ROWS, device=device)
    assert split_upstream(8.0, "mean", like).device == device


def test_without_a_reduction_each_anchor_has_its_own_upstream():
    given = np.array([1.0, -2.0, 3.0, 4.0])
    assert split_upstream(given, "none", ROWS) is given
    assert split_upstream(given, "none", LOSSES) is given
    assert split_upstream(given, "none", ROWS, TERMS).tolist() == [1, -2, 3, 0]


@pytest.mark.parametrize(
    ("upstream", "came"),
    [
        (1.0, "float"),
        (None, "NoneType"),
        (np.ones(3), r"shape \(3,\)"),
        (np.ones((4, 1)), r"shape \(4, 1\)"),
        (np.ones(()), r"shape \(\)"),
    ],
)
def test_without_a_reduction_an_upstream_of_another_shape_is_refused(upstream, came):
    with pytest.raises(ValueError, match=rf"upstream must have shape \(4,\) .* got {came}: pass"):
        split_upstream(upstream, "none", ROWS)


@pytest.mark.parametrize(
    ("upstream", "reduction", "message"),
    [
        (np.array([1.0, np.nan, 0.0, 0.0]), "none", "upstream must be finite"),
        (np.ones(4, dtype="float32"), "none", "must share one dtype; loss is float64, upstream is float32"),
        (np.inf, "mean", "upstream must be finite; got inf"),
        (np.nan, "sum", "upstream must be finite; got nan"),
        ("1", "mean", "upstream must be a number"),
    ],
)
def test_an_upstream_that_is_not_finite_or_of_another_type_is_refused(upstream, reduction, message):
    with pytest.raises(ValueError, match=message) as raised:
        split_upstream(upstream, reduction, ROWS)
    assert isinstance(raised.value, NotFinite) == ("finite" in message)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_the_three_reductions_are_known(reduction):
    check_reduction(reduction)


def test_another_reduction_is_refused():
    with pytest.raises(ValueError, match="reduction must be one of 'mean', 'sum', 'none'; got 'average'"):
        check_reduction("average")
