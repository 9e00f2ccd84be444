"""Find a user's loss by name, build it, and read its signature. It runs in this process, with all its rights."""

import ast
import contextlib
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..targets import attribute, describe_error, module
from .reading import Refused, Take, option

LIBRARIES = ("torch", "jax", "numpy")
TEMPERATURES = ("temperature", "tau", "τ", "temp", "t", "T")
SCALES = ("logit_scale", "scale", "inverse_temperature")
NUMBERS = (
    *("temperature", "tau", "τ", "temp", *SCALES, "bias", "logit_bias", "margin", "beta", "weight", "alpha"),
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
# what may be done for a loss of PyTorch: fields of a target, each with the errors that ask for it, and the note
HELPS: dict[str, tuple[str, str]] = {
    "on_cpu": ("(?i)cuda|nvidia|accelerator device", "it asks for a GPU: run on the CPU"),
    "widened": ("dtype|Double", "it makes tensors of torch's default dtype, which was {}"),
}
BIND = "write a line that makes {} and names its method, as loss = Trainer(…).loss, and check this name"
Parameters = dict[str, inspect.Parameter]


def is_temperature(name: str) -> bool:
    """Whether a name is that of a temperature, as tau or softmax_temp."""
    parts = {*name.lower().split("_")}
    return name in TEMPERATURES or (bool(parts & {"temp", "temperature"}) and "base" not in parts)


class Target(NamedTuple):
    """A loss that can be called.

    make: builds it anew · settings: arguments by name, for building and for the call · name: as shown in the report
    · backward: a separate gradient function, of the same arguments or of forward's cache, or a method of the loss's
    class, or None · device: where tensors are put · per_batch: whether make takes the number of pairs and returns
    the loss for it · take: which of its results is the loss · library, dtype: of the arrays that it is given ·
    restored: whether its state is restored before each call · rank, ranks: of its process group · mapped: whether
    a JAX loss runs under the mapped axis that it names · widened: whether torch's default dtype is the arrays' ·
    on_cpu: whether the GPU that it asks for is replaced by the CPU.
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
    on_cpu: bool = False


def load(loss: Any, loaded: dict[Path, Any]) -> Any:
    """A loss, or what "module:attribute" or "file.py:attribute" names; attribute may have dots. loaded: the modules
    so far, because a loss and its backward may share a class or a global.
    """
    found = loss
    if isinstance(loss, str):
        place, _, path = loss.rpartition(":")
        if not place or not path:
            words = f"{loss!r} names no loss; write module:attribute or file.py:attribute"
            raise Refused(words + list_functions(Path(loss)))
        try:
            file = Path(place).absolute()
            loaded[file] = loaded.get(file) or module(place)
            found = attribute(loaded[file], path, place)
        except ValueError as error:
            raise Refused(str(error)) from None
    if not callable(found):
        raise Refused(f"{loss} is {type(found).__name__}, not a function, class or module that can be called")
    if inspect.iscoroutinefunction(found):
        raise Refused(f"{loss} is a coroutine; check the function that it awaits")
    return found


def list_functions(file: Path) -> str:
    """What a file of Python defines, as the end of a message; "" if it is none."""
    try:
        nodes = ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return ""
    names = [n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    return f"; it defines {', '.join(names)}" if names else ""


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
    loaded = dict[Path, Any]()
    return Target(load(loss, loaded), dict(settings), name, backward and load(backward, loaded), **more)


def parameters(function: Any) -> Parameters:
    """The parameters of a function by name; none if Python cannot tell."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return {}


def call_parameters(function: Any) -> Parameters:
    """The parameters of the call; for a torch module, those of forward."""
    return parameters(getattr(function, "forward", function))


def list_parameters(target: Target) -> tuple[Parameters, Parameters]:
    """The parameters of the constructor, none for a function, and those of the call."""
    made: Any = target.make
    if not inspect.isclass(made):
        return {}, call_parameters(made)
    call = dict(parameters(getattr(made, "forward", made.__call__)))
    call.pop("self", None)
    return parameters(made), call


def accepts(target: Target, name: str) -> bool:
    """Whether it takes a setting of that name, when built or when called."""
    building, call = list_parameters(target)
    takes_any = any(p.kind is p.VAR_KEYWORD for p in (building or call).values())
    return takes_any or name in building | call


def list_settings(target: Target) -> list[str]:
    """The names of the constructor's parameters, and of the call's that have defaults."""
    building, call = list_parameters(target)
    names = [*building, *list_defaults(call)]
    return [name for name in dict.fromkeys(names) if name not in ("args", "kwargs")]


def list_defaults(own: Parameters) -> dict[str, Any]:
    return {n: p.default for n, p in own.items() if p.default is not p.empty}


def collect_settings(target: Target, function: Any) -> dict[str, Any]:
    """The settings of a loss: its defaults, numbers that the built object stores, and those given by name."""
    building, call = list_parameters(target)
    kept = {n: v for n, v in getattr(function, "__dict__", {}).items() if isinstance(v, int | float)}
    defaults = list_defaults(building | call | call_parameters(function))
    return {**defaults, **kept, **target.settings}


def build(target: Target, size: int = 4) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return the function to call for a batch of this many pairs, and its arguments by name."""
    made: Any = target.make
    own, call = list_parameters(target)
    given = {n: v for n, v in target.settings.items() if n not in BATCH_SIZES}
    if target.per_batch:
        made = construct(target, [size], {})
    elif inspect.isclass(made):
        building = {n: v for n, v in given.items() if n in own or n not in call}
        given = {n: v for n, v in given.items() if n not in building}
        made = construct(target, [], find_usual(own, target, size) | building)
    return made, find_usual(call_parameters(made), target, size) | given


def construct(target: Target, arguments: Sequence[Any], given: Mapping[str, Any]) -> Callable[..., Any]:
    """Build it; raise Refused if that fails."""
    try:
        made = target.make(*arguments, **given)
    except Exception as error:
        known = ", ".join(n for n in parameters(target.make) if n not in ("args", "kwargs"))
        how = f"it takes {known}: pass {option('with', 'NAME=VALUE')}" if known else BIND.format("an object")
        raise Refused(f"{target.name} cannot be built ({describe_error(error)}); {how}") from error
    if not callable(made):
        what = type(made).__name__
        raise Refused(f"{target.name} builds {what}, which cannot be called; {BIND.format(what)}")
    return made


def find_usual(own: Parameters, target: Target, size: int) -> dict[str, Any]:
    """Choose values for parameters with well-known names: the batch size, the device, the rank, JAX's mapped axis.
    They replace a default if it is a batch size or a rank, or an axis of None.
    """
    found: dict[str, Any] = {}
    for name, parameter in own.items():
        missing, default = parameter.default is parameter.empty, parameter.default
        if name in BATCH_SIZES:
            found[name] = size
        elif name == "device" and missing:
            torch: Any = sys.modules.get("torch")
            found[name] = torch.device(target.device) if torch else target.device
        elif name in PLACES and (missing or target.ranks > 1):
            found[name] = target.ranks if name in ("world_size", "num_gpus") else target.rank
        elif name in AXES and target.mapped and (missing or default is None):
            found[name] = AXIS
    return found


def find_missing(function: Callable, given: Mapping[str, Any]) -> list[str]:
    """The parameters without default that were not given by name."""
    own = call_parameters(function).items()
    plain = [(n, p) for n, p in own if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return [n for n, p in plain if p.default is p.empty and n not in given]


def find_optional(function: Callable, given: Mapping[str, Any]) -> list[str]:
    """The parameters that are None by default and that name arrays."""
    known = set().union(*OPTIONAL.values())
    own = call_parameters(function).items()
    return [n for n, p in own if p.default is None and n in known and n not in given]


def list_keywords(function: Callable[..., Any], given: Mapping[str, Any], count: int) -> list[str]:
    """Those of so many arguments that are passed by name, the last ones: keyword-only and optional ones."""
    own, wanted = call_parameters(function), find_missing(function, given)
    names = [*wanted, *(find_optional(function, given) if wanted else [])][:count]
    keyword = inspect.Parameter.KEYWORD_ONLY
    return [name for name in names if name not in wanted or own[name].kind is keyword]


def find_held(function: Any) -> dict[str, tuple[int, int]]:
    """The shapes of the arrays of rows that a loss holds, as a memory or a layer would."""
    listed = [dict(getattr(function, name, dict)()) for name in ("named_buffers", "named_parameters")]
    every = {**getattr(function, "__dict__", {}), **listed[0], **listed[1]}
    shapes = {n: tuple(x.shape) for n, x in every.items() if "float" in str(getattr(x, "dtype", ""))}
    return {n: s for n, s in shapes.items() if len(s) == 2 and s[0] != s[1] and min(s) > 1}


def describe_held(function: Any) -> str:
    """Say which arrays of rows a loss holds; "" for none."""
    learned, words = dict(getattr(function, "named_parameters", dict)()), list[str]()
    for own, what in (
        (False, "it holds {}, which no formula sees: pass a queue or a memory in as an argument"),
        (True, "it learns {}: ask about the loss of what that layer returns"),
    ):
        arrays = [f"{n} {shape}" for n, shape in find_held(function).items() if (n in learned) == own]
        words += [what.format(", ".join(arrays))] * bool(arrays)
    return "; ".join(words)


def list_libraries(function: Any) -> set[str]:
    """The libraries that the module of a function or an object has imported."""
    own = function if inspect.isclass(function) else type(function)
    code = inspect.unwrap(function) if inspect.isroutine(function) else own
    home = sys.modules.get(getattr(code, "__module__", "") or "")
    names = getattr(code, "__globals__", None) or (vars(home) if home else {})
    closed = (cell.cell_contents for cell in getattr(code, "__closure__", None) or ())
    found = {base.__module__ for base in own.__mro__}
    for value in (*names.values(), *closed):
        found.add(value.__name__ if inspect.ismodule(value) else str(getattr(value, "__module__", "")))
    return {name.partition(".")[0] for name in found}


def libraries(function: Any) -> list[str]:
    """The libraries whose arrays the function may take: those that its module has imported, or any loaded."""
    loaded = [name for name in LIBRARIES if name in sys.modules]
    own = list_libraries(function)
    return [name for name in loaded if name in own or f"{name}lib" in own] or loaded[::-1]


@contextlib.contextmanager
def adapt_torch(target: Target) -> Iterator[None]:
    """Within the block PyTorch's default dtype is the target's, and its GPU the CPU, if the loss needs this."""
    if not (target.widened or target.on_cpu):
        yield
        return
    torch: Any = sys.modules["torch"]
    kept = torch.get_default_dtype(), torch.cuda.current_device
    try:
        if target.widened:
            torch.set_default_dtype(getattr(torch, target.dtype))
        if target.on_cpu:
            torch.cuda.current_device = lambda: "cpu"
        with on_cpu() if target.on_cpu else contextlib.nullcontext():
            yield
    finally:
        torch.set_default_dtype(kept[0])
        torch.cuda.current_device = kept[1]


def on_cpu() -> Any:
    """A context in which every call of PyTorch has the CPU in place of a GPU."""
    overrides: Any = importlib.import_module("torch.overrides")

    def replace(x: Any) -> Any:
        return "cpu" if type(x).__name__ in ("str", "device") and str(x).startswith("cuda") else x

    class OnCPU(overrides.TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if getattr(function, "__name__", "") == "cuda":
                return args[0]
            own = {name: replace(x) for name, x in (kwargs or {}).items()}
            return function(*map(replace, args), **own)

    return OnCPU()
