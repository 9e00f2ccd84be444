"""Sentences show what the evidence states, and a claim is registered once, under an id of a document."""

from dataclasses import FrozenInstanceError

import pytest
from sympy import Symbol

from infonce_ref.derivations.common import softmax
from infonce_ref.derivations.evidence import claims
from infonce_ref.derivations.evidence.claims import Claim, Field, Run, Sentence, field, render, split_formulas
from infonce_ref.derivations.evidence.pieces import (
    Counterexample,
    Empirical,
    Finding,
    Relation,
    example,
    fails,
)
from infonce_ref.derivations.evidence.verdicts import NotShown, Verdict
from infonce_ref.derivations.prover.inequality import positive
from infonce_ref.derivations.prover.notation import Definition
from infonce_ref.derivations.prover.proof import DEFINITION, SUMS, derive
from infonce_ref.derivations.prover.sums import Facts

A, B, C = (Symbol(name, positive=True) for name in "abc")
SQUARE = Definition(C, A**2)
PROOF = derive(
    C + A,
    (DEFINITION, A * (A + 1)),
    (SUMS, A**2 * (1 + 1 / A)),
    names=(SQUARE, Definition(B, A)),
    facts=Facts(),
)
TWO = example("it", lambda: [Finding(1, "<", 2), Finding(3, "=", 3)])
PIECES = {"p": PROOF, "c": SQUARE, "two": TWO, "none": Empirical("nothing is meant"), "sign": positive(A)}


# --- words and fields -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "runs"),
    [
        ("", []),
        ("only words", [Run("only words")]),
        ("$x$", [Run("x", "x")]),
        (
            "the name $x_i$ of $y$.",
            [Run("the name "), Run("x_i", "x_i"), Run(" of "), Run("y", "y"), Run(".")],
        ),
    ],
)
def test_words_between_dollars_are_formulas(words, runs):
    assert split_formulas(words) == runs


def test_words_show_no_whole_piece():
    assert not split_formulas("only words")[0].whole


@pytest.mark.parametrize(
    ("written", "parsed", "whole"),
    [
        ("p", ("p", ""), True),
        ("p.chain", ("p", "chain"), True),
        ("p.assuming", ("p", "assuming"), False),
        ("p.where x.y", ("p", "where x.y"), False),
    ],
)
def test_a_field_is_a_name_and_a_part(written, parsed, whole):
    assert field(written) == Field(*parsed)
    assert field(written).whole is whole


def test_the_fields_of_a_sentence_are_in_order():
    assert Sentence("«p.chain», then «c» and «p.where c»").fields == [
        ("p", "chain"),
        ("c", ""),
        ("p", "where c"),
    ]


@pytest.mark.parametrize("words", ["a = b", "«p» ≤ 1", r"$a \leq b$"])
def test_a_sentence_may_not_state_a_relation_in_words(words):
    with pytest.raises(ValueError, match="render it from its evidence"):
        Sentence(words)


def test_the_name_of_a_piece_is_no_part_of_the_words():
    assert Sentence("«a = b»").fields == [("a = b", "")]


# --- what a sentence shows ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "run"),
    [
        ("none", Run("nothing is meant")),
        ("two", Run("1 < 2, 3 = 3")),
        ("c", Run("c := a^2", "c := a^{2}")),
        ("sign", Run("a > 0", "a > 0")),
        ("p", Run("a + c = a^2·(1 + 1/a)", r"a + c = a^{2} \left(1 + \frac{1}{a}\right)")),
        (
            "p.chain",
            Run(
                "a + c = a·(a + 1) = a^2·(1 + 1/a)",
                r"a + c = a \left(a + 1\right) = a^{2} \left(1 + \frac{1}{a}\right)",
            ),
        ),
        ("p.assuming", Run("a > 0; c > 0", None)),
        ("p.where c", Run("c = a^2", "c = a^{2}")),
    ],
)
def test_a_field_shows_its_part_of_the_piece(shown, run):
    assert render(field(shown), PIECES) == run


def test_an_instance_of_a_relation_shows_the_relation():
    false = fails(Relation(A, "<", A), {A: 1}, kind=Counterexample)
    assert render(field("f"), {"f": false}) == Run("a < a", "a < a")


def test_a_name_without_a_piece_is_refused():
    with pytest.raises(NotShown, match=r"^«q» names no piece of evidence; there are p, c, two, none, sign$"):
        Sentence("«q»").runs(PIECES)


@pytest.mark.parametrize(
    ("shown", "kind"), [("c.chain", "Definition"), ("none.assuming", "Empirical"), ("p.line 2", "Proof")]
)
def test_a_part_that_a_piece_lacks_is_refused(shown, kind):
    message = (
        f"^«{shown}»: of a {kind} nothing of that kind is shown; write «{field(shown).name}», or of a proof"
        r" \.chain, \.assuming, \.where x$"
    )
    with pytest.raises(NotShown, match=message):
        render(field(shown), PIECES)


@pytest.mark.parametrize(("name", "used"), [("p", "c"), ("c", "")])
def test_a_definition_that_a_piece_does_not_use_is_refused(name, used):
    message = f"^where b: the piece uses no definition of it; those it uses are of {used}$"
    with pytest.raises(NotShown, match=message):
        render(Field(name, "where b"), PIECES)


def test_a_definition_is_found_by_the_name_of_its_array():
    proof = softmax.row_by_logit()["derivative"]
    assert render(field("p.where P"), {"p": proof}).text == "P[i, j] = exp(L[i, j])/Σ_k (exp(L[i, k]))"


def test_a_sentence_shows_words_and_pieces_in_order():
    assert Sentence("First $x$: «none»; «p.where c».").runs(PIECES) == [
        Run("First "),
        Run("x", "x"),
        Run(": "),
        Run("nothing is meant", whole=True, name="none"),
        Run("; "),
        Run("c = a^2", "c = a^{2}", whole=False, name="p"),
        Run("."),
    ]


@pytest.mark.parametrize(
    ("words", "shown"),
    [("«c»", [SQUARE]), ("«p.where c» and «c»", [SQUARE] * 2), ("«p», «p.chain», «two»", [])],
)
def test_the_definitions_of_a_sentence_are_those_it_shows(words, shown):
    assert list(Sentence(words).definitions(PIECES)) == shown


# --- registration ---------------------------------------------------------------------------------------


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(claims, "CLAIMS", {})
    return claims.CLAIMS


def evidence():
    return PIECES


def test_a_claim_is_registered_with_all_that_it_says(registered):
    register = claims.claim(
        "M5",
        verdict=Verdict.CORRECTED,
        says="«p»",
        printed="$x$",
        right="«c»",
        heard="somebody",
        brief="«two»",
    )
    assert register(evidence) is evidence
    right, brief = Sentence("«c»"), Sentence("«two»")
    assert registered == {
        "M5": Claim("M5", "$x$", Sentence("«p»"), Verdict.CORRECTED, evidence, right, "somebody", brief)
    }


def test_a_claim_without_a_correction_has_no_second_sentence(registered):
    claims.claim("M5", verdict=Verdict.PROVED, says="«p»")(evidence)
    assert registered["M5"] == Claim("M5", "", Sentence("«p»"), Verdict.PROVED, evidence, None, "", None)


def test_a_function_may_be_the_evidence_of_several_claims(registered):
    for id in ("M5", "D1.2b"):
        claims.claim(id, verdict=Verdict.PROVED, says="«p»")(evidence)
    assert [(id, each.evidence) for id, each in registered.items()] == [("M5", evidence), ("D1.2b", evidence)]


def test_a_registered_claim_does_not_change():
    told = Claim("M5", "", Sentence("«p»"), Verdict.PROVED, evidence)
    with pytest.raises(FrozenInstanceError):
        told.verdict = Verdict.REFUTED


def test_an_id_is_registered_once(registered):
    register = claims.claim("M5", verdict=Verdict.PROVED, says="«p»")
    register(evidence)
    with pytest.raises(ValueError, match=r"^claim M5 is registered twice; every id is unique$"):
        register(evidence)


def test_an_id_names_a_row_of_a_document(registered):
    with pytest.raises(ValueError, match="'X1' is no id of a claim"):
        claims.claim("X1", verdict=Verdict.PROVED, says="«p»")(evidence)
    assert registered == {}
