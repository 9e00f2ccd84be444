"""Make false changes in a copy of the tree: in claims, in what readers see, and in signed files.

`python tests/false_edits.py [WORD]` tries all, or those whose kind or file has the word, and reports which are
refused. The guard of a change is a test of the
repository, run in the copy: it must pass on the tree as it is, and fail on the changed one.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
ACCEPTED = "derivations/kernel/accepted.json"
SOFTMAX, THEOREMS = "derivations/kernel/softmax.v", "derivations/kernel/theorems.py"
PROOFS = "tests/derivations"
KERNEL, PAGES = f"{PROOFS}/kernel/test_kernel.py", f"{PROOFS}/pages"
REVIEW, READINGS = f"{PROOFS}/test_review.py", f"{PROOFS}/test_readings.py"
WORDS = f"{REVIEW}::test_every_claim_stands_and_its_words_were_read[some]"
TEXTS = f"{REVIEW}::test_captions_cards_symbols_and_documents_were_read"
BUGS = "tests/verify/test_public_bugs.py::test_the_page_is_up_to_date"


class Edit(NamedTuple):
    """One false change: the first `old` in a file becomes `new`; `guard` is the test that must refuse it.

    forged: also write the digest of a changed file of theorems into accepted.json, as if Coq had accepted it.
    """

    kind: str
    file: str
    old: str
    new: str
    guard: str
    forged: bool = False


EDITS = [
    Edit(kind, file, *change.split(" → "), guard, forged="theorem" in kind)
    for kind, file, change, guard in (
        # --- claims, theorems, quotations
        ("a claim's words", "derivations/losses/infonce.py", "a step against → a step along", WORDS),
        ("a quotation", "derivations/losses/infonce.py", "(G + G^T) Z$ → (G - G^T) Z$", WORDS),
        ("a verdict", "derivations/theory/bound_by_loss.py", "Verdict.FOLKLORE → Verdict.REFUTED", WORDS),
        ("the evidence", "derivations/losses/infonce.py", "derive(i + 2 * B, ( → derive(i + 3 * B, (", WORDS),
        ("a review", "derivations/reviewed.toml", '"D1.11" = " → "D1.11" = "0', WORDS),
        (
            "a quotation's reading",
            "derivations/readings.py",
            '"D1.4": (Reading("loss", _D1, at=(MEAN,)) → "D1.4": (Reading("loss", _D1, at=(SUM,))',
            f"{READINGS}::test_another_relation_than_the_printed_one_is_refused[D1.4]",
        ),
        (
            "a theorem removed",
            SOFTMAX,
            "(*! D1.6: positive *)\n → ",
            f"{KERNEL}::test_every_piece_that_can_be_stated_has_a_theorem_or_a_reason[D1.6]",
        ),
        (
            "a weaker theorem",
            SOFTMAX,
            "  0 < P i (p i).\n →   0 <= P i (p i).\n",
            f"{KERNEL}::test_every_statement_is_the_one_that_the_evidence_exports[softmax]",
        ),
        (
            "a proof's file",
            SOFTMAX,
            "Proof. by_sums. Qed. → Admitted.",
            f"{KERNEL}::test_the_record_matches_the_files",
        ),
        (
            "an excuse",
            THEOREMS,
            '    "S4: excess": "it needs →     "D1.7: derivative": "it is long",\n    "S4: excess": "it needs',
            f"{KERNEL}::test_every_piece_that_can_be_stated_has_a_theorem_or_a_reason[D1.7]",
        ),
        # --- marks and verdicts wherever they are shown, and the exit status
        (
            "a mark",
            "derivations/pages/book.py",
            '["false at a point"] → ["proved"]',
            f"{REVIEW}::test_a_mark_follows_the_formula_that_it_describes",
        ),
        (
            "a mark",
            "derivations/pages/cheat_sheet.py",
            'if theorems.is_accepted(proof) else "" → if proof else ""',
            f"{PAGES}/test_cheat_sheet.py::test_a_gradient_has_a_tick_if_coq_accepted_it",
        ),
        (
            "a mark",
            "derivations/pages/html.py",
            "{'' if read else UNREVIEWED} → ",
            f"{PAGES}/test_lessons.py::test_a_claim_says_that_its_words_are_unreviewed",
        ),
        (
            "a mark",
            THEOREMS,
            "return proposition(piece) in _accepted() → return bool(proposition(piece))",
            f"{KERNEL}::test_a_mark_disappears_when_its_file_changes",
        ),
        (
            "a verdict shown",
            "derivations/pages/export.py",
            '"coq": card.coq → "coq": True',
            f"{PAGES}/test_verdicts.py::test_a_record_has_the_claims_verdict_and_marks",
        ),
        (
            "an exit status",
            "infonce_ref/cli/ledger.py",
            "all(claim.stands and claim.reviewed for → all(claim.stands for",
            f"{REVIEW}::test_unreviewed_words_are_shown_and_decide_the_exit_status",
        ),
        (
            "an exit status",
            "infonce_ref/cli/ledger.py",
            "return report([*wrong, *theorems.compare_record( → return report([*theorems.compare_record(",
            f"{KERNEL}::test_the_exit_status_of_ledger_kernel",
        ),
        (
            "a check of reviews",
            "derivations/review.py",
            "return known if known and known.digest == digest(entry) else None → return known",
            f"{REVIEW}::test_words_turned_into_their_contrary_are_unreviewed",
        ),
        (
            "a check of reviews",
            "derivations/ledger.py",
            'if misread := readings.find_change(claim, evidence): → if misread := claim.printed and "":',
            f"{READINGS}::test_a_quotation_other_than_the_typed_relation_fails",
        ),
        # --- words, numbers and citations of pages
        (
            "a caption",
            "figures/hardness_weights.py",
            "the fewer the negatives → the more the negatives",
            TEXTS,
        ),
        ("a symbol", "derivations/symbols.py", "raw rows, none of them zero → raw rows", TEXTS),
        ("a paper", "derivations/papers.py", "        1984,\n →         1985,\n", TEXTS),
        (
            "a mistake's words",
            "infonce_ref/mistakes.txt",
            "but it may be negative → and it is never negative",
            TEXTS,
        ),
        ("a mistake's report", "infonce_ref/mistakes.txt", "lightly/pull/1826 → lightly/pull/1827", BUGS),
        (
            "a formula beside the code",
            "infonce_ref/losses/dcl.py",
            "≤ 2/τ, as |s| ≤ 1 → ≤ 1/τ, as |s| ≤ 1",
            TEXTS,
        ),
        (
            "a card of the cheat sheet",
            "derivations/pages/cards/ntxent.py",
            "least=log(1 + (N - 2) * exp(-2 / tau)) → least=log(1 + (N - 1) * exp(-2 / tau))",
            f"{PAGES}/test_cheat_sheet.py::test_the_ends_of_the_range_are_reached[ntxent]",
        ),
        (
            "a number typed in a lesson",
            "derivations/pages/lessons/03_sphere.md",
            "the bar is 0.436. You → the bar is 0.346. You",
            f"{PAGES}/test_numbers.py::test_every_decimal_is_in_a_checked_formula_or_listed[sphere]",
        ),
        (
            "a formula of a lesson",
            "derivations/pages/lessons/03_sphere.md",
            "{= 0.07·log 510 ≈ 0.436} → {= 0.07·log 510 ≈ 0.437}",
            f"{PAGES}/test_prose.py::test_statements_in_lessons_hold[sphere]",
        ),
        (
            "a citation",
            "derivations/pages/lessons/03_sphere.md",
            "(Hill, 1973 → (Hill, 1974",
            f"{PAGES}/test_papers.py::test_every_citation_is_a_listed_paper",
        ),
        (
            "a citation",
            "figures/collapse.py",
            'CLAIMS = ( → CLAIMS = ("R99", ',
            f"{PROOFS}/test_ledger.py::test_every_id_that_code_or_figures_cite_is_a_claim",
        ),
        # --- losses, floors, measured pages
        (
            "a field of LOSS",
            "infonce_ref/losses/ntxent.py",
            'differentiable=("w", "temperature") → differentiable=("w",)',
            "tests/test_readme.py::test_the_matrix_has_a_row_for_each_loss_and_input_and_every_cell_holds",
        ),
        (
            "a field of LOSS",
            "infonce_ref/losses/ntxent.py",
            'ill_conditioned={"w": PULLS, "temperature": SLOPES} → ill_conditioned={"w": PULLS}',
            "tests/test_digits.py::test_a_slope_that_nearly_vanishes_is_outside_and_declared[ntxent]",
        ),
        (
            "a field of LOSS",
            "infonce_ref/losses/query_key.py",
            '        "temperature": SLOPES._replace(judged=True),\n → ',
            "tests/verify/test_grades.py::test_declared_cancellations_are_the_measured_ones[query_key]",
        ),
        (
            "a floor",
            "infonce_ref/floors/simplex.py",
            "math.log1p((2 * pairs - 2) → math.log1p((2 * pairs - 1)",
            f"{PAGES}/test_cheat_sheet.py::test_floors_are_the_library_s[ntxent]",
        ),
        ("a measured page", "docs/public-bugs.md", "inexact → exact", BUGS),
    )
]


@contextmanager
def make_tree() -> Iterator[Path]:
    """Copy the tree without the files that git ignores."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
        shutil.copytree(ROOT, tree, ignore=ignored)
        yield tree


def forge_record(tree: Path) -> None:
    """Write the digests of a tree's files of theorems into its accepted.json, as `theorems.digest` computes
    them.
    """
    from infonce_ref.derivations.kernel import theorems

    path = tree / ACCEPTED
    known = json.loads(path.read_text(encoding="utf-8"))
    for file in known["files"]:
        text = (tree / f"derivations/kernel/{file}.v").read_text(encoding="utf-8")
        known["files"][file] = theorems.digest(text)
    path.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def passes(tree: Path, *guards: str) -> bool:
    """Return whether tests pass in a tree. Raises RuntimeError if they could not be started."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-x", "-p", "no:cacheprovider", "-m", "", *guards]
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2):  # 2: a test file or a file of the tree could not be imported
        raise RuntimeError(f"{guards}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0


def check_guards(tree: Path, edits: Iterable[Edit]) -> None:
    """Raise ValueError unless the guards of all edits pass on the tree as it is."""
    guards = [*dict.fromkeys(edit.guard for edit in edits)]
    if not passes(tree, *guards):
        raise ValueError(f"one of these fails on the tree as it is: {' '.join(guards)}")


def is_refused(tree: Path, edit: Edit) -> bool:
    """Return whether the guard of an edit fails on the changed tree. Raises ValueError if the edit changes
    nothing.
    """
    path, record = tree / edit.file, tree / ACCEPTED
    source, known = (x.read_text(encoding="utf-8") for x in (path, record))
    if edit.old not in source:
        raise ValueError(f"{edit.file} has no {edit.old!r}")
    try:
        path.write_text(source.replace(edit.old, edit.new, 1), encoding="utf-8")
        if edit.forged:
            forge_record(tree)
        return not passes(tree, edit.guard)
    finally:
        record.write_text(known, encoding="utf-8")
        path.write_text(source, encoding="utf-8")


PAGE = ROOT / "docs" / "trust.md"


def write_rows() -> str:
    """Return the rows of the table of docs/trust.md, by kind."""
    counts: dict[str, Counter[str]] = {}
    for edit in EDITS:
        counts.setdefault(edit.kind, Counter())[f"`{edit.guard.partition('::')[0]}`"] += 1
    said = {
        kind: ", ".join(f"{name} {many}" for name, many in sorted(counts[kind].items())) for kind in counts
    }
    return "".join(f"| {kind} | {counts[kind].total()} | {said[kind]} |\n" for kind in sorted(counts))


if __name__ == "__main__":
    counts: dict[str, Counter] = {}
    chosen = [x for x in EDITS if all(word in f"{x.kind} {x.file}" for word in sys.argv[1:])]
    with make_tree() as copy:
        check_guards(copy, chosen)
        for edit in chosen:
            print("…", edit.kind, edit.file, file=sys.stderr, flush=True)
            who = edit.guard.partition("::")[0] if is_refused(copy, edit) else "NOBODY"
            counts.setdefault(edit.kind, Counter())[who] += 1
            if who == "NOBODY":
                print(f"SURVIVED {edit.kind}: {edit.file}: {edit.old!r} → {edit.new!r}", flush=True)
    for kind, refused in counts.items():
        print(f"{kind}: {dict(refused)}")
    print(f"{sum(map(Counter.total, counts.values()))} false changes")
