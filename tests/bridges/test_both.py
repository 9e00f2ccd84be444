"""The losses as functions of PyTorch and of JAX: tests for both."""

import functools
import subprocess
import sys
from importlib import import_module
from inspect import signature
from itertools import islice

import frameworks
import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.arrays import to_numpy
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

# raised when PyTorch's compiler is first used
pytestmark = pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning")


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


def compiled(asked):
    """The backend of PyTorch that needs no C++ compiler."""
    options = {"backend": "aot_eager"} if asked.framework is frameworks.Torch else {}
    return functools.partial(asked.framework.compiled, **options)


# --- every loss ------------------------------------------------------------------------------------------


@every_loss(jax=(SLOW, SLOW), torch=((), ()))
def test_value_and_gradient_are_numpys(asked):
    transform = compiled(asked) if asked.framework is frameworks.Jax else lambda f: f
    for case in frameworks.cases(asked.loss):
        of_value, of_gradients = asked.errors(case, asked.gradients(case, transform))
        assert of_value <= frameworks.VALUE
        assert of_gradients <= frameworks.GRADIENT


@every_loss(jax=(SLOW, NIGHTLY), torch=((), SLOW))
def test_value_and_gradient_are_numpys_when_transformed(asked):
    """PyTorch's inside a compiled function, JAX's under vmap."""
    case = next(frameworks.cases(asked.loss))
    found = (
        asked.mapped(case) if asked.framework is frameworks.Jax else asked.gradients(case, compiled(asked))
    )
    assert max(asked.errors(case, found)) <= frameworks.GRADIENT


@pytest.mark.slow
# tools/frameworks.py checks every loss, which takes minutes
@pytest.mark.parametrize("loss", ["ntxent", "simsiam"])
@pytest.mark.parametrize("name", ["jax"])
def test_value_and_gradient_are_numpys_without_compilation(name, loss):
    asked = next(x for x in frameworks.BRIDGES if (x.room, x.loss.name) == (name, loss))
    case = next(frameworks.cases(asked.loss))
    assert max(asked.errors(case, asked.gradients(case))) <= frameworks.GRADIENT


@every_loss(jax=(SLOW, NIGHTLY), torch=((), SLOW))
def test_passes_the_frameworks_own_check(asked):
    """The frameworks' own gradient checks; for JAX only the first case, because each is compiled."""
    for case in islice(frameworks.cases(asked.loss), None if asked.framework is frameworks.Torch else 1):
        asked.gradcheck(case)


@every_loss(jax=(SLOW, NIGHTLY), torch=((), ()))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dtype_in_is_dtype_out(asked, dtype):
    assert asked.keeps(dtype, compiled(asked) if asked.framework is frameworks.Jax else lambda f: f)


@pytest.mark.parametrize("asked", frameworks.BRIDGES, ids=lambda x: f"{x.room}.{x.loss.name}")
def test_has_the_name_the_arguments_and_the_equations_of_its_loss(asked):
    function = asked.function
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


@SLOW
@EACH
def test_an_encoder_trains_as_it_does_in_numpy(name):
    array, gradients = ntxent_of(name).framework.array, ntxent_of(name).framework.gradients
    of_arrays = import_module({"torch": "torch", "jax": "jax.numpy"}[name])
    x, *weights = frameworks.start()
    x = array(x)

    def loss(first, second, log_temperature):
        rows = of_arrays.tanh(x @ first) @ second
        return bridge(name).ntxent(rows, temperature=of_arrays.exp(log_temperature))

    loss = ntxent_of(name).framework.compiled(loss) if name == "jax" else loss
    found = []
    for _ in range(100):
        value, thrice = gradients(loss, [array(np.array(weight)) for weight in weights])
        weights = [w - frameworks.RATE * to_numpy(g) / 3 for w, g in zip(weights, thrice)]
        found.append(float(value))
    # a step multiplies earlier rounding errors by a small factor
    np.testing.assert_allclose(found[:10], list(islice(frameworks.train(), 10)), rtol=1e-10)
    assert found[-1] < 0.5 * found[0]
