"""An array library whose slices are copies, as the standard allows: array_api_strict, except that a write into a
slice has no effect. The namespace of its arrays is this module.
"""

import operator
from typing import Any

import array_api_strict as strict
import numpy as np


class Array:
    """An array of array_api_strict, wrapped."""

    def __init__(self, inner: Any):
        self.inner = inner

    def __array_namespace__(self, api_version: str | None = None) -> Any:
        import copying

        return copying

    def __getattr__(self, name: str) -> Any:
        return wrapped(getattr(self.inner, name))

    def __getitem__(self, key: Any) -> "Array":
        return Array(strict.asarray(self.inner[unwrapped(key)], copy=True))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.inner[unwrapped(key)] = unwrapped(value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self.inner, dtype=dtype)  # Python 3.12 and newer use its buffer


def wrapped(x: Any) -> Any:
    if isinstance(x, type(strict.zeros(1))):
        return Array(x)
    if isinstance(x, type):
        return x
    return (lambda *args, **kwargs: wrapped(x(*unwrapped(args), **unwrapped(kwargs)))) if callable(x) else x


def unwrapped(x: Any) -> Any:
    if isinstance(x, Array):
        return x.inner
    if isinstance(x, tuple | list):
        return type(x)(map(unwrapped, x))
    return {k: unwrapped(v) for k, v in x.items()} if isinstance(x, dict) else x


def operation(name: str) -> Any:
    return lambda *args: wrapped(getattr(operator, name)(*map(unwrapped, args)))


def reflected(name: str) -> Any:
    return lambda x, y: wrapped(getattr(operator, name)(unwrapped(y), unwrapped(x)))


for name in ("add", "sub", "mul", "truediv", "floordiv", "matmul", "pow", "and", "or"):
    word = name + "_" * (name in ("and", "or"))
    setattr(Array, f"__{name}__", operation(word))
    setattr(Array, f"__r{name}__", reflected(word))
for name in ("neg", "invert", "lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Array, f"__{name}__", operation(name))
for kind in (bool, int, float):
    setattr(Array, f"__{kind.__name__}__", lambda x, kind=kind: kind(x.inner))


def __getattr__(name: str) -> Any:
    return wrapped(getattr(strict, name))
