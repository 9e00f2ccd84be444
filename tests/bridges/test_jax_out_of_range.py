"""A ValueError in NumPy becomes NaN under JAX's tracing: the value and every gradient, never a number."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed (extra [jax])")

import frameworks  # noqa: E402

from infonce_ref import information, sphere  # noqa: E402
from infonce_ref.bridges import find_stopped  # noqa: E402

pytestmark = pytest.mark.usefixtures("jax_in_64_bits")
jnp = jax.numpy
BRIDGES = {asked.loss.name: asked for asked in frameworks.BRIDGES if asked.framework is frameworks.Jax}


def marks(name):
    """hard_negative has an option of each kind, and takes seconds to compile."""
    if name == "information.nwj":
        return ()
    return pytest.mark.slow if name in ("hard_negative", "triplet", "cpc") else pytest.mark.nightly


def by_loss(options):
    """The losses that have these options, each with the options it has."""
    return pytest.mark.parametrize(
        ("asked", "options"),
        [
            pytest.param(x, option, id=f"{k} {option}", marks=marks(k))
            for k, x in BRIDGES.items()
            for option in ({}, *x.loss.variants)
            if option in options
        ],
    )


def traced(asked, options):
    """The arguments of a loss that JAX can trace, and the others."""
    example = asked.loss.example(**options)
    arrays = {k: np.asarray(x) for k, x in example.items() if isinstance(x, np.ndarray | float)}
    return arrays, {k: x for k, x in example.items() if k not in arrays}


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


def compare(forward_and_backward, compiled, arrays):
    """Each change of each argument, by both: a ValueError must be NaN everywhere, a number the same number."""
    broken = 0
    for name, array in arrays.items():
        for what, x in changed(array):
            given = {**arrays, name: x}
            found = jax.tree.leaves(compiled({k: jnp.asarray(v) for k, v in given.items()}))
            try:
                expected = forward_and_backward(given)
            except ValueError:
                broken += 1
                assert all(np.isnan(y).all() for y in found), f"{name} {what}: refused, and traced {found[0]}"
            else:
                for ours, theirs in zip(found, expected, strict=True):
                    # sums in another order, of terms up to 1e3 times the result
                    np.testing.assert_allclose(
                        ours, theirs, rtol=1e-9, atol=1e-12 * np.max(np.abs(theirs)), err_msg=f"{name} {what}"
                    )
    assert broken


def in_numpy(loss, options):
    def value_and_gradients(given):
        value, cache = loss.forward(**given, **options)
        gradients = loss.backward(cache, np.ones_like(value))._asdict()
        return value, *(x for k, x in gradients.items() if k not in find_stopped(loss, options))

    return value_and_gradients


@by_loss([{}, {"reduction": "none"}])
def test_a_bridge_returns_nan_where_numpy_refuses(asked, options):
    arrays, rest = traced(asked, options)

    @jax.jit
    def value_and_gradients(given):
        # others' gradient is 0
        moves = [k for k in asked.loss.differentiable if k not in find_stopped(asked.loss, rest)]
        inputs, constants = {k: given[k] for k in moves}, {k: x for k, x in given.items() if k not in moves}
        value, pull = jax.vjp(lambda inputs: asked.function(**inputs, **constants, **rest), inputs)
        return value, *(pull(jnp.ones_like(value))[0][name] for name in inputs)

    compare(in_numpy(asked.loss, rest), value_and_gradients, arrays)


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
    assert np.isnan(jax.jit(lambda w: sphere.forward(w)[0])(jnp.zeros((1, 2)))).all()
