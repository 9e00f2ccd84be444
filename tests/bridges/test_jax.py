"""The losses as JAX functions: NumPy's arrays and half precision; options, differentiated correctly or refused; a
ValueError in NumPy, which becomes NaN under tracing: the value and every gradient, never a number.
"""

import inspect

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed (extra [jax])")

from bridges import frameworks  # noqa: E402

import infonce_ref.jax as bridge  # noqa: E402
from infonce_ref import information, losses  # noqa: E402
from infonce_ref.bridges import find_stopped  # noqa: E402

pytestmark = pytest.mark.usefixtures("jax_in_64_bits")
jnp = jax.numpy
BRIDGES = {asked.loss.name: asked for asked in frameworks.BRIDGES if asked.framework is frameworks.Jax}


@pytest.mark.slow
@pytest.mark.parametrize("transform", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_numpy_arrays_are_differentiated_as_by_jaxs_own_functions(transform):
    w = losses.ALL["ntxent"].example()["w"]
    f = jax.value_and_grad(lambda x: bridge.ntxent(x["w"], temperature=x["t"]))
    value, gradients = transform(f)({"w": w, "t": 0.5})
    theirs, cache = losses.ntxent.forward(w, temperature=0.5)
    dw, dt = losses.ntxent.backward(cache)
    for ours, expected in ((value, theirs), (gradients["w"], dw), (gradients["t"], dt)):
        assert isinstance(ours, jax.Array)
        np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-15)  # sums in another order


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dtype"), [("ntxent", "bfloat16"), ("clip", "float16")])
def test_half_precision_is_computed_in_float32(name, dtype):
    asked = BRIDGES[name]
    inputs = {k: jnp.asarray(x, dtype=dtype) for k, x in next(frameworks.cases(asked.loss)).inputs.items()}
    f = jax.jit(jax.value_and_grad(lambda inputs: asked.function(**inputs)))
    value, gradients = f(inputs)
    theirs, expected = f({k: x.astype("float32") for k, x in inputs.items()})
    assert value.dtype == "float32"
    np.testing.assert_array_equal(value, theirs)
    for k, x in gradients.items():
        assert x.dtype == dtype
        np.testing.assert_array_equal(x, expected[k].astype(dtype))


# --- options --------------------------------------------------------------------------------------------

PATHS = {
    "grad": lambda f, x: jax.grad(f)(x),
    "jit of grad": lambda f, x: jax.jit(jax.grad(f))(x),
    "vmap of grad": lambda f, x: jax.vmap(jax.grad(f))(jnp.stack([x, x]))[1],
    "grad of vmap": lambda f, x: jax.grad(lambda x: jnp.mean(jax.vmap(f)(jnp.stack([x, x]))))(x),
    "jacfwd": lambda f, x: jax.jacfwd(f)(x),
    "jvp": lambda f, x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1],
    "vjp": lambda f, x: jax.vjp(f, x)[1](jnp.asarray(1.0))[0],
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


OPTIONS = [(asked, name, x) for asked in BRIDGES.values() for name, x in others(asked).items()]
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


@pytest.mark.parametrize("beta", [2, np.int32(2), np.float16(2), np.asarray(2), "bfloat16", "uint8"])
def test_a_traced_option_may_be_of_any_real_dtype(beta):
    asked = BRIDGES["hard_negative"]
    example = asked.loss.example(rows=3)
    beta = jnp.asarray(2, dtype=beta) if isinstance(beta, str) else beta
    value = jax.jit(lambda beta: asked.function(**{**example, "beta": beta}))(beta)
    np.testing.assert_allclose(value, asked.loss.forward(**{**example, "beta": 2.0})[0], rtol=1e-12)
    assert value.dtype == "float64"


@pytest.mark.parametrize("temperature", [True, 1j, [0.5]])
def test_a_traced_temperature_is_one_real_number(temperature):
    with pytest.raises(ValueError, match="temperature must be a number"):
        jax.jit(lambda t: bridge.ntxent(jnp.eye(4), temperature=t))(jnp.asarray(temperature))
    with pytest.raises(ValueError, match="w must have shape"):
        jax.jit(lambda w: bridge.ntxent(w, temperature=0.5))(jnp.ones((1, 4, 2)))


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


# --- out of range ---------------------------------------------------------------------------------------


def marks(name):
    """hard_negative has an option of each kind, and takes seconds to compile."""
    if name == "information.nwj":
        return ()
    return pytest.mark.slow if name in ("hard_negative", "triplet", "cpc") else pytest.mark.nightly


def changed(x):
    """Variations of the argument, some out of its range, each with its description."""
    if x.dtype.kind == "i":
        places = [np.where(np.arange(x.size).reshape(x.shape) == 0, n, x) for n in (99, -1)]
        yield from zip(("99", "-1", "distinct"), [*places, np.arange(x.size).reshape(x.shape)])
    elif x.ndim:
        first = np.arange(x.shape[0]).reshape(-1, *(1,) * (x.ndim - 1)) == 0
        column = np.arange(x.shape[-1]) == 0
        yield from (
            ("NaN", np.where(first & column, np.nan, x)),
            ("infinity", np.where(first & column, np.inf, x)),
        )
        yield from (("zero row", np.where(first, 0, x)), ("constant column", np.where(column, 0.5, x)))
        yield from (("thrice", 3 * x), ("negative", -x), ("overflowing", 1e200 * x))
    else:
        yield from ((str(n), np.asarray(n)) for n in (-1.0, -1e-9, 0.0, 1.0, 1.5, np.inf, -np.inf, np.nan))


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        pytest.param(x, options, id=f"{k} {options}", marks=marks(k))
        for k, x in BRIDGES.items()
        for options in ({}, {"reduction": "none"})
        if options in ({}, *x.loss.variants)
    ],
)
def test_a_bridge_returns_nan_where_numpy_refuses(asked, options):
    """For each change of each argument: NaN everywhere for a ValueError, the same number for a number."""
    loss, example, broken = asked.loss, asked.loss.example(**options), 0
    arrays = {k: np.asarray(x) for k, x in example.items() if isinstance(x, np.ndarray | float)}
    rest = {k: x for k, x in example.items() if k not in arrays}
    moves = [k for k in loss.differentiable if k not in find_stopped(loss, rest)]  # others' gradient is 0

    @jax.jit
    def traced(given):
        inputs, constants = {k: given[k] for k in moves}, {k: x for k, x in given.items() if k not in moves}
        value, pull = jax.vjp(lambda inputs: asked.function(**inputs, **constants, **rest), inputs)
        return value, *(pull(jnp.ones_like(value))[0][k] for k in moves)

    changes = [(name, what, x) for name, array in arrays.items() for what, x in changed(array)]
    for name, what, x in changes:
        given, place = {**arrays, name: x}, f"{name} {what}"
        found = traced({k: jnp.asarray(v) for k, v in given.items()})
        try:
            value, cache = loss.forward(**given, **rest)
            gradients = loss.backward(cache, np.ones_like(value))
        except ValueError:
            broken += 1
            assert all(np.isnan(y).all() for y in found), f"{place}: refused, and traced {found[0]}"
        else:
            expected = value, *(getattr(gradients, k) for k in moves)
            for ours, theirs in zip(found, expected, strict=True):
                # sums in another order, of terms up to 1e3 times the result
                atol = 1e-12 * np.max(np.abs(theirs))
                np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=atol, err_msg=place)
    assert broken


def test_under_vmap_only_the_point_out_of_range_is_nan():
    asked = BRIDGES["hard_negative"]
    example = asked.loss.example()
    values = jax.jit(jax.vmap(lambda prior: asked.function(**{**example, "prior": prior})))(
        np.asarray([0.1, 1.5])
    )
    np.testing.assert_array_equal(np.isnan(values), [False, True])


@pytest.mark.parametrize("upstream", [np.nan, np.inf])
def test_an_upstream_that_is_not_finite_makes_every_gradient_nan(upstream):
    loss = BRIDGES["information.nwj"].loss
    _, cache = loss.forward(jnp.zeros((2, 2)))
    (gradient,) = jax.jit(lambda upstream: loss.backward(cache, upstream))(upstream)
    assert np.isnan(gradient).all()


def test_what_is_no_loss_is_nan_out_of_range_too():
    law = np.asarray([[0.4, 0.1], [0.1, 0.4]])
    laws = np.stack([law, 2 * law, law - 0.1 * np.eye(2)[0]])
    for of in (information.mutual_information, information.conditional_entropy):
        np.testing.assert_array_equal(np.isnan(jax.jit(jax.vmap(of))(laws)), [False, True, True])
    bound = jax.jit(lambda loss: information.bound("cpc", loss, candidates=8))
    assert np.isnan(bound(-1.0))
    assert bound(0.0) == np.float64(np.log(8))
