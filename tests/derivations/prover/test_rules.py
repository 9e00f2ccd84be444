"""Each rule of finite sums is applied where it holds and not elsewhere, and the facts that it used are recorded."""

from fractions import Fraction

import pytest
from sympy import Integer, Rational, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.hypotheses import Deranged, InRange, Into, Mask
from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Differ, one_if, total
from infonce_ref.derivations.prover.rules import Rules, is_positive
from infonce_ref.derivations.prover.sums import NormalForm
from infonce_ref.derivations.prover.terms import close, monomial, polynomial

N, M, d = symbols("N M d", integer=True, positive=True)
i, j, k, f, m, h = symbols("i j k f m h", integer=True, nonnegative=True)
a, b, c = symbols("a b c", real=True)
s, t = symbols("s t", positive=True)
x, y, v, mask = (IndexedBase(name, real=True) for name in ("x", "y", "v", "mask"))
u, w = (IndexedBase(name, positive=True) for name in "uw")
p, r, shift = (IndexedBase(name, integer=True) for name in ("p", "r", "shift"))
RANGES = {i: N, j: N, f: d, m: M}
FACTS = Facts(
    ranges=RANGES, maps={p: (N, N), r: ((N, d), M), shift: (N, N)}, derangements=(shift,), masks=(mask,)
)
A, B, S, T = (("symbol", symbol) for symbol in (a, b, s, t))


def entry(array, *indices):
    return "entry", (array, *indices)


def product(*atoms):
    return monomial(dict.fromkeys(atoms, 1))


def log_of(*atoms):
    return "log", polynomial({product(*atoms): 1})


def power_of(terms):
    return "power", polynomial(terms)


def sum_of(*atoms, size=N):
    return close((("%0", size),), product(*atoms))


A_PLUS_B = power_of({product(A): 1, product(B): 1})
SUM = sum_of(entry(u, "%0"))


def read(expression):
    return NormalForm(FACTS).of(expression)


def same(left, right):
    """Whether both have one normal form, without a multiplication by denominators."""
    form = NormalForm(FACTS)
    return form.of(left) == form.of(right)


def used(expression):
    form = NormalForm(FACTS)
    form.of(expression)
    return set(form.used)


@pytest.mark.parametrize(
    ("atom", "positive"),
    [
        (("exp", product(A)), True),
        (T, True),
        (A, False),
        (("index", i), False),
        (entry(u, i), True),
        (entry(x, i), False),
        (("delta", (i, j)), False),
        (SUM, True),
        (sum_of(entry(u, "%0"), entry(x, "%0")), False),
        (sum_of(entry(u, "%0"), entry(w, "%0")), True),
        (power_of({product(T): 1, (): 2}), True),
        (power_of({product(T): 1, (): -2}), False),
        (power_of({product(T): 1, product(A): 1}), False),
        (log_of(T), False),
    ],
)
def test_an_atom_is_positive_only_if_its_parts_say_so(atom, positive):
    assert is_positive(atom) is positive


def test_each_fresh_name_is_another_and_keeps_its_range():
    rules = Rules(FACTS)
    first, second = rules.fresh(N), rules.fresh(M)
    assert first != second
    assert (rules.range[first], rules.range[second]) == (N, M)


def test_products_may_be_nested_in_39_others():
    rules = Rules(FACTS)
    rules.depth = 39
    assert rules.product({A: 1}) == {product(A): 1}
    assert rules.depth == 39
    rules.depth = 40
    with pytest.raises(RecursionError, match="nested in 40 others"):
        rules.product({A: 1})


def test_after_an_error_a_product_is_no_longer_counted():
    rules = Rules(FACTS)
    with pytest.raises(ValueError, match="may not be 0"):
        rules.product({("delta", (i, j)): -1})
    assert rules.depth == 0


# --- R4 and R5: deltas, masks and derangements ---------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (one_if(i, j) * x[j], one_if(i, j) * x[i]),
        (one_if(i, p[j]) * x[p[j]], one_if(i, p[j]) * x[i]),
        (one_if(i, j) * exp(x[j]) * log(u[j]), one_if(i, j) * exp(x[i]) * log(u[i])),
        (one_if(i, j) / (x[j] + 1), one_if(i, j) / (x[i] + 1)),
        (one_if(i, j) * one_if(j, p[i]), one_if(i, j) * one_if(i, p[i])),
        (one_if(i, j) * j, one_if(i, j) * i),
        (one_if(i, j) * total(v[j, k] * x[k], (k, N)), one_if(i, j) * total(v[i, k] * x[k], (k, N))),
        (one_if(i, j) * v[j, j] ** 2, one_if(i, j) * v[i, i] ** 2),
        (one_if(i, j) * (x[i] - x[j]), Integer(0)),
        (one_if(i, j) ** 3, one_if(i, j)),
        (mask[i, j] ** 3, mask[i, j]),
        (mask[i, j] ** 2 * a, mask[i, j] * a),
        (Differ(i, j) ** 2, 1 - one_if(i, j)),
        (one_if(i, shift[i]), Integer(0)),
        (one_if(shift[p[i]], p[i]), Integer(0)),
        (total(one_if(k, i) * x[k], (k, N)), x[i]),
        (total(one_if(k, p[i]) * x[k] * a, (k, N)), x[p[i]] * a),
        (total(one_if(k, r[i, f]) * x[k], (k, M)), x[r[i, f]]),
        (total(one_if(k, r[p[i], f]) * x[k], (k, M)), x[r[p[i], f]]),
        (total(one_if(k, i) * mask[k, j] ** 2, (k, N)), mask[i, j]),
    ],
)
def test_deltas_and_masks_are_used(left, right):
    assert same(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (one_if(i, j) * x[j], x[i]),
        (x[i] ** 2, x[i]),
        (one_if(i, p[i]), Integer(0)),
        (one_if(i, shift[j]), Integer(0)),
        (total(one_if(k, m) * x[k], (k, N)), x[m]),  # m may be larger than N
        (total(one_if(k, r[i, f]) * x[k], (k, N)), x[r[i, f]]),
        (total(one_if(k, p[h]) * x[k], (k, N)), x[p[h]]),  # no range of h is known
    ],
)
def test_deltas_and_masks_are_not_used_where_nothing_is_known(left, right):
    assert not same(left, right)


@pytest.mark.parametrize(
    ("expression", "what"),
    [
        (1 / one_if(i, j), r"1\[x = y\]"),
        (one_if(i, j) ** Rational(-1, 2), r"1\[x = y\]"),
        (1 / mask[i, j], "an entry of mask"),
        (a / mask[i, j] ** 2, "an entry of mask"),
    ],
)
def test_a_denominator_that_may_be_0_is_refused(expression, what):
    with pytest.raises(
        ValueError, match=f"sums: {what} is 0 for some indices, and a denominator may not be 0"
    ):
        read(expression)


@pytest.mark.parametrize(
    ("expression", "facts"),
    [
        (x[i] * x[j], set()),
        (mask[i, j] ** 2, {Mask(mask)}),
        (one_if(i, shift[i]), {Deranged(shift)}),
        (one_if(i, j) * x[j], set()),
        (total(one_if(k, i) * x[k], (k, N)), {InRange(i, N)}),
        (total(one_if(k, p[i]) * x[k], (k, N)), {InRange(i, N), Into(p, N, N)}),
        (
            total(one_if(k, r[p[i], f]) * x[k], (k, M)),
            {InRange(i, N), InRange(f, d), Into(p, N, N), Into(r, (N, d), M)},
        ),
        (total(one_if(k, p[j]) * x[k] * y[j], (k, N), (j, N)), {Into(p, N, N)}),
        (total(one_if(k, m) * x[k], (k, N)), set()),
    ],
)
def test_the_facts_that_were_used_are_recorded(expression, facts):
    assert used(expression) == facts


def test_a_delta_is_between_sorted_indices_and_1_between_equal_ones():
    rules = Rules(FACTS)
    assert rules.delta(i, i) == {(): 1}
    assert rules.delta((p, i), (p, i)) == {(): 1}
    assert rules.delta((p, j), i) == rules.delta(i, (p, j)) == {product(("delta", (i, (p, j)))): 1}
    assert rules.delta("%1", j) == {product(("delta", (j, "%1"))): 1}
    assert rules.delta((shift, i), i) == rules.delta(i, (shift, i)) == {}


# --- R1, R2, R3, R6: sums ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        (total(3 * a * u[k], (k, N)), {product(A, SUM): 3}),
        (total(u[k] + a, (k, N)), {product(SUM): 1, product(A, ("symbol", N)): 1}),
        (total(Integer(1), (k, N)), {product(("symbol", N)): 1}),
        (total(Integer(5), (k, N), (f, d)), {product(("symbol", N), ("symbol", d)): 5}),
        (total(u[k] * x[f], (k, N), (f, d)), {product(SUM, sum_of(entry(x, "%0"), size=d)): 1}),
        (total(u[k], (k, N)) ** 2, {monomial({SUM: 2}): 1}),
    ],
)
def test_a_sum_splits_into_those_that_share_no_index(expression, terms):
    assert read(expression) == terms


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            total(y[i] * total(v[i, j], (j, N)) ** 2, (i, N)),
            total(y[i] * v[i, j] * v[i, k], (i, N), (j, N), (k, N)),
        ),
        (total(v[i, j] * v[j, i], (i, N), (j, N)), total(v[j, i] * v[i, j], (j, N), (i, N))),
        (total(exp(v[i, j]) / total(exp(v[i, k]), (k, N)), (j, N)), Integer(1)),
        (
            total(y[i] * exp(v[i, j]) / total(exp(v[i, k]), (k, N)), (i, N), (j, N)),
            total(y[i], (i, N)),
        ),
        (
            total(y[i] * v[i, j] / (u[i] + t), (i, N), (j, N)),
            total(y[i] / (u[i] + t) * total(v[i, j], (j, N)), (i, N)),
        ),
        (total(x[i] * v[i, j] / u[i], (i, N), (j, N)), total(x[i] / u[i] * total(v[i, j], (j, N)), (i, N))),
    ],
)
def test_nested_sums_are_one_sum(left, right):
    assert same(left, right)


# --- R7: exp and log ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        (exp(a + 2 * b), {monomial({("exp", product(A)): 1, ("exp", product(B)): 2}): 1}),
        (exp(2 * log(t)), {monomial({T: 2}): 1}),
        (exp(log(t) / 2), {monomial({T: Fraction(1, 2)}): 1}),
        (exp(-log(u[i]) + a), {monomial({entry(u, i): -1, ("exp", product(A)): 1}): 1}),
        (exp(log(a)), {product(A): 1}),
        (exp(log(t) ** 2), {product(("exp", ((log_of(T), 2),))): 1}),
        (exp(a * log(t)), {product(("exp", product(A, log_of(T)))): 1}),
        (log(exp(a)), {product(A): 1}),
        (log(exp(a) ** 2 * t), {product(A): 2, product(log_of(T)): 1}),
        (log(s * t), {product(log_of(S)): 1, product(log_of(T)): 1}),
        (log(s / t**2), {product(log_of(S)): 1, product(log_of(T)): -2}),
        (log(a * t), {product(log_of(A)): 1, product(log_of(T)): 1}),
        (log(a**3), {product(log_of(A)): 3}),
        (log(1 / a), {product(log_of(A)): -1}),
        (log(sqrt(a)), {product(log_of(A)): Fraction(1, 2)}),
        (log(a**2), {product(("log", polynomial({monomial({A: 2}): 1}))): 1}),
        (
            log(a**2 * t),
            {product(("log", polynomial({monomial({A: 2}): 1}))): 1, product(log_of(T)): 1},
        ),
        (log(a * b), {product(("log", polynomial({product(A, B): 1}))): 1}),
        (log(-a), {product(("log", polynomial({product(A): -1}))): 1}),
        (log(-a * t), {product(("log", polynomial({product(A): -1}))): 1, product(log_of(T)): 1}),
        (
            log(2 * t),
            {product(log_of(T)): 1, product(("log", polynomial({(): 2}))): 1},
        ),
        (
            log(a * t + b * t),
            {product(("log", polynomial({product(A): 1, product(B): 1}))): 1, product(log_of(T)): 1},
        ),
        (
            log(1 / (s + t)),
            {product(("log", polynomial({product(S): 1, product(T): 1}))): -1},
        ),
        (log(total(u[k], (k, N)) * a), {product(log_of(SUM)): 1, product(log_of(A)): 1}),
    ],
)
def test_exp_and_log_are_split_as_far_as_the_signs_allow(expression, terms):
    assert read(expression) == terms


def test_the_log_of_1_is_0():
    rules = Rules(FACTS)
    assert rules.log({(): 1}) == {}
    assert rules.exp({}) == {(): 1}


# --- R8: powers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "terms"),
    [
        ((a + b) ** 2, {monomial({A: 2}): 1, product(A, B): 2, monomial({B: 2}): 1}),
        (1 / (a + b), {monomial({A_PLUS_B: -1}): 1}),
        (1 / (2 * a + 2 * b), {monomial({A_PLUS_B: -1}): Fraction(1, 2)}),
        (1 / (2 * a + 2 * b) ** 2, {monomial({A_PLUS_B: -2}): Fraction(1, 4)}),
        (1 / (a * t + b * t), {monomial({A_PLUS_B: -1, T: -1}): 1}),
        (
            sqrt(a + b) ** 3,
            {monomial({A_PLUS_B: Fraction(1, 2), A: 1}): 1, monomial({A_PLUS_B: Fraction(1, 2), B: 1}): 1},
        ),
        (sqrt(a + b) * sqrt(a + b), {product(A): 1, product(B): 1}),
        (sqrt(t), {monomial({T: Fraction(1, 2)}): 1}),
        (sqrt(a * t), {monomial({T: Fraction(1, 2), power_of({product(A): 1}): Fraction(1, 2)}): 1}),
        (sqrt(2 * a + 2 * b), {monomial({power_of({product(A): 2, product(B): 2}): Fraction(1, 2)}): 1}),
        (1 / total(u[k], (k, N)), {monomial({power_of({product(SUM): 1}): -1}): 1}),
        (total(u[k], (k, N)) / total(u[k], (k, N)), {(): 1}),
        (b / (a + b), {(): 1, monomial({A: 1, A_PLUS_B: -1}): -1}),
        (b**2 / (a + b), {product(B): 1, product(A): -1, monomial({A: 2, A_PLUS_B: -1}): 1}),
        (a / (a + b), {monomial({A: 1, A_PLUS_B: -1}): 1}),
    ],
)
def test_powers_are_written_in_one_way(expression, terms):
    """Of a + b, b leads."""
    assert read(expression) == terms


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1 / (1 - b / (a + b)), (a + b) / a),
        (1 / sqrt(Integer(3) * N), sqrt(3 * N) / (3 * N)),
        (
            t * total(x[k] / (u[k] + t), (k, N)),
            total(t * x[k] / (u[k] + t), (k, N)),
        ),
        (
            a * t * total(x[k] / (u[k] * v[i, k] + t), (k, N)),
            a * total(x[k] * t / (u[k] * v[i, k] + t), (k, N)),
        ),
        (
            t * total(x[k] / (u[k] + t), (k, N)) ** 2,
            total(x[k] / (u[k] + t), (k, N)) * total(t * x[k] / (u[k] + t), (k, N)),
        ),
        ((t * u[i] + t) / (u[i] + 1), t),
    ],
)
def test_a_factor_cancels_a_denominator(left, right):
    assert same(left, right)


def test_a_power_of_0_is_refused():
    rules = Rules(FACTS)
    for exponent in (-1, Fraction(1, 2)):
        with pytest.raises(ValueError, match="a denominator or a root of an expression that is 0"):
            rules.power({}, exponent)
    assert rules.power({}, 2) == {}


def test_a_power_to_the_0_is_1():
    assert Rules(FACTS).power({product(A): 1}, 0) == {(): 1}


def test_terms_are_multiplied_and_combined():
    rules = Rules(FACTS)
    left, right = {product(A): 2, product(B): 3}, {product(A): 1, product(B): -1}
    # (2a + 3b)(a − b) = 2a² + ab − 3b²
    assert rules.times(left, right) == {monomial({A: 2}): 2, product(A, B): 1, monomial({B: 2}): -3}
