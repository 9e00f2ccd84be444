"""What the prover takes for equal, and what it does not: tables, asked through `is_zero`, and `derive` for names.

The rules R1 to R8 are asked by what they make equal, not by the normal form in which they write it.
"""

import pytest
from sympy import IndexedBase, Symbol

from infonce_ref.derivations.evidence.plain import given
from infonce_ref.derivations.prover.notation import sum_over
from infonce_ref.derivations.prover.proof import DEFINITION, derive
from infonce_ref.derivations.prover.zero_test import NotProved, is_zero
from infonce_ref.derivations.symbols import N, i

HERE = given(
    "i j Σ_k < N; f < d; m Σ_n < M; p: N → N; r: N × d → M; q: N × N → N; o: N → N; o(i) ≠ i;"
    " a b c real; s t > 0; x[] y[] z[] v[] L[] O[] real; u[] w[] > 0; O is 0 or 1"
)
APART = "(1/(u[k] (u[k] + 1)) - 1/u[k] + 1/(u[k] + 1))"  # 0, once its denominators are cleared
TERM, WHOLE = "e^v[i,m]", "(Σ_n e^v[i,n])"
SHARE, INSIDE = (
    f"({TERM}/({TERM} + {WHOLE}))",
    f"(Σ_m (1/({TERM} + {WHOLE})))",
)  # as in the estimated posterior
x, y, u = (HERE.letter(name) for name in "xyu")
OWN = [Symbol(name, integer=True, nonnegative=True) for name in ("%1", "#0.0")]  # as the prover's own
EVEN = Symbol("N", integer=True, positive=True, even=True)

EQUAL = [
    # numbers, powers
    ("(a + b) (a - b)", "a^2 - b^2"),
    ("1/(2 a + 2 b)^2", "(a + b)^-2/4"),
    ("√(a + b) (a + b)", "(a + b)^(3/2)"),
    ("√t √t", "t"),
    ("1/(1 - b/(a + b))", "(a + b)/a"),
    ("(a^2 - b^2)/(a - b)", "a + b"),
    ("1/(t (t + 1))^2", "(1/t - 1/(t + 1))^2"),
    ("2 N^(-5/3) N", "2 N^(-2/3)"),
    # exp, log
    ("e^(a + 2 b)", "e^a (e^b)^2"),
    ("e^(2 log(t))", "t^2"),
    ("e^(-log(u[i]) + a)", "e^a/u[i]"),
    ("log((e^a)^2 t)", "2 a + log(t)"),
    ("log(a t + b t)", "log(a + b) + log(t)"),
    ("log((Σ_k u[k]) a)", "log(Σ_k u[k]) + log(a)"),
    ("log(t u[i] a)", "log(t) + log(u[i]) + log(a)"),
    ("e^(Σ_f (v[i,f] + 1))", "e^(Σ_f v[i,f]) e^d"),
    # sums
    ("Σ_k (3 a u[k] + t)", "3 a (Σ_k u[k]) + t N"),
    ("(Σ_k u[k])^2", "Σ_ij u[i] u[j]"),
    ("Σ_kji v[i,j] v[j,k]", "Σ_jik v[k,i] v[j,k]"),
    ("Σ_i y[i] (Σ_j v[i,j])^2", "Σ_kji y[i] v[i,j] v[i,k]"),
    ("x[i] (Σ_i x[i])", "x[i] (Σ_j x[j])"),
    ("Σ_ij (x[i] v[i,j]/u[i])", "Σ_i ((x[i]/u[i]) (Σ_j v[i,j]))"),
    ("t (Σ_k (x[k]/(u[k] + t)))^2", "(Σ_k (x[k]/(u[k] + t))) (Σ_k (t x[k]/(u[k] + t)))"),
    (f"a (Σ_k {APART} x[k])", "0"),
    (f"1/(1 - {SHARE})", f"({TERM} + {WHOLE})/{WHOLE}"),
    (f"{WHOLE} {INSIDE}^3", f"(M - (Σ_m {SHARE})) {INSIDE}^2"),
    (f"Σ_i x[i] ((Σ_m ({SHARE}/(1 - {SHARE}))) - 1)", "0"),
    ("Σ_j (Σ_j x[j]) y[j]", "(Σ_i x[i]) (Σ_i y[i])"),
    ("Σ_ij e^x[i] e^x[j]", "(Σ_i e^x[i])^2"),
    *((sum_over(x[i] * y[own], (i, N)), y[own] * HERE.read("Σ_j x[j]")) for own in OWN),
    # deltas, maps, masks
    ("1[i = j] x[j]", "1[i = j] x[i]"),
    ("1[i = j] 1[j = p(i)]", "1[i = j] 1[i = p(i)]"),
    ("1[i = j] (Σ_k v[j,k] x[k])", "1[i = j] (Σ_k v[i,k] x[k])"),
    ("1[i ≠ j]^2", "1 - 1[j = i]"),
    ("O[i,j]^3 a", "O[i,j] a"),
    ("1[i = o(i)]", "0"),
    ("1[o(p(i)) = p(i)]", "0"),
    ("Σ_k 1[k = i] x[k]", "x[i]"),
    ("Σ_n 1[n = r(p(i),f)] x[n]", "x[r(p(i),f)]"),
    ("Σ_k 1[k = i] x[q(k,i)]", "x[q(i,i)]"),
]
UNEQUAL = [
    ("a", "-a"),
    ("x[i]^2", "x[i]"),
    ("a/(a + b)", "b/(a + b)"),
    ("log(a^2)", "2 log(a)"),
    ("log(a b)", "log(a) + log(b)"),
    ("log(-a t)", "log(a) + log(t)"),
    ("log(-a) - log(-b)", "log(a) - log(b)"),
    ("log(t a^2)", "log(t) + 2 log(a)"),
    ("log(a/(t - 2))", "log(a) - log(t - 2)"),  # t − 2 may be negative
    ("√(a b)", "√a √b"),
    ("e^(log(t)^2)", "t^2"),
    ("e^(log(t)^2)", "t"),
    ("(a + b)^(3/2)", "√(a + b)"),
    ("e^(a log(t))", "e^a t"),
    ("1[i = j] x[j]", "x[i]"),
    ("1[i = p(i)]", "0"),
    ("1[i = o(j)]", "0"),
    ("1[i ≠ j]", "1[i = j]"),
    ("Σ_k 1[k = m] x[k]", "x[m]"),  # m may be larger than N
    ("Σ_k 1[k = r(i,f)] x[k]", "x[r(i,f)]"),
    ("Σ_k 1[k = p(h)] x[k]", "x[p(h)]"),  # no range of h is known
    ("Σ_k x[p(k)]", "Σ_k x[k]"),
    ("Σ_k x[k]", "Σ_n x[n]"),
    ("Σ_kji v[i,j] v[j,k]", "Σ_kji v[i,j] v[i,k]"),
    (f"Σ_k ({APART} + x[k] - y[k])", "0"),
    ("(Σ_k (x[k]/(u[k] + 1)))^2", "Σ_k (x[k]^2/(u[k] + 1)^2)"),
    ("Σ_jk v[j,k] (1/(u[k] + 1) - 1/(u[j] + 1))", "0"),
    *(
        (f"Σ_i ((Σ_m ({SHARE}/(1 - {SHARE}) - {wrong})) - x[i])", "0")
        for wrong in (f"{TERM}/{WHOLE}", f"1/{WHOLE}", "x[i]")
    ),
    ("x[q(i,j)]", "x[q(j,i)]"),
    ("Σ_k 1[k = p(k)]", "0"),
    *((sum_over(x[i] * y[own], (i, N)), HERE.read("Σ_i x[i] y[i]")) for own in OWN),
    *((sum_over(x[i] * own, (i, N)), HERE.read("Σ_i x[i] i")) for own in OWN),
    (Symbol("a", real=True), Symbol("a", positive=True)),
    (IndexedBase("u", real=True)[i], u[i]),
    (sum_over(HERE.letter("a"), (i, N)), sum_over(HERE.letter("a"), (i, EVEN))),
]
REFUSED = [
    ("1/1[i = j]", r"1\[x = y\] is 0 for some indices"),
    ("a/O[i,j]^2", "an entry of O is 0 for some indices"),
    ("1/((Σ_i x[i]) - (Σ_j x[j]))", "is 0"),
]


def difference(left, right):
    return HERE.read(left) - HERE.read(right) if isinstance(left, str) else left - right


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=str)
def test_equal(left, right):
    assert is_zero(difference(left, right), HERE.facts)
    assert not is_zero(difference(left, right) - HERE.letter("t"), HERE.facts)


@pytest.mark.parametrize(("left", "right"), UNEQUAL, ids=str)
def test_unequal(left, right):
    assert not is_zero(difference(left, right), HERE.facts)


@pytest.mark.parametrize(("expression", "words"), REFUSED, ids=str)
def test_refused(expression, words):
    with pytest.raises(ValueError, match=words):
        is_zero(HERE.read(expression), HERE.facts)


NAMES = HERE.also("c := e^a", "a := b^2 + 1", "L[i,j] := x[i] y[j]", "z[i,j] := Σ_k L[i,k] y[j]").names


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("c", "e^(b^2 + 1)"),
        ("t a", "t (b^2 + 1)"),
        ("L[j,k]", "x[j] y[k]"),
        ("L[p(i),i]", "x[p(i)] y[i]"),
        ("Σ_k L[k,j]", "Σ_k x[k] y[j]"),
        ("z[k,i]", "x[k] y[i] (Σ_j y[j])"),  # the bound k of the definition is not the free one
        ("Σ_k z[i,k]", "x[i] (Σ_k y[k])^2"),
    ],
)
def test_a_name_is_what_it_is_defined_as(name, meaning):
    name, meaning = map(HERE.read, (name, meaning))
    assert derive(name, (DEFINITION, meaning), names=iter(NAMES), facts=HERE.facts)
    assert not is_zero(name - meaning, HERE.facts)
    with pytest.raises(NotProved):
        derive(name, (DEFINITION, meaning + HERE.letter("t")), names=NAMES, facts=HERE.facts)
