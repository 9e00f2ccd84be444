"""Each mistake of an exercise is told from the others by its name, and shown; the page says so."""

import pytest
from exercises.asking import asked
from exercises.mistakes import PAGE, page

from infonce_ref.exercises import ALL, diagnosis
from infonce_ref.exercises.exercise import edited

MISTAKES = [(e, m) for e in ALL.values() if not e.given for m in e.mistakes]


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES, ids=[f"{e.name}.{m.name}" for e, m in MISTAKES])
def test_it_is_named_and_shown(exercise, mistake, monkeypatch):
    monkeypatch.setattr(diagnosis, "digits", lambda *_: [])
    report = diagnosis.checked(exercise, asked(exercise, edited(exercise.text, mistake.edits)))
    named = [comment for comment in report.comments if comment.id == f"{exercise.name}.{mistake.name}"]
    assert named, report
    assert named[0].shown
    assert not report.holds


@pytest.mark.parametrize("exercise", ALL.values(), ids=ALL)
def test_each_edit_changes_one_place(exercise):
    for mistake in exercise.mistakes:
        assert edited(exercise.text, mistake.edits) is not None, mistake.name
    edits = [mistake.edits for mistake in exercise.mistakes]
    assert len(set(edits)) == len(edits)


def test_the_page_says_what_is_computed():
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m exercises.mistakes in tests/"
