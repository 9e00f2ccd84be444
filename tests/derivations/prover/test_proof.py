"""Chains of lines: what they accept, refuse and print."""

import pytest

from infonce_ref.derivations.common import softmax
from infonce_ref.derivations.evidence.kinds import display
from infonce_ref.derivations.prover.notation import Partial, delta
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from infonce_ref.derivations.prover.zero_test import NotProved
from infonce_ref.derivations.symbols import G, L, P, ell, i, j, k, p, tau, z

NAMES, FACTS = softmax.SOFTMAX.names, softmax.SOFTMAX.facts
BY_LOGIT = derive(
    Partial(ell[i], L[k, j]),
    (DERIVATIVE, delta(i, k) * (P[i, j] - delta(j, p[i]))),
    (DEFINITION, delta(i, k) * G[i, j]),
    names=NAMES,
    facts=FACTS,
)


def test_a_false_line_is_refused_and_shown():
    with pytest.raises(NotProved, match=r"not proved by derivative:\n.*\n.*P\[i, j\]"):
        derive(Partial(ell[i], L[i, j]), (DERIVATIVE, P[i, j]), names=NAMES, facts=FACTS)
    with pytest.raises(NotProved):
        derive(ell[i], (DEFINITION, -ell[i]), (DEFINITION, ell[i]), names=NAMES, facts=FACTS)


def test_a_proof_prints_its_lines_rules_names_and_assumptions():
    printed = display(BY_LOGIT).text()
    assert "∂ℓ[i]/∂L[k, j]" in printed
    assert "[derivative ✓]" in printed
    assert "where P[i, j] = e^L[i, j]/(Σ_k e^L[i, k])" in printed
    assert "j runs from 0 to N − 1" in printed
    first, *_, last = display(BY_LOGIT).lines
    assert (first.latex, first.mark) == (r"\frac{\partial \ell_{i}}{\partial L_{kj}}", "")
    assert (last.latex, last.mark) == (r"= \delta_{ik} G_{ij}", "definition")


def test_a_line_equal_to_the_one_above_is_refused():
    with pytest.raises(NotProved, match="nothing to prove"):
        derive(tau * z[i, j] / tau, (SUMS, z[i, j]), facts=FACTS)
