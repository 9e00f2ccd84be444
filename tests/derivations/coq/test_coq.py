"""Coq accepts the theorems that the evidence states; a tampered one is refused, and a mark needs the record."""

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime

import coq as tool
import pytest
from sympy import Symbol

from infonce_ref.derivations import losses
from infonce_ref.derivations.coq import accepted, checker, export, theorems
from infonce_ref.derivations.coq.spelling import NotExported, identifier
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.zero_test import Facts
from infonce_ref.derivations.symbols import TABLE


@pytest.fixture
def stated(settled):
    """State the theorems of a claim."""
    return lambda id: theorems.state(id, settled(id).evidence)


@pytest.fixture
def changed(monkeypatch, tmp_path):
    """Change the record, or the text of a .v file, in a copy; nothing is changed at first."""
    plain, copy = theorems.source, tmp_path / "record"
    copy.write_text(accepted.RECORD.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(accepted, "RECORD", copy)

    def forget():
        theorems._accepted.cache_clear()
        theorems.by_hand.cache_clear()

    def change(file="", text=lambda text: text, record=lambda known: None):
        known = accepted.read_record()
        record(known)
        copy.write_text(json.dumps(known))
        monkeypatch.setattr(theorems, "source", lambda name: (text if name == file else str)(plain(name)))
        forget()

    yield change
    monkeypatch.undo()
    forget()


# --- what is stated, and what was accepted ----------------------------------------------------------------


def test_a_proof_by_hand_is_in_the_file_of_its_claim():
    homes = {
        id: id if id in losses.NAMES else CLAIMS[id].module.rpartition(".")[2]
        for id in (mark.partition(": ")[0] for mark in theorems.by_hand())
    }
    assert theorems.by_hand() == {mark: homes[mark.partition(": ")[0]] for mark in theorems.by_hand()}


@pytest.mark.slow
def test_every_statement_has_one_theorem_and_every_proof_by_hand_a_statement(stated):
    asked = [one for id in CLAIMS for one in stated(id)]
    asked += [one for loss in theorems.ALL_GRADIENTS for one in theorems.find_theorems(loss)]
    chosen = theorems.choose(asked)
    assert len({one.said for one in chosen}) == len({one.name for one in chosen}) == len(chosen)
    assert {one.said for one in chosen} == {one.said for one in asked}
    # what Coq accepted is still stated, letter for letter: no change of the exporter goes unnoticed
    assert {*accepted.read_record()["theorems"].values()} <= {theorems.digest(one.said) for one in chosen}


@pytest.mark.slow
@pytest.mark.parametrize("mark", theorems.NO_THEOREM)
def test_a_piece_with_a_reason_exists_and_was_not_accepted_by_another_name(mark, settled):
    id, _, piece = mark.partition(": ")
    assert not theorems.is_accepted(settled(id).evidence[piece])


def test_no_piece_that_coq_accepted_has_a_reason_why_it_has_no_theorem():
    assert not theorems.NO_THEOREM.keys() & accepted.read_record()["theorems"].keys()


def test_the_record_has_a_date_and_no_other_axioms():
    known = accepted.read_record()
    assert set(known["axioms"]) == checker.AXIOMS
    today = datetime.now(UTC).date().toordinal() + 1  # in case it is already tomorrow somewhere
    assert date.fromisoformat(known["date"]).toordinal() <= today


def test_a_mark_disappears_when_its_statement_or_the_vocabulary_changes(settled, changed):
    """And not with a proof: what Coq has accepted stays true."""
    evidence = settled("D1.6").evidence
    weaker = {"positive": replace(evidence["positive"], strict=False)}
    assert theorems.all_accepted(evidence)
    assert not theorems.all_accepted(evidence | weaker)
    changed("softmax", lambda text: text + " ")
    assert theorems.all_accepted(evidence)
    changed("vocabulary", lambda text: text + " ")
    assert not theorems.is_accepted(evidence["positive"])


OTHER = "another statement or proof of softmax.v than the one here, or none"
FORGED = [
    (OTHER, lambda known: known["theorems"].update({"D1.6: positive": "0"})),
    (OTHER, lambda known: known["theorems"].pop("D1.6: positive")),
    (OTHER, lambda known: known["files"].update(softmax="0")),
    (OTHER, lambda known: known["files"].pop("sums")),
    ("records D1.6: easy, which is not stated", lambda known: known["theorems"].update({"D1.6: easy": "0"})),
    ("records other axioms", lambda known: known["axioms"].append("easy")),
]


@pytest.mark.parametrize(("said", "forge"), FORGED)
def test_a_forged_record_is_named(said, forge, stated, changed):
    """Here D1.6 has all theorems."""
    every, axioms = stated("D1.6"), accepted.read_record()["axioms"]
    keys = {one.mark: theorems.digest(one.said) for one in every}
    changed(record=lambda known: known.update(files=theorems.digest_files(), theorems=keys))
    assert theorems.compare_record(every, axioms) == []
    changed(record=forge)
    assert any(said in line for line in theorems.compare_record(every, axioms))


def test_a_proof_of_what_is_not_stated_is_named(stated, changed):
    changed("softmax", lambda text: text.replace("(*! S3: above *)", "(*! S3: over *)"))
    with pytest.raises(ValueError, match=r"^softmax\.v proves S3: over, which is not stated, or is in"):
        theorems.choose(stated("D1.6"))


@pytest.mark.parametrize("forge", ["nothing", "the record", "a proof by hand", "a file that Coq refuses"])
def test_the_exit_status_of_ledger_kernel(forge, stated, changed, command, monkeypatch):
    """And what Coq is asked: every statement of the claim, and others only of proofs by hand."""
    asked = []

    def judge(chosen, *_):
        if "refuses" in forge:
            raise checker.Refused("softmax.v")
        asked.extend(chosen)
        return checker.Accepted("8.16.1", sorted(checker.AXIOMS))

    changed(record=lambda known: known.update(files=theorems.digest_files()))
    if forge == "the record":
        changed(record=lambda known: known["theorems"].update({"S3: above": "0"}))
    elif forge == "a proof by hand":
        changed("softmax", lambda text: text.replace("(*! S3: above *)", "(* *)"))
    monkeypatch.setattr(checker, "judge", judge)
    monkeypatch.setattr(checker, "version", lambda: "8.16.1")
    status, _, err = command("ledger", "S3", "--kernel")
    assert status == ("ledger --kernel:" in err) == (forge != "nothing")
    ours = {one.said for one in stated("S3")}
    assert not asked or {one.said for one in asked if one.mark not in theorems.by_hand()} <= ours
    assert not asked or {one.said for one in asked} >= ours


def test_the_ledger_prints_what_a_claim_states_in_coq(command):
    status, out, _ = command("ledger", "D1.6", "--coq")
    assert status == 0
    assert out.splitlines()[:5] == [
        "Theorem D1_6_positive :",
        "  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),",
        "  (0 < N)%nat ->",
        "  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in",
        "  0 < P i (p i).",
    ]


def test_the_tool_records_what_coq_accepts_and_refuses_a_forged_record(
    stated, changed, tmp_path, monkeypatch
):
    """Only the files are checked in which something changed since an earlier record."""
    checked, every = [], theorems.choose([*stated("S3"), *stated("D2.3")])

    def judge(chosen, *_):
        checked.append({one.file for one in chosen})
        return checker.Accepted("8.16.1", sorted(checker.AXIOMS))

    monkeypatch.setattr(tool, "find_all", lambda: every)
    monkeypatch.setattr(checker, "judge", judge)
    monkeypatch.setattr(checker, "version", lambda: "8.16.1")
    changed(record=lambda known: known.update(theorems={}))
    assert tool.main([]) is None
    known, mains = accepted.read_record(), tmp_path / "main"
    assert known["theorems"] == {one.mark: theorems.digest(one.said) for one in every}
    mains.write_text(accepted.RECORD.read_text(encoding="utf-8"), encoding="utf-8")
    changed("softmax", lambda text: text + " ", lambda known: known["theorems"].update({"S3: easy": "0"}))
    assert tool.main(["--since", str(mains)]) == "accepted.json had S3: easy, which Coq has not accepted"
    assert accepted.read_record()["theorems"] == known["theorems"]
    assert tool.main(["--since", str(mains)]) is None
    assert checked == [{one.file for one in every}, {"softmax"}, {"softmax"}]


# --- what Coq accepts, and what it refuses ------------------------------------------------------------------


@pytest.mark.coq
def test_coq_accepts_a_file_on_the_axioms_of_the_real_numbers_alone(stated):
    """All files take minutes: `.ci/run -s coq` asks about them by `infonce-ref ledger --kernel`."""
    chosen = theorems.choose(one for id in ("D1.6", "S1") for one in stated(id))
    assert set(checker.judge(chosen).axioms) <= checker.AXIOMS


@pytest.mark.coq
@pytest.mark.parametrize(
    ("mark", "old", "new"),
    [
        ("D1.6: positive", "0 < P i (p i)", "1 < P i (p i)"),
        ("S1: softplus", "ln (1 + exp (x i))", "ln (2 + exp (x i))"),
        ("D2.3: missing", "loss <> ", "loss = "),
    ],
)
def test_a_false_statement_with_the_same_proof_is_refused(mark, old, new, stated):
    (true,) = (one for one in stated(mark.partition(": ")[0]) if one.mark == mark)
    false = true._replace(said=true.said.replace(old, new))
    assert false != true
    with pytest.raises(checker.Refused, match=rf"does not accept {true.file}\.v, at {true.name}: "):
        checker.judge(theorems.choose([false]))


@pytest.mark.coq
@pytest.mark.parametrize(
    ("before", "proof"),
    [
        ("Lemma exp : 1 = 1.\nProof. reflexivity. Qed.\n", "Proof."),  # a name that means another
        ("", "Proof. intros. exact I."),
    ],
)
def test_a_tampered_proof_is_refused(before, proof, stated):
    def read(file):
        text = theorems.source(file)
        mark = "(*! S3: above *)\n"
        return text.replace(f"{mark}Proof.", f"{before}{mark}{proof}") if file == "softmax" else text

    with pytest.raises(checker.Refused, match=r"softmax\.v"):
        checker.judge(theorems.choose(stated("S3")), read=read)


@pytest.mark.parametrize("file", [*theorems.LIBRARY, *theorems.files()])
def test_a_file_has_only_theorems_tactics_and_known_imports(file):
    checker.refuse_other_sentences(file, theorems.source(file))


LEMMA = "Lemma one : 1 = 1.\nProof. reflexivity. Qed."


@pytest.mark.parametrize(
    "sentence",
    [
        "Axiom easy : False.",
        "- Admitted.",
        "1: { #[global] Unset Guard Checking. }",
        "[goal]: { 2:{ Axiom easy : False.",
        "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
        'Declare ML Module "x".',
        'Redirect "out" Print nat.',
        "Notation is_derive := (fun _ _ _ => True).",
        "Definition sum := 0.",
        "Module R. End R.",
        "Require Import vocabulary.",
        "From Coq Require Import Reals. Import Prop.",
        "(* a comment (* within *) is closed *) Axiom easy : False.",
        '(* " *) Axiom easy : False. (* " *)',
    ],
)
def test_a_sentence_that_is_neither_theorem_nor_tactic_is_refused(sentence):
    checker.refuse_other_sentences("softmax", f"{LEMMA} (* no Axiom. (* Admitted. *) *)\n")
    with pytest.raises(checker.Refused):
        checker.refuse_other_sentences("softmax", f"{LEMMA}\n{sentence}\n")


@pytest.mark.parametrize("tampered", ["vocabulary", "softmax"])
def test_every_file_is_searched_for_other_sentences_before_coq_runs(tampered, stated):
    def read(file):
        return theorems.source(file) + "\nAxiom easy : False.\n" * (file == tampered)

    with pytest.raises(checker.Refused, match=rf"{tampered}\.v: 'Axiom easy"):
        checker.judge(theorems.choose(stated("S1")), read=read)


@pytest.mark.parametrize(
    ("printed", "why"),
    [
        ("Axioms:\nsoftmax.easy : False\n", "softmax.easy"),
        ("Axioms:\nsoftmax.f is assumed to be guarded.\n", "guarded"),
        ("", "rest on"),
    ],
)
def test_an_axiom_that_is_not_allowed_is_refused(printed, why):
    with pytest.raises(checker.Refused, match=why):
        checker.axioms(printed)


SUMMARY = """
CONTEXT SUMMARY
===============

* Theory: Set is predicative
* Axioms:
    {axiom}
* Constants/Inductives relying on type-in-type: {switched}
* Constants/Inductives relying on unsafe (co)fixpoints: <none>
* Inductives whose positivity is assumed: <none>
"""


def test_an_assumption_of_ours_in_coqs_summary_is_refused():
    checker.refuse_assumed(SUMMARY.format(axiom="Coq.Logic.Classical_Prop.classic", switched="<none>"))
    with pytest.raises(checker.Refused, match="easy"):
        checker.refuse_assumed(SUMMARY.format(axiom="infonce_ref.softmax.easy", switched="<none>"))
    with pytest.raises(checker.Refused, match="type-in-type"):
        checker.refuse_assumed(SUMMARY.format(axiom="Coq.Reals.Rdefinitions.R", switched="Coq.x.f"))
    with pytest.raises(checker.Refused, match="cannot be read"):
        checker.refuse_assumed("")


def test_without_coq_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(checker, "which", lambda _: None)
    with pytest.raises(ValueError, match="apt-get install coq libcoq-coquelicot"):
        checker.version()


# --- the exporter -----------------------------------------------------------------------------------------


def test_every_symbol_has_an_identifier_of_its_own():
    """Except for symbols that never occur in one statement."""
    names = {entry.name: identifier(entry.name) for entry in TABLE}
    assert all(word.replace("'", "").isidentifier() and word.isascii() for word in names.values())
    assert len({*names.values()}) == len(names)


def test_two_names_with_one_identifier_are_refused():
    tau, other = Symbol("τ", real=True), Symbol("tau", real=True)
    said = r"two of these names have the same identifier in Coq: .*τ → tau"
    with pytest.raises(NotExported, match=said):
        export.proposition(derive(tau * (other + 1), (SUMS, tau * other + tau), facts=Facts()))


def test_no_definition_of_the_vocabulary_is_an_identifier():
    defined = re.findall(r"^(?:Definition|Fixpoint) (\w+)", theorems.source("vocabulary"), re.M)
    assert {"sum", "delta", "set3"} < {*defined}
    used = [word for word in defined if word != "entries"]  # only the vocabulary itself uses it
    assert [identifier(word) for word in used] == [f"{word}_" for word in used]


def test_the_mark_of_a_refuted_claim_requires_its_finding(settled):
    evidence = settled("P2").evidence
    assert theorems.is_stated(evidence["passed"])
    assert theorems.all_accepted(evidence)
    relabelled = replace(evidence["passed"].find, claimed=evidence["passed"].find.claimed._replace(sign="≥"))
    other = replace(evidence["passed"], find=relabelled)
    assert not theorems.all_accepted({**evidence, "passed": other})
