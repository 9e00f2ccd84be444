"""Each loss as a function of JAX arrays that JAX differentiates and transforms."""

import contextlib
from collections.abc import Callable, Hashable
from functools import partial
from inspect import Parameter
from types import SimpleNamespace
from typing import Any

import jax
import numpy as np

from .. import losses
from ..bridges import arguments, document, explain_gather, find_stopped, find_views, take_apart
from ..checks import BRIDGED, setting
from ..information import ESTIMATORS
from ..registry import Loss


def from_numpy(x: Any) -> Any:
    """Convert NumPy arrays, and the types that `stop_gradient` returns for numbers and NumPy arrays, to JAX
    arrays."""
    of_jax = type(x).__module__.partition(".")[0] == "jax" and isinstance(x, int | float | np.ndarray)
    return jax.numpy.asarray(x) if of_jax or type(x) is np.ndarray else x


def widen(arrays: dict[str, jax.Array]) -> dict[str, jax.Array]:
    """Cast half precision to float32, or to float64 beside float64; JAX casts the gradients back."""
    rows = [x for x in arrays.values() if x.ndim]
    wide = "float64" if any(x.dtype == "float64" for x in rows) else "float32"
    return {
        name: x.astype(wide) if x.ndim and x.dtype in ("float16", "bfloat16") else x
        for name, x in arrays.items()
    }


def cast_to_rows(x: jax.Array, rows: jax.Array) -> jax.Array:
    """Cast a scalar input, such as the temperature, to the dtype of the rows."""
    real = jax.numpy.isdtype(x.dtype, ("integral", "real floating"))
    return x.astype(rows.dtype) if real and not x.ndim else x


def disable_tracing(arrays: Any) -> contextlib.AbstractContextManager:
    """Inside this block JAX computes untraced arrays without recording derivatives, which is ten times as
    fast.
    """
    known = not any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(arrays))
    return jax.ensure_compile_time_eval() if known else contextlib.nullcontext()


def function(loss: Loss) -> Callable[..., jax.Array]:
    """Return the loss as a function of JAX arrays whose derivatives of any order come from the loss's backward.

    JAX differentiates the result of `backward`, never the value: `with_slope` makes the backward the value's
    derivative.
    """

    along = partial(differentiate_along, loss.backward)

    def passed(options: dict, inputs: dict, constants: dict) -> tuple[jax.Array, Any]:
        # under jax.grad, NumPy arrays are still NumPy arrays
        inputs, constants = jax.tree.map(jax.numpy.asarray, (inputs, constants))
        with setting(BRIDGED, True), disable_tracing((inputs, constants)):
            return loss.forward(**options, **inputs, **constants)

    @partial(jax.custom_jvp, nondiff_argnums=(0,))
    def value_of(options: dict, inputs: dict, constants: dict) -> jax.Array:
        return passed(options, inputs, constants)[0]

    @partial(value_of.defjvp, symbolic_zeros=True)
    def differentiated(options: dict, primals: tuple, tangents: tuple) -> tuple[jax.Array, jax.Array]:
        inputs, constants = primals
        directions, of_constants = map(select_varying, tangents)
        for name in of_constants:
            raise ValueError(
                f"{loss.name} has no gradient by {name}: hold it constant, with jax.lax.stop_gradient({name})"
            )
        value, cache = passed(options, inputs, constants)
        arrays, cache_of = take_apart(cache, jax.Array)
        value = with_slope(cache_of, jax.lax.stop_gradient(value), inputs, arrays)
        return value, along(cache_of, value, arrays, directions)

    @partial(jax.custom_jvp, nondiff_argnums=(0,))
    def with_slope(cache_of: Callable, value: jax.Array, inputs: dict, arrays: list) -> jax.Array:
        """Return the value, with the backward of this cache as its derivative by the inputs."""
        return value

    @partial(with_slope.defjvp, symbolic_zeros=True)
    def differentiated_again(cache_of: Callable, primals: tuple, tangents: tuple) -> tuple[Any, Any]:
        value, _, arrays = primals
        return with_slope(cache_of, *primals), along(cache_of, value, arrays, select_varying(tangents[1]))

    def value(*positional: Any, **named: Any) -> jax.Array:
        if (axis_name := named.pop("axis_name", None)) is not None:
            positional, named = (), gather(loss, positional, named, axis_name)
        return value_of(*sort_arguments(loss, positional, named))

    value.__module__ = __package__  # pickle imports the function from this module
    document(value, loss, jax.Array)
    if loss.compares:
        add_axis(value)
    return value


def add_axis(value: Callable[..., jax.Array]) -> None:
    """Add `axis_name` to a function's signature."""
    axis = Parameter("axis_name", Parameter.KEYWORD_ONLY, default=None, annotation=Hashable | None)
    its = value.__signature__  # type: ignore[attr-defined]
    vars(value)["__signature__"] = its.replace(parameters=[*its.parameters.values(), axis])


def gather(loss: Loss, positional: tuple, named: dict, axis_name: Any) -> dict[str, Any]:
    """Return the arguments by name, each array with the rows of all devices along an axis of pmap or shard_map.

    The gradient of gathered rows is summed over the devices, the transpose of `jax.lax.all_gather`."""
    if not loss.compares:
        raise TypeError(explain_gather(loss.name, "axis_name"))
    positional, named = jax.tree.map(from_numpy, (positional, named))
    by_name = arguments(loss, positional, named, jax.Array, "JAX array")
    both = find_views(loss) if by_name.get("layout") != "interleaved" else ""

    def of_all(x: jax.Array) -> jax.Array:
        return jax.lax.all_gather(x, axis_name, tiled=True)

    for name, x in by_name.items():
        if not isinstance(x, jax.Array) or not x.ndim or x.dtype == bool:  # a mask covers the whole batch
            continue
        if find_views(loss) == name and len(x) % 2:
            raise ValueError(f"{name} must have an even number of rows on each device; got {len(x)}")
        by_name[name] = (
            jax.numpy.concat([of_all(view) for view in jax.numpy.split(x, 2)]) if name == both else of_all(x)
        )
    return by_name


def sort_arguments(loss: Loss, positional: tuple, named: dict) -> tuple[dict, dict, dict]:
    """Return the options, the inputs to differentiate by, and the arrays that are held constant."""
    positional, named = jax.tree.map(from_numpy, (positional, named))
    by_name = arguments(loss, positional, named, jax.Array, "JAX array")
    constant = find_stopped(loss, by_name)
    arrays = widen({name: x for name, x in by_name.items() if isinstance(x, jax.Array)})
    rows = next(iter(arrays.values()))
    inputs = {
        name: cast_to_rows(arrays.pop(name), rows)
        for name in loss.differentiable
        if name in arrays and name not in constant
    }
    held = jax.lax.stop_gradient({name: x for name, x in arrays.items() if name in constant})
    options = {name: x for name, x in by_name.items() if not isinstance(x, jax.Array)}
    return options, inputs, arrays | held


def differentiate_along(
    backward: Callable, cache_of: Callable, value: jax.Array, arrays: list, directions: dict
) -> jax.Array:
    """Return the derivative of the value along these directions of the inputs."""

    def gradients(upstream: Any) -> dict:
        found = backward(cache_of(arrays), upstream)
        return {name: getattr(found, name) for name in directions}

    if value.ndim:  # J d, as the derivative by u of ⟨Jᵀ u, d⟩, because backward gives Jᵀ u
        (slope,) = jax.vjp(gradients, jax.numpy.ones_like(value))[1](directions)
        return slope
    with disable_tracing(arrays):
        found = gradients(1.0)
    zero = jax.numpy.zeros_like(value)
    return sum((jax.numpy.sum(found[name] * directions[name]) for name in directions), zero)


def select_varying(tangents: dict[str, Any]) -> dict[str, Any]:
    """Return the nonzero tangents by name."""
    zero = jax.custom_derivatives.SymbolicZero
    return {
        name: x for name, x in tangents.items() if not isinstance(x, zero) and x.dtype != jax.dtypes.float0
    }


plain = {name: function(loss) for name, loss in losses.ALL.items()}
information = SimpleNamespace(**{name: function(loss) for name, loss in ESTIMATORS.items()})
