"""No false change in a claim's words, quotation, verdict or evidence passes ledger, theorems and review."""

from itertools import islice

import false_changes
import pytest


@pytest.mark.parametrize("kind", false_changes.KINDS)
def test_a_false_change_is_refused(kind):
    change = next(false_changes.changes(kind))
    assert false_changes.refuse(change), change.shown


@pytest.mark.nightly
@pytest.mark.parametrize("kind", false_changes.KINDS)
def test_many_false_changes_are_refused(kind):
    tried = list(islice(false_changes.changes(kind), false_changes.MANY))
    assert len(tried) == false_changes.MANY
    assert [change.shown for change in tried if not false_changes.refuse(change)] == []


def test_a_change_of_a_comment_is_no_false_change():
    """So that `refuse` does not refuse everything."""
    change = next(false_changes.changes("a verdict"))
    same = change._replace(text=change.path.read_text(encoding="utf-8") + "# no change\n")
    assert false_changes.refuse(same) == ""
