"""Signs, the lemma log x ≤ x − 1, and exact signs of sums of logarithms."""

from fractions import Fraction

import mpmath
import pytest
from sympy import Symbol, exp

from infonce_ref.derivations.evidence.plain import given
from infonce_ref.derivations.prover.inequality import SumOfLogs, lemma, nonnegative, positive
from infonce_ref.derivations.prover.zero_test import NotProved

HERE = given("i j Σ_k < N; Σ_m < N + 1; x > 0; y z real; u[] > 0; v[] real")
BELOW = "(1 - √2)"  # a number below 0 that SymPy leaves as it is


def test_the_lemma_holds_at_numbers():
    lemma()
    with mpmath.workdps(50):
        for n in range(1, 60):
            point = mpmath.mpf(n) / 20
            gap = point - 1 - mpmath.log(point)
            assert gap > 0 or (n == 20 and gap == 0)


@pytest.mark.parametrize("what", ["x^2 + y^2", "√x x", "Σ_m u[m]"])
def test_what_is_positive_is_not_negative(what):
    assert HERE.piece(f"{what} ≥ 0")
    assert HERE.piece(f"{what} > 0")


@pytest.mark.parametrize("what", ["y^2 + z^2", f"{BELOW}^2 y^2", "1[i ≠ j] u[i]"])
def test_what_may_be_0_is_not_positive(what):
    assert HERE.piece(f"{what} ≥ 0")
    with pytest.raises(NotProved, match="> 0"):
        HERE.piece(f"{what} > 0")


@pytest.mark.parametrize(
    "what", ["y", "x - 1", "-x", "y^3", "v[i]", "Σ_k v[k]", "log x", "1/y", "x - y^2", f"y^2/{BELOW}"]
)
@pytest.mark.parametrize("sign", ["> 0", "≥ 0"])
def test_unknown_signs(what, sign):
    with pytest.raises(NotProved, match="not known"):
        HERE.piece(f"{what} {sign}")


@pytest.mark.parametrize(
    "what", [Symbol("w") ** 2, exp(Symbol("w")), exp(Symbol("w", imaginary=True)), HERE.read(f"√{BELOW}")]
)
@pytest.mark.parametrize("sign", [positive, nonnegative])
def test_what_is_not_real_has_no_sign(what, sign):
    with pytest.raises(ValueError, match=r"not declared real|not known to be"):
        sign(what)


@pytest.mark.parametrize("size", ["N - 1", "0"])
def test_a_sum_that_may_be_empty_is_not_positive(size):
    with pytest.raises(ValueError, match="may be empty"):
        given(f"Σ_k < {size}; u[] > 0").piece("Σ_k u[k] > 0")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("y log(x) ≤ y (x - 1) by y log(x)", "≥ 0"),
        ("log(y) ≤ y - 1 by log(y)", "> 0"),
        ("-log(x) ≤ 1 - x by log(x)", "not proved"),  # the lemma in reverse
        ("log(x) ≤ x - 2 by log(x)", "not proved"),
    ],
)
def test_a_wrong_use_of_the_lemma_is_refused(text, words):
    with pytest.raises(NotProved, match=words):
        HERE.piece(text)


def test_the_sign_of_logarithms_is_exact_even_below_the_precision_of_floats():
    close = SumOfLogs.of(Fraction(10**30 + 1, 10**30))
    assert (float(Fraction(10**30 + 1, 10**30)), close.sign, (-close).sign) == (1.0, 1, -1)


def test_a_sign_lists_what_it_assumes():
    share = HERE.piece("1[i ≠ j] u[j] / Σ_k 1[i ≠ k] u[k] ≥ 0")
    assert any(needed.endswith("≠ 0") for needed in share.assumptions)
    assert HERE.piece("y^2 ≥ 0").assumptions == ()
    assert HERE.piece("u[j] ≥ 0").assumptions == ("the entries of u are > 0",)
