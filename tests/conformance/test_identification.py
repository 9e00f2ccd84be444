"""Which formulas are tried for a loss, and what is made of the ones that fit."""

import math

import numpy as np
import pytest

from infonce_ref.conformance import identification
from infonce_ref.conformance.asking import Facts, Way
from infonce_ref.conformance.fit import Fit, Measured, fit_at
from infonce_ref.conformance.formula import Formula, phi
from infonce_ref.conformance.heads import HEADS
from infonce_ref.conformance.identification import (
    ROLES,
    SIZES,
    canonicalise,
    denominators,
    directions,
    identify,
    identify_nearly,
    is_plausible,
    is_usual,
    list_added_places,
    list_denominators,
    list_formulas,
    list_likely_denominators,
    list_nearly_unit,
    list_similarities,
    measure_strangeness,
    near_bases,
    right_forms,
    right_rows,
    round_temperature,
    round_to_intended,
    settle,
    soften,
    split_by_parameters,
    strip,
    wrong_forms,
)
from infonce_ref.conformance.inputs import points
from infonce_ref.conformance.names import Reduction
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import Refused, target

CROSS = Formula(("positive", "other view"))
VIEWS = ("self", "positive", "same view", "other view")
KNOWN = Facts(*[False] * 6)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def rows(logits):
    return np.log(np.exp(logits).sum(axis=1)) - np.diag(logits)


def clip(x, y):
    logits = unit(x) @ unit(y).T / 0.1
    return (rows(logits) + rows(logits.T)).mean() / 2


def way(name, loss=clip):
    return Way(name, Session(target(loss, {}), "numpy"))


def fitted(formula=CROSS, t=10.0, e=0.0, residual=0.0, scale=1.0, shift=0.0):
    return Fit(formula, t, e, scale, shift, residual)


def measured(formula, size, t, e=0.0, scale=1.0, shift=0.0):
    many = points("views", size)
    return Measured(many, np.array([scale * phi(formula, point, t, e) + shift for point in many]))


# --- denominators -----------------------------------------------------------------------------------------


def test_denominators_contain_a_negative_and_the_usual_ones_come_first():
    found = denominators(VIEWS)
    assert found[:5] == list(identification.USUAL)
    assert len(found) == len(set(found)) == 16 - 4  # all but those of self and positive alone
    assert all(set(each) - {"self", "positive"} for each in found)


def test_denominators_have_the_roles_that_are_present():
    assert denominators(("positive", "other view")) == [("positive", "other view"), ("other view",)]


def test_given_negatives_are_used():
    found = denominators(("self", "positive", "negatives"))
    assert all("negatives" in each for each in found)
    assert found[:2] == [("self", "negatives"), ("positive", "negatives")]
    assert len(found) == 4


def test_the_likely_denominators_are_the_usual_ones_or_a_few():
    assert list_likely_denominators(VIEWS) == list(identification.USUAL)
    assert list_likely_denominators(("positive", "other view")) == [
        ("positive", "other view"),
        ("other view",),
    ]
    queue = list_likely_denominators((*VIEWS, "negatives"))
    assert queue == denominators((*VIEWS, "negatives"))[:6]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("pull", [("positive",)]),
        ("power", [("positive",)]),
        ("cross-entropy", denominators(VIEWS)),
        ("hard negatives", [("same view", "other view"), ("other view",)]),
        ("positives weighed", list(identification.USUAL)),
        ("hardest only", list(identification.USUAL[:3])),
        ("rows and columns together", [("positive", "other view")]),
        ("hard negatives by direction", [("other view",)]),
        ("directions weighed", [("positive", "other view")]),
    ],
)
def test_the_denominators_of_a_head(head, expected):
    assert list_denominators(head, VIEWS) == expected


@pytest.mark.parametrize(
    ("head", "rows", "scores", "expected"),
    [
        ("cross-entropy", "unit", False, ["dot", "distance"]),
        ("cross-entropy", "given", False, ["dot", "squared distance", "distance"]),
        ("cross-entropy", "given", True, ["dot"]),
        ("pull", "unit", False, ["dot"]),
        ("power", "unit", False, ["distance"]),
        ("log of the mean kernel", "unit", False, ["squared distance"]),
        ("log of the mean kernel", "given", True, []),
    ],
)
def test_the_similarities_of_a_head(head, rows, scores, expected):
    assert list_similarities(head, rows, scores) == expected


# --- anchors and rows -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "known", "roles", "expected"),
    [
        ("classes", None, VIEWS, ("first",)),
        ("bank", None, VIEWS, ("first",)),
        ("scores, positive first", None, VIEWS, ("first",)),
        ("scores and labels", None, VIEWS, ("first",)),
        ("likelihoods", None, VIEWS, ("first",)),
        ("scores", None, VIEWS, ("first", "second", "both")),
        ("queue", KNOWN, (*VIEWS, "negatives"), ("first", "second", "both")),
        ("two", KNOWN._replace(first=True), VIEWS, ("first", "second")),
        ("two", KNOWN, VIEWS, ("both", "first")),
    ],
)
def test_a_loss_that_minds_which_view_is_first_has_one_direction(name, known, roles, expected):
    assert directions(way(name), known, roles) == expected


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("scores", None, ("given",)),
        ("classes", None, ("unit", "given")),
        ("two", KNOWN, ("unit",)),
        ("two", KNOWN._replace(length_of_x=True), ("given",)),
        ("two", KNOWN._replace(length_of_y=True), ("given",)),
    ],
)
def test_a_loss_that_minds_lengths_uses_rows_as_they_come(name, known, expected):
    assert right_rows(way(name), known) == expected


# --- formulas that are tried ------------------------------------------------------------------------------


def right(name="two", known=KNOWN, roles=VIEWS):
    return list(right_forms(way(name), known, roles))


def test_nothing_that_nobody_intends_is_tried_first():
    for formula in (*right(), *right("classes", None, VIEWS[:2] + VIEWS[3:]), *right("scores", None)):
        assert identification.is_intended(formula)


def test_heads_of_several_positives_are_tried_where_there_are_several():
    several = {head for head in HEADS if "every" in head or "alone" in head or "inside" in head}
    several = {head for head in several if not HEADS[head].mistake}
    assert several.isdisjoint(formula.head for formula in right())
    assert several <= {formula.head for formula in right("classes", None, VIEWS)}
    assert several <= {formula.head for formula in right("two with classes", None, VIEWS)}


def test_a_pair_counts_once_in_a_head_without_a_denominator():
    for formula in right():
        if formula.head in (
            "pull",
            "power",
            "pull and squares",
            "decorrelated",
            "sigmoid",
            "sigmoid of means",
        ):
            assert formula.anchors == "first"
    assert {formula.anchors for formula in right() if formula.head == "cross-entropy"} == {"both", "first"}


@pytest.mark.parametrize(
    ("name", "first", "tried", "left"),
    [
        ("two", False, {"rows and columns together"}, {"directions weighed", "soft targets"}),
        ("two", True, {"directions weighed", "soft targets"}, {"rows and columns together"}),
        ("scores", None, {"rows and columns together", "directions weighed"}, {"soft targets"}),
        ("classes", None, set(), {"rows and columns together", "directions weighed", "soft targets"}),
        ("queue", None, set(), {"rows and columns together", "directions weighed", "soft targets"}),
    ],
)
def test_heads_of_both_directions_are_tried_where_both_exist(name, first, tried, left):
    known = None if first is None else KNOWN._replace(first=first)
    formulas = right(name, known)
    heads = {formula.head for formula in formulas}
    assert tried <= heads
    assert left.isdisjoint(heads)
    assert {formula.anchors for formula in formulas if formula.head in tried} <= {"both"}


def test_columns_are_compared_by_barlow_twins_alone():
    for formula in right():
        assert (formula.rows == "columns") is (formula.head == "decorrelated")
    assert any(formula.head == "decorrelated" for formula in right())
    assert not any(formula.head == "decorrelated" for formula in right("classes", None))


def test_a_uniformity_of_each_view_compares_rows_of_that_view():
    found = [formula for formula in right() if formula.head in identification.OF_VIEWS]
    assert found == [
        Formula(("same view",), "both", "unit", "squared distance", head) for head in identification.OF_VIEWS
    ]
    assert not any(f.head in identification.OF_VIEWS for f in right("queue", None, (*VIEWS, "negatives")))


def test_a_third_number_starts_at_each_of_its_values():
    found = [formula.numbers for formula in right() if formula.head == "hard and debiased"]
    assert set(found) == {(("prior", x),) for x in HEADS["hard and debiased"].thirds}
    assert all(not formula.numbers for formula in right() if HEADS[formula.head].third is None)


def test_the_queries_alone_may_have_the_negatives():
    only = Formula(("positive", "other view", "queries' negatives"))
    found = right("queue", None, (*VIEWS, "negatives"))
    assert found[-2:] == [only, only._replace(rows="given")]
    assert only not in right()


def test_every_usual_loss_is_among_those_tried():
    tried = right(known=KNOWN._replace(length_of_x=True, length_of_y=True))
    assert Formula(("positive", "other view"), "both", "given") in tried
    assert (
        Formula(("self", "positive", "same view", "other view"), "both", "given", "squared distance") in tried
    )
    assert CROSS in right()
    assert CROSS._replace(similarity="distance") in right()


def test_the_nearly_unit_forms_are_softmaxes_of_unit_rows():
    known = KNOWN._replace(length_of_x=True, length_of_y=True)
    found = list_nearly_unit(way("two"), known, VIEWS)
    assert found == [formula for formula in right() if formula.head == "cross-entropy"]
    assert {formula.rows for formula in found} == {"unit"}


def wrong(name="two", known=KNOWN, roles=VIEWS):
    return list(wrong_forms(way(name), known, roles))


def test_a_loss_that_minds_the_order_has_a_wrong_positive():
    found = wrong(known=KNOWN._replace(order=True, length_of_x=True))
    assert {formula.positive for formula in found} == {"next", "previous", "the first"}
    assert {formula.anchors for formula in found} == {"both", "first", "second"}
    assert {formula.rows for formula in found} == {"given"}
    assert {formula.head for formula in found} == {"cross-entropy"}
    assert len(found) == 5 * 3 * 3


def test_each_wrong_formula_has_a_mistake():
    exceptions = ("centred", "centred together")  # named by the comparison with a loss
    for formula in (*wrong(), *wrong("scores", None, ("positive", "other view"))):
        assert not identification.is_intended(formula) or formula.rows in exceptions


def test_the_anchor_may_be_its_own_positive_where_positives_count():
    found = [formula for formula in wrong() if formula.positive != "partner"]
    assert {formula.positive for formula in found} == {"itself"}
    assert all("positive" in formula.candidates for formula in found)
    assert len(found) == 3 * 2
    assert not any(formula.positive != "partner" for formula in wrong("classes", None))


def test_scores_may_have_shifted_labels_and_no_other_rows():
    found = wrong("scores", None, ("positive", "other view"))
    assert {formula.positive for formula in found} == {"partner", "next", "previous", "the first"}
    assert {formula.rows for formula in found} == {"given"}
    assert {formula.similarity for formula in found} == {"dot"}


def test_every_tempered_mistake_of_a_head_is_tried():
    heads = {formula.head for formula in wrong()}
    expected = {
        name
        for name, head in HEADS.items()
        if head.mistake and (head.tempered or "hinge" in name or name == "linear")
    }
    assert expected <= heads
    assert {name for name, head in HEADS.items() if head.mistake} & heads == expected


def test_wrong_hinges_compare_squared_distances_too():
    hinges = [formula for formula in wrong() if "hinge" in formula.head]
    assert {(formula.similarity, formula.rows) for formula in hinges} == {
        ("squared distance", "given"),
        ("dot", "unit"),
    }
    of_scores = [f for f in wrong("scores", None, ("positive", "other view")) if "hinge" in f.head]
    assert {formula.similarity for formula in of_scores} == {"dot"}


@pytest.mark.parametrize(
    ("name", "columns", "centred"), [("two", True, True), ("classes", False, True), ("queue", False, False)]
)
def test_wrong_rows_are_tried_where_they_make_sense(name, columns, centred):
    found = wrong(name, None, VIEWS)
    tried = {formula.rows for formula in found}
    assert ("columns over B − 1" in tried) is columns
    assert ("centred" in tried) is centred
    assert ("centred together" in tried) is centred
    assert "by column" in tried
    for formula in found:
        if "columns" in formula.rows:
            assert formula[:5] == (
                ("positive", "other view"),
                "first",
                "columns over B − 1",
                "dot",
                "decorrelated",
            )


def test_the_sign_may_be_wrong():
    flipped = [formula for formula in wrong() if formula.sign < 0]
    assert {formula.head for formula in flipped} == {"cross-entropy", "sigmoid", "sigmoid without bias"}
    assert {formula.sign for formula in flipped} == {-1}
    assert len(flipped) == 3 * 5 * 2


def test_heads_of_two_parameters_are_tried_later_and_each_formula_once():
    hard, pull = CROSS._replace(head="hard negatives"), CROSS._replace(head="power")
    assert split_by_parameters(iter([hard, CROSS, pull, CROSS, hard])) == ([CROSS, pull], [hard])


@pytest.mark.parametrize(("mistakes", "rows"), [(False, "columns"), (True, "by column")])
def test_a_loss_of_coordinates_is_compared_with_formulas_that_depend_on_them(mistakes, rows):
    every = list(list_formulas(way("two"), KNOWN, VIEWS, mistakes))
    assert every == (wrong() if mistakes else right())
    known = KNOWN._replace(coordinates=True)
    found = list(list_formulas(way("two"), known, VIEWS, mistakes))
    assert rows in {formula.rows for formula in found}
    for formula in every:
        turned = formula.rows in identification.OF_COORDINATES or "distance" in formula.similarity
        assert (formula in found) is turned


# --- identification ---------------------------------------------------------------------------------------


def test_values_are_measured_at_points_of_every_spread():
    found = identification.measure(way("two"), 4)
    expected = [clip(**{name: point[name] for name in "xy"}) for point in points("views", 4)]
    assert np.array_equal(found.values, expected)
    assert np.array_equal(found.arrays["x"][3], points("views", 4)[3]["x"])


def test_a_loss_that_is_not_finite_is_refused():
    at = points("views", 4)[5]["x"]

    def loss(x, y):
        return np.nan if np.array_equal(x, at) else 1.0

    with pytest.raises(Refused, match="loss returns nan at ordinary inputs"):
        identification.measure(way("two", loss), 4)


def shifted(scores):
    return rows(np.roll(scores, -1, axis=1) / 0.2).mean()


def strange(scores):
    return np.sum(np.sin(9 * scores))


OF_ORDER = KNOWN._replace(order=True)  # only wrong positives are tried


def test_a_loss_with_a_mistake_is_found_among_the_wrong_forms():
    nearest = identify(way("scores", shifted), OF_ORDER, "float64")
    assert nearest.found.formula == CROSS._replace(anchors="first", rows="given", positive="next")
    assert nearest.found.temperature == pytest.approx(0.2, rel=1e-9, abs=0)
    assert nearest.found.reduction == Reduction("mean", 1.0)
    assert nearest.fit.residual < 1e-10
    assert (nearest.facts, nearest.precision) == (OF_ORDER, "float64")


def test_without_a_fit_the_nearest_is_returned_or_a_nearer_one_found_before():
    asked = way("scores", strange)
    nearest = identify(asked, OF_ORDER, "float64")
    assert (nearest.found, nearest.facts, nearest.precision) == (None, OF_ORDER, "float64")
    assert 0.01 < nearest.fit.residual < 1
    before = nearest._replace(fit=fitted(residual=1e-3))
    assert identify(asked, OF_ORDER, "float64", before=before).fit is before.fit


def test_no_formula_of_scores_is_one_of_coordinates():
    nearest = identify(way("scores", shifted), OF_ORDER._replace(coordinates=True), "float64")
    assert (nearest.fit, nearest.found) == (None, None)


def test_a_constant_loss_has_no_formula():
    nearest = identify(way("two", lambda x, y: 3.0), KNOWN, "float64")
    assert (nearest.fit, nearest.found) == (None, None)


def test_a_loss_that_is_constant_at_one_size_has_a_nearest_formula():
    nearest = identify(
        way("scores", lambda s: strange(s) if len(s) == SIZES[0] else 3.0), OF_ORDER, "float64"
    )
    assert nearest.found is None
    assert 0.01 < nearest.fit.residual < 1


def test_of_several_added_numbers_the_least_strange_is_found(monkeypatch):
    """Whatever the residuals and the order of the fits."""
    tried = [measured(CROSS, size, 10.0) for size in SIZES]
    odd, even = (
        fitted(CROSS._replace(numbers=(("denominator", x),)), residual=r)
        for x, r in ((3e-4, 1e-12), (1e-3, 1e-11))
    )
    monkeypatch.setattr(identification, "near_bases", lambda near: near)
    monkeypatch.setattr(identification, "soften", lambda base, *_: [(base, base)])
    for fits in ((odd, even), (even, odd)):
        assert identify_nearly(way("two"), KNOWN, fits, *tried).fit is even


@pytest.mark.parametrize(("off", "held"), [(1e-9, True), (1e-2, False)])
def test_a_formula_of_coarsely_rounded_values_fits_at_both_sizes(off, held, monkeypatch):
    """off: how far the values at the second size are from the formula, from point to point."""
    monkeypatch.setattr(identification, "soften", lambda *_: [])
    monkeypatch.setattr(identification, "measure_noise", lambda way: 1.0)
    here, there = (measured(CROSS, size, 10.0) for size in SIZES)
    there.values += off * np.cos(np.arange(len(there.values)))
    nearest = identify_nearly(way("two"), KNOWN, [fitted(residual=1e-6)], here, there)
    assert (nearest is not None) is held


def test_inputs_of_no_named_formula_are_not_fitted():
    nearest = identify(way("data and noise scores", lambda a, b, c, d: a.sum()), None, "float64")
    assert (nearest.fit, nearest.found) == (None, None)


# --- small numbers that are added -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "x", "usual"),
    [
        ("length", 1e-8, True),
        ("length", 2e-8, True),
        ("length", 5e-8, True),
        ("length", 1.04e-8, True),
        ("length", 0.97e-8, True),
        ("length", 4.8e-6, True),
        ("length", 3e-8, False),
        ("length", 1.06e-8, False),
        ("length", 7e-8, False),
        ("length", 1e-2, True),
        ("length", 5e-2, False),
        ("shifted", 1e-6, True),
        ("shifted", 1e-4, False),
        ("logarithm", 1e-4, True),
    ],
)
def test_people_write_powers_of_ten_and_twos_and_fives(name, x, usual):
    assert bool(is_usual(name, x)) is usual


@pytest.mark.parametrize(
    ("numbers", "strangeness"),
    [
        ((), (0, 0)),
        ((("length", 1e-8),), (1, 0)),
        ((("length", 10**-7.7),), (1, 0.3)),
        ((("length", 10**-7.7), ("root", 10**-3.4)), (2, 0.7)),
    ],
)
def test_a_fit_is_strange_by_the_number_and_digits_of_its_constants(numbers, strangeness):
    assert measure_strangeness(fitted(CROSS._replace(numbers=numbers))) == pytest.approx(strangeness)


def test_a_formula_is_stripped_of_its_numbers():
    assert strip(CROSS._replace(numbers=(("length", 1e-8),), sign=-1)) == CROSS._replace(sign=-1)


BESIDE = ["logarithm", "numerator", "denominator", "shifted", "terms"]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({}, [*BESIDE, "length", "root", "lengths"]),
        ({"similarity": "distance"}, [*BESIDE, "length", "root", "gap"]),
        ({"rows": "given"}, BESIDE),
        ({"rows": "given", "similarity": "squared distance"}, [*BESIDE, "gap"]),
        ({"head": "pull"}, ["length", "root", "lengths"]),
        ({"head": "sigmoid"}, ["length", "root", "lengths"]),
        ({"head": "power", "similarity": "distance"}, ["length", "root", "gap"]),
        ({"head": "hard negatives"}, []),
        ({"head": "hinge"}, []),
        ({"head": "hinge", "rows": "given", "similarity": "squared distance"}, ["gap"]),
        ({"head": "decorrelated", "rows": "columns"}, ["variance", "deviation"]),
    ],
)
def test_the_places_of_an_epsilon(choice, expected):
    assert list_added_places(CROSS._replace(**choice)) == expected


def test_the_bases_are_the_nearest_formulas_with_a_place():
    columns = CROSS._replace(rows="columns", head="decorrelated")
    near = [
        fitted(residual=0.019),
        fitted(residual=0.021),
        fitted(CROSS._replace(head="hard negatives"), residual=0.001),
        fitted(CROSS._replace(numbers=(("length", 1e-8),)), residual=0.001),
        fitted(columns, residual=0.09),
        fitted(columns, residual=0.11),
        fitted(residual=0.01),
    ]
    assert near_bases(near) == [near[6], near[0], near[4]]
    assert len(near_bases([fitted(residual=0.001)] * 9)) == 4


PULL = Formula(("positive",), "first", head="pull")


def softened(here, there):
    found = list(soften(fit_at(PULL, here, 1.0, 0.0), here, there, 1e-10))
    assert all(max(trial.residual, again.residual) < 1e-9 for trial, again in found)
    return [trial.formula.numbers for trial, _ in found]


def test_one_epsilon_is_found():
    formula = PULL._replace(numbers=(("root", 1e-3),))
    here, there = (measured(formula, size, 1.0, scale=2.0) for size in SIZES)
    assert softened(here, there) == [(("root", pytest.approx(1e-3, rel=1e-6, abs=0)),)]


def test_two_epsilons_are_found_if_one_does_not_fit():
    formula = PULL._replace(numbers=(("length", 1e-2), ("root", 1e-3)))
    here, there = (measured(formula, size, 1.0, scale=2.0) for size in SIZES)
    (numbers,) = softened(here, there)
    assert dict(numbers) == pytest.approx({"length": 1e-2, "root": 1e-3}, rel=1e-4, abs=0)


HINGE = Formula(
    ("positive", "other view"), "first", "given", "squared distance", "hinge"
)  # one place: the gap


@pytest.mark.parametrize(("e", "count"), [(1e-2, 1), (3e-3, 0)])
def test_an_epsilon_that_nobody_writes_is_not_found(e, count):
    formula = HINGE._replace(numbers=(("gap", e),))
    here, there = (measured(formula, size, 1.0, 1.0) for size in SIZES)
    assert len(list(soften(fit_at(HINGE, here, 1.0, 1.0), here, there, 1e-10))) == count


def test_an_epsilon_is_found_only_if_it_fits_at_both_sizes():
    here, there = (
        measured(HINGE._replace(numbers=(("gap", 1e-2),)), SIZES[0], 1.0, 1.0),
        measured(HINGE, SIZES[1], 1.0, 1.0),
    )
    assert not list(soften(fit_at(HINGE, here, 1.0, 1.0), here, there, 1e-10))


def test_noise_is_measured_by_second_differences():
    """A smooth value has none but rounding; one rounded to float32 has about 1e-7 of its size."""
    smooth = identification.measure_noise(way("two"))
    rough = identification.measure_noise(way("two", lambda x, y: float(np.float32(clip(x, y)))))
    assert smooth < 1e-11
    assert 1e-8 < rough < 1e-6


def test_noise_is_relative_to_how_much_the_value_varies():
    def rounded(scale):
        return lambda x, y: scale * float(np.float32(clip(x, y))) + 5

    one, ten = (identification.measure_noise(way("two", rounded(scale))) for scale in (1, 16))
    assert one == pytest.approx(ten, rel=1e-6, abs=0)
    assert identification.measure_noise(way("two", lambda x, y: 3.0)) == 0


# --- a formula that fits ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "e", "plausible"),
    [
        ("cross-entropy", 0.0, True),
        ("sigmoid", 0.0, True),
        ("sigmoid", -3.0, True),
        ("margin on the positive", 0.2, True),
        ("margin on the positive", -0.2, False),
        ("margin on the positive", 0.0, False),
        ("hinge", 0.0, True),
        ("hinge", -0.2, False),
        ("hard negatives", 0.0, False),
        ("hard negatives", -0.5, True),
        ("hard negatives", 1e-10, False),
    ],
)
def test_a_second_parameter_is_plausible(head, e, plausible):
    assert bool(is_plausible(fitted(CROSS._replace(head=head), e=e))) is plausible


@pytest.mark.parametrize(
    ("head", "e", "expected"),
    [
        ("cross-entropy", None, ("cross-entropy", (), None)),
        ("sigmoid without bias", None, ("sigmoid", (), 0.0)),
        ("debiased", 0.2, ("hard and debiased", (("prior", 0.2),), 0.0)),
        ("hard against the positive", 0.7, ("hard and debiased", (("prior", 0.0),), 0.7)),
    ],
)
def test_a_special_case_is_written_as_the_general_form(head, e, expected):
    formula, second = canonicalise(CROSS._replace(head=head), e)
    assert (formula.head, formula.numbers, second) == expected


@pytest.mark.parametrize(
    ("head", "e"), [("sigmoid without bias", 0.0), ("debiased", 0.2), ("hard against the positive", 0.7)]
)
def test_the_general_form_computes_the_same(head, e):
    formula = Formula(
        ("other view",) if head != "sigmoid without bias" else ("positive", "other view"), head=head
    )
    general, second = canonicalise(formula, e)
    (point,) = points("views", 4, each=1)[:1]
    assert phi(general, point, 3.0, second) == pytest.approx(phi(formula, point, 3.0, e), rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("x", "digits", "meant"),
    [
        (0.333333333334, 1e-9, 1 / 3),
        (0.070000000003, 1e-9, 0.07),
        (2.00000000005, 1e-9, 2.0),
        (0.123456789, 1e-12, 0.123456789),
        (0.1234567890123, 1e-15, 0.1234567890123),
        (1234567.00001, 1e-10, 1234567.0),
        (1234567.001, 1e-10, 1234567.001),
        (0.0700001, 1e-9, 0.0700001),
        (1.4426950409, 1e-9, 1 / math.log(2)),
        (0.43429448191, 1e-9, 1 / math.log(10)),
        (1.2345678912, 1e-9, 1.2345678912),  # not 1.23456789, which is 1e-9 away: no short decimal
    ],
)
def test_the_number_that_was_meant(x, digits, meant):
    assert round_to_intended(x, digits) == meant


@pytest.mark.parametrize(
    ("x", "meant"),
    [
        (0.01 * (1 + 5e-12), 0.01),
        (0.01 * (1 + 5e-11), 0.01 * (1 + 5e-11)),
        (float(np.float32(0.01)), float(np.float32(0.01))),
        (20 * (1 + 2e-13), 20.0),
        (-0.5 * (1 + 5e-12), -0.5),
    ],
)
def test_a_temperature_in_float32_is_told_from_the_decimal(x, meant):
    assert round_temperature(x) == meant


def settled(formula, t, e=0.0, scale=lambda anchors: 1 / anchors, shift=lambda anchors: 0.0, tolerance=1e-10):
    anchors = [size * (2 if formula.anchors == "both" else 1) for size in SIZES]
    both = [measured(formula, size, t, e, scale(n), shift(n)) for size, n in zip(SIZES, anchors)]
    trial, again = (fit_at(formula, each, t, e) for each in both)
    return settle(trial, again, *both, tolerance)


def test_a_mean_is_settled():
    found = settled(CROSS, 5.0, shift=lambda n: 0.25)
    assert found[:5] == (CROSS, 0.2, None, Reduction("mean", 1.0), 0.25)
    assert (found.candidates, found.size, found.shifted_by, found.shift_unit) == (4, 4, "", 1)
    assert found.residual < 1e-10
    assert found.tolerance == 1e-9


def test_the_shift_of_a_sum_is_that_of_one_anchor():
    found = settled(CROSS, 5.0, scale=lambda n: 1.0, shift=lambda n: 3.0 * n)
    assert (found.reduction, found.shift, found.shifted_by) == (Reduction("sum", 1.0), 3.0, "")


def test_a_shift_that_depends_on_the_batch_has_a_law():
    found = settled(CROSS, 5.0, shift=lambda n: -np.log(n))
    assert (found.shifted_by, found.shift) == ("log n", pytest.approx(-np.log(8), rel=1e-9, abs=0))
    assert found.shift_unit == pytest.approx(np.log(8))
    assert settled(CROSS, 5.0, shift=lambda n: n**2).shifted_by is None


def test_a_flipped_sign_makes_the_temperature_negative():
    assert settled(CROSS._replace(sign=-1), 5.0).temperature == -0.2


def test_the_second_parameter_is_settled_in_the_general_form():
    assert settled(CROSS._replace(head="sigmoid"), 5.0, -2.5).second == -2.5
    prior = settled(Formula(("other view",), head="debiased"), 5.0, 0.1)
    assert (prior.formula.head, dict(prior.formula.numbers), prior.second) == (
        "hard and debiased",
        {"prior": 0.1},
        0.0,
    )


def test_a_formula_without_temperature_has_none():
    found = settled(Formula(("positive",), "first", head="pull"), 1.0, scale=lambda n: 2 / n)
    assert (found.temperature, found.reduction) == (None, Reduction("mean", 2.0))


def test_an_added_number_is_rounded_to_the_one_that_was_meant():
    found = settled(CROSS._replace(numbers=(("logarithm", 0.001 + 1e-13),)), 5.0)
    assert found.formula.numbers == (("logarithm", 0.001),)


def test_a_coarse_dtype_is_settled_coarsely():
    trial = fitted(residual=1e-7, scale=(1 + 1e-5) / 8, t=5.0)
    again = fitted(residual=1e-7, scale=(1 - 1e-5) / 12, t=5.0)
    both = [measured(CROSS, size, 5.0) for size in SIZES]
    found = settle(trial, again, *both, 3e-5)
    assert (found.reduction, found.tolerance) == (Reduction("mean", 1.0), pytest.approx(3e-4))
    assert settle(trial, again, *both, 1e-10).reduction.law == "unknown"


def test_the_tolerance_grows_with_the_residual():
    trial, again = fitted(residual=1e-6, scale=1 / 8, t=5.0), fitted(scale=1 / 12, t=5.0)
    both = [measured(CROSS, size, 5.0) for size in SIZES]
    assert settle(trial, again, *both, 1e-10).tolerance == pytest.approx(1e-4)


def test_intended_formulas_have_no_mistake():
    assert identification.is_intended(CROSS)
    assert not identification.is_intended(CROSS._replace(sign=-1))


def test_all_roles_are_known():
    assert set(VIEWS) < set(ROLES)
