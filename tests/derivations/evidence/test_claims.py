"""Sentences show what the evidence states, and a claim is registered once, under an id of a document."""

from dataclasses import replace

import pytest
from sympy import Symbol

from infonce_ref.derivations.evidence import claims
from infonce_ref.derivations.evidence.claims import read_quote, render
from infonce_ref.derivations.evidence.kinds import Empirical, Example, Finding, display
from infonce_ref.derivations.evidence.spans import Span
from infonce_ref.derivations.evidence.verdicts import NotShown, Verdict
from infonce_ref.derivations.prover.inequality import positive
from infonce_ref.derivations.prover.notation import Definition
from infonce_ref.derivations.prover.proof import DEFINITION, SUMS, derive
from infonce_ref.derivations.prover.zero_test import Facts

A, B, C = (Symbol(name, positive=True) for name in "abc")
SQUARE = Definition(C, A**2)
PROOF = derive(
    C + A,
    (DEFINITION, A * (A + 1)),
    (SUMS, A**2 * (1 + 1 / A)),
    names=(SQUARE, Definition(B, A)),
    facts=Facts(),
)
TWO = Example.at("it", lambda: [Finding(1, "<", 2), Finding(3, "=", 3)])
PIECES = {"p": PROOF, "c": SQUARE, "two": TWO, "none": Empirical("nothing is meant"), "sign": positive(A)}
SHOWN = {name: display(piece) for name, piece in PIECES.items()}


# --- what a sentence shows ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "run"),
    [
        ("none", Span("nothing is meant")),
        ("two", Span("1 < 2, 3 = 3")),
        ("c", Span("c := a^2", "c := a^{2}")),
        ("sign", Span("a > 0", "a > 0")),
        ("p", Span("a + c = a^2·(1 + 1/a)", r"a + c = a^{2} \left(1 + \frac{1}{a}\right)")),
        (
            "p.chain",
            Span(
                "a + c = a·(a + 1) = a^2·(1 + 1/a)",
                r"a + c = a \left(a + 1\right) = a^{2} \left(1 + \frac{1}{a}\right)",
            ),
        ),
        ("p.assuming", Span("a > 0; c > 0")),
        ("p.where c", Span("c = a^2", "c = a^{2}")),
    ],
)
def test_a_field_shows_its_part_of_the_piece(shown, run):
    assert render(read_quote(shown), SHOWN)[:2] == run[:2]


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        (
            "c.chain",
            "^«c.chain»: of a definition nothing of that kind is shown; write «c», or of a proof .chain, ",
        ),
        (
            "none.assuming",
            "^«none.assuming»: of a empirical nothing of that kind is shown; write «none», or of a",
        ),
        (
            "p.line 2",
            "^«p.line 2»: of a proof nothing of that kind is shown; write «p», or of a proof .chain",
        ),
        ("p.where b", "^where b: the piece uses no definition of it; those it uses are of c$"),
        ("c.where b", "^where b: the piece uses no definition of it; those it uses are of $"),
    ],
)
def test_a_part_that_a_piece_lacks_is_refused(shown, message):
    with pytest.raises(NotShown, match=message):
        render(read_quote(shown), SHOWN)


def test_an_id_is_registered_once_and_names_a_row_of_a_document(monkeypatch):
    monkeypatch.setattr(claims, "CLAIMS", {})
    claim = claims.Claim("M5", "", claims.Sentence("«p»"), Verdict.PROVED, dict)
    claims.register(claim)
    with pytest.raises(ValueError, match=r"^claim M5 is registered twice; every id is unique$"):
        claims.register(claim)
    with pytest.raises(ValueError, match="'X1' is no id of a claim"):
        claims.register(replace(claim, id="X1"))
    assert list(claims.CLAIMS) == ["M5"]
