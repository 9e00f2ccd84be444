"""CuPy has every function that the losses call. The test needs CuPy's wheel, but no GPU."""

import functools
import inspect

import array_api_compat.numpy
import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.information import ESTIMATORS

UFUNC_KEYWORDS = {"out", "dtype", "casting"}  # the keywords of cupy.ufunc, which has no signature


@pytest.fixture
def asked(monkeypatch):
    """Record each call to the NumPy namespace: name → pairs of the number of positional arguments and the
    keywords.
    """
    calls = {}

    def record(name, function):
        @functools.wraps(function, assigned=("__doc__",), updated=())
        def recorded(*arguments, **keywords):
            calls.setdefault(name, set()).add((len(arguments), *keywords))
            return function(*arguments, **keywords)

        return recorded

    for name, function in list(vars(array_api_compat.numpy).items()):
        if callable(function) and not isinstance(function, type) and not name.startswith("_"):
            monkeypatch.setattr(array_api_compat.numpy, name, record(name, function))
    return calls


def run_every_loss():
    for loss in [*losses.ALL.values(), *streaming.ALL.values(), *ESTIMATORS.values()]:
        for options in ({}, *loss.variants):
            for dtype in ("f4", "f8"):
                example = loss.example(**options)
                given = {
                    k: x.astype(dtype) if getattr(x, "dtype", None) == np.float64 else x
                    for k, x in example.items()
                }
                value, cache = loss.forward(**given)
                loss.backward(cache, np.ones_like(value))


def problems(name, count, keywords, namespace):
    """Yield what CuPy's namespace lacks for one call."""
    function = getattr(namespace, name, None)
    if function is None:
        yield f"{name} is missing"
    elif type(function).__name__ == "ufunc":
        yield from (f"{name}({k}=)" for k in keywords if k not in UFUNC_KEYWORDS)
    else:
        try:
            signature = inspect.signature(function)
        except ValueError:  # built in
            return
        try:
            signature.bind(*range(count), **dict.fromkeys(keywords))
        except TypeError as error:
            yield f"{name}: {error}"


def test_a_missing_function_or_keyword_is_detected():
    assert list(problems("sum", 1, ("axes",), np))
    assert list(problems("exp", 1, ("axis",), np))
    assert list(problems("no_such", 1, (), np))
    assert not list(problems("sum", 1, ("axis",), np))


def test_cupy_has_every_function_and_keyword(asked):
    cupy = pytest.importorskip("array_api_compat.cupy", reason="CuPy is not installed")
    run_every_loss()
    assert len(asked) > 40  # the recording saw the losses
    wrong = [
        problem
        for name, calls in asked.items()
        for count, *keywords in sorted(calls)
        for problem in problems(name, count, keywords, cupy)
    ]
    assert not wrong
