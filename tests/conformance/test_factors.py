"""Constant factors, and which of them can be a mistake."""

import math

import pytest

from infonce_ref.conformance.factors import FACTORS, OF_TEMPERATURE, list_factors, show

FACTS = {"rows": 8.0, "features": 5.0, "temperature": 0.2}
TIMES = {
    "sign flipped": -1,
    "zero": 0,
    "sum for mean": 8,
    "mean for sum": 1 / 8,
    "twice": 2,
    "half": 1 / 2,
    "times temperature": 0.2,
    "over temperature": 5,
    "undivided": 1.6,
    "base temperature": 20 / 7,
    "mean over 2b minus 2": 8 / 6,
    "mean twice": 1 / 8,
    "bits": 1.4426950408889634,  # log₂ e
    "base 10": 0.4342944819032518,  # log₁₀ e
    "mean over features": 1 / 5,
}


def names(reduction, *batches):
    return [factor.name for factor in list_factors(reduction, batches)]


def test_the_factors_at_a_batch_of_eight_rows():
    found = {factor.name: factor.times(FACTS) for factor in FACTORS}
    assert found == pytest.approx(TIMES, rel=1e-15, abs=0)


@pytest.mark.parametrize("rows", [1, 2])
def test_two_less_than_two_rows_divide_nothing(rows):
    (factor,) = (one for one in FACTORS if one.name == "mean over 2b minus 2")
    assert math.isnan(factor.times({"rows": rows}))


def test_with_three_rows_two_less_divide():
    (factor,) = (one for one in FACTORS if one.name == "mean over 2b minus 2")
    assert factor.times({"rows": 3.0}) == 3.0


@pytest.mark.parametrize(
    ("reduction", "unfit"),
    [
        ("mean", {"mean for sum"}),
        ("sum", {"sum for mean", "undivided", "mean twice", "mean over 2b minus 2"}),
        ("none", {"sum for mean", "mean for sum", "mean twice"}),
    ],
)
def test_the_reduction_decides_which_factors_can_be_mistakes(reduction, unfit):
    assert names(reduction, FACTS) == [name for name in TIMES if name not in unfit]


def test_without_a_temperature_at_some_batch_no_factor_of_it_is_tried():
    bare = {"rows": 8.0, "features": 5.0}
    left_out = set(names("mean", FACTS)) - set(names("mean", FACTS, bare))
    assert left_out == set(OF_TEMPERATURE)
    assert left_out == {"times temperature", "over temperature", "base temperature", "undivided"}


def test_without_features_at_some_batch_no_mean_over_them_is_tried():
    left_out = set(names("mean", FACTS)) - set(names("mean", {"rows": 8.0, "temperature": 0.2}, FACTS))
    assert left_out == {"mean over features"}


@pytest.mark.parametrize(
    ("factor", "shown"),
    [
        (1.0, "1"),
        (2.0, "2"),
        (1 / 3, "0.333333"),
        (1.00001, "1.00001"),
        (1 + 2.5e-9, "1 + 2.5e-09"),
        (1 - 2.5e-9, "1 − 2.5e-09"),
        (0.0, "0"),
        (-1.0, "-1"),
    ],
)
def test_a_factor_is_shown_with_six_digits_or_by_its_difference_from_1(factor, shown):
    assert show(factor) == shown
