"""A loss by name: its reduction and options as measured, and how a formula differs from one."""

import math

import numpy as np
import pytest

from infonce_ref.conformance import names
from infonce_ref.conformance.fit import Fit
from infonce_ref.conformance.formula import Formula, phi, places
from infonce_ref.conformance.inputs import points
from infonce_ref.conformance.names import (
    Difference,
    Form,
    Found,
    Reduction,
    counts,
    is_near,
    list_names,
    sizes,
)

CROSS = Formula(("positive", "other view"))
CLIP = Form(("positive", "other view"), name="clip", reductions=("mean",))
HERE, THERE = (places({"x": np.ones((n, 5)), "y": np.ones((n, 5))}) for n in (4, 6))


def found(formula=CROSS, law="mean", factor=1.0, **more):
    given = {
        "temperature": 0.1,
        "second": None,
        "shift": 0.0,
        "residual": 1e-15,
        "tolerance": 1e-9,
        "candidates": 4,
    }
    return Found(formula, reduction=Reduction(law, factor), **given | {"size": 4} | more)


def told(differences):
    return [each.mistake for each in differences]


def fit(scale, formula=CROSS):
    return Fit(formula, 10.0, 0.0, scale, 0.0, 0.0)


# --- reductions -------------------------------------------------------------------------------------------


def test_the_numbers_by_which_reductions_divide():
    """Of 4 pairs: 8 anchors with one positive each, 3 others each."""
    assert counts(CROSS, HERE) == {
        "mean": 8,
        "sum": 1,
        "mean over the pairs": 8,
        "mean over the negatives": 24,
        "mean over the entries": 32,
        "mean over 2(B − 1)": 6,
        "mean twice": 64,
    }


@pytest.mark.parametrize("anchors", ["first", "second"])
def test_only_the_anchors_of_the_formula_are_counted(anchors):
    by = counts(Formula(("self", "other view"), anchors), HERE)
    assert (by["mean"], by["mean over the negatives"], by["mean over the entries"]) == (4, 16, 20)


def test_anchors_without_a_positive_do_not_count():
    """Classes {0, 0, 0}, {1}: three anchors with two positives each, and one without."""
    where = places({"w": np.ones((4, 2)), "labels": np.array([0, 0, 0, 1])})
    by = counts(Formula(("positive", "other view"), "first"), where)
    assert (by["mean"], by["mean over the pairs"], by["mean over the negatives"]) == (3, 6, 6)


def test_a_batch_that_is_one_term_counts_once():
    assert counts(CROSS._replace(head="log of the mean kernel"), HERE)["mean"] == 1


@pytest.mark.parametrize(
    ("scales", "law", "factor"),
    [
        ((1 / 8, 1 / 12), "mean", 1),
        ((1.0, 1.0), "sum", 1),
        ((1 / 24, 1 / 60), "mean over the negatives", 1),
        ((1 / 32, 1 / 72), "mean over the entries", 1),
        ((1 / 6, 1 / 10), "mean over 2(B − 1)", 1),
        ((1 / 64, 1 / 144), "mean twice", 1),
        ((-3 / 8, -3 / 12), "mean", -3),
        ((2.5, 2.5), "sum", 2.5),
        ((1.0, 1.5), "unknown", 1),
        ((2.0, 1.7), "unknown", 2),
    ],
)
def test_the_reduction_has_the_same_factor_at_two_sizes(scales, law, factor):
    assert names.reduction(tuple(map(fit, scales)), (HERE, THERE), 1e-9) == Reduction(
        law, pytest.approx(factor)
    )


def test_a_factor_of_one_is_preferred():
    """Else the first that fits: a mean over the pairs divides by the same number as one over the anchors."""
    where = tuple(places({"scores": np.ones((n, 3)), "positive": np.zeros(n, int)}) for n in (4, 6))
    row = Formula(("positive", "other view"), "first")
    assert names.reduction((fit(3 / 4, row), fit(3 / 6, row)), where, 1e-9) == Reduction("mean", 3)
    # with two negatives each, 1 over their number is a half over the number of anchors
    found = names.reduction((fit(1 / 8, row), fit(1 / 12, row)), where, 1e-9)
    assert found == Reduction("mean over the negatives", pytest.approx(1))


def test_factors_at_two_sizes_may_differ_by_the_tolerance():
    assert names.reduction((fit(10.0), fit(10.0 + 9e-6)), (HERE, THERE), 1e-6).law == "sum"
    assert names.reduction((fit(10.0), fit(10.0 + 2e-5)), (HERE, THERE), 1e-6).law == "unknown"


def test_a_reduction_has_words():
    assert Reduction("sum", 1.0).words == "the sum over the anchors"
    assert names.LAWS.keys() == {*counts(CROSS, HERE), "unknown"}


@pytest.mark.parametrize(
    ("a", "b", "near"),
    [
        (100.0, 101.0, True),
        (101.0, 100.0, True),
        (100.0, 102.1, False),
        (-100.0, -101.0, True),
        (1, -1, False),
    ],
)
def test_near_is_relative_to_the_larger(a, b, near):
    assert is_near(a, b, 0.0099505) is near
    assert is_near(0.0, 0.0, 0.0)


# --- what was measured ------------------------------------------------------------------------------------


def test_the_inverse_temperature_is_positive_and_one_without_a_temperature():
    assert [found(temperature=tau).inverse for tau in (0.25, -0.25, None)] == [4, 4, 1]


@pytest.mark.parametrize(
    ("numbers", "either", "words"),
    [
        ((), (), ""),
        ((("weight", 0.5),), (), ""),
        ((("length", 1.04e-3), ("weight", 0.5)), (), "with about 0.001 added to the length of each row"),
        (
            (("length", 0.001), ("root", 0.2)),
            ("length", "lengths"),
            "with about 0.001 added to the length of each row and "
            "with about 0.2 added to the squared length of each row",
        ),
        (
            (("length", 0.001),),
            ("length", "lengths"),
            "with about 0.001 added to the length of each row or to the product of two rows' lengths",
        ),
        ((("length", 0.001),), ("length",), "with about 0.001 added to the length of each row"),
    ],
)
def test_an_added_number_is_described(numbers, either, words):
    assert names.describe_added(found(CROSS._replace(numbers=numbers), either=either)) == words


@pytest.mark.parametrize(
    ("law", "shifted_by", "shift", "expected"),
    [
        ("mean", "", 0.5, (2, 12, 0.5)),
        ("sum", "", 0.5, (2, 1, 6)),  # of each of 12 anchors
        ("unknown", "", 0.5, (2, 1, 0.5)),
        ("mean", None, 0.5, (2, 12, 0.5)),
        ("mean", "1/n", 0.5, (2, 12, 0.5 * 8 / 12)),
        ("mean", "log c", 0.5, (2, 12, 0.5 * math.log(6) / math.log(4))),
    ],
)
def test_scaling_of_another_batch(law, shifted_by, shift, expected):
    unit = names.SHIFTS[shifted_by or ""](8, 4)
    of_four = found(law=law, factor=2.0, shift=shift, shifted_by=shifted_by, shift_unit=unit)
    arrays = {"x": np.ones((6, 5)), "y": np.ones((6, 5))}
    assert names.find_scaling(of_four, arrays) == pytest.approx(expected, rel=1e-12, abs=0)


def test_sizes_are_of_anchors_and_of_candidates_in_the_largest_denominator():
    assert sizes(CROSS, HERE) == (8, 4)
    assert sizes(Formula(("self", "same view", "other view"), "first"), HERE) == (4, 7)
    where = places({"w": np.ones((4, 2)), "labels": np.array([0, 0, 0, 1])})
    assert sizes(Formula(("positive",), "first"), where) == (3, 2)


@pytest.mark.parametrize(
    ("shifts", "law"),
    [
        ((0.5, 0.5), ""),
        ((1 / 8, 1 / 12), "1/n"),
        ((1 / 8, 1 / 12 + 5e-6), None),
        ((-2 * math.log(4), -2 * math.log(6)), "log c"),
        ((math.log(8), math.log(12)), "log n"),
        ((math.log(3), math.log(5)), "log(c − 1)"),
        ((math.log(5), math.log(7)), "log(c + 1)"),
        ((0.5, 0.7), None),
        ((0.0, 0.0), ""),
        ((0.5, 0.5 + 1e-6), ""),
        ((0.5, 0.5 + 2e-6), None),
        ((-99.0, -99.0 - 9e-5), ""),
    ],
)
def test_a_constant_depends_on_the_batch_by_a_law(shifts, law):
    assert names.find_shift_law(shifts, ((8, 4), (12, 6))) == law


def test_the_logarithm_of_no_other_candidate_is_zero():
    assert names.SHIFTS["log(c − 1)"](4, 1) == 0


# --- mistakes in any loss ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "mistakes"),
    [
        ({}, []),
        ({"rows": "by column"}, ["normalised along the batch"]),
        ({"similarity": "absolute"}, ["absolute similarities"]),
        ({"head": "no logarithm"}, ["logarithm missing"]),
        ({"positive": "next"}, ["labels shifted"]),
        ({"sign": -1}, ["sign flipped"]),
        (
            {"rows": "by column", "similarity": "square", "sign": -1},
            ["normalised along the batch", "squared similarities", "sign flipped"],
        ),
        ({"numbers": (("logarithm", 1e-6),)}, ["number added inside the logarithm"]),
        ({"numbers": (("denominator", 1.2e-7),)}, ["number added to the denominator"]),
        ({"numbers": (("denominator", 1.03e-7),)}, []),
        ({"numbers": (("root", 1.03e-5),)}, []),
        ({"numbers": (("root", 1.2e-5),)}, ["number added to the lengths"]),
        ({"numbers": (("weight", 0.5),)}, []),
    ],
)
def test_mistakes_of_a_formula(choice, mistakes):
    formula = CROSS._replace(**choice)
    assert told(names.list_own_mistakes(formula)) == mistakes
    assert told(found(formula).mistakes) == mistakes


def test_the_added_number_is_told_with_two_digits():
    (one,) = names.list_own_mistakes(CROSS._replace(numbers=(("logarithm", 0.00126),)))
    assert one.sentence == "0.0013 is added inside the logarithm"


# --- structure --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "form", "mistakes"),
    [
        ({}, {}, []),
        ({"rows": "given"}, {}, ["not normalised"]),
        ({"rows": "given"}, {"rows": ("unit", "given")}, []),
        ({"rows": "unit"}, {"rows": ("given",)}, ["normalised"]),
        ({"rows": "centred"}, {}, ["rows centred over the batch"]),
        ({"rows": "centred together"}, {}, ["rows centred over the batch"]),
        ({"similarity": "distance"}, {}, ["another similarity"]),
        ({"similarity": "absolute"}, {}, ["absolute similarities"]),
        ({"candidates": ("self", "positive", "other view")}, {}, ["self left in the denominator"]),
        ({"candidates": ("other view",)}, {}, ["positive missing from the denominator"]),
        (
            {"candidates": ("positive", "same view")},
            {},
            ["same view among the negatives", "other view missing"],
        ),
        ({}, {"candidates": ("positive", "same view", "other view")}, ["same view missing"]),
        ({}, {"candidates": ("self", "positive", "other view")}, ["self missing from the denominator"]),
        ({}, {"candidates": ("other view",)}, ["positive in the denominator"]),
        ({"candidates": ("positive", "other view", "negatives")}, {}, ["negatives among the candidates"]),
        (
            {"candidates": ("positive", "other view", "queries' negatives")},
            {"candidates": ("positive", "other view", "negatives")},
            ["negatives of one direction"],
        ),
        ({}, {"candidates": ("positive", "other view", "negatives")}, ["negatives missing"]),
        ({"head": "sigmoid"}, {}, ["sigmoid for softmax"]),
        ({}, {"head": "sigmoid"}, ["softmax for another form"]),
        ({"head": "pairwise"}, {}, ["pairwise"]),
        ({"head": "no logarithm"}, {}, ["logarithm missing"]),
        ({"anchors": "first"}, {}, ["one direction"]),
        ({"anchors": "first"}, {"anchors": ("both", "first")}, []),
        ({"positive": "next"}, {}, ["labels shifted"]),
        ({"head": "uniformity of each view", "candidates": ("same view",)}, {}, ["uniformity of each view"]),
        (
            {"head": "alignment and uniformity", "candidates": ("same view",)},
            {},
            ["alignment and uniformity"],
        ),
    ],
)
def test_the_structure_differs(choice, form, mistakes):
    assert told(names.structure(CROSS._replace(**choice), CLIP._replace(**form))) == mistakes


def test_the_log_of_the_mean_kernel_is_compared_by_its_candidates():
    kernel = "log of the mean kernel"
    form = CLIP._replace(head=kernel)
    formula = CROSS._replace(head=kernel, candidates=("positive", "same view", "other view"))
    assert told(names.structure(formula, form)) == ["same view among the negatives"]


def test_a_head_without_words_is_told_by_its_formula():
    (difference,) = names.structure(CROSS._replace(head="pull"), CLIP)
    assert difference == Difference("no negatives", "each anchor pays −s_p")
    (difference,) = names.structure(CROSS._replace(head="pairwise"), CLIP)
    assert difference.sentence == "each negative against the positive alone, not all in one sum"


@pytest.mark.parametrize(
    ("anchors", "named", "mistake"),
    [
        ("both", ("first",), "both directions"),
        ("first", ("both",), "one direction"),
        ("second", ("first", "both"), "one direction"),
        ("second", ("first",), "softmax over the wrong axis"),
    ],
)
def test_other_anchors(anchors, named, mistake):
    difference = names.anchors_differ(CROSS._replace(anchors=anchors), CLIP._replace(anchors=named))
    assert difference.mistake == mistake
    assert mistake != "one direction" or f"rows of the {anchors} view" in difference.sentence


# --- scale and shift --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measured", "form", "mistakes"),
    [
        ({}, {}, []),
        ({"law": "sum"}, {}, ["sum for mean"]),
        ({"law": "sum"}, {"reductions": ("mean", "sum")}, []),
        ({"law": "mean"}, {"reductions": ("sum",)}, ["mean for sum"]),
        ({"law": "mean twice"}, {}, ["another reduction"]),
        ({"factor": 2.0}, {}, ["mean over B"]),
        ({"factor": 2.0}, {"factor": 2.0}, []),
        ({"factor": 4.0}, {"factor": 2.0}, ["mean over B"]),
        ({"factor": 2.0, "formula": CROSS._replace(anchors="first")}, {}, ["twice"]),
        ({"factor": 2.0, "law": "sum"}, {"reductions": ("sum",)}, ["twice"]),
        ({"factor": -1.0}, {}, ["sign flipped"]),
        ({"factor": -2.0}, {"factor": 2.0}, ["sign flipped"]),
        ({"factor": 0.5}, {}, ["half"]),
        ({"factor": 0.1}, {}, ["times temperature"]),
        ({"factor": 3.7}, {}, ["constant factor"]),
        (
            {"factor": 2.0, "formula": CROSS._replace(head="two temperatures", anchors="first")},
            {},
            ["constant factor"],
        ),
        (
            {"factor": 0.5, "formula": CROSS._replace(head="directions weighed")},
            {},
            ["constant factor"],
        ),
        ({"factor": 3.7, "temperature": None}, {}, ["constant factor"]),
        ({"factor": 1 + 9e-9}, {}, []),
        ({"factor": 1 + 2e-8}, {}, ["constant factor"]),
        ({"shift": 0.5}, {}, ["constant added"]),
        ({"shift": -0.5}, {}, ["constant added"]),
        ({"shift": 2.5}, {"shift": 2.0}, ["constant added"]),
        ({"shift": 2.0}, {"shift": 2.0}, []),
        ({"shift": 9e-7}, {}, []),
        ({"shift": 1.1e-6}, {}, ["constant added"]),
        ({"law": "sum", "shift": 1.0}, {}, ["sum for mean", "constant added"]),
    ],
)
def test_the_scale_differs(measured, form, mistakes):
    assert told(names.compare_scale(found(**measured), CLIP._replace(**form))) == mistakes


@pytest.mark.parametrize(
    ("factor", "mistake", "sentence"),
    [
        (1 / math.log(2), "bits", "1.4427 times the loss: in bits"),
        (1 / 0.5, "twice", "2 times the loss: twice"),
        (0.2, "mean over features", "0.2 times the loss: the mean over the features"),
        (0.05, "times temperature", "0.05 times the loss: multiplied by"),
        (20.0, "over temperature", "20 times the loss: divided by"),
        (8.0, "constant factor", "8 times the loss"),
        (1.0, "constant factor", "1 times the loss"),
    ],
)
def test_a_multiple_is_named(factor, mistake, sentence):
    difference = names.name_multiple(factor, 0.05, 1e-9, False)
    assert difference.mistake == mistake
    assert difference.sentence.startswith(sentence)
    assert difference.sentence == sentence or mistake != "constant factor"


def test_a_multiple_of_a_sum_has_no_name():
    assert names.name_multiple(2.0, 0.05, 1e-9, True) == Difference("constant factor", "2 times that sum")


@pytest.mark.parametrize(
    ("shift", "shifted_by", "words"),
    [
        (math.log(2), "", "+log 2"),
        (-math.log(2), "", "−log 2"),
        (2 * math.log(2), "", "+2 log 2"),
        (-2 * math.log(2), "", "−2 log 2"),
        (3 * math.log(2), "", "+2.07944"),
        (math.log(2) + 2e-6, "", "+0.693149"),
        (-0.25, "", "-0.25"),
        (math.log(5), "log c", "+log B (B = 5)"),
        (-math.log(10), "log n", "−log 2B (B = 5)"),
        (math.log(4), "log(c − 1)", "+log(B − 1) (B = 5)"),
        (math.log(9), "log(c − 1)", "+log(2B − 1) (B = 5)"),
        (math.log(8), "log(c − 1)", "+log(2B − 2) (B = 5)"),
        (math.log(8) + 2e-6, "log(c − 1)", "+2.07944"),
        (math.log(2), None, "+0.693147"),
        (-0.25, "1/n", "-0.25"),
    ],
)
def test_a_known_constant_is_named(shift, shifted_by, words):
    assert names.constant(shift, found(size=5, shifted_by=shifted_by)) == words


@pytest.mark.parametrize(
    ("head", "shifted_by", "shift", "second", "compared"),
    [
        ("hinge", "1/n", 0.25, 1.0, True),
        ("hardest hinge", "1/n", -0.25, -1.0, True),
        ("hinge", "", 0.25, 1.0, False),
        ("hinge", "1/n", -0.25, 1.0, False),
        ("hinge", "1/n", 0.25, None, False),
        ("sigmoid", "1/n", 0.25, 1.0, False),
    ],
)
def test_a_hinge_may_compare_the_positive_with_itself(head, shifted_by, shift, second, compared):
    hinge = found(CROSS._replace(head=head), second=second, shifted_by=shifted_by)
    assert ("compared with itself" in names.constant(shift, hinge)) is compared


# --- temperature ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measured", "asked", "mistakes"),
    [
        (0.1, 0.1, []),
        (0.1 + 9e-8, 0.1, []),
        (0.1 + 2e-7, 0.1, ["another temperature"]),
        (0.04, 0.2, ["temperature twice"]),
        (5.0, 0.2, ["multiplied by the temperature"]),
        (1.0, 0.2, ["temperature not used"]),
        (1 / math.log(5), 0.2, ["scale not exponentiated"]),
        (math.sqrt(0.2), 0.2, ["root of the temperature"]),
        (0.2 * 7, 0.2, ["mean over the features"]),
        (0.2 * math.sqrt(7), 0.2, ["divided by √d"]),
        (0.37, 0.2, ["another temperature"]),
        (4.0, 2.0, ["temperature twice"]),
        (1.4, 2.0, ["another temperature"]),
        (0.25, 1.0, ["another temperature"]),
    ],
)
def test_the_temperature_differs(measured, asked, mistakes):
    differences = list(names.compare_temperature(measured, asked, 7, 1e-6))
    assert told(differences) == mistakes
    for difference in differences:
        assert difference.sentence.endswith(f"τ = {measured:.6g}, where {asked:g} was asked for")


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ("", "similarities are multiplied by the temperature, not divided"),
        ("logit_scale", "similarities are divided by logit_scale, not multiplied"),
    ],
)
def test_the_inverse_of_a_scale_divides(scale, words):
    (difference,) = names.compare_temperature(5.0, 0.2, 7, 1e-6, scale)
    assert difference[:2] == ("multiplied by the temperature", f"{words}: τ = 5, where 0.2 was asked for")


# --- losses by name ---------------------------------------------------------------------------------------


def test_names_are_of_the_world():
    assert {form.name for form in list_names("classes")} == {"supcon"}
    assert {form.name for form in list_names("scores, drawn positive")} == {"cpc"}
    assert list_names("classes of views") == list_names("views")
    assert list_names("data and noise") == ()
    assert [form.head for form in names.find_named("dcl", "views")] == ["cross-entropy", "positives weighed"]
    assert names.find_named("dcl", "classes") == []


@pytest.mark.parametrize(
    ("formula", "law", "name"),
    [
        (CROSS, "mean", "clip"),
        (CROSS._replace(anchors="first"), "mean", "cpc"),
        (Formula(("positive", "same view", "other view")), "mean", "ntxent"),
        (Formula(("same view", "other view")), "mean", "dcl"),
        (Formula(("self", "positive", "same view", "other view"), rows="given"), "mean", "infonce"),
        (Formula(("other view",)), "sum", "dhn_nce"),
    ],
)
def test_a_loss_is_its_own_nearest(formula, law, name):
    form, differences = names.find_nearest(found(formula, law), "views")
    assert (form.name, differences) == (name, [])


def test_the_nearest_loss_has_the_fewest_differences():
    masked = Formula(("positive", "same view", "other view"), rows="given")
    form, differences = names.find_nearest(found(masked), "views")
    assert (form.name, told(differences)) == ("ntxent", ["not normalised"])


def test_remoteness_counts_differences_and_then_compares_heads():
    pull, softmax = Form(("positive",), head="pull"), CLIP
    two = [Difference("not normalised", ""), Difference("sign flipped", "")]
    assert names.remoteness(found(), softmax, two) == (1.5, False, False)
    assert names.remoteness(found(), pull, []) == (0, True, True)
    assert names.remoteness(found(CROSS._replace(head="pull")), pull, []) == (0, False, True)
    assert names.remoteness(found(CROSS._replace(head="pull")), softmax, []) == (0, True, False)


def test_a_loss_is_compared_with_the_nearest_form_of_a_name():
    weighed = found(Formula(("same view", "other view"), head="positives weighed"), second=0.5, factor=2.0)
    form, differences = names.compare(weighed, "dcl", "views")
    assert (form.head, told(differences)) == ("positives weighed", ["mean over B"])


def test_differences_are_of_structure_and_of_scale():
    assert told(names.differences(found(CROSS._replace(rows="given"), factor=2.0), CLIP)) == [
        "not normalised",
        "mean over B",
    ]


# --- options ----------------------------------------------------------------------------------------------


def test_options_are_those_that_the_form_leaves_open():
    assert names.options(found(), CLIP) == {}
    open_form = Form(("positive",), rows=("unit", "given"), anchors=("first", "second"), name="cpc")
    assert names.options(found(law="sum"), open_form) == {
        "reduction": "sum",
        "normalised": True,
        "anchors": "both",
    }
    assert names.options(found(CROSS._replace(rows="given")), open_form)["normalised"] is False


def test_options_have_the_second_parameter_and_further_numbers():
    hard = CROSS._replace(head="hard and debiased", numbers=(("prior", 0.1), ("length", 1e-9)))
    assert names.options(found(hard, second=2.0), CLIP) == {"beta": 2.0, "prior": 0.1}


@pytest.mark.parametrize(
    ("head", "form"),
    [
        ("cross-entropy", "out"),
        ("cross-entropy, mean inside", "in"),
        ("each positive alone, every positive", "pairs"),
    ],
)
def test_supcon_has_a_form(head, form):
    assert names.options(found(), CLIP._replace(name="supcon", head=head)) == {"form": form}


@pytest.mark.parametrize(
    ("law", "reductions", "name"),
    [
        ("mean over the pairs", ("mean over the pairs", "sum"), "mean"),
        ("mean over the pairs", ("mean", "sum"), "mean over the pairs"),
        ("sum", ("mean over the pairs", "sum"), "sum"),
        ("mean", ("mean over the pairs", "sum"), "mean"),
    ],
)
def test_a_mean_over_pairs_is_the_mean_of_a_loss_of_pairs(law, reductions, name):
    assert names.name_reduction(law, CLIP._replace(reductions=reductions)) == name


OPEN = Form(("positive", "other view"), rows=("unit", "given"), anchors=("both", "first"), name="any")


@pytest.mark.parametrize(
    ("measured", "asked", "mistakes"),
    [
        (
            {},
            {"reduction": "mean", "normalised": True, "anchors": "both", "temperature": 7, "unknown": 3},
            [],
        ),
        ({}, {"reduction": "sum"}, ["mean for sum"]),
        ({"law": "sum"}, {"reduction": "mean"}, ["sum for mean"]),
        ({"law": "mean twice"}, {"reduction": "sum"}, []),  # the structure says it
        ({"law": "mean twice"}, {"normalised": False}, ["another normalised"]),
        ({}, {"anchors": "first"}, ["both directions"]),
        ({}, {"normalised": False}, ["another normalised"]),
        ({"second": 0.5, "formula": CROSS._replace(head="sigmoid")}, {"bias": 0.5 + 1e-6}, []),
        ({"second": 0.5, "formula": CROSS._replace(head="sigmoid")}, {"bias": 0.5 + 2e-5}, ["another bias"]),
        ({}, {"normalised": False, "reduction": "sum"}, ["another normalised", "mean for sum"]),
    ],
)
def test_options_differ_from_those_asked_for(measured, asked, mistakes):
    form = OPEN._replace(anchors=("first", "second")) if asked.get("anchors") == "first" else OPEN
    assert told(names.compare_options(found(**measured), form, asked)) == mistakes


def test_another_option_is_told_with_six_digits():
    measured = found(CROSS._replace(head="sigmoid"), second=1 / 3)
    (difference,) = names.compare_options(measured, OPEN, {"bias": 1.0})
    assert difference.sentence == "bias is 0.333333, where 1.0 was asked for"
    (difference,) = names.compare_options(measured, OPEN, {"normalised": False})
    assert difference.sentence == "normalised is True, where False was asked for"


def test_the_scaling_of_a_formula_gives_the_loss():
    (point,) = points("views", 6, each=1)[:1]
    factor, count, shift = names.find_scaling(found(factor=2.0, shift=0.5), point)
    logits = 10 * np.array(
        [[a @ c / np.linalg.norm(a) / np.linalg.norm(c) for c in point["y"]] for a in point["x"]]
    )
    losses = [np.log(np.exp(x).sum(1)) - np.diag(x) for x in (logits, logits.T)]
    assert factor * phi(CROSS, point, 10.0) / count + shift == pytest.approx(
        2 * np.mean(losses) + 0.5, rel=1e-9, abs=0
    )
