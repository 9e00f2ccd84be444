"""The checks of `information`: they hold for the library's functions, and reject wrong ones."""

import types

import array_api_strict
import numpy as np
import pytest

from infonce_ref import information
from infonce_ref.verify import information as judge


def log(x):
    return np.log(np.where(x > 0, x, 1))


def mutual(p):
    x, y = p.sum(1, keepdims=True), p.sum(0, keepdims=True)
    return np.sum(p * (log(p) - log(x) - log(y)))


def settings(**changed):
    def bound(setting, loss, **count):
        if setting in changed:
            ((_, n),) = count.items()
            return np.log(max(changed[setting](n), 1)) - loss
        return information.bound(setting, loss, **count)

    return bound


WRONG = {
    "p(x) twice": ("mutual_information", lambda p: np.sum(p * (log(p) - 2 * log(p.sum(1, keepdims=True))))),
    "bits": ("mutual_information", lambda p: information.mutual_information(p) / np.log(2)),
    "not clipped near independence": ("mutual_information", mutual),
    "the marginal of the wrong side": ("conditional_entropy", lambda p: information.conditional_entropy(p.T)),
    "joint entropy": ("conditional_entropy", lambda p: -np.sum(p * log(p))),
    "H(X) for H(X|Y)": ("conditional_entropy", lambda p: information.entropy(p.sum(1))),
    "sign": ("entropy", lambda p: -information.entropy(p)),
    "cells below 1e-6 left out": ("entropy", lambda p: -np.sum(np.where(p < 1e-6, 0, p * log(p)))),
    "a millionth": ("entropy", lambda p: information.entropy(p) * (1 + 1e-6)),
    "mean": ("entropy", lambda p: information.entropy(p) / len(p)),
    "float64 for float32": ("entropy", lambda p: np.float64(information.entropy(p))),
    "2B for B": ("bound", settings(ntxent=lambda b: 2 * b)),
    "2B − 1 candidates": ("bound", settings(infonce=lambda b: 2 * b - 1)),
    "K for K + 1": ("bound", settings(query_key=lambda k: k)),
    "N − 1 for N": ("bound", settings(cpc=lambda n: n + 1)),
    "2B for the B of clip": ("bound", settings(clip=lambda b: 2 * b)),
    "the loss added": ("bound", lambda s, loss, **n: information.bound(s, loss, **n) + 2 * loss),
    "a bound where there is none": ("bound", settings(dhn_nce=lambda b: b)),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_function_is_refused(fault):
    name, function = WRONG[fault]
    functions = types.SimpleNamespace(**{f: getattr(information, f) for f in judge.FUNCTIONS})
    setattr(functions, name, function)
    checks = [c for dtype in ("float64", "float32") for c in judge.check_all(dtype, 0, functions=functions)]
    assert {c.input for c in checks if not c.holds} >= {name}


def test_a_missing_function_is_a_failure():
    checks = [c for c in judge.check_all("float64", 0) if c.input != "entropy"]
    assert not judge.holds(checks)


def test_functions_of_another_library_are_checked():
    """They receive arrays of that library, and return them."""

    def of_library(function):
        def run(x):
            assert type(x).__module__.startswith("array_api_strict")
            return function(x)

        return run

    functions = types.SimpleNamespace(**{f: of_library(getattr(information, f)) for f in judge.FUNCTIONS[:3]})
    functions.bound = information.bound
    checks = list(judge.check_all("float32", 0, array_api_strict.asarray, functions))
    assert judge.holds(checks)
