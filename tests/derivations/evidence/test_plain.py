"""Claims in plain text: what a line states, the rule that is found for it, and what is refused."""

from pathlib import Path

import pytest
from sympy import Symbol

from infonce_ref.derivations.evidence import claims
from infonce_ref.derivations.evidence.kinds import Chain
from infonce_ref.derivations.evidence.plain import claim, given
from infonce_ref.derivations.evidence.verdicts import NotShown
from infonce_ref.derivations.prover.inequality import Bound, Sign
from infonce_ref.derivations.prover.notation import Definition
from infonce_ref.derivations.prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Proof
from infonce_ref.derivations.prover.read import Unread
from infonce_ref.derivations.prover.zero_test import NotProved

X = Symbol("x", real=True)
SOFTMAX = given(
    "i j Σ_m < N; p: N → N; p(i) ≠ i; Yᵏ is 0 or 1; x real",
    "P[i,j] := e^L[i,j] / Σ_m e^L[i,m]",
    "ℓ[i] := -log P[i,p(i)]",
)


@pytest.mark.parametrize(
    ("text", "kind", "rules"),
    [
        ("ℓ[i]", Definition, ()),
        ("P[i,j] > 0", Sign, ()),
        ("(x - τ)^2 ≥ 0", Sign, ()),
        ("Σ_j 1[j ≠ p(i)] = N - 1", Proof, (SUMS,)),
        ("Σ_j P[i,j] = 1", Proof, (DEFINITION,)),
        ("1 - P[i,p(i)] = Σ_j P[i,j] - P[i,p(i)] = Σ_j 1[j ≠ p(i)] P[i,j]", Proof, (DEFINITION, SUMS)),
        ("∂ℓ[i]/∂L[i,j] = P[i,j] - 1[j = p(i)]", Proof, (DERIVATIVE,)),
        ("∂(2 ℓ[i])/∂τ = 2 ∂ℓ[i]/∂τ = 0", Proof, (CHAIN, DERIVATIVE)),
        ("∂ℓ[i]/∂L[i,j] = ∂(log(Σ_m e^L[i,m]) - L[i,p(i)])/∂L[i,j]", Proof, (DERIVATIVE,)),
        ("log(1 + e^x) ≤ e^x by log(1 + e^x)", Bound, None),
        ("-Σ_j P[i,j] log P[i,j] ≤ log(N) by Σ_j P[i,j] log(1/N : P[i,j])", Chain, None),
    ],
)
def test_what_a_line_states(text, kind, rules):
    piece = SOFTMAX(text)()
    assert type(piece) is kind
    if rules:
        assert tuple(line.rule for line in piece.lines[1:]) == rules


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("Σ_j P[i,j] = 2", NotProved, "not proved by definition"),
        ("ℓ[i] > 0", NotProved, "not known to be > 0"),
        ("e^x ≤ 1 + x by log(1 + e^x)", NotProved, "not proved"),
        ("e^x ≤ 1 + x", Unread, "a piece of evidence is"),
        ("e^x > 1", Unread, "a piece of evidence is"),
        ("G[i,j]", Unread, "there is no definition of G"),
        ("log(x) ≤ x by x", Unread, "a use of the lemma is"),
    ],
)
def test_what_does_not_follow_or_states_nothing_is_refused(text, error, said):
    with pytest.raises(error, match=said):
        SOFTMAX(text)()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        *((where, "write i j < N") for where in ("i", "i j in N", "p → N", "p(j) = j")),
        ("x real, y > 0", "real, is no letter"),
        ("N real; Σ_i < N", "N is declared twice"),
        ("foo is 0 or 1", "there is no letter foo"),
    ],
)
def test_a_range_or_a_letter_that_is_not_one_is_refused(where, said):
    with pytest.raises(Unread, match=said):
        given(where)


@pytest.mark.parametrize(
    ("where", "definition", "sign", "said"),
    [
        ("c > 0; x real", "c := x - 5", "c > 0", "the name is declared > 0"),
        ("", "N := -1", "N > 0", "the name is declared > 0"),
        ("e real", "x := τ", "e^2 > 0", "e, which is declared a letter"),
        ("", "x := τ", "a ≥ 0", "the range of a is not given"),
    ],
)
def test_a_sign_that_only_a_declaration_promises_is_refused(where, definition, sign, said):
    with pytest.raises(ValueError, match=said):
        given(f"x real; {where}", definition)(sign)()


def test_a_claim_names_its_pieces_and_the_line_where_it_is_written(monkeypatch):
    monkeypatch.setattr(claims, "CLAIMS", {})
    claim("M5", "proved", SOFTMAX)(checked="«row sum» «right»", right="τ > 0", row_sum="Σ_j P[i,j] = 1")
    found = claims.CLAIMS["M5"]
    assert list(found.evidence()) == ["right", "row sum"]
    assert (found.verdict, found.module) == ("proved", __name__)
    assert (
        Path(__file__).read_text(encoding="utf-8").splitlines()[found.line - 1].startswith('    claim("M5"')
    )


def test_an_error_names_the_piece():
    with pytest.raises(NotShown, match=r"^row sum: not proved"):
        SOFTMAX.evidence({"right": "τ > 0", "row sum": "Σ_j P[i,j] = 2"})
