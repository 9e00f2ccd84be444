"""Options of the JAX functions, numbers and arrays: differentiated correctly or refused, never with a derivative of
0.
"""

import inspect

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed (extra [jax])")

import frameworks  # noqa: E402

import infonce_ref.jax as bridge  # noqa: E402
from infonce_ref import losses  # noqa: E402

pytestmark = pytest.mark.usefixtures("jax_in_64_bits")
BRIDGES = [asked for asked in frameworks.BRIDGES if asked.framework is frameworks.Jax]
jnp = jax.numpy

PATHS = {
    "grad": lambda f, x: jax.grad(f)(x),
    "jit of grad": lambda f, x: jax.jit(jax.grad(f))(x),
    "grad of jit": lambda f, x: jax.grad(jax.jit(f))(x),
    "vmap of grad": lambda f, x: jax.vmap(jax.grad(f))(jnp.stack([x, x]))[1],
    "grad of vmap": lambda f, x: jax.grad(lambda x: jnp.mean(jax.vmap(f)(jnp.stack([x, x]))))(x),
    "jacfwd": lambda f, x: jax.jacfwd(f)(x),
    "jacrev": lambda f, x: jax.jacrev(f)(x),
    "jvp": lambda f, x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1],
    "vjp": lambda f, x: jax.vjp(f, x)[1](jnp.asarray(1.0))[0],
    "linearize": lambda f, x: jax.linearize(f, x)[1](jnp.ones_like(x)),
    "in a tree": lambda f, x: jax.grad(lambda tree: f(tree["x"]))({"x": x})["x"],
    "checkpoint": lambda f, x: jax.grad(jax.checkpoint(f))(x),
    "scan": lambda f, x: jax.grad(lambda x: jax.lax.scan(lambda y, _: (f(x), None), 0.0, length=1)[0])(x),
    "a float": lambda f, x: jax.grad(f)(float(x)),
    "NumPy's": lambda f, x: jax.grad(f)(np.asarray(x)),
}
OF_ARRAYS = ("jit of grad", "grad", "in a tree")  # losses without a single number as slope


def others(asked):
    """The numeric options of a loss, numbers and arrays, by which it is not differentiated, from its example."""
    example, loss = asked.loss.example(), asked.loss
    return {
        name: example[name]
        for name, parameter in inspect.signature(loss.forward).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
        and name not in loss.differentiable
        and np.asarray(example.get(name)).dtype.kind == "f"
    }


OPTIONS = [(asked, name, x) for asked in BRIDGES for name, x in others(asked).items()]
NUMBERS = [case for case in OPTIONS if isinstance(case[2], float)]
REFUSED = [(*case, path) for case in OPTIONS for path in (PATHS if case in NUMBERS else OF_ARRAYS)]


def names(value):
    return getattr(getattr(value, "loss", None), "name", None) or (value if isinstance(value, str) else "")


def of_option(asked, name):
    """The sum of the loss as a function of one of its arguments."""
    given = asked.given(asked.loss.example())
    return lambda x: jnp.sum(asked.function(**{**given, name: x}))


@pytest.mark.parametrize(("asked", "name", "x", "path"), REFUSED, ids=names)
def test_an_option_that_is_differentiated_is_refused_by_name(asked, name, x, path):
    with pytest.raises(ValueError, match=rf"{asked.loss.name} has no gradient by {name}: hold it constant"):
        PATHS[path](of_option(asked, name), jnp.asarray(x))


@pytest.mark.nightly
@pytest.mark.parametrize(("asked", "name", "x"), NUMBERS, ids=names)
def test_a_traced_option_that_is_not_differentiated_has_its_effect(asked, name, x):
    f, numbers = of_option(asked, name), np.asarray([0.5 * x, x])
    theirs = [asked.loss.forward(**{**asked.loss.example(), name: number})[0] for number in numbers]
    np.testing.assert_allclose(jax.jit(jax.vmap(f))(numbers), theirs, rtol=1e-12)
    np.testing.assert_allclose(jax.vmap(f)(numbers), theirs, rtol=1e-12)


@pytest.mark.parametrize("beta", [2, np.int32(2), np.float16(2), np.asarray(2), "bfloat16", "uint8"])
def test_a_traced_option_may_be_of_any_real_dtype(beta):
    (asked,) = (asked for asked in BRIDGES if asked.loss.name == "hard_negative")
    example = asked.loss.example(rows=3)
    beta = jnp.asarray(2, dtype=beta) if isinstance(beta, str) else beta
    value = jax.jit(lambda beta: asked.function(**{**example, "beta": beta}))(beta)
    np.testing.assert_allclose(value, asked.loss.forward(**{**example, "beta": 2.0})[0], rtol=1e-12)
    assert value.dtype == "float64"


@pytest.mark.parametrize("temperature", [True, 1j, [0.5]])
def test_a_traced_temperature_is_one_real_number(temperature):
    with pytest.raises(ValueError, match="temperature must be a number"):
        jax.jit(lambda t: bridge.ntxent(jnp.eye(4), temperature=t))(jnp.asarray(temperature))


@pytest.mark.slow
@pytest.mark.parametrize("beta", [0.5, np.array(0.5), np.float32(0.5)])
def test_an_option_under_a_stop_gradient_is_taken(beta):
    """The error advises stop_gradient, under which JAX wraps numbers and NumPy's arrays in its own types."""
    w = losses.ALL["hard_negative"].example()["w"]

    def of(beta, scale):
        held = jax.lax.stop_gradient((beta, w))
        return bridge.hard_negative(scale * held[1], temperature=scale, beta=held[0], prior=0.1)

    found = jax.grad(lambda x: of(x, 2 * x))(beta)
    np.testing.assert_allclose(found, 2 * jax.grad(lambda scale: of(0.5, scale))(1.0), rtol=1e-6)
