"""The NumPy code of a form returns an array with one axis for each index, whatever the form contains of them."""

import numpy as np
import pytest
from sympy import Integer, Symbol, exp, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Definition, Differ, one_if, total
from infonce_ref.derivations.prover.numpy_code import write_numpy

N, d = symbols("N d", integer=True, positive=True)
i, j, f = symbols("i j f", integer=True, nonnegative=True)
a = Symbol("a", real=True)
x, y, z, u = (IndexedBase(name, real=True) for name in "xyzu")
p = IndexedBase("p", integer=True)
FACTS = Facts(ranges={i: N, j: N, f: d}, maps={p: (N, N)})
GIVEN = {
    "N": 3,
    "d": 2,
    "a": 5.0,
    "x": np.array([1.0, 2.0, 4.0]),
    "y": np.array([3.0, -1.0, 0.5]),
    "z": np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    "p": np.array([1, 2, 0]),
}


def run(form, indices, names=()):
    code = write_numpy("form", form, indices, names=names, facts=FACTS)
    scope = {}
    exec(code.source, scope)
    return scope["form"](**{name: GIVEN[name] for name in code.arguments})


X, Y, Z = GIVEN["x"], GIVEN["y"], GIVEN["z"]


@pytest.mark.parametrize(
    ("form", "indices", "expected"),
    [
        (a * 2, (), 10.0),
        (total(x[i], (i, N)), (), 7.0),
        (x[i], (i,), X),
        (x[i] * y[j], (i, j), np.outer(X, Y)),
        (x[i] * y[j], (j, i), np.outer(Y, X)),
        (total(z[i, f] * z[j, f], (f, d)), (i, j), Z @ Z.T),
        (total(z[i, f] * x[i], (i, N)), (f,), X @ Z),
        (x[p[i]], (i,), X[GIVEN["p"]]),
        (one_if(i, j), (i, j), np.eye(3)),
        (Differ(i, j) * exp(x[j]), (i, j), (1 - np.eye(3)) * np.exp(X)),
        # an index that the form lacks, alone, with another, and with a sum
        (a, (i,), [5.0] * 3),
        (Integer(7), (i, f), [[7.0] * 2] * 3),
        (x[j], (i, j), [X] * 3),
        (x[i], (i, j), np.repeat(X, 3).reshape(3, 3)),
        (total(x[j], (j, N)), (i,), [7.0] * 3),
        (total(z[i, f], (i, N)), (f, j), [[9.0] * 3, [12.0] * 3]),
        # a sum over an index that its terms lack
        (total(x[i], (f, d)), (i,), 2 * X),
        (total(a, (i, N), (f, d)), (), 30.0),
        (total(x[i], (i, N), (f, d)), (), 14.0),
    ],
)
def test_the_array_has_an_axis_for_each_index(form, indices, expected):
    found = run(form, indices)
    assert np.shape(found) == np.shape(expected)
    assert np.array_equal(found, expected)


def test_a_name_without_one_of_its_indices_is_an_array_too():
    names = (Definition(u[i, j], x[i] + a),)
    assert np.array_equal(run(u[i, j] * y[j], (i, j), names), np.outer(X + 5, Y))


def test_names_are_written_in_the_order_in_which_they_are_needed():
    b, c = symbols("b c", real=True)
    names = (Definition(c, b + 1), Definition(b, 2 * a))
    code = write_numpy("form", c * x[i], (i,), names=names, facts=FACTS)
    assert code.source.index("b = ") < code.source.index("c = ")
    assert np.array_equal(run(c * x[i], (i,), names), 11 * X)


def test_the_arguments_tell_what_they_are_and_their_shapes():
    code = write_numpy("form", total(z[i, f] * x[p[j]], (i, N)) * a, (j, f), names=(), facts=FACTS)
    assert code.arguments == {
        "z": (z, (N, d)),
        "x": (x, (N,)),
        "p": (p, (N,)),
        "a": (a, ()),
        "N": (N, ()),
        "d": (d, ()),
    }
    assert code.indices == (j, f)
