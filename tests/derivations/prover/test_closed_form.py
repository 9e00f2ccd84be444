"""Derived gradients: readable, proved, and equal to the statement's."""

import pytest

from infonce_ref.derivations import prove_file
from infonce_ref.derivations.evidence.plain import given
from infonce_ref.derivations.losses import statements
from infonce_ref.derivations.prover.closed_form import derive_gradient
from infonce_ref.derivations.prover.proof import DEFINITION, derive
from infonce_ref.derivations.prover.show import text

FOUND = {
    ("infonce", "z"): "(Σ_i P[i, k]·z[i, f] + Σ_k′ P[k, k′]·z[k′, f] - z[p(k), f]"
    " - Σ_i 1[k = p(i)]·z[i, f])/(ν·τ)",
    ("cpc", "scores"): "(P[k, a] - 1[a = p(k)])/ν",
    ("simsiam", "p1"): "(cos[k]·p̄₁[k, f] - z̄₂′[k, f])/(2·N·‖p₁[k]‖)",
    ("nce", "noise_scores"): "h′[k, a]/ν",
    ("triplet", "anchor"): "2·(xⁿ[k, f] - xᵖ[k, f])·α[k]/ν",
    ("clip", "image"): "((Σ_k′ P[k, k′]·T[k′, f])/2 + (Σ_i Pᶜ[k, i]·T[i, f])/2 - T[k, f])/(B·τ)",
}


def gradient_of(name, input):
    """The gradient as `infonce-ref prove` derives it, which compares its NumPy code too; and what is stated."""
    statement = next(iter(statements(name).values()))
    stated = statement.gradients[input]
    entry = stated.variable[stated.indices] if stated.indices else stated.variable
    facts = stated.prove().facts
    names = {"LOSS": statement.form, "BY": (entry,), "NAMES": statement.names, "FACTS": facts}
    (found,) = prove_file.gradients(names)
    return found.proof, statement, stated


@pytest.mark.parametrize(("name", "input"), FOUND)
def test_the_derived_form_is_the_one_that_a_person_would_write(name, input):
    proof, *_ = gradient_of(name, input)
    assert text(proof.lines[-1].expression) == FOUND[name, input]


@pytest.mark.parametrize(
    ("name", "input"), [("ntxent", "temperature"), ("byol", "prediction"), ("instance", "bank")]
)
def test_the_derived_form_is_the_stated_one(name, input):
    proof, statement, stated = gradient_of(name, input)
    if proof.lines[-1].expression != stated.form:
        assert derive(
            proof.lines[-1].expression, (DEFINITION, stated.form), names=statement.names, facts=proof.facts
        )


def test_a_delta_beyond_the_range_of_the_sum_stays():
    """p(i) may be as large as B − 1, which may be outside a sum up to N."""
    for size, form in (("N", "Σ_j 1[j = p(i)]·u[i, j]"), ("B", "u[i, p(i)]")):
        here = given(f"i < N; Σ_j < {size}; p: N → B")
        loss = here.read("τ (Σ_j 1[j = p(i)] u[i,j])")
        proof = derive_gradient(loss, here.read("τ"), names=(), facts=here.facts)
        assert text(proof.lines[-1].expression) == form
