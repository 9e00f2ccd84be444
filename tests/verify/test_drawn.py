"""The random cases cover what their docstring says."""

from itertools import product

import numpy as np
import pytest

from infonce_ref.information import ESTIMATORS
from infonce_ref.losses import ALL
from infonce_ref.verify import drawn, finite_difference
from infonce_ref.verify.drawn import brief_cases, cases


def take(name, of=cases):
    return [case.arguments[name] for case in of(ALL["hard_negative"], "float64", 0)]


def strata(values, low, high, count):
    """The stratum of each value, of equal ratio between the ends."""
    return [int(count * np.log(x / low) / np.log(high / low)) for x in values]


def test_every_stratum_of_temperature_has_a_case():
    drawn_once = take("temperature")[: drawn.STRATA]
    assert sorted(strata(drawn_once, 1e-3, 1e3, drawn.STRATA)) == list(range(drawn.STRATA))


def test_every_stratum_of_upstream_has_a_case_of_each_sign():
    every = list(cases(ALL["ntxent"], "float64", 0))[: drawn.STRATA]
    for sign, values in (
        (1, [case.upstreams[1] for case in every]),
        (-1, [case.upstreams[2] for case in every]),
    ):
        assert sorted(strata([sign * x for x in values], 1e-8, 1e8, drawn.STRATA)) == list(
            range(drawn.STRATA)
        )


def test_brief_cases_have_close_temperatures_and_the_usual_ones():
    values = [float(f"{x:.6g}") for x in take("temperature", brief_cases)[: drawn.PLACES]]  # some are float32
    cold = sorted(x for x in values if x < 1 and x not in drawn.TEMPERATURES)
    assert strata(cold, 0.01, 1.0, drawn.COLD) == list(range(drawn.COLD))
    assert set(drawn.TEMPERATURES) <= set(values)
    assert len([x for x in values if x > 1e3]) == drawn.HOT


@pytest.mark.parametrize("name", [name for name, loss in ALL.items() if loss.tried])
def test_each_value_that_a_loss_declares_as_tried_has_a_brief_case(name):
    loss = ALL[name]
    every = list(brief_cases(loss, "float64", 0))
    for option, values in loss.tried.items():
        if drawn.is_size(loss, option):
            assert [x for x in values if not any(f"{option} {x}," in case.label for case in every)] == []
        else:
            passed = [case.arguments[option] for case in every]
            assert {(x, type(x)) for x in values} <= {
                (float(f"{x:.6g}") if type(x) is float else x, type(x)) for x in passed
            }


def test_each_two_options_meet_in_a_brief_case():
    given = [case.arguments for case in brief_cases(ALL["supcon"], "float64", 0)]
    met = {(x.get("form"), x.get("reduction")) for x in given}
    assert met == set(product((None, "in", "pairs"), (None, "sum", "none")))


def test_three_of_five_candidates_are_kept_and_one_of_each_row():
    kept = drawn.draw_kept((2000, 5), 0)
    assert kept.mean() == pytest.approx(0.6, abs=0.02)  # four deviations of the mean of 10,000
    assert kept.any(axis=-1).all()


def test_brief_cases_have_each_usual_width_and_number_of_rows():
    w = [case.arguments["w"] for case in list(brief_cases(ALL["ntxent"], "float64", 0))[: drawn.PLACES]]
    assert set(drawn.FEATURES) <= {x.shape[1] for x in w}
    assert {2 * rows for rows in drawn.ROWS} <= {len(x) for x in w}


def test_the_length_of_a_case_is_that_of_its_longest_row():
    for case in brief_cases(ALL["infonce"], "float64", 0):
        as_it_comes = "contents as they come" in case.label and case.memory != "broadcast"
        longest = np.linalg.norm(case.arguments["z"], axis=1).max()
        assert case.length == pytest.approx(1 if as_it_comes else max(1, longest), rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("name", "array", "axis"), [("clip", "image", 0), ("ntxent", "w", 1), ("cpc", "scores", 0)]
)
def test_a_broadcast_array_repeats_a_row_or_if_it_is_alone_a_column(name, array, axis):
    """With equal rows every gradient of a loss of one array is 0."""
    arrays = [
        case.arguments[array] for case in brief_cases(ALL[name], "float64", 0) if case.memory == "broadcast"
    ]
    assert len(arrays) >= drawn.FLAT
    assert all(np.ptp(x, axis=axis).max() == 0 for x in arrays)
    assert all(np.ptp(x, axis=1 - axis).max() > 0 for x in arrays)


# --- what the estimators declare as drawn ----------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_no_case_of_nwj_has_scores_whose_exponentials_overflow(dtype):
    for case in cases(ESTIMATORS["nwj"], dtype, 0):
        assert np.isfinite(case.value()), case.label


def test_no_case_of_smile_has_scores_so_near_the_clip_that_a_difference_crosses_it():
    """A kink between two points would make a right gradient fail the check by finite differences."""
    smooth = [case for case in cases(ESTIMATORS["smile"], "float64", 0) if case.smooth]
    assert len(smooth) > 10
    for case in smooth:
        (check,) = finite_difference.testify_along_one(case)
        assert check.holds, case.label


@pytest.mark.parametrize("of", [cases, brief_cases])
def test_the_laws_of_donsker_and_varadhan_have_few_and_many_contexts(of):
    contexts = {case.arguments["joint"].shape[1] for case in of(ESTIMATORS["donsker_varadhan"], "float64", 0)}
    assert min(contexts) == 1
    assert max(contexts) > 200
    assert len(contexts) > 10


def test_a_case_whose_rows_all_coincide_has_no_noise():
    """Then no finite difference is asked."""
    every = [case for case in cases(ALL["ntxent"], "float64", 0) if "ties all" in case.label]
    assert {case.noise for case in every} == {0.0}


def test_rows_of_zeros_become_equal_shares():
    np.testing.assert_array_equal(drawn.normalise(np.zeros((2, 4))), np.full((2, 4), 1 / 4))
    np.testing.assert_array_equal(drawn.normalise(np.zeros((2, 4)), axis=None), np.full((2, 4), 1 / 8))
