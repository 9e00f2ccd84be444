"""Isolate a call of a loss from autograd, autocast, NumPy's error settings and arrays that are written to later."""

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

import numpy as np
from array_api_compat import is_torch_array

from . import threads
from .arrays import (
    NUMPY,
    Array,
    copy_array,
    disable_autocast,
    is_differentiated,
    leaves,
    map_leaves,
    memory_key,
)
from .checks import check_choice, check_gradients, check_value, list_choices, nan_if_broken
from .contract import check_cache, explain_call, name_loss

P = ParamSpec("P")
R = TypeVar("R")

# whether a cache may hold the caller's arrays without a copy: PyTorch's autograd refuses saved tensors that changed
LENT: ContextVar[bool] = ContextVar("LENT", default=False)


def ignore_float_errors() -> np.errstate:
    """Keep NumPy from warning or raising on overflow; `check_value` detects it."""
    return np.errstate(all="ignore")


def isolate(one_pass: Callable[P, R]) -> Callable[P, R]:
    """Decorate a loss's forward or backward so that nothing around the call changes its result.

    A tensor that requires a gradient is refused with a ValueError that names the bridge: autograd would record the
    computation, and give gradients to inputs that the loss holds constant. PyTorch's autocast, which would lower
    the precision, is off. NumPy neither warns nor raises on overflow; `check_value` refuses it. If a rule is broken
    while JAX traces, the result is NaN: `nan_if_broken`. Few rows are computed on one thread, because NumPy's BLAS
    would wait for busy cores. No result shares memory with an argument: `unshare`. An option has one of the values
    of its annotation, and results that overflow are refused.
    """
    names, loss = inspect.signature(one_pass).parameters, name_loss(one_pass)
    short, choices = loss.removeprefix("streaming."), list_choices(names)

    @nan_if_broken
    def checked(*args: P.args, **kwargs: P.kwargs) -> Any:
        for name, values in choices.items():
            if name in kwargs:
                check_choice(name, kwargs[name], values)
        result: Any = one_pass(*args, **kwargs)
        if "cache" in names:
            return check_gradients(short, result)
        value, cache = result
        return check_value(short, value), cache

    @functools.wraps(one_pass)
    def isolated(*args: P.args, **kwargs: P.kwargs) -> R:
        given = {**dict(zip(names, args)), **kwargs}
        if "cache" in given:
            check_cache(one_pass, given["cache"], names["cache"].annotation)
        with contextlib.ExitStack() as stack:
            stack.enter_context(ignore_float_errors())
            arrays = leaves(tuple(given.values()))
            if tensors := [x for x in arrays if type(x) not in NUMPY and is_torch_array(x)]:
                for name, x in given.items():
                    if is_torch_array(x) and is_differentiated(x):
                        raise ValueError(
                            f"{name} requires a gradient, which autograd would compute without the loss's "
                            f"backward: use infonce_ref.torch.{loss}, or pass {name}.detach()"
                        )
                stack.enter_context(sys.modules["torch"].no_grad())
                stack.enter_context(disable_autocast(tensors))
            if threads.are_few(x.shape for x in arrays if isinstance(x, np.ndarray)):
                stack.enter_context(threads.one_thread())
            try:
                result = checked(*args, **kwargs)
            except TypeError:
                explain_call(one_pass, args, kwargs)
                raise
            return unshare(result, () if LENT.get() else tuple(arrays))

    return isolated


def unshare(result: Any, given: tuple) -> Any:
    """Copy each array of a result, (value, cache) or gradients, that shares memory with one in `given` or in an
    earlier part of the result. Arrays of one cache may share memory."""
    taken = {memory_key(x) for x in leaves(given)} - {None}
    copies: dict[int, Array] = {}
    parts = []

    def replaced(x: Any) -> Any:
        return copies.get(id(x), x)

    for part in result:
        # each array once, even if a cache contains it twice
        mine = {id(x): (x, memory_key(x)) for x in leaves(part)}
        copies |= {k: copy_array(x) for k, (x, key) in mine.items() if key in taken}
        parts.append(map_leaves(replaced, part))
        taken |= {key for _, key in mine.values()} - {None}
    return result._make(parts) if hasattr(result, "_make") else type(result)(parts)
