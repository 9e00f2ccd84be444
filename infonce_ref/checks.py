"""Check the inputs and the results of a loss. Each ValueError says the rule, what was given, and what to do."""

import contextlib
import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from typing import Any, Literal, ParamSpec, TypeVar, get_args, get_origin

import numpy as np
from array_api_compat import is_jax_array, is_pydata_sparse_array, is_torch_array

from .arrays import (
    Array,
    array_namespace,
    compute_together,
    describe,
    device,
    is_differentiated,
    is_traced,
    leaves,
    map_leaves,
)

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class NotFinite(ValueError):
    """A number is NaN or infinite, or overflows. A bridge may pass it on if its framework expects that."""


def check(**named: tuple[Array, str]) -> tuple[Any, dict[str, int]]:
    """Check arrays; return their namespace and the size of each named axis.

    ``check(query=(query, "n d"), negatives=(negatives, "M d"))`` asks for two finite arrays of one dtype,
    float32 or float64, whose axes called d agree; ``"M? d"`` allows M = 0. After them ``index=(index, "n → M")``
    asks for n integers in range(M), ``labels=(labels, "N → any")`` for N integers, and
    ``keep=(keep, "n K → bool")`` for booleans, or None for none.
    Raises ValueError with the rule, what was given and what to do.
    """
    xp, sizes = check_forms(**named)
    for name, (x, form) in named.items():
        into = form.partition(" → ")[2]
        if not into and is_broken(all_finite(x)):
            raise NotFinite(f"{name} must be finite; it holds NaN or infinity: find the rows and drop them")
        below = sizes.get(into)
        if below is not None and is_broken(xp.all((x >= 0) & (x < below))):
            raise ValueError(f"{name} must lie in 0 … {below - 1}; got {int(xp.min(x))} … {int(xp.max(x))}")
    return xp, sizes


def check_forms(**named: tuple[Array, str]) -> tuple[Any, dict[str, int]]:
    """Check arrays as `check` does, except for their entries."""
    sizes: dict[str, int] = {}
    owner: dict[str, str] = {}
    first, (one, _) = next(iter(named.items()))
    xp = find_namespace(first, one)
    for name, (x, form) in named.items():
        axes, _, into = form.partition(" → ")
        if x is not None or into != "bool":
            check_kind(name, x, {"": "float", "bool": "bool"}.get(into, "int"), first, one, xp)
            check_axes(name, x, axes, sizes, owner)
    return xp, sizes


def check_kind(name: str, x: Array, kind: str, first: str, one: Array, xp: Any) -> None:
    """Refuse an array whose library, dtype or device is not that of the first."""
    if find_namespace(name, x) is not xp:
        raise ValueError(f"all arrays must come from one library; {name} and {first} do not: convert one")
    if kind == "bool":
        if x.dtype != xp.bool:
            raise ValueError(f"{name} must be booleans; got {x.dtype}: compare it with 0")
    elif x.dtype not in (getattr(xp, kind + "32"), getattr(xp, kind + "64")):
        raise ValueError(f"{name} must be {kind}32 or {kind}64; got {x.dtype}: convert it to {kind}64")
    if kind == "float" and x.dtype != one.dtype:
        raise ValueError(
            f"all arrays must share one dtype; {first} is {one.dtype}, {name} is {x.dtype}: convert one"
        )
    if device(x) != device(one):
        raise ValueError(
            f"all arrays must lie on one device; {first} is on {device(one)}, {name} on {device(x)}: move one"
        )


def check_axes(name: str, x: Array, axes: str, sizes: dict[str, int], owner: dict[str, str]) -> None:
    """Refuse a wrong number of axes, an unknown or empty one, or one whose size disagrees; note the sizes of
    new ones.
    """
    letters = axes.replace("?", "").split()
    shape = tuple(x.shape)
    if x.ndim != len(letters):
        raise ValueError(f"{name} must have shape ({', '.join(letters)}); got {shape}")
    for letter, size in zip(letters, shape):
        if size != size:  # Dask's NaN
            raise ValueError(f"{name} must have a known shape; got {shape}: compute its chunk sizes")
        if size == 0 and f"{letter}?" not in axes:
            raise ValueError(f"{name} must not be empty; got shape {shape}")
        if sizes.setdefault(letter, size) != size:
            raise ValueError(
                f"{name} and {owner[letter]} must agree in {letter}; "
                f"{owner[letter]} has {sizes[letter]}, {name} has shape {shape}"
            )
        owner.setdefault(letter, name)


def find_namespace(name: str, x: Array) -> Any:
    """Return the array API namespace of one argument, or raise ValueError if it is no dense, plain array."""
    # other subclasses than memmap have a mask, a unit or their own product
    if isinstance(x, np.ndarray) and type(x) not in (np.ndarray, np.memmap):
        raise ValueError(
            f"{name} must be a plain array; got {type(x).__name__}: pass numpy.asarray(…) of the data"
        )
    try:
        xp = array_namespace(x)
    except TypeError:
        raise ValueError(
            f"{name} must be an array (NumPy, CuPy, PyTorch, JAX …); got {type(x).__name__}: wrap it in one"
        ) from None
    is_sparse = is_torch_array(x) and str(x.layout) != "torch.strided"  # or nested
    if is_sparse or is_pydata_sparse_array(x):
        raise ValueError(f"{name} must be dense; got a sparse or nested array: convert it to a dense one")
    return xp


@contextlib.contextmanager
def setting(variable: ContextVar[T], value: T) -> Iterator[T]:
    """Set the variable inside this block."""
    before = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(before)


# the rules whose truth is unknown while JAX traces
RULES: ContextVar[list[Array]] = ContextVar("RULES")


def is_broken(rule: Array) -> bool:
    """Return whether a rule, a 0-d boolean, is known to be broken.

    While JAX traces, the rule has no value yet: it is kept for `nan_if_broken`.
    """
    if is_traced(rule):
        RULES.get([]).append(rule)
        return False
    return not bool(rule)


def all_finite(x: Array) -> Array:
    """Whether no number is NaN or infinite, a 0-d boolean."""
    xp = array_namespace(x)
    if is_torch_array(x) and x.numel():  # whose isfinite takes four passes, each a kernel on a GPU
        return xp.linalg.vector_norm(x, ord=math.inf) < math.inf
    return xp.all(xp.isfinite(x))


def nan_if_broken(call: Callable[P, R]) -> Callable[P, R]:
    """Make a function return NaN everywhere if one of its rules turns out broken after JAX has traced it.

    While JAX traces there is no value, so no error can be raised. A cache of NaN makes every gradient NaN."""

    @functools.wraps(call)
    def call_checked(*args: P.args, **kwargs: P.kwargs) -> R:
        with setting(RULES, []) as rules:
            result = call(*args, **kwargs)
        for x in leaves(tuple(x for x in args if isinstance(x, tuple))):  # of a cache
            if is_traced(x) and is_float(x):
                rules.append(~array_namespace(x).isnan(x.ravel()[0]))
        if not rules:
            return result
        xp = array_namespace(*rules)
        # a product, so that derivatives are NaN too; a Python float adopts the dtype of the other factor
        factor = xp.where(functools.reduce(xp.logical_and, rules), 1.0, xp.nan)
        return map_leaves(lambda x: x * factor if is_jax_array(x) and is_float(x) else x, result)

    return call_checked


def is_float(x: Array) -> bool:
    return array_namespace(x).isdtype(x.dtype, "real floating")


def check_number(name: str, x: Any) -> Any:
    """Return a number or 0-d array as a Python float; if JAX traces it, as a weakly typed array, which takes the
    dtype of the arrays it is combined with as a float would; if PyTorch differentiates by it, as it is."""
    # float() reads digits from strings and bytes too, and drops the imaginary part of an array
    if hasattr(x, "__float__") and not isinstance(x, bool) and not getattr(x, "ndim", 0):
        xp = find_namespace(name, x) if hasattr(x, "dtype") else None
        with contextlib.suppress(TypeError, ValueError, OverflowError, RuntimeError):
            if xp is None or xp.isdtype(x.dtype, ("integral", "real floating")):
                if is_torch_array(x) and is_differentiated(x):
                    return x
                if is_traced(x):
                    zero = sys.modules["jax"].numpy.asarray(0.0)  # of the weak type
                    return zero.at[()].set(x.astype(zero.dtype))
                return float(x)
    raise ValueError(f"{name} must be a number that a float can hold; got {describe(x)}: pass a float")


def check_count(name: str, x: Any) -> int:
    """Return a positive integer, such as a count, as an int."""
    if isinstance(x, int | np.integer) and not isinstance(x, bool | np.timedelta64) and x >= 1:
        return int(x)
    raise ValueError(f"{name} must be a positive integer; got {describe(x)}: pass an int of 1 or more")


def check_finite(name: str, x: Any) -> Any:
    """Return a finite number, such as the upstream gradient."""
    number = check_number(name, x)
    if is_broken(abs(number) < math.inf):
        raise NotFinite(f"{name} must be finite; got {number}")
    return number


def check_range(name: str, x: Any, holds: Callable[[Any], Any], words: str) -> Any:
    """Return a number, or raise ValueError unless this rule holds of it."""
    number = check_number(name, x)
    if is_broken(holds(number)):
        raise ValueError(f"{name} must be {words}; got {number}")
    return number


def check_positive(name: str, x: Any) -> Any:
    """Return a positive, finite number, such as a temperature."""
    return check_range(name, x, lambda x: (x > 0) & (x < math.inf), "positive and finite")


def check_non_negative(name: str, x: Any) -> Any:
    """Return a finite number that is at least 0, such as a margin."""
    return check_range(name, x, lambda x: (x >= 0) & (x < math.inf), "finite and not negative")


def check_share(name: str, x: Any) -> Any:
    """Return a number of the half-open interval [0, 1)."""
    return check_range(name, x, lambda x: (x >= 0) & (x < 1), "at least 0 and below 1")


def check_choice(name: str, x: Any, allowed: tuple) -> None:
    """Raise ValueError unless an option is one of those allowed."""
    if not isinstance(x, str | int | np.bool) or x not in allowed:  # `x in allowed` is ambiguous for arrays
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {describe(x)}")


def list_choices(parameters: Mapping[str, inspect.Parameter]) -> dict[str, tuple]:
    """The values that an option may have, for options whose annotation lists them: a Literal, or bool."""
    return {
        name: (True, False) if option.annotation is bool else get_args(option.annotation)
        for name, option in parameters.items()
        if option.annotation is bool or get_origin(option.annotation) is Literal
    }


# whether JAX may differentiate a loss: inside the bridge, which supplies the gradient of `backward`
BRIDGED: ContextVar[bool] = ContextVar("BRIDGED", default=False)


def check_value(name: str, value: Array) -> Array:
    """Return the loss, or raise ValueError if it overflowed."""
    if is_broken(all_finite(value)):
        raise ValueError(
            f"{name} overflows {value.dtype}: scale the inputs down, "
            "raise the temperature where there is one, or use float64"
        )
    return forbid_jax_gradient(name)(value) if is_traced(value) and not BRIDGED.get() else value


@functools.cache
def forbid_jax_gradient(name: str) -> Callable[[Array], Array]:
    """Return an identity on JAX arrays that raises ValueError when JAX differentiates it, even under jax.jit."""
    identity = sys.modules["jax"].custom_jvp(lambda value: value)

    @identity.defjvp
    def refuse(primals: Any, tangents: Any) -> None:
        raise ValueError(
            f"{name} computes its gradient in its backward, which jax.grad does not call: "
            f"use infonce_ref.jax.{name}, or stop_gradient on its inputs"
        )

    return identity


def check_gradients(name: str, gradients: Any) -> Any:
    """Return the gradients, a NamedTuple, or raise NotFinite if one of them overflowed."""
    finite = compute_together([all_finite(x) for x in gradients])
    for input, x, rule in zip(gradients._fields, gradients, finite):
        if is_broken(rule):
            raise NotFinite(
                f"the gradient of {name} by {input} overflows {x.dtype}: scale the inputs to a length near 1, "
                "raise the temperature where there is one, lower upstream, or use float64"
            )
    return gradients
