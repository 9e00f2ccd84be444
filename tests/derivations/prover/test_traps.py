"""Cases in which SymPy silently gives a wrong answer: each is shown, and is avoided or refused."""

import pytest
from sympy import Integer, KroneckerDelta, MatrixSymbol, Pow, Sum, Symbol, exp, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.calculus import differentiate
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.prover.notation import Definition, freshen, substitute, total, unfold
from infonce_ref.derivations.prover.sums import Facts, is_zero

N = Symbol("N", integer=True, positive=True)
i, j, k = symbols("i j k", integer=True, nonnegative=True)
x, y, L = (IndexedBase(name, real=True) for name in "xyL")
t = Symbol("t", real=True)
ROWS = Facts(ranges={i: N, j: N, k: N})


def test_a_derivative_does_not_capture_the_bound_name():
    everything = total(y[i], (i, N))
    assert everything.diff(y[i]) == Sum(1, (i, 0, N - 1))  # SymPy's own answer is N
    assert is_zero(differentiate(everything, y[i]) - 1, ROWS)


def test_nested_sums_over_one_name_bind_it_inside():
    nested = Sum(Sum(x[j], (j, 0, N - 1)) * y[j], (j, 0, N - 1))
    flattened = Sum(Sum(x[j], (j, 0, N - 1)), (j, 0, N - 1))
    assert is_zero(nested - total(x[i], (i, N)) * total(y[i], (i, N)), ROWS)
    assert is_zero(flattened - N * total(x[i], (i, N)), ROWS)
    assert evaluator(flattened, {N: 2, x: [3, 4]})({})[0] == 14


def test_a_matrix_symbol_is_refused():
    z = MatrixSymbol("z", 3, 1)
    with pytest.raises(ValueError, match="no rule"):
        differentiate((z.T * z)[0, 0], t)


def test_a_definition_does_not_capture_the_index_of_its_use():
    names = (Definition(L[i, j], total(x[k] * y[i] * y[j], (k, N))),)
    assert is_zero(unfold(L[i, k], names) - total(x[j], (j, N)) * y[i] * y[k], ROWS)


def test_a_definition_with_a_free_index_is_refused():
    with pytest.raises(ValueError, match="free in the body"):
        Definition(L[i, j], x[k])


def test_substitution_does_not_capture():
    assert is_zero(substitute(total(y[i] * x[j], (j, N)), {i: j}) - y[j] * total(x[k], (k, N)), ROWS)


def test_fresh_names_keep_the_innermost_binding():
    shadowed = Sum(x[i], (i, 0, N - 1), (i, 0, N - 1))
    assert is_zero(freshen(shadowed) - N * total(x[j], (j, N)), ROWS)


def test_merged_exponentials_are_split():
    assert is_zero(exp(x[i]) * exp(x[j]) - exp(x[i] + x[j]), ROWS)
    assert is_zero(total(exp(x[i]) * exp(x[j]), (i, N), (j, N)) - total(exp(x[i]), (i, N)) ** 2, ROWS)


def test_differentiation_by_an_index_is_refused():
    with pytest.raises(ValueError, match="index or a size"):
        differentiate(total(x[i], (i, N)), N)
    with pytest.raises(ValueError, match="index or a size"):
        differentiate(x[i] * KroneckerDelta(i, j), i)


def test_a_derivative_by_a_non_variable_is_refused():
    with pytest.raises(ValueError, match="not a variable"):
        differentiate(t**2, t**2)


def test_a_sum_that_does_not_start_at_0_is_refused():
    with pytest.raises(ValueError, match="runs from 1"):
        is_zero(Sum(x[i], (i, 1, N)))


def test_a_sum_whose_end_is_an_index_is_refused():
    with pytest.raises(ValueError, match="size − 1"):
        is_zero(Sum(x[i], (i, 0, j), (j, 0, N - 1)))


def test_a_symbolic_power_is_refused():
    with pytest.raises(ValueError, match="no rule"):
        is_zero(Pow(t, N) - Integer(1))


def test_a_denominator_that_vanishes_is_refused():
    with pytest.raises(ValueError, match="is 0"):
        is_zero(1 / (total(x[i], (i, N)) - total(x[j], (j, N))))


@pytest.mark.parametrize("size", [-N, N - 2, N - 1, Integer(0), t])
def test_a_range_that_may_be_empty_is_refused(size):
    with pytest.raises(ValueError, match="may be empty"):
        is_zero(total(Integer(1), (i, size)) - size)


@pytest.mark.parametrize("head", [L[i, i], L[i, t], L[i, 0], L[i, N], L[x[i], j]])
def test_a_definition_needs_distinct_plain_indices(head):
    with pytest.raises(ValueError, match="must be plain indices, no two the same"):
        Definition(head, Integer(1))


def test_a_variable_hidden_in_an_index_is_refused():
    named = (Definition(x[i], y[i]),)
    for hidden in (x[y[i]], KroneckerDelta(y[i], j), total(x[y[j]], (j, N))):
        with pytest.raises(ValueError, match="index or a size"):
            differentiate(hidden, y[k])
    with pytest.raises(ValueError, match="index or a size"):
        differentiate(L[x[i], j], y[k], named)


def test_a_variable_and_its_parts_in_one_derivative_are_refused():
    products = (Definition(L[i, j], total(y[i] * y[j] * x[k], (k, N))),)
    with pytest.raises(ValueError, match="L is defined by x, y, which"):
        differentiate(total(y[i] * x[j] * L[i, j], (j, N)), L[i, j], products)
    assert is_zero(differentiate(L[i, j] ** 2, L[i, j], products) - 2 * L[i, j], ROWS)
