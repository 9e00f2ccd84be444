"""Second derivatives of the JAX functions, in each way that JAX takes them: docs/frameworks.md has their digits."""

import numpy as np
import pytest

from infonce_ref import losses

jax = pytest.importorskip("jax", reason="JAX is not installed (extra [jax])")

import frameworks  # noqa: E402

import infonce_ref.jax as bridge  # noqa: E402
from infonce_ref.bridges import find_stopped  # noqa: E402

pytestmark = pytest.mark.usefixtures("jax_in_64_bits")
jnp = jax.numpy
BRIDGES = [asked for asked in frameworks.BRIDGES if asked.framework is frameworks.Jax]


def by_hand(w, temperature):
    """NT-Xent in JAX's own operations, accurate at high temperatures."""
    z, n = w / jnp.linalg.norm(w, axis=1, keepdims=True), len(w)
    scores = jnp.where(jnp.eye(n, dtype=bool), -jnp.inf, z @ z.T / temperature)
    own = jnp.take_along_axis(scores, jnp.roll(jnp.arange(n), n // 2)[:, None], axis=1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(scores, axis=1) - own)


def ours(w, temperature):
    return bridge.ntxent(w, temperature=temperature)


@pytest.fixture
def w():
    return jnp.asarray(losses.ALL["ntxent"].example()["w"])


@pytest.fixture
def v(w):
    return jnp.asarray(np.random.default_rng(1).standard_normal(w.shape))


def of_rows(f):
    return lambda w: f(w, 0.3)


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
    "of a compiled function": lambda f, w, v: jax.hessian(jax.jit(f))(w),
    "vmap of grad of grad": lambda f, w, v: jax.vmap(lambda w: WAYS["reverse over reverse"](f, w, v))(
        jnp.stack([w, v])
    ),
    "through a checkpoint": lambda f, w, v: jax.jvp(jax.grad(jax.checkpoint(f)), (w,), (v,))[1],
    "gradient penalty": lambda f, w, v: jax.grad(penalised(f))(w),
    "MAML": lambda f, w, v: jax.grad(after_a_step(f))(w),
    "three times": lambda f, w, v: jax.grad(lambda w: WAYS["reverse over reverse"](f, w, v)[0, 0])(w),
}


def assert_alike(found, expected):
    for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        # the rounding of both
        np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-12)


def marks(way, transform):
    if transform is not jax.jit:
        return pytest.mark.nightly
    return () if way == "hessian" else pytest.mark.slow


@pytest.mark.parametrize(
    ("way", "transform"),
    [
        pytest.param(way, transform, marks=marks(way, transform))
        for way in WAYS
        for transform in (jax.jit, lambda f: f)
    ],
)
def test_each_way_agrees_with_jax_differentiating_its_own_operations(way, transform, w, v):
    assert_alike(*(transform(lambda w, v, f=f: WAYS[way](of_rows(f), w, v))(w, v) for f in (ours, by_hand)))


@pytest.mark.slow
def test_by_the_temperature_and_mixed(w):
    assert_alike(*(jax.jit(jax.hessian(f, argnums=(0, 1)))(w, 0.3) for f in (ours, by_hand)))


@pytest.mark.nightly
@pytest.mark.parametrize("asked", BRIDGES, ids=lambda asked: asked.loss.name)
def test_every_loss_has_a_third_derivative_in_both_modes(asked):
    """Along a line through the example, compared with differences of the second derivative."""
    case = next(frameworks.cases(asked.loss))
    inputs, others = asked.given(case.inputs), asked.given(case.others)
    rng = np.random.default_rng(0)
    constant = find_stopped(asked.loss, case.others)
    steps = {k: rng.standard_normal(np.shape(x)) * (k not in constant) for k, x in inputs.items()}

    def along(s):
        return jnp.sum(asked.function(**{k: x + s * steps[k] for k, x in inputs.items()}, **others))

    second = jax.jit(jax.jacfwd(jax.grad(along)))
    h = 1e-4
    differences = (8 * (second(h) - second(-h)) - (second(2 * h) - second(-2 * h))) / (12 * h)
    for third in (jax.jacfwd(jax.jacfwd(jax.jacfwd(along))), jax.grad(jax.grad(jax.grad(along)))):
        # rounding errors of eps/h of the second derivative, and a truncation error of h⁴
        scale = 1 + abs(float(second(0.0)))
        np.testing.assert_allclose(jax.jit(third)(0.0), differences, rtol=1e-7, atol=1e-9 * scale)


@pytest.mark.parametrize("bad", ["temperature", "row"])
def test_out_of_range_is_nan_when_traced_and_refused_when_eager(bad, w, v):
    w, temperature = (w, -1.0) if bad == "temperature" else (w.at[0].set(0.0), 0.3)

    def product(w, temperature):
        return jax.jvp(jax.grad(lambda w: ours(w, temperature)), (w,), (v,))[1]

    assert np.isnan(jax.jit(product)(w, temperature)).all()
    with pytest.raises(ValueError, match=r"must be positive and finite|zero row"):
        product(w, temperature)


@pytest.mark.slow
def test_constant_weights_of_dhn_nce_stay_constant():
    """The Hessian is that of the loss with constant weights."""
    loss = losses.ALL["dhn_nce"]
    example = loss.example(weights="constant")
    arguments = {k: jnp.asarray(x) if isinstance(x, np.ndarray) else x for k, x in example.items()}
    image = arguments.pop("image")
    held = loss.held(image=image, **arguments)
    found = jax.jit(jax.hessian(lambda image: bridge.dhn_nce(image, **arguments)))(image)
    assert_alike(found, jax.jit(jax.hessian(lambda image: held(image=image, **arguments)))(image))


@pytest.mark.slow
@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0, 3.0])
def test_pairs_of_alignment_that_coincide_have_a_second_derivative_from_the_exponent_2_on(exponent):
    """Below it is NaN, never 0. The gradient is 0 for every exponent; pairs that do not coincide have finite second
    derivatives.
    """
    z1 = jnp.asarray([[1.0, 0.0], [0.0, 1.0]])
    z2 = z1.at[1].add(jnp.asarray([0.0, 2.0]))  # a difference with a 0 in it

    def loss(z1):
        return bridge.alignment(z1, z2, exponent=exponent, reduction="sum")

    gradient, hessian = jax.jit(lambda z1: (jax.grad(loss)(z1), jax.hessian(loss)(z1)))(z1)
    np.testing.assert_array_equal(gradient[0], 0.0)
    at_rest = np.diag(hessian[0, :, 0])
    np.testing.assert_array_equal(np.isnan(at_rest), exponent < 2)
    if exponent >= 2:
        np.testing.assert_array_equal(hessian[0, :, 0], (2.0 if exponent == 2 else 0.0) * np.eye(2))
    # α r^{α−2} (1 across, α − 1 along)
    expected = exponent * 2 ** (exponent - 2) * np.diag([1.0, exponent - 1.0])
    np.testing.assert_allclose(hessian[1, :, 1], expected, rtol=1e-12, atol=1e-15)
