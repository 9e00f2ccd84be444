"""Write the type stubs of `infonce_ref.torch`, its `nn` and `infonce_ref.jax`, whose names are created at import.

python tools/stubs.py
"""

import inspect
import subprocess
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter
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
SELF = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
NAMED = {Layout: "Layout", Progress: "Progress", Reduction: "Reduction"}


class Name(str):
    """An annotation that is shown as it is written."""

    __repr__ = str.__str__


def show_type(kind: Any, types: Types) -> str:
    """Return a type as it is written."""
    known = {float: types.number, Any: types.array, MASK: types.mask, type(None): "None"} | NAMED
    if kind in known:
        return known[kind]
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind)))}]"
    return " | ".join(show_type(arg, types) for arg in get_args(kind)) or kind.__name__


def show(name: str, function: Callable[..., Any], types: Types, result: str, *first: Parameter) -> str:
    """Return the definition of a function with its parameters without self, preceded by those of `first`."""
    its = inspect.signature(function)
    given = [p for p in its.parameters.values() if p.name != "self"]
    shown = [p.replace(annotation=Name(show_type(p.annotation, types))) for p in given]
    return f"def {name}{its.replace(parameters=[*first, *shown], return_annotation=Name(result))}: ..."


def show_package(made: Any, types: Types, *namespaces: str) -> Iterator[str]:
    """made: the module with the functions of a package, and its namespaces."""
    for name, function in made.plain.items():
        yield show(name, function, types, types.result)
    for space in namespaces:
        yield f"\nclass _{space.capitalize()}:"
        for name, function in vars(getattr(made, space)).items():
            if callable(function):
                yield f"    {show(name, function, types, types.result, SELF)}"
        yield f"\n{space}: _{space.capitalize()}"


def show_modules(modules: Iterable[type]) -> Iterator[str]:
    """Modules that have the same arguments share a base."""
    alike: dict[str, list[str]] = {}
    for made in modules:
        alike.setdefault("\n    ".join(show_module(made)), []).append(made.__name__)
    for body, (first, *others) in alike.items():
        yield f"\nclass {'_' * bool(others)}{first}(LossModule):\n    {body}"
        yield from (f"class {name}(_{first}): ..." for name in (first, *others) if others)


def show_module(made: Any) -> Iterator[str]:
    options = inspect.signature(made).parameters
    learned = {"logit_scale": "learn_temperature", "bias": "learn_bias"}
    yield from (f"{name}: Parameter" for name, option in learned.items() if option in options)
    yield show("__init__", made, OF_MODULES, "None", SELF)
    yield show("__call__", made.forward, OF_MODULES, "Tensor", SELF)
    yield "forward = __call__"


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
