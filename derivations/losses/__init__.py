"""Every loss as it is proved, in a file with the loss's name in `infonce_ref.losses`."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ..common.masks import name_form
from ..common.statement import Statement
from ..common.weights import choose

NAMES = tuple(file.name for file in iter_modules(__path__))


def statements(loss: str) -> Mapping[str, Statement]:
    """The statements of a loss, by the option that distinguishes them; "" for a single one."""
    return statements_of(module(loss))


def statements_of(file: Any) -> Mapping[str, Statement]:
    return file.STATEMENTS if hasattr(file, "STATEMENTS") else {"": file.STATEMENT}


def list_statements() -> dict[str, Statement]:
    """Every statement of every loss, by name: "query_key", "query_key, shared", "…, weighted"."""
    found = {
        f"{loss}, {option}" if option else loss: statement
        for loss in NAMES
        for option, statement in statements(loss).items()
    }
    weighted = {f"{name}, weighted": s.weighted for name, s in found.items() if s.weighted}
    return found | weighted


def module(loss: str) -> Any:
    """The file of this folder that bears the loss's name."""
    return import_module(f".{loss}", __name__)


def statement_in(file: Any, arguments: Mapping[str, Any]) -> Statement:
    """The statement in a loss's file that applies to these arguments of its forward pass.

    If a shape or an option changes the formula, a loss has several statements, and its file chooses, unless they
    are one with a mask and one without.
    """
    if hasattr(file, "statement"):
        return choose(file.statement(arguments), arguments)
    every = statements_of(file)
    return choose(every.get(name_form(arguments), every[""]), arguments)


def statement(loss: str, arguments: Mapping[str, Any]) -> Statement:
    """The statement of a loss of this folder that applies to these arguments."""
    return statement_in(module(loss), arguments)
