"""CuPy has every function that the losses call. The test needs CuPy's wheel, but no GPU."""

import contextlib
import functools
import inspect

import array_api_compat.numpy
import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.information import ESTIMATORS

UFUNC_KEYWORDS = {"out", "dtype", "casting"}  # the keywords of cupy.ufunc, which has no signature


@pytest.fixture
def called(monkeypatch):
    """Refuse calls of NumPy's functions that CuPy's of this name would refuse; return the names of the others."""
    cupy = pytest.importorskip("array_api_compat.cupy", reason="CuPy is not installed")
    names = set()

    def check(name, function):
        @functools.wraps(function, assigned=("__doc__",), updated=())
        def checked(*arguments, **keywords):
            theirs = getattr(cupy, name)
            if type(theirs).__name__ == "ufunc":
                assert keywords.keys() <= UFUNC_KEYWORDS, name
            else:
                with contextlib.suppress(ValueError):  # built in, without a signature
                    inspect.signature(theirs).bind(*arguments, **keywords)
            names.add(name)
            return function(*arguments, **keywords)

        return checked

    for name, function in list(vars(array_api_compat.numpy).items()):
        if callable(function) and not isinstance(function, type) and not name.startswith("_"):
            monkeypatch.setattr(array_api_compat.numpy, name, check(name, function))
    return names


def test_cupy_has_every_function_and_keyword(called):
    for loss in [*losses.ALL.values(), *streaming.ALL.values(), *ESTIMATORS.values()]:
        for options in ({}, *loss.variants):
            for dtype in ("f4", "f8"):
                example = loss.example(**options)
                of_dtype = {k: x.astype(dtype) for k, x in example.items() if np.ndim(x) and x.dtype == float}
                value, cache = loss.forward(**example | of_dtype)
                loss.backward(cache, np.ones_like(value))
    assert len(called) > 40  # the losses call the functions above
