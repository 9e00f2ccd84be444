"""Each loss as a function of tensors that autograd, torch.func and forward mode differentiate."""

import functools
import math
import sys
from collections.abc import Callable, Sequence
from inspect import unwrap
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
import torch

from .. import losses
from .. import streaming as tiled
from ..arrays import disable_autocast, is_differentiated
from ..bridges import arguments, document, find_stopped, signature, take_apart
from ..checks import NotFinite, check_gradients, setting
from ..information import ESTIMATORS
from ..isolation import LENT
from ..registry import Loss


class Computation:
    """A function of tensors, whose derivatives are further such functions.

    recorded: computes a tuple of tensors by operations that autograd records.
    """

    def __init__(self, recorded: Callable[..., tuple]):
        self.recorded = recorded

    def run(self, *tensors: torch.Tensor) -> tuple:
        """Return the result without a graph."""
        with torch.enable_grad():  # `recorded` may itself be a derivative
            return tuple(y.detach() for y in self.recorded(*tensors))

    def pullback(self, wanted: tuple[bool, ...]) -> "Computation":
        """(x, ū) ↦ Jᵀ ū at the wanted x."""

        def recorded(*given: torch.Tensor) -> tuple:
            x, moving, ups = split(given, wanted)
            return pull_back(self.recorded(*x), moving, ups, again=any(t.requires_grad for t in given))

        return Computation(recorded)

    def pushforward(self, wanted: tuple[bool, ...]) -> "Computation":
        """(x, ẋ) ↦ J ẋ, ẋ of the wanted x: the slope of ⟨Jᵀ ū, ẋ⟩ by ū."""

        def recorded(*given: torch.Tensor) -> tuple:
            x, moving, tangents = split(given, wanted)
            y = self.recorded(*x)
            ups = [torch.zeros_like(part, requires_grad=True) for part in y]
            pulled = pull_back(y, moving, ups, again=True)
            return pull_back(pulled, ups, tangents, again=any(t.requires_grad for t in given))

        return Computation(recorded)


def detach(tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Return the tensors without their graph."""
    try:
        return [x.detach() for x in tensors]
    except RuntimeError as error:  # tensors of PyTorch's legacy vmap have no batching rule
        raise RuntimeError(
            "infonce_ref.torch cannot be vectorized by torch.autograd: omit vectorize=True, is_grads_batched "
            "and check_batched_grad, or use torch.func"
        ) from error


def split(given: tuple, wanted: tuple[bool, ...]) -> tuple[list, list, tuple]:
    """Return a computation's arguments, the wanted ones among them (which now require a gradient), and the
    others.
    """
    arguments, rest = given[: len(wanted)], given[len(wanted) :]
    x = [t.detach().requires_grad_() if w and not t.requires_grad else t for t, w in zip(arguments, wanted)]
    return x, [t for t, w in zip(x, wanted) if w], rest


def pull_back(y: Sequence, x: Sequence, ups: Sequence, *, again: bool) -> tuple:
    """Return Jᵀ ū by autograd. again: whether the result will be differentiated."""
    depend = [k for k, part in enumerate(y) if part.requires_grad]
    if not depend:
        return tuple(map(torch.zeros_like, x))
    y, ups = [y[k] for k in depend], [ups[k] for k in depend]
    return torch.autograd.grad(y, x, ups, create_graph=again, materialize_grads=True)


class Value(Computation):
    """A loss as a function of the tensors among its arguments.

    loss: an entry of the registry · plain: the loss whose gradient autograd can differentiate · options: the other
    arguments · names: the tensors' names.
    """

    def __init__(self, loss: Loss, plain: Loss, options: dict, names: tuple[str, ...]):
        self.loss, self.plain, self.options, self.names = loss, plain, options, names

    def run(self, *tensors: torch.Tensor) -> tuple:
        return (self.forward(tensors)[0],)

    def forward(self, tensors: Sequence[torch.Tensor]) -> tuple[torch.Tensor, Any, Sequence]:
        """Return the value, the cache, and the arrays that were used."""
        given = share(tensors)
        with setting(LENT, True):  # autograd notices inputs that are modified before the backward pass
            value, cache = self.loss.forward(**self.options | dict(zip(self.names, given)))
        return torch.as_tensor(value), cache, given

    def pullback(self, wanted: tuple[bool, ...]) -> Computation:
        return Slopes(self, self.choose(wanted))

    def pushforward(self, wanted: tuple[bool, ...]) -> Computation:
        names = self.choose(wanted)
        # tangents of other inputs are 0: `function` refuses inputs without a gradient
        by_wanted = Slopes(self, [name for name in names if name in self.loss.differentiable])

        def recorded(*given: torch.Tensor) -> tuple:
            x = given[: len(wanted)]
            tangents = [t for t, name in zip(given[len(wanted) :], names) if name in by_wanted.chosen]
            with torch.no_grad():
                up = torch.ones_like(*self.run(*detach(x))).requires_grad_()
            pulled = by_wanted.recorded(*x, up)
            return pull_back(pulled, [up], tangents, again=any(t.requires_grad for t in given))

        return Computation(recorded)

    def choose(self, wanted: Sequence[bool]) -> list[str]:
        """Return the tensors of the wanted names."""
        return [name for name, needed in zip(self.names, wanted) if needed]


class Slopes(Computation):
    """The gradients of a value by the named inputs, as a function of the value's tensors and of upstream."""

    def __init__(self, value: Value, chosen: list[str]):
        self.value, self.chosen = value, chosen

    def run(self, *given: torch.Tensor) -> tuple:
        """Run the loss's own passes."""
        *tensors, upstream = given
        _, cache, used = self.value.forward(tensors)
        if used is not tensors:
            (upstream,) = share([upstream])
        return self.of(given, lambda: self.value.loss.backward(cache, upstream))

    def recorded(self, *given: torch.Tensor) -> tuple:
        """Run the plain loss's passes, recorded by autograd."""
        *tensors, upstream = given
        plain, dtype = self.value.plain, upstream.dtype
        numbers = {name: x if x.ndim else x.to(dtype) for name, x in zip(self.value.names, tensors)}
        options = {k: x for k, x in self.value.options.items() if k in signature(plain.forward).parameters}
        with disable_autocast(tensors):
            _, cache = unwrap(plain.forward)(**options | numbers)
            backward = unwrap(plain.backward)
            return self.of(given, lambda: check_gradients(plain.name, backward(cache, upstream)))

    def of(self, given: Sequence[torch.Tensor], backward: Callable) -> tuple:
        """Return the chosen gradients in the dtypes of their inputs; NaN if they overflow. given: tensors,
        upstream."""
        inputs = dict(zip(self.value.names, given))
        try:
            gradients = backward()
        except NotFinite:
            nan = nan_of([x for x in given if x.is_floating_point()])
            return tuple((0 * inputs[name] + nan).to(inputs[name].dtype) for name in self.chosen)
        return tuple(torch.as_tensor(getattr(gradients, name)).to(inputs[name].dtype) for name in self.chosen)


class Smooth(torch.autograd.Function):
    """A computation that autograd differentiates to any order in both modes, and that torch.func transforms.

    It stores only its arguments and recomputes everything else."""

    @staticmethod
    def forward(of: Computation, *tensors: torch.Tensor) -> tuple:
        with disable_autocast(tensors):
            return of.run(*detach(tensors))

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
        """Run the calls one after the other, because a loss checks values."""
        results = [
            Smooth.apply(of, *(x if d is None else x.select(d, k) for x, d in zip(tensors, dims[1:])))
            for k in range(info.batch_size)
        ]
        stacked = tuple(torch.stack(parts) for parts in zip(*results))
        return stacked, (0,) * len(stacked)


class Gradient(torch.autograd.Function):
    """A value whose first derivatives come from the cache of its forward pass."""

    @staticmethod
    def forward(ctx: Any, of: Value, *tensors: torch.Tensor) -> torch.Tensor:
        value, cache, used = of.forward(detach(tensors))
        arrays, ctx.cache_of = take_apart(cache, type(used[0]))
        # save inputs as themselves, so that autograd notices if they are modified
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
        slopes_of = Slopes(ctx.of, ctx.of.choose(wanted))
        if torch.is_grad_enabled() or is_transformed([upstream]):  # with create_graph=True
            found = iter(Smooth.apply(slopes_of, *tensors, upstream))
        else:
            here = (share if ctx.share else list)(detach((*tensors, *new, upstream)))
            rest = iter(here[n:-1])
            arrays = [next(rest) if place is None else here[place] for place in ctx.places]
            cached, given = ctx.cache_of(arrays), (*tensors, upstream)
            gradients = slopes_of.of(given, lambda: ctx.of.loss.backward(cached, here[-1]))
            found = iter(gradients)
        return None, *(next(found) if w else None for w in wanted)


def share(tensors: Any) -> Any:
    """Return NumPy arrays that share the tensors' memory, or the tensors if NumPy cannot hold one of them."""
    try:
        return [tensor.numpy() for tensor in tensors]
    except (TypeError, RuntimeError):
        return tensors


REFUSED = (
    "{name} cannot be {how}, because it checks values: do so with the encoder alone; keep the loss in Python"
)


def refuse(name: str, how: str) -> NoReturn:
    raise RuntimeError(REFUSED.format(name=name, how=how))


def disable_compiler(call: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Apply `torch.compiler.disable` at the first call after PyTorch's compiler was imported; importing it here
    would take a second and 90 MB. torch.jit, torch.export and the like, which make a graph without the compiler,
    are refused.
    """
    made: list[Callable[..., Any]] = []
    why = REFUSED.format(name=name, how="compiled as one graph")

    @functools.wraps(call)
    def call_uncompiled(*args: Any, **kwargs: Any) -> Any:
        if torch.jit.is_tracing():
            refuse(name, "traced by torch.jit")
        if torch.compiler.is_compiling():  # the compiler itself never calls this
            refuse(name, "exported by torch.export")
        if "torch._dynamo" not in sys.modules:  # torch.compile has not been used
            return call(*args, **kwargs)
        if not made:
            made.append(torch.compiler.disable(call))
        return made[0](*args, **kwargs)

    # attributes that the compiler reads before it traces into a function, and torch.jit.script before it
    # reads its source
    vars(call_uncompiled).update(
        _torchdynamo_disable=True,
        _torchdynamo_disable_msg=why,
        __prepare_scriptable__=lambda: refuse(name, "scripted by torch.jit"),
    )
    return call_uncompiled


def is_transformed(tensors: Sequence[torch.Tensor]) -> bool:
    """Return whether a torch.func transform or forward-mode differentiation is active."""
    tangents = (torch.autograd.forward_ad.unpack_dual(x).tangent for x in tensors)
    return torch._C._are_functorch_transforms_active() or any(t is not None for t in tangents)


HALVES = (torch.float16, torch.bfloat16)


def widen(by_name: dict[str, Any]) -> dict[str, Any]:
    """Copy NumPy arrays to tensors beside the others, and cast half precision to float32, or to float64 beside
    float64; autograd casts the gradients back. The loss refuses other arrays, such as masked ones.
    """
    tensors = {name: x for name, x in by_name.items() if isinstance(x, torch.Tensor)}
    device = next(iter(tensors.values())).device
    for name, x in by_name.items():
        if type(x) in (np.ndarray, np.memmap) and x.dtype.kind in "biuf" and x.dtype.isnative:
            tensors[name] = torch.from_numpy(x.copy()).to(device)
    double = any(x.dtype == torch.float64 for x in tensors.values() if x.ndim)
    wide = torch.float64 if double else torch.float32
    return by_name | {name: x.to(wide) if x.dtype in HALVES else x for name, x in tensors.items()}


def nan_of(tensors: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return a NaN whose derivatives by these tensors are all NaN, also mixed ones."""
    return math.nan * torch.exp(torch.stack([x.sum().to(tensors[0].dtype) for x in tensors]).sum())


def make_nan(loss: Loss, by_name: dict[str, Any]) -> torch.Tensor:
    """Return the value of a loss with non-finite rows: NaN, with NaN for every derivative."""
    inputs = [x for name in loss.differentiable if isinstance(x := by_name.get(name), torch.Tensor)]
    nan = nan_of(inputs)
    options = signature(loss.forward).parameters
    if "reduction" in options and by_name.get("reduction", options["reduction"].default) == "none":
        return nan * inputs[0].new_ones(inputs[0].shape[0])
    return nan


def function(loss: Loss, plain: Loss | None = None) -> Callable[..., torch.Tensor]:
    """Return the loss as a function of tensors that autograd can differentiate. plain: the loss to differentiate
    twice, if this one works in place."""

    def value(*positional: Any, **named: Any) -> torch.Tensor:
        given = arguments(loss, positional, named, torch.Tensor, "PyTorch tensor")
        by_name = widen(given)
        constant = find_stopped(loss, by_name)
        for name, x in by_name.items():
            if isinstance(x, torch.Tensor) and is_differentiated(x):
                if name in constant:
                    by_name[name] = x.detach()
                elif name not in loss.differentiable:
                    raise ValueError(f"{name} requires a gradient, and {loss.name} has none by it: detach it")
        tensors = {name: x for name, x in by_name.items() if isinstance(x, torch.Tensor)}
        options = {name: x for name, x in by_name.items() if name not in tensors}
        of = Value(loss, plain or loss, options, tuple(tensors))
        try:
            if is_transformed([*tensors.values()]):
                (result,) = Smooth.apply(of, *tensors.values())
                return result
            return Gradient.apply(of, *tensors.values())
        except NotFinite:
            devices = {x.device.type for x in tensors.values()}
            if any(x.dtype in HALVES for x in given.values() if isinstance(x, torch.Tensor)) or any(
                torch.is_autocast_enabled(kind) for kind in devices if torch.amp.is_autocast_available(kind)
            ):
                return make_nan(loss, by_name)
            raise

    value.__module__ = __package__  # pickle imports the function from this module
    return document(disable_compiler(value, loss.name), loss, torch.Tensor)


def namespace(name: str, functions: dict[str, Callable[..., torch.Tensor]]) -> ModuleType:
    """Return a module with these functions: in another object torch.jit would not find them, and would not
    say why it refuses one.
    """
    made = ModuleType(f"{__package__}.{name}")
    vars(made).update(functions)
    return made


plain = {name: function(loss) for name, loss in losses.ALL.items()}
streaming = namespace(
    "streaming", {name: function(loss, plain=losses.ALL[name]) for name, loss in tiled.ALL.items()}
)
information = namespace("information", {name: function(loss) for name, loss in ESTIMATORS.items()})
