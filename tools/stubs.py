"""Write the type stubs of `infonce_ref.torch`, its `nn` and `infonce_ref.jax`, whose names are created at import.

python tools/stubs.py
"""

import inspect
import subprocess
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter, Signature
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple, get_args, get_origin

import repository

from infonce_ref.arrays import Array
from infonce_ref.pairs import Layout
from infonce_ref.reduction import Reduction
from infonce_ref.streaming.tiles import Progress

MASK = Array | None
HEAD = '"""Types of `{name}`. Written by tools/stubs.py from the registry of losses."""\n'
TORCH = """
from typing import Literal

from torch import Tensor

from ..pairs import Layout
from ..reduction import Reduction
from ..streaming.tiles import Progress
from . import nn as nn

_Number = float | Tensor
_Mask = Tensor | None
"""
MODULES = """
from typing import Literal

from torch import Tensor
from torch.nn import Parameter

from ..reduction import Reduction
from ..streaming.tiles import Progress
from .modules import LossModule
from .queues import Queue as Queue

MODULES: dict[str, type[LossModule]]
"""
JAX = """
from collections.abc import Hashable
from typing import Literal

from jax import Array
from numpy import ndarray

from ..pairs import Layout
from ..reduction import Reduction

_Array = Array | ndarray
_Number = float | _Array
_Mask = _Array | None
"""


class Types(NamedTuple):
    """How a stub writes the type of an array, of a number, of a mask, and of a loss's result."""

    array: str
    number: str
    mask: str
    result: str


OF_TORCH = Types("Tensor", "_Number", "_Mask", "Tensor")
OF_MODULES = OF_TORCH._replace(number="float", mask="Tensor | None")
OF_JAX = Types("_Array", "_Number", "_Mask", "Array")
NAMED = {Layout: "Layout", Progress: "Progress", Reduction: "Reduction"}


def show_type(kind: Any, types: Types) -> str:
    """Return a type as it is written."""
    if kind is float:
        return types.number
    if kind is Any:
        return types.array
    if kind == MASK:
        return types.mask
    if kind in NAMED:
        return NAMED[kind]
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind))).replace(chr(39), chr(34))}]"
    if args := get_args(kind):
        return " | ".join(show_type(arg, types) for arg in args)
    return "None" if kind is type(None) else kind.__name__


def show_parameter(p: Parameter, types: Types) -> str:
    kind = show_type(p.annotation, types)
    return f"{p.name}: {kind}" + ("" if p.default is p.empty else f" = {p.default!r}".replace("'", '"'))


def show_signature(its: Signature, types: Types, first: tuple[str, ...] = ()) -> str:
    """Return the parameters without self, preceded by those of `first`."""
    shown, keyword = list(first), False
    for p in its.parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not keyword:
            keyword = True
            shown.append("*")
        shown.append(show_parameter(p, types))
    return ", ".join(shown)


def show_functions(made: dict[str, Callable[..., Any]], types: Types, *self: str) -> Iterator[str]:
    for name, function in made.items():
        shown = show_signature(inspect.signature(function), types, self)
        yield f"{'    ' * len(self)}def {name}({shown}) -> {types.result}: ..."


def show_package(made: Any, types: Types, *namespaces: str) -> Iterator[str]:
    """made: the module with the functions of a package, and its namespaces."""
    yield from show_functions(made.plain, types)
    for name in namespaces:
        yield f"\nclass _{name.capitalize()}:"
        functions = {key: x for key, x in vars(getattr(made, name)).items() if callable(x)}
        yield from show_functions(functions, types, "self")
        yield f"\n{name}: _{name.capitalize()}"


def show_modules(modules: Iterable[type]) -> Iterator[str]:
    """Modules that have the same arguments share a base."""
    alike: dict[str, list[str]] = {}
    for made in modules:
        alike.setdefault("\n".join(show_module(made)), []).append(made.__name__)
    for body, (first, *others) in alike.items():
        yield f"\nclass {'_' * bool(others)}{first}(LossModule):\n{body}"
        yield from (f"class {name}(_{first}): ..." for name in (first, *others) if others)


def show_module(made: type) -> Iterator[str]:
    construction = inspect.signature(made)
    if "learn_temperature" in construction.parameters:
        yield "    logit_scale: Parameter"
    if "learn_bias" in construction.parameters:
        yield "    bias: Parameter"
    yield f"    def __init__({show_signature(construction, OF_MODULES, ('self',))}) -> None: ..."
    its = inspect.signature(made.forward)
    yield f"    def __call__({show_signature(its, OF_MODULES, ('self',))}) -> Tensor: ..."
    yield "    forward = __call__"


def stub(module: ModuleType, imports: str, lines: Iterator[str]) -> str:
    return HEAD.format(name=module.__name__) + imports + "\n" + "\n".join(lines) + "\n"


def stubs_of_torch() -> dict[Path, str]:
    """Return the contents of each stub of the PyTorch bridge."""
    import infonce_ref.torch as package
    from infonce_ref.torch import functions, nn

    place = Path("infonce_ref/torch")
    of_package = show_package(functions, OF_TORCH, "streaming", "information")
    return {
        place / "__init__.pyi": stub(package, TORCH, of_package),
        place / "nn.pyi": stub(nn, MODULES, show_modules(nn.MODULES.values())),
    }


def stubs_of_jax() -> dict[Path, str]:
    """Return the contents of the stub of the JAX bridge."""
    import infonce_ref.jax as package
    from infonce_ref.jax import functions

    made = stub(package, JAX, show_package(functions, OF_JAX, "information"))
    return {Path("infonce_ref/jax/__init__.pyi"): made}


if __name__ == "__main__":
    every = stubs_of_torch() | stubs_of_jax()
    for path, text in every.items():
        (repository.ROOT / path).write_text(text, encoding="utf-8")
    subprocess.run(["ruff", "format", *every], cwd=repository.ROOT, check=True)
