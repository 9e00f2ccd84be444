"""Shared fixtures: one that hands every loss test to every array library that is installed."""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from infonce_ref.arrays import to_numpy


class Library(NamedTuple):
    """An array library: how to hand it a NumPy array, and how to get one back."""

    name: str
    convert: Callable[[np.ndarray], Any]

    def arguments(self, example: dict[str, Any]) -> dict[str, Any]:
        return {k: self.convert(x) if isinstance(x, np.ndarray) else x for k, x in example.items()}

    @staticmethod
    def back(x: Any) -> np.ndarray:
        return to_numpy(x)


def read_only(x: np.ndarray) -> np.ndarray:
    """A copy that refuses to be written to: a loss that works in place on its input fails on it."""
    x = np.array(x)
    x.flags.writeable = False
    return x


@pytest.fixture(params=["numpy", "read-only numpy", "array_api_strict", "torch", "cupy"])
def library(request: pytest.FixtureRequest) -> Library:
    """Each array library in turn; one that is not installed is a skip that says so."""
    if request.param == "numpy":
        return Library("numpy", np.asarray)
    if request.param == "read-only numpy":
        return Library("read-only numpy", read_only)
    try:
        module = importlib.import_module(request.param)
    except ImportError:
        pytest.skip(f"{request.param} is not installed")
    return Library(request.param, module.asarray)


collect_ignore = [
    "thirteenth"
]  # a loss that is no part of the library: test_thirteenth_loss.py adds it to a copy
