"""Every loss as it is proved, in a file of its own that bears its name in `infonce_ref.losses`."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ..prover.statement import Statement
from ..weights import chosen

NAMES = tuple(module.name for module in iter_modules(__path__))


def statements(loss: str) -> Mapping[str, Statement]:
    """The statements of a loss, by the option that tells them apart; "" where there is only one."""
    module = import_module(f".{loss}", __name__)
    return module.STATEMENTS if hasattr(module, "STATEMENTS") else {"": module.STATEMENT}


def every() -> dict[str, Statement]:
    """Each statement of each loss by a name of its own: "query_key", "query_key, shared", "…, weighted"."""
    found = {
        f"{loss}, {option}" if option else loss: statement
        for loss in NAMES
        for option, statement in statements(loss).items()
    }
    weighted = {f"{name}, weighted": s.weighted for name, s in found.items() if s.weighted}
    return found | weighted


def statement(loss: str, arguments: Mapping[str, Any]) -> Statement:
    """The statement of a loss that holds of these arguments of its forward pass.

    Where a shape or an option changes the formula, a loss has several, and its file chooses.
    """
    module = import_module(f".{loss}", __name__)
    of_options = module.statement(arguments) if hasattr(module, "statement") else module.STATEMENT
    return chosen(of_options, arguments)
