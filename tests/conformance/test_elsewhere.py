"""A loss that is right only at small even batches, or with few features, fails."""

import numpy as np
import pytest
from conformance.fitted import CPC, POINT, UNKNOWN, cpc, log_sums, nearest, needs_even, scores_alone
from few import few

from infonce_ref.conformance import check, elsewhere, inputs
from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.names import Reduction


def odd(x, y):
    return cpc(x[: len(x) // 2 * 2], y[: len(y) // 2 * 2])


def first_rows(x, y):
    return cpc(x[:64], y[:64])


def first_features(x, y):
    return cpc(x[:, :32], y[:, :32])


@pytest.mark.parametrize(
    ("loss", "words"),
    few(
        [
            (odd, "cpc at 4 and 6 pairs, and not the same formula at 5 pairs of 5 features"),
            (first_rows, "and not the same formula at 67 pairs of 64 features"),
            (first_features, "and not the same formula at 67 pairs of 64 features"),
        ],
        kept=lambda case: case[0] is first_features,
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
    assert (
        "not asked with 5 pairs of 5 features: it raises ValueError: an even batch is needed" in report.about
    )


@pytest.mark.parametrize(
    ("name", "rows"), [("two", [5, 32, 67, 8]), ("predictions and projections", [6, 32, 68, 8])]
)
def test_a_loss_that_halves_its_batch_gets_an_even_number(name, rows):
    way = Way(name, None)
    drawn = [elsewhere.draw_points(way, size, features) for size, features in elsewhere.BATCHES]
    assert [len(point["x"]) for points in drawn for point in points] == [n for n in rows for _ in range(2)]


@pytest.mark.parametrize("largest", [64, 100])
def test_a_gradient_is_checked_at_more_than_64_rows(largest):
    def backward(scores):
        p = np.exp(scores - log_sums(scores)[:, None]) - np.eye(len(scores))
        return p / len(scores) * (len(scores) <= largest)

    verdict = check(scores_alone, inputs="scores", backward=backward).verdicts["gradient"]
    assert verdict.holds is (largest == 100)
    assert ("and not the slope of the formula at 67 pairs" in verdict.sentence) is (largest == 64)


def test_the_batches_have_other_sizes_and_features():
    for size, features in elsewhere.BATCHES:
        apart, close = elsewhere.draw_points(Way("two", None), size, features)
        assert apart["x"].shape == close["x"].shape == (size, features)
        # rows far apart, of spread 1, and rows close together, of spread 0.1
        assert np.ptp(apart["x"]) > 2 * np.ptp(close["x"])


def test_the_second_batch_has_other_labels():
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
def test_the_formula_is_evaluated_with_its_factor_and_shift(fields, factor, shift):
    found = nearest(cpc, **fields).found
    right = factor * cpc(**POINT) + shift
    assert elsewhere.predict(found, POINT) == pytest.approx(right, rel=1e-13, abs=0)


def test_constant_weights_are_those_of_other_arrays():
    """At the same arrays they are the weights that are not constant."""
    found = nearest(cpc, formula=CPC._replace(head="positives weighed"), second=0.5).found
    other = inputs.points("views", 4, each=1)[0]
    own = elsewhere.predict(found, POINT)
    assert elsewhere.predict(found, POINT, POINT) == pytest.approx(own, rel=1e-13, abs=0)
    assert abs(elsewhere.predict(found, POINT, other) - own) > 1e-3


def test_a_loss_that_is_the_formula_holds_at_each_batch():
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


def test_a_loss_that_cuts_wide_rows_is_found():
    *rest, wide = elsewhere.judge_batches(nearest(lambda x, y: cpc(x[:, :1024], y[:, :1024])))
    assert [one.good for one in rest] == [True, True, True]
    assert not wide.good


def test_rows_that_are_read_as_several_of_a_fixed_number_of_features_are_refused():
    asked = nearest(lambda x, y: cpc(x.reshape(-1, 5), y.reshape(-1, 5)))
    assert [one.check for one in elsewhere.judge_batches(asked)] == ["formula at 5", "formula at 32"]


def test_a_million_pairs_of_features_are_not_compared():
    columns = nearest(cpc, formula=CPC._replace(rows="columns"))
    assert [one.check for one in elsewhere.judge_batches(columns)][3:] == []


def test_a_formula_that_fits_less_well_has_a_larger_tolerance():
    assert {one.tolerance for one in elsewhere.judge_batches(nearest(cpc, residual=1e-7))} == {100 * 1e-7}


@pytest.mark.parametrize("which", [0, 1])
def test_the_larger_error_of_two_points_is_relative_to_one_more_than_the_value(which):
    point = elsewhere.draw_points(Way("two", None), 5, 5)[which]

    def loss(x, y):
        return cpc(x, y) + (1e-3 if np.array_equal(x, point["x"]) else 0)

    first, *_ = elsewhere.judge_batches(nearest(loss))
    assert first.status == "fails"
    assert first.error == pytest.approx(1e-3 / (1 + cpc(**point)), rel=1e-10, abs=0)
    assert "labels change" not in first.witness


def test_the_error_of_a_negative_value_is_relative_to_its_size():
    first, *_ = elsewhere.judge_batches(nearest(lambda x, y: cpc(x, y) - 9 + 1e-3, shift=-9.0))
    values = [cpc(**point) - 9 for point in elsewhere.draw_points(Way("two", None), 5, 5)]
    assert first.error == pytest.approx(max(1e-3 / (1 + abs(value)) for value in values), rel=1e-9, abs=0)


@pytest.mark.parametrize("found", [None, nearest(cpc, reduction=UNKNOWN).found])
def test_without_a_known_formula_nothing_is_compared(found):
    asked = nearest(scores_alone, "scores", backward=lambda s: s)._replace(found=found)
    assert elsewhere.judge_batches(asked) == []
    assert elsewhere.judge_slopes(asked, ("scores",)) is None


@pytest.mark.parametrize(("times", "holds"), [(1.019, True), (1.021, False)])
def test_a_loss_that_is_another_in_float32_is_found(times, holds):
    """It may change as much as if a part were rounded to half precision."""

    def loss(x, y):
        return cpc(x, y) * (times if x.dtype == np.float32 else 1)

    (record,) = elsewhere.judge_dtypes(nearest(loss))
    assert (record.check, record.good) == ("formula in float32", holds)
    assert record.error == pytest.approx(times - 1, rel=1e-4, abs=0)
    assert elsewhere.find_other_losses(nearest(loss)) == ([] if holds else ["float32"])


def test_a_loss_in_float32_may_compute_in_half_precision():
    def loss(x, y):
        rounded = (v.astype(np.float16) if v.dtype == np.float32 else v for v in (x, y))
        return cpc(*rounded) * (1.1 if x.dtype == np.float32 else 1)

    (record,) = elsewhere.judge_dtypes(nearest(loss))
    assert (record.status, record.tolerance) == ("holds", 1.0)


def test_a_loss_of_float32_is_compared_in_float64():
    asked = nearest(lambda x, y: cpc(x, y) * x.dtype.itemsize / 4)
    single = asked._replace(way=asked.way.given({}, "float32"), precision="float32")
    assert elsewhere.find_other_losses(single) == ["float64"]


@pytest.mark.parametrize(
    ("order", "holds"), [("C", True), ("K", False)], ids=["rows first", "as they lie in memory"]
)
def test_a_loss_that_reads_memory_in_order_is_found(order, holds):
    asked = nearest(lambda x, y: cpc(x.ravel(order).reshape(x.shape), y))
    (record,) = elsewhere.judge_layout(asked)
    assert (record.check, record.good) == ("formula by columns", holds)
    assert record.tolerance == 1e-8  # a hundred times that of float64
    assert asked.way.session.transposed is False


def test_a_loss_that_refuses_arrays_by_columns_is_noted():
    def loss(x, y):
        if not x.flags.c_contiguous:
            raise ValueError("rows first, please")
        return cpc(x, y)

    asked = nearest(loss)
    assert list(elsewhere.judge_layout(asked)) == []
    (note,) = asked.way.session.notes
    where = "arrays that lie column by column in memory"
    assert note.startswith(f"not asked with {where}: it raises ValueError: rows first, please")
    assert asked.way.session.transposed is False


@pytest.mark.parametrize("law", ["mean", "unknown"])
def test_without_a_finite_number_or_a_formula_no_dtype_is_compared(law):
    def loss(x, y):
        return cpc(x, y) * (np.inf if x.dtype == np.float32 or law == "unknown" else 1)

    assert list(elsewhere.judge_dtypes(nearest(loss, reduction=Reduction(law, 1.0)))) == []


def test_a_dtype_that_a_loss_refuses_is_not_compared():
    def loss(x, y):
        if x.dtype != np.float64:
            raise TypeError("float64 alone")
        return cpc(x, y)

    assert list(elsewhere.judge_dtypes(nearest(loss))) == []


def test_a_refused_batch_is_left_out():
    asked = nearest(needs_even)
    assert [one.check for one in elsewhere.judge_batches(asked)] == ["formula at 32", "formula at 8"]
    assert [note[:37] for note in asked.way.session.notes] == [
        "not asked with 5 pairs of 5 features:",
        "not asked with 67 pairs of 64 feature",
    ]


SCORES = Formula(("positive", "other view"), anchors="first", rows="given")


def slopes(times, live=("scores",), **fields):
    def backward(scores):
        p = np.exp(scores - log_sums(scores)[:, None])
        return times * (p - np.eye(len(scores))) / len(scores)

    asked = nearest(scores_alone, "scores", 1.0, backward=backward, formula=SCORES, **fields)
    return elsewhere.judge_slopes(asked, live), backward


def test_a_right_gradient_has_the_slope_of_the_formula():
    record, _ = slopes(1)
    assert (record.check, record.status, record.tolerance) == ("gradient at 67", "holds", 1e-5)
    assert record.witness == "the slope of the formula at 67 pairs of 64 features"
    assert record.error < 1e-8  # h² = 1e-8 times third derivatives, which are smaller than the gradient


def test_the_error_of_a_slope_is_relative_to_the_gradient_and_the_slope():
    record, backward = slopes(1.01)
    arrays = elsewhere.draw_points(Way("scores", None), 67, 64)[0]
    along = np.random.default_rng(6).standard_normal(arrays["scores"].shape)
    own = backward(arrays["scores"])
    right = abs(np.sum(own * along)) / 1.01
    assert record.error == pytest.approx(0.01 * right / (np.linalg.norm(own) + right), rel=1e-5, abs=0)
    assert record.status == "fails"


def test_the_slope_of_constant_weights_is_that_of_the_rest():
    """A gradient along the direction itself, whose slope is that of the formula at weights that do not move."""
    formula = SCORES._replace(head="positives weighed")
    found = nearest(scores_alone, formula=formula, tau=1.0, second=0.5).found
    arrays = elsewhere.draw_points(Way("scores", None), 67, 64)[0]
    along = np.random.default_rng(6).standard_normal(arrays["scores"].shape)
    moved = ({**arrays, "scores": arrays["scores"] + step * along} for step in (1e-4, -1e-4))
    ahead, behind = (elsewhere.predict(found, point, arrays) for point in moved)
    own = (ahead - behind) / 2e-4 * along / np.sum(along**2)
    asked = nearest(scores_alone, "scores", backward=lambda scores: own)._replace(found=found)
    assert elsewhere.judge_slopes(asked, ("scores",), held=True).error < 1e-10
    assert elsewhere.judge_slopes(asked, ("scores",)).error > 1e-3


def test_a_formula_that_fits_less_well_has_a_larger_tolerance_of_slopes():
    assert slopes(1, residual=1e-6)[0].tolerance == 100 * 1e-6


def test_without_an_array_that_the_gradient_reaches_no_slope_is_compared():
    assert slopes(1, live=())[0] is None


def test_a_loss_that_does_not_run_at_the_largest_batch_has_no_slope():
    asked = nearest(needs_even, backward=lambda x, y: (x, y))
    assert elsewhere.judge_slopes(asked, ("x", "y")) is None


def test_only_the_arrays_that_the_gradient_reaches_are_moved():
    def wrong(x, y):
        """Right by none, but 0 by y."""
        return x, 0 * y

    constant = nearest(lambda x, y: 0.0, backward=wrong, reduction=Reduction("mean", 0.0))
    assert elsewhere.judge_slopes(constant, ("y",)).error == 0.0
    assert elsewhere.judge_slopes(constant, ("x",)).error > 1e-3
