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
- Second derivatives, and any further ones, are right on every path: `create_graph=True` in
  `torch.autograd.grad` and in `backward`, `torch.autograd.functional.hessian`, `hvp` and `vhp`, `torch.func`
  (`grad`, `jacrev`, `jacfwd`, `hessian`, `jvp`, `vmap`, one within another), dual numbers of forward mode; by
  the temperature and by upstream too. PyTorch differentiates the gradient's own formula, computed anew from the
  inputs, with N × N arrays: of a streaming loss it is that of the plain one, in quadratic memory, and
  `uniformity` takes one such array for each feature.
- Under `torch.func.vmap` the calls run one after the other. What `torch.autograd` itself vectorizes
  (`vectorize=True`, `is_grads_batched`, `check_batched_grad`) is refused with a RuntimeError.
- At a kink (a hinge, a clip, a floor) the second derivative is that of the side on which the gradient is taken.
- Under `torch.no_grad()` nothing is kept for the backward pass.
- float32 and float64 stay, under `torch.autocast` too. float16 and bfloat16 rows are computed in float32, or in
  float64 beside float64 rows: the value has that dtype, the gradient the input's. float32 beside float64 is
  refused.
- For a `GradScaler`: where upstream is not finite, or a gradient overflows, the gradients are NaN. Where rows
  are not finite, and half precision or `torch.autocast` is in use, the value is NaN and so are the gradients;
  elsewhere such rows are a ValueError.
- An input that changed since the forward pass autograd refuses to use.
- Under `torch.compile` a loss is one call that is not compiled, for it looks at values; with fullgraph=True
  that is refused.
"""

import functools
import math
import sys
from collections.abc import Callable, Sequence
from inspect import signature, unwrap
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import losses
from . import streaming as tiled
from .arrays import disable_autocast, is_differentiated
from .bridges import arguments, documented, stopped, taken_apart
from .checks import NotFinite
from .information import ESTIMATORS
from .isolation import lend_inputs
from .registry import Loss

try:
    import torch
except ModuleNotFoundError as missing:
    raise ImportError('infonce_ref.torch needs PyTorch: pip install "infonce_ref[torch]"') from missing


class Computation:
    """A function of tensors, and its derivatives as functions of tensors again.

    recorded: computes a tuple of tensors by operations that autograd records.
    """

    def __init__(self, recorded: Callable[..., tuple]):
        self.recorded = recorded

    def run(self, *tensors: torch.Tensor) -> tuple:
        """The result alone."""
        with torch.enable_grad():  # `recorded` may itself be a derivative
            return tuple(y.detach() for y in self.recorded(*tensors))

    def pullback(self, wanted: tuple[bool, ...]) -> "Computation":
        """(x, ū) ↦ Jᵀ ū at the wanted x."""

        def recorded(*given: torch.Tensor) -> tuple:
            x, moving, ups = parted(given, wanted)
            return slopes(self.recorded(*x), moving, ups, again=any(t.requires_grad for t in given))

        return Computation(recorded)

    def pushforward(self, wanted: tuple[bool, ...]) -> "Computation":
        """(x, ẋ) ↦ J ẋ, ẋ of the wanted x: the slope of ⟨Jᵀ ū, ẋ⟩ by ū."""

        def recorded(*given: torch.Tensor) -> tuple:
            x, moving, tangents = parted(given, wanted)
            y = self.recorded(*x)
            ups = [torch.zeros_like(part, requires_grad=True) for part in y]
            pulled = slopes(y, moving, ups, again=True)
            return slopes(pulled, ups, tangents, again=any(t.requires_grad for t in given))

        return Computation(recorded)


def alone(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """The tensors' numbers."""
    try:
        return [x.detach() for x in tensors]
    except RuntimeError as error:  # from tensors of PyTorch's first vmap, which have no rule of their own
        raise RuntimeError(
            "infonce_ref.torch cannot be vectorized by torch.autograd: leave out vectorize=True, is_grads_batched "
            "and check_batched_grad, or use torch.func"
        ) from error


def parted(given: tuple, wanted: tuple[bool, ...]) -> tuple[list, list, tuple]:
    """The arguments of a computation, those wanted among them such that they require a gradient, and the rest."""
    arguments, rest = given[: len(wanted)], given[len(wanted) :]
    x = [t.detach().requires_grad_() if w and not t.requires_grad else t for t, w in zip(arguments, wanted)]
    return x, [t for t, w in zip(x, wanted) if w], rest


def slopes(y: Sequence, x: Sequence, ups: Sequence, *, again: bool) -> tuple:
    """Jᵀ ū by autograd. again: whether it will be differentiated itself."""
    depend = [k for k, part in enumerate(y) if part.requires_grad]
    if not depend:
        return tuple(map(torch.zeros_like, x))
    y, ups = [y[k] for k in depend], [ups[k] for k in depend]
    return torch.autograd.grad(y, x, ups, create_graph=again, materialize_grads=True)


class Value(Computation):
    """A loss as a function of the tensors among its arguments.

    loss: an entry of the registry · plain: the loss whose gradient autograd can differentiate · options: the other
    arguments · names: of the tensors · share: whether to compute on NumPy arrays of the tensors' memory, if they
    have such."""

    def __init__(self, loss: Loss, plain: Loss, options: dict, names: tuple[str, ...], share: bool):
        self.loss, self.plain, self.options, self.names, self.share = loss, plain, options, names, share

    def run(self, *tensors: torch.Tensor) -> tuple:
        return (self.forward(tensors)[0],)

    def forward(self, tensors: Sequence[torch.Tensor]) -> tuple[torch.Tensor, Any, Sequence]:
        """The value, the cache, and what it was computed of."""
        given = shared(tensors) if self.share else tensors
        with lend_inputs():  # an input that changes before the backward pass, autograd finds
            value, cache = self.loss.forward(**self.options | dict(zip(self.names, given)))
        return torch.as_tensor(value), cache, given

    def pullback(self, wanted: tuple[bool, ...]) -> Computation:
        return Slopes(self, self.chosen(wanted))

    def pushforward(self, wanted: tuple[bool, ...]) -> Computation:
        names = self.chosen(wanted)
        # a tangent of another input is 0, for `function` refuses it if not
        by_wanted = Slopes(self, [name for name in names if name in self.loss.differentiable])

        def recorded(*given: torch.Tensor) -> tuple:
            x = given[: len(wanted)]
            tangents = [t for t, name in zip(given[len(wanted) :], names) if name in by_wanted.chosen]
            with torch.no_grad():
                up = torch.ones_like(*self.run(*alone(x))).requires_grad_()
            pulled = by_wanted.recorded(*x, up)
            return slopes(pulled, [up], tangents, again=any(t.requires_grad for t in given))

        return Computation(recorded)

    def chosen(self, wanted: Sequence[bool]) -> list[str]:
        """The names of those wanted."""
        return [name for name, needed in zip(self.names, wanted) if needed]


class Slopes(Computation):
    """The gradients of a value by the inputs of these names, as a function of its tensors and of upstream."""

    def __init__(self, value: Value, chosen: list[str]):
        self.value, self.chosen = value, chosen

    def run(self, *given: torch.Tensor) -> tuple:
        """By the loss's own passes."""
        *tensors, upstream = given
        _, cache, used = self.value.forward(tensors)
        if used is not tensors:
            (upstream,) = shared([upstream])
        return self.of(given, lambda: self.value.loss.backward(cache, upstream))

    def recorded(self, *given: torch.Tensor) -> tuple:
        """By the plain loss's passes, with autograd looking on."""
        *tensors, upstream = given
        plain, dtype = self.value.plain, upstream.dtype
        numbers = {name: x if x.ndim else like(x, dtype) for name, x in zip(self.value.names, tensors)}
        options = {k: x for k, x in self.value.options.items() if k in signature(plain.forward).parameters}
        with disable_autocast(tensors):
            _, cache = unwrap(plain.forward)(**options | numbers)
            return self.of(given, lambda: unwrap(plain.backward)(cache, upstream))

    def of(self, given: Sequence[torch.Tensor], backward: Callable) -> tuple:
        """The chosen gradients, each in the dtype of its input; NaN if they overflow. given: tensors and
        upstream."""
        inputs = dict(zip(self.value.names, given))
        try:
            gradients = backward()
        except NotFinite:
            nan = nan_of([x for x in given if x.is_floating_point()])
            return tuple(like(0 * inputs[name] + nan, inputs[name].dtype) for name in self.chosen)
        return tuple(
            like(torch.as_tensor(getattr(gradients, name)), inputs[name].dtype) for name in self.chosen
        )


class Smooth(torch.autograd.Function):
    """A computation as a function that autograd differentiates any number of times, in both modes, and that the
    transforms of torch.func transform. It keeps its arguments alone, and computes everything again."""

    @staticmethod
    def forward(of: Computation, *tensors: torch.Tensor) -> tuple:
        with disable_autocast(tensors):
            return of.run(*alone(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: tuple) -> None:
        ctx.of, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.save_for_forward(*tensors)

    @staticmethod
    def backward(ctx: Any, *upstream: torch.Tensor) -> tuple:
        wanted = ctx.needs_input_grad[1:]
        found = iter(Smooth.apply(ctx.of.pullback(wanted), *ctx.saved_tensors, *upstream))
        return None, *(next(found) if w else None for w in wanted)

    @staticmethod
    def jvp(ctx: Any, _: None, *tangents: Any) -> tuple:
        tensors = ctx.saved_tensors
        wanted = tuple(t is not None and x.is_floating_point() for t, x in zip(tangents, tensors))
        return Smooth.apply(ctx.of.pushforward(wanted), *tensors, *(t for t, w in zip(tangents, wanted) if w))

    @staticmethod
    def vmap(info: Any, dims: tuple, of: Computation, *tensors: torch.Tensor) -> tuple:
        """One after the other, for a loss looks at its numbers."""
        results = [
            Smooth.apply(of, *(x if d is None else x.select(d, k) for x, d in zip(tensors, dims[1:])))
            for k in range(info.batch_size)
        ]
        stacked = tuple(torch.stack(parts) for parts in zip(*results))
        return stacked, (0,) * len(stacked)


class Gradient(torch.autograd.Function):
    """A value whose first derivatives come from what its forward pass cached."""

    @staticmethod
    def forward(ctx: Any, of: Value, *tensors: torch.Tensor) -> torch.Tensor:
        value, cache, used = of.forward(alone(tensors))
        arrays, ctx.cache_of = taken_apart(cache, type(used[0]))
        # what was there before is saved as itself, so that autograd sees if it changes
        of_input = {id(array): k for k, array in enumerate(used)}
        ctx.of, ctx.share = of, isinstance(used[0], np.ndarray)
        ctx.places = [of_input.get(id(x)) for x in arrays]
        new = (torch.as_tensor(x) for x, place in zip(arrays, ctx.places) if place is None)
        ctx.save_for_backward(*tensors, *new)
        return value

    @staticmethod
    def backward(ctx: Any, upstream: torch.Tensor) -> tuple:
        wanted = ctx.needs_input_grad[1:]
        n, saved = len(wanted), ctx.saved_tensors
        tensors, new = saved[:n], saved[n:]
        slopes_of = Slopes(ctx.of, ctx.of.chosen(wanted))
        if torch.is_grad_enabled() or transformed([upstream]):  # with create_graph=True
            found = iter(Smooth.apply(slopes_of, *tensors, upstream))
        else:
            here = (shared if ctx.share else list)(alone((*tensors, *new, upstream)))
            rest = iter(here[n:-1])
            arrays = [next(rest) if place is None else here[place] for place in ctx.places]
            cached, given = ctx.cache_of(arrays), (*tensors, upstream)
            gradients = slopes_of.of(given, lambda: ctx.of.loss.backward(cached, here[-1]))
            found = iter(gradients)
        return None, *(next(found) if w else None for w in wanted)


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


def transformed(tensors: Sequence[torch.Tensor]) -> bool:
    """Whether a transform of torch.func is at work, or forward-mode differentiation by one of the tensors."""
    tangents = (torch.autograd.forward_ad.unpack_dual(x).tangent for x in tensors)
    return torch._C._are_functorch_transforms_active() or any(t is not None for t in tangents)


def like(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return x if x.dtype == dtype else x.to(dtype)


HALVES = (torch.float16, torch.bfloat16)


def widened(by_name: dict[str, Any]) -> dict[str, Any]:
    """Half precision as float32, or as float64 beside such an array: autograd brings the gradients back."""
    tensors = {name: x for name, x in by_name.items() if isinstance(x, torch.Tensor)}
    halves = {name: x for name, x in tensors.items() if x.dtype in HALVES}
    double = any(x.dtype == torch.float64 for x in tensors.values() if x.ndim)
    return by_name | {name: x.to(torch.float64 if double else torch.float32) for name, x in halves.items()}


def nan_of(tensors: Sequence[torch.Tensor]) -> torch.Tensor:
    """NaN, and so is every derivative of it by these, mixed ones too."""
    return math.nan * torch.exp(torch.stack([like(x.sum(), tensors[0].dtype) for x in tensors]).sum())


def not_a_number(loss: Loss, by_name: dict[str, Any]) -> torch.Tensor:
    """The value where the loss has none: NaN, with NaN for every derivative."""
    inputs = [x for name in loss.differentiable if isinstance(x := by_name.get(name), torch.Tensor)]
    nan = nan_of(inputs)
    options = signature(loss.forward).parameters
    if "reduction" in options and by_name.get("reduction", options["reduction"].default) == "none":
        return nan * inputs[0].new_ones(inputs[0].shape[0])
    return nan


def function(loss: Loss, *, share: bool, plain: Loss | None = None) -> Callable[..., torch.Tensor]:
    """The loss as a function of tensors that autograd knows. plain: the same loss where this one works in place."""

    @uncompiled
    def value(*positional: Any, **named: Any) -> torch.Tensor:
        given = arguments(loss, positional, named, torch.Tensor, "PyTorch tensor")
        by_name = widened(given)
        constant = stopped(loss, by_name)
        for name, x in by_name.items():
            if isinstance(x, torch.Tensor) and is_differentiated(x):
                if name in constant:
                    by_name[name] = x.detach()
                elif name not in loss.differentiable:
                    raise ValueError(f"{name} requires a gradient, and {loss.name} has none by it: detach it")
        tensors = {name: x for name, x in by_name.items() if isinstance(x, torch.Tensor)}
        options = {name: x for name, x in by_name.items() if name not in tensors}
        of = Value(loss, plain or loss, options, tuple(tensors), share)
        try:
            if transformed([*tensors.values()]):
                (result,) = Smooth.apply(of, *tensors.values())
                return result
            return Gradient.apply(of, *tensors.values())
        except NotFinite:
            devices = {x.device.type for x in tensors.values()}
            if any(x.dtype in HALVES for x in given.values() if isinstance(x, torch.Tensor)) or any(
                torch.is_autocast_enabled(kind) for kind in devices if torch.amp.is_autocast_available(kind)
            ):
                return not_a_number(loss, by_name)
            raise

    return documented(value, loss, torch.Tensor)


plain = {name: function(loss, share=False) for name, loss in losses.ALL.items()}
streaming = SimpleNamespace(
    **{name: function(loss, share=True, plain=losses.ALL[name]) for name, loss in tiled.ALL.items()}
)
information = SimpleNamespace(**{name: function(loss, share=False) for name, loss in ESTIMATORS.items()})


def __getattr__(name: str) -> Callable[..., torch.Tensor]:
    if name in plain:
        return plain[name]
    raise AttributeError(f"infonce_ref has no loss {name!r}: it has {', '.join(plain)}")


def __dir__() -> list[str]:
    return [*plain, "information", "streaming"]
