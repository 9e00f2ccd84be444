import itertools
import math

import mpmath
import numpy as np
import pytest

from infonce_ref import information
from infonce_ref.losses import clip, cpc, dhn_nce, infonce, ntxent, query_key

EXACT = 1e-14  # a few dozen roundings of numbers of order 1
JOINT = np.array([[0.30, 0.05, 0.15], [0.10, 0.40, 0.00]])  # unequal marginals, and a cell that never happens
X, Y = JOINT.sum(axis=1), JOINT.sum(axis=0)
INFORMATION = information.mutual_information(JOINT)


def cells():
    return [(x, y) for x in range(2) for y in range(3) if JOINT[x, y] > 0]


class TestMutualInformation:
    def test_the_printed_ratio_is_off_by_the_difference_of_the_entropies(self):
        """D3.23: log p(y|x)/p(x) gives I + H(X) − H(Y)."""
        printed = sum(JOINT[x, y] * math.log(JOINT[x, y] / X[x] / X[x]) for x, y in cells())
        difference = information.entropy(X) - information.entropy(Y)
        assert abs(difference) > 0.1
        assert printed - INFORMATION == pytest.approx(difference, rel=EXACT, abs=0)

    def test_information_about_a_function_is_the_entropy_of_its_value(self):
        """D3.27: Y = f(X), not injective: I = H(Y) < H(X)."""
        joint = np.array([[0.2, 0.0], [0.3, 0.0], [0.0, 0.5]])
        assert information.mutual_information(joint) == pytest.approx(math.log(2), rel=EXACT, abs=0)
        assert information.conditional_entropy(joint.T) == 0

    def test_keeps_its_digits_near_independence(self):
        """Summing p log p/q would leave rounding of order eps, which is all of I here."""
        tilt = 2.0**-25
        joint = np.array([[1 + tilt, 1 - tilt], [1 - tilt, 1 + tilt]]) / 4
        with mpmath.workdps(50):
            exact = sum((1 + s * mpmath.mpf(tilt)) * mpmath.log1p(s * mpmath.mpf(tilt)) / 2 for s in (1, -1))
        value = information.mutual_information(joint)
        assert value == pytest.approx(float(exact), rel=EXACT, abs=0)

    @pytest.mark.parametrize(("symbols", "tilt"), [((3, 3), 2**-25), ((9, 7), 2**-25), ((9, 7), 2**-40)])
    def test_keeps_its_digits_near_independence_of_unequal_symbols(self, symbols, tilt):
        """Σ q (ρ − 1) is 0 by mathematics and not by symmetry; its rounding would be as large as I."""
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

    def test_symbols_that_never_happen_change_nothing(self):
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


BIT = np.array([1.0, -1.0])  # a fair bit, the same in both views: I = log 2


def mean_over_fair_bits(loss, images):
    """The expected loss, exactly: the mean over every batch of that many fair bits, shape (B, 1)."""
    batches = itertools.product(BIT, repeat=images)
    return np.mean([loss(np.array(batch)[:, None]) for batch in batches])


class TestLaw:
    """A law's sum may be off by half the digits of its dtype, 2⁻²⁶, and is then made 1."""

    @pytest.mark.parametrize("off", [2.0**-26, -(2.0**-26)])
    def test_a_sum_within_the_tolerance_is_divided_out(self, off):
        law = np.array([0.5 + off, 0.5])
        expected = information.entropy(law / law.sum())
        assert information.entropy(law) == pytest.approx(expected, rel=EXACT, abs=0)
        # which the unrounded law would not give
        assert abs(-np.sum(law * np.log(law)) - expected) > 1e5 * EXACT

    @pytest.mark.parametrize("off", [2.0**-27, -(2.0**-27)])
    def test_information_is_that_of_the_law_whose_sum_is_1(self, off):
        joint = np.array([[6.0, 2.0], [1.0, 7.0]]) / 16  # so that the factor is exact
        expected = information.mutual_information(joint)
        assert information.mutual_information((1 + off) * joint) == pytest.approx(expected, rel=EXACT, abs=0)

    @pytest.mark.parametrize("off", [2.0**-25, -(2.0**-25)])
    def test_a_sum_outside_the_tolerance_is_refused(self, off):
        with pytest.raises(ValueError, match="must sum to 1"):
            information.entropy(np.array([0.5 + off, 0.5]))


class TestBound:
    @pytest.mark.parametrize("candidates", [2, 3, 4])
    @pytest.mark.parametrize("seed", [None, 0, 1])
    def test_holds_for_any_scores_over_independent_candidates(self, candidates, seed):
        """P1, P5, by enumeration: the optimal scores log p(x|c)/p(x), and random ones."""
        joint = np.array([[0.4, 0.1], [0.2, 0.3]])
        x, c = joint.sum(axis=1), joint.sum(axis=0)
        best = np.log(joint / np.outer(x, c))
        scores = best if seed is None else np.random.default_rng(seed).normal(scale=2, size=(2, 2))
        loss = 0.0
        for context, first, *others in itertools.product(range(2), repeat=candidates + 1):
            row = scores[[first, *others], context][None]
            probability = joint[first, context] * np.prod(x[others])
            loss += probability * cpc.forward(row, positive=np.array([0]))[0]
        value = information.bound("cpc", loss, candidates=candidates)
        assert value == information.bound("query_key", loss, negatives=candidates - 1)
        assert value <= min(information.mutual_information(joint), math.log(candidates))

    def test_ntxent_counts_images_and_not_candidates(self):
        """P2: six fair bits. log(2B − 1) − 𝓛 passes I = log 2; log B − 𝓛 does not."""
        loss = mean_over_fair_bits(lambda z: ntxent.forward(np.concatenate([z, z]), temperature=0.05)[0], 6)
        assert math.log(11) - loss > math.log(2)
        assert information.bound("ntxent", loss, pairs=6) <= math.log(2)

    @pytest.mark.parametrize("pairs", [2, 4, 6])
    def test_infonce_has_all_candidates_and_cannot_pass_log_B(self, pairs):
        """P3."""
        loss = mean_over_fair_bits(
            lambda z: infonce.forward(np.concatenate([z, z]), temperature=0.05)[0], pairs
        )
        assert information.bound("infonce", loss, pairs=pairs) <= min(math.log(2), math.log(pairs)) + EXACT

    @pytest.mark.parametrize("pairs", [2, 4, 6])
    def test_clip_is_the_bound_twice(self, pairs):
        """P1 in each direction."""
        loss = mean_over_fair_bits(lambda z: clip.forward(z, z, temperature=0.05)[0], pairs)
        assert 0 < information.bound("clip", loss, pairs=pairs) <= math.log(2)

    def test_query_key_counts_the_positive(self):
        """D3.35, P5: keys without information cost log(K + 1) and give 0."""
        same = np.ones((2, 3))
        loss, _ = query_key.forward(same, same, np.ones((7, 3)), temperature=0.1)
        assert information.bound("query_key", loss, negatives=7) == pytest.approx(0, abs=EXACT)

    def test_a_decoupled_loss_falls_without_limit(self):
        """P4: two fair bits. −𝓛 passes I = log 2 as 1/τ grows, so no log N − 𝓛 can be a bound."""

        def decoupled(tau):
            return mean_over_fair_bits(
                lambda z: dhn_nce.forward(z, z, temperature=tau, beta1=0, beta2=0, reduction="mean")[0] / 2, 2
            )

        assert [decoupled(tau) for tau in (1.0, 0.1, 0.01)] == pytest.approx([-1, -10, -100])
        with pytest.raises(ValueError, match="bounds no mutual information"):
            information.bound("dhn_nce", decoupled(0.1), pairs=2)

    @pytest.mark.parametrize(
        ("setting", "loss", "count", "message"),
        [
            ("triplet", 1.0, {"pairs": 2}, "setting must be one of"),
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
