"""The theorems in Coq state what the evidence states, and Coq accepts them; a tampered one is refused."""

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from infonce_ref.cli import main
from infonce_ref.derivations import losses
from infonce_ref.derivations.kernel import coq as checker
from infonce_ref.derivations.kernel import theorems
from infonce_ref.derivations.kernel.spelling import identifier
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.symbols import TABLE

ALL = theorems.theorems()


@pytest.fixture(scope="module")
def said(settled):
    """The propositions of the files that are tampered with below."""
    chosen = [one for one in ALL if one.file in ("softmax", "cpc")]
    return {one.name: theorems.export(one, lambda id: settled(id).evidence) for one in chosen}


@pytest.mark.slow
@pytest.mark.parametrize("file", theorems.files())
def test_every_statement_is_the_one_that_the_evidence_exports(file, settled):
    """Written by `python tools/kernel.py`."""
    stale = [
        one.mark
        for one in ALL
        if one.file == file
        and one.stated != theorems.statement(one.name, theorems.export(one, lambda id: settled(id).evidence))
    ]
    assert stale == []


def test_each_statement_has_one_theorem():
    assert len({one.name for one in ALL}) == len({one.proposition for one in ALL}) == len(ALL)


def test_a_theorem_is_in_the_file_of_its_claim():
    homes = {
        one.mark: one.id if one.id in losses.NAMES else CLAIMS[one.id].evidence.__module__.rpartition(".")[2]
        for one in ALL
    }
    assert {one.mark: one.file for one in ALL} == homes


def test_the_record_matches_the_files():
    """Written by `python tools/kernel.py` after Coq has accepted them."""
    written = theorems.RECORD.read_text(encoding="utf-8")
    kept = json.loads(written)
    assert theorems.record((one.file for one in ALL), kept["coq"], kept["date"], kept["axioms"]) == written
    assert set(kept["axioms"]) <= checker.AXIOMS
    today = datetime.now(UTC).date().toordinal() + 1  # in case it is already tomorrow somewhere
    assert date.fromisoformat(kept["date"]).toordinal() <= today


@pytest.mark.parametrize("file", ["softmax", *theorems.LIBRARY])
def test_a_mark_disappears_when_its_file_changes(file, settled, monkeypatch):
    """Or one that all import."""
    plain = theorems.source
    monkeypatch.setattr(theorems, "source", lambda name: plain(name) + (" " if name == file else ""))
    theorems._accepted.cache_clear()
    assert not theorems.all_accepted(settled("D1.7").evidence)
    assert theorems.is_accepted(settled("D1.13").evidence["gradient"]) == (file == "softmax")
    monkeypatch.undo()
    theorems._accepted.cache_clear()


@pytest.fixture
def forged(tmp_path, monkeypatch):
    """Forge the record, or a .v file, in a copy."""

    def forge(change=lambda record: None, file="", without="", recorded=False):
        kept, plain = theorems.read_record(), theorems.source
        change(kept)
        (tmp_path / "record").write_text(json.dumps(kept))
        monkeypatch.setattr(theorems.read_record, "__defaults__", (tmp_path / "record",))
        cut = re.compile(rf"^\(\*! {without} \*\)\n.*?^\(\*! \*\)$", re.M | re.S)
        monkeypatch.setattr(
            theorems, "source", lambda name: cut.sub("", plain(name)) if name == file else plain(name)
        )
        if recorded:
            kept["files"][file] = theorems.digest(theorems.source(file))
            (tmp_path / "record").write_text(json.dumps(kept))

    return forge


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record["files"].update(softmax="0" * 32), "another softmax.v than the one here"),
        (lambda record: record["files"].pop("softmax"), "another softmax.v than the one here, or none"),
        (lambda record: record["files"].pop("sums"), "another sums.v than the one here, or none"),
        (
            lambda record: record["files"].update(more="0" * 32),
            "records more.v, and there is no theorem in it",
        ),
        (lambda record: record["axioms"].append("easy"), "records other axioms"),
    ],
)
def test_a_forged_record_is_named(change, said, forged):
    axioms = theorems.read_record()["axioms"]
    assert theorems.compare_record(ALL, axioms) == []
    forged(change)
    (wrong,) = theorems.compare_record(ALL, axioms)
    assert said in wrong


@pytest.mark.slow
@pytest.mark.parametrize("id", CLAIMS)
def test_every_piece_that_can_be_stated_has_a_theorem_or_a_reason(id, settled):
    """README.md of derivations/kernel says this; `infonce-ref ledger --kernel` refuses a missing one too."""
    evidence = settled(id).evidence
    assert theorems.find_missing(id, evidence) == []
    assert {piece for piece, _ in theorems.explain_missing(id)} <= set(evidence)


def test_each_reason_belongs_to_a_claim_and_no_gradient_lacks_its_theorem():
    assert {mark.partition(":")[0] for mark in theorems.WITHOUT} <= set(CLAIMS)
    assert theorems.find_missing_gradients() == []


def test_a_missing_theorem_is_named(settled, forged):
    forged(file="softmax", without="D1.7: derivative")
    (wrong,) = theorems.find_missing("D1.7", settled("D1.7").evidence)
    assert wrong.startswith("D1.7: derivative has no theorem in a .v file")
    assert "another softmax.v" in theorems.compare_record(ALL)[0]


def test_a_missing_gradient_is_named(forged):
    forged(file="query_key", without="query_key: by query")
    assert theorems.find_missing_gradients() == ["query_key: by query has no theorem in a .v file; write one"]


def test_a_reason_for_an_existing_theorem_is_named(settled, monkeypatch):
    monkeypatch.setitem(theorems.WITHOUT, "D1.7: derivative", "it is long")
    (wrong,) = theorems.find_missing("D1.7", settled("D1.7").evidence)
    assert "theorems.WITHOUT says why it has none" in wrong


@pytest.mark.parametrize(
    "forge", ["nothing", "a record", "a theorem", "a theorem and its record", "a file that Coq refuses"]
)
def test_the_exit_status_of_ledger_kernel(forge, forged, capsys, monkeypatch):
    """D1.6 has two theorems, so that one remains if the other is missing."""

    asked = []

    def judge(chosen, *_):
        if "refuses" in forge:
            raise checker.Refused("softmax.v")
        asked.extend(one.id for one in chosen)
        return checker.Accepted("8.16.1", sorted(checker.AXIOMS))

    if forge == "a record":
        forged(lambda record: record["files"].update(softmax="0" * 32))
    elif forge.startswith("a theorem"):
        forged(file="softmax", without="D1.6: positive", recorded="record" in forge)
    monkeypatch.setattr(checker, "judge", judge)
    monkeypatch.setattr(checker, "version", lambda: "8.16.1")
    assert main(["ledger", "D1.6", "--kernel"]) == (forge != "nothing")
    assert bool(capsys.readouterr().err) == (forge != "nothing")
    assert asked == ["D1.6"] * len(asked)


@pytest.mark.coq
def test_coq_accepts_a_file_on_the_axioms_of_the_real_numbers_alone(said):
    """All files take minutes: `.ci/run -s kernel` asks about them by `infonce-ref ledger --kernel`."""
    accepted = checker.judge([one for one in ALL if one.file == "softmax"], said)
    assert set(accepted.axioms) <= checker.AXIOMS


# --- tampering --------------------------------------------------------------------------------

VICTIM = "D1_7_derivative"


def judged(said, change, of=(VICTIM,), also=None, tampered="softmax"):
    """Run the check on some theorems after changing their file, or exporting another proposition."""
    text = change(theorems.source(tampered))
    chosen = [one for one in theorems.find_theorems(tampered, text) if one.name in of]
    assert len(chosen) == len(of)
    return checker.judge(
        chosen, said | (also or {}), read=lambda file: text if file == tampered else theorems.source(file)
    )


def test_a_statement_that_differs_from_the_evidence_is_refused_before_coq_runs(said):
    with pytest.raises(checker.Refused, match="differs from the evidence"):
        judged(said, lambda text: text.replace("(j < N)%nat ->", "(j <= N)%nat ->"))


@pytest.mark.coq
@pytest.mark.parametrize(
    ("name", "file", "changes"),
    [
        (
            VICTIM,
            "softmax",
            [("(G L i j", "(2 * G L i j"), ("(delta i k * G L i j", "(2 * delta i k * G L i j")],
        ),
        ("D2_3_missing", "cpc", [("loss <> ", "loss = ")]),
    ],
)
def test_a_false_statement_with_the_same_proof_is_refused(said, name, file, changes):
    false = said[name]
    for old, new in changes:
        false = false.replace(old, new)
    assert false != said[name]
    with pytest.raises(checker.Refused, match=rf"{file}\.v"):
        judged(said, lambda text: text.replace(said[name], false), (name,), {name: false}, file)


@pytest.mark.coq
@pytest.mark.parametrize(
    ("before", "proof"),
    [
        (
            "Lemma delta : 1 = 1.\nProof. reflexivity. Qed.\n",
            "Proof. by_sums. Qed.",
        ),  # a name that means another
        ("", "Proof. intros. exact I. Qed."),
    ],
)
def test_a_tampered_proof_is_refused(said, before, proof):
    def change(text):
        head, mark, rest = text.partition("(*! D1.7")
        return head + before + mark + rest.replace("Proof. by_sums. Qed.", proof, 1)

    with pytest.raises(checker.Refused):
        judged(said, change)


LEMMA = "Lemma one : 1 = 1.\nProof. reflexivity. Qed."


@pytest.mark.parametrize(
    "sentence",
    [
        "Axiom easy : False.",
        "Parameter easy : False.",
        "Conjecture easy : False.",
        "Hypothesis easy : False.",
        "Variable easy : False.",
        "Admitted.",
        "- Admitted.",
        "1: { Admitted.",
        "1: { #[global] Unset Guard Checking. }",
        "[goal]: { 2:{ Axiom easy : False.",
        "Unset Guard Checking.",
        "Set Warnings.",
        "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
        'Declare ML Module "x".',
        'Redirect "out" Print nat.',
        "Notation is_derive := (fun _ _ _ => True).",
        'Infix "+" := Rmult.',
        "Definition sum := 0.",
        "Module R. End R.",
        "Section S.",
        "Coercion f : nat >-> R.",
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


@pytest.mark.parametrize("tampered", [theorems.LIBRARY[0], ALL[0].file])
def test_every_file_is_searched_for_other_sentences_before_coq_runs(tampered):
    def read(file):
        return theorems.source(file) + "\nAxiom easy : False.\n" * (file == tampered)

    with pytest.raises(checker.Refused, match=rf"{tampered}\.v: 'Axiom easy"):
        checker.judge(ALL[:1], said={}, read=read)


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


def test_the_mark_of_a_refuted_claim_requires_its_finding(settled):
    evidence = settled("P2").evidence
    assert theorems.is_stated(evidence["passed"])
    assert theorems.all_accepted(evidence)
    relabelled = replace(evidence["passed"].find, claimed=evidence["passed"].find.claimed._replace(sign="≥"))
    other = replace(evidence["passed"], find=relabelled)
    assert not theorems.all_accepted({**evidence, "passed": other})
