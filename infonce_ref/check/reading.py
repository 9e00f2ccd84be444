"""Read a loss's result as one number; a note records every choice."""

import dataclasses
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

# the place or key of the loss in the result, or those whose sum it is; none of them: each is the loss of a row
Take = int | str | tuple[int | str, ...] | None
Things = Mapping[Any, Any]
ROW_BY_ROW = "it returns a number for each row: their mean is judged"


class Refused(ValueError):
    """The loss cannot be checked; the message says why, in one line."""


def read(result: Any, name: str, take: Take, notes: dict[str, None]) -> Any:
    """Return the loss from a function's result, as one number of the result's library."""
    things = split(result)
    if things is None:
        return number(result, name, notes)
    logits = find_logits(things)
    if take is None and logits and "loss" not in things:
        notes["it returns (logits, labels): their cross-entropy is judged"] = None
        return cross_entropy(*logits)
    own = [number(x, name, notes) for x in pick(things, name, take)]
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
    """The things that were asked for; without a question "loss", the only one of that word, or the first number."""
    if take == ():
        return list(things.values())
    if take is None:
        words = [key for key in things if "loss" in str(key)]
        own = ["loss"] if "loss" in things else words if len(words) == 1 else list_numbers(things)
        take = tuple(own[:1]) or tuple(list_numbers(things, vectors=True)[:1])
        if not take:
            raise Refused(f"{name} returns {describe(things)}: none is a number; say which with --take")
    places, keys = list(things), take if isinstance(take, tuple) else (take,)
    keys = tuple(
        places[k] if k not in things and isinstance(k, int) and -len(places) <= k < len(places) else k
        for k in keys
    )
    if not all(key in things for key in keys):
        raise Refused(
            f"{name} returns {len(things)} results, {describe(things)}; --take {take} names none of them"
        )
    return [things[key] for key in keys]


def describe(things: Any) -> str:
    """The keys of some things, or their places."""
    return ", ".join(f"number {key}" if isinstance(key, int) else str(key) for key in dict.fromkeys(things))


def number(result: Any, name: str, notes: dict[str, None]) -> Any:
    """A number, or the mean of a vector."""
    if result is None:
        raise Refused(f"{name} returns nothing")
    shape = shape_of(result)
    if int(np.prod(shape)) == 1:
        return result
    if is_vector(shape):
        notes[ROW_BY_ROW] = None
        return result.mean()
    raise Refused(f"{name} returns an array of shape {shape}, not a number; reduce it (.mean())")


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
    library = type(logits).__module__.partition(".")[0]
    if library == "torch":
        return sys.modules["torch"].nn.functional.cross_entropy(logits, labels)
    numpy = sys.modules["jax.numpy"] if library.startswith("jax") else np
    top = logits.max(axis=1)
    log_sum = numpy.log(numpy.exp(logits - top[:, None]).sum(axis=1)) + top
    return (log_sum - logits[numpy.arange(len(top)), labels]).mean()


def list_moving(before: Things, after: Things | None) -> list[Any]:
    """The keys of the numbers and vectors that differ."""
    pairs = {key: (detach(before[key]), detach((after or {}).get(key))) for key in list_numbers(before, True)}
    return [k for k, (here, there) in pairs.items() if here.shape != there.shape or (here != there).any()]


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
    scalars = [key for key in live if key in list_numbers(things)]
    values = {key: float(np.mean(detach(things[key]))) for key in live}
    for key in scalars:
        rest = [values[other] for other in scalars if other != key]
        if rest and any(abs(values[key] - x) <= 1e-5 * abs(x) for x in (sum(rest), sum(rest) / len(rest))):
            return [key]
    words = [key for key in live if "loss" in str(key).lower()]
    vectors = [] if find_logits(things) else [key for key in live if key not in scalars]
    if live[:1] == vectors[:1]:
        scalars = [*vectors, *scalars] if sure else vectors
    own = words or scalars or vectors
    return own if len(own) < 2 else [tuple(own), *own]


def explain_choice(things: Things, take: Take, by_gradient: bool) -> Iterator[str]:
    """What was taken of several things, why, and what was left."""
    taken = take if isinstance(take, tuple) else (take,)
    left = [key for key in things if key not in taken]
    what = f"it returns {len(taken)} losses: their sum is judged"
    if len(taken) == 1:
        place = " (from 0)" * isinstance(taken[0], int)
        why = ", which has a gradient by the rows" * by_gradient
        what = f"of the {len(things)} things that it returns, {describe(taken)}{place} is judged{why}"
    if len(things) > 1:
        yield f"{what}; left: {describe(left)}" if left else what
