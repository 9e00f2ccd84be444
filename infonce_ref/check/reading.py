"""Read a loss's result as one number; a note records every choice."""

import dataclasses
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from shlex import quote
from typing import Any

import numpy as np

from ..arrays import array_namespace

# the place or key of the loss in the result, or those whose sum it is; none of them: each is the loss of a row
Take = int | str | tuple[int | str, ...] | None
Things = Mapping[Any, Any]
ROW_BY_ROW = "it returns a number for each row: their mean is judged"


COMMAND = ContextVar("COMMAND", default=False)  # whether the command line asks, and no program
# what the command's help writes for the value of an option, if not the option's name
VALUES = {"is_": "LOSS", "take": "WHICH", "backward": "TARGET", "ranks": "N"}


def option(name: str, value: Any = None) -> str:
    """An argument of the check as whoever asks writes it: take=1, on the command line --take 1."""
    if COMMAND.get():
        return (
            f"--{name.rstrip('_')} {VALUES.get(name, name.upper()) if value is None else quote(str(value))}"
        )
    return str(value) if name == "with" else f"{name}={'…' if value is None else repr(value)}"


class Refused(ValueError):
    """The loss cannot be checked; the message says why, in one line."""


def read(result: Any, name: str, take: Take, notes: dict[str, None], weighted: bool = False) -> Any:
    """Return the loss from a function's result, as one number of the result's library."""
    things = split(result)
    if things is None and take is not None:
        raise Refused(f"{name} returns one result; leave {option('take', take)} out")
    if things is None:
        return number(result, name, notes, weighted)
    logits = find_logits(things)
    if take is None and logits and "loss" not in things:
        notes["it returns (logits, labels): their cross-entropy is judged"] = None
        return cross_entropy(*logits)
    own = [number(x, name, notes, weighted) for x in pick(things, name, take)]
    if take == ():
        notes[ROW_BY_ROW] = None
        return sum(own) / len(own)
    return sum(own)


def split(result: Any) -> Things | None:
    """The things in a tuple, list, dict or record, by place or key, and those in one of them by "key.key"; None for
    one array or number.
    """
    if isinstance(result, Mapping):
        own = dict(result)
    elif isinstance(result, tuple | list) and result:
        own = dict(zip(getattr(result, "_fields", range(len(result))), result))
    elif dataclasses.is_dataclass(result):
        own = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    elif not hasattr(result, "shape") and hasattr(result, "loss"):
        own = {**getattr(result, "__dict__", {}), "loss": result.loss}
    else:
        return None
    found: dict[Any, Any] = {}
    for key, x in own.items():
        parts = split(x)
        found |= {key: x} if parts is None else {f"{key}.{inner}": part for inner, part in parts.items()}
    return {key: x for key, x in found.items() if x is not None}


def pick(things: Things, name: str, take: Take) -> list[Any]:
    """The things that were asked for; without a question "loss", or the first number or vector."""
    if take == ():
        return list(things.values())
    if take is None:
        known = ["loss"] if "loss" in things else list_numbers(things) or list_numbers(things, vectors=True)
        if not known:
            words = f"none is a number; say which with {option('take')}"
            raise Refused(f"{name} returns {describe(things)}: {words}")
        take = known[0]
    by_place = {**dict(enumerate(things)), **{key: key for key in things}}
    keys = [by_place.get(key) for key in (take if isinstance(take, tuple) else (take,))]
    if not all(key in things for key in keys):
        words = f"{describe(things)}; {option('take', take)} names none of them"
        raise Refused(f"{name} returns {len(things)} results, {words}")
    return [things[key] for key in keys]


def describe(things: Any) -> str:
    """The keys of some things, or their places."""
    return ", ".join(f"number {key}" if isinstance(key, int) else str(key) for key in things)


def number(result: Any, name: str, notes: dict[str, None], weighted: bool = False) -> Any:
    """A number, or the mean of a vector, whose entries are multiplied by other numbers if it is weighted."""
    if result is None:
        raise Refused(f"{name} returns nothing")
    shape = shape_of(result)
    if int(np.prod(shape)) == 1:
        return result
    if is_vector(shape):
        notes[ROW_BY_ROW] = None
        return (result * weigh(result) if weighted else result).mean()
    raise Refused(f"{name} returns an array of shape {shape}, not a number; reduce it (.mean())")


def weigh(losses: Any) -> Any:
    """A number for each row's loss: they differ, none is 1, and both signs occur."""
    library = array_namespace(losses)
    return library.reshape(library.cos(library.arange(float(max(losses.shape))) + 1), losses.shape)


def spread(result: Any, name: str, take: Take, upstream: float, weighted: bool) -> Any:
    """What reaches a function's result if this reaches the loss: for each row its share."""
    things = split(result)
    losses = np.asarray(result if things is None else pick(things, name, take)[0])
    if losses.size == 1:
        return upstream
    return upstream / losses.size * (weigh(losses) if weighted else losses**0)


def shape_of(x: Any) -> tuple[int, ...]:
    return tuple(getattr(x, "shape", ()))


def is_vector(shape: Sequence[int]) -> bool:
    return len(shape) == 1 or (len(shape) == 2 and 1 in shape)


def is_floating(x: Any) -> bool:
    return isinstance(x, float) or "float" in str(getattr(x, "dtype", ""))


def find_logits(things: Things) -> tuple[Any, Any] | None:
    """The logits (n, K) and labels (n,), if there is one array of each kind."""
    logits = [x for x in things.values() if len(shape_of(x)) == 2 and is_floating(x)]
    labels = [x for x in things.values() if len(shape_of(x)) == 1 and not is_floating(x)]
    fits = len(logits) == 1 == len(labels) and len(logits[0]) == len(labels[0])
    return (logits[0], labels[0]) if fits else None


def list_numbers(things: Things, vectors: bool = False) -> list[Any]:
    """The keys of the floating-point numbers, or of the vectors too."""
    shapes = {key: shape_of(x) for key, x in things.items() if is_floating(x)}
    return [key for key, s in shapes.items() if int(np.prod(s)) == 1 or (vectors and is_vector(s))]


def cross_entropy(logits: Any, labels: Any) -> Any:
    """The mean of log Σ e^s − s_label over the rows."""
    library = array_namespace(logits)
    top = library.max(logits, axis=1, keepdims=True)
    log_sum = library.log(library.sum(library.exp(logits - top), axis=1)) + top[:, 0]
    return (log_sum - logits[library.arange(len(labels)), labels]).mean()


def list_moving(before: Things, after: Things | None) -> list[Any]:
    """The keys of the numbers and vectors that differ."""
    pairs = {key: (detach(before[key]), detach((after or {}).get(key))) for key in list_numbers(before, True)}
    return [key for key, (here, there) in pairs.items() if not np.array_equal(here, there)]


def detach(x: Any) -> Any:
    """An array of NumPy in place of a tensor or number."""
    return x.detach().cpu().double().numpy() if hasattr(x, "detach") else np.asarray(x)


def choose_losses(things: Things, live: Sequence[Any], sure: bool) -> list[Take]:
    """What may be the loss, the likeliest first: "loss", a number that is the sum or the mean of the others, those
    called losses, the numbers, or a vector that precedes them. live: those with a gradient by the rows, if that is
    sure, and else those that move with the rows.
    """
    if "loss" in live:
        return ["loss"]
    numbers = [key for key in live if key in list_numbers(things)]
    values = {key: float(detach(things[key])) for key in numbers}
    for key, value in values.items():
        rest = [values[other] for other in numbers if other != key]
        if rest and np.isclose(value, [sum(rest), sum(rest) / len(rest)], rtol=1e-5, atol=0).any():
            return [key]
    vectors = [] if find_logits(things) else [key for key in live if key not in numbers]
    if live[:1] == vectors[:1]:
        numbers = [*vectors, *numbers] if sure else vectors
    own = [key for key in live if "loss" in str(key).lower()] or numbers or vectors
    return own if len(own) < 2 else [tuple(own), *own]


def explain_choice(things: Things, take: Take, by_gradient: bool) -> list[str]:
    """What was taken of several things, why, and what was left."""
    taken = take if isinstance(take, tuple) else (take,)
    left = [key for key in things if key not in taken]
    what = f"it returns {len(taken)} losses: their sum is judged"
    if len(taken) == 1:
        place = " (from 0)" * isinstance(taken[0], int)
        why = ", which has a gradient by the rows" * by_gradient
        what = f"of the {len(things)} things that it returns, {describe(taken)}{place} is judged{why}"
    return [f"{what}; left: {describe(left)}" if left else what] if len(things) > 1 else []
