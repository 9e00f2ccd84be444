"""The losses as functions of PyTorch and of JAX: tests for both."""

import pickle
import subprocess
import sys
from importlib import import_module
from inspect import signature

import numpy as np
import pytest
from bridges import frameworks

from infonce_ref import losses, streaming
from infonce_ref.arrays import array_namespace, to_numpy
from infonce_ref.information import ESTIMATORS

FRAMEWORKS = {"torch": "PyTorch tensor", "jax": "JAX array"}
FEW = ("ntxent", "simsiam", "nwj")


def every_loss(jax, torch):
    """Every loss in both frameworks. jax, torch: the marks for losses that are not in FEW, since JAX compiles each
    loss.
    """

    def mark(asked):
        few, rest = jax if asked.framework is frameworks.Jax else torch
        return few if asked.loss.name.rpartition(".")[2] in FEW else rest

    return pytest.mark.parametrize(
        "asked",
        [
            pytest.param(asked, id=f"{asked.room}.{asked.loss.name}", marks=mark(asked))
            for asked in frameworks.BRIDGES
        ],
    )


SLOW, NIGHTLY = pytest.mark.slow, pytest.mark.nightly
EACH = pytest.mark.parametrize("name", FRAMEWORKS)


@pytest.fixture(autouse=True)
def installed(request):
    """Skip if the framework is not installed; use float64 in JAX."""
    named = request.node.callspec.params
    name = named.get("name") or named["asked"].room.partition(".")[0]
    pytest.importorskip(name, reason=f"not installed (extra [{name}])")
    if name == "jax":
        request.getfixturevalue("jax_in_64_bits")


def bridge(name):
    return import_module(f"infonce_ref.{name}")


def ntxent_of(name):
    return next(x for x in frameworks.BRIDGES if x.room == name and x.loss.name == "ntxent")


def usual(asked):
    """JAX's functions are compiled, PyTorch's are not."""
    return asked.framework.compiled if asked.framework is frameworks.Jax else lambda f: f


# --- every loss ------------------------------------------------------------------------------------------


@every_loss(jax=(SLOW, SLOW), torch=((), ()))
def test_value_and_gradient_are_numpys(asked):
    """JAX's also without compilation; of three losses at one point."""
    for k, case in enumerate(frameworks.cases(asked.loss)):
        found = [asked.gradients(case, usual(asked))]
        if asked.room == "jax" and asked.loss.name in FEW and k == 0:
            found.append(asked.gradients(case))
        for one in found:
            of_value, of_gradients = asked.errors(case, one)
            assert of_value <= frameworks.VALUE
            assert of_gradients <= frameworks.GRADIENT


@every_loss(jax=(SLOW, NIGHTLY), torch=((), SLOW))
def test_value_and_gradient_are_numpys_when_transformed(asked):
    """Under vmap; PyTorch's also inside a compiled function."""
    case = next(frameworks.cases(asked.loss))
    found = [asked.mapped(case)]
    if asked.framework is frameworks.Torch:
        found.append(asked.gradients(case, asked.framework.compiled))
    assert max(max(asked.errors(case, one)) for one in found) <= frameworks.GRADIENT


@every_loss(jax=(SLOW, NIGHTLY), torch=((), ()))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dtype_in_is_dtype_out(asked, dtype):
    value, gradients = asked.gradients(next(frameworks.cases(asked.loss)).in_dtype(dtype), usual(asked))
    assert all(str(x.dtype).endswith(dtype) for x in (value, *gradients))


@pytest.mark.parametrize("asked", frameworks.BRIDGES, ids=lambda x: f"{x.room}.{x.loss.name}")
def test_has_the_name_the_arguments_and_the_equations_of_its_loss(asked):
    function = asked.function
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__name__ == asked.loss.name
    over_devices = ["axis_name"] if asked.framework is frameworks.Jax and asked.loss.compares else []
    assert [*signature(function).parameters] == [*signature(asked.loss.forward).parameters, *over_devices]
    assert sys.modules[asked.loss.forward.__module__].__doc__.strip() in function.__doc__
    assert "Raises ValueError" in function.__doc__


@EACH
def test_every_loss_is_here_and_no_other(name):
    rooms = ["information", "nn", "streaming"] if name == "torch" else ["information"]
    assert dir(bridge(name)) == sorted([*losses.ALL, *rooms])
    for room, entries in {"information": ESTIMATORS, "streaming": streaming.ALL}.items():
        found = vars(getattr(bridge(name), room)) if room in rooms else entries
        assert [key for key in found if not key.startswith("__")] == [*entries]
    with pytest.raises(AttributeError, match="has no loss 'ntxentt'"):
        bridge(name).ntxentt  # noqa: B018


# --- what is refused, and what is held constant ------------------------------------------------------------


@EACH
@pytest.mark.parametrize("dtype", ["int64", "complex64"])
def test_other_dtypes_are_refused_with_what_to_do(name, dtype):
    asked = ntxent_of(name)
    with pytest.raises(ValueError, match="w must be float32 or float64; got"):
        asked.function(**asked.given({"w": np.eye(4).astype(dtype)}), temperature=0.5)


@EACH
@pytest.mark.parametrize("rows", [np.ma.masked_array(np.eye(4)), [[1.0, 0.0]]], ids=["masked", "list"])
def test_rows_of_another_kind_are_refused(name, rows):
    with pytest.raises(ValueError, match=f"w must be a {FRAMEWORKS[name]}; got"):
        bridge(name).ntxent(rows, temperature=0.5)


@EACH
def test_without_the_framework_it_says_what_to_install(name):
    code = f"import sys; sys.modules[{name!r}] = None; import infonce_ref.{name}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    called = FRAMEWORKS[name].partition(" ")[0]
    assert run.stderr.splitlines()[-1] == (
        f'ImportError: infonce_ref.{name} needs {called}: pip install "infonce_ref[{name}]"'
    )


@EACH
@pytest.mark.parametrize("dtypes", [("float32", "float64"), ("float64", "float32")])
def test_a_learned_temperature_may_have_another_dtype_than_the_rows(name, dtypes):
    """It is the exponential of the parameter."""
    framework, of = ntxent_of(name).framework, import_module({"torch": "torch", "jax": "jax.numpy"}[name])
    w = losses.ALL["ntxent"].example()["w"]
    inputs = [framework.array(np.asarray(x, dtype)) for x, dtype in zip((w, -1.0), dtypes)]
    value, slopes = framework.gradients(
        lambda w, logarithm: bridge(name).ntxent(w, temperature=of.exp(logarithm)), inputs
    )
    assert [str(x.dtype).rpartition(".")[2] for x in (value, *slopes)] == [dtypes[0], *dtypes]
    tau = np.exp(-1.0)
    expected = losses.ntxent.backward(losses.ntxent.forward(w, temperature=tau)[1], 3.0).temperature
    np.testing.assert_allclose(slopes[1], tau * expected, rtol=1e-5)


# --- second derivatives ----------------------------------------------------------------------------------


@every_loss(jax=(SLOW, NIGHTLY), torch=((), ()))
@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
def test_the_second_derivative_is_right_to_50_digits(asked, dtype):
    """At the example, at a low temperature with nearly coinciding views, and at ties."""
    error, tolerance = asked.second(dtype)
    assert error <= tolerance


def second(name, f, at, along):
    """H v of the sum of a function at this point."""
    framework = ntxent_of(name).framework
    return to_numpy(framework.second(f, [framework.array(at)], [framework.array(along)])[0])


@EACH
def test_constant_weights_of_dhn_nce_stay_constant(name):
    """The Hessian of the loss with constant weights, which the framework derives from the value alone."""
    example = losses.ALL["dhn_nce"].example(weights="constant")
    rows, framework = example.pop("image"), ntxent_of(name).framework
    rest = ntxent_of(name).given(example)
    scores = rows @ example["text"].T / example["temperature"]

    def weigh(scores, beta):
        weights = np.exp(beta * scores) * (1 - np.eye(len(scores)))
        return framework.array((len(scores) - 1) * weights / weights.sum(axis=1, keepdims=True))

    weights = weigh(scores, example["beta1"]), weigh(scores.T, example["beta2"])

    def held(image):
        xp, scores = array_namespace(image), image @ rest["text"].T / rest["temperature"]
        ways = (xp.sum(xp.log(xp.sum(xp.exp(s) * w, axis=1))) for s, w in zip((scores, scores.T), weights))
        return sum(ways) - 2 * xp.sum(image * rest["text"]) / rest["temperature"]

    found, expected = (
        second(name, f, rows.copy(), np.cos(rows))
        for f in (lambda image: bridge(name).dhn_nce(image=image, **rest), held)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@EACH
def test_logits_of_siglip_that_are_0_have_curvature(name):
    zero = ntxent_of(name).framework.array(np.zeros((2, 1)))
    found = second(
        name, lambda b: bridge(name).siglip(zero, zero, temperature=1.0, bias=b), np.zeros(()), np.ones(())
    )
    np.testing.assert_allclose(found, 0.5, rtol=1e-10)


@EACH
@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0, 3.0])
def test_pairs_of_alignment_that_coincide_have_a_second_derivative_from_the_exponent_2_on(name, exponent):
    """Below it there is none, never 0; pairs that do not coincide have theirs."""
    z1, v = np.eye(2), np.array([[1.0, 2.0], [3.0, 4.0]])
    z2 = z1 + np.array([[0.0, 0.0], [0.0, 2.0]])  # a difference with a 0 in it

    def product(rows):
        z = ntxent_of(name).framework.array(z2[rows])
        return second(
            name,
            lambda x: bridge(name).alignment(x, z, exponent=exponent, reduction="sum"),
            z1[rows],
            v[rows],
        )

    if exponent >= 2:
        np.testing.assert_allclose(product([0]), (2.0 if exponent == 2 else 0.0) * v[:1])
    elif name == "jax":
        assert np.isnan(product([0, 1])[0]).all()
    else:
        with pytest.raises(ValueError, match="no second derivative where a row of z1 is that of z2"):
            product([0, 1])
    # α r^{α−2} (1 across, α − 1 along)
    expected = exponent * 2 ** (exponent - 2) * np.array([1.0, exponent - 1.0]) * v[1]
    np.testing.assert_allclose(product([1])[0], expected, rtol=1e-12, atol=1e-15)
    if exponent >= 2 or name == "jax":
        np.testing.assert_allclose(product([0, 1])[1], expected, rtol=1e-12, atol=1e-15)
