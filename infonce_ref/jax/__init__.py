"""The losses as JAX functions, with the gradients that are proved here instead of JAX's own.

    from infonce_ref.jax import ntxent

    loss = ntxent(w, temperature=0.1)            # w (N, d) from an encoder, temperature a number or a 0-d array
    jax.grad(ntxent)(w, temperature=0.1)
    ntxent(w, temperature=0.1, axis_name="ranks")   # over the devices of pmap or shard_map

Every loss of `infonce_ref.losses.ALL` is here under its name, and every estimator of `infonce_ref.information`
under `information`, with the arguments of its `forward`; NumPy arrays and numbers are accepted as by JAX's own
functions. Every differentiable array gets a gradient, except byol's target and simsiam's z under its stop-gradient,
which are constants. Differentiating by any other argument, such as a margin, a hardness or targets, raises a
ValueError that names it.

With `axis_name`, an option of each loss that compares rows, w holds this device's rows, its first views before its
second, and the value on each device is the loss of the whole batch. `jax.lax.pmean` of it, or of its gradients, has
the gradient of one device [R27].

Guarantees and limitations:
- `jit`, `vmap`, `grad`, `jvp` and their combinations work, in reverse and in forward mode. Options that are not
  arrays, such as a layout, are fixed when a function is compiled.
- Higher derivatives are JAX's derivatives of the backward pass: `hessian`, a gradient penalty, MAML. If a
  softmax is saturated, their error is small relative to the gradient, not to themselves.
- Traced arrays have a shape but no values. Mismatched shapes raise ValueError. What eager calls refuse because of a
  value (a zero row, an index or a temperature out of range, NaN, an overflow) gives a NaN value and NaN gradients;
  under `vmap` only at the point in question.
- The dtype stays; float64 needs `jax_enable_x64`, without which JAX casts it to float32. An array temperature
  is cast to the dtype of the rows, and its gradient back to its own.
- float16 and bfloat16 are computed in float32, or in float64 beside float64: the value has that dtype, a
  gradient the dtype of its input, in which it may overflow.
- `infonce_ref.streaming` works in place, and raises ValueError for JAX arrays.
"""

from collections.abc import Callable

try:
    import jax
except ModuleNotFoundError as missing:
    raise ImportError('infonce_ref.jax needs JAX: pip install "infonce_ref[jax]"') from missing

from .functions import information as information
from .functions import plain


def __getattr__(name: str) -> Callable[..., jax.Array]:
    if name in plain:
        return plain[name]
    raise AttributeError(f"infonce_ref.jax has no loss {name!r}: it has {', '.join(plain)}")


def __dir__() -> list[str]:
    return [*plain, "information"]
