"""A false change in a claim's words, quotation, verdict or evidence never passes ledger, theorems and review."""

import false_changes
import pytest

PAGE = false_changes.PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", false_changes.KINDS)
def test_a_false_change_is_refused(kind):
    change = next(false_changes.changes(kind))
    assert false_changes.refuse(change), change.shown


@pytest.mark.nightly
@pytest.mark.parametrize("kind", false_changes.KINDS)
def test_many_false_changes_are_refused(kind):
    """`python tests/false_changes.py` writes a table in docs/trust.md: changes, and which check refuses each."""
    counts = false_changes.count_refusals(kind)
    assert counts.total() == false_changes.MANY
    assert false_changes.NOBODY not in counts
    assert false_changes.write_row("a claim", kind, counts) in PAGE


def test_docs_count_the_false_changes_by_kind():
    """Changes that this run does not make are compared by their numbers only."""
    for kind in false_changes.KINDS:
        assert f"| a claim | {kind} | {false_changes.MANY} | " in PAGE
    assert false_changes.write_rows_of_files() in PAGE
    table = PAGE.partition(false_changes.HEAD)[2].partition("\n\n")[0]
    rows = [line.split(" | ") for line in table.splitlines()]
    assert len(rows) == len(false_changes.KINDS) + false_changes.write_rows_of_files().count("\n")
    assert f"{sum(int(many) for _, _, many, _ in rows)} false changes were planted" in PAGE
    assert false_changes.NOBODY not in table


def test_a_change_of_a_comment_is_no_false_change():
    """Otherwise `refuse` might refuse everything."""
    change = next(false_changes.changes("a verdict"))
    same = change._replace(text=change.path.read_text(encoding="utf-8") + "# no change\n")
    assert false_changes.refuse(same) == ""
