"""A piece of evidence is exported as the proposition of Coq that a person would write."""

from fractions import Fraction

import pytest
from sympy import E, Function, IndexedBase, Integer, Rational, Symbol, cos, exp, log, sqrt

from infonce_ref.derivations.evidence.pieces import (
    Chain,
    Empirical,
    Finding,
    Relation,
    example,
    fails,
)
from infonce_ref.derivations.kernel.export import _Statement, proposition
from infonce_ref.derivations.kernel.spelling import NotExported
from infonce_ref.derivations.prover.hypotheses import (
    Deranged,
    Held,
    InRange,
    Into,
    Mask,
    Needs,
    Signed,
    Size,
    Summed,
)
from infonce_ref.derivations.prover.inequality import Use, bound, nonnegative, positive
from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, freshen, one_if, total
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, derive

N, M = (Symbol(name, integer=True, positive=True) for name in "NM")
i, j, k, f = (Symbol(name, integer=True, nonnegative=True) for name in "ijkf")
a, b, c, tau = (Symbol(name, real=True) for name in ("a", "b", "c", "τ"))
w = Symbol("w", positive=True)
x, y = (IndexedBase(name, real=True) for name in "xy")
u = IndexedBase("u", positive=True)
z, P = (IndexedBase(name, real=True) for name in "zP")
p, q = (IndexedBase(name, integer=True) for name in "pq")
T = IndexedBase("T", real=True)


def say(left, sign="=", right=c, definitions=(), hypotheses=(), **kept):
    """The proposition on one line, without the names that it introduces."""
    return " ".join(_Statement(Relation(left, sign, right), definitions, hypotheses, **kept).text().split())


def conclusion(left, sign="=", right=c, **kept):
    return say(left, sign, right, **kept).rpartition(", ")[2]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (a, "a"),
        (tau, "tau"),
        (N, "INR N"),
        (Integer(3), "3"),
        (Integer(-3), "- 3"),
        (Rational(2, 3), "2 / 3"),
        (Rational(-2, 3), "- (2 / 3)"),
        (E, "exp 1"),
        (exp(a), "exp a"),
        (exp(a + b), "exp (a + b)"),
        (exp(2), "exp 2"),
        (log(a * b), "ln (a * b)"),
        (a + b, "a + b"),
        (a - b, "a - b"),
        (b - a, "b - a"),
        (-a - b, "- (a) - b"),
        (a - 2 * b, "a - 2 * b"),
        (2 * a * b, "2 * a * b"),
        (-2 * a, "- (2 * a)"),
        (a / 2, "a / 2"),
        (2 * a / 3, "2 * a / 3"),
        (a / b, "a / b"),
        (a / (2 * b * w), "a / 2 / b / w"),
        (a / (b + 1), "a / (1 + b)"),
        (a * (b + 1), "a * (1 + b)"),
        (a * exp(b), "a * exp b"),
        (a**2 / b**3, "a ^ 2 / b ^ 3"),
        (1 / a, "1 / a"),
        (1 / a**2, "1 / a ^ 2"),
        (1 / (a * b), "1 / a / b"),
        (1 / (a + b), "1 / (a + b)"),
        (1 / (a + b) ** 2, "1 / (a + b) ^ 2"),
        (1 / (1 + 1 / a), "1 / (1 + 1 / a)"),
        (a**2, "a ^ 2"),
        ((a + b) ** 2, "(a + b) ^ 2"),
        (exp(a) * log(b) ** 2, "(ln b) ^ 2 * exp a"),
        (sqrt(a), "sqrt a"),
        (sqrt(a + b), "sqrt (a + b)"),
        (sqrt(w) ** 3, "(sqrt w) ^ 3"),
        (sqrt(2), "sqrt 2"),
        (1 / sqrt(a), "1 / sqrt a"),
        (sqrt(Rational(2, 3)), "sqrt 6 / 3"),
        (x[i], "x i"),
        (z[i, j], "z i j"),
        (x[i] ** 2, "x i ^ 2"),
        (x[p[i]], "x (p i)"),
        (z[q[i, j], 0], "z (q i j) 0%nat"),
        (one_if(i, j), "delta i j"),
        (one_if(i, j) * a, "a * delta i j"),
        (Differ(i, p[j]), "differ i (p j)"),
        (Differ(i, j) * a, "a * differ i j"),
        (total(x[i], (i, N)), "sum N (fun i : nat => x i)"),
        (total(z[i, j], (j, M), (i, N)), "sum N (fun i : nat => sum M (fun j : nat => z i j))"),
        (total(x[i], (i, N + 1)), "sum (1 + N)%nat (fun i : nat => x i)"),
        (total(x[i], (i, N * M)), "sum (M * N)%nat (fun i : nat => x i)"),
        (total(x[i], (i, 2 * (N + M))), "sum (2 * M + 2 * N)%nat (fun i : nat => x i)"),
        (total(x[i], (i, M * (N + 1))), "sum (M * (1 + N))%nat (fun i : nat => x i)"),
        (total(x[i], (i, Integer(2))), "sum (2)%nat (fun i : nat => x i)"),
        (a * total(x[i], (i, N)), "a * sum N (fun i : nat => x i)"),
    ],
)
def test_each_kind_of_term_is_written(expression, said):
    assert conclusion(expression) == f"{said} = c"


@pytest.mark.parametrize(
    ("sign", "said"),
    [("=", "a = c"), ("≠", "a <> c"), ("<", "a < c"), ("≤", "a <= c"), (">", "c < a"), ("≥", "c <= a")],
)
def test_each_relation_is_written_with_less_and_not_with_more(sign, said):
    assert conclusion(a, sign) == said


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        (cos(a), "no Coq for cos in cos(a)"),
        (Function("h")(a), "no Coq for h in h(a)"),
        (a**b, "no Coq for Pow in a**b"),
        (c * a**b, "no Coq for Pow in a**b"),
        (w ** Rational(1, 3), "no Coq for the power 1/3 of w"),
        (total(x[i], (i, N / 2)), "no natural number of Coq for 1/2"),
        (total(x[i], (i, N - 1)), "no natural number of Coq for -1"),
        (total(x[i], (i, N**2)), "no natural number of Coq for N**2"),
    ],
)
def test_a_term_without_a_counterpart_is_refused(expression, why):
    with pytest.raises(NotExported) as refused:
        say(expression)
    assert str(refused.value) == why


def test_two_names_with_one_identifier_are_refused():
    with pytest.raises(NotExported, match=r"two of these names have the same identifier in Coq: .*τ → tau"):
        say(tau + Symbol("tau", real=True))


# --- what is introduced ---------------------------------------------------------------------------------


def test_quantities_are_introduced_as_sizes_numbers_arrays_maps_and_indices():
    said = say(total(z[i, p[k]] * x[k] * y[q[i, k]], (i, N)) * b + a * M)
    assert said.startswith(
        "forall (M N : nat) (a b c : R) (x y : nat -> R) (z : nat -> nat -> R) (p : nat -> nat)"
        " (q : nat -> nat -> nat) (k : nat), "
    )


def test_a_line_longer_than_110_is_broken_with_an_indent():
    left = sum(Symbol(f"long{n}", real=True) for n in range(20))
    lines = _Statement(Relation(left, "=", c), ()).text().split("\n")
    assert len(lines) > 2
    assert all(len(line) <= 110 for line in lines)
    assert [len(line) - len(line.lstrip()) for line in lines] == [2, 4, 2, 4]


@pytest.mark.parametrize(
    ("hypothesis", "said"),
    [
        (InRange(k, N), "(k < N)%nat"),
        (InRange(k, N + 1), "(k < 1 + N)%nat"),
        (Size(N), "(0 < N)%nat"),
        (Into(p, M, N), "(forall i : nat, (i < M)%nat -> (p i < N)%nat)"),
        (Into(q, (M, N), N), "(forall i j : nat, (i < M)%nat -> (j < N)%nat -> (q i j < N)%nat)"),
        (Deranged(p), "(forall i : nat, p i <> i)"),
        (Mask(x), "(forall i : nat, x i = 0 \\/ x i = 1)"),
        (Mask(z), "(forall i j : nat, z i j = 0 \\/ z i j = 1)"),
        (Signed(a, ">"), "(0 < a)"),
        (Signed(x, "≥"), "(forall i : nat, 0 <= x i)"),
        (Needs(a + b, "≠"), "(a + b <> 0)"),
        (Needs(x[k], ">"), "(forall k : nat, 0 < x k)"),
        (Needs(x[i] * z[i, j], "≥"), "(forall i : nat, forall j : nat, 0 <= x i * z i j)"),
    ],
)
def test_each_hypothesis_is_written(hypothesis, said):
    whole = say(total(a * x[p[k]] * z[i, q[i, k]] + b * M, (i, N)), hypotheses=[hypothesis, hypothesis])
    assert whole.partition("(k : nat), ")[2].startswith(f"{said} -> sum N")


@pytest.mark.parametrize(
    "hypothesis",
    [
        Summed(i, N),
        Held(a, (b,)),
        InRange(j, N),
        Size(M),
        Signed(b, ">"),
        Signed(y, ">"),
        Into(q, (N, N), N),
        Deranged(q),
        Mask(y),
    ],
)
def test_a_hypothesis_on_what_does_not_occur_is_left_out(hypothesis):
    expression = total(a * x[p[i]] * N, (i, N))
    assert say(expression, hypotheses=[hypothesis]) == say(expression)


def test_a_condition_is_restricted_to_the_ranges_that_are_assumed():
    """k is free in the statement: it is restricted only if it is assumed to be in range, and so is every i < N."""
    needs, ranges = Needs(x[i], ">"), {i: N, k: N}
    said = say(x[k], hypotheses=[InRange(k, N), needs], ranges=ranges)
    assert said.endswith("(k < N)%nat -> (forall i : nat, (i < N)%nat -> 0 < x i) -> x k = c")
    assert say(x[k], hypotheses=[needs], ranges=ranges).endswith(
        "(k : nat), (forall i : nat, 0 < x i) -> x k = c"
    )


def test_a_size_that_only_a_hypothesis_has_is_introduced():
    assert say(x[p[k]], hypotheses=[Into(p, M, N)]).startswith("forall (M N : nat) (c : R)")
    assert say(a, hypotheses=[Needs(x[i], ">")], ranges={i: M}).startswith("forall (M : nat) (a c : R)")


# --- names ----------------------------------------------------------------------------------------------

NAMES = (Definition(P[i, j], exp(z[i, j]) / a), Definition(b, total(P[i, i], (i, N))), Definition(tau, a + 1))


def test_the_names_that_occur_are_let_in_an_order_in_which_each_is_known():
    assert say(b, definitions=NAMES[::-1]).endswith(
        "let P (i j : nat) : R := exp (z i j) / a in let b : R := sum N (fun i : nat => P i i) in b = c"
    )


def test_a_name_that_depends_on_the_variable_takes_it_as_an_argument():
    said = say(Partial(b + tau, z[k, f]), right=b, definitions=NAMES)
    assert "let P (z : nat -> nat -> R) (i j : nat) : R := exp (z i j) / a in" in said
    assert "let b (z : nat -> nat -> R) : R := sum N (fun i : nat => P z i i) in" in said
    assert "let tau : R := 1 + a in" in said
    assert said.endswith("is_derive (fun x : R => b (set2 z k f x) + tau) (z k f) (b z)")


def test_a_name_that_depends_on_several_variables_takes_them_in_order():
    names = [Definition(tau, total(a * x[i] + b, (i, N)))]
    said = say(Partial(tau, b) + Partial(tau, a) + Partial(tau, x[k]), definitions=names)
    assert "let tau (a : R) (b : R) (x : nat -> R) : R :=" in said
    assert "Derive (fun t : R => tau a t x) b" in said


def test_a_name_of_a_whole_number_is_natural():
    assert "let M : nat := (1 + N)%nat in INR M = c" in say(M, definitions=[Definition(M, N + 1)])


def test_a_defined_quantity_has_no_sign_of_its_own_and_its_mask_follows_it():
    names = [Definition(P[i, j], Differ(i, j))]
    said = say(P[i, j], definitions=names, hypotheses=[Signed(P, "≥"), Mask(P)])
    after = "let P (i j : nat) : R := differ i j in (forall i j : nat, P i j = 0 \\/ P i j = 1) -> P i j = c"
    assert said.endswith(f", {after}")


def test_a_mask_is_stated_even_if_no_line_has_its_name():
    said = say(a, definitions=[Definition(P[i, j], Differ(i, j))], hypotheses=[Mask(P)])
    assert said.endswith("differ i j in (forall i j : nat, P i j = 0 \\/ P i j = 1) -> a = c")


def test_a_mask_that_is_not_defined_comes_before_the_names():
    said = say(b * x[k], definitions=[Definition(b, a + 1)], hypotheses=[Mask(x)])
    assert said.endswith("(forall i : nat, x i = 0 \\/ x i = 1) -> let b : R := 1 + a in b * x k = c")


@pytest.mark.parametrize("sides", [(0, 1), (1, 0)])
def test_a_bound_index_is_told_from_a_free_one_with_the_same_letter(sides):
    both = (freshen(total(z[i, k], (i, N))).xreplace({k: i}), a)
    assert "sum N (fun i' : nat => z i' i)" in say(both[sides[0]], right=both[sides[1]])


def test_a_condition_follows_the_names_that_it_contains():
    said = say(a, definitions=[Definition(b, a + 1)], hypotheses=[Needs(b, ">"), Signed(a, ">")])
    assert said == "forall (a c : R), (0 < a) -> let b : R := 1 + a in (0 < b) -> a = c"


# --- derivatives ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        (a, "is_derive (fun x : R => x ^ 2) a (2 * a)"),
        (y[k], "is_derive (fun x : R => (set1 y k x) k ^ 2) (y k) (2 * y k)"),
        (z[k, f], "is_derive (fun x : R => (set2 z k f x) k f ^ 2) (z k f) (2 * z k f)"),
        (T[i, j, k], "is_derive (fun x : R => (set3 T i j k x) i j k ^ 2) (T i j k) (2 * T i j k)"),
    ],
)
def test_a_derivative_as_first_line_is_declared(variable, said):
    assert conclusion(Partial(variable**2, variable), right=2 * variable) == said


def test_a_derivative_within_a_term_exists_and_is_a_number():
    at = "(fun x : R => x ^ 2) a"
    assert conclusion(1 + Partial(a**2, a) ** 2) == f"(ex_derive {at}) /\\ 1 + (Derive {at}) ^ 2 = c"


def test_a_derivative_under_a_sum_exists_for_each_index_in_range():
    at = "(fun t : R => a * (set1 x k t) k) (x k)"
    assert say(total(Partial(x[k] * a, x[k]), (k, N))).endswith(
        f", (forall k : nat, (k < N)%nat -> ex_derive {at}) /\\ sum N (fun k : nat => Derive {at}) = c"
    )


def test_a_derivative_under_two_sums_exists_for_all_indices_in_alphabetical_order():
    indices = [i, j, k, f]
    term = Partial(a * sum(y[index] for index in indices), a)
    said = say(total(term, *((index, N) for index in indices)))
    quantified = "".join(f"forall {index} : nat, ({index} < N)%nat -> " for index in "fijk")
    assert f", ({quantified}ex_derive (fun x : R => " in said


def test_a_derivative_within_a_derivative_has_a_variable_that_is_not_taken():
    said = conclusion(Partial(Partial(y[k] * y[j], y[k]), y[j]), right=Integer(1))
    inner = "(set1 (set1 y j x) k t)"
    assert said == (
        f"is_derive (fun x : R => Derive (fun t : R => {inner} j * {inner} k) ((set1 y j x) k)) (y j) (1)"
    )


@pytest.mark.parametrize("sign", ["≠", "<", "≤"])
def test_a_derivative_in_an_inequality_is_refused(sign):
    with pytest.raises(NotExported, match=r"^no Coq for an inequality with a derivative$"):
        say(Partial(a**2, a), sign)


# --- pieces of evidence ---------------------------------------------------------------------------------


ABOVE = bound(log(w), Use(Integer(1), w), last=w - 1, facts=Facts())
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


IN_RANGE = Facts(ranges={i: N})
ONE = total((x[i] + 1) / x[i] - 1 / x[i], (i, N)) / N  # 1, if no entry is 0
LESS = derive(w - 1, (SUMS, w - ONE), facts=IN_RANGE)


@pytest.mark.parametrize(
    "piece",
    [LESS, bound(log(w), Use(Integer(1), w), last=w - ONE, facts=IN_RANGE), Chain((ABOVE, LESS))],
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
    printed = Relation(total(x[p[i]] * z[i, i], (i, N)) * a, "=", b)
    assert " ".join(proposition(fails(printed, at)).split()) == (
        "let N : nat := (2)%nat in let a : R := - (1 / 2) in let b : R := 3 / 2 in"
        " let x : nat -> R := list1 (1 :: - (1 / 3) :: nil)%list in"
        " let z : nat -> nat -> R := list2 ((1 :: 2 :: nil) :: (3 :: 4 :: nil) :: nil)%list in"
        " let p : nat -> nat := (places (1 :: 0 :: nil))%nat in"
        " a * sum N (fun i : nat => x (p i) * z i i) <> b"
    )


def test_a_map_of_two_indices_has_no_value():
    with pytest.raises(NotExported, match=r"^no Coq for a map of two indices: q$"):
        say(x[q[0, 1]], point={q: [[0, 1], [1, 0]]})


@pytest.mark.parametrize(
    ("piece", "kind"),
    [(Empirical("words"), "Empirical"), (example("one", lambda: Finding(1, "=", 1)), "Example")],
)
def test_a_piece_that_states_no_theorem_is_refused(piece, kind):
    with pytest.raises(NotExported) as refused:
        proposition(piece)
    assert str(refused.value) == (
        f"a {kind} is not a theorem; a proof, a sign, an inequality and an instance that compares two"
        " expressions are"
    )
