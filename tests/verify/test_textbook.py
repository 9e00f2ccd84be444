"""The size of the terms of a textbook form."""

from dataclasses import replace

import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify.case import Case
from infonce_ref.verify.identities import textbook
from infonce_ref.verify.identities.textbook import NEARBY


def test_at_equal_scores_a_row_of_n_candidates_has_probabilities_of_one_in_n():
    """|P_j − 1[j = p]| of each score is 1 − 1/n at the positive and 1/n elsewhere; the mean over n rows."""
    loss = ALL["cpc"]
    case = Case(loss, loss.example() | {"scores": np.eye(4) * 7, "positive": np.arange(4)}, "")
    expected = NEARBY * (np.full((4, 4), 1 / 4) + np.eye(4) / 2) / 4
    assert np.allclose(textbook.terms(case)["scores"], expected, rtol=1e-12, atol=0)


def test_rows_a_hundred_times_as_long_at_their_temperature_have_terms_a_hundredth_as_large():
    """1e-5: the terms are those of a temperature at which logits are about 1e-6."""
    loss = ALL["infonce"]
    case = Case(loss, loss.example(), "")
    z, tau = case.arguments["z"], case.arguments["temperature"]
    longer = replace(case.at(z=100 * z, temperature=1e4 * tau), length=100.0)
    here, there = textbook.terms(case), textbook.terms(longer)
    assert np.allclose(there["z"], here["z"] / 100, rtol=1e-5, atol=0)
    assert there["temperature"] == pytest.approx(here["temperature"] / 1e4, rel=1e-5, abs=0)


def test_a_value_has_a_nat_for_each_row():
    case = Case(ALL["ntxent"], ALL["ntxent"].example(rows=5), "")
    assert textbook.value(case) == NEARBY * len(case.arguments["w"])
