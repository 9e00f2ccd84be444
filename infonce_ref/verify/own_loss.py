"""A user's own loss, checked like those of the registry. One module has all its parts:

LOSS          its `Loss`
STATEMENT     its `Statement`, or a function of the arguments that chooses one
textbook      the loss as on a slide: a function in the words of `infonce_ref.textbook`, of the same arguments

What else must hold of it are laws, as in `laws`, with the name of the loss.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

from .. import targets
from ..losses import ALL, Loss

# the entry-point group of losses in other packages: name = "package.module:LOSS"
GROUP = "infonce_ref.losses"


class OwnLoss(NamedTuple):
    """The functions and the description that a module offers as a loss."""

    loss: Loss
    statement: Callable[..., Any]
    textbook: Callable[..., Any]


OWN_LOSSES: dict[str, OwnLoss] = {}  # users' losses by name


def list_offered() -> dict[str, str]:
    """List the losses that installed packages offer: name → "module:attribute"."""
    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


def load(target: str, statement: str | None = None) -> Loss:
    """Load a loss, given as "module:LOSS", "file.py:LOSS" or by the name under which a package offers it.

    statement: where its statement is, if not in STATEMENT of the same module. Raises ValueError if a part is
    missing or of the wrong type.
    """
    place, _, path = list_offered().get(target, target).partition(":")
    of, _, which = (statement or f"{place}:STATEMENT").partition(":")
    if of.endswith(".py"):
        of = str(Path(of).absolute())  # resolved now: the loss's module may change the working directory
    module = targets.module(place)
    loss = targets.attribute(module, path or "LOSS", place)
    if not isinstance(loss, Loss):
        raise ValueError(f"{target} must be an infonce_ref.losses.Loss; got {type(loss).__name__}")
    if loss.name in ALL:
        raise ValueError(f"{target}: {loss.name} is a loss of the registry; give yours another name")
    stated = targets.attribute(targets.module(of) if statement else module, which or "STATEMENT", of)
    OWN_LOSSES[loss.name] = OwnLoss(
        loss,
        stated if callable(stated) else lambda arguments: stated,
        targets.attribute(module, "textbook", place),
    )
    return loss
