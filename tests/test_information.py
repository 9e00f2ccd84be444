import math

import mpmath
import numpy as np
import pytest

from infonce_ref import information

EXACT = 1e-14  # a few dozen roundings of numbers of order 1
JOINT = np.array([[0.30, 0.05, 0.15], [0.10, 0.40, 0.00]])  # unequal marginals, and a cell of probability 0
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
