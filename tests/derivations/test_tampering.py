"""The ledger says no: to another verdict, to evidence that is none, to sentences that say more than was shown."""

from dataclasses import replace

import pytest
from sympy import Integer, exp

from infonce_ref.derivations import evidence
from infonce_ref.derivations.claims import Sentence
from infonce_ref.derivations.evidence import Example, Finding, Instance, NotShown
from infonce_ref.derivations.ledger import CLAIMS, Settled, settle
from infonce_ref.derivations.pages.book import said
from infonce_ref.derivations.prover.inequality import Logs
from infonce_ref.derivations.prover.notation import Definition
from infonce_ref.derivations.symbols import tau
from infonce_ref.derivations.verdicts import Verdict

EVERY = pytest.mark.parametrize("id", CLAIMS)
CONTRARY = {"=": "≠", "≠": "=", "<": "≥", "≥": "<", ">": "≤", "≤": ">"}


def with_evidence(id: str, evidence: object) -> Settled:
    return settle(replace(CLAIMS[id], evidence=lambda: evidence))


@EVERY
def test_no_other_verdict_stands_on_the_same_evidence(id, settled):
    others = set(Verdict) - {CLAIMS[id].verdict}
    pieces = settled(id).evidence
    swapped = [settle(replace(CLAIMS[id], verdict=other, evidence=lambda: pieces)) for other in others]
    assert [entry.claim.verdict for entry in swapped if entry.stands] == []


@EVERY
def test_nothing_else_is_evidence(id, settled):
    name, piece = next(iter(settled(id).evidence.items()))
    pretended = [
        False,
        True,
        None,
        "proved",
        (),
        {},
        [],
        (piece,),
        piece,
        (x for x in (piece,)),
        iter([piece]),
    ]
    pretended += [{name: other} for other in (True, False, "proved", (), None, 1, [piece], lambda: piece)]
    assert [x for x in pretended if with_evidence(id, x).stands] == []


@EVERY
def test_another_claims_evidence_does_not_show_what_this_one_says(id, settled):
    ids = list(CLAIMS)
    other = ids[ids.index(id) - 1]
    pieces = settled(other).evidence
    if CLAIMS[id].evidence is CLAIMS[other].evidence:
        return  # one function may serve two claims
    entry = with_evidence(id, pieces)
    assert not entry.stands or said(entry) != said(settled(id))


@EVERY
def test_a_piece_that_the_sentence_shows_cannot_be_left_out(id, settled):
    claim, pieces = CLAIMS[id], settled(id).evidence
    shown = {*claim.says.names, *(claim.right.names if claim.right else ())}
    for name in shown:
        assert not with_evidence(id, {key: x for key, x in pieces.items() if key != name}).stands


@EVERY
def test_a_finding_turned_round_is_refused(id, settled):
    for piece in settled(id).evidence.values():
        if isinstance(piece, Instance):
            for place, finding in enumerate(piece.findings):
                if finding.sign == "≈":
                    continue
                contrary = finding._replace(sign=CONTRARY[finding.sign])
                with pytest.raises(NotShown):
                    replace(piece, findings=(*piece.findings[:place], contrary))


@pytest.mark.parametrize(
    "words", ["so x = 1", "it is < 2", r"it is $\le 2$", r"as $x \to 0$", "x ≥ 0", "a ∝ b", r"$i \in A$"]
)
def test_a_sentence_cannot_state_a_relation_by_itself(words):
    with pytest.raises(ValueError, match="render it from its evidence"):
        Sentence(words)


@pytest.mark.parametrize(
    "finding",
    [
        Finding(1, "=", 2),
        Finding(True, "=", 1),
        Finding(1.0, "=", 1),
        Finding("a", "=", "a"),
        Finding([1, 2], "=", [1, 3]),
        Finding(Logs.of(2), "<", Logs.of(1)),
        Finding(1.0, "≈", 1.1, tolerance=0.01),
        Finding(evidence.iv.mpf([0, 2]), "≠", evidence.iv.mpf([1, 3])),
        Finding(evidence.iv.mpf([0, 2]), "=", evidence.iv.mpf([0, 2])),
        Finding(evidence.iv.mpf([0, 2]), "≤", evidence.iv.mpf([0, 2])),
        Finding(evidence.iv.mpf([0, 2]), "<", evidence.iv.mpf([1, 3])),
        Finding(float("nan"), "≈", 1.0, tolerance=1.0),
    ],
)
def test_a_finding_that_does_not_hold_makes_no_instance(finding):
    with pytest.raises(NotShown):
        Example("made by hand", {}, (finding,))


@pytest.mark.parametrize("findings", [(), (True,), ("holds",)])
def test_an_instance_compares_numbers(findings):
    with pytest.raises(NotShown):
        Example("made by hand", {}, findings)


@pytest.mark.parametrize(
    "words", ["x ≪ y", "x ⩽ y", "x ＝ y", r"$x \leqslant y$", r"$a \subset b$", "a &lt; b", "x ≔ 1"]
)
def test_nor_one_in_other_letters(words):
    with pytest.raises(ValueError, match="render it from its evidence"):
        Sentence(words)


def test_a_point_keeps_what_was_declared_of_its_symbols():
    warm = evidence.Relation(exp(tau), ">", Integer(1))
    with pytest.raises(NotShown, match="declared > 0"):
        evidence.fails(warm, {tau: -1}, kind=evidence.Counterexample)
    with pytest.raises(NotShown, match="is defined"):
        evidence.fails(warm, {tau: 1}, names=(Definition(tau, Integer(2)),))


def test_what_is_printed_is_what_was_compared():
    with pytest.raises(NotShown, match="were not compared"):
        evidence.Counterexample("s", {}, (Finding(1, "<", 2),), evidence.Relation(tau**2, "≥", Integer(0)))
