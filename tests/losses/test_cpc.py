import numpy as np
import pytest

from infonce_ref.losses import cpc

LOSS = cpc.LOSS
SCORES = LOSS.example()


class TestEdges:
    def test_int32_is_an_index(self):
        narrow = SCORES | {"positive": SCORES["positive"].astype(np.int32)}
        assert cpc.forward(**narrow)[0] == cpc.forward(**SCORES)[0]

    def test_a_candidate_left_out_has_no_gradient_and_a_positive_stays(self):
        keep = np.array([[False, True, True, False, True]] * 3)
        _, cache = cpc.forward(**SCORES, keep=keep)
        gradient = cpc.backward(cache).scores
        stays = keep | (np.arange(5) == SCORES["positive"][:, None])
        np.testing.assert_array_equal(gradient != 0, stays)


REFUSED = (
    SCORES,
    [
        ({"keep": np.zeros((3, 5), bool)}, "keep must leave each row a candidate besides its positive"),
        ({"positive": np.array([0, 1, 5])}, r"positive must lie in 0 … 4; got 0 … 5"),
        ({"positive": np.zeros(3)}, "positive must be int32 or int64"),
        ({"positive": [0, 1, 2]}, "positive must be an array"),
    ],
)


@pytest.mark.parametrize(("dtype", "offset"), [("float32", 1e4), ("float64", 1e8), ("float64", 1e15)])
def test_adding_any_number_to_a_row_changes_nothing(dtype, offset):
    """The scores are multiples of 1/2, so that adding the offset is exact."""
    scores = np.asarray([[0.5, -1.0, 2.0, 0.0], [3.0, 0.0, -0.5, 1.0]], dtype=dtype)
    positive = np.array([1, 0])
    here, _ = cpc.forward(scores, positive=positive)
    there, _ = cpc.forward(scores + np.asarray(offset, dtype=dtype), positive=positive)
    assert there == here
