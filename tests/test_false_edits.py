"""Each false change of signed files, and of words, numbers and marks that readers see, is refused by a test."""

import os
import subprocess
import sys

import false_edits
import pytest

EDITS = {f"{place} {edit.kind} in {edit.file}": edit for place, edit in enumerate(false_edits.EDITS)}
FEW = [  # of different kinds
    *(name for name, edit in EDITS.items() if edit.forged),
    *(name for name, edit in EDITS.items() if "exit status" in edit.kind),
][:3]


@pytest.fixture(scope="module")
def tree():
    with false_edits.make_tree() as copy:
        yield copy


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_changes_its_file(edit):
    assert edit.old != edit.new
    assert edit.old in (false_edits.ROOT / edit.file).read_text(encoding="utf-8")


def test_docs_count_the_false_changes_by_kind():
    page = false_edits.PAGE.read_text(encoding="utf-8")
    assert f"|---|---|---|\n{false_edits.write_rows()}\n" in page
    assert f"{len(EDITS)} false changes were planted" in page


@pytest.mark.slow
def test_every_guard_is_a_test():
    """With its case; a test may have been renamed."""
    guards = {edit.guard for edit in EDITS.values()}
    files = {guard.partition("::")[0] for guard in guards}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-n0",
        "-p",
        "no:cacheprovider",
        "-m",
        "",
    ]
    done = subprocess.run(
        [*command, *files],
        cwd=false_edits.ROOT,
        env={**os.environ, "SEED": "all"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    listed = {line.removesuffix("@claims") for line in done.stdout.splitlines()}  # the group of a test
    found = {line.partition("[")[0] for line in listed} | listed
    assert guards - found - files == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_a_false_edit_is_refused(tree, name):
    false_edits.check_guards(tree, [EDITS[name]])
    assert false_edits.is_refused(tree, EDITS[name])


@pytest.mark.nightly
def test_every_false_edit_is_refused(tree):
    """Takes minutes, because each guard is a pytest process."""
    false_edits.check_guards(tree, EDITS.values())
    assert [name for name, edit in EDITS.items() if not false_edits.is_refused(tree, edit)] == []


@pytest.mark.slow
def test_a_change_of_a_comment_is_not_refused(tree):
    """Otherwise `is_refused` might refuse everything."""
    edit = EDITS[FEW[0]]._replace(
        file="derivations/kernel/theorems.py", old="# Pieces that", new="# pieces that"
    )
    assert not false_edits.is_refused(tree, edit._replace(guard=false_edits.RECORD, forged=False))
