"""Expressions are printed as a person would write them, as text and as LaTeX; hypotheses say what they assume."""

from dataclasses import replace

import pytest
from sympy import Dummy, E, KroneckerDelta, Rational, Symbol, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover import show
from infonce_ref.derivations.prover.notation import Differ, Partial, delta, sum_over
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.show import latex, text
from infonce_ref.derivations.prover.zero_test import Facts

N, M = symbols("N M", integer=True, positive=True)
i, j, k = symbols("i j k", integer=True, nonnegative=True)
a, b, c, named = symbols("sa sb sc named", real=True)
x, v, power = (IndexedBase(name, real=True) for name in ("qx", "qv", "qp"))
norm = IndexedBase("‖qx‖", positive=True)
p, r = (IndexedBase(name, integer=True) for name in ("mp", "mr"))
BOUND = Dummy("k", integer=True, nonnegative=True)
LETTERS = {
    **dict(zip(("sa", "sb", "sc", "qx", "mp", "mr"), "abcxpr")),
    "qv": r"\hat v",
    "qp": "P^c",
    "‖qx‖": r"\|x{}\|",
    "named": r"\ell{}",
}


@pytest.fixture(autouse=True)
def letters(monkeypatch):
    """LaTeX of the names here alone; what was printed is kept, so the names occur nowhere else."""
    for name, letter in LETTERS.items():
        monkeypatch.setitem(show.LETTERS, name, letter)


@pytest.mark.parametrize(
    ("expression", "printed", "typeset"),
    [
        (-3 * a - b + c, "sc - 3·sa - sb", "c - 3 a - b"),
        (exp(a) / b, "e^sa/sb", r"\frac{e^{a}}{b}"),
        (E * a, "E·sa", "e a"),
        (b / sqrt(a), "sb/√(sa)", r"\frac{b}{\sqrt{a}}"),
        (a ** Rational(3, 2), "sa^(3/2)", r"a^{\frac{3}{2}}"),
        (named, "named", r"\ell"),
        (Symbol("unknown", real=True), "unknown", "unknown"),
        (v[i, j], "qv[i, j]", r"\hat v_{ij}"),
        (v[i, p[j]], "qv[i, mp(j)]", r"\hat v_{i\,p(j)}"),
        (x[r[i, j]], "qx[mr(i, j)]", "x_{r(ij)}"),
        (power[i, j] ** 2, "qp[i, j]^2", "{P^c_{ij}}^{2}"),
        (norm[i], "‖qx[i]‖", r"\|x_{i}\|"),
        (sum_over(v[i, j], (j, N), (i, M)), "Σ_ij qv[i, j]", r"\sum_{ij} \hat v_{ij}"),
        (sum_over(x[k] + a, (k, N)), "Σ_k (sa + qx[k])", r"\sum_{k} \left(a + x_{k}\right)"),
        (sum_over(x[k], (k, N)) ** 2, "(Σ_k qx[k])^2", r"\left(\sum_{k} x_{k}\right)^{2}"),
        (sum_over(x[BOUND], (BOUND, N)), "Σ_k qx[k]", r"\sum_{k} x_{k}"),
        (sum_over(x[k] * x[BOUND], (BOUND, N)), "Σ_k′ qx[k]·qx[k′]", r"\sum_{k'} x_{k} x_{k'}"),
        (delta(i, j), "1[i = j]", r"\delta_{ij}"),
        (delta(i, p[j]), "1[i = mp(j)]", r"\mathbb{1}_{[i = p(j)]}"),
        (KroneckerDelta(i, j, (0, 5)), "1[i = j]", r"\delta_{ij}"),
        (Differ(i, j), "1[i ≠ j]", r"\mathbb{1}_{[i \neq j]}"),
        (Partial(x[i], v[i, j]), "∂qx[i]/∂qv[i, j]", r"\frac{\partial x_{i}}{\partial \hat v_{ij}}"),
        (Partial(a * b, x[i]), "∂(sa·sb)/∂qx[i]", r"\frac{\partial}{\partial x_{i}} \left(a b\right)"),
    ],
    ids=str,
)
def test_how_an_expression_is_printed(expression, printed, typeset):
    assert (text(expression), latex(expression)) == (printed, typeset)


t, s, mask = Symbol("t", positive=True), Symbol("s", nonnegative=True), IndexedBase("qm", nonnegative=True)
FACTS = Facts({i: N, j: N}, {p: (N, N), r: ((N, M), N)}, (p,), (mask,))


@pytest.mark.parametrize(
    ("expression", "assumed"),
    [
        (a + b**2 * exp(a), []),
        (log(a), ["sa > 0"]),
        (log(t) + log(exp(a)), ["t > 0"]),
        (log(s), ["s > 0", "s ≥ 0"]),
        (1 / a, ["sa ≠ 0"]),
        (1 / t, ["t > 0"]),
        (1 / s, ["s ≠ 0", "s ≥ 0"]),
        (sqrt(a), ["sa ≥ 0"]),
        (1 / sqrt(a), ["sa > 0"]),
        (a ** Rational(5, 3), ["sa ≥ 0"]),
        (sqrt(2) * a + 2 ** Rational(-1, 3), []),
        (log(x[i]) / b, ["sb ≠ 0", "qx[i] > 0"]),
        (norm[i], ["the entries of ‖qx‖ are > 0"]),
        (
            1 / sum_over(x[k], (k, N + M)),
            ["Σ_k qx[k] ≠ 0", "Σ_k runs from 0 to M + N − 1", "M is 1, 2, 3, …", "N is 1, 2, 3, …"],
        ),
    ],
    ids=str,
)
def test_a_proof_says_what_its_expressions_need(expression, assumed):
    proof = derive(c * (1 + expression), (SUMS, c + c * expression), facts=Facts({i: N}))
    assert set(proof.assumptions) == set(assumed)


@pytest.mark.parametrize(
    ("first", "last", "assumed"),
    [
        (delta(i, p[i]) * a, 0 * a, "mp(i) ≠ i"),
        (mask[i, j] ** 2, mask[i, j], "qm is 0 or 1"),
        (sum_over(delta(k, p[i]) * x[k], (k, N)), x[p[i]], "mp maps 0 … N − 1 into 0 … N − 1"),
        (
            sum_over(delta(k, r[i, j]) * x[k], (k, N)),
            x[r[i, j]],
            "mr maps 0 … N − 1 and 0 … M − 1 into 0 … N − 1",
        ),
    ],
)
def test_a_proof_says_which_facts_it_uses(first, last, assumed):
    facts = replace(FACTS, ranges={i: N, j: M}) if "mr" in assumed else FACTS
    assert assumed in derive(first, (SUMS, last), facts=facts).assumptions
    assert assumed not in derive(a * (b + 1), (SUMS, a * b + a), facts=facts).assumptions
