"""A piece of evidence is exported as the proposition of Coq that a person would write."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from sympy import Function, IndexedBase, Integer, Rational, Symbol, cos, log

from infonce_ref.derivations.coq import export
from infonce_ref.derivations.coq.export import _Statement, proposition
from infonce_ref.derivations.coq.spelling import NotExported, identifier
from infonce_ref.derivations.evidence.kinds import (
    Chain,
    Empirical,
    Example,
    Finding,
    Misprint,
    Relation,
    evaluate_at,
)
from infonce_ref.derivations.prover.inequality import LemmaUse, bound, nonnegative, positive
from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Definition, Partial, freshen, sum_over
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, derive

N = Symbol("N", integer=True, positive=True)
i, k = (Symbol(name, integer=True, nonnegative=True) for name in "ik")
a, b, c, tau = (Symbol(name, real=True) for name in ("a", "b", "c", "τ"))
w = Symbol("w", positive=True)
x, z = (IndexedBase(name, real=True) for name in "xz")
p, q = (IndexedBase(name, integer=True) for name in "pq")


def say(left, sign="=", right=c, **point):
    """The proposition on one line, without the names that it introduces."""
    return " ".join(_Statement(Relation(left, sign, right), (), **point).text().split())


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        (cos(a), "no Coq for cos in cos(a)"),
        (Function("h")(a), "no Coq for h in h(a)"),
        (a**b, "no Coq for Pow in a**b"),
        (c * a**b, "no Coq for Pow in a**b"),
        (w ** Rational(1, 3), "no Coq for the power 1/3 of w"),
        (sum_over(x[i], (i, N / 2)), "no natural number of Coq for 1/2"),
        (sum_over(x[i], (i, N - 1)), "no natural number of Coq for -1"),
        (sum_over(x[i], (i, N**2)), "no natural number of Coq for N**2"),
    ],
)
def test_a_term_without_a_counterpart_is_refused(expression, why):
    with pytest.raises(NotExported) as refused:
        say(expression)
    assert str(refused.value) == why


def test_two_names_with_one_identifier_are_refused():
    with pytest.raises(NotExported, match=r"two of these names have the same identifier in Coq: .*τ → tau"):
        say(tau + Symbol("tau", real=True))


@pytest.mark.parametrize("sides", [(0, 1), (1, 0)])
def test_a_bound_index_is_told_from_a_free_one_with_the_same_letter(sides):
    both = (freshen(sum_over(z[i, k], (i, N))).xreplace({k: i}), a)
    assert "sum N (fun i' : nat => z i' i)" in say(both[sides[0]], right=both[sides[1]])


def test_a_derivative_in_an_inequality_is_refused():
    with pytest.raises(NotExported, match=r"^no Coq for an inequality with a derivative$"):
        say(Partial(a**2, a), "<")


# --- pieces of evidence ---------------------------------------------------------------------------------


ABOVE = bound(log(w), LemmaUse(Integer(1), w), last=w - 1, facts=Facts())
EQUAL = derive(w - 1, (DEFINITION, w - b), names=[Definition(b, Integer(1))], facts=Facts())


@pytest.mark.parametrize(
    ("piece", "said"),
    [
        (
            derive((a + b) ** 2, (SUMS, a**2 + 2 * a * b + b**2), facts=Facts()),
            "forall (a b : R), (a + b) ^ 2 = a ^ 2 + b ^ 2 + 2 * a * b",
        ),
        (positive(w), "forall (w : R), (0 < w) -> 0 < w"),
        (nonnegative(a**2), "forall (a : R), 0 <= a ^ 2"),
        (ABOVE, "forall (w : R), (0 < w) -> ln w <= w - 1"),
        (Chain((ABOVE, EQUAL)), "forall (w : R), (0 < w) -> let b : R := 1 in ln w <= w - b"),
    ],
)
def test_a_proof_a_sign_a_bound_and_a_chain_are_exported_by_their_relations(piece, said):
    assert " ".join(proposition(piece).split()) == said


def test_a_proof_states_the_ranges_of_its_conditions():
    facts = Facts(ranges={i: N, k: N})
    proof = derive(Partial(log(x[k]), x[k]), (DERIVATIVE, 1 / x[k]), facts=facts)
    assert " ".join(proposition(proof).split()) == (
        "forall (x : nat -> R) (k : nat), (forall k : nat, 0 < x k) ->"
        " is_derive (fun t : R => ln ((set1 x k t) k)) (x k) (1 / x k)"
    )


def test_every_derivative_is_stated_to_exist():
    both = Partial(a**2, a) * Partial(b**2, b)
    proof = derive(both + c, (DERIVATIVE, 4 * a * b + c), facts=Facts())
    assert proposition(proof).count("ex_derive (fun x : R => x ^ 2)") == 2


IN_RANGE = Facts(ranges={i: N})
ONE = sum_over((x[i] + 1) / x[i] - 1 / x[i], (i, N)) / N  # 1, if no entry is 0
LESS = derive(w - 1, (SUMS, w - ONE), facts=IN_RANGE)


@pytest.mark.parametrize(
    "piece",
    [LESS, bound(log(w), LemmaUse(Integer(1), w), last=w - ONE, facts=IN_RANGE), Chain((ABOVE, LESS))],
    ids=["proof", "bound", "chain"],
)
def test_a_condition_on_the_terms_of_a_sum_is_restricted_to_the_declared_range(piece):
    assert " (forall i : nat, (i < N)%nat -> x i <> 0) -> " in " ".join(proposition(piece).split())


def test_an_instance_lets_each_quantity_have_its_value():
    at = {
        a: Fraction(-1, 2),
        b: Fraction(3, 2),
        N: 2,
        x: [1, Fraction(-1, 3)],
        z: [[1, 2], [3, 4]],
        p: [1, 0],
    }
    printed = Relation(sum_over(x[p[i]] * z[i, i], (i, N)) * a, "=", b)
    assert " ".join(proposition(evaluate_at(Misprint, "as printed", printed.contrary(), at)).split()) == (
        "let N : nat := (2)%nat in let a : R := - (1 / 2) in let b : R := 3 / 2 in"
        " let x : nat -> R := list1 (1 :: - (1 / 3) :: nil)%list in"
        " let z : nat -> nat -> R := list2 ((1 :: 2 :: nil) :: (3 :: 4 :: nil) :: nil)%list in"
        " let p : nat -> nat := (places (1 :: 0 :: nil))%nat in"
        " a * sum N (fun i : nat => x (p i) * z i i) <> b"
    )


def test_a_map_of_two_indices_has_no_value():
    with pytest.raises(NotExported, match=r"^no Coq for a map of two indices: q$"):
        say(x[q[0, 1]], point={q: [[0, 1], [1, 0]]})


def test_a_piece_that_states_no_theorem_is_refused():
    for piece in (Empirical("words"), Example.at("one", lambda: Finding(1, "=", 1))):
        kind = type(piece).__name__
        with pytest.raises(
            NotExported, match=f"^a {kind} is not a theorem; a proof, a sign, an inequality and an ins"
        ):
            proposition(piece)


# --- names ---------------------------------------------------------------------------------------------


def test_no_definition_of_the_vocabulary_is_an_identifier():
    vocabulary = Path(export.__file__).with_name("vocabulary.v").read_text(encoding="utf-8")
    defined = re.findall(r"^(?:Definition|Fixpoint) (\w+)", vocabulary, re.M)
    assert {"sum", "delta", "set3"} < {*defined}
    used = [word for word in defined if word != "entries"]  # only the vocabulary itself uses it
    assert [identifier(word) for word in used] == [f"{word}_" for word in used]


def test_a_sign_without_a_spelling_is_refused():
    with pytest.raises(
        NotExported, match=r"^no identifier for 'ж' \(CYRILLIC SMALL LETTER ZHE\); give it one in "
    ):
        identifier("ж")
