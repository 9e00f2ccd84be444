"""Second derivatives of the JAX functions, in each way that JAX takes them: docs/frameworks.md has their digits."""

import numpy as np
import pytest

from infonce_ref import losses

jax = pytest.importorskip("jax", reason="JAX is not installed (extra [jax])")

from bridges import frameworks  # noqa: E402

import infonce_ref.jax as bridge  # noqa: E402

pytestmark = pytest.mark.usefixtures("jax_in_64_bits")
jnp = jax.numpy
W = losses.ALL["ntxent"].example()["w"]
V = np.random.default_rng(1).standard_normal(W.shape)


def penalised(f):
    """A gradient penalty: a function of the value and the gradient."""

    def loss(w):
        value, gradient = jax.value_and_grad(f)(w)
        return value + 10 * (jnp.linalg.norm(gradient) - 1) ** 2

    return loss


def after_a_step(f):
    """MAML: the loss after a gradient step, as a function of the starting point."""
    return lambda w: f(w - 0.1 * jax.grad(f)(w))


def dot(x, y):
    return jnp.sum(x * y)


WAYS = {
    "hessian": lambda f, w, v: jax.hessian(f)(w),
    "forward over reverse": lambda f, w, v: jax.jvp(jax.grad(f), (w,), (v,))[1],
    "reverse over reverse": lambda f, w, v: jax.grad(lambda w: dot(jax.grad(f)(w), v))(w),
    "reverse over forward": lambda f, w, v: jax.grad(lambda w: jax.jvp(f, (w,), (v,))[1])(w),
    "forward over forward": lambda f, w, v: jax.jacfwd(jax.jacfwd(f))(w),
    "vmap of grad of grad": lambda f, w, v: jax.vmap(lambda w: WAYS["reverse over reverse"](f, w, v))(
        jnp.stack([w, v])
    ),
    "through a checkpoint": lambda f, w, v: jax.jvp(jax.grad(jax.checkpoint(f)), (w,), (v,))[1],
    "in a map": lambda f, w, v: jax.lax.map(
        lambda w: WAYS["reverse over reverse"](f, w, v), jnp.stack([w, v])
    ),
    "gradient penalty": lambda f, w, v: jax.grad(penalised(f))(w),
    "MAML": lambda f, w, v: jax.grad(after_a_step(f))(w),
    "three times": lambda f, w, v: jax.grad(lambda w: WAYS["reverse over reverse"](f, w, v)[0, 0])(w),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "transform",
    [pytest.param(jax.jit, marks=pytest.mark.slow), pytest.param(lambda f: f, marks=pytest.mark.nightly)],
)
def test_each_way_agrees_with_jax_differentiating_its_own_operations(way, transform):
    found, expected = (
        transform(lambda w, v, f=f: WAYS[way](lambda w: f(w, temperature=0.3), w, v))(
            jnp.asarray(W), jnp.asarray(V)
        )
        for f in (bridge.ntxent, frameworks.ntxent_by_hand)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)  # the rounding of both


@pytest.mark.parametrize("bad", ["temperature", "row"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_out_of_range_is_nan_when_traced_and_refused_when_eager(order, bad):
    def derivative(w, temperature):
        f = lambda w: bridge.ntxent(w, temperature=temperature)  # noqa: E731
        return [f, jax.grad(f), lambda w: WAYS["forward over reverse"](f, w, V)][order](w)

    given = (jnp.asarray(W), -1.0) if bad == "temperature" else (jnp.asarray(W).at[0].set(0.0), 0.3)
    assert np.isnan(jax.jit(derivative)(*given)).all()
    with pytest.raises(ValueError, match=r"must be positive and finite|zero row"):
        derivative(*given)
