"""Partners, and the lead of an anchor's own logit, with full accuracy."""

from fractions import Fraction

import numpy as np
import pytest

from infonce_ref.pairs import (
    add_anchor_pulls,
    check_labels_repeat,
    check_some_negative,
    count_pairs,
    lead,
    partner,
)


def test_an_odd_number_of_rows_is_refused():
    with pytest.raises(ValueError, match=r"w must have an even number of rows, .*; got 5"):
        count_pairs("w", 5)


def test_a_single_pair_is_refused_where_a_negative_is_needed():
    with pytest.raises(ValueError, match=r"w must hold at least two pairs: .* empty sum is −∞; got one"):
        check_some_negative("w", count_pairs("w", 2))


@pytest.mark.parametrize("layout", ["concatenated", "interleaved"])
def test_a_partner_s_partner_is_itself(layout):
    x = np.arange(12.0).reshape(6, 2)
    assert not np.any(partner(x, layout) == x)
    np.testing.assert_array_equal(partner(partner(x, layout), layout), x)


@pytest.mark.parametrize("other", [(0.1, 3.3), (1 + 2.0**-30, 3 - 2.0**-40), (-7.7, 0.3)])
def test_a_lead_keeps_its_digits_if_differences_cancel(other):
    z = (1.0, 3.0)
    exact = sum(Fraction(x) * (Fraction(x) - Fraction(y)) for x, y in zip(z, other, strict=True))
    found = lead(np.array([z]), np.array([other]))
    # eps: the last addition is rounded
    assert abs(Fraction(float(found[0])) - exact) <= 2.0**-52 * abs(exact)


def test_rows_are_two_views_of_half_as_many_items():
    assert count_pairs("w", 10) == 5


def test_two_pairs_have_a_negative():
    check_some_negative("w", 2)


def test_the_consequence_of_a_single_pair_is_said():
    with pytest.raises(
        ValueError, match="has no negative, and the weights are undefined; got one: add pairs"
    ):
        check_some_negative("w", 1, "the weights are undefined")


@pytest.mark.parametrize(
    ("layout", "rows"), [("concatenated", [3, 4, 5, 0, 1, 2]), ("interleaved", [1, 0, 3, 2, 5, 4])]
)
def test_a_partner_is_half_of_the_rows_away_or_the_neighbour(layout, rows):
    x = np.arange(12.0).reshape(6, 2)
    assert partner(x, layout).tolist() == x[rows].tolist()


def test_views_are_concatenated_by_default():
    assert partner(np.arange(4)).tolist() == [2, 3, 0, 1]


def test_labels_that_repeat_are_accepted():
    check_labels_repeat(np.array([False, True, True]))


def test_labels_that_never_repeat_are_refused():
    with pytest.raises(ValueError, match="labels must repeat, or no anchor has a positive; got each once"):
        check_labels_repeat(np.array([False, False]))


def test_labels_that_never_repeat_are_accepted_for_a_loss_of_zero():
    check_labels_repeat(np.array([False, False]), "zero")


def test_another_treatment_of_no_positives_is_refused():
    with pytest.raises(ValueError, match="no_positives must be one of 'error', 'zero'; got 'ignore'"):
        check_labels_repeat(np.array([True, True]), "ignore")


def test_the_pulls_of_an_anchor_and_its_positive_are_those_of_the_formula():
    """2 a z − (a + a_p) z_p with a = 3 and a_p = 5, and of two coinciding rows (a − a_p) z."""
    z, positive = np.array([[7.0, 2.0], [4.0, 4.0]]), np.array([[1.0, 10.0], [4.0, 4.0]])
    a, of_positive = np.full((2, 1), 3.0), np.full((2, 1), 5.0)
    found = add_anchor_pulls(z, positive, a, 2 * a, 2 * of_positive)
    assert found.tolist() == [[42 - 8, 12 - 80], [-8, -8]]


def test_the_pulls_of_rows_that_coincide_cancel_to_rounding():
    """2 a and 2 a_p, which are given, have all digits of their difference; a is only rounded."""
    z, a = np.array([[0.1, 0.7]]), np.array([[1 / 3]])
    found = add_anchor_pulls(z, z, a, np.array([[2 / 3 + 2.0**-52]]), np.array([[2 / 3]]))
    # 2/3 is between 1/2 and 1, where floats are multiples of 2⁻⁵³
    assert found.tolist() == [[2.0**-53 * 0.1, 2.0**-53 * 0.7]]
