"""Write the type stubs of `infonce_ref.torch` and `infonce_ref.torch.nn`, whose names are made at import.

python tools/stubs.py
"""

import inspect
import subprocess
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import repository

from infonce_ref.torch import functions, modules, nn

PLACE = Path("infonce_ref/torch")
HEAD = '"""Types of `{name}`. Written by tools/stubs.py from the registry of losses."""\n'
FUNCTIONS = """
from collections.abc import Callable
from typing import Literal

from torch import Tensor

from . import nn as nn
"""
MODULES = """
from collections.abc import Callable
from typing import Literal

from torch import Tensor
from torch.nn import Parameter

from .modules import LossModule
from .queues import Queue as Queue

MODULES: dict[str, type[LossModule]]
"""


def show_type(kind: Any, number: str) -> str:
    """Return a type as it is written. number: how a float is written."""
    if kind is float:
        return number
    if kind is Any or kind is functions.torch.Tensor:
        return "Tensor"
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind))).replace(chr(39), chr(34))}]"
    if args := get_args(kind):
        if get_origin(kind) is Callable:
            return str(kind).removeprefix("collections.abc.")
        return " | ".join(show_type(arg, number) for arg in args)
    return "None" if kind is type(None) else kind.__name__


def show_parameter(p: Parameter, number: str) -> str:
    kind = show_type(p.annotation, number)
    return f"{p.name}: {kind}" + ("" if p.default is p.empty else f" = {p.default!r}".replace("'", '"'))


def show_signature(its: Signature, number: str, first: tuple[str, ...] = ()) -> str:
    """Return the parameters, those of `first` before them, without self."""
    shown, keyword = list(first), False
    for p in its.parameters.values():
        if p.name == "self":
            continue
        if p.kind is p.KEYWORD_ONLY and not keyword:
            keyword = True
            shown.append("*")
        shown.append(show_parameter(p, number))
    return ", ".join(shown)


def show_functions(made: dict[str, Callable[..., Any]], indent: str = "") -> Iterator[str]:
    for name, function in made.items():
        if indent:
            yield f"{indent}@staticmethod"
        yield f"{indent}def {name}({show_signature(inspect.signature(function), 'float | Tensor')}) -> Tensor: ..."


def show_namespace(name: str, made: dict[str, Callable[..., Any]]) -> Iterator[str]:
    yield f"\nclass _{name.capitalize()}:"
    yield from show_functions(made, "    ")
    yield f"\n{name}: _{name.capitalize()}"


def show_module(made: type[modules.LossModule]) -> Iterator[str]:
    yield f"\nclass {made.__name__}(LossModule):"
    construction = inspect.signature(made)
    if "learn_temperature" in construction.parameters:
        yield "    logit_scale: Parameter"
    if "learn_bias" in construction.parameters:
        yield "    bias: Parameter"
    yield f"    def __init__({show_signature(construction, 'float', ('self',))}) -> None: ..."
    for method in ("forward", "__call__"):
        its = inspect.signature(made.forward)
        yield f"    def {method}({show_signature(its, 'float', ('self',))}) -> Tensor: ..."


def stub(module: ModuleType, imports: str, lines: Iterator[str]) -> str:
    return HEAD.format(name=module.__name__) + imports + "\n" + "\n".join(lines) + "\n"


def stubs() -> dict[Path, str]:
    """Return what each stub holds."""
    import infonce_ref.torch as package

    def of_package() -> Iterator[str]:
        yield from show_functions(functions.plain)
        for name in ("streaming", "information"):
            yield from show_namespace(name, vars(getattr(functions, name)))

    def of_nn() -> Iterator[str]:
        for made in nn.MODULES.values():
            yield from show_module(made)

    return {
        PLACE / "__init__.pyi": stub(package, FUNCTIONS, of_package()),
        PLACE / "nn.pyi": stub(nn, MODULES, of_nn()),
    }


if __name__ == "__main__":
    for path, text in stubs().items():
        (repository.ROOT / path).write_text(text, encoding="utf-8")
    subprocess.run(["ruff", "format", *stubs()], cwd=repository.ROOT, check=True)
