"""The grid of temperatures, alignments and dtypes: where a loss is asked, and the verdict on its digits."""

import math

import numpy as np
import pytest

from infonce_ref.conformance import numerics_tier
from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Found, Reduction
from infonce_ref.conformance.numerics import ALIGNMENTS, TEMPERATURES, Cell
from infonce_ref.conformance.numerics_tier import (
    UNFITTED,
    Place,
    describe_changes,
    describe_omissions,
    describe_raised,
    find_places,
    find_scale,
    is_constant,
    judge,
    judge_cells,
    measure_again,
    measure_cells,
    row,
    starts,
)
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import Refused, target
from infonce_ref.conformance.temperature import find_setting

FIRST = Formula(("positive", "other view"), "first")


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def rows(logits):
    top = logits.max(axis=1, keepdims=True)
    return (np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0] - np.diag(logits)).mean()


def loss(x, y, temperature=0.1):
    return rows(unit(x) @ unit(y).T / temperature)


def scores(scores):
    return rows(scores)


def found(formula=FIRST, temperature=0.1, second=None, law="mean", factor=1.0):
    return Found(formula, temperature, second, Reduction(law, factor), 0.0, 1e-15, 1e-9, 4, 4)


def nearest(loss=loss, name="two", held=None):
    return Nearest(Way(name, Session(target(loss, {}), "numpy")), None, held or found(), None, "float64")


def cell(came="", error=0.0, dtype="float32", tau=0.1, alignment="near"):
    return Cell(dtype, tau, alignment, error, came, 1e-3)


# --- the verdict ------------------------------------------------------------------------------------------


def judged(cells, live=("x",), **measured):
    return judge_cells(cells, found(**measured), live)


def test_digits_that_rounding_leaves_are_exact():
    verdict = judged([cell(), cell(tau=1.0)])
    assert verdict[:2] == ("exact", True)
    assert verdict.sentence == "every digit that rounding leaves, at 2 places"
    assert judged([cell()], live=()).sentence == "every digit of the value that rounding leaves, at 1 places"


def test_lost_digits_hold_and_are_told():
    verdict = judged([cell(), cell(error=0.1)])
    assert verdict[:2] == ("right, and loses digits", True)
    assert verdict.sentence.startswith(
        "float32: digits go from τ = 0.1, views near; write each anchor's loss"
    )
    of_value = judged([cell(error=0.1)], live=()).sentence
    assert of_value.startswith("float32: digits of the value go")


@pytest.mark.parametrize(
    ("dtype", "tau", "own", "breaks"),
    [
        ("float32", 0.1, 0.1, True),
        ("float64", 0.3, 0.1, True),
        ("float32", 0.0998, 0.1, False),
        ("float32", 0.09995, 0.1, True),
        ("float16", 0.1, 0.1, False),
        ("float32", 0.05, 0.1, False),
        ("float32", 1.0, None, True),
        ("float32", 0.3, None, False),
        ("float32", 0.1, -0.1, True),
    ],
)
def test_a_loss_breaks_if_it_does_at_its_own_temperature_in_a_usual_dtype(dtype, tau, own, breaks):
    bad = [cell(error=0.1), cell("NaN", math.inf, dtype, tau)]
    verdict = judged(bad, temperature=own)
    assert verdict.word == ("breaks" if breaks else "right, and breaks when colder")
    assert verdict.holds is not breaks
    assert verdict.sentence.startswith(f"{dtype}: NaN from τ = {tau:g}, views near; ")


def test_a_head_without_advice_is_told_where_alone():
    verdict = judged([cell(error=0.1)], formula=FIRST._replace(head="no logarithm"))
    assert verdict.sentence == "float32: digits go from τ = 0.1, views near"


def test_it_starts_at_the_highest_temperature_of_each_dtype():
    bad = [
        cell("inf", tau=0.01, alignment="apart"),
        cell("NaN", tau=0.1, alignment="aligned"),
        cell(error=1.0, dtype="float16", tau=0.3),
    ]
    assert starts(bad, "") == (
        "float32: NaN from τ = 0.1, views aligned; float16: digits go from τ = 0.3, views near"
    )


def test_dtypes_and_temperatures_at_which_it_raises_are_told():
    refused = {
        "bfloat16": {1.0: "no", 0.1: "no"},
        "float16": {1.0: "no"},
        "float32": {0.1: "cold", 0.3: "cold"},
    }
    assert list(describe_omissions([cell()], refused)) == [
        "it takes no bfloat16 and no float16: no",
        "it takes no float32 at τ = 0.1, 0.3: cold",
    ]
    assert list(describe_omissions([cell()], {})) == []


def test_what_it_computes_at_other_temperatures_is_told():
    assert list(describe_changes({UNFITTED: [0.1], "the loss at τ = 1": [0.3, 0.05]})) == [
        f"given τ = 0.1 {UNFITTED}",
        "given τ = 0.3, 0.05 it is the loss at τ = 1: not judged there",
    ]


def test_an_error_is_described():
    assert describe_raised(Refused("it says why")) == "it says why"
    assert describe_raised(ValueError("too cold")).startswith("the loss raises ValueError: too cold")


# --- places -----------------------------------------------------------------------------------------------


def places(*pairs):
    return [Place(given, {}, found(temperature=tau)) for given, tau in pairs]


@pytest.mark.parametrize(
    ("pairs", "scale", "constant"),
    [
        ([(1.0, 1.0), (0.1, 0.1)], 1, False),
        ([(1.0, 2.0), (0.1, 0.2)], 2, False),
        ([(1.0, -2.0), (0.1, 0.2001)], 2, False),
        ([(1.0, 2.0), (0.1, 0.3)], 1, False),
        ([(1.0, 0.5), (0.1, 0.5)], 1, True),
        ([(1.0, 0.5), (0.1, -0.5004)], 1, True),
        ([(1.0, 0.5), (0.1, 0.501)], 1, False),
        ([(2.0, None)], 0.5, True),
    ],
)
def test_scale_and_constancy_of_the_temperatures(pairs, scale, constant):
    assert find_scale(places(*pairs)) == pytest.approx(scale)
    assert is_constant(places(*pairs)) is constant


def test_without_places_the_scale_is_one():
    assert find_scale([]) == 1


def find(asked, setting=True):
    refused, changed = {}, {}
    given = find_setting(asked) if setting else None
    return list(find_places(asked, given, refused, changed)), refused, changed


def test_a_loss_is_asked_at_every_temperature_that_can_be_given():
    every, refused, changed = find(nearest())
    assert [place.given for place in every] == list(TEMPERATURES)
    assert [place.held.temperature for place in every] == pytest.approx(TEMPERATURES, rel=1e-6, abs=0)
    assert [place.ways["float32"].session.target.settings["temperature"] for place in every] == list(
        TEMPERATURES
    )
    assert every[0].ways["float32"].session.dtype == "float32"
    assert (refused, changed) == ({}, {})


def test_without_a_setting_it_is_asked_at_its_own_temperature():
    (place,), *_ = find(nearest(), setting=False)
    assert (place.given, place.held, sorted(place.ways)) == (0.1, found(), ["float32", "float64"])


def test_the_own_temperature_is_positive_even_if_the_sign_is_wrong():
    held = found(FIRST._replace(sign=-1), -0.1)
    (place,), *_ = find(nearest(lambda x, y: loss(-x, y), held=held), setting=False)
    assert (place.given, place.held) == (0.1, held)


def multiplied(x, y, temperature=2.0):
    return rows(unit(x) @ unit(y).T * temperature)


def divided(x, y, logit_scale=0.5):
    return rows(unit(x) @ unit(y).T / logit_scale)


HALF = math.log(0.5)


def of_logarithm(x, y, temperature=HALF):
    return rows(unit(x) @ unit(y).T / np.exp(temperature))


@pytest.mark.parametrize(
    ("loss", "name", "given", "error"),
    [
        (multiplied, "temperature", [1 / tau for tau in TEMPERATURES], 1e-4),
        (divided, "logit_scale", TEMPERATURES, 1e-4),
        (of_logarithm, "temperature", np.log(TEMPERATURES), 0),
    ],
)
def test_a_loss_that_takes_the_inverse_is_given_it(loss, name, given, error):
    """error: of the temperature that was fitted, relative."""
    every, *_ = find(nearest(loss, held=found(temperature=0.5 * (1 + error))))
    assert [place.held.temperature for place in every] == pytest.approx(TEMPERATURES, rel=1e-6, abs=0)
    passed = [place.ways["float64"].session.target.settings[name] for place in every]
    assert passed == pytest.approx(given, rel=1e-14, abs=1e-15)


def test_scores_are_divided_by_every_temperature():
    held = found(FIRST._replace(rows="given"), 1.0)
    every, *_ = find(nearest(scores, "scores", held))
    assert [place.given for place in every] == list(TEMPERATURES)
    assert all(place.held is held for place in every)


def test_a_temperature_that_it_refuses_is_recorded():
    def warm(x, y, temperature=0.1):
        if temperature < 0.02:
            raise ValueError("too cold")
        return loss(x, y, temperature)

    every, refused, _ = find(nearest(warm))
    assert [place.given for place in every] == [1.0, 0.3, 0.1, 0.05, 0.02]
    assert refused.keys() == {"float64", "float32"}
    assert set(refused["float32"]) == {0.01, 0.003}
    assert "too cold" in refused["float32"][0.01]


def test_a_temperature_at_which_it_is_another_loss_is_recorded():
    def other(x, y, temperature=0.1):
        return loss(x, y, temperature) if temperature != 0.3 else np.sum(np.sin(9 * x))

    every, _, changed = find(nearest(other))
    assert changed == {UNFITTED: [0.3]}
    assert every[1].held == found(temperature=pytest.approx(0.3))


# --- measuring again --------------------------------------------------------------------------------------


def again(loss, tau, held=None):
    asked = nearest(loss, held=held)
    return measure_again(asked.way, asked, tau)


def test_temperature_and_factor_are_fitted_again():
    held = again(lambda x, y: 3 * loss(x, y, 0.25), 0.25)
    assert held.temperature == pytest.approx(0.25, rel=1e-9, abs=0)
    assert held.reduction == Reduction("mean", pytest.approx(3, rel=1e-9, abs=0))
    assert again(lambda x, y: loss(x, y, 0.4), 0.25).temperature == pytest.approx(0.4, rel=1e-9, abs=0)


def test_a_temperature_with_the_wrong_sign_stays_so():
    held = again(lambda x, y: loss(-x, y, 0.25), 0.25, found(FIRST._replace(sign=-1), -0.1))
    assert held.temperature == pytest.approx(-0.25, rel=1e-9, abs=0)


def test_another_formula_is_not_the_loss():
    assert again(lambda x, y: np.sum(np.sin(9 * x)), 0.25) is None


def test_a_loss_that_overflows_is_not_fitted():
    assert again(lambda x, y: np.inf, 0.25) == found(temperature=0.25)


@pytest.mark.parametrize("second", [0.4, 0.8, 0.2])
def test_the_second_number_is_as_it_was_or_changes_with_the_temperature(second, monkeypatch):
    monkeypatch.setattr(numerics_tier, "fit_nearest", None)  # it is found without a search
    formula = FIRST._replace(head="margin on the positive")

    def with_margin(x, y):
        return rows((unit(x) @ unit(y).T - second * np.eye(len(x))) / 0.2)

    held = again(with_margin, 0.2, found(formula, 0.1, 0.4))
    assert (held.temperature, held.second) == (
        pytest.approx(0.2, rel=1e-8, abs=0),
        pytest.approx(second, rel=1e-8, abs=0),
    )


def test_a_sum_is_fitted_by_its_factor():
    held = again(lambda x, y: 2 * len(x) * loss(x, y, 0.25), 0.25, found(law="sum"))
    assert held.reduction == Reduction("sum", pytest.approx(2, rel=1e-9, abs=0))


# --- cells ------------------------------------------------------------------------------------------------


def test_a_row_has_a_cell_for_each_alignment():
    cells = list(row(nearest().way, found(), "float64", 0.1, ()))
    assert [(each.dtype, each.temperature, each.alignment) for each in cells] == [
        ("float64", 0.1, alignment) for alignment in ALIGNMENTS
    ]
    assert all(each.exact for each in cells)


def test_scores_are_divided_by_the_temperature_of_the_row():
    held, asked = found(FIRST._replace(rows="given"), 1.0), []

    def largest(scores):
        asked.append(np.max(abs(scores)))
        return rows(scores)

    cells = list(row(nearest(largest, "scores", held).way, held, "float32", 0.01, ()))
    assert cells[0].exact
    assert {each.temperature for each in cells} == {0.01}
    assert all(50 < each <= 100 * (1 + 1e-6) for each in asked)  # cosines over τ, rounded to float32


def test_a_gradient_is_compared_by_the_arrays_that_it_reaches():
    def slopes(scores):
        share = np.exp(scores - scores.max(axis=1, keepdims=True))
        return 2 * (share / share.sum(axis=1, keepdims=True) - np.eye(len(scores))) / len(scores)

    held = found(FIRST._replace(rows="given"), 1.0)
    way = Way("scores", Session(target(scores, {}, slopes), "numpy"))
    assert [each.exact for each in row(way, held, "float64", 1.0, ())] == [True] * 3
    assert [each.error for each in row(way, held, "float64", 1.0, ("scores",))] == pytest.approx([1] * 3)


def measure(asked):
    refused, changed = {}, {}
    return list(measure_cells(asked, (), refused, changed)), refused, changed


def test_a_number_that_is_no_temperature_leaves_one_place():
    def fixed(x, y, temperature=0.1):
        return loss(x, y, 0.1) * (temperature + 1)

    cells, _, changed = measure(nearest(fixed, held=found(factor=1.1)))
    assert {each.temperature for each in cells} == {0.1}
    assert changed == {}


def test_a_clamped_temperature_is_not_judged():
    cells, refused, changed = measure(
        nearest(lambda x, y, temperature=0.1: loss(x, y, max(temperature, 0.02)))
    )
    assert {each.temperature for each in cells} == {1.0, 0.3, 0.1, 0.05, 0.02}
    assert changed == {"the loss at τ = 0.02": [0.01, 0.003]}
    assert refused == {}
    assert len(cells) == 5 * 2 * 3


def test_without_a_formula_no_digit_is_judged():
    for held in (found(law="unknown"), found(FIRST._replace(head="epsilon"), second=0.1)):
        assert judge(nearest(held=held), ())[0].word == "none"
    assert judge(nearest()._replace(found=None), ())[0][:2] == ("none", True)
    likelihoods = nearest(lambda x: 0.0, "likelihoods")
    assert judge(likelihoods, ())[0].sentence.startswith("it takes likelihoods")


def test_what_is_omitted_follows_the_verdict():
    verdict, cells = judge(nearest(lambda x, y, temperature=0.1: loss(x, y, max(temperature, 0.02))), ())
    assert verdict.holds
    assert verdict.word == "right, and another loss at other temperatures"
    assert verdict.sentence.endswith("given τ = 0.01, 0.003 it is the loss at τ = 0.02: not judged there")
    assert len(cells) == 30
    assert numerics_tier.REASON.startswith("200·eps")


def test_the_digits_of_another_loss_in_float32_are_not_judged():
    verdict, cells = judge(nearest(lambda x, y: loss(x, y) * (1.5 if x.dtype == np.float32 else 1)), ())
    assert {each.dtype for each in cells} == {"float64"}
    assert verdict.sentence.endswith("in float32 it is another loss: not judged there")


@pytest.mark.parametrize(("dtype", "dtypes"), [("float64", {"float64", "float32"}), ("float32", {"float32"})])
def test_a_formula_found_in_float32_judges_no_finer_dtype(dtype, dtypes):
    """Its temperature has too few digits for more."""
    off = nearest(held=found(temperature=0.1 * (1 + 1e-9)))
    asked = off._replace(way=off.way.given({}, dtype), precision=dtype)
    verdict, cells = judge(asked, ())
    assert {cell.dtype for cell in cells} == dtypes
    said = "float64 is not judged by a formula that was found in float32" in verdict.sentence
    assert said is (dtype == "float32")


def test_a_finer_dtype_in_which_it_is_another_loss_is_said_once():
    def twice(x, y, temperature=0.1):
        return loss(x, y, temperature) * x.dtype.itemsize / 4

    asked = nearest(twice)
    verdict, _ = judge(asked._replace(way=asked.way.given({}, "float32"), precision="float32"), ())
    assert verdict.sentence.endswith("in float64 it is another loss: not judged there")
