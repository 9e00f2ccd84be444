"""Every mistake that these tests plant anywhere is known by its name in the exercise where it would be made."""

import pytest
from exercises.names import NAMES, NOT_MADE
from exercises.planted import planted

from infonce_ref.exercises import ALL, diagnosis

PLANTED = planted()
OF_DIGITS = ("loses_digits", "overflows", "fails_the_judge")


@pytest.mark.parametrize("one", [p for p in PLANTED if p.id not in NOT_MADE], ids=lambda p: p.id)
def test_it_has_its_name(one, monkeypatch):
    name = NAMES[one.id]
    monkeypatch.setattr(diagnosis.smallest, "shown", lambda *_: None)  # test_mistakes.py has the search
    if not name.endswith(OF_DIGITS):
        monkeypatch.setattr(diagnosis, "digits", lambda *_: [])
    report = diagnosis.checked(one.asked or ALL[one.exercise], one.ask)
    assert name in [comment.id for comment in report.comments], report
    assert not report.holds or name.endswith(OF_DIGITS)


def test_no_name_and_no_reason_is_left_over():
    assert {*NAMES, *NOT_MADE} <= {one.id for one in PLANTED}
