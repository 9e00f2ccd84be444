"""Signs, the lemma log x ≤ x − 1, and exact signs of sums of logarithms."""

from fractions import Fraction

import mpmath
import pytest
from sympy import IndexedBase, Integer, Rational, Symbol, exp, log, sqrt

from infonce_ref.derivations.prover.inequality import (
    LemmaUse,
    SumOfLogs,
    bound,
    lemma,
    nonnegative,
    positive,
)
from infonce_ref.derivations.prover.notation import Differ, sum_over
from infonce_ref.derivations.prover.zero_test import Facts, NotProved

N = Symbol("N", integer=True, positive=True)
i, j = (Symbol(name, integer=True, nonnegative=True) for name in "ij")
x, y, z = Symbol("x", positive=True), Symbol("y", real=True), Symbol("z", real=True)
u, v = IndexedBase("u", positive=True), IndexedBase("v", real=True)
BELOW = 1 - sqrt(2)  # a number below 0 that SymPy leaves as it is


def test_the_lemma_holds_at_numbers():
    lemma()
    with mpmath.workdps(50):
        for n in range(1, 60):
            point = mpmath.mpf(n) / 20
            gap = point - 1 - mpmath.log(point)
            assert gap > 0 or (n == 20 and gap == 0)


@pytest.mark.parametrize(
    ("what", "strictly"),
    [
        (x**2 + y**2, True),
        (x ** Rational(1, 2) * x, True),
        (sum_over(u[i], (i, N + 1)), True),
        (y**2 + z**2, False),
        (BELOW**2 * y**2, False),
        (Differ(i, j) * u[i], False),
    ],
    ids=str,
)
def test_known_signs(what, strictly):
    assert nonnegative(what)
    if strictly:
        assert positive(what)
    else:
        with pytest.raises(NotProved, match="> 0"):
            positive(what)


@pytest.mark.parametrize(
    "what",
    [y, x - 1, -x, y**3, v[i], sum_over(v[i], (i, N)), log(x), y * y * y, 1 / y, x - y**2, y**2 / BELOW],
    ids=str,
)
def test_unknown_signs(what):
    for sign in (positive, nonnegative):
        with pytest.raises(NotProved, match="not known"):
            sign(what)


@pytest.mark.parametrize(
    "what", [Symbol("w") ** 2, exp(Symbol("w")), exp(Symbol("w", imaginary=True)), sqrt(BELOW)]
)
def test_what_is_not_real_has_no_sign(what):
    for sign in (positive, nonnegative):
        with pytest.raises(ValueError, match=r"not declared real|not known to be"):
            sign(what)


@pytest.mark.parametrize("size", [N - 1, Integer(0)])
def test_a_sum_that_may_be_empty_is_not_positive(size):
    with pytest.raises(ValueError, match="may be empty"):
        positive(sum_over(u[i], (i, size)))


@pytest.mark.parametrize(
    ("first", "use", "last", "words"),
    [
        (y * log(x), LemmaUse(y, x), y * (x - 1), "≥ 0"),
        (log(y), LemmaUse(Integer(1), y), y - 1, "> 0"),
        (-log(x), LemmaUse(Integer(1), x), 1 - x, "not proved"),  # the lemma in reverse
        (log(x), LemmaUse(Integer(1), x), x - 2, "not proved"),
    ],
)
def test_a_wrong_use_of_the_lemma_is_refused(first, use, last, words):
    with pytest.raises(NotProved, match=words):
        bound(first, use, last=last, facts=Facts())


def test_the_sign_of_logarithms_is_exact_even_below_the_precision_of_floats():
    close = SumOfLogs.of(Fraction(10**30 + 1, 10**30))
    assert (float(Fraction(10**30 + 1, 10**30)), close.sign, (-close).sign) == (1.0, 1, -1)


def test_a_sign_lists_what_it_assumes():
    share = Differ(i, j) * u[j] / sum_over(Differ(i, j) * u[j], (j, N))
    assert any(needed.endswith("≠ 0") for needed in nonnegative(share).assumptions)
    assert nonnegative(y**2).assumptions == ()
    assert nonnegative(u[j]).assumptions == ("the entries of u are > 0",)
