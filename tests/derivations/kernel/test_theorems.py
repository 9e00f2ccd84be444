"""Theorems are found in .v files by their marks, and are accepted while their files are those of the record."""

import hashlib
import json
import re
from types import SimpleNamespace

import pytest
from sympy import Symbol, exp

from infonce_ref.derivations.evidence.pieces import (
    Empirical,
    Finding,
    Relation,
    example,
    fails,
    holds,
)
from infonce_ref.derivations.kernel import theorems
from infonce_ref.derivations.kernel.theorems import Theorem
from infonce_ref.derivations.prover.inequality import positive
from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Partial
from infonce_ref.derivations.prover.proof import DERIVATIVE, derive

WITHOUT = theorems.WITHOUT  # the fixture replaces it
a, b = Symbol("a", real=True), Symbol("b", real=True)
FIRST = positive(exp(a))
SECOND = positive(exp(b))
THIRD = positive(exp(a) + exp(b))
BY_A = derive(Partial(a**2, a), (DERIVATIVE, 2 * a), facts=Facts())
COMPUTED = example("one is one", lambda: Finding(1, "=", 1))
SAID = {
    "first": "  forall (a : R),\n  0 < exp a",
    "second": "  forall (b : R),\n  0 < exp b",
    "by a": "  forall (a : R),\n  is_derive (fun x : R => x ^ 2) a (2 * a)",
}
ONE = f"""\
(* The first file; (*! X: not at the head of a line *) *)

(*! T1.2: first *)
Theorem T1_2_first :
{SAID["first"]}.
(*! *)
Proof. by_signs. Qed.

(*! toy: shared: by a *)
Theorem toy_shared__by_a :
{SAID["by a"]}.
(*! *)
Proof. by_sums. Qed.
"""
TWO = f"""\
(*! T3: second *)
Theorem T3_second :
{SAID["second"]}.
(*! *)
Proof. by_signs. Qed.
"""
OF_ONE = (
    Theorem("T1.2", "first", "one", f"Theorem T1_2_first :\n{SAID['first']}.\n"),
    Theorem("toy", "shared: by a", "one", f"Theorem toy_shared__by_a :\n{SAID['by a']}.\n"),
)
OF_TWO = (Theorem("T3", "second", "two", f"Theorem T3_second :\n{SAID['second']}.\n"),)
LIBRARY = {"vocabulary": "(* v *)", "sums": "(* Σ *)", "enclosures": "(* e *)"}
TEXTS = LIBRARY | {"one": ONE, "two": TWO}


def half(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


RECORD = {
    "coq": "8.16.1",
    "date": "2026-01-02",
    "axioms": ["x", "y"],
    "files": {file: half(text) for file, text in TEXTS.items()},
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with two files of theorems, their record, and a loss with two statements."""
    for file, text in TEXTS.items():
        (tmp_path / f"{file}.v").write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text("no theorem")
    (tmp_path / "record").write_text(json.dumps(RECORD))
    monkeypatch.setattr(theorems, "FOLDER", tmp_path)
    for function in (theorems.read_record, theorems.find_unchanged):
        monkeypatch.setattr(function, "__defaults__", (tmp_path / "record",))
    monkeypatch.setattr(theorems, "WITHOUT", {"T1: long": "it is long", "T1.2: more": "a", "T1.2: a: b": "c"})
    by_a = SimpleNamespace(claims=("T1.2", "T4"), prove=lambda: BY_A)
    by_b = SimpleNamespace(claims=("T5",), prove=None)
    toy = {"": SimpleNamespace(gradients={"b": by_b}), "shared": SimpleNamespace(gradients={"a": by_a})}
    monkeypatch.setattr(theorems.losses, "NAMES", ("toy",))
    monkeypatch.setattr(theorems.losses, "statements", {"toy": toy}.get)
    monkeypatch.setattr(theorems, "STATED", ("toy",))
    theorems._accepted.cache_clear()
    yield tmp_path
    theorems._accepted.cache_clear()


def change(folder, file, text):
    (folder / f"{file}.v").write_text(text, encoding="utf-8")
    theorems._accepted.cache_clear()


def keep(folder, **changed):
    (folder / "record").write_text(json.dumps(RECORD | changed))
    theorems._accepted.cache_clear()


# --- the files ------------------------------------------------------------------------------------------


def test_the_files_of_theorems_are_those_beside_the_library():
    assert theorems.files() == ["one", "two"]


def test_the_theorems_of_a_text_are_between_its_marks():
    assert theorems.find_theorems("one", ONE) == OF_ONE


def test_all_theorems_are_those_of_every_file_in_order():
    assert theorems.theorems() == [*OF_ONE, *OF_TWO]


def test_a_theorem_has_a_name_a_mark_and_a_proposition():
    theorem = OF_ONE[1]
    assert theorem.name == "toy_shared__by_a"
    assert theorem.mark == "toy: shared: by a"
    assert theorem.proposition == SAID["by a"]


def test_a_statement_names_its_proposition():
    assert theorems.statement("x", "  1 = 1") == "Theorem x :\n  1 = 1.\n"


def test_only_the_statements_of_a_text_are_rewritten():
    written = theorems.rewrite_statements(ONE, lambda theorem: f"  {theorem.id} has {theorem.piece}")
    assert written == ONE.replace(SAID["first"], "  T1.2 has first").replace(
        SAID["by a"], "  toy has shared: by a"
    )


# --- what is exported -----------------------------------------------------------------------------------


def test_the_gradients_of_a_loss_are_named_by_option_and_input():
    assert {name: by.claims for name, by in theorems.gradients("toy").items()} == {
        "by b": ("T5",),
        "shared: by a": ("T1.2", "T4"),
    }


def test_a_theorem_of_a_claim_states_its_piece_of_evidence():
    evidence = {"T1.2": {"second": SECOND, "first": FIRST}}
    assert theorems.export(OF_ONE[0], evidence.get) == SAID["first"]


def test_a_theorem_of_a_loss_states_its_gradient():
    assert theorems.export(OF_ONE[1], {}.get) == SAID["by a"]


def test_a_theorem_belongs_to_its_claim_or_to_those_that_its_gradient_cites():
    assert [theorems.claims(one) for one in OF_ONE] == [("T1.2",), ("T1.2", "T4")]


@pytest.mark.parametrize(
    ("claim", "evidence", "names"),
    [
        ("T1.2", {"first": FIRST}, {"T1_2_first": "first", "toy_shared__by_a": "by a"}),
        ("T4", {"words": Empirical("words")}, {"toy_shared__by_a": "by a"}),
        ("T9", {"same": SECOND, "computed": COMPUTED}, {"T3_second": "second"}),
        ("T9", {"other": THIRD}, {}),
    ],
)
def test_the_propositions_of_a_claim_are_its_own_its_gradients_and_those_it_shares(claim, evidence, names):
    assert theorems.export_all(claim, evidence) == {name: SAID[said] for name, said in names.items()}


def test_a_changed_piece_is_exported_as_it_is_now():
    """The file still has the earlier statement."""
    assert theorems.export_all("T3", {"second": FIRST})["T3_second"] == SAID["first"]


@pytest.mark.parametrize(
    ("piece", "stated"),
    [
        (FIRST, True),
        (BY_A, True),
        (fails(Relation(a, "=", a + 1), {a: 1}), True),
        (holds("a is below a + 1", Relation(a, "<", a + 1), {a: 1}), True),
        (COMPUTED, False),
        (Empirical("words"), False),
    ],
)
def test_proofs_and_instances_of_expressions_can_be_stated(piece, stated):
    assert theorems.is_stated(piece) is stated


# --- what was accepted ----------------------------------------------------------------------------------


def test_a_digest_is_the_first_half_of_the_sha_256():
    """That of the empty text is known."""
    assert theorems.digest("") == "e3b0c44298fc1c149afbf4c8996fb924"
    assert theorems.digest("Σ") == half("Σ")


def test_a_record_has_the_library_and_the_used_files():
    written = theorems.record(iter(["two", "one", "two"]), "8.16.1", "2026-01-02", iter(["y", "x"]))
    assert written == json.dumps(RECORD, indent=1) + "\n"
    assert list(json.loads(written)["files"]) == ["vocabulary", "sums", "enclosures", "one", "two"]


def test_the_used_files_of_a_record_are_sorted_after_the_library(folder):
    used = [*"hgfedcba"]
    for file in used:
        change(folder, file, file)
    assert list(json.loads(theorems.record(used, "", "", []))["files"]) == [*LIBRARY, *sorted(used)]


def test_a_record_is_read_as_it_was_written():
    assert theorems.read_record() == RECORD


def test_a_record_that_is_missing_accepts_nothing(folder):
    assert theorems.read_record(folder / "none") == {"coq": "", "date": "", "axioms": [], "files": {}}
    assert theorems.find_unchanged(folder / "none") == set()


def test_a_record_is_described_by_its_version_and_date():
    assert theorems.describe_record() == "recorded with Coq 8.16.1 on 2026-01-02"


def test_a_record_of_the_files_as_they_are_differs_in_nothing():
    assert theorems.compare_record([*OF_ONE, *OF_TWO], iter(["y", "x"])) == []


def another(*files):
    return [f"accepted.json records another {file}.v than the one here, or none" for file in files]


def test_each_changed_file_of_the_chosen_theorems_is_named(folder):
    for file in ("one", "two", "sums"):
        change(folder, file, "(* changed *)")
    assert theorems.compare_record(OF_ONE) == another("one", "sums")
    assert theorems.compare_record([*OF_ONE, *OF_TWO]) == another("one", "sums", "two")


def test_a_file_that_the_record_lacks_is_named(folder):
    keep(folder, files={file: known for file, known in RECORD["files"].items() if file != "two"})
    assert theorems.compare_record(OF_TWO) == another("two")


def test_a_recorded_file_without_theorems_is_named_only_if_all_were_chosen():
    beside = "accepted.json records two.v, and there is no theorem in it"
    assert theorems.compare_record(OF_ONE) == []
    assert theorems.compare_record(OF_ONE, ["x", "y"]) == [beside]


@pytest.mark.parametrize("axioms", [["x"], ["x", "y", "z"], []])
def test_other_axioms_are_named(axioms):
    assert theorems.compare_record([*OF_ONE, *OF_TWO], axioms[::-1]) == [
        f"accepted.json records other axioms than {', '.join(axioms)}"
    ]


def test_only_unchanged_files_are_accepted(folder):
    assert theorems.find_unchanged() == {*TEXTS}
    change(folder, "two", TWO + " ")
    assert theorems.find_unchanged() == {*LIBRARY, "one"}
    (folder / "two.v").unlink()
    assert theorems.find_unchanged() == {*LIBRARY, "one"}


@pytest.mark.parametrize("file", LIBRARY)
def test_nothing_is_accepted_if_a_file_of_the_library_has_changed(folder, file):
    change(folder, file, "(* other *)")
    assert theorems.find_unchanged() == set()


def test_a_piece_is_accepted_by_its_statement(folder):
    assert theorems.is_accepted(FIRST)
    assert theorems.is_accepted(SECOND)
    assert not theorems.is_accepted(THIRD)
    assert not theorems.is_accepted(COMPUTED)
    change(folder, "one", ONE + " ")
    assert not theorems.is_accepted(FIRST)
    assert theorems.is_accepted(SECOND)


@pytest.mark.parametrize(
    ("evidence", "accepted"),
    [
        ({"a": FIRST}, True),
        ({"a": FIRST, "b": BY_A, "c": COMPUTED, "d": Empirical("words")}, True),
        ({"a": FIRST, "b": THIRD}, False),
        ({"a": COMPUTED}, False),
        ({}, False),
    ],
)
def test_evidence_is_accepted_if_each_piece_that_can_be_stated_is(evidence, accepted):
    assert theorems.all_accepted(evidence) is accepted


# --- what is missing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "piece", "missing"),
    [
        ("first", FIRST, []),
        ("computed", COMPUTED, []),
        ("words", Empirical("words"), []),
        ("more", THIRD, []),
        (
            "other",
            THIRD,
            ["T1.2: other has no theorem in a .v file; write one, or say why not in theorems.WITHOUT"],
        ),
        ("more", FIRST, ["T1.2: more has a theorem in a .v file, and theorems.WITHOUT says why it has none"]),
    ],
)
def test_a_piece_has_either_a_theorem_or_a_reason(name, piece, missing):
    assert theorems.find_missing("T1.2", {"b": SECOND, name: piece}) == missing


def test_each_reason_is_of_a_piece_of_a_claim():
    assert all(re.fullmatch(r"[A-Z]\d+: [a-z]+", mark) for mark in WITHOUT)
    assert all(why.startswith("it") for why in WITHOUT.values())


def test_a_gradient_without_a_theorem_is_named():
    assert theorems.find_missing_gradients() == ["toy: by b has no theorem in a .v file; write one"]


def test_the_reasons_of_a_claim_are_its_own():
    assert theorems.explain_missing("T1.2") == [("more", "a"), ("a: b", "c")]
    assert theorems.explain_missing("T1") == [("long", "it is long")]
    assert theorems.explain_missing("T") == []
