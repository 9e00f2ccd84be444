"""Expressions are read from text, as they are printed; what may be read in two ways is refused."""

import pytest
from sympy import E, Indexed, IndexedBase, Integer, Rational, Sum, Symbol, exp, log, sqrt

from infonce_ref.derivations.evidence.kinds import Evaluated, Instance
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.losses import list_statements
from infonce_ref.derivations.prover.notation import Differ, Partial, delta, is_index, quantities_of, sum_over
from infonce_ref.derivations.prover.read import Notation, Unread, index
from infonce_ref.derivations.prover.show import text
from infonce_ref.derivations.symbols import L, N, P, ell, i, j, k, norm, p, tau, w

LETTERS = {str(one): one for one in (L, N, P, ell, norm, p, tau, w)}
HERE = Notation(LETTERS, {j: N, k: N, index("k′"): N})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("e^L[i,j] / Σ_k e^L[i,k]", exp(L[i, j]) / sum_over(exp(L[i, k]), (k, N))),
        ("Σ_k L[i,k] P[i,k] - τ", sum_over(L[i, k] * P[i, k], (k, N)) - tau),
        ("Σ_jk P[j, k]", sum_over(P[j, k], (k, N), (j, N))),
        ("Σ_k′ ℓ[k′]", sum_over(ell[index("k′")], (index("k′"), N))),
        ("-log P[i,p(i)]", -log(P[i, p[i]])),
        ("2 log(τ)^2", 2 * log(tau) ** 2),
        ("1[i = j] 1[j ≠ p(i)]", delta(i, j) * Differ(j, p[i])),
        ("1[0 = i]·‖w[i]‖", delta(0, i) * norm[i]),
        ("∂ℓ[i]/∂L[k,j]", Partial(ell[i], L[k, j])),
        ("∂(∂ℓ[i]/∂τ)/∂τ", Partial(Partial(ell[i], tau), tau)),
        ("τ^(3/2)/√τ + √(N + 1)", tau ** Rational(3, 2) / sqrt(tau) + sqrt(N + 1)),
        ("e^-τ + E/e - 12/(N (N - 1))", exp(-tau) + 1 - 12 / (N * (N - 1))),
        ("i + x", i + index("x")),
    ],
)
def test_an_expression_is_read(written, meant):
    assert HERE.read(written) == meant


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Σ_k ℓ[k] / N", "after Σ may be read in two ways"),
        ("Σ_k ℓ[k] Σ_j ℓ[j] / N", "after Σ may be read in two ways"),
        ("τ / N τ", "after a division may be read in two ways"),
        ("τ / N·τ", "after a division may be read in two ways"),
        ("τ^2^2", "after ^ may be read in two ways"),
        ("log τ N", "after log without brackets may be read in two ways"),
        ("log τ^2", "after log without brackets may be read in two ways"),
        ("√τ^2", "after √ may be read in two ways"),
        ("∂ℓ[i]/∂τ^2", "after ∂ may be read in two ways"),
        ("Σ_m ℓ[m]", "the range of m is not given"),
        ("Q[i]", "there is no letter Q"),
        ("exp(τ)", "there is no function exp"),
        ("‖z[i]‖", "there is no letter ‖z‖"),
        ("P + 1", "where [ is expected"),
        ("P(i, j)", "where [ is expected"),
        ("τ[i]", "which is no array"),
        ("i(j)", "which is no array"),
        ("(τ", "where ) is expected"),
        ("τ)", "does not belong to it"),
        ("τ +", "where a factor is expected"),
        ("", "where a factor is expected"),
        ("1[i < j]", "where = or ≠ is expected"),
        ("τ = N", "states a relation"),
        ("L[i, τ]", "where an index is expected"),
        ("N 1[i ≠ j]/1[i ≠ j]", "defined only if 1[i ≠ j] ≠ 0"),
        ("√L[i,j]·√L[i,j]", "defined only if L[i, j] ≥ 0"),
        ("e^(log L[i,j])", "defined only if L[i, j] > 0"),
    ],
)
def test_what_is_no_expression_or_two_is_refused(written, said):
    with pytest.raises(Unread) as error:
        HERE.read(written)
    assert said in str(error.value)


def test_relations_are_read():
    assert HERE.read_chain("τ ≤ N ≠ 2") == ([tau, N, Integer(2)], ["≤", "≠"])
    assert HERE.read_chain("ℓ[i] := τ") == ([ell[i], tau], [":="])


def notation_of(expression):
    """The letters and ranges of an expression."""
    letters = {str(one): one for one in quantities_of(expression) if not is_index(one)}
    letters |= {str(one.base): one.base for one in expression.atoms(Indexed)}
    sizes = {index: last + 1 for node in expression.atoms(Sum) for index, _, last in node.limits}
    return Notation(letters, sizes)


def assert_reads(expressions):
    for expression in expressions:
        assert notation_of(expression).read(text(expression)) == expression


def test_quantities_that_are_numbers_elsewhere():
    """A symbol E is not the number e, nor 𝟏 the number 1."""
    assert_reads([E * tau, Symbol("E", real=True) * tau, IndexedBase("E", real=True)[i] * tau])
    assert_reads([IndexedBase("𝟏", real=True)[i] + 1])


@pytest.mark.slow
@pytest.mark.parametrize("id", CLAIMS)
def test_every_expression_of_the_ledger_is_read_as_it_is_printed(id, settled):
    for piece in settled(id).evidence.values():
        assert_reads(line.expression for line in getattr(piece, "lines", ()))
        for name in getattr(piece, "definitions", ()):
            assert_reads([name.head, name.body])
        if isinstance(piece, Instance) and isinstance(piece.find, Evaluated):
            assert_reads([piece.find.claimed.left, piece.find.claimed.right])


@pytest.mark.parametrize(("name", "statement"), list_statements().items())
def test_every_statement_is_read_as_it_is_printed(name, statement):
    assert_reads([statement.form, *(part for one in statement.names for part in (one.head, one.body))])
    assert_reads(gradient.form for gradient in statement.gradients.values())
