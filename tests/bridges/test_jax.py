"""The losses as JAX functions, under JAX's transformations."""

import numpy as np
import pytest

from infonce_ref import losses

jax = pytest.importorskip("jax", reason="JAX is not installed (extra [jax])")

import frameworks  # noqa: E402

from infonce_ref.jax import ntxent  # noqa: E402

pytestmark = pytest.mark.usefixtures("jax_in_64_bits")
BRIDGES = [asked for asked in frameworks.BRIDGES if asked.framework is frameworks.Jax]


@pytest.fixture
def w():
    return jax.numpy.asarray(losses.ALL["ntxent"].example()["w"])


def numpys(w, upstream=1.0, **options):
    """The value and the gradients of ntxent in NumPy."""
    value, cache = losses.ntxent.forward(np.asarray(w), **{"temperature": 0.5, **options})
    return value, losses.ntxent.backward(cache, upstream)


def assert_equal(ours, theirs):
    """Equal up to a few roundings: libraries order their sums differently."""
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-15)


# --- what JAX requires of a function --------------------------------------------------------------


@pytest.mark.slow
def test_a_learned_temperature_in_a_dtype_of_its_own(w):
    x = w.astype("float32")
    logarithm = jax.numpy.asarray(-1.0, dtype="float64")
    value, (dw, dlogarithm) = jax.jit(
        jax.value_and_grad(lambda x, t: ntxent(x, temperature=jax.numpy.exp(t)), argnums=(0, 1))
    )(x, logarithm)
    assert (value.dtype, dw.dtype, dlogarithm.dtype) == ("float32", "float32", "float64")
    tau = float(np.exp(logarithm))
    np.testing.assert_allclose(dlogarithm, tau * numpys(w, temperature=tau)[1].temperature, rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("wrapped", ["scan", "map", "checkpoint"])
def test_within_jaxs_own_loops(w, wrapped):
    def loss(w):
        return ntxent(w, temperature=0.5)

    f = {
        "scan": lambda w: jax.lax.scan(lambda total, _: (total + loss(w), None), 0.0, length=2)[0],
        "map": lambda w: jax.numpy.sum(jax.lax.map(loss, jax.numpy.stack([w, w]))),
        "checkpoint": lambda w: 2 * jax.checkpoint(loss)(w),
    }[wrapped]
    assert_equal(jax.grad(f)(w), numpys(w, 2.0)[1].w)


@pytest.mark.slow
@pytest.mark.parametrize("transform", [lambda f: f, jax.jit], ids=["eager", "jit"])
def test_numpy_arrays_are_differentiated_as_by_jaxs_own_functions(w, transform):
    value, gradients = transform(jax.value_and_grad(lambda x: ntxent(x["w"], temperature=x["t"])))(
        {"w": np.asarray(w), "t": 0.5}
    )
    theirs, (dw, dt) = numpys(w)
    for ours, expected in ((value, theirs), (gradients["w"], dw), (gradients["t"], dt)):
        assert isinstance(ours, jax.Array)
        assert_equal(ours, expected)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dtype"), [("ntxent", "bfloat16"), ("clip", "float16")])
def test_half_precision_is_computed_in_float32(name, dtype):
    asked = next(asked for asked in BRIDGES if asked.loss.name == name)
    inputs = {
        k: jax.numpy.asarray(x, dtype=dtype) for k, x in next(frameworks.cases(asked.loss)).inputs.items()
    }
    value_and_gradients = jax.jit(jax.value_and_grad(lambda inputs: asked.function(**inputs)))
    value, gradients = value_and_gradients(inputs)
    theirs, expected = value_and_gradients({k: x.astype("float32") for k, x in inputs.items()})
    assert value.dtype == "float32"
    np.testing.assert_array_equal(value, theirs)
    for k, x in gradients.items():
        assert x.dtype == dtype
        np.testing.assert_array_equal(x, expected[k].astype(dtype))


# --- what is refused -------------------------------------------------------------------------------------


def test_eager_values_are_checked(w):
    bad = w.at[0].set(0.0)
    with pytest.raises(ValueError, match="zero row"):
        ntxent(bad, temperature=0.5)
    with pytest.raises(ValueError, match="zero row"):
        jax.grad(lambda w: ntxent(w, temperature=0.5))(bad)
    assert np.isnan(jax.jit(lambda w: ntxent(w, temperature=0.5))(bad))
    with pytest.raises(ValueError, match="w must have shape"):
        jax.jit(lambda w: ntxent(w, temperature=0.5))(w[None])
