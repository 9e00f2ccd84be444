"""InfoNCE: edges and bad input."""

import numpy as np
import pytest

from infonce_ref.losses import infonce


def test_all_rows_equal_is_log_of_the_candidates():
    value, _ = infonce.forward(np.ones((6, 2)), temperature=0.5)
    assert value == pytest.approx(np.log(6), rel=1e-15, abs=0)


REFUSED = (
    {"temperature": 0.5},
    [
        ({"z": np.ones((7, 3))}, r"even number of rows.*got 7"),
        ({"z": np.ones(3)}, r"shape \(N, d\)"),
    ],
)
