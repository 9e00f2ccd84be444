"""The contract of a loss, for its callers: forward and backward in one call, and messages that mend a wrong call.

>>> import numpy as np
>>> from infonce_ref import value_and_grad
>>> from infonce_ref.losses import ntxent
>>> value, grads = value_and_grad(ntxent, np.eye(2), np.eye(2), temperature=0.5)
>>> print(f"{value:.6f} nats")
0.239523 nats
>>> first, second = grads.w
"""

import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any, NoReturn

from .arrays import Array, describe
from .checks import check_forms

VIEWS = ("w", "z")  # names of an array that holds both views, row i and row i + B a pair


class LossModule(ModuleType):
    """A module with a loss: it lists what its users call, and says how when it is called itself."""

    __all__ = ("LOSS", "Cache", "Gradients", "backward", "forward")

    def __dir__(self) -> tuple[str, ...]:
        return self.__all__

    def __call__(self, *inputs: Any, **options: Any) -> NoReturn:
        short = self.__name__.rpartition(".")[2]
        raise TypeError(
            f"{self.__name__} is a module: value, cache = {short}.forward(…), then {short}.backward(cache); "
            f"or value, grads = infonce_ref.value_and_grad({short}, …)"
        )


def value_and_grad(
    loss: Any, *inputs: Array, upstream: float | Array = 1.0, **options: Any
) -> tuple[Array, Any]:
    """The value of a loss in nats, and its gradients: `forward` and `backward` in one call.

    loss: a module of `losses`, `streaming` or `information`, or an entry of their registries · inputs: its arrays
    · upstream: the gradient of what is computed from the value · options: its other arguments, by name.
    A loss that takes both views in one array also takes them as two, (B, d) each; the gradient by that array is
    then a pair. Raises what `forward` and `backward` raise.
    """
    entry = getattr(loss, "LOSS", loss)
    if not hasattr(entry, "forward"):
        raise ValueError(f"loss must be a loss, such as infonce_ref.losses.ntxent; got {describe(loss)}")
    name = next(iter(inspect.signature(entry.forward).parameters))
    apart = name in VIEWS and len(inputs) == 2
    if apart:
        if options.get("layout", "concatenated") != "concatenated":
            raise ValueError("two views have the layout 'concatenated': leave layout out, or pass one array")
        first, second = inputs  # views of unlike lengths would make wrong pairs
        if getattr(getattr(second, "dtype", None), "kind", "") in ("i", "u"):
            raise ValueError(
                f"the second view has integers; labels are an option, such as labels=…, and {name} has both views"
            )
        xp, _ = check_forms(**{"the first view": (first, "B d"), "the second view": (second, "B d")})
        inputs = (xp.concat(inputs),)
    value, cache = entry.forward(*inputs, **options)
    grads = entry.backward(cache, upstream)
    if apart:
        both = getattr(grads, name)
        grads = grads._replace(**{name: (both[: len(both) // 2], both[len(both) // 2 :])})
    return value, grads


def name_loss(function: Any) -> str:
    """The name of the loss that a forward or backward belongs to, as it is called: ntxent, streaming.ntxent …"""
    return function.__module__.removeprefix("infonce_ref.").removeprefix("losses.")


def check_cache(function: Any, cache: Any, kind: type) -> None:
    """Raise ValueError unless this is a cache of the same loss's forward."""
    if isinstance(cache, kind):
        return
    name = name_loss(function)
    got = f"the cache of {name_loss(type(cache))}" if type(cache).__name__ == "Cache" else describe(cache)
    raise ValueError(
        f"{name}.backward takes the cache of {name}.forward; got {got}: write value, cache = {name}.forward(…), "
        f"then {name}.backward(cache)"
    )


def explain_call(function: Any, inputs: tuple, options: Mapping[str, Any]) -> None:
    """Raise TypeError, with the arguments that a loss takes, if it was given others."""
    signature = inspect.signature(function)
    try:
        signature.bind(*inputs, **options)
    except TypeError as error:
        plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        name = f"{name_loss(function)}.{function.__name__}"
        words = f"{name}: {error}; its arguments are {inspect.Signature(plain)}"
        if len(inputs) > 1 and plain[0].name in VIEWS:
            words += (
                f"; {plain[0].name} has both views, row i and row i + B a pair: concatenate them, or call "
                "value_and_grad, which takes two; labels are for supcon"
            )
        raise TypeError(words) from None
