"""The normal form keeps the value: random nested sums against an interpreter that shares nothing with it."""

import itertools
import random
from fractions import Fraction

import pytest
from sympy import Integer, KroneckerDelta, Rational, Sum, Symbol, exp, log, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.evaluate import Functions, evaluator
from infonce_ref.derivations.prover.notation import Differ
from infonce_ref.derivations.prover.sums import Facts, NormalForm, is_zero

N, d = Symbol("N", integer=True, positive=True), Symbol("d", integer=True, positive=True)
ROWS, FEATURES = (
    symbols("i j k", integer=True, nonnegative=True),
    symbols("f g", integer=True, nonnegative=True),
)
x, t = symbols("x t", positive=True)
u, v, q, mask = (IndexedBase(name, real=True) for name in ("u", "v", "q", "mask"))
p = IndexedBase("p", integer=True)
i, j, k = ROWS
f, g = FEATURES


def power_of_two(exponent):
    """exp of the exact arithmetic: 2ⁿ obeys exp(a + b) = exp a · exp b."""
    assert exponent == int(exponent)
    return Fraction(2) ** int(exponent)


def whole_log_two(number):
    number = Fraction(number)
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    assert Fraction(2) ** exponent == number
    return exponent


def no_root(number):
    raise AssertionError("no roots in exact fractions")


EXACT = Functions(power_of_two, whole_log_two, no_root)


class Sums:
    """Random expressions worth fractions: whole numbers under exp, positive ones under a fraction bar."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def index(self, pool, deep=True):
        if pool is ROWS and deep and self.random.random() < 0.15:
            return p[self.index(pool, deep=False)]
        return self.random.choice(pool)

    def row(self):
        return self.index(ROWS)

    def leaf(self, positive):
        kinds = [
            lambda: Integer(self.random.randint(1, 3)),
            lambda: self.random.choice((x, t)),
            lambda: u[self.row()],
            lambda: v[self.row(), self.row()],
            lambda: q[self.row(), self.index(FEATURES)],
        ]
        if not positive:
            kinds += [
                lambda: Integer(self.random.randint(-2, -1)),
                lambda: mask[self.row(), self.row()] ** self.random.randint(1, 2),
                lambda: KroneckerDelta(self.row(), self.row()),
                lambda: KroneckerDelta(self.row(), self.index(FEATURES)),
                lambda: Differ(self.row(), self.row()),
            ] * 2
        return self.random.choice(kinds)()

    def whole(self, depth, positive=False):
        """Made of sums and products alone."""
        if depth == 0:
            return self.leaf(positive)
        return self.join(depth, lambda: self.whole(depth - 1, positive))

    def join(self, depth, part):
        kind = self.random.random()
        if kind < 0.2:
            return part() + part()
        if kind < 0.45:
            return part() * part()
        if kind < 0.5:
            return part() ** 2
        return self.total(part())

    def total(self, body):
        pool, size = self.random.choice(((ROWS, N), (ROWS, N), (FEATURES, d)))
        return Sum(body, (self.random.choice(pool), 0, size - 1))  # often a name that is bound already

    def any(self, depth):
        """Made of everything: exp, log of exp, positive denominators."""
        if depth == 0:
            return self.leaf(positive=False)
        kind = self.random.random()
        if kind < 0.15:
            return exp(self.whole(1))
        if kind < 0.2:
            return log(exp(self.whole(1)) / exp(self.whole(1)))
        if kind < 0.35:
            denominator = self.total(exp(self.whole(1)) * self.whole(0, positive=True))
            if self.random.random() < 0.3:
                denominator = denominator + self.whole(1, positive=True)
            return self.any(depth - 1) / denominator
        if kind < 0.45:
            s = self.total(exp(self.whole(1)))
            return s / (s + Rational(1, self.random.randint(1, 3)))
        return self.join(depth, lambda: self.any(depth - 1))


def environment(size, seed, derangement):
    r = random.Random(seed)
    rows, features = range(size), range(2)
    shifts = [row + 1 for row in rows] if derangement else [r.randint(0, size - 1) for _ in rows]
    return {
        N: size,
        d: 2,
        x: 2,
        t: 3,
        u: [r.randint(1, 2) for _ in rows],
        v: [[r.randint(1, 2) for _ in rows] for _ in rows],
        q: [[r.randint(1, 2) for _ in features] for _ in rows],
        mask: [[r.randint(0, 1) for _ in rows] for _ in rows],
        p: [shift % size for shift in shifts],
    }


def value_of_terms(terms, at, numbers):
    """What a normal form is worth: straight from its definition in `terms`."""

    def index(one):
        return numbers[one[0]][index(one[1])] if isinstance(one, tuple) else at[one]

    def atom(kind, content):
        match kind:
            case "symbol":
                return numbers[content]
            case "index":
                return index(content)
            case "entry":
                entry = numbers[content[0]]
                for one in content[1:]:
                    entry = entry[index(one)]
                return entry
            case "delta":
                return int(index(content[0]) == index(content[1]))
            case "exp":
                return power_of_two(value_of_terms({content: 1}, at, numbers))
            case "log":
                return whole_log_two(value_of_terms(dict(content), at, numbers))
            case "power":
                return value_of_terms(dict(content), at, numbers)
        over, body = content
        names = [name for name, _ in over]
        ranges = [range(numbers[size]) for _, size in over]
        return sum(
            value_of_terms({body: 1}, at | dict(zip(names, place)), numbers)
            for place in itertools.product(*ranges)
        )

    total = Fraction(0)
    for monomial, coefficient in terms.items():
        term = Fraction(coefficient)
        for (kind, content), exponent in monomial:
            assert exponent == int(exponent)
            term *= Fraction(atom(kind, content)) ** int(exponent)
            if term == 0:  # a δ, which stands first: what follows may have no meaning where it is 0
                break
        total += term
    return total


@pytest.mark.parametrize("batch", range(10))
def test_the_normal_form_of_100_random_sums_keeps_their_value(batch):
    for seed in range(100 * batch, 100 * batch + 100):
        derangement = seed % 2 == 0
        expression = Sums(seed).any(4)
        ranges = dict.fromkeys(ROWS, N) | dict.fromkeys(FEATURES, d)
        facts = Facts(ranges, {p: (N, N)}, (p,) if derangement else (), (mask,))
        terms = NormalForm(facts).of(expression)
        for size in (2, 3):
            numbers = environment(size, seed, derangement)
            at = dict.fromkeys(ROWS, seed % size) | dict.fromkeys(FEATURES, seed % 2)
            expected = evaluator(expression, numbers, EXACT)(at)[0]
            got = value_of_terms(terms, at, numbers)
            assert got == expected, f"seed {seed}, N = {size}: {expression}"


def equal(left, right, **facts):
    ranges = dict.fromkeys(ROWS, N) | dict.fromkeys(FEATURES, d)
    return is_zero(left - right, Facts(ranges, **facts))


def over(body, *names):
    return Sum(body, *((name, 0, (d if name in FEATURES else N) - 1) for name in names))


def test_r1_constants_come_out_of_sums():
    assert equal(over(x * u[i] + t, i), x * over(u[i], i) + t * N)


def test_r2_a_product_of_sums_is_a_double_sum():
    assert equal(over(u[i], i) * over(u[i], i), over(u[i] * u[j], i, j))


def test_r3_the_order_of_sums_does_not_matter():
    assert equal(over(over(v[i, j] * q[i, f], i, j), f), over(over(v[k, i] * q[k, g], g), k, i))


def test_r4_a_delta_selects_its_term():
    assert equal(over(KroneckerDelta(i, p[j]) * u[i], i), u[p[j]], maps={p: (N, N)})


def test_r4_a_delta_between_different_ranges_selects_nothing():
    assert not equal(Sum(KroneckerDelta(f, j) * u[f], (f, 0, d - 1)), u[j])


def test_r4_a_map_without_declared_range_selects_nothing():
    assert not equal(over(KroneckerDelta(i, p[j]) * u[i], i), u[p[j]])


def test_r5_a_power_of_a_mask_is_the_mask_only_where_declared():
    assert equal(mask[i, j] ** 3, mask[i, j], masks=(mask,))
    assert not equal(mask[i, j] ** 3, mask[i, j])


def test_r5_a_fixed_point_is_excluded_only_where_declared():
    assert equal(KroneckerDelta(i, p[i]), Integer(0), derangements=(p,))
    assert not equal(KroneckerDelta(i, p[i]), Integer(0))


def test_r7_the_exp_of_a_sum_is_the_product_of_the_exp():
    assert equal(exp(over(q[i, f] + 1, f)), exp(over(q[i, f], f)) * exp(d))


def test_r8_a_sum_cancels_its_inverse_inside_another_sum():
    softmax = exp(v[i, j]) / over(exp(v[i, k]), k)
    assert equal(over(u[i] * over(softmax, j), i), over(u[i], i))


def test_r8_roots_multiply_to_what_is_under_them():
    length = over(q[i, f] ** 2, f) ** Rational(1, 2)
    assert equal(over((q[i, f] / length) ** 2, f), Integer(1))


def test_denominators_clear_across_one_another():
    assert equal(1 / (x * (x + 1)), 1 / x - 1 / (x + 1))
