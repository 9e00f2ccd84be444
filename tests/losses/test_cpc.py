import math

import numpy as np
import pytest

from infonce_ref.losses import cpc

LOSS = cpc.LOSS
SCORES = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def test_over_posterior_odds_it_estimates_the_entropy_of_the_position():
    """For f = p(x|c)/p(x) the softmax is Bayes' posterior of where x was drawn from p(·|c) [D3.29]."""
    p, p_c = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.3, 0.1])
    drawn = np.array([2, 0, 0, 1])  # the candidates, by symbol
    joint = [p_c[drawn[i]] * np.prod(np.delete(p[drawn], i)) for i in range(4)]
    scores = np.log(p_c / p)[drawn]
    value, _ = cpc.forward(scores[None], positive=np.array([1]))
    assert value == pytest.approx(-math.log(joint[1] / sum(joint)), rel=EXACT, abs=0)


class TestEdges:
    def test_two_candidates_are_the_logistic_loss_of_a_difference(self):
        scores = np.array([[0.3, 1.1]])
        value, _ = cpc.forward(scores, positive=np.array([0]))
        assert value == pytest.approx(math.log1p(math.exp(0.8)), rel=EXACT, abs=0)

    def test_equal_scores_give_log_K(self):
        value, cache = cpc.forward(np.full((2, 5), 7.0), positive=np.array([0, 4]))
        assert value == pytest.approx(math.log(5), rel=EXACT, abs=0)
        assert cpc.backward(cache).scores[0, 1:] == pytest.approx(np.full(4, 0.1), rel=EXACT, abs=0)

    def test_a_hopeless_row_costs_its_margin(self):
        value, cache = cpc.forward(np.array([[-1000.0, 0.0]]), positive=np.array([0]))
        assert value == 1000.0
        np.testing.assert_array_equal(cpc.backward(cache).scores, [[-1.0, 1.0]])

    def test_the_loss_keeps_its_digits_as_it_goes_to_zero(self):
        value, cache = cpc.forward(np.array([[300.0, 0.0]]), positive=np.array([0]))
        assert value == pytest.approx(math.exp(-300), rel=EXACT, abs=0)
        np.testing.assert_allclose(cpc.backward(cache).scores, [[-value, value]], rtol=EXACT)

    def test_int32_is_an_index(self):
        narrow = SCORES | {"positive": SCORES["positive"].astype(np.int32)}
        assert cpc.forward(**narrow)[0] == cpc.forward(**SCORES)[0]


REFUSED = (
    SCORES,
    [
        ({"positive": np.array([0, 1, 5])}, r"positive must lie in 0 … 4; got 0 … 5"),
        ({"positive": np.array([0, 1, -1])}, r"positive must lie in 0 … 4; got -1 … 1"),
        ({"positive": np.array([0, 1])}, "must agree in n"),
        ({"positive": np.zeros((3, 1), dtype=int)}, "positive must have shape"),
        ({"positive": np.zeros(3)}, "positive must be int32 or int64"),
        ({"positive": [0, 1, 2]}, "positive must be an array"),
    ],
)


@pytest.mark.parametrize(("dtype", "offset"), [("float32", 1e4), ("float64", 1e8), ("float64", 1e15)])
def test_a_number_added_to_a_row_changes_nothing_however_large(dtype, offset):
    """The scores are multiples of 1/2, so that adding the offset is exact."""
    scores = np.asarray([[0.5, -1.0, 2.0, 0.0], [3.0, 0.0, -0.5, 1.0]], dtype=dtype)
    positive = np.array([1, 0])
    here, _ = cpc.forward(scores, positive=positive)
    there, _ = cpc.forward(scores + np.asarray(offset, dtype=dtype), positive=positive)
    assert there == here
