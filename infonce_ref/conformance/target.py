"""A user's loss: found by name, built, and called on NumPy arrays whatever its library.

It runs in this process, with all that this process may do.
"""

import ast
import importlib
import inspect
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..targets import attribute, describe_error, module

LIBRARIES = ("torch", "jax", "numpy")
TEMPERATURES = ("temperature", "tau", "temp", "t", "T")
SCALES = ("logit_scale", "scale", "inverse_temperature")


class Refused(ValueError):
    """The loss cannot be checked; the message says why, in one line."""


class Target(NamedTuple):
    """A loss that can be called.

    make: builds it anew · settings: what was given by name, for building and for the call · name: for a reader ·
    backward: a gradient given beside it, of the same arguments or of what forward cached, or None · device: where
    tensors are put.
    """

    make: Callable[..., Any]
    settings: Mapping[str, Any]
    name: str
    backward: Callable[..., Any] | None = None
    device: str = "cpu"


class Answer(NamedTuple):
    """value · gradients: one for each array that was passed, None for integers; None as a whole where the library
    gives none · dtype: of the value, by its name · numbers: the gradients by numbers such as the temperature, by
    name, if the backward returns fields."""

    value: float
    gradients: tuple | None
    dtype: str
    numbers: Mapping[str, float] = MappingProxyType({})


def load(text: str) -> Any:
    """The object that "module:attribute" or "file.py:attribute" names; a dot leads into a class or an object."""
    place, _, path = text.rpartition(":")
    if not place or not path:
        raise Refused(f"{text!r} names no loss; write module:attribute or file.py:attribute")
    try:
        found = attribute(module(place), path, place)
    except ValueError as error:
        raise Refused(str(error)) from None
    if not callable(found):
        raise Refused(f"{text} is {type(found).__name__}, not a function, class or module that can be called")
    return found


def settings(words: Sequence[str]) -> dict[str, Any]:
    """NAME=VALUE …, each value as Python writes it, or a word."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.isidentifier():
            raise Refused(f"{word!r}: write NAME=VALUE, for example temperature=0.1")
        try:
            found[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            found[name] = value
    return found


def target(
    loss: Any, with_: Mapping[str, Any] | None = None, backward: Any = None, device: str = "cpu"
) -> Target:
    """A loss as a function, a class, an object that can be called, or the text that names one."""
    name = loss if isinstance(loss, str) else getattr(loss, "__name__", type(loss).__name__)
    found = load(loss) if isinstance(loss, str) else loss
    if isinstance(backward, str):
        backward = load(backward)
    if not callable(found):
        raise Refused(
            f"a loss is a function, a class or an object that can be called; got {type(found).__name__}"
        )
    return Target(found, dict(with_ or {}), name, backward, device)


def parameters(function: Any) -> dict[str, inspect.Parameter]:
    """The names of a function's parameters; none if Python cannot tell."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def takes(function: Callable, name: str) -> bool:
    found = parameters(function)
    return name in found or any(p.kind is p.VAR_KEYWORD for p in found.values())


def build(target: Target) -> tuple[Callable[..., Any], dict[str, Any]]:
    """The function to call, and its settings by name."""
    if not inspect.isclass(target.make):
        return target.make, dict(target.settings)
    own = parameters(target.make)
    starred = any(p.kind is p.VAR_KEYWORD for p in own.values())
    building = {n: v for n, v in target.settings.items() if n in own}
    rest = {n: v for n, v in target.settings.items() if n not in own}
    try:
        made = target.make(**building)
        call = made.forward if hasattr(made, "forward") else made
        if starred:
            taken = {n: v for n, v in rest.items() if n not in parameters(call)}
            made, rest = target.make(**building, **taken), {n: v for n, v in rest.items() if n not in taken}
    except Exception as error:
        known = ", ".join(n for n in own if n not in ("args", "kwargs"))
        raise Refused(
            f"{target.name} cannot be built ({describe_error(error)}); it takes {known}: give --with NAME=VALUE"
        ) from None
    if not callable(made):
        raise Refused(f"{target.name} builds {type(made).__name__}, which cannot be called")
    return made, rest


def call_signature(function: Any) -> dict[str, inspect.Parameter]:
    """The signature of the call: that of forward for a torch module."""
    forward: Callable = getattr(function, "forward", function)
    return parameters(forward)


def accepts(target: Target, name: str) -> bool:
    """Whether it takes a setting of that name, when built or when called."""
    made = target.make
    if not inspect.isclass(made):
        return takes(getattr(made, "forward", None) or made, name)
    return takes(made, name) or any(
        name in parameters(getattr(made, call)) for call in ("forward", "__call__") if hasattr(made, call)
    )


def settable(target: Target) -> list[str]:
    """The names of the parameters with which it is built, and of those with a default with which it is called."""
    made = target.make
    built_with = list(parameters(made)) if inspect.isclass(made) else []
    call = getattr(made, "forward", made if not inspect.isclass(made) else made.__call__)
    names = built_with + [n for n, p in parameters(call).items() if p.default is not p.empty]
    return list(dict.fromkeys(n for n in names if n not in ("self", "args", "kwargs")))


def collect_settings(target: Target, function: Any) -> dict[str, Any]:
    """The settings of a loss: those given by name, its defaults, and those kept by the object built."""
    found = {n: p.default for f in (target.make, function) for n, p in call_signature(f).items()}
    if inspect.isclass(target.make):
        found |= {n: p.default for n, p in parameters(target.make).items()}
    kept = getattr(function, "__dict__", {})
    return found | {n: v for n, v in kept.items() if isinstance(v, int | float)} | dict(target.settings)


def find_missing(function: Callable, given: Mapping[str, Any]) -> list[str]:
    """The parameters without default that were not given by name."""
    return [
        name
        for name, p in call_signature(function).items()
        if p.default is p.empty
        and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        and name not in given
    ]


def roots(function: Any) -> set[str]:
    """The libraries that the module of a function or an object has imported."""
    code = inspect.unwrap(function) if inspect.isroutine(function) else type(function)
    home = sys.modules.get(getattr(code, "__module__", "") or "")
    names = getattr(code, "__globals__", None) or (vars(home) if home else {})
    found = {type(function).__module__, *(base.__module__ for base in type(function).__mro__)}
    for value in list(names.values()):
        found.add(value.__name__ if inspect.ismodule(value) else str(getattr(value, "__module__", "")))
    return {name.partition(".")[0] for name in found}


def libraries(function: Any) -> list[str]:
    """The libraries whose arrays the function may take: those that its module has imported, or any loaded."""
    own = {"jaxlib": "jax"}
    found = {own.get(name, name) for name in roots(function)}
    known = [name for name in LIBRARIES if name in found and name in sys.modules]
    return known or [name for name in reversed(LIBRARIES) if name in sys.modules]


def scalar(result: Any, name: str) -> Any:
    """The loss in what came back: itself, the first of a tuple, or the one called "loss"."""
    if isinstance(result, Mapping):
        keys = [key for key in result if "loss" in str(key)]
        if len(keys) != 1:
            raise Refused(f"{name} returns a dict of {', '.join(map(str, result))}; return the loss")
        result = result[keys[0]]
    if isinstance(result, tuple | list) and len(result):
        result = result[0]
    shape = tuple(getattr(result, "shape", ()))
    if result is None:
        raise Refused(f"{name} returns nothing")
    if int(np.prod(shape)) != 1:
        raise Refused(
            f"{name} returns an array of shape {shape}, not a number; reduce it (reduction='mean', or .mean())"
        )
    return result


class Session:
    """A target with its library and the way in which it takes arrays, ready to be asked."""

    def __init__(self, target: Target, library: str, dtype: str = "float64"):
        self.target, self.library, self.dtype = target, library, dtype
        self.function, self.given = build(target)
        self.name = target.name

    def __call__(self, arrays: Sequence[np.ndarray], gradient: bool = False) -> Answer:
        """The value at these arrays and, if asked for, the library's own gradient."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return {"torch": self._torch, "jax": self._jax, "numpy": self._numpy}[self.library](
                arrays, gradient
            )

    def _numpy(self, arrays: Sequence[np.ndarray], gradient: bool) -> Answer:
        passed = [self._cast(x) for x in arrays]
        kept = [x.copy() for x in passed]
        result = self.function(*passed, **self.given)
        self._require_untouched(kept, passed)
        value = scalar(result, self.name)
        found, numbers = None, dict[str, float]()
        if gradient and self.target.backward is not None:
            if isinstance(result, tuple) and len(parameters(self.target.backward)) <= 2:
                slopes = self.target.backward(result[1])
            else:
                slopes = self.target.backward(*passed, **self.given)
            slopes, numbers = split_fields(slopes)
            found = read_gradients(slopes, passed, self.name)
        return Answer(float(np.asarray(value).reshape(())), found, str(np.asarray(value).dtype), numbers)

    def _torch(self, arrays: Sequence[np.ndarray], gradient: bool) -> Answer:
        torch = sys.modules["torch"]
        tensors = []
        for x in arrays:
            floating = x.dtype.kind == "f"
            tensor = torch.tensor(
                x, dtype=getattr(torch, self.dtype) if floating else torch.long, device=self.target.device
            )
            tensors.append(tensor.requires_grad_() if floating and gradient else tensor)
        kept = [tensor.detach().clone() for tensor in tensors]
        with torch.set_grad_enabled(gradient):
            result = self.function(*tensors, **self._tensors(torch))
        self._require_untouched([t.cpu() for t in kept], [t.detach().cpu() for t in tensors])
        value = scalar(result, self.name)
        if not isinstance(value, torch.Tensor):
            value = torch.as_tensor(value)
        found: tuple | None = None
        if gradient:
            leaves = [tensor for tensor in tensors if tensor.requires_grad]
            if not value.requires_grad:
                slopes = [None] * len(leaves)
            else:
                slopes = list(torch.autograd.grad(value.reshape(()), leaves, allow_unused=True))
            left = iter(slopes)
            found = tuple(
                None if not tensor.requires_grad else fill(next(left), x)
                for tensor, x in zip(tensors, arrays)
            )
        return Answer(float(value.detach().reshape(())), found, str(value.dtype).removeprefix("torch."))

    def _jax(self, arrays: Sequence[np.ndarray], gradient: bool) -> Answer:
        jax = sys.modules["jax"]
        numpy = importlib.import_module("jax.numpy")
        home = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
        with home.enable_x64(True):
            passed = [
                numpy.asarray(x, dtype=self.dtype if x.dtype.kind == "f" else numpy.int32) for x in arrays
            ]
            places = tuple(i for i, x in enumerate(arrays) if x.dtype.kind == "f")

            def value_of(*inputs: Any) -> Any:
                return numpy.reshape(scalar(self.function(*inputs, **self.given), self.name), ())

            if not gradient:
                value = value_of(*passed)
                return Answer(float(value), None, str(value.dtype))
            value, slopes = jax.value_and_grad(value_of, argnums=places)(*passed)
            found: list[Any] = [None] * len(arrays)
            for i, slope in zip(places, slopes):
                found[i] = np.asarray(slope, dtype=np.float64)
            return Answer(float(value), tuple(found), str(value.dtype))

    def _cast(self, x: np.ndarray) -> np.ndarray:
        return x.astype(self.dtype) if x.dtype.kind == "f" else x.copy()

    def _tensors(self, torch: Any) -> dict[str, Any]:
        """Settings of the call; a scale is converted if the signature wants a tensor."""
        return self.given

    def _require_untouched(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        if not all(bool((b == a).all()) for b, a in zip(before, after)):
            raise Refused(f"{self.name} writes into the arrays that it was given; let it work on a copy")


def fill(slope: Any, x: np.ndarray) -> np.ndarray:
    """A gradient as float64; 0 for an input that the loss does not depend on."""
    return np.zeros(x.shape) if slope is None else slope.detach().cpu().double().numpy()


def split_fields(slopes: Any) -> tuple[Any, dict[str, float]]:
    """The gradients by arrays, and by name those by numbers, if a backward returned fields."""
    fields = slopes._asdict() if hasattr(slopes, "_asdict") else slopes
    if not isinstance(fields, Mapping):
        return slopes, {}
    numbers = {name: float(x) for name, x in fields.items() if np.ndim(x) == 0}
    return tuple(x for name, x in fields.items() if name not in numbers), numbers


def read_gradients(slopes: Any, arrays: Sequence[np.ndarray], name: str) -> tuple:
    """What a user's backward returned, as one gradient for each array of floats."""
    slopes = tuple(slopes) if isinstance(slopes, tuple | list) else (slopes,)
    left = list(slopes)
    found: list[np.ndarray | None] = []
    for x in arrays:
        if x.dtype.kind != "f":
            found.append(None)
            continue
        # a backward pass holds constant what it returns no gradient for
        slope = np.asarray(left.pop(0), dtype=np.float64) if left else np.zeros(x.shape)
        if slope.shape != x.shape:
            raise Refused(
                f"the backward of {name} returns a gradient of shape {slope.shape} for an array of shape {x.shape}"
            )
        found.append(slope)
    return tuple(found)
