"""The losses as JAX functions, with the gradients that are proved here instead of those of JAX's own rules.

    from infonce_ref.jax import ntxent

    loss = ntxent(w, temperature=0.1)            # w (N, d) from an encoder, temperature a number or a 0-d array
    jax.grad(ntxent)(w, temperature=0.1)

Every loss of `infonce_ref.losses.ALL` is here under its name, and every estimator of `infonce_ref.information`
under `information`, with the arguments of its `forward`; NumPy arrays and numbers are taken as JAX's own functions
take them. A gradient goes to each array by which the loss is differentiable. It stops at byol's target and at
simsiam's z under its stop-gradient, which are constants. By any other argument, such as a margin, a hardness or
targets, differentiation is refused with a ValueError that names it.

What holds, and what does not:
- `jit`, `vmap`, `grad`, `jvp` and what is made of them work, one within another, in reverse and in forward mode.
  Options that are no arrays, such as a layout, are fixed when a function is compiled.
- Second and higher derivatives are those that JAX takes of the backward pass: `hessian`, a gradient penalty, MAML.
  Where a softmax is saturated they keep their digits relative to the gradient, not to their own size.
- What JAX traces has a shape and no values. Shapes that do not agree are a ValueError there too. What is a
  ValueError for its values, such as a zero row, an index or a temperature out of range, NaN, or a result that
  overflows, makes the value and every gradient NaN; under `vmap`, those of the point that is out of range.
- The dtype that came in stays: float64 needs `jax_enable_x64`, without which JAX makes float32 of it. A temperature
  that is an array takes the dtype of the rows, and its gradient has its own.
- Arrays in float16 or bfloat16 are computed in float32, or in float64 beside such an array: the value has that
  dtype, a gradient the dtype of its input, in which it may be infinite.
- `infonce_ref.streaming` writes in place, and refuses JAX arrays with a ValueError.
"""

import contextlib
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import losses
from .bridges import arguments, documented, stopped, taken_apart
from .checks import allow_jax_gradient
from .information import ESTIMATORS
from .registry import Loss

try:
    import jax
except ModuleNotFoundError as missing:
    raise ImportError('infonce_ref.jax needs JAX: pip install "infonce_ref[jax]"') from missing


def from_numpy(x: Any) -> Any:
    """A JAX array of a NumPy array, as JAX's own functions make it, and of what `stop_gradient` makes of a number
    or a NumPy array; all else as it is."""
    of_jax = type(x).__module__.partition(".")[0] == "jax" and isinstance(x, int | float | np.ndarray)
    return jax.numpy.asarray(x) if of_jax or type(x) is np.ndarray else x


def widened(arrays: dict[str, jax.Array]) -> dict[str, jax.Array]:
    """Arrays in half precision as float32, or as float64 beside such an array. JAX returns their gradients in the
    dtype in which they came."""
    rows = [x for x in arrays.values() if x.ndim]
    wide = "float64" if any(x.dtype == "float64" for x in rows) else "float32"
    return {
        name: x.astype(wide) if x.ndim and x.dtype in ("float16", "bfloat16") else x
        for name, x in arrays.items()
    }


def as_the_rows(x: jax.Array, rows: jax.Array) -> jax.Array:
    """A number by which the loss is differentiated, in the dtype of the rows."""
    real = jax.numpy.isdtype(x.dtype, ("integral", "real floating"))
    return x.astype(rows.dtype) if real and not x.ndim else x


def as_called(arrays: Any) -> contextlib.AbstractContextManager:
    """Within, JAX computes what it knows without its look at derivatives, which takes ten times as long."""
    known = not any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves(arrays))
    return jax.ensure_compile_time_eval() if known else contextlib.nullcontext()


def function(loss: Loss) -> Callable[..., jax.Array]:
    """The loss as a function of JAX arrays that JAX differentiates by the loss's backward, to any order.

    JAX's rules differentiate what `backward` computes from the cache, never the value: by `with_slope` the value's
    derivative is that backward too.
    """

    @allow_jax_gradient()
    def passed(options: dict, inputs: dict, constants: dict) -> tuple[jax.Array, Any]:
        # under jax.grad NumPy arrays are still such
        inputs, constants = jax.tree.map(jax.numpy.asarray, (inputs, constants))
        with as_called((inputs, constants)):
            return loss.forward(**options, **inputs, **constants)

    @partial(jax.custom_jvp, nondiff_argnums=(0,))
    def value_of(options: dict, inputs: dict, constants: dict) -> jax.Array:
        return passed(options, inputs, constants)[0]

    @partial(value_of.defjvp, symbolic_zeros=True)
    def differentiated(options: dict, primals: tuple, tangents: tuple) -> tuple[jax.Array, jax.Array]:
        inputs, constants = primals
        directions, of_constants = map(varying, tangents)
        for name in of_constants:
            raise ValueError(
                f"{loss.name} has no gradient by {name}: hold it constant, with jax.lax.stop_gradient({name})"
            )
        value, cache = passed(options, inputs, constants)
        arrays, cache_of = taken_apart(cache, jax.Array)
        value = with_slope(cache_of, jax.lax.stop_gradient(value), inputs, arrays)
        return value, along(cache_of, value, arrays, directions)

    @partial(jax.custom_jvp, nondiff_argnums=(0,))
    def with_slope(cache_of: Callable, value: jax.Array, inputs: dict, arrays: list) -> jax.Array:
        """The value again: under another derivative its slope by the inputs is the backward of this cache."""
        return value

    @partial(with_slope.defjvp, symbolic_zeros=True)
    def differentiated_again(cache_of: Callable, primals: tuple, tangents: tuple) -> tuple[Any, Any]:
        value, _, arrays = primals
        return with_slope(cache_of, *primals), along(cache_of, value, arrays, varying(tangents[1]))

    def along(cache_of: Callable, value: jax.Array, arrays: list, directions: dict) -> jax.Array:
        """The derivative of the value as the inputs move in these directions."""

        def gradients(upstream: Any) -> dict:
            found = loss.backward(cache_of(arrays), upstream)
            return {name: getattr(found, name) for name in directions}

        if value.ndim:  # J d, as the derivative by u of what backward gives, which is ⟨Jᵀ u, d⟩
            (slope,) = jax.vjp(gradients, jax.numpy.ones_like(value))[1](directions)
            return slope
        with as_called(arrays):
            found = gradients(1.0)
        zero = jax.numpy.zeros_like(value)
        return sum((jax.numpy.sum(found[name] * directions[name]) for name in directions), zero)

    def value(*positional: Any, **named: Any) -> jax.Array:
        positional, named = jax.tree.map(from_numpy, (positional, named))
        by_name = arguments(loss, positional, named, jax.Array, "JAX array")
        constant = stopped(loss, by_name)
        arrays = widened({name: x for name, x in by_name.items() if isinstance(x, jax.Array)})
        rows = next(iter(arrays.values()))
        inputs = {
            name: as_the_rows(arrays.pop(name), rows)
            for name in loss.differentiable
            if name in arrays and name not in constant
        }
        return value_of(
            {name: x for name, x in by_name.items() if not isinstance(x, jax.Array)},
            inputs,
            arrays | jax.lax.stop_gradient({name: x for name, x in arrays.items() if name in constant}),
        )

    return documented(value, loss, jax.Array)


def varying(tangents: dict[str, Any]) -> dict[str, Any]:
    """The tangents of what moves, by name."""
    zero = jax.custom_derivatives.SymbolicZero
    return {
        name: x for name, x in tangents.items() if not isinstance(x, zero) and x.dtype != jax.dtypes.float0
    }


functions = {name: function(loss) for name, loss in losses.ALL.items()}
information = SimpleNamespace(**{name: function(loss) for name, loss in ESTIMATORS.items()})


def __getattr__(name: str) -> Callable[..., jax.Array]:
    if name in functions:
        return functions[name]
    raise AttributeError(f"infonce_ref.jax has no loss {name!r}: it has {', '.join(functions)}")


def __dir__() -> list[str]:
    return [*functions, "information"]
