"""Find a user's loss by name and build it.

It runs in this process, with all rights of this process.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..targets import attribute, describe_error, module

LIBRARIES = ("torch", "jax", "numpy")
TEMPERATURES = ("temperature", "tau", "temp", "t", "T")
SCALES = ("logit_scale", "scale", "inverse_temperature")
# a loss that takes one of these is built for each batch
BATCH_SIZES = ("batch_size", "batchsize", "batchSize", "bsz", "bs")
PLACES = ("rank", "local_rank", "world_size", "num_gpus")  # names of the rank and of the number of ranks
AXES = ("axis_name", "pmap_axis_name", "data_axis_name", "batch_axis_name", "device_axis_name", "pmap_axis")
AXIS = "ranks"  # the axis name that a JAX loss gets if it takes one


class Refused(ValueError):
    """The loss cannot be checked; the message says why, in one line."""


class Target(NamedTuple):
    """A loss that can be called.

    make: builds it anew · settings: arguments by name, for building and for the call · name: as shown in the report
    · backward: a separate gradient function, of the same arguments or of forward's cache, or a method of the loss's
    class, or None · device: where tensors are put · per_batch: whether make takes the number of pairs and returns
    the loss for it · take: which of its results is the loss · restored: whether its state is restored before each
    call · rank, ranks: of its process group · mapped: whether a JAX loss runs under the mapped axis that it names ·
    widened: whether torch's default dtype is set to the inputs' dtype.
    """

    make: Callable[..., Any]
    settings: Mapping[str, Any]
    name: str
    backward: Callable[..., Any] | None = None
    device: str = "cpu"
    per_batch: bool = False
    take: int | str | tuple[int | str, ...] | None = None
    restored: bool = False
    rank: int = 0
    ranks: int = 1
    mapped: bool = False
    widened: bool = False


def load(text: str) -> Any:
    """Load the object that "module:attribute" or "file.py:attribute" names; attribute may have dots."""
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
    """Parse NAME=VALUE …, each value as Python writes it, or a word."""
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
    """Return the names of a function's parameters; none if Python cannot tell."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def takes(function: Callable, name: str) -> bool:
    found = parameters(function)
    return name in found or any(p.kind is p.VAR_KEYWORD for p in found.values())


def build(target: Target, size: int = 4) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the function to call for a batch of this many pairs, and its settings by name."""
    if target.per_batch:
        return construct(target, lambda: target.make(size)), given_to_call(target, target.make, size)
    if not inspect.isclass(target.make):
        return target.make, given_to_call(target, target.make, size)
    own = parameters(target.make)
    usual = find_usual(own, target, size)
    building = usual | {n: v for n, v in target.settings.items() if n in own and n not in BATCH_SIZES}
    rest = {n: v for n, v in target.settings.items() if n not in own}
    made = construct(target, lambda: target.make(**building))
    if any(p.kind is p.VAR_KEYWORD for p in own.values()):
        taken = {n: v for n, v in rest.items() if n not in call_signature(made)}
        made = construct(target, lambda: target.make(**building, **taken))
        rest = {n: v for n, v in rest.items() if n not in taken}
    return made, rest | find_usual(call_signature(made), target, size)


def construct(target: Target, make: Callable[[], Any]) -> Callable[..., Any]:
    """Build it; raise Refused if that fails."""
    try:
        made = make()
    except Exception as error:
        known = ", ".join(n for n in parameters(target.make) if n not in ("args", "kwargs"))
        raise Refused(
            f"{target.name} cannot be built ({describe_error(error)}); it takes {known}: give --with NAME=VALUE"
        ) from error
    if not callable(made):
        raise Refused(f"{target.name} builds {type(made).__name__}, which cannot be called")
    return made


def given_to_call(target: Target, function: Any, size: int) -> dict[str, Any]:
    usual = find_usual(call_signature(function), target, size)
    return usual | {n: v for n, v in target.settings.items() if n not in BATCH_SIZES}


def find_usual(own: Mapping[str, inspect.Parameter], target: Target, size: int) -> dict[str, Any]:
    """Choose values for parameters with well-known names: the batch size, the device, the rank, JAX's mapped axis.
    They replace a default if it is a batch size or a rank, an axis of None, or a device that is a GPU.
    """
    missing = {n for n, p in own.items() if p.default is p.empty}
    ranked = target.ranks > 1
    found: dict[str, Any] = {}
    for name in own:
        default = own[name].default
        if name in BATCH_SIZES:
            found[name] = size
        elif name == "device" and (name in missing or str(default).startswith("cuda")):
            torch: Any = sys.modules.get("torch")
            found[name] = torch.device(target.device) if torch else target.device
        elif name in PLACES and (name in missing or ranked):
            found[name] = target.ranks if name in ("world_size", "num_gpus") else target.rank
        elif name in AXES and target.mapped and (name in missing or default is None):
            found[name] = AXIS
    return found


def call_signature(function: Any) -> dict[str, inspect.Parameter]:
    """Return the signature of the call; for a torch module, that of forward."""
    forward: Callable = getattr(function, "forward", function)
    return parameters(forward)


def accepts(target: Target, name: str) -> bool:
    """Return whether it takes a setting of that name, when built or when called."""
    made = target.make
    function = made if inspect.isclass(made) else getattr(made, "forward", None) or made
    return name in named_parameters(target) or takes(function, name)


def named_parameters(target: Target) -> set[str]:
    """Return the names of the parameters of the constructor and of the call."""
    made = target.make
    calls = ("forward", "__call__") if inspect.isclass(made) else ()
    every = [
        made,
        getattr(made, "forward", made),
        *(getattr(made, call) for call in calls if hasattr(made, call)),
    ]
    return {name for function in every for name in parameters(function)}


def list_settings(target: Target) -> list[str]:
    """Return the names of the constructor's parameters, and of the call's parameters that have defaults."""
    made = target.make
    built_with = list(parameters(made)) if inspect.isclass(made) else []
    call = getattr(made, "forward", made if not inspect.isclass(made) else made.__call__)
    names = built_with + [n for n, p in parameters(call).items() if p.default is not p.empty]
    return list(dict.fromkeys(n for n in names if n not in ("self", "args", "kwargs")))


def collect_settings(target: Target, function: Any) -> dict[str, Any]:
    """The settings of a loss: those given by name, its defaults, and those that the built object stores."""
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


def describe_held(function: Any, features: int | None = None) -> str:
    """Say which arrays of rows a loss holds, as a memory or a layer would; "" for none. features: of a row."""
    learned = dict(getattr(function, "named_parameters", dict)())
    every = {
        **getattr(function, "__dict__", {}),
        **dict(getattr(function, "named_buffers", dict)()),
        **learned,
    }
    shapes = {name: tuple(x.shape) for name, x in every.items() if "float" in str(getattr(x, "dtype", ""))}
    rows = {
        name: shape
        for name, shape in shapes.items()
        if len(shape) == 2 and (features in shape if features else shape[0] != shape[1] and min(shape) > 1)
    }
    memory, layer = (
        ", ".join(f"{name} {shape}" for name, shape in rows.items() if (name in learned) is layers)
        for layers in (False, True)
    )
    words = [f"it holds {memory}, which no formula sees: pass a queue or a memory in as an argument"] * bool(
        memory
    )
    words += [f"it learns {layer}: ask about the loss of what that layer returns"] * bool(layer)
    return "; ".join(words)


OPTIONAL = {  # the names of optional arguments, by the kind of array
    "labels": {"labels", "label", "classes", "ids"},
    "mask": {"mask", "pos_mask", "positive_mask", "positives_mask"},
    "mask of negatives": {"neg_mask", "negative_mask", "negatives_mask"},
    "negatives": {
        "queue",
        "negatives",
        "negative",
        "negative_keys",
        "negative_key",
        "hard_negatives",
        "memory",
    },
}


def find_optional(function: Callable, given: Mapping[str, Any]) -> list[str]:
    """The parameters that are None by default and that name arrays."""
    known = set().union(*OPTIONAL.values())
    own = call_signature(function)
    return [n for n, p in own.items() if p.default is None and n in known and n not in given]


def is_sized(target: Target) -> bool:
    """Return whether it takes the batch size, when built or when called."""
    return target.per_batch or not named_parameters(target).isdisjoint(BATCH_SIZES)


def roots(function: Any) -> set[str]:
    """The libraries that the module of a function or an object has imported."""
    own = function if inspect.isclass(function) else type(function)
    code = inspect.unwrap(function) if inspect.isroutine(function) else own
    home = sys.modules.get(getattr(code, "__module__", "") or "")
    names = getattr(code, "__globals__", None) or (vars(home) if home else {})
    found = {base.__module__ for base in own.__mro__}
    for value in list(names.values()):
        found.add(value.__name__ if inspect.ismodule(value) else str(getattr(value, "__module__", "")))
    return {name.partition(".")[0] for name in found}


def is_of_tensorflow(function: Any) -> bool:
    """Whether the module of a function or an object has imported TensorFlow or Keras."""
    return not roots(function).isdisjoint({"tensorflow", "keras"})


def libraries(function: Any) -> list[str]:
    """The libraries whose arrays the function may take: those that its module has imported, or any loaded."""
    own = {"jaxlib": "jax"}
    found = {own.get(name, name) for name in roots(function)}
    known = [name for name in LIBRARIES if name in found and name in sys.modules]
    return known or [name for name in reversed(LIBRARIES) if name in sys.modules]
