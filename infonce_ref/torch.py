"""The losses as PyTorch functions, with the gradients that are proved here instead of autograd's.

    from infonce_ref.torch import ntxent, streaming

    loss = ntxent(w, temperature=0.1)            # w (N, d) from an encoder, temperature a number or a 0-d tensor
    loss.backward()
    loss = streaming.ntxent(w, temperature=0.1)  # in linear memory

Every loss of `infonce_ref.losses.ALL` is here under its name, every one of `infonce_ref.streaming.ALL` under
`streaming`, and every estimator of `infonce_ref.information` under `information`, with the arguments of its
`forward`. A gradient goes to each tensor that requires one and by which the
loss is differentiable. It stops at an input that the loss holds constant: byol's target, simsiam's z under its
stop-gradient. Any other tensor that requires a gradient is refused with a ValueError. The losses run on the
tensors themselves, on their device; the streaming ones run on CPU tensors as NumPy arrays of the same memory.

What holds, and what does not:
- Under `torch.no_grad()` nothing is kept for the backward pass.
- The numbers are computed in the dtype that came in, float32 or float64, under `torch.autocast` too.
- What the backward pass needs of a tensor that changed since the forward pass, autograd refuses to use.
- Under `torch.compile` a loss is one call that is not compiled, for it looks at values; with fullgraph=True that is
  refused, as are the transforms of `torch.func`, and forward-mode differentiation.
- A second derivative is refused with a RuntimeError: the gradient is a constant to autograd.
"""

import functools
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from . import losses
from . import streaming as tiled
from .arrays import lent
from .bridges import arguments, documented, stopped, taken_apart
from .information import ESTIMATORS
from .registry import Loss

try:
    import torch
except ModuleNotFoundError as missing:
    raise ImportError('infonce_ref.torch needs PyTorch: pip install "infonce_ref[torch]"') from missing


class Gradient(torch.autograd.Function):
    """loss: an entry of the registry · by_name: its arguments · share: whether to compute on NumPy arrays of the
    tensors' memory, if they have such · names: of the tensors, handed in one by one, so that autograd sees them."""

    @staticmethod
    def forward(
        ctx: Any, loss: Loss, by_name: dict, share: bool, names: tuple[str, ...], *tensors: Any
    ) -> Any:
        tensors = tuple(tensor.detach() for tensor in tensors)
        given = shared(tensors) if share else tensors
        ctx.loss, ctx.share, ctx.names = loss, given is not tensors, names
        with lent():  # an input that changes before the backward pass, autograd finds
            value, cache = loss.forward(**by_name | dict(zip(names, given)))
        arrays, ctx.cache_of = taken_apart(cache, type(given[0]))
        # an input is saved as itself, so that autograd sees if it changes
        of_input = {id(array): tensor for array, tensor in zip(given, tensors)}
        ctx.save_for_backward(*(of_input.get(id(x), torch.as_tensor(x)) for x in arrays))
        return torch.as_tensor(value)

    @staticmethod
    def backward(ctx: Any, upstream: Any) -> Any:
        *saved, upstream = (shared if ctx.share else tuple)([*ctx.saved_tensors, upstream.detach()])
        gradients = ctx.loss.backward(ctx.cache_of(saved), upstream)
        wanted = (
            torch.as_tensor(getattr(gradients, name)) if needed else None
            for name, needed in zip(ctx.names, ctx.needs_input_grad[4:])
        )
        if torch.is_grad_enabled():  # asked for with create_graph=True
            wanted = (None if x is None else Constant.apply(x.requires_grad_()) for x in wanted)
        return None, None, None, None, *wanted


class Constant(torch.autograd.Function):
    """The identity, whose derivative is refused: a gradient that looks like a constant would be silently wrong."""

    @staticmethod
    def forward(ctx: Any, gradient: Any) -> Any:
        return gradient.clone()

    @staticmethod
    def backward(ctx: Any, upstream: Any) -> Any:
        raise RuntimeError("infonce_ref.torch gives first derivatives; the second is asked for")


def shared(tensors: Any) -> Any:
    """NumPy arrays of the tensors' memory; the tensors where one is on a GPU, or has a dtype that NumPy lacks."""
    try:
        return [tensor.numpy() for tensor in tensors]
    except (TypeError, RuntimeError):
        return tensors


def uncompiled(call: Callable[..., Any]) -> Callable[..., Any]:
    """`torch.compiler.disable(call)`, made at the first call after PyTorch's compiler was imported: to import it
    takes a second and 90 MB."""
    made: list[Callable[..., Any]] = []

    @functools.wraps(call)
    def alone(*args: Any, **kwargs: Any) -> Any:
        if "torch._dynamo" not in sys.modules:  # then nothing is compiled
            return call(*args, **kwargs)
        if not made:
            made.append(torch.compiler.disable(call))
        return made[0](*args, **kwargs)

    # what the compiler asks of a function before it looks into it; this one it would follow while `made` is empty
    vars(alone).update(_torchdynamo_disable=True, _torchdynamo_disable_msg="it looks at values")
    return alone


def function(loss: Loss, *, share: bool) -> Callable[..., torch.Tensor]:
    """The loss as a function of tensors that autograd knows."""

    @uncompiled
    def value(*positional: Any, **named: Any) -> torch.Tensor:
        by_name = arguments(loss, positional, named, torch.Tensor, "PyTorch tensor")
        constant = stopped(loss, by_name)
        for name, x in by_name.items():
            if isinstance(x, torch.Tensor) and x.requires_grad and torch.is_grad_enabled():
                if name in constant:
                    by_name[name] = x.detach()
                elif name not in loss.differentiable:
                    raise ValueError(f"{name} requires a gradient, and {loss.name} has none by it: detach it")
        tensors = {name: x for name, x in by_name.items() if isinstance(x, torch.Tensor)}
        return Gradient.apply(loss, by_name, share, tuple(tensors), *tensors.values())

    return documented(value, loss, torch.Tensor)


plain = {name: function(loss, share=False) for name, loss in losses.ALL.items()}
streaming = SimpleNamespace(**{name: function(loss, share=True) for name, loss in tiled.ALL.items()})
information = SimpleNamespace(**{name: function(loss, share=False) for name, loss in ESTIMATORS.items()})


def __getattr__(name: str) -> Callable[..., torch.Tensor]:
    if name in plain:
        return plain[name]
    raise AttributeError(f"infonce_ref has no loss {name!r}: it has {', '.join(plain)}")


def __dir__() -> list[str]:
    return [*plain, "information", "streaming"]
