"""Partners, and the lead of an anchor's own logit, with full accuracy."""

from fractions import Fraction

import numpy as np
import pytest

from infonce_ref.pairs import check_some_negative, count_pairs, lead, partner


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
