"""Where a loss loses digits: inputs rounded to a dtype, comparison with 50 digits, advice."""

import math

import numpy as np
import pytest

from infonce_ref.conformance import numerics
from infonce_ref.conformance.formula import Formula, phi
from infonce_ref.conformance.gradient import differentiate_formula
from infonce_ref.conformance.numerics import Asked, Cell, advise, example, round_to

ACROSS = Formula(("positive", "other view"))
SHAPES = {
    "views": {"x": (4, 3), "y": (4, 3)},
    "classes": {"w": (8, 3), "labels": (8,)},
    "classes of views": {"x": (4, 3), "y": (4, 3), "labels": (4,)},
    "scores": {"scores": (4, 4), "positive": (4,)},
    "scores, positive first": {"scores": (4, 5), "positive": (4,)},
    "scores, drawn positive": {"scores": (4, 5), "positive": (4,)},
    "bank": {"x": (4, 3), "bank": (6, 3), "index": (4,)},
    "queue": {"x": (4, 3), "y": (4, 3), "negatives": (5, 3)},
    "own": {"x": (4, 3), "y": (4, 3), "negatives": (4, 2, 3)},
    "one negative": {"x": (4, 3), "y": (4, 3), "negatives": (4, 1, 3)},
}


def lengths(x):
    return np.linalg.norm(x, axis=-1)


@pytest.mark.parametrize("world", SHAPES)
def test_an_example_has_the_arrays_of_its_world(world):
    arrays = example(world, 0.1, "float64", True, 4)
    assert {name: x.shape for name, x in arrays.items()} == SHAPES[world]
    assert example(world, 0.1, "float64", True, 4).keys() == arrays.keys()


def test_an_example_is_the_same_at_each_call():
    one, other = (example("own", 0.1, "float64", True, 4) for _ in range(2))
    assert all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("alignment", [1.0, 0.003])
def test_views_differ_by_noise_relative_to_the_length(alignment):
    arrays = example("views", alignment, "float64", True, 2000)
    gap = (arrays["y"] - arrays["x"]) / lengths(arrays["x"])[:, None] / alignment
    assert np.std(gap) == pytest.approx(1, rel=0.05, abs=0)  # 6,000 numbers: 5 standard errors
    # the noise of a long row is as large, relative to it, as that of a short one
    of_long = np.std(gap[lengths(arrays["x"]) > 1.25])
    assert of_long == pytest.approx(np.std(gap), rel=0.05, abs=0)


def test_rows_have_length_one_only_for_a_loss_that_does_not_normalise():
    assert np.allclose(lengths(example("views", 0.1, "float64", False, 100)["x"]), 1, rtol=1e-12)
    drawn = lengths(example("own", 0.1, "float64", True, 100)["negatives"])
    assert 0.5 <= drawn.min() < 0.6
    assert 1.9 < drawn.max() <= 2
    assert np.allclose(lengths(example("queue", 0.1, "float64", False, 9)["negatives"]), 1, rtol=1e-12)


def test_rows_point_everywhere():
    x = example("views", 0.1, "float64", False, 2000)["x"]
    assert np.all(abs(x.mean(axis=0)) < 0.07)  # of coordinates with a deviation of √(1/3): 5 standard errors


def test_classes_are_the_pairs():
    arrays, views = (example(world, 0.1, "float64", True, 4) for world in ("classes", "views"))
    assert np.array_equal(arrays["w"], np.concatenate([views["x"], views["y"]]))
    assert arrays["labels"].tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert example("classes of views", 0.1, "float64", True, 4)["labels"].tolist() == [0, 1, 2, 3]


def test_scores_are_cosines_of_the_pairs():
    arrays, views = (example(world, 0.1, "float64", True, 4) for world in ("scores", "views"))
    unit_x, unit_y = (v / lengths(v)[:, None] for v in views.values())
    assert np.allclose(arrays["scores"], unit_x @ unit_y.T, rtol=1e-12)
    assert arrays["positive"].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("world", "positive"),
    [("scores, positive first", [0, 0, 0, 0]), ("scores, drawn positive", [0, 2, 4, 1])],
)
def test_of_other_scores_the_positives_are_cosines_of_the_pairs(world, positive):
    wide, square = (example(each, 0.003, "float64", True, 4) for each in (world, "scores"))
    assert wide["positive"].tolist() == positive
    chosen = wide["scores"][np.arange(4), positive]
    assert np.array_equal(chosen, np.diag(square["scores"]))
    others = np.sort(wide["scores"], axis=1)[:, :-1]
    assert -1 <= others.min() < 0 < others.max() <= 0.5


def test_rows_of_a_bank_begin_with_the_partners():
    arrays, views = (example(world, 0.1, "float64", True, 4) for world in ("bank", "views"))
    assert np.array_equal(arrays["bank"][:4], views["y"])
    assert np.all(lengths(arrays["bank"][4:]) > 0.4)
    assert arrays["index"].tolist() == [0, 1, 2, 3]


def test_an_example_is_rounded_to_its_dtype():
    fine, coarse = (example("own", 0.1, dtype, True, 4) for dtype in ("float64", "float16"))
    for name, x in coarse.items():
        assert np.array_equal(x, fine[name].astype(np.float16))
        assert not np.array_equal(x, fine[name])


@pytest.mark.parametrize(
    ("x", "dtype", "rounded"),
    [
        (1 + 2.0**-8, "bfloat16", 1 + 2.0**-7),  # halves go up
        (1 + 2.0**-9, "bfloat16", 1),
        (-1 - 3 * 2.0**-9, "bfloat16", -1 - 2.0**-7),
        (3.0e38, "bfloat16", 226 * 2.0**120),
        (1 + 2.0**-9, "float16", 1 + 2.0**-9),
        (1 + 2.0**-12, "float16", 1),
        (1 + 2.0**-12, "float32", 1 + 2.0**-12),
        (1 + 2.0**-25, "float32", 1),
        (1 + 2.0**-52, "float64", 1 + 2.0**-52),
    ],
)
def test_a_number_is_rounded_to_a_dtype(x, dtype, rounded):
    found = round_to(np.array([x]), dtype)
    assert (found[0], found.dtype) == (rounded, np.float64)


def test_integers_are_not_rounded():
    x = np.array([2049])
    assert round_to(x, "float16") is x


@pytest.mark.parametrize(
    ("error", "came", "exact", "digits", "shown"),
    [
        (1e-5, "", True, 5, "5"),
        (1e-3, "", True, 3, "3"),
        (1.1e-3, "", False, 2.96, "3"),
        (0.0, "", True, 6.92, "7"),  # no more than the dtype has
        (5.0, "", False, 0, "0"),
        (1e-5, "inf", False, 0, "inf"),
        (math.inf, "NaN", False, 0, "NaN"),
    ],
)
def test_a_cell_has_the_digits_of_its_error(error, came, exact, digits, shown):
    cell = Cell("float32", 0.1, "near", error, came, 1e-3)
    assert cell.exact is exact
    assert cell.digits == pytest.approx(digits, abs=0.005)
    assert cell.shown == shown


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_the_smallest_number_and_the_step_from_one_are_the_dtypes(dtype):
    assert numerics.TINY[dtype] == np.finfo(dtype).tiny
    assert numerics.EPS[dtype] == np.finfo(dtype).eps


ARRAYS = example("views", 1.0, "float32", True, 2)
RIGHT = phi(ACROSS, ARRAYS, 4.0)
SLOPES = differentiate_formula(ACROSS, ARRAYS, 4.0, 0.0, 0.75)
VALUE = 3 * RIGHT / 4 + 0.5


def ask(value, gradient=None, dtype="float32", **changes):
    given = {"temperature": 0.25, "inverse": 4.0, "factor": 3.0, "count": 4.0, "shift": 0.5, "arrays": ARRAYS}
    given |= {"formula": ACROSS, "e": 0.0} | changes
    return numerics.cell(lambda arrays: Asked(value, gradient or {}), dtype=dtype, alignment="apart", **given)


def test_a_cell_compares_the_value_with_factor_phi_over_count_plus_shift():
    assert ask(VALUE).error < 1e-14
    assert ask(VALUE * 1.01).error == pytest.approx(0.01, rel=1e-9, abs=0)
    assert ask(VALUE * 0.99).error == pytest.approx(0.01, rel=1e-9, abs=0)
    assert ask(VALUE)[:3] == ("float32", 0.25, "apart")
    assert ask(VALUE).came == ""


def test_a_cell_calls_the_loss_with_its_arrays():
    asked = []

    def loss(arrays):
        asked.append(arrays)
        return Asked(VALUE, {})

    numerics.cell(loss, ACROSS, ARRAYS, "float32", 0.25, "apart", 4.0, 0.0, 3.0, 4.0, 0.5)
    assert asked == [ARRAYS]


def test_the_second_parameter_enters_the_comparison():
    margin = ACROSS._replace(head="margin on the positive")
    assert ask(3 * phi(margin, ARRAYS, 4.0, 0.2) / 4 + 0.5, formula=margin, e=0.2).error < 1e-14


@pytest.mark.parametrize(
    ("inverse", "temperature", "times"), [(4.0, 0.25, 4), (0.5, 2.0, 1), (-8.0, 0.25, 8), (4.0, 0.125, 8)]
)
def test_roundings_of_the_logits_are_tolerated(inverse, temperature, times):
    """200 roundings of numbers of size 1, or of logits of size 1/τ."""
    assert ask(VALUE, inverse=inverse, temperature=temperature).explained == 200 * 2.0**-23 * times
    assert ask(math.nan, "bfloat16", temperature=1 / 16, dtype="bfloat16").explained == 200 * 2.0**-7 * 16


@pytest.mark.parametrize(("value", "came"), [(math.nan, "NaN"), (math.inf, "inf"), (-math.inf, "inf")])
def test_a_value_that_is_not_finite_has_no_digit(value, came):
    assert ask(value)[3:5] == (math.inf, came)


def test_a_value_of_zero_has_no_digit():
    assert ask(0.0)[3:5] == (1, "0")


@pytest.mark.parametrize("value", [0.0, 1e-30])
def test_nothing_is_asked_of_a_value_too_small_for_the_dtype(value):
    """In bfloat16 and float32 a value below 1,000 times 2⁻¹²⁶ may be subnormal somewhere in its sum."""
    small = {"factor": 900 * 2.0**-126 / RIGHT * 4, "shift": 0.0}
    assert ask(value, **small)[3:5] == (0, "")
    assert ask(value, dtype="float64", **small)[3] > 0.5
    large = {"factor": 1100 * 2.0**-126 / RIGHT * 4, "shift": 0.0}
    assert ask(value, **large)[3] > 0.5


def test_a_value_that_should_be_zero_is_right():
    assert ask(0.0, factor=0.0, shift=0.0)[3:5] == (0, "")
    assert ask(1e-9, factor=0.0, shift=0.0)[3:5] == (0, "")


def test_the_error_of_a_gradient_is_relative_to_its_largest_entry():
    x, largest = SLOPES["x"].copy(), np.max(abs(SLOPES["x"]))
    assert ask(VALUE, SLOPES).error < 1e-14
    x[1, 2] += 0.125 * largest
    assert ask(VALUE, {"x": x}).error == pytest.approx(0.125, rel=1e-9, abs=0)
    assert ask(VALUE, {"y": SLOPES["y"], "x": 2 * SLOPES["x"] - x}).error == pytest.approx(
        0.125, rel=1e-9, abs=0
    )


def test_the_larger_error_of_value_and_gradient_counts():
    slightly = {"x": SLOPES["x"] * 1.001}
    assert ask(VALUE * 1.01, slightly).error == pytest.approx(0.01, rel=1e-9, abs=0)
    assert ask(VALUE * 1.0001, slightly).error == pytest.approx(0.001, rel=1e-9, abs=0)


def test_a_gradient_with_a_number_that_is_not_finite_has_no_digit():
    x = SLOPES["x"].copy()
    x[0, 1] = np.nan
    assert ask(VALUE, {"y": SLOPES["y"], "x": x})[3:5] == (math.inf, "NaN'")


def test_nothing_is_asked_of_a_gradient_below_the_smallest_number():
    x = np.full_like(ARRAYS["x"], 1e-9)
    small = {"factor": 1e-40, "shift": 0.5}
    assert ask(0.5, {"x": x}, **small).error < 1e-14
    assert ask(0.5, {"x": x}, dtype="float64", **small).error > 1


def cell(came="", error=0.0, alignment="near"):
    return Cell("float32", 0.1, alignment, error, came, 1e-3)


LOST, OVERFLOWS, UNDERFLOWS, ZERO = (
    cell(error=0.1),
    cell("NaN", alignment="aligned"),
    cell("inf", alignment="apart"),
    cell("0", 1.0),
)


@pytest.mark.parametrize(
    ("cells", "head", "words"),
    [
        ([LOST], "cross-entropy", "as softplus(logsumexp of the negatives − the positive)"),
        ([ZERO, cell()], "cross-entropy", "as softplus(logsumexp of the negatives − the positive)"),
        ([UNDERFLOWS, LOST], "cross-entropy", "logsumexp less the positive's logit: P underflows"),
        ([cell("NaN'")], "cross-entropy", "logsumexp less the positive's logit: P underflows"),
        ([UNDERFLOWS, OVERFLOWS], "cross-entropy", "subtract each row's largest logit"),
        ([OVERFLOWS], "sigmoid", "take softplus(x) for log(1 + e^x)"),
        ([LOST], "sigmoid of means", "take softplus(x) for log(1 + e^x)"),
        ([LOST], "pull", "the squared difference of the unit rows"),
        ([LOST], "power", "the difference of the rows before any square"),
        ([LOST], "hardest hinge", "does not cancel as n nears p"),
        ([LOST], "hard negatives", "as softplus(logsumexp of the negatives − the positive)"),
    ],
)
def test_advice_depends_on_what_is_lost_and_on_the_head(cells, head, words):
    assert words in advise(cells, head)


@pytest.mark.parametrize(
    ("cells", "head"),
    [
        ([], "cross-entropy"),
        ([cell()], "sigmoid"),
        ([LOST], "no logarithm"),
        ([LOST], "log of the mean kernel"),
    ],
)
def test_nothing_is_advised_if_all_is_exact_or_the_form_is_unusual(cells, head):
    assert advise(cells, head) == ""
