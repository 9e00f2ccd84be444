"""Make one torch.nn.Module of each loss of the registry."""

import hashlib
import math
import re
from collections.abc import Callable
from inspect import Parameter, Signature, cleandoc, getmodule, signature
from typing import Any, ClassVar

import numpy as np
import torch

from ..arrays import Array, disable_autocast, to_numpy
from ..bridges import bind, check_type, explain_gather, find_views
from ..checks import check_choice, check_forms, check_positive, list_choices
from ..names import suggest
from ..registry import Loss
from ..streaming import ALL as STREAMED
from . import functions
from .ranks import gather, share

KEYWORD = Parameter.KEYWORD_ONLY
MASK = Array | None  # the annotation of a mask of a call
TILES = {"tile", "progress"}  # the options that only the streaming loss has
SELF = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)

# Docstrings of the module's own options; {0} is the name of an option of the loss.
LEARN = "learn_{0}=True holds the {0} as a parameter, {0} the value to begin with"
EXTRA = {
    "learn_temperature": f"{LEARN.format('temperature')}: `logit_scale` is log(1/temperature), as in CLIP.",
    "max_scale": "max_scale, CLIP's is 100, is the largest 1/temperature: a call sets `logit_scale` back to it. "
    "If no candidate scores more than its positive, the slope is nowhere positive, and a learned scale climbs "
    "until this clamp stops it: the clamp, not the data, then sets the temperature [R1].",
    "learn_bias": f"{LEARN.format('bias')}.",
    "streaming": "streaming=True computes the loss tile by tile, in linear memory, with options tile and progress.",
    "gather": "gather=True gathers the rows of all ranks of torch.distributed. Every rank computes the loss of the "
    "whole batch, with streaming=True its share of the tiles, and the mean over ranks that DistributedDataParallel "
    "takes is its gradient.",
}


def tensors_of(loss: Loss) -> list[Parameter]:
    """Return the arguments of the module's call."""
    if find_views(loss):
        names = ["z1", "z2"]
    else:
        found = signature(loss.forward).parameters.values()
        names = [p.name for p in found if p.annotation is Array]
    tensors = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=torch.Tensor) for name in names]
    kind = torch.Tensor | None
    return [*tensors, *(Parameter(name, KEYWORD, default=None, annotation=kind) for name in masks_of(loss))]


def masks_of(loss: Loss) -> list[str]:
    """Return the names of the call's masks."""
    return [p.name for p in signature(loss.forward).parameters.values() if p.annotation == MASK]


def options_of(loss: Loss) -> list[Parameter]:
    """Return the options of the loss. A loss with one argument for each view has no layout."""
    found = signature(loss.forward).parameters.values()
    return [p for p in found if p.annotation not in (Array, MASK) and p.name != "layout"]


def extra_of(loss: Loss) -> list[Parameter]:
    """Return the options that only the module has."""
    found: dict[str, tuple[Any, Any]] = {}
    for name in (p.name for p in options_of(loss) if p.name in loss.differentiable):
        found[f"learn_{name}"] = (bool, False)
    if "learn_temperature" in found:
        found["max_scale"] = (float | None, None)
    if loss.name in STREAMED:
        plain, tiled = (signature(one.forward).parameters for one in (loss, STREAMED[loss.name]))
        found["streaming"] = (bool, False)
        found |= {name: (p.annotation, p.default) for name, p in tiled.items() if name not in plain}
    if loss.compares:
        found["gather"] = (bool, False)
    return [Parameter(name, KEYWORD, default=d, annotation=kind) for name, (kind, d) in found.items()]


class LossModule(torch.nn.Module):
    """A loss as a module. loss: its entry of the registry · fixed: options that its user does not choose · views:
    names of rows that the module divides by their lengths, each with its name in the loss.
    """

    loss: ClassVar[Loss]
    fixed: ClassVar[dict[str, Any]] = {}
    views: ClassVar[dict[str, str]] = {}

    def _set_up(self, options: dict[str, Any]) -> None:
        """Set all options of the constructor. Raises ValueError for an invalid one."""
        torch.nn.Module.__init__(self)
        own = {p.name: p for p in options_of(self.loss)}
        for name, allowed in list_choices(own).items():
            check_choice(name, options[name], allowed)
        for name in own.keys() & set(self.loss.differentiable):
            if isinstance(options[name], torch.nn.Parameter):
                raise ValueError(f"{name} is a number; learn_{name}=True holds it as a parameter")
        self.options = {name: options[name] for name in own}
        self.extra = {name: value for name, value in options.items() if name not in own}
        if "temperature" in own:
            check_positive("temperature", options["temperature"])
        if self.extra.get("max_scale") is not None:
            check_positive("max_scale", options["max_scale"])
            if not options["learn_temperature"]:
                raise ValueError("max_scale clamps a learned temperature: add learn_temperature=True")
        for name in TILES & self.extra.keys():
            if options[name] is not None and not options["streaming"]:
                raise ValueError(f"{name} is an option of the streaming loss: add streaming=True")
        if self.extra.get("streaming"):
            self._drop_options_of_plain_form(own)
        if self.extra.get("learn_temperature"):
            self.logit_scale = torch.nn.Parameter(torch.tensor(-math.log(self.options.pop("temperature"))))
        if self.extra.get("learn_bias"):
            self.bias = torch.nn.Parameter(torch.tensor(float(self.options.pop("bias"))))

    def _drop_options_of_plain_form(self, own: dict[str, Parameter]) -> None:
        """Drop the options that the streaming loss lacks. Raises ValueError if one is set."""
        for name in sorted(own.keys() - signature(STREAMED[self.loss.name].forward).parameters.keys()):
            if self.options.pop(name) != own[name].default:
                raise ValueError(f"{name} is no option of the streaming loss: omit {name}, or streaming=True")

    def __getattr__(self, name: str) -> Any:
        """An option, such as the temperature."""
        own = self.__dict__.get("options", {})
        return own[name] if name in own else super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an option, for example by a schedule of the temperature; a call checks it."""
        own = self.__dict__.get("options", {})
        if name in own:
            own[name] = value
        elif name == "temperature":
            raise AttributeError(
                f"{type(self).__name__} has no temperature to set: it learns it, or takes none"
            )
        else:
            super().__setattr__(name, value)

    def register_parameter(self, name: str, param: torch.nn.Parameter | None) -> None:
        """Remember which learned scale is the module's own: `functional_call` puts another in its place."""
        super().register_parameter(name, param)
        if name == "logit_scale":
            self._own = (param,)

    def _value(self, given: dict[str, Any]) -> torch.Tensor:
        masks = {name: given[name] for name in masks_of(self.loss) if given[name] is not None}
        if self.extra.get("streaming"):
            for name in masks:
                raise ValueError(f"{name} is no option of the streaming loss: omit {name}, or streaming=True")
        tensors = {name: x for name, x in given.items() if name not in masks_of(self.loss)}
        if self.views:
            for name, x in tensors.items():
                check_type(name, x, torch.Tensor, "PyTorch tensor")
            tensors = {self.views[name]: project(name, x) for name, x in functions.widen(tensors).items()}
        options = self.options | self._learned()
        if self.extra.get("gather"):
            device = next(iter(tensors.values())).device
            rows = {name: torch.as_tensor(x, device=device) for name, x in tensors.items()}
            found = gather(list(rows), list(rows.values()), lambda: self._settings(options, masks))
            tensors = dict(zip(rows, found))
        if both := find_views(self.loss):
            for name, x in tensors.items():
                check_type(name, x, torch.Tensor, "PyTorch tensor")
            views = functions.widen(tensors)
            check_forms(**{name: (x, "B d") for name, x in views.items()})
            with disable_autocast(list(tensors.values())):  # which refuses to concatenate float16 on a CPU
                tensors = {both: torch.cat(list(tensors.values()))}
        if self.extra.get("streaming"):
            tiles = {name: self.extra[name] for name in TILES}
            streamed = getattr(functions.streaming, self.loss.name)
            return (share(streamed) if self.extra.get("gather") else streamed)(**tensors, **options, **tiles)
        return functions.plain[self.loss.name](**tensors, **masks, **options)

    def _settings(self, options: dict[str, Any], masks: dict[str, Any]) -> dict[str, Any]:
        """Return the settings that must agree on all ranks; otherwise each would compute its share of a
        different loss.
        """
        settings = {name: x for name, x in self.extra.items() if name != "progress"}
        for name, x in options.items():
            settings[name] = x.item() if hasattr(x, "item") else x
            settings[f"whether {name} requires a gradient"] = getattr(x, "requires_grad", False)
        for name in masks_of(self.loss):
            mask = masks.get(name)
            settings[f"the shape of {name}"] = getattr(mask, "shape", None)
            if getattr(mask, "dtype", None) in (bool, torch.bool):
                entries = np.packbits(to_numpy(mask)).tobytes()
                settings[f"the digest of {name}"] = hashlib.blake2b(entries, digest_size=4).hexdigest()
        return {"the loss": type(self).__name__} | settings

    def _learned(self) -> dict[str, torch.Tensor]:
        """Return the learned temperature and bias."""
        found = {}
        if self.extra.get("learn_temperature"):
            scale: torch.Tensor = self.logit_scale
            most = self.extra["max_scale"]
            if most is not None:
                if scale is self._own[0]:  # as CLIP does after a step; not the tensor of a functional_call
                    scale.data.clamp_(max=math.log(most))
                # a clamp in the graph would stop the gradient
                scale = scale - scale.detach() + scale.detach().clamp(max=math.log(most))
            found["temperature"] = torch.exp(-scale)
        if self.extra.get("learn_bias"):
            found["bias"] = self.bias
        return found

    def extra_repr(self) -> str:
        """The options that differ from their defaults."""
        usual = {p.name: p.default for p in (*options_of(self.loss), *extra_of(self.loss))}
        every = {**self.options, **self.extra}
        return ", ".join(f"{n}={x!r}" for n, x in every.items() if x is not usual[n] and n not in self.fixed)

    def __prepare_scriptable__(self) -> None:
        functions.refuse(type(self).__name__, "scripted by torch.jit")


def project(name: str, x: torch.Tensor) -> torch.Tensor:
    """Divide rows by their lengths. Raises ValueError for a row that is 0."""
    check_forms(**{name: (x, "B d")})
    largest = x.detach().abs().amax(dim=1, keepdim=True)
    if (largest == 0).any():
        raise ValueError(f"{name} has a row of zeros, which has no direction: remove it")
    x = x / largest  # so that no square overflows; a factor changes no direction
    return x / torch.linalg.vector_norm(x, dim=1, keepdim=True)


def module(loss: Loss, place: str, **unlike: Any) -> type[LossModule]:
    """Return the module of a loss, a class of the Python module `place`. unlike: other class attributes."""
    name, fixed = unlike.pop("name", name_of(loss)), unlike.get("fixed", {})
    own = {its: called for called, its in unlike.get("views", {}).items()}
    calls, extra = [p.replace(name=own.get(p.name, p.name)) for p in tensors_of(loss)], extra_of(loss)
    options = [p for p in options_of(loss) if p.name not in fixed]
    construction = Signature([*(p.replace(kind=KEYWORD) for p in options), *extra])
    call = Signature(calls, return_annotation=torch.Tensor)

    def __init__(self: LossModule, *args: Any, **named: Any) -> None:
        if "gather" in named and not loss.compares:
            raise TypeError(explain_gather(name, "gather"))
        if unknown := named.keys() - construction.parameters.keys():
            word = min(unknown)
            every = [p.name for p in (*options, *extra)]
            known = suggest(word, every) or f"; it has {', '.join(every)}"
            where = (
                f": give it in the call, {name}(…)({', '.join(call.parameters)})"
                if word in call.parameters
                else known
            )
            raise TypeError(f"{name} has no option {word!r}{where}")
        bound = bind(name, construction, args, named)
        bound.apply_defaults()
        self._set_up(bound.arguments | fixed)

    def forward(self: LossModule, *args: Any, **named: Any) -> torch.Tensor:
        bound = bind(name, call, args, named)
        bound.apply_defaults()
        try:
            return self._value(dict(bound.arguments))
        except ValueError as error:
            if not own:
                raise
            # in the words of this call
            said = re.sub(r"\w+", lambda word: own.get(word[0], word[0]), str(error))
            raise type(error)(said) from None

    made: dict[str, Callable[..., Any]] = {
        "__init__": __init__,
        "forward": functions.disable_compiler(forward, name),
    }
    for method, its in zip(made.values(), (construction, call)):
        with_self = its.replace(parameters=[SELF, *its.parameters.values()])
        vars(method).update(__signature__=with_self, __module__=place)
        method.__qualname__ = f"{name}.{method.__name__}"
    shown = [f"    {EXTRA[p.name]}" for p in extra if p.name in EXTRA]
    equations = cleandoc(getmodule(loss.forward).__doc__ or "")
    given = ", ".join(p.name for p in calls)
    both = f"; {find_views(loss)} is z1 above z2" if find_views(loss) else ""
    text = f"{equations}\n\nA call takes {given}{both}.\n\n" + "\n".join(shown)
    return type(name, (LossModule,), {**made, "loss": loss, "__doc__": text, "__module__": place} | unlike)


def name_of(loss: Loss) -> str:
    """Return the name of a loss's module."""
    title = loss.title or "".join(word.capitalize() for word in loss.name.split("_"))
    return "".join(filter(str.isalnum, title)) + "Loss"
