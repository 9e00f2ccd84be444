"""The checks of what comes in, by themselves: what no loss's own tests reach."""

import array_api_strict
import numpy as np
import pytest

from infonce_ref import losses
from infonce_ref.arrays import check, positive_scalar


def test_arrays_of_two_libraries_are_refused():
    with pytest.raises(ValueError, match="all arrays must come from one library; theirs and ours do not"):
        check(ours=(np.ones(2), "n"), theirs=(array_api_strict.ones(2), "n"))


@pytest.mark.parametrize("number", ["0.5", np.array([0.5]), [0.5], None])
def test_only_a_number_is_a_number(number):
    with pytest.raises(ValueError, match="temperature must be a number that a float can hold"):
        positive_scalar("temperature", number)


@pytest.mark.parametrize("name", losses.ALL)
def test_under_jit_shapes_are_checked_and_values_are_not(name):
    """What JAX traces has no values yet: a loss computes with it, a temperature too, and does not ask."""
    jax = pytest.importorskip("jax")
    loss = losses.ALL[name]
    example = loss.example()
    inputs = {k: jax.numpy.asarray(x) for k, x in example.items() if isinstance(x, np.ndarray | float)}
    options = {k: x for k, x in example.items() if k not in inputs}

    def both(inputs):
        value, cache = loss.forward(**inputs, **options)
        return value, loss.backward(cache, upstream=value)

    value, gradients = jax.jit(both)(inputs)
    expected, cache = loss.forward(**{k: np.asarray(x) for k, x in inputs.items()}, **options)
    rtol = 1e3 * jax.numpy.finfo(value.dtype).eps  # float32 unless the process is in JAX's x64 mode
    np.testing.assert_allclose(value, expected, rtol=rtol)
    for x, y in zip(gradients, loss.backward(cache, upstream=expected)):
        np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol)
    first = loss.differentiable[0]
    assert np.isnan(jax.jit(both)({**inputs, first: inputs[first] * np.nan})[0])
    with pytest.raises(ValueError, match=r"must have shape|must agree in"):
        jax.jit(both)({**inputs, first: inputs[first][None]})
