"""InfoNCE: edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref.streaming import infonce as tiled

REFUSED = (
    {"temperature": 0.5},
    [
        (
            {"z": np.ones((6, 3)), "keep": np.eye(6, dtype=bool)},
            "keep must leave each row a candidate besides",
        ),
        ({"z": np.ones((7, 3))}, r"even number of rows.*got 7"),
    ],
)


# --- the streaming form ------------------------------------------------------------------------------------


def test_each_row_of_a_pair_is_compared_with_itself_by_its_own_length():
    """The scores of row 0 are 4 with itself and 2 with its partner; those of row 1 are 1 and 2."""
    losses, _ = tiled.forward(np.array([[2.0], [1.0]]), temperature=1.0, reduction="none")
    expected = [math.log1p(math.exp(2)), math.log1p(math.exp(-1))]
    # a few roundings of numbers of order 1
    assert losses == pytest.approx(expected, rel=1e-14, abs=0)
