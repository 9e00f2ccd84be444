"""The estimators of mutual information: definitions in plain loops, bounds, edges and bad input."""

import math

import numpy as np
import pytest

from infonce_ref import information
from infonce_ref.information import ESTIMATORS, donsker_varadhan, mine, nwj, smile

OF_BATCHES = [name for name in ESTIMATORS if name != "donsker_varadhan"]
EXACT = 1e-14  # a few dozen roundings of numbers of order 1

JOINT = np.array([[0.30, 0.05, 0.15], [0.10, 0.40, 0.00]])  # unequal marginals, and a cell of probability 0
APART = np.outer(JOINT.sum(axis=1), JOINT.sum(axis=0))
INFORMATION = float(information.mutual_information(JOINT))
RATIO = np.log(np.where(JOINT > 0, JOINT, 1e-30) / APART)  # the best score, with −69 in place of log 0


def value(name, scores, **options):
    return float(ESTIMATORS[name].forward(scores, **options)[0])


class TestDefinitions:
    U = np.random.default_rng(0).normal(size=(4, 4))

    def test_donsker_varadhan_normalises_its_law(self):
        # sixteenths, so that scaling by a power of 2 is exact
        joint = np.array([[6.0, 2.0, 0.0], [1.0, 3.0, 4.0]]) / 16
        expected, got = (
            value("donsker_varadhan", self.U[:2, :3], joint=factor * joint) for factor in (1, 1 + 2.0**-27)
        )
        assert got == pytest.approx(expected, rel=10 * EXACT, abs=0)


class TestEdges:
    @pytest.mark.parametrize("name", ["mine", "infonce"])
    def test_keeps_the_digits_of_nearly_equal_scores(self, name):
        """log Σ − log N(N − 1) would have rounding errors of order eps, as large as the value here."""
        tilt = 2.0**-40
        scores = tilt * np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        # to first order in the tilt: 1 minus the mean over the other scores, 0, or over all scores, 1/3
        expected = tilt * {"mine": 1.0, "infonce": 2 / 3}[name]
        # the second-order term is 10⁻¹² of the first-order one
        assert value(name, scores) == pytest.approx(expected, rel=1e-11, abs=0)

    @pytest.mark.parametrize("name", ["mine", "infonce", "smile"])
    def test_scores_may_be_as_large_as_the_dtype_holds(self, name):
        scores = 1e30 * np.array([[1.0, -1.0], [-1.0, 1.0]], dtype=np.float32)
        estimate, cache = ESTIMATORS[name].forward(scores, **({"clip": 2.0} if name == "smile" else {}))
        assert np.isfinite(estimate)
        assert np.all(np.isfinite(ESTIMATORS[name].backward(cache).scores))

    def test_nwj_refuses_an_overflow(self):
        with pytest.raises(ValueError, match=r"information.nwj overflows float64: scale the inputs down"):
            nwj.forward(np.full((2, 2), 800.0))

    def test_at_the_clip_the_derivative_is_the_one_inside(self):
        scores = np.array([[0.0, 1.0], [-1.0, 0.0]])
        _, cache = smile.forward(scores, clip=1.0)
        inside, _ = mine.forward(scores)
        assert value("smile", scores, clip=1.0) == inside
        assert np.count_nonzero(smile.backward(cache).scores) == 4

    def test_beyond_the_clip_the_derivative_is_0(self):
        _, cache = smile.forward(np.array([[0.0, 1.5], [-1.5, 0.0]]), clip=1.0)
        np.testing.assert_array_equal(smile.backward(cache).scores, np.eye(2) / 2)

    def test_a_cell_of_probability_0_contributes_by_its_product_of_marginals(self):
        scores = np.zeros(JOINT.shape)
        scores[1, 2] = 3.0
        expected = -math.log(1 + APART[1, 2] * (math.exp(3) - 1))
        assert value("donsker_varadhan", scores, joint=JOINT) == pytest.approx(
            expected, rel=10 * EXACT, abs=0
        )

    def test_a_symbol_of_probability_0_contributes_nothing(self):
        padded, scores = (
            np.pad(JOINT, ((0, 1), (0, 0))),
            np.pad(RATIO, ((0, 1), (0, 0)), constant_values=900.0),
        )
        estimate, cache = donsker_varadhan.forward(scores, joint=padded)
        assert estimate == pytest.approx(INFORMATION, rel=EXACT, abs=0)
        np.testing.assert_array_equal(donsker_varadhan.backward(cache).scores[2], 0)


@pytest.mark.parametrize("name", OF_BATCHES)
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((2, 3)), r"scores must have shape \(N, N\), N ≥ 2, .* got \(2, 3\): score every x"),
        (np.zeros((1, 1)), r"N ≥ 2, .* got \(1, 1\)"),
    ],
)
def test_refuses_scores_that_are_no_square_batch(name, scores, message):
    options = {"clip": 1.0} if name == "smile" else {}
    with pytest.raises(ValueError, match=message):
        ESTIMATORS[name].forward(scores, **options)


def test_refuses_a_clip_of_0():
    with pytest.raises(ValueError, match="clip must be"):
        smile.forward(np.zeros((2, 2)), clip=0.0)


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (JOINT * 2, "joint must sum to 1; got 2"),
        (JOINT - 1 / 6, "joint must not be negative"),
    ],
)
def test_refuses_an_invalid_law(joint, message):
    with pytest.raises(ValueError, match=message):
        donsker_varadhan.forward(np.zeros(JOINT.shape), joint=joint)
