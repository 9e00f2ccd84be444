"""A proof checks each line by its rule, says why a line is refused, and lists what it uses, each once."""

import re

import pytest
from sympy import IndexedBase, Integer, Symbol, log, sqrt, symbols

from infonce_ref.derivations.prover import interpret, proof
from infonce_ref.derivations.prover.hypotheses import Held, Independent, InRange, Needs, Signed, Size, Summed
from infonce_ref.derivations.prover.notation import Definition, Partial, freshen, one_if, total
from infonce_ref.derivations.prover.proof import (
    CHAIN,
    DEFINITION,
    DERIVATIVE,
    SUMS,
    Line,
    Proof,
    Rule,
    check,
    derive,
    find_assumptions,
    find_used_names,
    premises,
)
from infonce_ref.derivations.prover.sums import Facts, NotProved

N = Symbol("N", integer=True, positive=True)
i, j, k = symbols("i j k", integer=True, nonnegative=True)
a, b, c, d = symbols("a b c d", real=True)
q = Symbol("q", positive=True)
x, y, s = (IndexedBase(name, real=True) for name in "xys")
SQUARE, DOUBLE, OTHER = Definition(b, a**2), Definition(c, 2 * b), Definition(d, a + 1)
ROW = Definition(s[i], x[i] ** 2)
NAMES = (DOUBLE, OTHER, SQUARE, ROW)
NONE = Facts()
FREE = Facts(ranges={i: N, k: N})


# --- rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "rule", "last"),
    [
        (a * (a + b), SUMS, a**2 * (1 + b / a)),
        (c + b, DEFINITION, 3 * a**2),
        (c + b, DEFINITION, 3 * b),
        (Partial(a**3, a), DERIVATIVE, 3 * a**2),
        (Partial(c, a), DERIVATIVE, 4 * a),
        (Partial(c, a), CHAIN, 2 * Partial(b, a)),
        (4 * a, DERIVATIVE, Partial(c, a)),
    ],
    ids=str,
)
def test_a_line_follows_by_its_rule(first, rule, last):
    derived = derive(first, (rule, last), names=NAMES, facts=NONE)
    assert (derived.first, derived.last) == (first, last)


@pytest.mark.parametrize(
    ("first", "rule", "last"),
    [
        (c + b, SUMS, 3 * b),
        (a, SUMS, b),
        (Partial(c, a), DERIVATIVE, 2 * a),
    ],
    ids=str,
)
def test_a_line_that_its_rule_does_not_give_is_refused(first, rule, last):
    words = f"not proved by {rule.name}:\n    {proof.text(first)}\n  = {proof.text(last)}"
    with pytest.raises(NotProved, match=f"^{re.escape(words)}$"):
        derive(first, (rule, last), names=NAMES, facts=NONE)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((), "the first line of a proof has no rule"),
        ((Line(a, SUMS),), "the first line of a proof has no rule"),
        ((Line(a), Line(a + b)), "every line after the first needs a rule: a + b"),
        (
            (Line(a), Line(a, Rule("magic"))),
            "Rule(name='magic', unfolds=False, differentiates=False) is no rule; there are finite sums,"
            " definition, derivative, chain rule",
        ),
        (
            (Line(a), Line(a, SUMS)),
            "nothing to prove: SymPy simplifies both lines to the same expression: a",
        ),
        (
            (Line(a + b), Line((a**2 - b**2) / (a - b), SUMS), Line(a, SUMS)),
            "not proved by finite sums:\n    (a^2 - b^2)/(a - b)\n  = a",
        ),
    ],
    ids=str,
)
def test_lines_that_make_no_proof_are_refused(lines, words):
    with pytest.raises(NotProved, match=f"^{re.escape(words)}$"):
        Proof(lines, (), NONE)


def test_a_line_outside_the_language_is_refused():
    with pytest.raises(ValueError, match="i"):
        derive(x[i], (SUMS, 2 * x[i] - x[i] ** 2 / x[i]), facts=NONE)


def test_two_things_with_one_name_are_refused():
    with pytest.raises(ValueError, match="two different things are written q"):
        derive(q * Symbol("q", real=True), facts=NONE)


# --- what a proof shows ---------------------------------------------------------------------------------


def test_a_proof_is_printed_with_its_premises():
    derived = derive(c + q, (DEFINITION, q + 2 * b), (SUMS, q * (1 + 2 * b / q)), names=NAMES, facts=NONE)
    assert derived.steps() == ["  = 2·b + q   [definition ✓]", "  = q·(2·b/q + 1)   [finite sums ✓]"]
    assert str(derived).splitlines() == [
        "    c + q",
        *derived.steps(),
        "  where c = 2·b",
        "  where b = a^2",
        "  assuming q > 0",
    ]
    assert [rule for _, rule in derived.latex()] == ["", "definition", "finite sums"]
    assert derived.latex()[1][0] == "2 b + q"
    assert derived.definitions == (DOUBLE, SQUARE)
    assert derived.hypotheses == (Signed(q, ">"),)
    assert derived.assumptions == ("q > 0",)


def test_a_proof_has_plain_indices():
    loose = freshen(total(x[j], (j, N)) ** 2)
    derived = derive(loose, (SUMS, total(x[i] * x[j], (i, N), (j, N))), facts=NONE)
    assert derived.first == total(x[j], (j, N)) ** 2


@pytest.mark.parametrize(
    ("definitions", "assumptions", "lines"),
    [
        ((), (), []),
        ((), ("one", "two"), ["  assuming one; two"]),
        ((SQUARE,), (), ["  where b = a^2"]),
        ((OTHER, SQUARE), ("one",), ["  where d = a + 1", "  where b = a^2", "  assuming one"]),
    ],
)
def test_the_premises_are_the_definitions_and_then_the_assumptions(definitions, assumptions, lines):
    assert premises(definitions, assumptions) == lines


@pytest.mark.parametrize(
    ("expressions", "used"),
    [
        ([a], ()),
        ([d], (OTHER,)),
        ([c], (DOUBLE, SQUARE)),
        ([b, c], (DOUBLE, SQUARE)),
        ([s[k]], (ROW,)),
        ([total(s[j] * d, (j, N))], (OTHER, ROW)),
    ],
    ids=str,
)
def test_the_used_names_are_found_through_one_another(expressions, used):
    assert find_used_names(NAMES, expressions) == used


# --- hypotheses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parts", "names", "used", "found"),
    [
        ([a], (), (), ()),
        ([q * N], (), (), (Size(N), Signed(q, ">"))),
        ([1 / a, a], (), (), (Needs(a, "≠"),)),
        ([1 / a, log(a)], (), (), (Needs(a, ">"),)),
        ([sqrt(a), log(b)], (), (), (Needs(a, "≥"), Needs(b, ">"))),
        ([sqrt(a), Partial(b, b)], (), (), (Needs(a, ">"),)),
        ([total(x[i], (i, N))], (), (), (Size(N), Summed(i, N))),
        ([total(x[i], (i, N))], (), (InRange(i, N),), (Size(N), InRange(i, N))),
        ([total(x[i], (i, N))], (), (InRange(j, N),), (Size(N), InRange(j, N), Summed(i, N))),
        ([1 / a], (), (Needs(a, ">"),), (Needs(a, ">"),)),
        ([1 / a, 2 / a], (), (Needs(a, "≠"),), (Needs(a, "≠"),)),
        ([Partial(c, b)], NAMES, (), (Independent(b),)),
        ([Partial(c, a)], NAMES, (), ()),
        ([Partial(d * s[i], y[k])], NAMES, (), (Held(y, (a, x)),)),
    ],
    ids=str,
)
def test_the_hypotheses_of_expressions_are_listed_once(parts, names, used, found):
    assert find_assumptions(iter(parts), names, used) == found


def test_the_facts_that_a_step_uses_are_hypotheses():
    derived = derive(
        total(one_if(i, j) * x[j], (j, N)), (SUMS, x[i]), names=(), facts=Facts(ranges={i: N, k: N})
    )
    assert derived.hypotheses == (Size(N), InRange(i, N), Summed(j, N))


def test_the_lines_are_compared_numerically_too(monkeypatch):
    looked = []
    monkeypatch.setattr(interpret, "require_equal", lambda *what: looked.append(what))
    lines = (Line(c), Line(2 * a**2, DEFINITION))
    _, definitions, hypotheses = check.__wrapped__(lines, NAMES, FREE)
    assert looked == [([c, 2 * a**2], definitions, hypotheses, FREE.ranges)]
    assert (definitions, hypotheses) == ((DOUBLE, SQUARE), ())


def test_a_proof_does_not_change():
    derived = derive(a * (a + 1), (SUMS, a**2 + a), facts=NONE)
    with pytest.raises(AttributeError):
        derived.lines = (Line(Integer(0)),)
