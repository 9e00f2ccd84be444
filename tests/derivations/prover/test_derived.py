"""Derived gradients: readable, proved, and equal to the statement's."""

from importlib import import_module

import numpy as np
import pytest
from sympy import Indexed, Symbol, exp, log

from infonce_ref.derivations.losses import statements
from infonce_ref.derivations.prover.derived import contract, derive_gradient
from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Definition, one_if, total
from infonce_ref.derivations.prover.numpy_code import write_numpy
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.show import text
from infonce_ref.derivations.symbols import B, L, N, P, ell, i, j, k, loss, m, p, u

FOUND = {
    ("infonce", "z"): "(Σ_i (P[i, k]·z[i, f]) + Σ_k′ (P[k, k′]·z[k′, f]) - z[p(k), f]"
    " - Σ_i (1[k = p(i)]·z[i, f]))/(ν·τ)",
    ("cpc", "scores"): "(P[k, a] - 1[a = p(k)])/ν",
    ("simsiam", "p1"): "(cos[k]·p̄₁[k, f] - z̄₂′[k, f])/(2·N·‖p₁[k]‖)",
    ("simsiam", "z1"): "0",
    ("nce", "noise_scores"): "h′[k, a]/ν",
    ("triplet", "anchor"): "2·(xⁿ[k, f] - xᵖ[k, f])·α[k]/ν",
    ("clip", "image"): "(Σ_k′ (P[k, k′]·T[k′, f])/2 + Σ_i (Pᶜ[k, i]·T[i, f])/2 - T[k, f])/(B·τ)",
}


def gradient_of(name, input):
    """The derived proof, and the statement's."""
    module = import_module(f"infonce_ref.derivations.losses.{name}")
    statement = next(iter(statements(name).values()))
    stated = statement.gradients[input]
    entry = stated.variable[stated.indices] if stated.indices else stated.variable
    return (
        derive_gradient(statement.form, entry, names=statement.names, facts=module.FACTS),
        statement,
        stated,
    )


@pytest.mark.parametrize(("name", "input"), FOUND)
def test_the_derived_form_is_the_one_that_a_person_would_write(name, input):
    proof, *_ = gradient_of(name, input)
    assert text(proof.last) == FOUND[name, input]


@pytest.mark.parametrize(
    ("name", "input"),
    [("ntxent", "w"), ("ntxent", "temperature"), ("byol", "prediction"), ("instance", "bank")],
)
def test_the_derived_form_is_the_stated_one(name, input):
    proof, statement, stated = gradient_of(name, input)
    facts = import_module(f"infonce_ref.derivations.losses.{name}").FACTS
    assert derive(
        proof.first,
        *((line.rule, line.expression) for line in proof.lines[1:]),
        *(((proof.lines[-1].rule, stated.form),) if proof.last != stated.form else ()),
        names=statement.names,
        facts=facts,
    )


def test_a_sum_over_a_delta_is_its_term():
    facts = Facts(ranges={i: N, k: N}, maps={p: (N, N)})
    assert contract(total(one_if(j, p[i]) * u[i, j], (j, N)), facts) == u[i, p[i]]


def test_a_delta_beyond_the_range_of_the_sum_stays():
    # p(i) may be as large as B − 1, which may be outside a sum up to N
    facts = Facts(ranges={i: N}, maps={p: (N, B)})
    assert contract(total(one_if(j, p[i]) * u[i, j], (j, N)), facts).has(p[i])


def test_the_code_of_names_and_sums_runs():
    names = (
        Definition(P[i, j], exp(L[i, j]) / total(exp(L[i, m]), (m, N))),
        Definition(ell[i], -log(P[i, p[i]])),
        Definition(loss, total(ell[i], (i, N)) / N),
    )
    facts = Facts(ranges={i: N, j: N, k: N}, maps={p: (N, N)})
    code = write_numpy("value", loss, (), names=names, facts=facts)
    scope = {}
    exec(code.source, scope)
    rng = np.random.default_rng(0)
    logits, positive = rng.standard_normal((4, 4)), np.array([1, 0, 3, 2])
    expected = np.mean(np.log(np.exp(logits).sum(axis=1)) - logits[np.arange(4), positive])
    # a few roundings
    assert scope["value"](N=4, L=logits, p=positive) == pytest.approx(expected, rel=1e-14, abs=0)


def test_letters_that_python_normalises_to_one_are_kept_apart():
    # Python reads ℓ as l
    code = write_numpy("value", ell[i] * Symbol("l", real=True), (i,), names=(), facts=Facts(ranges={i: N}))
    scope = {}
    exec(code.source, scope)
    words = {str(quantity): word for word, (quantity, _) in code.arguments.items()}
    found = scope["value"](**{words["ℓ"]: np.array([1.0, 2.0]), words["l"]: 3.0, "N": 2})
    assert found.tolist() == [3.0, 6.0]


def test_a_line_outside_the_normal_form_is_proved_too():
    facts = Facts(ranges={i: N, j: N})
    left = total(one_if(i, j) * u[i, j], (j, N))
    assert derive(left, (SUMS, contract(left, facts)), facts=facts)
    assert isinstance(contract(left, facts), Indexed)
