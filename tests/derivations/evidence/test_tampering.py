"""The ledger refuses another verdict, objects that are not evidence, and sentences that say more than the
evidence.
"""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Integer, Symbol, log

from infonce_ref.derivations.evidence.kinds import (
    CONTRARY,
    Approximate,
    Counterexample,
    Empirical,
    Finding,
    Instance,
    Misprint,
    NotShown,
)
from infonce_ref.derivations.evidence.verdicts import Verdict
from infonce_ref.derivations.ledger import CLAIMS, CheckedClaim, check_claim
from infonce_ref.derivations.pages.claim_card import make_card
from infonce_ref.derivations.prover.inequality import LemmaUse, bound
from infonce_ref.derivations.prover.notation import Definition
from infonce_ref.derivations.prover.proof import DEFINITION, SUMS, derive
from infonce_ref.derivations.prover.zero_test import Facts
from infonce_ref.derivations.symbols import loss

EVERY = pytest.mark.parametrize("id", CLAIMS)
A, B = (Symbol(name, positive=True) for name in "ab")
EQUAL = derive(A * (B + 1), (SUMS, A * B + A), facts=Facts())
BELOW = bound(log(A), LemmaUse(Integer(1), A), last=A - 1, facts=Facts())


def one() -> Finding:
    return Finding(0, "≠", 1)


UNRELATED: dict[Verdict, Any] = {
    Verdict.NO_THEOREM: Empirical("nothing is meant"),
    Verdict.CORRECTED: Misprint("0 and 1", one, {}),
    Verdict.REFUTED: Counterexample("0 and 1", one, {}),
    Verdict.CHECKED: Approximate("0 and 1", one, {}),
    Verdict.DEFINITION: Definition(Symbol("c", real=True), Integer(1)),
    Verdict.PROVED_FROM_LEMMA: BELOW,
    Verdict.PROVED: EQUAL,
}


def with_evidence(id: str, evidence: object, **changes: object) -> CheckedClaim:
    return check_claim(replace(CLAIMS[id], evidence=lambda: evidence, **changes))


# --- what supports a claim ------------------------------------------------------------------------------


@EVERY
def test_nothing_else_is_the_evidence_of_a_claim(id, settled):
    """Not another object, in the place of all pieces or of one, the evidence of another claim, another meaning of a
    name, nor an instance whose findings are omitted or reversed.
    """
    pieces = settled(id).evidence
    name, piece = next(iter(pieces.items()))
    values = (True, None, "proved", 1, [piece], lambda: piece)
    for pretended in (*values, {}, [], piece, iter([piece]), *({name: value} for value in values)):
        assert not with_evidence(id, pretended).stands
    other = settled("D1.4" if id == "D1.13" else "D1.13")
    if pieces != other.evidence:  # D1.14 is D1.13 in words
        entry = with_evidence(id, other.evidence)
        assert not entry.stands or make_card(entry).said != make_card(settled(id)).said
    # 𝓛 is defined as 1 in another proof: the sentence shows that definition, or the proof is not used
    meanings = {x for piece in pieces.values() for x in getattr(piece, "definitions", ()) if x.head == loss}
    redefined = derive(loss, (DEFINITION, Integer(1)), names=(Definition(loss, Integer(1)),), facts=Facts())
    assert with_evidence(id, {**pieces, "beside": redefined}).stands == (not meanings)
    for piece in (piece for piece in pieces.values() if isinstance(piece, Instance)):
        with pytest.raises((TypeError, ValueError), match="findings"):  # TypeError since Python 3.13
            replace(piece, findings=piece.findings)
        with pytest.raises(NotShown, match="nothing was compared"):
            replace(piece, find=lambda **_: ())
        for finding in (finding for finding in piece.findings if finding.sign in CONTRARY):
            turned = finding._replace(sign=CONTRARY[finding.sign])
            with pytest.raises(NotShown, match="it is false"):
                replace(piece, find=lambda turned=turned, **_: turned)


@pytest.mark.slow
@EVERY
def test_a_claim_has_one_verdict_and_needs_every_piece_that_its_sentence_shows(id, settled):
    """An unrelated piece beside the others does not change the verdict either, because no sentence shows it."""
    claim, pieces = CLAIMS[id], settled(id).evidence
    for other, piece in UNRELATED.items():
        entries = (with_evidence(id, x, verdict=other) for x in (pieces, {**pieces, "beside": piece}))
        assert other is claim.verdict or not any(entry.stands for entry in entries)
    shown = {
        quote.name for sentence in (claim.checked, claim.correction) if sentence for quote in sentence.quotes
    }
    for name in shown:
        assert not with_evidence(id, {key: x for key, x in pieces.items() if key != name}).stands
