"""Shared fixtures: one that hands every loss test to every array library that is installed."""

import importlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from infonce_ref.arrays import to_numpy


class Library(NamedTuple):
    """An array library: how to hand it a NumPy array, how to get one back, and whether streaming can write in its
    arrays."""

    name: str
    convert: Callable[[np.ndarray], Any]
    streams: bool

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


MODULES = {
    "array_api_strict": "array_api_strict",
    "slices are copies": "copying",
    "dask": "dask.array",
    "jax": "jax.numpy",
    "torch": "torch",
    "cupy": "cupy",
}
NOT_STREAMED = ("slices are copies", "jax")  # what is written into a slice of one is lost, or refused


@pytest.fixture
def jax_in_64_bits() -> Iterator[None]:
    """For one test alone, for the switch is the process's."""
    jax = importlib.import_module("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture(params=["numpy", "read-only numpy", *MODULES])
def library(request: pytest.FixtureRequest) -> Library:
    """Each array library in turn. PyTorch and CuPy are large, and come with no extra of the tests: where one is not
    installed, a skip says so."""
    name = request.param
    if name in ("torch", "cupy"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    if name == "jax":
        request.getfixturevalue("jax_in_64_bits")
    if name in MODULES:
        convert = importlib.import_module(MODULES[name]).asarray
    else:
        convert = read_only if name == "read-only numpy" else np.asarray
    return Library(name, convert, name not in NOT_STREAMED)


collect_ignore = [
    "thirteenth"
]  # a loss that is no part of the library: test_thirteenth_loss.py adds it to a copy
