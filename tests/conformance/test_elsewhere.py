"""A loss that is right only at small even batches, or only at its own temperature, fails."""

import sys

import numpy as np
import pytest
from few import few

from infonce_ref.conformance import check, elsewhere, fit, inputs
from infonce_ref.conformance.asking import Way, example
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Found, Reduction
from infonce_ref.conformance.numerics import TEMPERATURES
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def log_sums(logits):
    top = logits.max(axis=1)
    return np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top


def cpc(x, y, temperature=0.3, positive=None):
    logits = unit(x) @ unit(y).T
    return (log_sums(logits / temperature) - np.diag(logits) / (positive or temperature)).mean()


def odd(x, y):
    return cpc(x[: len(x) // 2 * 2], y[: len(y) // 2 * 2])


def first_rows(x, y):
    return cpc(x[:64], y[:64])


def first_features(x, y):
    return cpc(x[:, :32], y[:, :32])


def twice(x, y, temperature=1.0):
    return cpc(x, y, temperature**2)


def one_sided(x, y, temperature=1.0):
    return cpc(x, y, temperature, positive=temperature**2)


def dead(x, y, temperature=0.3):
    return cpc(x, y, 0.3)


def dead_and_bounded(x, y, temperature=0.3):
    if temperature < 0.25:
        raise ValueError("too cold")
    return cpc(x, y, 0.3)


def factor_alone(x, y, temperature=1.0):
    return temperature * cpc(x, y, 1.0)


def needs_even(x, y):
    if len(x) % 2:
        raise ValueError("an even batch is needed")
    return cpc(x, y)


@pytest.mark.parametrize(
    ("loss", "words"),
    few(
        [
            (odd, "cpc at 4 and 6 pairs, and not the same formula at 5 pairs of 5 features"),
            (first_rows, "and not the same formula at 67 pairs of 64 features"),
            (first_features, "and not the same formula at 67 pairs of 64 features"),
            (twice, "the temperature is applied twice: τ grows as the square of temperature"),
            (one_sided, "at temperature = 1.5 it is another formula"),
            (dead, "temperature does not reach the loss: it is the same at 0.3 and at 0.45"),
            (dead_and_bounded, "temperature does not reach the loss: it is the same at 0.3 and at 0.45"),
            (factor_alone, "temperature changes the loss by a factor alone"),
        ],
        kept=lambda case: case[0] is dead,
    ),
)
def test_a_loss_that_is_wrong_elsewhere_is_wrong(loss, words):
    for claim in (None, "cpc"):
        verdict = check(loss, is_=claim, inputs="two", tiers=("formula",)).verdicts["formula"]
        assert not verdict.holds
        assert words in verdict.sentence


def test_a_batch_that_a_loss_refuses_is_noted():
    report = check(needs_even, is_="cpc", tiers=("formula",))
    assert report.holds
    assert "not asked at 5 pairs of 5 features: it raises ValueError: an even batch is needed" in report.about


def floor(x, y, temperature=0.3):
    return cpc(x, y, max(temperature, 0.05))


def leaking_mask(x, y, temperature=0.3):
    """NT-Xent whose diagonal is lowered by 45, which no longer hides e^{1/τ} when τ is small."""
    rows = unit(np.concatenate([x, y]))
    logits = rows @ rows.T / temperature
    n = len(rows)
    return (log_sums(logits - 45 * np.eye(n)) - logits[np.arange(n), (np.arange(n) + n // 2) % n]).mean()


@pytest.mark.parametrize(
    ("name", "rows"), [("two", [5, 32, 67, 8]), ("predictions and projections", [6, 32, 68, 8])]
)
def test_a_loss_that_halves_its_batch_gets_an_even_number(name, rows):
    way = Way(name, None)
    drawn = [elsewhere.draw_points(way, size, features) for size, features in elsewhere.BATCHES]
    assert [len(point["x"]) for points in drawn for point in points] == [n for n in rows for _ in range(2)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "word", "words"),
    [
        (
            floor,
            "another loss at other temperatures",
            "given τ = 0.02, 0.01, 0.003 it is the loss at τ = 0.05",
        ),
        (leaking_mask, "loses digits", "given τ = 0.01, 0.003 its values fit no formula"),
    ],
)
def test_a_loss_that_changes_at_another_temperature_is_noted(loss, word, words):
    verdict = check(loss).verdicts["numerics"]
    assert verdict.word == f"right, and {word}"
    assert words in verdict.sentence


def scale_in_logarithms(x, y, logit_scale=0.0):
    return cpc(x, y, np.exp(-logit_scale))


def temperature_in_logarithms(x, y, temperature=-2.0):
    return cpc(x, y, np.exp(temperature))


def momentum_and_temperature(x, y, tau=0.99, T=0.3):
    return cpc(x, y, T)


def weighted(x, y, scale=3.0):
    return scale * cpc(x, y, 0.3)


def test_a_scale_that_multiplies_the_loss_is_no_temperature():
    assert check(weighted).verdicts["formula"].sentence == "nearest to cpc: 3 times the loss"


def bounded(x, y, t=0.7):
    if t > 1:
        raise ValueError(f"t must be at most 1; got {t}")
    return cpc(x, y, t**2)


def test_a_temperature_that_the_loss_refuses_twice_as_large_is_one():
    assert "applied twice" in check(bounded, tiers=("formula",)).verdicts["formula"].sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    "loss",
    [scale_in_logarithms, temperature_in_logarithms, momentum_and_temperature],
    ids=lambda f: f.__name__,
)
def test_the_temperature_is_found_among_the_settings_and_asked_at_every_temperature(loss):
    report = check(loss)
    assert report.verdicts["formula"].word == "right"
    assert {cell.temperature for cell in report.cells} == set(TEMPERATURES)
    assert "another" not in report.verdicts["numerics"].word


class Labelled:
    """SupCon with the positives of its own labels, or of the first labels of each batch size."""

    def __init__(self, keeps):
        self.keeps, self.kept = keeps, {}

    def __call__(self, rows, labels):
        own = (labels[:, None] == labels) & ~np.eye(len(rows), dtype=bool)
        positive = self.kept.setdefault(len(rows), own) if self.keeps else own
        logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
        each = (positive * (log_sums(logits)[:, None] - logits)).sum(axis=1)
        return (each[positive.any(axis=1)] / positive.sum(axis=1)[positive.any(axis=1)]).mean()


@pytest.mark.parametrize("keeps", [False, True])
def test_the_labels_of_another_batch_are_its_own(keeps):
    verdict = check(Labelled(keeps), is_="supcon", tiers=("formula",)).verdicts["formula"]
    assert verdict.holds is not keeps
    assert ("as if it kept those of the first batch" in verdict.sentence) is keeps


def scores_alone(scores):
    return (log_sums(scores) - np.diag(scores)).mean()


@pytest.mark.parametrize("largest", [64, 100])
def test_a_gradient_is_checked_at_more_than_64_rows(largest):
    def backward(scores):
        p = np.exp(scores - log_sums(scores)[:, None]) - np.eye(len(scores))
        return p / len(scores) * (len(scores) <= largest)

    verdict = check(scores_alone, inputs="scores", backward=backward).verdicts["gradient"]
    assert verdict.holds is (largest == 100)
    assert ("and not the slope of the formula at 67 pairs" in verdict.sentence) is (largest == 64)


def pairs_alone(rows, labels):
    """NT-Xent in which each row's only positive is the last row with its label."""
    logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
    partner = [
        max(j for j in range(len(rows)) if labels[j] == labels[i] and j != i) for i in range(len(rows))
    ]
    return (log_sums(logits) - logits[np.arange(len(rows)), partner]).mean()


@pytest.mark.slow
def test_labels_are_checked_with_classes_too():
    verdict = check(pairs_alone, tiers=("formula",)).verdicts["formula"]
    assert (verdict.word, verdict.holds) == ("right for pairs", False)
    assert "with several rows of a class no formula fits" in verdict.sentence
    assert check(pairs_alone, inputs="pairs with labels", tiers=("formula",)).holds


CPC = Formula(("positive", "other view"), anchors="first")


def each(x, y, temperature=0.3):
    logits = unit(x) @ unit(y).T / temperature
    return log_sums(logits) - np.diag(logits)


def nearest(loss, way="two", tau=0.3, library="numpy", backward=None, formula=CPC, **fields):
    """The loss beside this formula, by default the mean over the anchors."""
    rest = {
        "reduction": Reduction("mean", 1.0),
        "shift": 0.0,
        "residual": 1e-15,
        "tolerance": 1e-10,
        **fields,
    }
    found = Found(formula, tau, rest.pop("second", None), candidates=4, size=4, **rest)
    session = Session(target(loss, {}, backward), library)
    return Nearest(Way(way, session), None, found, None, "float64")


UNKNOWN = Reduction("unknown", 1.0)
POINT = example("views", 4)


def warm(x, y, temperature=0.3):
    return cpc(x, y, temperature)


class TestEachFunction:
    """Without a whole check: quick, and each with one reason to fail."""

    def test_the_batches_have_other_sizes_and_features(self):
        for size, features in elsewhere.BATCHES:
            apart, close = elsewhere.draw_points(Way("two", None), size, features)
            assert apart["x"].shape == close["x"].shape == (size, features)
            # rows far apart, of spread 1, and rows close together, of spread 0.1
            assert np.ptp(apart["x"]) > 2 * np.ptp(close["x"])

    def test_the_second_batch_has_other_labels(self):
        apart, close = elsewhere.draw_points(Way("classes", None), 5, 5)
        assert sorted(apart["labels"]) == sorted(close["labels"])
        assert close["labels"].tolist() == np.roll(apart["labels"].reshape(2, -1), 1, axis=1).ravel().tolist()

    @pytest.mark.parametrize(
        ("fields", "factor", "shift"),
        [
            ({}, 1, 0),
            ({"reduction": Reduction("mean", 3.0), "shift": 0.5}, 3, 0.5),
            (
                {"reduction": Reduction("sum", 2.0), "shift": 0.5},
                8,
                2.0,
            ),  # the shift belongs to each of 4 anchors
        ],
    )
    def test_the_formula_is_evaluated_with_its_factor_and_shift(self, fields, factor, shift):
        found = nearest(cpc, **fields).found
        right = factor * cpc(**POINT) + shift
        assert elsewhere.predict(found, POINT) == pytest.approx(right, rel=1e-13, abs=0)

    def test_constant_weights_are_those_of_other_arrays(self):
        """At the same arrays they are the weights that are not constant."""
        found = nearest(cpc, formula=CPC._replace(head="positives weighed"), second=0.5).found
        other = inputs.points("views", 4, each=1)[0]
        own = elsewhere.predict(found, POINT)
        assert elsewhere.predict(found, POINT, POINT) == pytest.approx(own, rel=1e-13, abs=0)
        assert abs(elsewhere.predict(found, POINT, other) - own) > 1e-3

    def test_a_loss_that_is_the_formula_holds_at_each_batch(self):
        records = elsewhere.judge_batches(nearest(cpc))
        assert [(one.check, one.status) for one in records] == [
            ("formula at 5", "holds"),
            ("formula at 32", "holds"),
            ("formula at 67", "holds"),
            ("formula at 8", "holds"),
        ]
        assert {one.tolerance for one in records} == {1e-8}  # a hundred times that of float64
        assert max(one.error for one in records) < 1e-12
        assert [one.witness for one in records] == [
            "the same formula at 5 pairs of 5 features",
            "the same formula at 32 pairs of 5 features",
            "the same formula at 67 pairs of 64 features",
            "the same formula at 8 pairs of 1031 features",
        ]

    def test_a_loss_that_cuts_wide_rows_is_found(self):
        *rest, wide = elsewhere.judge_batches(nearest(lambda x, y: cpc(x[:, :1024], y[:, :1024])))
        assert [one.good for one in rest] == [True, True, True]
        assert not wide.good

    def test_rows_that_are_read_as_several_of_a_fixed_number_of_features_are_refused(self):
        asked = nearest(lambda x, y: cpc(x.reshape(-1, 5), y.reshape(-1, 5)))
        assert [one.check for one in elsewhere.judge_batches(asked)] == ["formula at 5", "formula at 32"]

    def test_a_million_pairs_of_features_are_not_compared(self):
        columns = nearest(cpc, formula=CPC._replace(rows="columns"))
        assert [one.check for one in elsewhere.judge_batches(columns)][3:] == []

    def test_a_formula_that_fits_less_well_has_a_larger_tolerance(self):
        assert {one.tolerance for one in elsewhere.judge_batches(nearest(cpc, residual=1e-7))} == {100 * 1e-7}

    @pytest.mark.parametrize("which", [0, 1])
    def test_the_larger_error_of_two_points_is_relative_to_one_more_than_the_value(self, which):
        point = elsewhere.draw_points(Way("two", None), 5, 5)[which]

        def loss(x, y):
            return cpc(x, y) + (1e-3 if np.array_equal(x, point["x"]) else 0)

        first, *_ = elsewhere.judge_batches(nearest(loss))
        assert first.status == "fails"
        assert first.error == pytest.approx(1e-3 / (1 + cpc(**point)), rel=1e-10, abs=0)
        assert "labels change" not in first.witness

    def test_the_error_of_a_negative_value_is_relative_to_its_size(self):
        first, *_ = elsewhere.judge_batches(nearest(lambda x, y: cpc(x, y) - 9 + 1e-3, shift=-9.0))
        values = [cpc(**point) - 9 for point in elsewhere.draw_points(Way("two", None), 5, 5)]
        assert first.error == pytest.approx(max(1e-3 / (1 + abs(value)) for value in values), rel=1e-9, abs=0)

    @pytest.mark.parametrize("found", [None, nearest(cpc, reduction=UNKNOWN).found])
    def test_without_a_known_formula_nothing_is_compared(self, found):
        asked = nearest(scores_alone, "scores", backward=lambda s: s)._replace(found=found)
        assert elsewhere.judge_batches(asked) == []
        assert elsewhere.judge_slopes(asked, ("scores",)) is None

    @pytest.mark.parametrize(("times", "holds"), [(1.019, True), (1.021, False)])
    def test_a_loss_that_is_another_in_float32_is_found(self, times, holds):
        """It may change as much as if a part were rounded to half precision."""

        def loss(x, y):
            return cpc(x, y) * (times if x.dtype == np.float32 else 1)

        (record,) = elsewhere.judge_dtypes(nearest(loss))
        assert (record.check, record.good) == ("formula in float32", holds)
        assert record.error == pytest.approx(times - 1, rel=1e-4, abs=0)
        assert elsewhere.find_other_losses(nearest(loss)) == ([] if holds else ["float32"])

    def test_a_loss_in_float32_may_compute_in_half_precision(self):
        def loss(x, y):
            rounded = (v.astype(np.float16) if v.dtype == np.float32 else v for v in (x, y))
            return cpc(*rounded) * (1.1 if x.dtype == np.float32 else 1)

        (record,) = elsewhere.judge_dtypes(nearest(loss))
        assert (record.status, record.tolerance) == ("holds", 1.0)

    def test_a_loss_of_float32_is_compared_in_float64(self):
        asked = nearest(lambda x, y: cpc(x, y) * x.dtype.itemsize / 4)
        single = asked._replace(way=asked.way.given({}, "float32"), precision="float32")
        assert elsewhere.find_other_losses(single) == ["float64"]

    @pytest.mark.parametrize(
        ("order", "holds"), [("C", True), ("K", False)], ids=["rows first", "as they lie in memory"]
    )
    def test_a_loss_that_reads_memory_in_order_is_found(self, order, holds):
        asked = nearest(lambda x, y: cpc(x.ravel(order).reshape(x.shape), y))
        (record,) = elsewhere.judge_layout(asked)
        assert (record.check, record.good) == ("formula by columns", holds)
        assert asked.way.session.transposed is False

    def test_a_loss_that_refuses_arrays_by_columns_is_noted(self):
        def loss(x, y):
            if not x.flags.c_contiguous:
                raise ValueError("rows first, please")
            return cpc(x, y)

        asked = nearest(loss)
        assert list(elsewhere.judge_layout(asked)) == []
        (note,) = asked.way.session.notes
        assert note.startswith(
            "given arrays column by column in memory it raises ValueError: rows first, please"
        )
        assert asked.way.session.transposed is False

    @pytest.mark.parametrize("law", ["mean", "unknown"])
    def test_without_a_finite_number_or_a_formula_no_dtype_is_compared(self, law):
        def loss(x, y):
            return cpc(x, y) * (np.inf if x.dtype == np.float32 or law == "unknown" else 1)

        assert list(elsewhere.judge_dtypes(nearest(loss, reduction=Reduction(law, 1.0)))) == []

    def test_a_dtype_that_a_loss_refuses_is_not_compared(self):
        def loss(x, y):
            if x.dtype != np.float64:
                raise TypeError("float64 alone")
            return cpc(x, y)

        assert list(elsewhere.judge_dtypes(nearest(loss))) == []

    def test_a_refused_batch_is_left_out(self):
        asked = nearest(needs_even)
        assert [one.check for one in elsewhere.judge_batches(asked)] == ["formula at 32", "formula at 8"]
        assert [note[:35] for note in asked.way.session.notes] == [
            "not asked at 5 pairs of 5 features:",
            "not asked at 67 pairs of 64 feature",
        ]

    SCORES = Formula(("positive", "other view"), anchors="first", rows="given")

    def slopes(self, times, live=("scores",), **fields):
        def backward(scores):
            p = np.exp(scores - log_sums(scores)[:, None])
            return times * (p - np.eye(len(scores))) / len(scores)

        asked = nearest(scores_alone, "scores", 1.0, backward=backward, formula=self.SCORES, **fields)
        return elsewhere.judge_slopes(asked, live), backward

    def test_a_right_gradient_has_the_slope_of_the_formula(self):
        record, _ = self.slopes(1)
        assert (record.check, record.status, record.tolerance) == ("gradient at 67", "holds", 1e-5)
        assert record.witness == "the slope of the formula at 67 pairs of 64 features"
        assert record.error < 1e-8  # h² = 1e-8 times third derivatives, which are smaller than the gradient

    def test_the_error_of_a_slope_is_relative_to_the_gradient_and_the_slope(self):
        record, backward = self.slopes(1.01)
        arrays = elsewhere.draw_points(Way("scores", None), 67, 64)[0]
        along = np.random.default_rng(6).standard_normal(arrays["scores"].shape)
        own = backward(arrays["scores"])
        right = abs(np.sum(own * along)) / 1.01
        assert record.error == pytest.approx(0.01 * right / (np.linalg.norm(own) + right), rel=1e-5, abs=0)
        assert record.status == "fails"

    def test_the_slope_of_constant_weights_is_that_of_the_rest(self):
        """A gradient along the direction itself, whose slope is that of the formula at weights that do not move."""
        formula = self.SCORES._replace(head="positives weighed")
        found = nearest(scores_alone, formula=formula, tau=1.0, second=0.5).found
        arrays = elsewhere.draw_points(Way("scores", None), 67, 64)[0]
        along = np.random.default_rng(6).standard_normal(arrays["scores"].shape)
        moved = ({**arrays, "scores": arrays["scores"] + step * along} for step in (1e-4, -1e-4))
        ahead, behind = (elsewhere.predict(found, point, arrays) for point in moved)
        own = (ahead - behind) / 2e-4 * along / np.sum(along**2)
        asked = nearest(scores_alone, "scores", backward=lambda scores: own)._replace(found=found)
        assert elsewhere.judge_slopes(asked, ("scores",), held=True).error < 1e-10
        assert elsewhere.judge_slopes(asked, ("scores",)).error > 1e-3

    def test_a_formula_that_fits_less_well_has_a_larger_tolerance_of_slopes(self):
        assert self.slopes(1, residual=1e-6)[0].tolerance == 100 * 1e-6

    def test_without_an_array_that_the_gradient_reaches_no_slope_is_compared(self):
        assert self.slopes(1, live=())[0] is None

    def test_a_loss_that_does_not_run_at_the_largest_batch_has_no_slope(self):
        asked = nearest(needs_even, backward=lambda x, y: (x, y))
        assert elsewhere.judge_slopes(asked, ("x", "y")) is None

    def test_only_the_arrays_that_the_gradient_reaches_are_moved(self):
        def wrong(x, y):
            """Right by none, but 0 by y."""
            return x, 0 * y

        constant = nearest(lambda x, y: 0.0, backward=wrong, reduction=Reduction("mean", 0.0))
        assert elsewhere.judge_slopes(constant, ("y",)).error == 0.0
        assert elsewhere.judge_slopes(constant, ("x",)).error > 1e-3

    @pytest.mark.parametrize(
        ("loss", "tau", "mistakes"),
        [
            (warm, 0.3, []),
            (twice, 1.0, ["temperature twice"]),
            (lambda x, y, temperature=1.0: cpc(x, y, temperature**0.5), 1.0, ["root of the temperature"]),
            (lambda x, y, temperature=1.0: cpc(x, y, 1 / temperature), 1.0, []),
            (one_sided, 1.0, ["temperature on one side"]),
            (dead, 0.3, ["temperature not used"]),
            (dead_and_bounded, 0.3, ["temperature not used"]),
            (factor_alone, 1.0, ["temperature not used"]),
            (lambda x, y, temperature=0.3: cpc(x, y, min(temperature, 0.3)), 0.3, []),  # clamped
            (lambda x, y, temperature=0.3: cpc(x, y) if temperature == 0.3 else np.nan, 0.3, []),
            (lambda x, y, temperature=0.3: cpc(x, y) if temperature == 0.3 else 1 / 0, 0.3, []),  # refused
            (cpc, None, []),
            (lambda x, y: cpc(x, y), 0.3, []),
        ],
    )
    def test_the_loss_at_another_temperature(self, loss, tau, mistakes):
        assert [one.mistake for one in elsewhere.judge_temperature(nearest(loss, tau=tau))] == mistakes

    def test_without_a_formula_no_other_temperature_is_asked(self):
        assert list(elsewhere.judge_temperature(nearest(dead)._replace(found=None))) == []

    def test_a_temperature_that_is_only_stored_is_not_asked(self):
        class Stored:
            tau = 0.3

            def __init__(self):
                self.temperature = 0.3

            def __call__(self, x, y):
                return cpc(x, y)

        assert list(elsewhere.judge_temperature(nearest(Stored()))) == []

    @pytest.mark.parametrize("power", [-1, 1])
    def test_a_second_number_may_grow_or_fall_with_the_temperature(self, power):
        """Given τ from 0.3 to 0.45, β from 1 to 1.5 or its inverse."""
        formula = Formula(("other view",), anchors="first", head="hard negatives")
        many = inputs.points("views", 4)
        before = nearest(cpc, formula=formula, second=1.0).found
        after = before._replace(temperature=0.45, second=1.5**power)
        values = np.array([elsewhere.predict(after, arrays) for arrays in many])
        found = elsewhere.refit(before, fit.Measured(many, values))
        assert (1 / found.t, found.e) == pytest.approx((0.45, 1.5**power), rel=1e-6, abs=0)
        assert found.residual < 1e-10

    @staticmethod
    def entries(loss, **fields):
        asked = nearest(loss, **fields)
        return [one.mistake for one in elsewhere.judge_entries(asked)]

    def test_the_losses_of_the_anchors_are_in_order(self):
        assert self.entries(each) == []
        assert self.entries(lambda x, y: each(x, y)[::-1]) == ["entries differ"]

    def test_the_entries_are_compared_to_the_digits_of_the_fit(self):
        def nearly(x, y):
            return each(x, y) + 1e-5

        assert self.entries(nearly) == ["entries differ"]
        assert self.entries(nearly, residual=1e-6) == []

    def test_the_entries_have_the_factor_and_the_shift(self):
        fields = {"reduction": Reduction("mean", 2.0), "shift": 0.5}
        assert self.entries(lambda x, y: 2 * each(x, y) + 0.5, **fields) == []

    def test_another_number_of_entries_is_another_reduction(self):
        assert self.entries(cpc) == ["another reduction"]
        assert self.entries(lambda x, y: each(x, y)[1:]) == ["another reduction"]
        asked = nearest(lambda x, y: float(cpc(x, y)))
        (found,) = elsewhere.judge_entries(asked)
        assert found.sentence == "with reduction='none' 0 numbers come back, where 4 belong"

    def test_the_entries_of_a_sum_are_not_compared(self):
        assert self.entries(cpc, reduction=Reduction("sum", 1.0)) == []
        assert list(elsewhere.judge_entries(nearest(cpc)._replace(found=None))) == []

    BOTH = CPC._replace(anchors="both")

    def test_of_both_views_each_pair_may_have_one_entry(self):
        assert self.entries(lambda x, y: (each(x, y) + each(y, x)) / 2, formula=self.BOTH) == []
        assert self.entries(lambda x, y: np.concatenate([each(x, y), each(y, x)]), formula=self.BOTH) == []

    def test_interleaved_rows_have_interleaved_entries(self):
        def loss(rows):
            x, y = rows[::2], rows[1::2]
            return np.stack([each(x, y), each(y, x)], axis=1).ravel()

        assert self.entries(loss, way="interleaved", formula=self.BOTH) == []

    @pytest.mark.parametrize(
        ("anchors", "right"),
        [
            ("first", each(**POINT)),
            ("second", each(POINT["y"], POINT["x"])),
            ("both", np.concatenate([each(**POINT), each(POINT["y"], POINT["x"])])),
        ],
    )
    def test_the_losses_of_the_anchors_of_each_view(self, anchors, right):
        found = elsewhere.list_anchors(nearest(cpc, formula=CPC._replace(anchors=anchors)).found, POINT)
        assert found == pytest.approx(right, rel=1e-12, abs=0)

    @pytest.mark.parametrize(
        ("combine", "note"),
        [
            (np.mean, "two sequences have the mean of their losses"),
            (np.sum, "two sequences have the sum of their losses"),
        ],
    )
    @pytest.mark.parametrize(("way", "axis"), [("one sequence", 0), ("sequences of one step", 1)])
    def test_two_sequences_have_the_mean_or_the_sum(self, way, axis, combine, note):
        def loss(x, y):
            return combine([cpc(*pair) for pair in zip(np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0))])

        asked = nearest(loss, way)
        assert list(elsewhere.judge_sequences(asked)) == []
        assert list(asked.way.session.notes) == [note]

    def test_two_sequences_may_be_one_batch(self):
        asked = nearest(lambda x, y: cpc(x.reshape(-1, 5), y.reshape(-1, 5)), "one sequence")
        assert list(elsewhere.judge_sequences(asked)) == []
        assert list(asked.way.session.notes) == [
            "two sequences have the loss of all rows in place of their losses"
        ]

    @pytest.mark.parametrize("place", [0, -1])
    def test_a_sequence_that_is_left_out_is_a_mistake(self, place):
        asked = nearest(lambda x, y: cpc(x[place], y[place]), "one sequence")
        assert [one.mistake for one in elsewhere.judge_sequences(asked)] == ["sequences left out"]

    def test_sequences_that_are_mixed_are_a_mistake(self):
        asked = nearest(lambda x, y: cpc(x.mean(axis=0), y.mean(axis=0)), "one sequence")
        assert [one.mistake for one in elsewhere.judge_sequences(asked)] == ["sequences mixed"]

    def test_a_loss_of_one_sequence_is_noted(self):
        def loss(x, y):
            (x,), (y,) = x, y
            return cpc(x, y)

        asked = nearest(loss, "one sequence")
        assert list(elsewhere.judge_sequences(asked)) == []
        (note,) = asked.way.session.notes
        assert note.startswith("not asked with two sequences: it raises ValueError")

    def test_only_sequences_are_asked_in_two(self):
        for asked in (nearest(cpc), nearest(cpc, "one sequence")._replace(found=None)):
            assert list(elsewhere.judge_sequences(asked)) == []
            assert not asked.way.session.notes

    @pytest.mark.parametrize(
        ("loss", "way", "settings", "notes"),
        [
            (cpc, "two", {}, []),
            (
                lambda x, y, labels=None, queue=None: 0.0,
                "two",
                {},
                ["asked without labels, queue, which it may be given: --inputs chooses"],
            ),
            (lambda x, y, labels=None: 0.0, "two", {"labels": 1}, []),
            (lambda x, y, labels=None: 0.0, "two with labels", {}, []),
        ],
    )
    def test_optional_arrays_that_were_not_passed_are_noted(self, loss, way, settings, notes):
        session = Session(target(loss, settings), "numpy")
        elsewhere.note_unasked(Way(way, session))
        assert list(session.notes) == notes

    @pytest.mark.parametrize(
        ("loss", "way", "takes"),
        [
            (Labelled(keeps=False), "pairs with labels", True),
            (Labelled(keeps=False), "classes", False),
            (lambda rows, labels: 1 / (len(set(labels)) == 4), "pairs with labels", False),
            (lambda rows, labels: np.nan, "pairs with labels", False),
        ],
    )
    def test_whether_a_loss_of_pairs_takes_classes(self, loss, way, takes):
        assert elsewhere.takes_classes(nearest(loss, way).way) is takes


def supcon(rows, labels, alone=None, at=None):
    """SupCon, whose rows without a positive are left out, or refused, or each have this loss. at: what is compared
    in place of the labels.
    """
    labels = labels if at is None else at(labels)
    same = (labels[:, None] == labels) & ~np.eye(len(rows), dtype=bool)
    logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
    count = same.sum(axis=1)
    if alone == "refused" and not count.all():
        raise ValueError("a row is alone")
    each = (same * (log_sums(logits)[:, None] - logits)).sum(axis=1) / np.maximum(count, 1)
    counted = count > (0 if alone in (None, "refused") else -1)
    return np.where(count, each, 0.0 if alone in (None, "refused") else alone)[counted].mean()


class TestClasses:
    """A form of SupCon where a row is alone, all are of one class, or labels are far apart."""

    @staticmethod
    def judge(part, way="classes", library="numpy", formula=CPC, device="cpu", **options):
        """What this part of `elsewhere` finds in the loss, and the notes."""
        asked = nearest(lambda rows, labels: supcon(rows, labels, **options), way, formula=formula)
        asked.way.session.target = asked.way.session.target._replace(device=device)
        asked.way.session.library = library
        return list(part(asked)), list(asked.way.session.notes)

    @pytest.mark.parametrize(
        ("alone", "mistakes"),
        [
            (None, []),
            (0.0, ["mean over all rows"]),
            (np.nan, ["value not finite"]),
            (1.0, ["rows alone not left out"]),
        ],
    )
    def test_a_row_alone_in_its_class_is_left_out(self, alone, mistakes):
        found, _ = self.judge(elsewhere.judge_rows_alone, alone=alone)
        assert [one.mistake for one in found] == mistakes

    def test_a_loss_may_refuse_a_row_alone(self):
        found, (note,) = self.judge(elsewhere.judge_rows_alone, alone="refused")
        assert found == []
        assert note.startswith("not asked at an ordinary batch that has a row alone in its class: it raises")

    def test_of_two_views_no_row_is_alone(self):
        assert self.judge(elsewhere.judge_rows_alone, "views of classes", alone=1.0) == ([], [])

    def test_in_a_loss_of_another_form_rows_alone_may_have_a_part(self):
        sigmoid = CPC._replace(head="sigmoid without bias")
        assert self.judge(elsewhere.judge_rows_alone, formula=sigmoid, alone=1.0) == ([], [])

    @pytest.mark.parametrize(("added", "status"), [(0.0, "holds"), (1.0, "fails"), (np.nan, "fails")])
    def test_all_rows_may_be_of_one_class(self, added, status):
        asked = nearest(
            lambda rows, labels: supcon(rows, labels) + added * (len(set(labels)) == 1), "classes"
        )
        (record,) = elsewhere.judge_one_class(asked)
        assert (record.status, record.witness) == (status, "the same formula at a batch of one class")

    def test_a_loss_of_0_at_one_class_is_noted(self):
        asked = nearest(lambda rows, labels: supcon(rows, labels) * (len(set(labels)) > 1), "classes")
        assert list(elsewhere.judge_one_class(asked)) == []
        (note,) = asked.way.session.notes
        assert note.startswith("at a batch of one class it returns 0, where the formula returns ")

    @pytest.mark.parametrize(
        "choices", [{"candidates": ("other view",)}, {"head": "each positive alone, every positive"}]
    )
    def test_a_denominator_of_negatives_alone_is_not_asked_at_one_class(self, choices):
        negatives = CPC._replace(**choices)
        assert self.judge(elsewhere.judge_one_class, formula=negatives) == ([], [])

    @pytest.mark.parametrize(
        ("dtype", "words"),
        [
            ("int64", ""),
            ("uint8", ", which it tells apart only up to multiples of 2⁸"),
            ("int16", ", which it tells apart only up to multiples of 2¹⁶"),
            ("int32", ", which it tells apart only up to multiples of 2³²"),
            ("float16", ", which it tells apart only as float16"),
            ("float32", ", which it tells apart only as float32"),
        ],
    )
    def test_labels_that_are_far_apart_are_not_alike(self, dtype, words):
        (record,), _ = self.judge(elsewhere.judge_far_labels, at=lambda labels: labels.astype(dtype))
        assert record.witness == f"the same formula at labels that are negative and far apart{words}"
        assert record.good is (not words)

    def test_another_value_at_negative_labels_is_noted(self):
        def unlabelled(labels):
            """Each row of a negative label is of a class of its own."""
            return np.where(labels < 0, 1 + np.arange(len(labels)), labels)

        found, notes = self.judge(elsewhere.judge_far_labels, at=unlabelled)
        assert (found, notes) == ([], ["at labels that are negative and far apart it returns another value"])

    def test_a_loss_may_make_room_for_all_labels_up_to_the_largest(self):
        seen = []
        self.judge(elsewhere.judge_far_labels, at=lambda labels: seen.append(labels.max()) or labels)
        assert set(seen) == {0}

    def test_on_a_gpu_labels_are_not_out_of_range(self):
        assert self.judge(elsewhere.judge_far_labels, device="cuda") == ([], [])

    @pytest.mark.slow
    def test_jax_is_asked_with_labels_of_32_bits(self):
        jax = pytest.importorskip("jax.numpy")
        (record,), _ = self.judge(elsewhere.judge_far_labels, library="jax", at=lambda y: jax.asarray(y))
        assert record.good


class TestModes:
    """Of a module of PyTorch."""

    @staticmethod
    def notes(in_training, in_evaluation, training=True):
        torch = pytest.importorskip("torch")

        class Module(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.part = torch.nn.Linear(1, 1)

            def forward(self, x, y):
                return (in_training if self.training else in_evaluation)(torch.sum(x * y), len(x))

        module = Module().train(training)
        module.part.train(not training)
        session = Session(target(module), "torch")
        elsewhere.note_evaluation(Way("two", session))
        assert (module.training, module.part.training) == (training, not training)
        return list(session.notes)

    def test_a_module_with_one_value_in_both_modes_gets_no_note(self):
        assert self.notes(lambda s, n: s, lambda s, n: s * (1 + 1e-8)) == []

    @pytest.mark.parametrize("training", [True, False])
    def test_another_value_in_the_other_mode_is_noted(self, training):
        own, other = ("training", "evaluation") if training else ("evaluation", "training")
        found = self.notes(lambda s, n: s, lambda s, n: s * (1 + 1e-5), training)
        assert found == [f"asked in {own} mode; in {other} mode it returns another value"]

    def test_another_small_value_is_noted(self):
        assert self.notes(lambda s, n: 1e-12 * s, lambda s, n: 2e-12 * s) != []

    def test_another_value_at_one_size_is_noted(self):
        assert self.notes(lambda s, n: s, lambda s, n: s + (n == 6)) != []

    def test_an_error_in_the_other_mode_is_noted(self):
        (note,) = self.notes(lambda s, n: s, lambda s, n: s / 0 if n == 1 else [][0])
        assert note.startswith("asked in training mode; in evaluation mode it raises IndexError")

    def test_a_function_has_no_modes(self):
        pytest.importorskip("torch")
        session = Session(target(lambda x, y: (x * y).sum()), "torch")
        elsewhere.note_evaluation(Way("two", session))
        assert not session.notes

    def test_without_torch_there_are_no_modes(self, monkeypatch):
        monkeypatch.delitem(sys.modules, "torch", raising=False)
        asked = nearest(cpc)
        elsewhere.note_evaluation(asked.way)
        assert not asked.way.session.notes
