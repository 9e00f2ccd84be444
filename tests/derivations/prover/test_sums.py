"""Expressions are read into the normal form that the data of `terms` describe, and are equal if their difference
vanishes once its denominators are cleared."""

from fractions import Fraction

import pytest
from sympy import E, Integer, Rational, Symbol, cos, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover import rules
from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Definition, Differ, one_if, total
from infonce_ref.derivations.prover.sums import NormalForm, NotProved, is_zero
from infonce_ref.derivations.prover.terms import close, monomial, polynomial

N, M, d = symbols("N M d", integer=True, positive=True)
i, j, k, f, g, m = symbols("i j k f g m", integer=True, nonnegative=True)
a, b, c = symbols("a b c", real=True)
t = Symbol("t", positive=True)
x, y, v, q = (IndexedBase(name, real=True) for name in "xyvq")
u = IndexedBase("u", positive=True)
p, r = (IndexedBase(name, integer=True) for name in "pr")
FACTS = Facts(ranges={i: N, j: N, k: N, f: d, g: d}, maps={p: (N, N), r: ((N, d), M)})


def symbol(name):
    return "symbol", name


def entry(array, *indices):
    return "entry", (array, *indices)


def product(*atoms):
    return monomial(dict.fromkeys(atoms, 1))


def sum_of(*atoms, sizes):
    """Σ of the product over the indices %0, %1, … of these sizes, as one atom."""
    return close(tuple((f"%{place}", size) for place, size in enumerate(sizes)), product(*atoms))


def power_of(terms):
    return "power", polynomial(terms)


def read(expression, names=(), facts=FACTS):
    return NormalForm(facts, names).of(expression)


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        (Integer(0), {}),
        (Rational(3, 2), {(): Fraction(3, 2)}),
        (a, {product(symbol(a)): 1}),
        (i, {product(("index", i)): 1}),
        (p[i], {product(entry(p, i)): 1}),
        (x[i], {product(entry(x, i)): 1}),
        (v[p[i], k], {product(entry(v, (p, i), k)): 1}),
        (x[r[i, f]], {product(entry(x, (r, i, f))): 1}),
        (one_if(i, j), {product(("delta", (i, j))): 1}),
        (one_if(p[i], j), {product(("delta", (j, (p, i)))): 1}),
        (Differ(i, j), {(): 1, product(("delta", (i, j))): -1}),
        (a + 2 * b + 3, {product(symbol(a)): 1, product(symbol(b)): 2, (): 3}),
        (a + b - a, {product(symbol(b)): 1}),
        (a * b * x[i], {product(symbol(a), symbol(b), entry(x, i)): 1}),
        ((a + b) * (a - b), {monomial({symbol(a): 2}): 1, monomial({symbol(b): 2}): -1}),
        (a**2 / b, {monomial({symbol(a): 2, symbol(b): -1}): 1}),
        (sqrt(t), {monomial({symbol(t): Fraction(1, 2)}): 1}),
        (E, {product(("exp", ())): 1}),
        (exp(2), {monomial({("exp", ()): 2}): 1}),
        (exp(a), {product(("exp", product(symbol(a)))): 1}),
        (exp(log(t)), {product(symbol(t)): 1}),
        (log(a), {product(("log", polynomial({product(symbol(a)): 1}))): 1}),
        (total(x[i], (i, N)), {product(sum_of(entry(x, "%0"), sizes=[N])): 1}),
        (total(a, (i, N)), {product(symbol(a), symbol(N)): 1}),
        (total(a, (i, N + M)), {product(symbol(a), symbol(N)): 1, product(symbol(a), symbol(M)): 1}),
        (total(v[i, f], (f, d), (i, N)), {product(sum_of(entry(v, "%0", "%1"), sizes=[N, d])): 1}),
        (total(v[i, f], (f, d)), {product(sum_of(entry(v, i, "%0"), sizes=[d])): 1}),
        (total(i * x[i], (i, N)), {product(sum_of(("index", "%0"), entry(x, "%0"), sizes=[N])): 1}),
        (total(m * x[m], (m, N)), {product(sum_of(("index", "%0"), entry(x, "%0"), sizes=[N])): 1}),
        (total(one_if(k, i) * x[k], (k, N)), {product(entry(x, i)): 1}),
        (total(x[i], (i, N), (i, M)), {product(sum_of(entry(x, "%0"), sizes=[N]), symbol(M)): 1}),
    ],
)
def test_an_expression_is_read_as_what_it_says(expression, terms):
    assert read(expression) == terms


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        (c, {product(symbol(a)): 2}),
        (q[j, i], {product(entry(x, j), entry(y, i)): 1}),
        (q[i, i], {product(entry(x, i), entry(y, i)): 1}),
        (q[p[k], j], {product(entry(x, (p, k)), entry(y, j)): 1}),
        (
            total(q[k, i] * c, (k, N)),
            {product(symbol(a), sum_of(entry(x, "%0"), sizes=[N]), entry(y, i)): 2},
        ),
        (b, {product(symbol(b)): 1}),
    ],
)
def test_defined_names_are_opened_at_the_indices_of_their_use(expression, terms):
    """Also if the index of the use is the one that a sum binds, or stands in the definition."""
    names = (Definition(c, 2 * a), Definition(q[i, j], x[i] * y[j]))
    assert read(expression, iter(names)) == terms


def test_a_name_that_is_not_given_stays_closed():
    assert read(q[i, j]) == {product(entry(q, i, j)): 1}


def test_a_bound_index_is_not_confused_with_a_free_one_of_its_name():
    form = NormalForm(FACTS)
    assert form.of(total(x[i] * y[j], (i, N))) == {product(sum_of(entry(x, "%0"), sizes=[N]), entry(y, j)): 1}
    assert form.of(x[i] * total(x[i], (i, N))) == {product(entry(x, i), sum_of(entry(x, "%0"), sizes=[N])): 1}


def test_an_expression_is_read_once():
    form = NormalForm(FACTS)
    assert form.of(total(x[i], (i, N))) is form.of(total(x[i], (i, N)))


def test_an_expression_outside_of_the_language_is_refused():
    with pytest.raises(ValueError, match="no rule for cos in"):
        read(cos(a))
    with pytest.raises(ValueError, match="w is not declared real"):
        read(Symbol("w"))


def test_only_an_index_or_a_map_of_one_is_an_index():
    form = NormalForm(FACTS)
    with pytest.raises(ValueError, match="i \\+ 1 is not an index; use a name or a declared map of one"):
        form.of(x[i + 1], {})


def test_a_node_without_rule_is_refused_also_inside_of_what_was_checked():
    with pytest.raises(
        ValueError, match=r"no rule for cos in cos\(a\); write it with sums, exp, log and powers"
    ):
        NormalForm(FACTS).of(1 + cos(a), {})


# --- the zero test ----------------------------------------------------------------------------------------

APART = 1 / (u[k] * (u[k] + 1)) - 1 / u[k] + 1 / (u[k] + 1)  # 0, once its denominators are cleared


@pytest.mark.parametrize(
    "zero",
    [
        a / (a + b) + b / (a + b) - 1,
        1 / (a * (a + 1)) - 1 / a + 1 / (a + 1),
        1 / (1 + 1 / (a + 1)) - (a + 1) / (a + 2),
        (a**2 - b**2) / (a - b) - a - b,
        1 / sqrt(t + 1) - sqrt(t + 1) / (t + 1),
        1 / (t * (t + 1)) ** 2 - (1 / t - 1 / (t + 1)) ** 2,
        total(APART, (k, N)),
        a * total(APART * x[k], (k, N)),
        total(v[k, f] * APART, (k, N), (f, d)),
        total(v[k, f] * APART, (f, d)),
        total(y[f], (f, d)) * total(x[k] * APART, (k, N)),
        total(x[k] * v[j, k] * APART, (k, N)),
    ],
)
def test_what_vanishes_once_its_denominators_are_cleared_is_zero(zero):
    assert is_zero(zero, FACTS)


@pytest.mark.parametrize(
    "other",
    [
        Integer(1),
        a / (a + b) + b / (a + b) - 2,
        total(APART + x[k] - y[k], (k, N)),
        # vanishes for j = k alone
        total(v[j, k] * (1 / (u[k] * (u[k] + 1)) - 1 / u[j] + 1 / (u[j] + 1)), (k, N), (j, N)),
        total(v[j, k] * (1 / (u[k] + 1) - 1 / (u[j] + 1)), (k, N), (j, N)),
        # (Σ x_k/(u_k + 1))² is no sum of squares
        total(x[k] / (u[k] + 1), (k, N)) ** 2 - total(x[k] ** 2 / (u[k] + 1) ** 2, (k, N)),
        total(x[k] / (u[k] + 1), (k, N)) * total(y[k] / (u[k] + 1), (k, N))
        - total(x[k] * y[k] / (u[k] + 1) ** 2, (k, N)),
        total(x[k], (k, N)) - total(x[k], (k, M)),
    ],
)
def test_what_does_not_vanish_is_not_zero(other):
    assert not is_zero(other, FACTS)


def test_no_facts_are_needed():
    assert is_zero(a - a)
    assert not is_zero(a)
    assert not is_zero(one_if(p[i], i))
    assert is_zero(one_if(p[i], i), Facts(derangements=(p,)))


def test_equal_sides_are_equal_and_others_are_not():
    form = NormalForm(FACTS)
    assert form.equal(a * (b + 1), a * b + a)
    assert not form.equal(a, -a)
    assert not form.equal(a, Integer(0))


def test_rules_that_go_in_circles_prove_nothing(monkeypatch):
    monkeypatch.setattr(rules, "DEEPEST", 0)
    assert not NormalForm(FACTS).equal(a * b, a * b)


def test_the_terms_are_multiplied_by_their_denominators():
    form = NormalForm(FACTS)
    sum_of_two = power_of({product(symbol(a)): 1, product(symbol(b)): 1})
    terms = {monomial({sum_of_two: -2}): 3, monomial({sum_of_two: -1, symbol(c): 1}): 1}
    # (3 + c·(a + b))/(a + b)²
    assert form.clear_denominators(terms) == {
        (): 3,
        product(symbol(a), symbol(c)): 1,
        product(symbol(b), symbol(c)): 1,
    }


def test_a_root_in_a_denominator_is_multiplied_by_a_whole_power():
    form = NormalForm(FACTS)
    root = power_of({product(symbol(t)): 1, (): 1})
    assert form.clear_denominators({monomial({root: Fraction(-1, 2)}): 1}) == {
        monomial({root: Fraction(1, 2)}): 1
    }


def test_the_denominator_with_the_highest_sum_is_cleared_first(monkeypatch):
    """Which may bring out others."""
    high = power_of({product(symbol(b)): 1, product(sum_of(entry(x, "%0"), sizes=[N])): 1})
    lows = [power_of({product(symbol(each)): 1, (): 1}) for each in (a, c)]
    form, steps = NormalForm(FACTS), []
    monkeypatch.setattr(form, "times", lambda left, right: steps.append(right) or {})
    for atoms in ([high, *lows], [*lows, high]):
        form.clear_denominators({monomial(dict.fromkeys(atoms, -1)): 1})
    assert steps == 2 * [{product(high): 1}]


def test_denominators_that_do_not_clear_in_20_steps_are_given_up(monkeypatch):
    form, steps = NormalForm(FACTS), []
    monkeypatch.setattr(form, "times", lambda left, right: steps.append(right) or left)
    with pytest.raises(NotProved, match="do not clear in 20 steps"):
        form.clear_denominators({monomial({power_of({product(symbol(a)): 1, (): 1}): -1}): 1})
    assert len(steps) == 20


def test_a_term_with_one_sum_of_a_size_is_written_as_a_sum():
    form = NormalForm(FACTS)
    over = sum_of(entry(x, "%0"), sizes=[N])
    index = form.fresh(N)
    assert form._factor_sum(product(symbol(a), over), N, index) == {product(symbol(a), entry(x, index)): 1}


def test_the_other_sums_of_a_term_stay():
    form = NormalForm(FACTS)
    over, others = sum_of(entry(v, "%0", "%1"), sizes=[N, d]), sum_of(entry(y, "%0"), sizes=[d])
    index = form.fresh(N)
    assert form._factor_sum(product(over, others), N, index) == {
        product(sum_of(entry(v, index, "%0"), sizes=[d]), others): 1
    }


@pytest.mark.parametrize(
    "factors",
    [
        {},
        {symbol(a): 1},
        {sum_of(entry(x, "%0"), sizes=[d]): 1},
        {sum_of(entry(x, "%0"), sizes=[N]): 2},
        {sum_of(entry(x, "%0"), sizes=[N]): 1, sum_of(entry(y, "%0"), sizes=[N]): 1},
        {sum_of(entry(v, "%0", "%1"), sizes=[N, N]): 1},
    ],
)
def test_a_term_with_no_sum_of_a_size_or_several_is_not_written_as_one(factors):
    form = NormalForm(FACTS)
    assert form._factor_sum(monomial(factors), N, form.fresh(N)) is None
