"""The API reference as sources for Sphinx: what Python imports is read by autodoc, the frameworks from their stubs.

Docstrings here are plain text with formulas: words become paragraphs, and what is set in columns stays as it is.
"""

import ast
import re
from collections.abc import Iterator

from .. import sources

PACKAGE = sources.PACKAGE
# title, module, and what of it is documented; a package of losses has a part for each
WHOLE = {
    "textbook": "The textbook: each loss as on a slide",
    "testing": "Tests of your own loss",
}
FAMILIES = {
    "losses": "The losses",
    "streaming": "The losses in linear memory",
    "information": "Mutual information",
}
STUBS = {"torch": ("torch/__init__", "torch/nn"), "jax": ("jax/__init__",)}
FRAMEWORKS = {"torch": "PyTorch", "jax": "JAX"}


def files() -> dict[str, str]:
    """Return the pages of the reference by name, in their order."""
    made = {PACKAGE: _title("In one call") + _module(PACKAGE)}
    made[PACKAGE] += _function(f"{PACKAGE}.contract.value_and_grad") + _function(
        f"{PACKAGE}.explanation.explain"
    )
    for name, title in FAMILIES.items():
        found = list(_imports(name))
        losses = [_loss(f"{name}.{one}") for module, one in found if not module]
        functions = [
            _function(f"{PACKAGE}.{name}.{one}") for module, one in found if module and one.islower()
        ]
        made[name] = "".join([_title(title), _module(f"{PACKAGE}.{name}"), *losses, *functions])
    for name, title in WHOLE.items():
        made[name] = _title(title) + _module(f"{PACKAGE}.{name}", ":members:")
    for name, stubs in STUBS.items():
        made[name] = _title(FRAMEWORKS[name]) + "".join(_stub(path) for path in stubs)
    return {f"api/{name}.rst": text for name, text in made.items()}


def _title(words: str, line: str = "=") -> str:
    return f"{words}\n{line * len(words)}\n\n"


def _module(name: str, *options: str) -> str:
    return f".. automodule:: {name}\n" + "".join(f"   {option}\n" for option in options) + "\n"


def _function(name: str) -> str:
    return f".. autofunction:: {name}\n\n"


def _imports(family: str) -> Iterator[tuple[str, str]]:
    """Yield module and name of what a package of losses offers."""
    for node in ast.parse(sources.read(f"{family}/__init__.py")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            yield from ((node.module or "", alias.name) for alias in node.names)


def _loss(path: str) -> str:
    module = f"{PACKAGE}.{path}"
    parts = [_title(path.rpartition(".")[2], "-"), _module(module)]
    parts += [_function(f"{module}.{name}") for name in ("forward", "backward")]
    if re.search(r"^class Gradients\(", sources.read(f"{path.replace('.', '/')}.py"), re.M):
        parts.append(f".. autoclass:: {module}.Gradients\n   :no-members:\n\n")
    return "".join(parts)


def _stub(path: str) -> str:
    """Return the functions and classes of a stub, under the docstring of the module that it describes."""
    module = f"{PACKAGE}.{path.removesuffix('/__init__').replace('/', '.')}"
    words = ast.get_docstring(ast.parse(sources.read(f"{path}.py"))) or ""
    made = [f".. py:module:: {module}\n", *write_docstring(words.splitlines()), ""]
    for node in ast.parse(sources.read(f"{path}.pyi")).body:
        if isinstance(node, ast.FunctionDef):
            made += [f".. py:function:: {_signature(node)}", ""]
        elif isinstance(node, ast.ClassDef):
            methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
            made += [f".. py:class:: {node.name}", ""]
            made += [line for part in methods for line in (f"   .. py:method:: {_signature(part)}", "")]
    return "\n".join(made) + "\n"


def _signature(node: ast.FunctionDef) -> str:
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returned}"


def write_docstring(lines: list[str]) -> list[str]:
    """Return a docstring as reStructuredText: paragraphs of words, and everything else as it is written."""
    made: list[str] = []
    for part in re.split(r"\n\s*\n", "\n".join(lines).strip()):
        if re.search(r"^\s|\S {2,}\S|^>>>", part, re.M):
            made += ["::", "", *(f"    {line}" for line in part.splitlines()), ""]
        else:
            made += [*_escape(part).splitlines(), ""]
    return made


def _escape(words: str) -> str:
    pieces = re.split(r"`([^`]+)`", words)
    return "".join(f"``{p}``" if n % 2 else re.sub(r"([\\*_|])", r"\\\1", p) for n, p in enumerate(pieces))
