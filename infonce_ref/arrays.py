"""Recognise the library of an array, and call what the array API standard lacks."""

import contextlib
import importlib
import reprlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import array_api_compat
import array_api_compat.numpy
import numpy as np
from array_api_compat import is_dask_array, is_jax_array, is_torch_array

Array = Any  # an array of any library that follows the array API standard


NUMPY = {np.ndarray, np.float32, np.float64}


def array_namespace(*arrays: Array) -> Any:
    """The array API namespace of arrays. array-api-compat searches for 1 µs, and a call of a loss asks 40 times, so
    NumPy's is found here.
    """
    for x in arrays:
        if type(x) not in NUMPY:
            return array_api_compat.array_namespace(*arrays)
    return array_api_compat.numpy


def device(x: Array) -> Any:
    """Return the device for new arrays that are combined with x; None for JAX, which moves them itself."""
    if type(x) in NUMPY:
        return "cpu"
    return None if is_jax_array(x) else array_api_compat.device(x)


def is_traced(x: Any) -> bool:
    """Whether JAX is tracing x, as under jit: x then has a shape and a dtype but no value."""
    return "jax" in sys.modules and is_jax_array(x) and isinstance(x, sys.modules["jax"].core.Tracer)


def is_differentiated(tensor: Any) -> bool:
    """Whether PyTorch differentiates what is computed from this tensor, in reverse or in forward mode."""
    torch = sys.modules["torch"]
    in_reverse = tensor.requires_grad and torch.is_grad_enabled()
    return in_reverse or torch.autograd.forward_ad.unpack_dual(tensor).tangent is not None


def is_recorded(x: Array) -> bool:
    """Whether PyTorch's autograd records operations on x, so that x must not be overwritten."""
    return bool(is_torch_array(x) and x.requires_grad)


def detach(x: Any) -> Any:
    """Return x as a constant for autograd: a shift, scale or rounding error on which no result depends."""
    if is_torch_array(x):
        return x.detach()
    return sys.modules["jax"].lax.stop_gradient(x) if is_jax_array(x) else x


@contextlib.contextmanager
def disable_autocast(tensors: Sequence[Any]) -> Iterator[None]:
    """Turn PyTorch's autocast off on the devices of these tensors."""
    torch = sys.modules["torch"]
    with contextlib.ExitStack() as stack:
        for kind in filter(torch.amp.is_autocast_available, {x.device.type for x in tensors}):
            stack.enter_context(torch.autocast(kind, enabled=False))
        yield


def compute_together(arrays: Sequence[Array]) -> Sequence[Array]:
    """Compute Dask arrays in one pass, because they share most of their tasks; return other arrays unchanged."""
    return sys.modules["dask"].compute(*arrays) if any(map(is_dask_array, arrays)) else arrays


def memory_key(x: Any) -> int | None:
    """A key that is equal for arrays that share memory; None if x is no array or is read-only (JAX)."""
    if not hasattr(x, "shape"):
        return None
    if type(x) not in NUMPY:
        if is_torch_array(x):
            return x.untyped_storage().data_ptr()
        if is_jax_array(x):
            return None
    while (whole := getattr(x, "base", None)) is not None:  # the array that it is a view of
        x = whole
    return id(x)


def copy_array(x: Array) -> Array:
    """Copy an array into new memory."""
    return x.clone() if is_torch_array(x) else array_namespace(x).asarray(x, copy=True)


def leaves(x: Any) -> list[Any]:
    """List the leaves of nested tuples, such as the arrays of a cache. A list, because every call of a loss asks
    several times: generators within generators made a call with few rows take 1.03 times as long.
    """
    if not isinstance(x, tuple):
        return [x]
    found: list[Any] = []
    for part in x:
        if isinstance(part, tuple):
            found += leaves(part)
        else:
            found.append(part)
    return found


def map_leaves(change: Callable[..., Any], x: Any, *others: Any) -> Any:
    """Apply a function to the corresponding leaves of nested tuples of one shape."""
    if not isinstance(x, tuple):
        return change(x, *others)
    parts = [map_leaves(change, *same) for same in zip(x, *others, strict=True)]
    return x._make(parts) if hasattr(x, "_make") else tuple(parts)


def describe(x: Any) -> str:
    """Describe an argument in a few words, for an error message."""
    if hasattr(x, "dtype"):
        return f"{type(x).__name__} of {x.dtype}" + (f" and shape {tuple(x.shape)}" if x.shape else "")
    if isinstance(x, str | int | float | None):
        with contextlib.suppress(ValueError):  # an integer of thousands of digits
            return reprlib.repr(x)
    return type(x).__name__


def converter(library: str) -> Callable[[np.ndarray], Array]:
    """Return the function that converts a NumPy array to the named library: on its default device, for "torch:cuda"
    on PyTorch's GPU.

    Raises ValueError where it finds no GPU, ImportError if it is not installed.
    """
    name, _, place = library.partition(":")
    module = importlib.import_module(name)
    if (name == "cupy" or place) and not module.cuda.is_available():
        raise ValueError(f"{name} finds no GPU here")
    if name == "torch":  # which refuses negative strides
        return lambda x: module.asarray(x.copy(), device=place or None)
    if name == "jax":
        module.config.update("jax_enable_x64", True)
        return module.numpy.asarray
    return module.asarray


def to_numpy(x: Array) -> np.ndarray:
    """Convert an array of any library to NumPy: a copy or a view."""
    if is_torch_array(x):
        x = x.cpu()
    return x.get() if hasattr(x, "get") else np.asarray(x)
