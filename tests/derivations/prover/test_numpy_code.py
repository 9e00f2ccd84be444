"""The NumPy code of a closed form has the arguments, the shape and the values of the form."""

import numpy as np
import pytest
from sympy import Dummy, Symbol, log, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Definition, delta, sum_over
from infonce_ref.derivations.prover.numpy_code import write_numpy

N, M, B = (Symbol(name, integer=True, positive=True) for name in "NMB")
i, j, k = symbols("i j k", integer=True, nonnegative=True)
bound = Dummy("j", integer=True, nonnegative=True)
a, b, c = symbols("a b c", real=True)
x, y, u, v = (IndexedBase(name, real=True) for name in "xyuv")
p, t = (IndexedBase(name, integer=True) for name in "pt")
FACTS = Facts(ranges={i: N, j: M, k: B}, maps={p: (N, M), t: ((N, M), B)})
RNG = np.random.default_rng(0)
# whole numbers, so that sums are exact
X, Y, U, V = (RNG.integers(-9, 9, shape).astype(float) for shape in ((2,), (3,), (2, 3), (3, 4)))
VALUES = {"N": 2, "M": 3, "B": 4, "a": 5.0, "x": X, "y": Y, "u": U, "v": V, "p": np.array([2, 0])}


def run(form, indices, names=(), values=VALUES, facts=FACTS):
    """Write the code of the form and call it with the values that it asks for."""
    code = write_numpy("value", form, indices, names=names, facts=facts)
    scope = {}
    exec(code.source, scope)
    return scope["value"](**{word: values[word] for word in code.arguments})


@pytest.mark.parametrize(
    ("form", "indices", "expected"),
    [
        (x[i] + 2 * y[j], (j, i), X + 2 * Y[:, None]),
        (u[i, j] * y[j], (i, j), U * Y),
        (y[p[i]], (i,), Y[[2, 0]]),
        (delta(p[i], j), (i, j), [[0, 0, 1], [1, 0, 0]]),
        (delta(p[i], j) * y[j], (i, j), [[0, 0, Y[2]], [Y[0], 0, 0]]),
        (sum_over(u[i, j] * v[j, k], (j, M)), (k, i), (U @ V).T),
        (y[j] * sum_over(y[bound], (bound, M)), (j,), Y * Y.sum()),
        (sum_over(sum_over(u[i, j], (j, M)) * x[i], (i, N)), (), U.sum(axis=1) @ X),
        (sum_over(y[j] + 1, (j, M), (i, M - 1)), (), 2 * (Y + 1).sum()),
        (y[j] / sum_over(a, (i, M - 1)), (j,), Y / 10),
        (sum_over(y[j], (j, M - 1)), (), Y[:2].sum()),
    ],
    ids=str,
)
def test_the_code_computes_the_form(form, indices, expected):
    assert np.array_equal(run(form, indices), expected)
    assert np.shape(run(form, indices)) == np.shape(expected)


OUTER = Definition(v[j, k], y[j] * x[k])
SUMMED = Definition(b, sum_over(v[j, k], (j, M), (k, N)))
UNUSED = Definition(c, log(Symbol("e", real=True)))
NAMED_FACTS = Facts(ranges={i: N, j: M, k: N})


@pytest.mark.parametrize("names", [(OUTER, SUMMED, UNUSED), (UNUSED, SUMMED, OUTER)])
def test_names_are_computed_before_their_use_in_any_order(names):
    for indices, expected in (((j, i), np.outer(Y, X)), ((i, j), np.outer(X, Y))):
        found = run(a - b * v[j, i], indices, names, facts=NAMED_FACTS)
        assert np.array_equal(found, 5 - Y.sum() * X.sum() * expected)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("τ", "τ"),
        ("z⁺", "z_plus"),
        ("z°", "z_held"),
        ("‖z‖", "norm_z"),
        ("z\u0304", "z_bar"),
        ("ℓ", "l"),
        ("x y-z", "x_y_z"),
    ],
)
def test_a_name_is_spelled_as_python_reads_it(name, word):
    symbol = Symbol(name, real=True)
    code = write_numpy("value", 2 * symbol, (), names=(), facts=Facts())
    assert code.arguments == {word: (symbol, ())}
    assert code.source.endswith(f"def value(*, {word}):\n    return 2*{word}\n")


@pytest.mark.parametrize("names", [("i′", "i_prime"), ("lambda", "j")])
def test_indices_are_spelled_apart_and_not_as_words_of_python(names):
    one, other = (Symbol(name, integer=True, nonnegative=True) for name in names)
    facts = Facts(ranges={one: N, other: N})
    assert np.array_equal(run(x[one] - 2 * x[other], (one, other), facts=facts), X[:, None] - 2 * X)


LETTER, ELL = Symbol("l", integer=True, nonnegative=True), IndexedBase("ℓ", real=True)


def test_no_name_is_spelled_as_an_index_or_a_word_of_the_code():
    """Python reads ℓ as l."""
    values = {"N": 3} | dict.fromkeys(("l", "l_"), np.array([1.0, 2.0, 4.0]))
    summed = Definition(c, sum_over(ELL[LETTER], (LETTER, N)))
    assert run(c * 2, (), (summed,), values, Facts(ranges={LETTER: N})) == 14.0
    found = run(ELL[LETTER] * 2, (LETTER,), (), values, Facts(ranges={LETTER: N}))
    assert found.tolist() == [2.0, 4.0, 8.0]
    for word in ("numpy", "in", "lambda"):
        assert run(Symbol(word, real=True) * 2, (), values={f"{word}_": 1.5}) == 3.0
