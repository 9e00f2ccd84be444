"""Measure how far the gradients of a PyTorch loss change while some of its arrays, or a module's parameters, are
frozen, or after another call: a hand-written backward may skip what nobody asks for, or use what a later call kept.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any

from ..targets import describe_error
from . import asking, inputs
from .gradient import distance
from .identification import Nearest
from .target import call_signature


def measure_frozen(nearest: Nearest) -> dict[str, float]:
    """The largest change of a gradient by what is frozen, in words. A loss that raises then is noted."""
    way, session, how = nearest.way, nearest.way.session, inputs.WAYS[nearest.way.name]
    if session.library != "torch":
        return {}
    given = way.pack(asking.example(how.world))
    floats = [i for i, x in enumerate(given) if x.dtype.kind == "f"]
    names = list(call_signature(session.function))
    if len(names) < len(given):
        names = [f"array {i + 1}" for i in range(len(given))]
    together = session(given, True, how.arrange).gradients or ()
    found: dict[str, float] = {}

    def measure(what: str, frozen: Sequence[int] = ()) -> None:
        session.frozen = frozenset(frozen)
        try:
            alone = session(given, True, how.arrange).gradients or ()
        except Exception as error:  # as of a hook on an array that requires no gradient
            session.notes[f"with {what} frozen it raises {describe_error(error)}"] = None
            return
        finally:
            session.frozen = frozenset()
        found[what] = max(distance(alone[i].ravel(), together[i].ravel()) for i in floats if i not in frozen)

    for frozen in (some for count in range(1, len(floats)) for some in combinations(floats, count)):
        measure(" and ".join(names[i] for i in frozen), frozen)
    with freeze_parameters(session.function) as are_any:
        if are_any:
            measure("the module's parameters")
    return found


def measure_late(nearest: Nearest) -> float | None:
    """The change of a gradient if the loss is called with other arrays before its backward, as in the sum of two
    losses; None if this was not asked. A loss that raises then is noted.
    """
    way, session, how = nearest.way, nearest.way.session, inputs.WAYS[nearest.way.name]
    if session.library != "torch":
        return None
    given, others = (way.pack(point) for point in inputs.points(how.world, 4, each=1)[:2])
    alone = session(given, True, how.arrange).gradients or ()
    session.between = others
    try:
        late = session(given, True, how.arrange).gradients or ()
    except Exception as error:  # as of an array that the other call has changed in place
        session.notes[f"called twice before its backward it raises {describe_error(error)}"] = None
        return None
    finally:
        session.between = ()
    return max(distance(b.ravel(), a.ravel()) for a, b in zip(alone, late) if a is not None)


@contextmanager
def freeze_parameters(function: Any) -> Iterator[bool]:
    """Let no parameter of a module require a gradient within the block; return whether one did."""
    is_module = isinstance(function, sys.modules["torch"].nn.Module)
    learned = [p for p in function.parameters() if p.requires_grad] if is_module else []
    for parameter in learned:
        parameter.requires_grad_(False)
    try:
        yield bool(learned)
    finally:
        for parameter in learned:
            parameter.requires_grad_(True)
