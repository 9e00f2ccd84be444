"""The bugs of public libraries, planted as wrong losses: `verify` rejects each, and the page says so."""

import public_bugs
import pytest
from verify.public_bugs import BUGS
from verify.public_bugs.bug import measure_or_fail, objection, planted, textbook

from infonce_ref.verify.judge import ask_all


@pytest.mark.parametrize(
    "bug",
    BUGS,
    ids=lambda bug: f"{bug.loss}-{bug.name}",
)
def test_this_check_is_the_first_that_fails(bug):
    found = objection(bug)
    assert ((found.check.witness, found.grade) if found else ("", "")) == (bug.witness, bug.grade)


@pytest.mark.parametrize("loss", dict.fromkeys(bug.loss for bug in BUGS))
def test_the_right_form_on_the_same_tape_holds_at_high_temperature(loss):
    """Otherwise the planting might fail the check, and not the bug."""
    asked = [
        hearing
        for hearing in ask_all(planted(textbook(loss)), "float64")
        if hearing.case.label.startswith("noise 1,")
        and hearing.case.arguments.get("temperature", 0.5) == 0.5
        and hearing.witness in ("symbolic", "finite differences")
    ]
    assert {hearing.witness for hearing in asked} == {"symbolic", "finite differences"}
    assert [check for hearing in asked for check in measure_or_fail(hearing) if not check.holds] == []


def test_the_page_is_up_to_date():
    assert public_bugs.PAGE.read_text(encoding="utf-8") == public_bugs.page()
