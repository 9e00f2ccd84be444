"""What a claim may fix, and what a question leaves open."""

import pytest

from infonce_ref.conformance.question import CLAIMS, Question
from infonce_ref.conformance.target import target
from infonce_ref.conformance.verdicts import TIERS


@pytest.mark.parametrize("option", ["temperature", "reduction", "margin", "beta", "normalised", "anchors"])
def test_a_claim_may_fix_an_option(option):
    assert option in CLAIMS


@pytest.mark.parametrize("array", ["scores", "image", "text", "w", "z", "bank", "negatives"])
def test_a_claim_fixes_no_array(array):
    assert array not in CLAIMS


def test_a_question_about_a_loss_alone_claims_nothing_and_asks_everything():
    asked = target(print, {})
    assert Question(asked) == (asked, None, {}, None, TIERS, {}, "float64", {}, None)


def test_a_question_cannot_change_what_all_questions_share():
    with pytest.raises(TypeError):
        Question(target(print, {})).options["temperature"] = 1
