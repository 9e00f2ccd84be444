"""Find a user's loss by name, build it, and read its signature. It runs in this process, with all its rights."""

import ast
import contextlib
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..targets import attribute, describe_error, module
from .reading import Refused, Take

LIBRARIES = ("torch", "jax", "numpy")
TEMPERATURES = ("temperature", "tau", "temp", "t", "T")
SCALES = ("logit_scale", "scale", "inverse_temperature")
NUMBERS = (
    *("temperature", "tau", "temp", *SCALES, "bias", "logit_bias", "margin", "beta", "weight", "alpha"),
    *("eps", "t", "exponent", "prior", "beta1", "beta2"),
)
# a loss that takes one of these is built for each batch
BATCH_SIZES = ("batch_size", "batchsize", "batchSize", "bsz", "bs")
PLACES = ("rank", "local_rank", "world_size", "num_gpus")  # names of the rank and of the number of ranks
AXES = ("axis_name", "pmap_axis_name", "data_axis_name", "batch_axis_name", "device_axis_name", "pmap_axis")
AXIS = "ranks"  # the axis name that a JAX loss gets if it takes one
OPTIONAL = {  # the names of optional arguments, by the kind of array
    "labels": {"labels", "label", "classes", "ids"},
    "mask": {"mask", "pos_mask", "positive_mask", "positives_mask"},
    "mask of negatives": {"neg_mask", "negative_mask", "negatives_mask"},
    "negatives": {
        *("queue", "negatives", "negative", "negative_keys", "negative_key", "hard_negatives", "memory"),
    },
}
Parameters = dict[str, inspect.Parameter]


class Target(NamedTuple):
    """A loss that can be called.

    make: builds it anew · settings: arguments by name, for building and for the call · name: as shown in the report
    · backward: a separate gradient function, of the same arguments or of forward's cache, or a method of the loss's
    class, or None · device: where tensors are put · per_batch: whether make takes the number of pairs and returns
    the loss for it · take: which of its results is the loss · library, dtype: of the arrays that it is given ·
    restored: whether its state is restored before each call · rank, ranks: of its process group · mapped: whether
    a JAX loss runs under the mapped axis that it names · widened: whether torch's default dtype is the arrays'.
    """

    make: Callable[..., Any]
    settings: Mapping[str, Any]
    name: str
    backward: Callable[..., Any] | None = None
    device: str = "cpu"
    per_batch: bool = False
    take: Take = None
    library: str = "numpy"
    dtype: str = "float64"
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


def parse_settings(words: Sequence[str]) -> dict[str, Any]:
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


def find_target(loss: Any, settings: Mapping[str, Any], backward: Any = None, **more: Any) -> Target:
    """A loss as a function, a class, an object that can be called, or the text that names one."""
    name = loss if isinstance(loss, str) else getattr(loss, "__name__", type(loss).__name__)
    found = load(loss) if isinstance(loss, str) else loss
    if not callable(found):
        kind = type(found).__name__
        raise Refused(f"a loss is a function, a class or an object that can be called; got {kind}")
    backward = load(backward) if isinstance(backward, str) else backward
    return Target(found, dict(settings), name, backward, **more)


def parameters(function: Any) -> Parameters:
    """The parameters of a function by name; none if Python cannot tell."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def call_parameters(function: Any) -> Parameters:
    """The parameters of the call; for a torch module, those of forward."""
    return parameters(getattr(function, "forward", function))


def list_parameters(target: Target) -> list[Parameters]:
    """The parameters of the constructor, and of the call."""
    made: Any = target.make
    calls = ("forward", "__call__") if inspect.isclass(made) else ()
    functions = [made, getattr(made, "forward", made), *(getattr(made, c) for c in calls if hasattr(made, c))]
    return [parameters(function) for function in functions]


def accepts(target: Target, name: str) -> bool:
    """Whether it takes a setting of that name, when built or when called."""
    own = target.make if inspect.isclass(target.make) else getattr(target.make, "forward", target.make)
    any_name = any(p.kind is p.VAR_KEYWORD for p in parameters(own).values())
    return any_name or any(name in found for found in list_parameters(target))


def list_settings(target: Target) -> list[str]:
    """The names of the constructor's parameters, and of the call's that have defaults."""
    made: Any = target.make
    is_class = inspect.isclass(made)
    call = parameters(getattr(made, "forward", made.__call__ if is_class else made))
    names = [
        *(parameters(made) if is_class else ()),
        *(n for n, p in call.items() if p.default is not p.empty),
    ]
    return [name for name in dict.fromkeys(names) if name not in ("self", "args", "kwargs")]


def collect_settings(target: Target, function: Any) -> dict[str, Any]:
    """The settings of a loss: its defaults, numbers that the built object stores, and those given by name."""
    found = {n: p.default for f in (target.make, function) for n, p in call_parameters(f).items()}
    if inspect.isclass(target.make):
        found |= {n: p.default for n, p in parameters(target.make).items()}
    kept = {n: v for n, v in getattr(function, "__dict__", {}).items() if isinstance(v, int | float)}
    return {n: v for n, v in (found | kept).items() if v is not inspect.Parameter.empty} | dict(
        target.settings
    )


def build(target: Target, size: int = 4) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the function to call for a batch of this many pairs, and its settings by name."""
    given = {n: v for n, v in target.settings.items() if n not in BATCH_SIZES}
    if target.per_batch:
        return construct(target, target.make, size), find_usual(
            call_parameters(target.make), target, size
        ) | given
    if not inspect.isclass(target.make):
        return target.make, find_usual(call_parameters(target.make), target, size) | given
    own = parameters(target.make)
    building = find_usual(own, target, size) | {n: v for n, v in given.items() if n in own}
    rest = {n: v for n, v in target.settings.items() if n not in own}
    made = construct(target, target.make, **building)
    if any(p.kind is p.VAR_KEYWORD for p in own.values()):
        taken = {n: v for n, v in rest.items() if n not in call_parameters(made)}
        made = construct(target, target.make, **building, **taken)
        rest = {n: v for n, v in rest.items() if n not in taken}
    return made, rest | find_usual(call_parameters(made), target, size)


def construct(target: Target, make: Callable[..., Any], *args: Any, **given: Any) -> Callable[..., Any]:
    """Build it; raise Refused if that fails."""
    try:
        made = make(*args, **given)
    except Exception as error:
        known = ", ".join(n for n in parameters(target.make) if n not in ("args", "kwargs"))
        raise Refused(
            f"{target.name} cannot be built ({describe_error(error)}); it takes {known}: give --with NAME=VALUE"
        ) from error
    if not callable(made):
        raise Refused(f"{target.name} builds {type(made).__name__}, which cannot be called")
    return made


def find_usual(own: Parameters, target: Target, size: int) -> dict[str, Any]:
    """Choose values for parameters with well-known names: the batch size, the device, the rank, JAX's mapped axis.
    They replace a default if it is a batch size or a rank, an axis of None, or a device that is a GPU.
    """
    found: dict[str, Any] = {}
    for name, parameter in own.items():
        missing, default = parameter.default is parameter.empty, parameter.default
        if name in BATCH_SIZES:
            found[name] = size
        elif name == "device" and (missing or str(default).startswith("cuda")):
            torch: Any = sys.modules.get("torch")
            found[name] = torch.device(target.device) if torch else target.device
        elif name in PLACES and (missing or target.ranks > 1):
            found[name] = target.ranks if name in ("world_size", "num_gpus") else target.rank
        elif name in AXES and target.mapped and (missing or default is None):
            found[name] = AXIS
    return found


def find_missing(function: Callable, given: Mapping[str, Any]) -> list[str]:
    """The parameters without default that were not given by name."""
    kinds = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    )
    own = call_parameters(function).items()
    return [n for n, p in own if p.default is p.empty and p.kind in kinds and n not in given]


def find_optional(function: Callable, given: Mapping[str, Any]) -> list[str]:
    """The parameters that are None by default and that name arrays."""
    known = set().union(*OPTIONAL.values())
    own = call_parameters(function).items()
    return [n for n, p in own if p.default is None and n in known and n not in given]


def call_by_signature(
    function: Callable[..., Any], arguments: Sequence[Any], given: Mapping[str, Any]
) -> Any:
    """Call it with the arguments in order; keyword-only and optional ones by name."""
    own, wanted = call_parameters(function), find_missing(function, given)
    names = [*wanted, *(find_optional(function, given) if wanted else [])][: len(arguments)]
    keyword = inspect.Parameter.KEYWORD_ONLY
    by_name = {n: x for n, x in zip(names, arguments) if n not in wanted or own[n].kind is keyword}
    return function(*arguments[: len(arguments) - len(by_name)], **by_name, **given)


def find_held(function: Any) -> dict[str, tuple[int, int]]:
    """The shapes of the arrays of rows that a loss holds, as a memory or a layer would; learned ones last."""
    every = {
        **getattr(function, "__dict__", {}),
        **dict(getattr(function, "named_buffers", dict)()),
        **dict(getattr(function, "named_parameters", dict)()),
    }
    shapes = {n: tuple(x.shape) for n, x in every.items() if "float" in str(getattr(x, "dtype", ""))}
    return {n: s for n, s in shapes.items() if len(s) == 2 and s[0] != s[1] and min(s) > 1}


def describe_held(function: Any) -> str:
    """Say which arrays of rows a loss holds; "" for none."""
    learned, words = dict(getattr(function, "named_parameters", dict)()), ["", ""]
    for name, shape in find_held(function).items():
        words[name in learned] += f"{', ' * bool(words[name in learned])}{name} {shape}"
    memory = f"it holds {words[0]}, which no formula sees: pass a queue or a memory in as an argument"
    layer = f"it learns {words[1]}: ask about the loss of what that layer returns"
    return "; ".join([memory] * bool(words[0]) + [layer] * bool(words[1]))


def roots(function: Any) -> set[str]:
    """The libraries that the module of a function or an object has imported."""
    own = function if inspect.isclass(function) else type(function)
    code = inspect.unwrap(function) if inspect.isroutine(function) else own
    home = sys.modules.get(getattr(code, "__module__", "") or "")
    names = getattr(code, "__globals__", None) or (vars(home) if home else {})
    found = {base.__module__ for base in own.__mro__}
    closed = (cell.cell_contents for cell in getattr(code, "__closure__", None) or ())
    for value in (*names.values(), *closed):
        found.add(value.__name__ if inspect.ismodule(value) else str(getattr(value, "__module__", "")))
    return {name.partition(".")[0] for name in found}


def is_of_tensorflow(function: Any) -> bool:
    """Whether the module of a function or an object has imported TensorFlow or Keras."""
    return not roots(function).isdisjoint({"tensorflow", "keras"})


def libraries(function: Any) -> list[str]:
    """The libraries whose arrays the function may take: those that its module has imported, or any loaded."""
    found = {"jax" if name == "jaxlib" else name for name in roots(function)}
    known = [name for name in LIBRARIES if name in found and name in sys.modules]
    return known or [name for name in reversed(LIBRARIES) if name in sys.modules]


ON_CPU = "it asks for a GPU: run on the CPU"


def run_without_card(call: Callable[[], Any], notes: dict[str, None]) -> Any:
    """Call it; if it needs a GPU and there is none, keep all tensors on the CPU, and add this to the notes."""
    if ON_CPU not in notes:
        try:
            return call()
        except Exception as error:  # a user's code may raise anything
            torch = sys.modules.get("torch")
            asked = re.search("cuda|nvidia|accelerator device", str(error), re.IGNORECASE)
            if torch is None or asked is None or torch.cuda.is_available():
                raise
    with replace_gpu():
        found = call()
    notes[ON_CPU] = None
    return found


@contextlib.contextmanager
def replace_gpu() -> Iterator[None]:
    """Replace the GPU by the CPU in every call of PyTorch."""
    torch: Any = sys.modules["torch"]
    overrides: Any = importlib.import_module("torch.overrides")

    def replace(x: Any) -> Any:
        of_card = (x.type if isinstance(x, torch.device) else str(x)).startswith("cuda")
        return torch.device("cpu") if of_card and isinstance(x, str | torch.device) else x

    class OnCPU(overrides.TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if getattr(function, "__name__", "") == "cuda":
                return args[0]
            if function is torch.device:  # whose type must be a word
                return replace(function(*args, **(kwargs or {})))
            own = {name: replace(x) for name, x in (kwargs or {}).items()}
            return function(*map(replace, args), **own)

    current, torch.cuda.current_device = torch.cuda.current_device, lambda: torch.device("cpu")
    try:
        with OnCPU():
            yield
    finally:
        torch.cuda.current_device = current
