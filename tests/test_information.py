"""Mutual information and its estimators: edges and bad input; `verify` compares their numbers."""

import math

import mpmath
import numpy as np
import pytest

from infonce_ref import information
from infonce_ref.information import ESTIMATORS, donsker_varadhan, mine, nwj, smile

OF_BATCHES = [name for name in ESTIMATORS if name != "donsker_varadhan"]
EXACT = 1e-14  # a few dozen roundings of numbers of order 1
JOINT = np.array([[0.30, 0.05, 0.15], [0.10, 0.40, 0.00]])  # unequal marginals, and a cell of probability 0
APART = np.outer(JOINT.sum(axis=1), JOINT.sum(axis=0))
INFORMATION = information.mutual_information(JOINT)


class TestMutualInformation:
    @pytest.mark.parametrize(("symbols", "tilt"), [((3, 3), 2**-25), ((9, 7), 2**-25), ((9, 7), 2**-40)])
    def test_keeps_its_digits_near_independence(self, symbols, tilt):
        """Summing p log p/q would have rounding errors of order eps, as large as I here; so would Σ q (ρ − 1),
        which is 0, but not by symmetry.
        """
        rng = np.random.default_rng(0)
        x, y = (rng.dirichlet(np.ones(n)) for n in symbols)
        joint = np.outer(x, y) * (1 + tilt * rng.standard_normal(symbols))
        with mpmath.workdps(50):
            cells = mpmath.matrix(joint.tolist()) / mpmath.fsum(joint.ravel().tolist())
            rows = [mpmath.fsum(cells[i, :]) for i in range(symbols[0])]
            columns = [mpmath.fsum(cells[:, j]) for j in range(symbols[1])]
            exact = mpmath.fsum(
                cells[i, j] * mpmath.log(cells[i, j] / rows[i] / columns[j]) for i, j in np.ndindex(symbols)
            )
        value = float(information.mutual_information(joint))
        assert value == pytest.approx(float(exact), rel=EXACT, abs=0)

    def test_symbols_of_probability_0_change_nothing(self):
        padded = np.pad(JOINT, ((0, 2), (1, 0)))
        assert information.mutual_information(padded) == pytest.approx(INFORMATION, rel=EXACT, abs=0)
        assert np.isfinite(information.conditional_entropy(padded))

    def test_float32_stays_float32(self):
        value = information.mutual_information(JOINT.astype(np.float32))
        assert value.dtype == np.float32
        assert value == pytest.approx(INFORMATION, rel=1e-6, abs=0)  # a dozen eps


class TestLaw:
    """A law's sum may be off by half the digits of its dtype, 2⁻²⁶; the law is then divided by it."""

    @pytest.mark.parametrize("off", [2.0**-26, -(2.0**-26)])
    def test_a_sum_within_the_tolerance_is_divided_out(self, off):
        law = np.array([0.5 + off, 0.5])
        expected = information.entropy(law / law.sum())
        assert information.entropy(law) == pytest.approx(expected, rel=EXACT, abs=0)
        joint = np.array([[6.0, 2.0], [1.0, 7.0]]) / 16  # so that scaling by a power of 2 is exact
        expected_of_joint = information.mutual_information(joint)
        assert information.mutual_information((1 + off) * joint) == pytest.approx(
            expected_of_joint, rel=EXACT, abs=0
        )
        # the undivided law would give another value
        assert abs(-np.sum(law * np.log(law)) - expected) > 1e5 * EXACT

    @pytest.mark.parametrize("off", [2.0**-25, -(2.0**-25)])
    def test_a_sum_outside_the_tolerance_is_refused(self, off):
        with pytest.raises(ValueError, match="must sum to 1"):
            information.entropy(np.array([0.5 + off, 0.5]))

    def test_donsker_varadhan_normalises_its_law(self):
        scores = np.random.default_rng(0).normal(size=(2, 3))
        # sixteenths, so that scaling by a power of 2 is exact
        joint = np.array([[6.0, 2.0, 0.0], [1.0, 3.0, 4.0]]) / 16
        expected, got = (
            donsker_varadhan.forward(scores, joint=factor * joint)[0] for factor in (1, 1 + 2.0**-27)
        )
        assert got == pytest.approx(expected, rel=10 * EXACT, abs=0)

    @pytest.mark.parametrize(
        ("joint", "message"),
        [
            (JOINT * 10, "joint must sum to 1; got 10"),
            (JOINT - 1 / 6, "joint must not be negative"),
            (np.array([0.5, 0.5]), "joint must have shape"),
            (np.array([[np.nan, 1.0]]), "joint must be finite"),
            (np.array([[1, 0]]), "joint must be float32 or float64"),
        ],
    )
    def test_refuses(self, joint, message):
        with pytest.raises(ValueError, match=message):
            information.mutual_information(joint)


class TestBound:
    @pytest.mark.parametrize(
        ("setting", "loss", "count", "message"),
        [
            ("triplet", 1.0, {"pairs": 2}, "setting must be one of"),
            ("dhn_nce", 1.0, {"pairs": 2}, "bounds no mutual information"),
            ("ntxent", 1.0, {"candidates": 3}, "ntxent needs the positive integer pairs=…; got candidates=3"),
            ("ntxent", 1.0, {}, "got nothing"),
            ("cpc", 1.0, {"candidates": 0}, "positive integer candidates"),
            ("cpc", 1.0, {"candidates": 2.5}, "positive integer candidates"),
            ("cpc", -1.0, {"candidates": 2}, "loss must be finite and not negative"),
            ("cpc", math.nan, {"candidates": 2}, "loss must be finite"),
        ],
    )
    def test_refuses(self, setting, loss, count, message):
        with pytest.raises(ValueError, match=message):
            information.bound(setting, loss, **count)


class TestEstimators:
    @pytest.mark.parametrize("name", ["mine", "infonce"])
    def test_keeps_the_digits_of_nearly_equal_scores(self, name):
        """log Σ − log N(N − 1) would have rounding errors of order eps, as large as the value here."""
        tilt = 2.0**-40
        estimate, _ = ESTIMATORS[name].forward(tilt * np.eye(3))
        # to first order in the tilt: 1 minus the mean over the other scores, 0, or over all scores, 1/3
        expected = tilt * {"mine": 1.0, "infonce": 2 / 3}[name]
        # the second-order term is 10⁻¹² of the first-order one
        assert estimate == pytest.approx(expected, rel=1e-11, abs=0)

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
        estimate, cache = smile.forward(scores, clip=1.0)
        assert estimate == mine.forward(scores)[0]
        assert np.count_nonzero(smile.backward(cache).scores) == 4

    def test_a_cell_of_probability_0_contributes_by_its_product_of_marginals(self):
        scores = np.zeros(JOINT.shape)
        scores[1, 2] = 3.0
        expected = -math.log(1 + APART[1, 2] * (math.exp(3) - 1))
        estimate, _ = donsker_varadhan.forward(scores, joint=JOINT)
        assert estimate == pytest.approx(expected, rel=10 * EXACT, abs=0)

    def test_a_symbol_of_probability_0_contributes_nothing(self):
        ratio = np.log(
            np.where(JOINT > 0, JOINT, 1e-30) / APART
        )  # the best score, with −69 in place of log 0
        padded = np.pad(JOINT, ((0, 1), (0, 0)))
        scores = np.pad(ratio, ((0, 1), (0, 0)), constant_values=900.0)
        estimate, cache = donsker_varadhan.forward(scores, joint=padded)
        assert estimate == pytest.approx(INFORMATION, rel=EXACT, abs=0)
        np.testing.assert_array_equal(donsker_varadhan.backward(cache).scores[2], 0)

    @pytest.mark.parametrize("name", OF_BATCHES)
    @pytest.mark.parametrize("shape", [(2, 3), (1, 1)])
    def test_scores_that_are_no_square_batch_are_refused(self, name, shape):
        message = rf"scores must have shape \(N, N\), N ≥ 2, .* got \({shape[0]}, {shape[1]}\): score every x"
        with pytest.raises(ValueError, match=message):
            ESTIMATORS[name].forward(np.zeros(shape), **{"clip": 1.0} if name == "smile" else {})

    def test_a_clip_of_0_is_refused(self):
        with pytest.raises(ValueError, match="clip must be"):
            smile.forward(np.zeros((2, 2)), clip=0.0)
