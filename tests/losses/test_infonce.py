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
        ({"z": np.ones(3)}, r"shape \(N, d\)"),
    ],
)


# --- the streaming form ------------------------------------------------------------------------------------

ROWS = np.eye(4)


def test_each_row_of_a_pair_is_compared_with_itself_by_its_own_length():
    """The scores of row 0 are 4 with itself and 2 with its partner; those of row 1 are 1 and 2."""
    losses, _ = tiled.forward(np.array([[2.0], [1.0]]), temperature=1.0, reduction="none")
    expected = [math.log1p(math.exp(2)), math.log1p(math.exp(-1))]
    # a few roundings of numbers of order 1
    assert losses == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"z": ROWS[:3]}, "z must have an even number of rows, two views of each; got 3"),
        ({"temperature": 0.0}, "temperature must be positive"),
        ({"reduction": "average"}, "reduction must be one of"),
    ],
)
def test_the_streaming_form_refuses_what_does_not_fit(change, words):
    with pytest.raises(ValueError, match=words):
        tiled.forward(**{"z": ROWS, "temperature": 0.5} | change)


def test_the_upstream_of_the_streaming_form_is_1_if_none_is_given():
    _, cache = tiled.forward(ROWS, temperature=0.5)
    assert np.array_equal(tiled.backward(cache).z, tiled.backward(cache, 1.0).z)
    assert np.any(tiled.backward(cache).z)


def test_a_gradient_of_the_streaming_form_that_overflows_is_refused():
    _, cache = tiled.forward(ROWS, temperature=1e-3)
    with pytest.raises(ValueError, match="the gradient of infonce by z overflows float64"):
        tiled.backward(cache, 1e308)


def test_a_callers_error_settings_do_not_reach_the_backward_pass():
    """P of the others is e⁻⁴⁰⁰, and its product with a small upstream vanishes."""
    _, cache = tiled.forward(20 * np.concatenate([ROWS, ROWS]), temperature=1.0)
    with np.errstate(all="raise"):
        assert np.all(np.isfinite(tiled.backward(cache, 1e-300).z))
