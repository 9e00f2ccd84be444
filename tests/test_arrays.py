"""The checks of what comes in, by themselves: what no loss's own tests reach."""

import array_api_strict
import numpy as np
import pytest

from infonce_ref.arrays import check, positive_scalar


def test_arrays_of_two_libraries_are_refused():
    with pytest.raises(ValueError, match="all arrays must come from one library; theirs and ours do not"):
        check(ours=(np.ones(2), "n"), theirs=(array_api_strict.ones(2), "n"))


@pytest.mark.parametrize("number", ["0.5", np.array([0.5]), [0.5], None])
def test_only_a_number_is_a_number(number):
    with pytest.raises(ValueError, match="temperature must be a number that a float can hold"):
        positive_scalar("temperature", number)
