"""Expressions are printed as a person would write them, as text and as LaTeX."""

import pytest
from sympy import Dummy, E, Integer, KroneckerDelta, Rational, Symbol, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover import show
from infonce_ref.derivations.prover.notation import Differ, Partial, one_if, total
from infonce_ref.derivations.prover.show import latex, text

N, M = symbols("N M", integer=True, positive=True)
i, j, k = symbols("i j k", integer=True, nonnegative=True)
a, b, c = symbols("sa sb sc", real=True)
x, v, power = (IndexedBase(name, real=True) for name in ("qx", "qv", "qp"))
norm = IndexedBase("‖qx‖", positive=True)
p, r = (IndexedBase(name, integer=True) for name in ("mp", "mr"))
NAMED = Symbol("named", real=True)
LETTERS = {
    "sa": "a",
    "sb": "b",
    "sc": "c",
    "qx": "x",
    "qv": r"\hat v",
    "qp": "P^c",
    "‖qx‖": r"\|x{}\|",
    "mp": "p",
    "mr": "r",
    "named": r"\ell{}",
}


@pytest.fixture(autouse=True)
def letters(monkeypatch):
    """LaTeX of the names here alone; what was printed is kept, so the names occur nowhere else."""
    for name, letter in LETTERS.items():
        monkeypatch.setitem(show.LETTERS, name, letter)


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        (a * b**2, "sa·sb^2"),
        (-a + b, "sb - sa"),
        (-3 * a - b + c, "sc - 3·sa - sb"),
        (exp(a) / b, "exp(sa)/sb"),
        (E * a, "E·sa"),
        (sqrt(a + b), "√(sa + sb)"),
        (a ** Rational(3, 2), "sa^(3/2)"),
        (x[i], "qx[i]"),
        (v[i, p[j]], "qv[i, mp(j)]"),
        (x[r[i, j]], "qx[mr(i, j)]"),
        (norm[i], "‖qx[i]‖"),
        (total(x[k], (k, N)), "Σ_k (qx[k])"),
        (total(v[i, j], (j, N), (i, M)), "Σ_ij (qv[i, j])"),
        (total(x[k], (k, N)) ** 2, "(Σ_k (qx[k]))^2"),
        (1 / total(x[k], (k, N)), "1/Σ_k (qx[k])"),
        (sqrt(total(x[k], (k, N))), "√(Σ_k (qx[k]))"),
        (total(x[k], (k, N)) ** -2, "(Σ_k (qx[k]))^-2"),
        (one_if(i, p[j]), "1[i = mp(j)]"),
        (KroneckerDelta(i, j, (0, 5)), "1[i = j]"),
        (Differ(i, j), "1[i ≠ j]"),
        (Partial(a, b), "∂sa/∂sb"),
        (Partial(x[i], v[i, j]), "∂qx[i]/∂qv[i, j]"),
        (Partial(a * b, x[i]), "∂(sa·sb)/∂qx[i]"),
        (log(Partial(-a, a)), "log(∂(-sa)/∂sa)"),
    ],
)
def test_text(expression, printed):
    assert text(expression) == printed


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        (a, "a"),
        (-a + b, "b - a"),
        (NAMED, r"\ell"),
        (Symbol("unknown", real=True), "unknown"),
        (x[i], "x_{i}"),
        (v[i, j], r"\hat v_{ij}"),
        (v[i, p[j]], r"\hat v_{i\,p(j)}"),
        (x[r[i, j]], "x_{r(ij)}"),
        (power[i, j], "{P^c_{ij}}"),
        (power[i, j] ** 2, "{P^c_{ij}}^{2}"),
        (norm[i], r"\|x_{i}\|"),
        (total(x[k], (k, N)), r"\sum_{k} x_{k}"),
        (total(v[i, j], (j, N), (i, M)), r"\sum_{ij} \hat v_{ij}"),
        (total(x[k] + a, (k, N)), r"\sum_{k} \left(a + x_{k}\right)"),
        (one_if(i, j), r"\delta_{ij}"),
        (one_if(i, p[j]), r"\mathbb{1}_{[i = p(j)]}"),
        (KroneckerDelta(i, j, (0, 5)), r"\delta_{ij}"),
        (Differ(i, j), r"\mathbb{1}_{[i \neq j]}"),
        (Partial(a, b), r"\frac{\partial a}{\partial b}"),
        (Partial(x[i], a), r"\frac{\partial x_{i}}{\partial a}"),
        (Partial(a * b, x[i]), r"\frac{\partial}{\partial x_{i}} \left(a b\right)"),
        (one_if(i, j) ** 2 * Integer(3), r"3 \delta_{ij}"),
    ],
)
def test_latex(expression, printed):
    assert latex(expression) == printed


@pytest.mark.parametrize(("printer", "printed"), [(text, "Σ_k (qx[k])"), (latex, r"\sum_{k} x_{k}")])
def test_a_bound_dummy_is_printed_as_its_letter(printer, printed):
    bound = Dummy("k", integer=True, nonnegative=True)
    assert printer(total(x[bound], (bound, N))) == printed


@pytest.mark.parametrize(
    ("printer", "printed"), [(text, "Σ_k′ (qx[k]·qx[k′])"), (latex, r"\sum_{k'} x_{k} x_{k'}")]
)
def test_a_bound_index_is_told_from_a_free_one(printer, printed):
    bound = Dummy("k", integer=True, nonnegative=True)
    assert printer(total(x[k] * x[bound], (bound, N))) == printed


def test_one_over_a_root_is_printed_as_in_a_product():
    assert text(1 / sqrt(a)) == "1/√(sa)"
    assert text(b / sqrt(a)) == "sb/√(sa)"
