"""Every loss while JAX traces: never another gradient than that of its backward. The bridge's tests compare the
numbers of traced losses with NumPy's.
"""

import numpy as np
import pytest

from infonce_ref import losses, sphere

jax = pytest.importorskip("jax", reason="JAX is not installed")
jnp = jax.numpy
pytestmark = pytest.mark.usefixtures("jax_in_64_bits")
LOSSES = pytest.mark.parametrize("loss", losses.ALL.values(), ids=losses.ALL)


def split(example):
    """The arguments that JAX traces, with numbers such as the temperature, and the options."""
    traced = {k: jnp.asarray(x) for k, x in example.items() if isinstance(x, np.ndarray | float)}
    return traced, {k: x for k, x in example.items() if k not in traced}


def forward_alone(loss, example):
    arrays, options = split(example)
    differentiable = {k: x for k, x in arrays.items() if x.dtype == jnp.float64}
    options |= {k: x for k, x in arrays.items() if k not in differentiable}
    return differentiable, lambda arrays: loss.forward(**arrays, **options)[0]


@pytest.mark.slow
@LOSSES
@pytest.mark.parametrize("transform", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_jax_cannot_differentiate_a_loss_without_the_bridge(loss, transform):
    arrays, value = forward_alone(loss, loss.example())
    with pytest.raises(ValueError, match=rf"infonce_ref\.jax\.{loss.name}\b"):
        jax.grad(transform(value))(arrays)
    with pytest.raises(ValueError, match=rf"infonce_ref\.jax\.{loss.name}\b"):
        jax.jvp(transform(value), (arrays,), (arrays,))


@pytest.mark.parametrize("name", losses.ALL)
def test_a_constant_loss_may_be_part_of_a_differentiated_function(name):
    loss = losses.ALL[name]
    arrays, value = forward_alone(loss, loss.example())

    def total(arrays):
        return sum(map(jnp.sum, arrays.values())) + jax.jit(value)(jax.lax.stop_gradient(arrays))

    for x in jax.grad(total)(arrays).values():
        np.testing.assert_array_equal(x, 1)


def test_the_sphere_checks_values_only_if_they_are_known():
    z = jax.jit(lambda w: sphere.forward(w)[0])
    np.testing.assert_array_equal(z(jnp.asarray([[0.0, 4.0]])), [[0.0, 1.0]])
    assert jnp.all(jnp.isnan(z(jnp.zeros((1, 2)))))


def test_a_traced_temperature_keeps_the_arrays_dtype():
    def value(temperature):
        return losses.infonce.forward(jnp.eye(4, dtype=jnp.float32), temperature=temperature)[0]

    temperature = jnp.asarray(np.float64(0.5))
    assert temperature.dtype == jnp.float64
    assert jax.jit(value)(temperature).dtype == jnp.float32
