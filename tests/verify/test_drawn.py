"""The random cases cover what their docstring says."""

from itertools import product

import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify import drawn
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


def test_brief_cases_have_each_usual_width_and_number_of_rows():
    w = [case.arguments["w"] for case in list(brief_cases(ALL["ntxent"], "float64", 0))[: drawn.PLACES]]
    assert set(drawn.FEATURES) <= {x.shape[1] for x in w}
    assert {2 * rows for rows in drawn.ROWS} <= {len(x) for x in w}


# --- what the estimators declare as drawn ----------------------------------------------------------------
