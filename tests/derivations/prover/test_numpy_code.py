"""The NumPy code of a closed form has no name twice, and none of Python's; `prove` compares its values."""

import numpy as np
import pytest
from sympy import Symbol
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.language import Facts
from infonce_ref.derivations.prover.notation import Definition, sum_over
from infonce_ref.derivations.prover.numpy_code import write_numpy

N = Symbol("N", integer=True, positive=True)
c = Symbol("c", real=True)
x = IndexedBase("x", real=True)
X = np.array([3.0, -4.0])


def run(form, indices, names, values, facts):
    """Write the code of the form and call it with the values that it asks for."""
    code = write_numpy("value", form, indices, names=names, facts=facts)
    scope = {}
    exec(code.source, scope)
    return scope["value"](**{word: values[word] for word in code.arguments})


@pytest.mark.parametrize("names", [("i′", "i_prime"), ("lambda", "j")])
def test_indices_are_spelled_apart_and_not_as_words_of_python(names):
    one, other = (Symbol(name, integer=True, nonnegative=True) for name in names)
    facts = Facts(ranges={one: N, other: N})
    found = run(x[one] - 2 * x[other], (one, other), (), {"N": 2, "x": X}, facts)
    assert np.array_equal(found, X[:, None] - 2 * X)


LETTER, ELL = Symbol("l", integer=True, nonnegative=True), IndexedBase("ℓ", real=True)


def test_no_name_is_spelled_as_an_index_or_a_word_of_the_code():
    """Python reads ℓ as l."""
    values = {"N": 3} | dict.fromkeys(("l", "l_"), np.array([1.0, 2.0, 4.0]))
    summed = Definition(c, sum_over(ELL[LETTER], (LETTER, N)))
    assert run(c * 2, (), (summed,), values, Facts(ranges={LETTER: N})) == 14.0
    found = run(ELL[LETTER] * 2, (LETTER,), (), values, Facts(ranges={LETTER: N}))
    assert found.tolist() == [2.0, 4.0, 8.0]
    for word in ("numpy", "in", "lambda"):
        assert run(Symbol(word, real=True) * 2, (), (), {f"{word}_": 1.5}, Facts()) == 3.0
