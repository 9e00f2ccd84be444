"""The losses as JAX functions, with the gradients that are proved here instead of those of JAX's own rules.

    from infonce_ref.jax import ntxent

    loss = ntxent(w, temperature=0.1)            # w (N, d) from an encoder, temperature a number or a 0-d array
    jax.grad(ntxent)(w, temperature=0.1)

Every loss of `infonce_ref.losses.ALL` is here under its name, and every estimator of `infonce_ref.information`
under `information`, with the arguments of its `forward`; NumPy arrays are taken as JAX's own functions take them. A
gradient goes to each array by which the loss is differentiable. At every
other it stops: byol's target and simsiam's z under its stop-gradient are constants.

What holds, and what does not:
- `jit`, `grad`, `value_and_grad` and `vmap` work, one within another. Options that are no arrays, such as a layout,
  are fixed when a function is compiled.
- What JAX traces has a shape and no values. Shapes that do not agree are a ValueError there too, but a zero row or
  an index out of range is not seen, and NaN comes out as NaN.
- The dtype that came in stays: float64 needs `jax_enable_x64`, without which JAX makes float32 of it. A temperature
  that is an array takes the dtype of the rows.
- A second derivative is refused with a ValueError, forward-mode differentiation (`jvp`, `jacfwd`) with a TypeError.
- `infonce_ref.streaming` writes in place, and refuses JAX arrays with a ValueError.
"""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import losses
from .bridges import arguments, documented, stopped, taken_apart
from .information import ESTIMATORS
from .registry import Loss

try:
    import jax
except ModuleNotFoundError as missing:
    raise ImportError('infonce_ref.jax needs JAX: pip install "infonce_ref[jax]"') from missing


def from_numpy(x: Any) -> Any:
    """A JAX array of a NumPy array, as JAX's own functions make it; all else as it is."""
    return jax.numpy.asarray(x) if type(x) is np.ndarray else x


def function(loss: Loss) -> Callable[..., jax.Array]:
    """The loss as a function of JAX arrays whose gradient is its backward."""

    @partial(jax.custom_vjp, nondiff_argnums=(0,))
    def value_of(options: dict, inputs: dict, constants: dict) -> jax.Array:
        return loss.forward(**options, **inputs, **constants)[0]

    def forward(options: dict, inputs: dict, constants: dict) -> tuple[jax.Array, Callable]:
        value, cache = loss.forward(**options, **inputs, **constants)
        arrays, cache_of = taken_apart(cache, jax.Array)
        names = tuple(inputs)

        def backward(arrays: list, upstream: jax.Array) -> dict:
            gradients = loss.backward(cache_of(arrays), upstream)
            return {name: getattr(gradients, name) for name in names}

        return value, jax.tree_util.Partial(backward, arrays)  # to JAX a tree of arrays

    value_of.defvjp(forward, lambda options, backward, upstream: (backward(upstream), None))

    def value(*positional: Any, **named: Any) -> jax.Array:
        positional, named = jax.tree.map(from_numpy, (positional, named))
        by_name = arguments(loss, positional, named, jax.Array, "JAX array")
        constant = stopped(loss, by_name)
        arrays = {name: x for name, x in by_name.items() if isinstance(x, jax.Array)}
        dtype = next(iter(arrays.values())).dtype
        inputs = {
            name: arrays.pop(name) for name in loss.differentiable if name in arrays and name not in constant
        }
        return value_of(
            {name: x for name, x in by_name.items() if not isinstance(x, jax.Array)},
            {name: x if x.ndim else x.astype(dtype) for name, x in inputs.items()},
            jax.lax.stop_gradient(arrays),
        )

    return documented(value, loss, jax.Array)


functions = {name: function(loss) for name, loss in losses.ALL.items()}
information = SimpleNamespace(**{name: function(loss) for name, loss in ESTIMATORS.items()})


def __getattr__(name: str) -> Callable[..., jax.Array]:
    if name in functions:
        return functions[name]
    raise AttributeError(f"infonce_ref.jax has no loss {name!r}: it has {', '.join(functions)}")


def __dir__() -> list[str]:
    return [*functions, "information"]
