"""An expression that is not in the language of the prover is refused with the rule that it breaks."""

import re

import pytest
from sympy import (
    Dummy,
    E,
    Expr,
    Integer,
    KroneckerDelta,
    Pow,
    Rational,
    Sum,
    Symbol,
    Tuple,
    cos,
    exp,
    log,
    oo,
    pi,
    sqrt,
    symbols,
)
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover import language
from infonce_ref.derivations.prover.language import Facts, Language, refuse_ambiguity
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, one_if, total

N, M, d = symbols("N M d", integer=True, positive=True)
i, j, k, f, m = symbols("i j k f m", integer=True, nonnegative=True)
a, b, c = symbols("a b c", real=True)
t = Symbol("t", positive=True)
s = Symbol("s", nonnegative=True)
x, y, v = (IndexedBase(name, real=True) for name in "xyv")
p, r, o = (IndexedBase(name, integer=True) for name in "pro")
unreal, complex_one = IndexedBase("w"), Symbol("w")
FACTS = Facts(ranges={i: N, j: N, f: d}, maps={p: (N, M), r: ((N, d), N)})


def refused(message):
    return pytest.raises(ValueError, match=re.escape(message))


# --- facts ----------------------------------------------------------------------------------------------


def test_equal_facts_have_one_hash():
    one = Facts(ranges={i: N, j: M}, maps={p: (N, M)}, derangements=(p,), masks=(x,))
    other = Facts(ranges={j: M, i: N}, maps={p: (N, M)}, derangements=(p,), masks=(x,))
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize(
    "changes",
    [{"ranges": {i: M}}, {"maps": {p: (N, M)}}, {"derangements": (p,)}, {"masks": (x,)}],
)
def test_other_facts_have_another_hash(changes):
    assert hash(Facts(**{"ranges": {i: N}} | changes)) != hash(Facts(ranges={i: N}))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"ranges": {N: M}}, "facts: N has a range, but is not an index"),
        ({"ranges": {i: t}}, "a range of size t may be empty"),
        ({"ranges": {i: N - 1}}, "a range of size N - 1 may be empty"),
        ({"ranges": {i: j + 1}}, "i runs to j + 1 − 1, which is not a size − 1: it depends on an index"),
        ({"maps": {p: (N - 1, N)}}, "a range of size N - 1 may be empty"),
        ({"maps": {p: (N, N - 1)}}, "a range of size N - 1 may be empty"),
        ({"maps": {p: ((N, M - 1), N)}}, "a range of size M - 1 may be empty"),
        ({"maps": {p: (N, i + 1)}}, "p runs to i + 1 − 1, which is not a size − 1"),
        (
            {"maps": {p: ((N, M), N)}, "derangements": (p,)},
            "facts: p has several indices, so it cannot be a derangement",
        ),
        ({"maps": {x: (N, N)}}, "facts: x maps indices to indices; declare it integer=True"),
        ({"derangements": (x,)}, "facts: x maps indices to indices; declare it integer=True"),
        ({"masks": (y,)}, "facts: y is defined, so nothing can be assumed of it"),
    ],
)
def test_facts_that_cannot_hold_are_refused(facts, message):
    with refused(message):
        Language(Facts(**facts), (Definition(y[i], x[i]),))


def test_a_map_of_one_index_may_be_a_derangement():
    Language(Facts(maps={p: (N, N)}, derangements=(p,), masks=(x,)), (Definition(y[i], x[i]),)).check(y[p[i]])


# --- definitions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        (Definition(t, a), "definition of t: the name is declared > 0, and a is not known to be"),
        (Definition(t, s), "declared > 0, and s"),
        (Definition(s, a), "declared ≥ 0, and a"),
        (Definition(M, N / 2), "declared an integer, and N/2"),
        (Definition(a, complex_one), "w is not declared real"),
        (Definition(o[i], i), "definition of o[i]: a map between indices cannot be defined"),
        (Definition(a, cos(b)), "no rule for cos"),
        (Definition(v[i, j], x[i] * y[i, j]), "y has 1 indices elsewhere"),
        (Definition(x[i], total(b, (j, N - 1))), "a range of size N - 1 may be empty"),
    ],
)
def test_a_definition_outside_of_the_language_is_refused(definition, message):
    with refused(message):
        Language(FACTS, (Definition(c, total(y[j], (j, N))), definition))


@pytest.mark.parametrize(
    "definition",
    [
        Definition(t, exp(a)),
        Definition(s, a**2),
        Definition(s, t),
        Definition(M, 2 * N),
        Definition(a, log(t)),
        Definition(a, E),
        Definition(v[i, j], x[i] * y[j]),
        Definition(v[m, k], x[m] * y[k]),
    ],
)
def test_a_definition_that_keeps_the_declarations_of_its_name_is_accepted(definition):
    language = Language(FACTS, (definition,))
    assert language.names == (definition,)


def test_an_index_of_a_definition_has_no_range_of_its_own():
    """i runs to N elsewhere, and the name may be used with any index."""
    facts = Facts(ranges={i: M}, maps={p: (N, N)})
    Language(facts, (Definition(y[i], x[p[i]]),))
    with refused("p is a map of 0 … N − 1"):
        Language(facts).check(x[p[i]])


def test_an_array_has_as_many_indices_in_its_definition_as_in_its_uses():
    names = (Definition(v[i, j], x[i] * x[j]),)
    with refused("v has 2 indices elsewhere, unlike in v[i]"):
        Language(FACTS, names).check(v[i])
    with refused("x has 1 indices elsewhere, unlike in x[i, j]"):
        Language(FACTS, names).check(x[i, j])


def test_a_name_defined_twice_is_refused():
    with refused("a is defined twice"):
        Language(FACTS, (Definition(a, b), Definition(a, c)))


# --- expressions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression",
    [
        Rational(1, 2),
        a,
        E,
        i,
        N,
        x[i],
        x[m],
        x[p[i]],
        x[r[i, f]],
        x[r[r[i, f], f]],
        x[o[f]],  # the range of the map o is not declared
        p[i],
        one_if(i, p[j]),
        Differ(i, f),
        total(x[k] * v[k, f], (k, N), (f, d)),
        total(x[p[k]], (k, N)),
        total(x[i], (i, M)),
        total(x[r[k, f]], (k, N), (f, d)),
        total(a, (k, N + M)),
        Sum(x[k], (k, 0, 2)),
        a**-2 + sqrt(t) * sqrt(2),
        exp(a) * log(b),
        Partial(a**2, a),
        Partial(x[i] ** 2, x[k]),
    ],
)
def test_the_language_has(expression):
    language = Language(FACTS)
    language.check(expression)
    assert all(rank in (1, 2) for rank in language.ranks.values())


I_OF_ITS_OWN = Dummy("i", integer=True, nonnegative=True)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (cos(a), "no rule for cos in cos(a); write it with real symbols, fractions, sums"),
        (a * pi, "no rule for Pi in pi"),
        (a + oo, "no rule for Infinity in oo"),
        (2**a, "no rule for Pow in 2**a"),
        (a**N, "no rule for Pow in a**N"),
        (0.5 * a, "no rule for Float"),
        (complex_one, "w is not declared real"),
        (exp(complex_one), "w is not declared real"),
        (log(complex_one**2), "w is not declared real"),
        (unreal[i], "w is not declared real, and every rule is one of real numbers"),
        (Dummy("a", real=True), "_a is a Dummy that no sum binds"),
        (x[I_OF_ITS_OWN], "_i is a Dummy that no sum binds"),
        (x[N], "N is not an index; an index is a symbol that is declared integer=True, nonnegative=True"),
        (x[i + 1], "i + 1 is not an index"),
        (x[x[i]], "x[i] is not an index"),
        (one_if(a, i), "a is not an index"),
        (Differ(i, N), "N is not an index"),
        (x[p[N]], "N is not an index"),
        (KroneckerDelta(i, j, (0, 5)), "has a range of its own"),
        (x[i] + x[i, j], "indices elsewhere"),
        (x[p[i]] + x[p[i, j]], "p has 1 indices elsewhere, unlike in p[i, j]"),
        (x[p[f]], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (p[f], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (x[r[f, i]], "r is a map of 0 … N − 1, but in r[f, i] its argument runs to d − 1"),
        (x[r[i, j]], "r is a map of 0 … d − 1, but in r[i, j] its argument runs to N − 1"),
        (x[r[p[i], f]], "r is a map of 0 … N − 1, but in r[p[i], f] its argument runs to M − 1"),
        (x[r[i]], "r is a map of 2 indices, unlike in r[i]"),
        (x[o[p[f]]], "p is a map of 0 … N − 1, but in p[f] its argument runs to d − 1"),
        (total(x[p[k]], (k, d)), "p is a map of 0 … N − 1, but in p[k] its argument runs to d − 1"),
        (Expr.__new__(Sum, x[k], Tuple(k)), "k has no range; let it run from 0 to a size − 1"),
        (total(a, (N, M)), "N is not an index, so no sum may run over it"),
        (Sum(x[k], (k, 1, N)), "k runs from 1 to N; let it run from 0"),
        (Sum(x[k], (k, 0, N - 2)), "a range of size N - 1 may be empty"),
        (Sum(x[k], (k, 0, i)), "k runs to i + 1 − 1, which is not a size − 1: it depends on an index"),
        (Sum(x[k], (k, 0, p[i])), "it depends on an index"),
        (total(cos(a), (k, N)), "no rule for cos"),
        (cos(a) ** 2, "no rule for cos"),
        (Pow(a, 0, evaluate=False), "is a power of 0, or to the 0"),
        (Pow(Integer(0), 2, evaluate=False), "is a power of 0, or to the 0"),
        (Pow(Integer(-2), Rational(1, 3)), "is a root of a number that is not known to be > 0"),
        (sqrt(1 - sqrt(2)), "is a root of a number that is not known to be > 0"),
        (Partial(a, a + b), "a + b is not a variable"),
        (Partial(a, i), "i is an index or a size, where it cannot vary"),
        (Partial(cos(a), a), "no rule for cos"),
        (Partial(a, complex_one), "w is not declared real"),
    ],
)
def test_the_language_has_not(expression, message):
    with refused(message):
        Language(FACTS).check(expression)


def test_every_expression_is_checked():
    with refused("no rule for cos"):
        Language(FACTS).check(a, b, cos(a))


def test_a_sum_does_not_run_over_a_defined_name():
    names = (Definition(t, exp(a)),)
    with refused("t is a defined name, so no sum may run over it; rename one of the two"):
        Language(FACTS, names).check(Sum(t, (t, 0, N - 1)))


def test_a_dummy_that_a_sum_binds_is_an_index():
    Language(FACTS).check(total(x[I_OF_ITS_OWN] * I_OF_ITS_OWN, (I_OF_ITS_OWN, N)))


def test_the_range_of_an_inner_sum_holds_within_it_alone():
    Language(FACTS).check(total(x[p[k]] * total(x[k], (k, d)), (k, N)))
    with refused("its argument runs to d − 1"):
        Language(FACTS).check(total(total(x[p[k]], (k, d)), (k, N)))
    with refused("its argument runs to d − 1"):
        Language(FACTS).check(Sum(x[p[k]], (k, 0, d - 1), (k, 0, N - 1)))


# --- names that may be mistaken -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expressions", "message"),
    [
        ([a + Symbol("a", positive=True)], "two different things are written a"),
        ([a, Symbol("a", positive=True)], "two different things are written a"),
        (
            [a, x[i] * Symbol("a", integer=True, positive=True)],
            "a symbol (real) and a symbol (integer, positive, nonnegative, real); give one of them another name",
        ),
        ([Symbol("x", real=True) + x[i]], "an array (real)"),
        ([Symbol("i", real=True), x[i]], "an index (integer, nonnegative, real)"),
        ([Symbol("w"), unreal[i]], "a symbol (no assumptions) and an array (no assumptions)"),
        ([E + Symbol("E", real=True)], "are written E: the number e and a symbol (real)"),
        ([Symbol("ℒ", real=True) * Symbol("𝓛", real=True)], "two different things are written <font>L"),
        ([Symbol("a″", real=True) * Symbol("a′′", real=True)], "two different things are written a′′"),
        ([total(x[k], (k, N)) + total(x[k], (k, M))], "k runs to "),
        (
            [total(x[k], (k, N)), total(x[k], (k, M))],
            "k runs to N − 1 and to M − 1; give one of them another",
        ),
        ([total(x[i], (i, M))], "i runs to N − 1 and to M − 1"),
        ([Sum(x[k], (k, 0, N - 1), (k, 0, N - 1))], "binds an index twice"),
        ([exp(a * Sum(x[k], (k, 0, N - 1), (k, 0, N - 1)))], "binds an index twice"),
    ],
)
def test_two_things_that_would_be_printed_alike_are_refused(expressions, message):
    with refused(message):
        refuse_ambiguity(iter(expressions), iter([(i, N)]))


def test_the_sizes_of_free_indices_are_names_too():
    with refused("two different things are written N"):
        refuse_ambiguity([Symbol("N", real=True)], [(i, N)])
    with refused("i runs to N − 1 and to M − 1"):
        refuse_ambiguity([a], [(i, N), (i, M)])


def test_names_that_the_page_writes_alike_are_refused(monkeypatch):
    monkeypatch.setattr(language, "LETTERS", {"a": r"\alpha", "x": r"\alpha"})
    refuse_ambiguity([a + b])
    with refused(r"two different things are written \alpha"):
        refuse_ambiguity([a * x[i]])


@pytest.mark.parametrize(
    "expressions",
    [
        [a + b, a * x[i], x[j] * exp(1)],
        [total(x[k], (k, N)) ** 2, total(y[k], (k, N))],
        [total(v[k, i], (k, N)), total(x[f], (f, M))],
        [Sum(v[i, k], (k, 0, N - 1), (i, 0, N - 1))],
        [Symbol("a′", real=True) * Symbol("a″", real=True) * a],
        [Symbol("ℒ", real=True) * Symbol("L", real=True)],
    ],
)
def test_names_that_differ_are_accepted(expressions):
    refuse_ambiguity(expressions, [(i, N)])


@pytest.mark.parametrize(
    "name", ["a", "Ab_9", "λ", "Ω", "a′", "ẑ", "h̄", "xᵢ", "x²", "x₁", "‖w‖", "t°", "𝓛", "b⁺"]
)
def test_a_name_of_plain_letters_and_marks_is_accepted(name):
    refuse_ambiguity([Symbol(name, real=True)])


@pytest.mark.parametrize("name", ["Α", "а", "ο", "a b", "a-b", "a·b", "x[i]", "Ａ", "½", "a\u200b"])
def test_a_name_with_letters_that_may_be_mistaken_is_refused(name):
    with refused(f"names: {name!r} holds"):
        refuse_ambiguity([Symbol(name, real=True)])
