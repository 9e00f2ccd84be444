"""InfoNCE: the definition in plain loops, edges and bad input."""

import numpy as np
import pytest

from infonce_ref.losses import infonce


def test_all_rows_equal_is_log_of_the_candidates():
    value, _ = infonce.forward(np.ones((6, 2)), temperature=0.5)
    assert value == pytest.approx(np.log(6), rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.ones((7, 3)), r"even number of rows.*got 7"),
        (np.ones(3), r"shape \(N, d\)"),
    ],
)
def test_bad_rows(rows, said):
    with pytest.raises(ValueError, match=said):
        infonce.forward(rows, temperature=0.5)
