"""Parts that the bridges to PyTorch and JAX share: the arguments of a call, and the arrays of a cache."""

import functools
import inspect
from collections.abc import Callable, Sequence
from inspect import BoundArguments, cleandoc, getmodule
from typing import Any

from .arrays import leaves, map_leaves
from .registry import Loss

# cached for each function: reading a signature takes longer than the exponentials of a few rows, and a call
# needs it three times
signature = functools.cache(inspect.signature)


def arguments(
    loss: Loss, positional: tuple, named: dict[str, Any], kind: type, called: str
) -> dict[str, Any]:
    """The arguments of a call by name. Raises ValueError if one of the arrays is not of the framework."""
    by_name = bind(loss.name, signature(loss.forward), positional, named).arguments
    for name, parameter in signature(loss.forward).parameters.items():
        if parameter.kind is not parameter.KEYWORD_ONLY:
            check_type(name, by_name[name], kind, called)
    return by_name


def bind(name: str, takes: inspect.Signature, positional: tuple, named: dict[str, Any]) -> BoundArguments:
    """Bind arguments to a signature. Raises TypeError with the name of what was called, and what it takes."""
    try:
        return takes.bind(*positional, **named)
    except TypeError as error:
        shown = [p.replace(annotation=p.empty) for p in takes.parameters.values()]
        raise TypeError(f"{name}: {error}; it takes {inspect.Signature(shown)}") from None


def check_type(name: str, x: Any, kind: type, called: str) -> None:
    """Raise ValueError unless x is an array of the framework."""
    if not isinstance(x, kind):
        raise ValueError(f"{name} must be a {called}; got {type(x).__name__}: convert it")


def find_stopped(loss: Loss, by_name: dict[str, Any]) -> set[str]:
    """Return the inputs that the loss holds constant under these options."""
    options = signature(loss.forward).parameters
    return {
        name
        for name, option in loss.stopped.items()
        if option is None or by_name.get(option, options[option].default)
    }


def find_views(loss: Loss) -> str:
    """Return the input that holds both views of a batch, or "" for a loss without one."""
    names = signature(loss.forward).parameters
    return next(iter(names)) if loss.batch or "layout" in names else ""


def explain_gather(name: str, option: str) -> str:
    """Say why a loss has no option that gathers rows."""
    return (
        f"{name} has no option {option}: it compares no rows of different things, and the mean over ranks of "
        "equally many rows is that of the whole batch; omit it"
    )


class Place(int):
    """The place of an array among those of a cache."""


def take_apart(cache: Any, kind: type) -> tuple[list, Callable[[Sequence], Any]]:
    """Return the distinct arrays of a cache, and a function that rebuilds the cache from them or from others."""
    arrays = {id(x): x for x in leaves(cache) if isinstance(x, kind)}
    places = {key: Place(k) for k, key in enumerate(arrays)}
    frame = map_leaves(lambda x: places.get(id(x), x), cache)
    return [*arrays.values()], lambda given: map_leaves(
        lambda x: given[x] if isinstance(x, Place) else x, frame
    )


def document(function: Any, loss: Loss, result: type) -> Any:
    """Give a function the name, the arguments and the equations of its loss."""
    equations, of_call = (cleandoc(place.__doc__ or "") for place in (getmodule(loss.forward), loss.forward))
    # without its first paragraph (what it returns) and without its example
    of_call = of_call.partition("\n\n")[2].partition(">>>")[0].strip()
    function.__name__ = loss.name
    function.__qualname__ = loss.forward.__module__.removeprefix("infonce_ref.").removeprefix("losses.")
    function.__doc__ = f"{equations}\n\n{of_call}\n"
    function.__signature__ = signature(loss.forward).replace(return_annotation=result)
    return function
