"""Each kind of evidence by itself: its statement, its refusals, its verdict."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from mpmath import iv
from sympy import IndexedBase, Integer, Symbol, exp, log, sqrt

from infonce_ref.derivations.evidence.kinds import (
    Approximate,
    Chain,
    Counterexample,
    Empirical,
    Example,
    Finding,
    Misprint,
    NotShown,
    Relation,
    check_again,
    display,
    evaluate_at,
    relation,
    states,
    verdict_of,
)
from infonce_ref.derivations.evidence.verdicts import Verdict
from infonce_ref.derivations.prover.inequality import LemmaUse, SumOfLogs, bound, nonnegative, positive
from infonce_ref.derivations.prover.notation import Definition, sum_over
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.zero_test import Facts

A, B = (Symbol(name, positive=True) for name in "ab")
C = Symbol("c", real=True)
N = Symbol("N", integer=True, positive=True)
I = Symbol("i", integer=True, nonnegative=True)
X = IndexedBase("x", positive=True)
EQUAL = derive(A * (A + 1), (SUMS, A**2 * (1 + 1 / A)), (SUMS, A**2 + A), facts=Facts())
BELOW = bound(log(A), LemmaUse(Integer(1), A), last=A - 1, facts=Facts())
NAMED = Definition(C, A**2)
E = Symbol("e", positive=True)
OPENED = bound(log(E), LemmaUse(Integer(1), A), last=A - 1, names=(Definition(E, A),), facts=Facts())
HALF = Fraction(1, 2)


def one() -> Finding:
    return Finding(0, "≠", 1)


# --- relations -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("piece", "says"),
    [
        (EQUAL, "a·(a + 1) = a^2 + a"),
        (BELOW, "log(a) ≤ a - 1"),
        (Chain((BELOW,), both=B), "b + log(a) ≤ a + b - 1"),
        (Chain((BELOW, nonnegative(B))), "log(a) ≤ a + b - 1"),
        (
            bound(log(A), LemmaUse(Integer(2), sqrt(A)), last=2 * sqrt(A) - 2, facts=Facts()),
            "log(a) ≤ 2·√(a) - 2",
        ),
        (nonnegative(A), "a ≥ 0"),
        (positive(A), "a > 0"),
        (NAMED, "c := a^2"),
        (evaluate_at(Misprint, "as printed", Relation(A, "≠", A + 1), {A: 1}), "a = a + 1"),
        (evaluate_at(Counterexample, "as printed", Relation(A, "≥", A), {A: 1}), "a < a"),
    ],
)
def test_the_statement_of_a_piece(piece, says):
    assert display(piece).states.text == says
    assert states(piece)


def test_an_instance_computed_by_a_program_states_no_relation():
    with pytest.raises(NotShown, match="Example states no relation"):
        relation(Example.at("it", one))
    assert not states(Misprint.at("it", one))


# --- numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("finding", "holds"),
    [
        (Finding([1, (2, 3)], "=", (1, [2, Fraction(3)])), True),
        (Finding([1, 2], "≠", [1, 3]), True),
        (Finding([1, 2], "≠", [1, 2]), False),
        (Finding(1, "<", 2), True),
        (Finding(1, "<", 1), False),
        (Finding(2, ">", 1), True),
        (Finding(1, ">", 1), False),
        (Finding(1, "≤", 1), True),
        (Finding(2, "≤", 1), False),
        (Finding(1, "≥", 1), True),
        (Finding(1, "≥", 2), False),
        (Finding(SumOfLogs.of(4), "=", SumOfLogs.of(2, 2)), True),
        (Finding(SumOfLogs.of(2), "=", SumOfLogs.of(3)), False),
        (Finding(SumOfLogs.of(2), "<", SumOfLogs.of(3)), True),
        (Finding(iv.mpf([0, 1]), "<", iv.mpf([2, 3])), True),
        (Finding(iv.mpf([2, 3]), ">", 1), True),
        (Finding(iv.mpf([0, 1]), "≠", iv.mpf([2, 3])), True),
        (Finding(4, "≠", iv.mpf([2, 3])), True),
        # intervals that overlap show nothing
        *((Finding(iv.mpf([0, 2]), sign, iv.mpf([1, 3])), False) for sign in "<>≤≥≠"),
        (Finding(iv.mpf([1, 2]), "≠", iv.mpf([0, 1])), False),
        (Finding(1, "=", iv.mpf([1, 1])), False),
        (Finding(1.0, "≈", 1.5, tolerance=0.5), True),
        (Finding(mpmath.mpf(1), "≈", 1.5, tolerance=1), True),
        (Finding(1.0, "≈", 1.75, tolerance=0.5), False),
        (Finding(1.0, "≈", 1.75, tolerance=mpmath.inf), False),
        (Finding(1, "≈", 2), False),
        (Finding(float("nan"), "≈", 1.0, tolerance=1.0), False),
    ],
)
def test_whether_a_finding_holds(finding, holds):
    assert (finding.holds is True) is holds


@pytest.mark.parametrize(
    ("finding", "kind"),
    [
        (Finding(1.0, "=", 1), "float"),
        (Finding([1, [True]], "=", [1, [1]]), "bool"),
        (Finding(1, "=", mpmath.mpf(1)), "mpf"),
        (Finding("1", "≈", 1), "str"),
    ],
)
def test_a_finding_compares_numbers(finding, kind):
    with pytest.raises(NotShown, match=f"a finding compares numbers; got {kind}: "):
        Example.at("it", lambda: finding)


@pytest.mark.parametrize(
    ("finding", "words"),
    [
        (Finding(HALF, "<", 2, ("the rate", "")), "the rate = 1/2 < 2"),
        (Finding(HALF, "=", HALF, ("the rate", A)), "the rate = a = 1/2"),
        (Finding(1, "<", 2, (A**2, "its bound")), "a^2 < its bound: 1 < 2"),
        (Finding(1.0, "≈", 1.5, ("one", "other"), tolerance=HALF), "one ≈ other within 1/2: 1.0 ≈ 1.5"),
        (Finding([1, (2, HALF)], "=", 3), "(1, (2, 1/2)) = 3"),
        (Finding(Fraction(10**14, 3), "<", 1), "3.333333e+13… < 1"),
        (Finding(Fraction(10**13 + 1, 3), "<", 1), "3.333333e+12… < 1"),
        (Finding(1 / 3, "<", mpmath.mpf(2) / 3), "0.3333333 < 0.6666667"),
        (Finding(iv.mpf([1, 2]), "<", SumOfLogs.of(2)), f"1.5… < {SumOfLogs.of(2)}"),
    ],
)
def test_how_a_finding_is_written(finding, words):
    assert finding.text() == words


# --- instances -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1.0, "1", None, [1, [True]], {1: 1}])
def test_a_point_is_made_of_exact_numbers_and_named_kinds(value):
    with pytest.raises(NotShown, match="compares numbers"):
        Example.at("it", lambda x: Finding(1, "=", 1), x=value)


def test_a_false_finding_is_reported():
    with pytest.raises(NotShown, match="it: it is false that 1 = 2"):
        Example.at("it", lambda: [Finding(1, "=", 1), Finding(1, "=", 2)])
    with pytest.raises(NotShown, match="it: it is false that 'holds'"):
        Example.at("it", lambda: ["holds"])
    with pytest.raises(NotShown, match="it: nothing was compared"):
        Example.at("it", list)


# --- a relation at a point -----------------------------------------------------------------------------


def test_a_relation_is_evaluated_in_intervals():
    seen = evaluate_at(Example, "it", Relation(exp(A), "<", 2 + log(B)), {A: HALF, B: 1})
    (found,) = seen.findings
    assert isinstance(found.left, iv.mpf)
    assert mpmath.e**0.5 in found.left
    assert found.names == (exp(A), 2 + log(B))
    assert type(evaluate_at(Example, "it", Relation(A, "<", B), {A: HALF, B: 1}).findings[0].left) is iv.mpf
    assert (
        type(
            evaluate_at(Example, "it", Relation(sum_over(X[I], (I, N)), "<", B), {X: [HALF], N: 1, B: 1})
            .findings[0]
            .left
        )
        is iv.mpf
    )
    assert evaluate_at(Misprint, "it", Relation(N, "≠", N + 1), {N: 2}).findings == (
        Finding(2, "≠", 3, (N, N + 1)),
    )


@pytest.mark.parametrize(
    ("symbol", "value", "rule"),
    [
        (A, 0, "a was declared > 0; got 0"),
        (X, [1, [2, -1]], "x was declared > 0; got -1"),
        (Symbol("m", nonnegative=True), -1, "m was declared ≥ 0; got -1"),
        (N, HALF, "N was declared a whole number; got 1/2"),
    ],
)
def test_a_point_has_the_declared_kinds_of_its_symbols(symbol, value, rule):
    quantity = symbol if isinstance(symbol, Symbol) else sum_over(symbol[I], (I, N))
    with pytest.raises(NotShown, match=rule):
        evaluate_at(Example, "it", Relation(quantity, "≠", quantity + 1), {N: 2, symbol: value})


def test_each_row_of_an_array_is_as_long_as_the_sums_over_it():
    j = Symbol("j", integer=True, nonnegative=True)
    grand = Relation(sum_over(X[I, j], (j, N), (I, N)), ">", Integer(0))
    assert evaluate_at(Example, "it", grand, {N: 2, X: [[1, 2], [3, 4]]})
    for rows in ([[1, 2], [3]], [[1, 2, 3], [1, 2, 3]], [[1, 2]]):
        with pytest.raises(NotShown, match="runs over 2, but there are"):
            evaluate_at(Example, "it", grand, {N: 2, X: rows})


def test_a_defined_symbol_cannot_be_given_a_value():
    with pytest.raises(NotShown, match="c has a definition, so it cannot be given a value; leave it out"):
        evaluate_at(Misprint, "it", Relation(C, "≠", A), {A: 2, C: 1}, (NAMED,))


def test_two_things_with_one_name_make_no_relation():
    other = Symbol("a", real=True)
    with pytest.raises(ValueError, match="two different things are written a"):
        evaluate_at(Misprint, "it", Relation(A, "≠", other + 1), {A: 2, other: 2})


# --- verdicts ------------------------------------------------------------------------------------------

PIECES: dict[Verdict, tuple[Any, ...]] = {
    Verdict.NO_THEOREM: (Empirical("nothing is meant"),),
    Verdict.CORRECTED: (Misprint.at("it", one),),
    Verdict.REFUTED: (Counterexample.at("it", one),),
    Verdict.CHECKED: (Approximate.at("it", one),),
    Verdict.DEFINITION: (NAMED,),
    Verdict.PROVED_FROM_LEMMA: (BELOW, Chain((BELOW,))),
    Verdict.PROVED: (EQUAL, positive(A)),
}


def test_the_first_kind_present_decides_the_verdict():
    kinds = list(PIECES)
    for place, verdict in enumerate(kinds):
        for piece in PIECES[verdict]:
            later = [x for kind in kinds[place:] for x in PIECES[kind]]
            assert verdict_of(iter([*later[::-1], piece])) is verdict


@pytest.mark.parametrize(
    ("pieces", "said"),
    [
        ((), "there is no evidence that supports a verdict; add one of Definition, "),
        ((Example.at("it", one),), "there is no evidence that supports a verdict; add one of Definition, "),
        ((NAMED, Example.at("it", one)), "a proof or a sign that shows it well posed"),
        ((EQUAL, derive(A**2, facts=Facts())), r"a proof with a single line proves nothing: a\^2"),
    ],
)
def test_what_supports_no_verdict(pieces, said):
    with pytest.raises(NotShown, match=said):
        verdict_of(pieces)


@pytest.mark.parametrize("piece", [*(x for kind in PIECES.values() for x in kind), Example.at("it", one)])
def test_a_piece_made_again_is_the_same(piece):
    assert check_again(piece) == piece
    assert check_again(piece) is not piece


# --- the checked piece is the shown one ---------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda: Example.at("x = 1", one),
        lambda: Example.at("it", lambda: Finding(1, "≠", 2, ("never ≤ 2", ""))),
        lambda: Example.at("it", lambda **given: Finding(1, "≠", 2), **{"x = 1": 1}),
        lambda: Empirical("x = 1"),
    ],
)
def test_the_words_of_an_instance_may_not_state_a_relation(make):
    with pytest.raises(ValueError, match="render it from its evidence"):
        make()
