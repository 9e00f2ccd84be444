"""False changes are made in a copy of the tree, in proofs, marks, verdicts and numbers: a test refuses each.

The guard of a change is a test of the repository, run in the copy: it must pass on the tree as it is, and fail on
the changed one.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent


class Edit(NamedTuple):
    """One false change: the first `old` in a file becomes `new`; `guard` is the test that must refuse it."""

    kind: str
    file: str
    old: str
    new: str
    guard: str


TEXT = """\
# --- claims and theorems
a verdict: derivations/theory/bound_by_loss.py
  claim("P2", "folklore" → claim("P2", "refuted"
  derivations/pages/test_verdicts.py::test_terminal_markdown_and_html_have_the_claims_verdict[P2]
the evidence: derivations/losses/infonce.py
  twice="i + 2 B = i + N" → twice="i + 3 B = i + N"
  derivations/pages/test_verdicts.py::test_terminal_markdown_and_html_have_the_claims_verdict[D1.5]
a weaker theorem: derivations/common/softmax.py
  positive="P[i,p(i)] > 0" → positive="P[i,p(i)] ≥ 0"
  derivations/coq/test_coq.py::test_a_mark_disappears_when_its_statement_or_the_vocabulary_changes
a proof removed: derivations/coq/softmax.v
  (*! S3: above *) → (* S3: above *)
  derivations/coq/test_coq.py::test_the_exit_status_of_ledger_kernel[nothing]
no proof: derivations/coq/softmax.v
  finish]. Qed. → finish]. Admitted.
  derivations/coq/test_coq.py::test_a_file_has_only_theorems_tactics_and_known_imports[softmax]
an excuse: derivations/coq/theorems.py
  "S4: excess": "it needs → "D1.7: derivative": "it is long", "S4: excess": "it needs
  derivations/coq/test_coq.py::test_no_piece_that_coq_accepted_has_a_reason_why_it_has_no_theorem
# --- marks and verdicts wherever they are shown, and the exit status
a mark: derivations/pages/claim_card.py
  ["false at a point"] → ["proved"]
  derivations/pages/test_verdicts.py::test_a_mark_follows_the_formula_that_it_describes
a mark: derivations/pages/cheat_sheet.py
  if theorems.is_accepted(proof) else "" → if proof else ""
  derivations/pages/test_cheat_sheet.py::test_a_gradient_has_a_tick_if_coq_accepted_it
a mark: derivations/coq/theorems.py
  return digest(proposition(piece)) in _accepted() → return bool(proposition(piece))
  derivations/coq/test_coq.py::test_a_mark_disappears_when_its_statement_or_the_vocabulary_changes
a verdict shown: derivations/pages/export.py
  "coq": card.coq → "coq": True
  derivations/pages/test_verdicts.py::test_a_record_has_the_claims_verdict_and_marks
an exit status: infonce_ref/cli/ledger.py
  accepted and all(claim.stands for claim in cards) → accepted
  test_cli.py::TestLedger::test_a_failed_claim_is_written_with_the_reason
an exit status: infonce_ref/cli/ledger.py
  return report("--kernel", theorems.compare_record(chosen, accepted.axioms if whole else None)) → return True
  derivations/coq/test_coq.py::test_the_exit_status_of_ledger_kernel
# --- words, numbers and citations of pages
a card of the cheat sheet: derivations/pages/loss_cards.py
  floor: log(1 + (N - 2) e^ → floor: log(1 + (N - 1) e^
  derivations/pages/test_cheat_sheet.py::test_floors_are_the_library_s[ntxent]
a number typed in a lesson: derivations/pages/lessons/03_sphere.md
  the bar is 0.436. You → the bar is 0.346. You
  derivations/pages/test_numbers.py::test_every_decimal_is_in_a_checked_formula_or_listed[sphere]
a formula of a lesson: derivations/pages/lessons/03_sphere.md
  {= 0.07·log 510 ≈ 0.436} → {= 0.07·log 510 ≈ 0.437}
  derivations/pages/test_prose.py::test_statements_in_lessons_hold[sphere]
a citation: derivations/pages/lessons/03_sphere.md
  (Hill, 1973 → (Hill, 1974
  derivations/pages/test_papers.py::test_every_citation_is_a_listed_paper
a citation: figures/collapse.py
  CLAIMS = ( → CLAIMS = ("R99",
  derivations/test_ledger.py::test_every_id_that_code_or_figures_cite_is_a_claim
# --- losses, floors, measured pages
a field of LOSS: infonce_ref/losses/ntxent.py
  differentiable=("w", "temperature") → differentiable=("w",)
  losses/test_contract.py::test_gradients_have_the_shapes_of_their_inputs[ntxent]
a field of LOSS: infonce_ref/losses/ntxent.py
  ill_conditioned={"w": PULLS, "temperature": SLOPES} → ill_conditioned={"w": PULLS}
  test_digits.py::test_a_slope_that_nearly_vanishes_is_outside_and_declared[ntxent]
a field of LOSS: infonce_ref/losses/query_key.py
  "temperature": SLOPES._replace(judged=True), →
  verify/test_grades.py::test_declared_cancellations_are_the_measured_ones[query_key]
a floor: infonce_ref/floors/simplex.py
  math.log1p((2 * pairs - 2) → math.log1p((2 * pairs - 1)
  derivations/pages/test_cheat_sheet.py::test_floors_are_the_library_s[ntxent]
a measured page: docs/public-bugs.md
  epsilon in the logarithm → epsilon in each exponential
  check/test_findings.py::test_the_page_lists_each_finding
"""


def read_edits():
    lines = [line for line in TEXT.splitlines() if not line.startswith("#")]
    for (kind, file), change, guard in zip(
        (line.split(": ") for line in lines[::3]), lines[1::3], lines[2::3], strict=True
    ):
        old, new = map(str.strip, change.split(" →"))
        yield Edit(kind, file, old, new, f"tests/{guard.strip()}")


EDITS = [*read_edits()]
EACH = [f"{place} {edit.kind} in {edit.file}" for place, edit in enumerate(EDITS)]
DAILY = ("a weaker theorem", "a verdict")  # the others at night, as each guard is a process of pytest


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the tree without the files that git ignores."""
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
    return Path(shutil.copytree(ROOT, tmp_path_factory.mktemp("copy") / "tree", ignore=ignored))


def passes(tree, guard):
    """Return whether a test passes in a tree."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-x", "-p", "no:cacheprovider", "-m", "", guard]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1, 2), f"{guard} was not run: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.returncode == 0  # 2: a test file or a file of the tree could not be imported


def is_refused(tree, edit):
    """Return whether the guard of an edit fails on the changed tree."""
    path = tree / edit.file
    source = path.read_text(encoding="utf-8")
    try:
        path.write_text(source.replace(edit.old, edit.new, 1), encoding="utf-8")
        return not passes(tree, edit.guard)
    finally:
        path.write_text(source, encoding="utf-8")


@pytest.mark.parametrize("edit", EDITS, ids=EACH)
def test_an_edit_changes_its_file_and_its_guard_is_a_test(edit):
    assert edit.old != edit.new
    assert edit.old in (ROOT / edit.file).read_text(encoding="utf-8")
    file, _, name = edit.guard.partition("::")
    name = name.partition("[")[0].rpartition("::")[2]
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(edit, marks=pytest.mark.slow if edit.kind in DAILY else pytest.mark.nightly, id=name)
        for name, edit in zip(EACH, EDITS, strict=True)
    ],
)
def test_a_false_edit_is_refused(tree, edit):
    assert passes(tree, edit.guard)
    assert is_refused(tree, edit)
