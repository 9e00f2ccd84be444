"""RankNet's loss: ties, the smallest row, bad input."""

import numpy as np
import pytest

from infonce_ref.losses import ranknet


def test_equal_scores_are_log_two_for_each_negative():
    value, _ = ranknet.forward(np.ones((2, 4)), positive=np.array([0, 3]))
    assert value == pytest.approx(3 * np.log(2), rel=1e-15, abs=0)


def test_a_lead_of_a_hundred_is_not_rounded_to_zero():
    # exact: log(1 + e⁻¹⁰⁰)
    value, cache = ranknet.forward(np.array([[100.0, 0.0]]), positive=np.array([0]))
    assert value == pytest.approx(np.exp(-100.0), rel=1e-15, abs=0)
    np.testing.assert_allclose(
        ranknet.backward(cache).scores, [[-np.exp(-100.0), np.exp(-100.0)]], rtol=1e-14
    )


REFUSED = (  # an example, and changes of it with the expected message, for test_contract.py
    {"positive": np.array([0, 0])},
    [({"scores": np.ones((2, 1))}, "at least two columns")],
)
