"""Read a loss's result as one number; a note records every choice."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .target import Refused

# the index of the loss in the result, or the indices whose sum it is
Take = int | str | tuple[int, ...] | None


def read(result: Any, name: str, take: Take, notes: dict[str, None]) -> Any:
    """Return the loss from a function's result, as one number of the result's library."""
    if isinstance(result, Mapping):
        return number(result[choose_key(result, name, take)], name, notes)
    if has_loss(result):
        return number(result.loss, name, notes)
    if not isinstance(result, tuple | list) or not result:
        return number(result, name, notes)
    if isinstance(take, tuple):
        notes[f"it returns {len(take)} losses: their sum is judged"] = None
        return sum(number(result[i], name, notes) for i in take)
    if take is None and is_logits(result):
        notes["it returns (logits, labels): their cross-entropy is judged"] = None
        return cross_entropy(*result[:2])
    place = take if isinstance(take, int) else next(iter(scalars(result)), 0)
    if not -len(result) <= place < len(result):
        raise Refused(f"{name} returns {len(result)} results; --take {place} names none of them")
    if place:
        notes[f"of the {len(result)} things that it returns, number {place} (from 0) is judged"] = None
    return number(result[place], name, notes)


def choose_key(result: Mapping, name: str, take: Take) -> Any:
    """The key of the loss: as asked, "loss" itself, or the only one that holds the word."""
    keys = [take] if isinstance(take, str) else [key for key in result if "loss" in str(key)]
    keys = ["loss"] if take is None and "loss" in result else keys
    if len(keys) != 1 or keys[0] not in result:
        raise Refused(f"{name} returns a dict of {', '.join(map(str, result))}: say which with --take KEY")
    return keys[0]


def has_loss(result: Any) -> bool:
    """Return whether the result is a record with a field for the loss."""
    return not hasattr(result, "shape") and hasattr(result, "loss")


def number(result: Any, name: str, notes: dict[str, None]) -> Any:
    """A number, or the mean of a vector."""
    if result is None:
        raise Refused(f"{name} returns nothing")
    shape = tuple(getattr(result, "shape", ()))
    if int(np.prod(shape)) == 1:
        return result
    if len(shape) == 1 or (len(shape) == 2 and 1 in shape):
        notes["it returns a number for each row: their mean is judged"] = None
        return result.mean()
    raise Refused(f"{name} returns an array of shape {shape}, not a number; reduce it (.mean())")


def is_logits(result: Sequence[Any]) -> bool:
    """Return whether the first two results are logits (n, K) and labels (n,)."""
    shapes = [tuple(getattr(x, "shape", ())) for x in result[:2]]
    return list(map(len, shapes)) == [2, 1] and shapes[0][0] == shapes[1][0] and not is_floating(result[1])


def is_floating(x: Any) -> bool:
    return isinstance(x, float) or "float" in str(getattr(x, "dtype", ""))


def scalars(result: Sequence[Any]) -> list[int]:
    """Return the indices of the floating-point numbers."""
    return [i for i, x in enumerate(result) if is_floating(x) and int(np.prod(getattr(x, "shape", ()))) == 1]


def has_several(result: Any) -> bool:
    """Return whether the result has several numbers that may be losses."""
    return isinstance(result, tuple | list) and len(scalars(result)) > 1


def cross_entropy(logits: Any, labels: Any) -> Any:
    """The mean of log Σ e^s − s_label over the rows."""
    library = type(logits).__module__.partition(".")[0]
    if library == "torch":
        return sys.modules["torch"].nn.functional.cross_entropy(logits, labels)
    numpy = sys.modules["jax.numpy"] if library.startswith("jax") else np
    top = logits.max(axis=1)
    log_sum = numpy.log(numpy.exp(logits - top[:, None]).sum(axis=1)) + top
    return (log_sum - logits[numpy.arange(len(top)), labels]).mean()


def choose_losses(result: Any, moved: Any) -> Take:
    """Which of several numbers are losses: those that depend on the inputs, unless the first of these is the sum or
    the mean of the others.
    """
    before, after = ({i: float(x[i]) for i in scalars(x)} for x in (result, moved))
    moving = [i for i in before if before[i] != after.get(i)]
    if len(moving) < 2:
        return moving[0] if moving and moving[0] else None
    total, *parts = (before[i] for i in moving)
    is_total = any(abs(total - x) <= 1e-5 * abs(total) for x in (sum(parts), sum(parts) / len(parts)))
    return moving[0] if is_total else tuple(moving)
