"""Chains of lines and claims: what they accept, refuse and print."""

import subprocess
import sys

import pytest
from sympy import Integer, exp, log, sqrt, symbols

from infonce_ref.derivations.common import softmax
from infonce_ref.derivations.evidence.claims import claim
from infonce_ref.derivations.evidence.verdicts import Verdict
from infonce_ref.derivations.ledger import CLAIMS, settle
from infonce_ref.derivations.losses import infonce
from infonce_ref.derivations.prover.hypotheses import Needs
from infonce_ref.derivations.prover.inequality import nonnegative
from infonce_ref.derivations.prover.notation import Definition, Partial, one_if, total
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, derive, find_assumptions
from infonce_ref.derivations.prover.show import latex, text
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.symbols import G, L, N, P, ell, i, j, k, tau, z

NAMES, FACTS = softmax.NAMES, softmax.FACTS
FOUNDATION = ["D3.3", "S1", "S2", "S4", "M5", "M6", "M7"]
FOUNDATION += [f"D1.{row}" for row in range(7, 14)] + [f"D2.{row}" for row in range(11, 15)]


def test_a_false_line_is_refused_and_shown():
    with pytest.raises(NotProved, match=r"not proved by derivative:\n.*\n.*P\[i, j\]"):
        derive(Partial(ell[i], L[i, j]), (DERIVATIVE, P[i, j]), names=NAMES, facts=FACTS)


def test_a_false_line_in_the_middle_is_refused():
    with pytest.raises(NotProved):
        derive(ell[i], (DEFINITION, -ell[i]), (DEFINITION, ell[i]), names=NAMES, facts=FACTS)


def test_finite_sums_do_not_unfold_names():
    rows_sum_to_one = (total(P[i, j], (j, N)), P[i, i] / P[i, i])
    with pytest.raises(NotProved):
        derive(rows_sum_to_one[0], (SUMS, rows_sum_to_one[1]), names=NAMES, facts=FACTS)
    derive(rows_sum_to_one[0], (DEFINITION, rows_sum_to_one[1]), names=NAMES, facts=FACTS)


def test_a_name_stays_closed_in_its_own_derivative():
    by_logit = one_if(i, k) * G[i, j]
    derive(Partial(ell[i], L[k, j]), (DERIVATIVE, by_logit), names=infonce.PRINTED, facts=infonce.FACTS)


def test_a_proof_prints_its_lines_rules_names_and_assumptions():
    printed = str(softmax.row_by_logit()["derivative"])
    assert "∂ℓ[i]/∂L[k, j]" in printed
    assert "[derivative ✓]" in printed
    assert "where P[i, j] = exp(L[i, j])/Σ_k (exp(L[i, k]))" in printed
    assert "j runs from 0 to N − 1" in printed


def test_only_the_facts_that_were_used_are_assumed():
    with_mask, without = infonce.by_row(infonce.MASKED), infonce.by_row(infonce.PRINTED)
    assert "p(i) ≠ i" in with_mask.assumptions
    assert "p(i) ≠ i" not in without.assumptions


def test_a_denominator_is_assumed_not_to_be_0():
    proof = derive(tau / (tau * z[i, j] + tau**2), (SUMS, 1 / (tau + z[i, j])), facts=FACTS)
    assert any(needed.endswith("≠ 0") for needed in proof.assumptions)


def test_the_argument_of_a_logarithm_is_assumed_positive():
    proof = derive(log(z[i, j] * exp(tau)), (SUMS, log(z[i, j]) + tau), facts=FACTS)
    assert any(needed.endswith("> 0") for needed in proof.assumptions)


def test_a_derivative_lists_what_it_holds_independent():
    names = (*NAMES, Definition(L[i, j], z[i, j] / tau))
    by_name = derive(Partial(ell[i], L[k, j]), (DERIVATIVE, one_if(i, k) * G[i, j]), names=names, facts=FACTS)
    assert "the entries of L are independent variables" in by_name.assumptions
    forgotten = derive(Partial(L[i, j], z[i, j]), (DERIVATIVE, Integer(0)), names=NAMES, facts=FACTS)
    assert "∂/∂z holds L constant" in forgotten.assumptions


def test_a_line_equal_to_the_one_above_is_refused():
    with pytest.raises(NotProved, match="nothing to prove"):
        derive(tau * z[i, j] / tau, (SUMS, z[i, j]), facts=FACTS)


def test_latex_shows_one_entry_for_each_line():
    lines = softmax.row_by_logit()["derivative"].latex()
    assert lines[0] == (r"\frac{\partial \ell_{i}}{\partial L_{kj}}", "")
    assert lines[-1] == (r"\delta_{ik} G_{ij}", "definition")


def test_latex_writes_a_map_as_a_function():
    assert infonce.gradient_by_row().definitions[2].head == ell[i]
    assert r"P_{i\,p(i)}" in latex(softmax.ROW.body)


def test_an_id_is_registered_once():
    with pytest.raises(ValueError, match="registered twice"):
        claim("D1.7", says="", verdict=Verdict.PROVED)(dict)


@pytest.mark.parametrize("id", FOUNDATION)
def test_the_claims_of_the_foundation_hold(id):
    assert settle(CLAIMS[id]).failure == ""


@pytest.mark.slow
def test_importing_the_claims_runs_no_proof():
    probe = "import infonce_ref.derivations.ledger, infonce_ref.derivations.prover.sums as s\n"
    probe += "print(s._free_symbols.cache_info().currsize)"
    got = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert got.stdout.strip() == "0"


def test_a_proof_is_printed_without_its_context():
    """A proof may know many names and facts; an error that names the proof stays readable."""
    proof = softmax.row_by_logit()["derivative"]
    assert "names=" not in repr(proof)
    assert "facts=" not in repr(proof)
    assert "names=" not in repr(nonnegative(P[i, j], NAMES))


def test_a_root_needs_a_positive_argument_only_if_something_is_differentiated():
    x, y = symbols("x y", real=True)
    assert [one for one in find_assumptions((sqrt(x), y), ()) if isinstance(one, Needs)] == [Needs(x, "≥")]
    slope = Partial(sqrt(x), x)
    assert [one for one in find_assumptions((slope, y), ()) if isinstance(one, Needs)] == [Needs(x, ">")]


def test_a_power_of_a_sum_is_not_read_as_a_sum_of_powers():
    assert text(total(ell[i], (i, N)) ** 2) == "(Σ_i (ℓ[i]))^2"
