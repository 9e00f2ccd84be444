"""The losses as PyTorch functions, with the gradients that are proved here instead of autograd's.

    from infonce_ref.torch import ntxent, streaming

    loss = ntxent(w, temperature=0.1)            # w (N, d) from an encoder, temperature a number or a 0-d tensor
    loss.backward()
    loss = streaming.ntxent(w, temperature=0.1)  # in linear memory

As modules, for training on one or several ranks: `infonce_ref.torch.nn`.

Every loss of `infonce_ref.losses.ALL` is here under its name, every one of `infonce_ref.streaming.ALL` under
`streaming`, and every estimator of `infonce_ref.information` under `information`, with the arguments of its
`forward`. Every differentiable tensor that requires a gradient gets one, except inputs that
the loss holds constant: byol's target, simsiam's z under its stop-gradient. Any other tensor that requires a
gradient raises ValueError. The losses run on CPU tensors as NumPy arrays that share their memory, which is faster,
because NumPy writes masks and exponentials in place. On any other device they run on the tensors;
on an NVIDIA GPU `streaming` runs Triton kernels for up to 256 float32 features.

Guarantees and limitations:
- Derivatives of any order are right on every path: `create_graph=True` in
  `torch.autograd.grad` and in `backward`, `torch.autograd.functional.hessian`, `hvp` and `vhp`, `torch.func`
  (`grad`, `jacrev`, `jacfwd`, `hessian`, `jvp`, `vmap`, one within another), dual numbers of forward mode; by
  the temperature and by upstream too. PyTorch differentiates the formula of the gradient, recomputed from the
  inputs with N × N arrays; a streaming loss uses the plain loss's formula, in quadratic memory, and `uniformity`
  needs one such array for each feature. Rounding is that of this formula: where ∂𝓛/∂τ is ill-conditioned,
  ∂²𝓛/∂τ² is more so: in float32 and at β = 30 `hard_negative` may have no digit of it.
- `torch.func.vmap` runs the calls one after the other. The vectorization of `torch.autograd`
  (`vectorize=True`, `is_grads_batched`, `check_batched_grad`) raises RuntimeError.
- At a kink (a hinge, a clip, a floor) the second derivative is the one-sided one that the gradient uses.
- `torch.no_grad()` stores nothing for the backward pass.
- float32 and float64 stay, under `torch.autocast` too. float16 and bfloat16 rows are computed in float32, or in
  float64 beside float64 rows: the value has that dtype, each gradient its input's. Mixing float32 and float64
  raises ValueError.
- For a `GradScaler`: a non-finite upstream or an overflowing gradient gives NaN gradients. Non-finite rows
  give a NaN value and NaN gradients in half precision or under `torch.autocast`; otherwise they raise ValueError.
- Autograd raises RuntimeError if an input was modified after the forward pass.
- `torch.compile` does not compile a loss, which checks values, but calls it; fullgraph=True is refused.
"""

from collections.abc import Callable

try:
    import torch
except ModuleNotFoundError as missing:
    raise ImportError('infonce_ref.torch needs PyTorch: pip install "infonce_ref[torch]"') from missing

from . import nn as nn
from .functions import information as information
from .functions import plain
from .functions import streaming as streaming


def __getattr__(name: str) -> Callable[..., torch.Tensor]:
    if name in plain:
        return plain[name]
    raise AttributeError(f"infonce_ref has no loss {name!r}: it has {', '.join(plain)}")


def __dir__() -> list[str]:
    return [*plain, "information", "nn", "streaming"]
