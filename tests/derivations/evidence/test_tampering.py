"""The ledger refuses another verdict, objects that are not evidence, and sentences that say more than the
evidence.
"""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Integer, Symbol, log

from infonce_ref.derivations.evidence.claims import Claim, Sentence
from infonce_ref.derivations.evidence.pieces import (
    CONTRARY,
    Chain,
    Counterexample,
    Empirical,
    Finding,
    Instance,
    Measured,
    Misprint,
    NotShown,
)
from infonce_ref.derivations.evidence.verdicts import Verdict
from infonce_ref.derivations.ledger import CLAIMS, Settled, settle
from infonce_ref.derivations.pages.book import describe
from infonce_ref.derivations.prover.inequality import Sign, Use, bound, positive
from infonce_ref.derivations.prover.notation import Definition
from infonce_ref.derivations.prover.proof import DEFINITION, SUMS, Proof, derive
from infonce_ref.derivations.prover.sums import Facts
from infonce_ref.derivations.symbols import loss

EVERY = pytest.mark.parametrize("id", CLAIMS)


def with_evidence(id: str, evidence: object) -> Settled:
    return settle(replace(CLAIMS[id], evidence=lambda: evidence))


@pytest.mark.slow
@EVERY
def test_the_evidence_supports_only_its_own_verdict(id, settled):
    others = set(Verdict) - {CLAIMS[id].verdict}
    pieces = settled(id).evidence
    swapped = [settle(replace(CLAIMS[id], verdict=other, evidence=lambda: pieces)) for other in others]
    assert [entry.claim.verdict for entry in swapped if entry.stands] == []


@EVERY
def test_other_objects_are_not_evidence(id, settled):
    name, piece = next(iter(settled(id).evidence.items()))
    values = (False, True, None, "proved", 1, (), [piece], lambda: piece)
    pretended = [*values, {}, [], (piece,), piece, iter([piece]), *({name: value} for value in values)]
    assert [x for x in pretended if with_evidence(id, x).stands] == []


@EVERY
def test_the_evidence_of_another_claim_does_not_support_this_one(id, settled):
    ids = list(CLAIMS)
    other = ids[ids.index(id) - 1]
    pieces = settled(other).evidence
    if CLAIMS[id].evidence is CLAIMS[other].evidence:
        return  # one function may serve two claims
    entry = with_evidence(id, pieces)
    assert not entry.stands or describe(entry) != describe(settled(id))


@pytest.mark.slow
@EVERY
def test_a_piece_that_the_sentence_shows_cannot_be_left_out(id, settled):
    claim, pieces = CLAIMS[id], settled(id).evidence
    shown = {field.name for sentence in (claim.says, claim.right) if sentence for field in sentence.fields}
    for name in shown:
        assert not with_evidence(id, {key: x for key, x in pieces.items() if key != name}).stands


# --- what supports a verdict ----------------------------------------------------------------------------


def one() -> Finding:
    return Finding(0, "≠", 1)


A, B = (Symbol(name, positive=True) for name in "ab")
EQUAL = derive(A * (B + 1), (SUMS, A * B + A), facts=Facts())
BELOW = bound(log(A), Use(Integer(1), A), last=A - 1, facts=Facts())
UNRELATED: dict[Verdict, Any] = {
    Verdict.NO_THEOREM: Empirical("nothing is meant"),
    Verdict.CORRECTED: Misprint("0 and 1", one, {}),
    Verdict.REFUTED: Counterexample("0 and 1", one, {}),
    Verdict.CHECKED: Measured("0 and 1", one, {}),
    Verdict.DEFINITION: Definition(Symbol("c", real=True), Integer(1)),
    Verdict.PROVED_FROM_LEMMA: BELOW,
    Verdict.PROVED: EQUAL,
}


@pytest.mark.slow
@EVERY
def test_an_extra_piece_does_not_change_the_verdict(id, settled):
    """Whatever verdict is claimed: the piece in the sentence supports it, and the sentence does not show the
    extra one.
    """
    verdict, pieces = CLAIMS[id].verdict, settled(id).evidence
    for other, piece in UNRELATED.items():
        entry = settle(
            replace(CLAIMS[id], verdict=other, evidence=lambda piece=piece: {**pieces, "beside": piece})
        )
        assert not entry.stands or other is verdict


def made(verdict: Verdict, says: str, right: str = "", **pieces: Any) -> Settled:
    return settle(
        Claim("M1", "", Sentence(says), verdict, lambda: pieces, Sentence(right) if right else None)
    )


@pytest.mark.parametrize("which", ["first", "last", "2", "chain of it", "lines"])
def test_words_cannot_join_lines_of_two_proofs(which):
    """«p.first» is «q.last» would claim that one of two unrelated proofs ends where the other begins."""
    entry = made(Verdict.PROVED, f"«p»: «p.{which}» is «q.{which}»", p=EQUAL, q=EQUAL)
    assert f"«p.{which}»: of a Proof nothing of that kind is shown" in entry.failure


# --- what a name means ---------------------------------------------------------------------------------


@EVERY
def test_a_name_of_a_claim_with_another_meaning_in_one_proof_is_detected(id, settled):
    """𝓛 is defined as 1 in another proof of the claim: the sentence shows that definition, or the proof is
    not used.
    """
    pieces = settled(id).evidence
    meanings = {x for piece in pieces.values() for x in getattr(piece, "definitions", ()) if x.head == loss}
    redefined = derive(loss, (DEFINITION, Integer(1)), names=(Definition(loss, Integer(1)),), facts=Facts())
    entry = with_evidence(id, {**pieces, "beside": redefined})
    assert entry.stands == (not meanings)


def test_a_definition_by_itself_is_not_enough():
    with pytest.raises(ValueError, match="the body names it again"):
        Definition(x := Symbol("c", real=True), x + 1)


# --- the checked piece is the shown one ---------------------------------------------------------------


def tamper(piece: Any, **fields: Any) -> Any:
    """Change fields of a piece after its constructor ran."""
    other = object.__new__(type(piece))
    for name, value in {**piece.__dict__, **fields}.items():
        object.__setattr__(other, name, value)
    return other


@pytest.mark.parametrize(
    "piece",
    [
        tamper(EQUAL, lines=(EQUAL.lines[0], replace(EQUAL.lines[1], expression=A * B))),
        tamper(positive(A), expression=-A),
        tamper(BELOW, last=A - 2),
        tamper(Chain((BELOW,)), links=(tamper(BELOW, last=A - 2),)),
        object.__new__(Proof),
        object.__new__(Sign),
    ],
)
def test_a_piece_is_constructed_again_before_it_counts(piece):
    assert not made(Verdict.PROVED, "«p» «q»", p=EQUAL, q=piece).stands


def test_changes_to_a_piece_are_undone_before_it_counts():
    liar = tamper(EQUAL, hypotheses=(), definitions=())
    honest = derive((A + B) / B, (SUMS, A / B + 1), facts=Facts())
    entry = made(Verdict.PROVED, "«p», if «p.assuming»", p=tamper(honest, hypotheses=liar.hypotheses))
    assert entry.evidence["p"].assumptions == honest.assumptions != ()


# --- findings and words --------------------------------------------------------------------------------


@EVERY
def test_an_omitted_or_reversed_finding_is_detected(id, settled):
    """Findings cannot be passed in, and a finding that `find` omits is missing in print."""
    for piece in settled(id).evidence.values():
        if not isinstance(piece, Instance):
            continue
        with pytest.raises((TypeError, ValueError), match="findings"):  # TypeError since Python 3.13
            replace(piece, findings=piece.findings)
        for place, finding in enumerate(piece.findings):
            rest = (*piece.findings[:place], *piece.findings[place + 1 :])
            assert [x.text() for x in rest] != [x.text() for x in piece.findings]
            if not rest:
                with pytest.raises(NotShown, match="nothing was compared"):
                    replace(piece, find=lambda rest=rest, **_: rest)
            if finding.sign in CONTRARY:
                turned = finding._replace(sign=CONTRARY[finding.sign])
                with pytest.raises(NotShown, match="it is false"):
                    replace(piece, find=lambda turned=turned, **_: turned)


@pytest.mark.parametrize(
    "words",
    [
        *("so x = 1", "it is < 2", r"it is $\le 2$", r"as $x \to 0$", "x ≥ 0", "a ∝ b", r"$i \in A$"),
        *("x ≪ y", "x ⩽ y", "x ＝ y", r"$x \leqslant y$", r"$a \subset b$", "a &lt; b", "x ≔ 1"),
    ],
)
def test_a_sentence_cannot_state_a_relation_by_itself(words):
    with pytest.raises(ValueError, match="render it from its evidence"):
        Sentence(words)
