"""The second interpreter: it refuses what is wrong at some point, independently of the prover's rules."""

import mpmath
import pytest

from infonce_ref.derivations.evidence.plain import given
from infonce_ref.derivations.losses import infonce
from infonce_ref.derivations.prover import inequality, proof, second_look
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from infonce_ref.derivations.prover.second_look import Refused
from infonce_ref.derivations.prover.zero_test import NormalForm

HERE = given(
    "i j k < N; f < d; Σ_l < M; p: N → N; p(i) ≠ i; q: N × N → N; O is 0 or 1;"
    " x[] y[] P[] a b c real; O[] ≥ 0; t > 0",
    "c := a^2",
)


def prove(first, rule, *lines):
    return derive(
        HERE.read(first), *((rule, HERE.read(line)) for line in lines), names=HERE.names, facts=HERE.facts
    )


@pytest.fixture
def credulous(monkeypatch):
    """Replace the prover by one that accepts everything as equal."""
    monkeypatch.setattr(NormalForm, "equal", lambda *_: True)


@pytest.mark.parametrize(
    ("first", "rule", "wrong"),
    [
        ("(Σ_i x[i])^2", SUMS, "Σ_i x[i]^2"),  # wrong from N = 2 on
        ("Σ_i 1[i ≠ j] 1[i ≠ k] x[i]", SUMS, "(Σ_i x[i]) - x[j] - x[k]"),  # if j = k
        ("Σ_i 1", SUMS, "N + (N - 1) (N - 2)"),  # from N = 3 on
        ("Σ_l 1[l = j] x[l]", SUMS, "x[j]"),  # where j is M or more
        ("x[p(p(i))]", SUMS, "x[i]"),  # no involution
        ("O[i,j]^2", SUMS, "O[i,j]"),  # the hypotheses omit the mask, because no step needed it
        ("x[q(i,j)]", SUMS, "x[q(j,i)]"),
        ("x[i] x[j]", SUMS, "x[i]^2"),
        ("a (b + 1)", SUMS, "a b + a + 10^-18"),
        ("log(t^2 + a^2)", SUMS, "log(t^2) + log(1 + a^2)"),
        ("√c", DEFINITION, "a"),  # where a < 0
        ("∂(a^3)/∂a", DERIVATIVE, "3 a^3"),
        ("∂c/∂a", DERIVATIVE, "0"),  # hidden in the definition
        ("∂(∂(a^2 b^2)/∂a)/∂b", DERIVATIVE, "2 a b"),
        ("∂(log(Σ_k e^x[k]))/∂x[i]", DERIVATIVE, "e^x[i]"),
        ("∂(√(Σ_k x[k]^2))/∂x[i]", DERIVATIVE, "x[i]/(Σ_k x[k]^2)"),
    ],
)
def test_a_wrong_line_is_refused_whatever_the_prover_says(credulous, first, rule, wrong):
    with pytest.raises(Refused, match="two lines differ"):
        prove(first, rule, wrong)


def test_a_wrong_line_in_the_middle_is_refused(credulous):
    with pytest.raises(Refused, match="two lines differ"):
        prove("a (b + 1)", SUMS, "a b", "a b + a")


def test_no_proof_is_made_without_the_second_interpreter(monkeypatch):
    differing = second_look.Point("N = 1", (mpmath.mpf(1), mpmath.mpf(2)))
    monkeypatch.setattr(second_look, "points", lambda *_: iter([differing]))
    with pytest.raises(Refused, match="N = 1"):
        prove("a (b + 1)", SUMS, "a b + a")
    monkeypatch.setattr(proof, "check", proof.check.__wrapped__)
    with pytest.raises(Refused, match="two lines differ at N = 1"):
        infonce.STATEMENT.gradients["z"].prove()


# --- what is assumed ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("Σ_i ((x[i]^2 - x[j]^2)/(x[i] - x[j]))", "Σ_i (x[i] + x[j])"),
        ("Σ_i (1[i ≠ j] (x[i]^2 - x[j]^2)/(x[i] - x[j]))", "Σ_i 1[i ≠ j] (x[i] + x[j])"),
        ("log(-e^a) + b - b/t", "2 (log(-e^a) + b - b/t)"),
    ],
)
def test_contradictory_hypotheses_prove_nothing(credulous, first, last):
    with pytest.raises(Refused, match="no point satisfies the assumptions"):
        prove(first, SUMS, last)


def test_hypotheses_that_hold_only_for_size_1_prove_nothing():
    with pytest.raises(Refused, match="and N > 1"):
        HERE.also("P[i,j] := 1[i = j] t").piece("Σ_ji P[i,j] log(P[i,j]) = N t log(t)")


def test_an_undefined_value_must_be_excluded_by_an_assumption(monkeypatch):
    monkeypatch.setattr(proof, "find_needs", lambda *_: ())
    with pytest.raises(Refused, match="≠ 0 is not assumed"):
        prove("b (1 + 1/a)", SUMS, "b + b/a")


def test_a_sign_and_a_bound_are_evaluated_numerically_too(monkeypatch):
    monkeypatch.setattr(inequality, "is_nonnegative", lambda _: True)
    monkeypatch.setattr(inequality, "is_positive", lambda _: True)
    for text, said in (
        ("Σ_i x[i] ≥ 0", "it is false that 0"),
        ("Σ_i 1[i ≠ j]^2 > 0", "is < "),  # empty at N = 1
        ("a log(t) ≤ a (t - 1) by a log(t)", "it is false that"),
    ):
        with pytest.raises(Refused, match=said):
            HERE.piece(text)
