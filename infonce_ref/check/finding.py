"""In which of the usual ways a stranger's loss takes its arrays: they are tried."""

import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..names import suggest
from ..targets import describe_error
from .inputs import (
    AGAIN,
    ALSO,
    FEATURES,
    PUBLIC,
    ROWS,
    UNUSUAL,
    USUAL,
    WAYS,
    WORLDS,
    Way,
    change_floats,
    draw,
)
from .programs import Program
from .reading import Refused, option
from .strangers import FITS_NOT, STATEFUL, UNBOUND, Stranger, example, keep_random_state
from .target import (
    BIND,
    HELPS,
    NUMBERS,
    OPTIONAL,
    SCALES,
    Target,
    describe_held,
    find_held,
    find_missing,
    find_optional,
    is_temperature,
    libraries,
    list_libraries,
)

OF_MATRICES = ("sim", "logit", "score", "matrix")  # parts of the names of such arguments
OF_SCORES = ("logit", "score")
TRIES = 3


def list_ways(target: Target, inputs: str | None = None, among: Sequence[str] = ()) -> list[Stranger]:
    """Every way, or every way of these, in which the loss takes arrays and returns a finite number.

    Raises Refused if there is none.
    """
    if inputs is not None and inputs not in PUBLIC:
        known = f"known are {'; '.join(PUBLIC)}{suggest(inputs, PUBLIC)}"
        raise Refused(f"{option('inputs', inputs)} is unknown; {known}")
    reasons: dict[str, str] = {}
    try:
        return [settle(way) for way in find_ways(target, inputs, among, reasons)]
    except Refused as error:
        said = " ".join([str(error), *reasons.values()])
        for help_, (asks, _) in HELPS.items():
            if "torch" in sys.modules and re.search(asks, said) and not getattr(target, help_):
                changed: dict[str, Any] = {help_: True}
                return list_ways(target._replace(**changed), inputs, among)
        raise


def find_ways(
    target: Target, inputs: str | None, among: Sequence[str], reasons: dict[str, str]
) -> list[Stranger]:
    """The ways of the first group in which the loss returns a number. reasons: why others fail, by way."""
    built = Stranger(target, WAYS["two"])
    wanted, optional = find_missing(built.function, built.given), find_optional(built.function, built.given)
    if wanted[:1] == ["self"]:
        raise Refused(f"{target.name} is a method without its object; {BIND.format('one')}")
    of_texts = wanted[1:] == ["t"] and wanted[0][:1] in ("i", "v")  # images and their texts
    if numbers := [n for n in wanted if (n in NUMBERS or is_temperature(n)) and not of_texts]:
        given = " ".join(option("with", f"{name}={10 if name in SCALES else 0.1}") for name in numbers)
        raise Refused(f"{target.name} needs {', '.join(numbers)}: pass {given}")
    groups = [[inputs]] if inputs else [among] if among else list_groups(wanted, optional)
    if not inputs:
        groups = [[name for name in names if fits(WAYS[name], wanted, optional)] for names in groups]
    held = {min(shape) for shape in find_held(built.function).values()}
    widths = [FEATURES, *sorted(width for width in held if width < 64)]
    known = libraries(built.function)
    of_tensorflow = not list_libraries(built.function).isdisjoint({"tensorflow", "keras"})
    spare: list[Stranger] = []
    for library in known:
        own = target._replace(library=library)
        every = (try_group(own, names, width, reasons) for names in groups for width in widths)
        found = next(filter(None, every), [])
        for way in found if of_tensorflow and library == "numpy" else ():
            way.note("of TensorFlow or Keras: judged by its values, not by its gradient")
        # NumPy's functions may return a value for a tensor, but no gradient
        sure = library in ("numpy", known[-1]) or any(way.reaches(example(way)) is not None for way in found)
        if found and sure:
            return found
        spare = spare or found  # it may be a loss of NumPy, in a module that imports another library too
    if spare:
        return spare
    hint = f"pass {option('dtype', 'float32')}, in which TensorFlow and Keras compute"
    why = explain_refusal(target, [*wanted, *optional], len(wanted), reasons)
    hints = [describe_held(built.function), hint * (of_tensorflow and target.dtype == "float64")]
    raise Refused("; ".join(filter(None, [why, *hints])))


def list_groups(wanted: Sequence[str], optional: Sequence[str]) -> list[list[str]]:
    """The names of the ways, those first that fit the names of the arguments, then the usual ones."""
    usual = [*USUAL, *(name for name in UNUSUAL if WAYS[name].last and optional)]
    apart = len(wanted) == 2 and all("pos" in name.lower() or "neg" in name.lower() for name in wanted)
    of_scores = any(word in name.lower() for name in wanted[:1] for word in OF_SCORES)
    world = "scores, positive first" if apart else "scores"
    scores = [name for name, how in WAYS.items() if how.world.startswith(world)]
    return [*[scores] * (apart or of_scores), usual, [*UNUSUAL]]


def list_other_ways(found: Sequence[Stranger], inputs: str | None = None) -> Iterator[list[Stranger]]:
    """Ways to try if none of those found fits a formula: with another of the things that come back as the loss,
    then as a loss of scores or of some pairs alone.
    """
    for way in found:
        for take in [*way.takes][1:]:
            yield [way.take(take, [*way.takes[take], "no formula fits the sum of its losses"])]
    tried, take = {way.way for way in found}, None if found[0].takes else found[0].target.take
    usual = () if tried & {*USUAL} else USUAL  # it may have been taken for a loss of scores
    names = [name for name in (*usual, *AGAIN) if name not in tried]
    if not inputs:
        with contextlib.suppress(Refused):
            yield list_ways(found[0].target._replace(take=take), None, names)


def fits(how: Way, wanted: Sequence[str], optional: Sequence[str]) -> bool:
    """Whether the names of the arguments allow this way. Optional labels may have any name."""
    names, count = [*wanted, *optional], count_arguments(how.name)
    if not wanted:
        return True
    if how.name == "similarities" and not any(word in names[0].lower() for word in OF_MATRICES):
        return False
    if count == 4 and ("noise" in how.world) != any("noise" in name for name in names):
        return False
    if count == 4 and how.world == "predictions":
        # p1, p2, z1, z2 are predictions, then projections; other names have the order p1, z1, p2, z2
        one_stem = len({name.rstrip("0123456789_") for name in names[:2]}) == 1
        if (how.name == "predictions, then projections") != one_stem:
            return False
    if not len(wanted) <= count <= len(names):
        return False
    kinds = [kind for kind, known in OPTIONAL.items() if names[count - 1] in known]
    return how.last in kinds if kinds else count == len(wanted)


@cache
def count_arguments(name: str) -> int:
    """How many arguments a loss takes this way."""
    how = WAYS[name]
    return len(how.arrange(how.pack(draw(how.world, 4, np.random.default_rng(1), 0.5))))


def find_usual(program: Program, count: int) -> str:
    """The name of the first usual way in which a loss takes so many arrays, if it takes those of a program."""
    return next(name for name, how in USUAL.items() if program.suits(how) and count_arguments(name) == count)


def try_group(target: Target, names: Sequence[str], features: int, reasons: dict[str, str]) -> list[Stranger]:
    """The ways of these names that are answered."""
    every = [one for name in names for one in (name, ALSO.get(name)) if one]
    return [way for name in every if (way := try_way(target, name, features, reasons))]


def try_way(target: Target, name: str, features: int, reasons: dict[str, str]) -> Stranger | None:
    """Return the way if the loss returns a finite number, if need be on rows of length 1; else record why not."""
    others = FITS_NOT
    for unit in (False, True) if {*WORLDS[WAYS[name].world]} & {*ROWS} else (False,):
        try:
            way = Stranger(target, WAYS[name], features).replace(unit=unit, others=others)
            here = example(way)
            near = change_floats(here, lambda x: x * (1 + 1e-3 * np.sin(range(x.shape[-1]))))
            way = way.choose(here, near)
            value = way.value(here)
            way.value(way.points(6, each=1)[0])  # it may take four pairs by accident
        except Refused as error:
            reasons.setdefault(name, str(error))
            return None
        except Exception as error:  # a user's code may raise anything
            others = f"it raises {describe_error(error)}"
            reasons.setdefault(name, f"{target.name} {others.removeprefix('it ')}")
        else:
            if np.isfinite(value):
                return way
            others = f"it returns {value}"
            reasons.setdefault(name, f"{target.name} returns {value} at ordinary inputs")
    return None


def explain_refusal(target: Target, names: Sequence[str], needed: int, reasons: dict[str, str]) -> str:
    """Explain in one line why no way of calling it works. names: its arguments, required ones first."""
    if not reasons:
        counts = sorted({*map(count_arguments, WAYS)})
        return (
            f"{target.name} needs {needed} arguments ({', '.join(names[:needed])}); a loss takes "
            f"{counts[0]} to {counts[-1]} arrays: pass the others by name, {option('with', 'NAME=VALUE')}"
        )
    name = next((n for n in reasons if count_arguments(n) == len(names)), next(iter(reasons)))
    reason = reasons[name]
    if "process group has not been initialized" in reason:
        return f"{target.name} needs a process group: {option('ranks', 2)} runs it in one"
    if UNBOUND.search(reason):
        return f"{target.name} needs a mapped axis: {option('ranks', 2)} runs it under one"
    if all(r == reason for r in reasons.values()):
        return reason
    own = [r for r in reasons.values() if not r.startswith(f"{target.name} raises")]
    ways = f"all {len(reasons)} ways of {option('inputs')} raise"
    return own[0] if own else f"{reason}, given {WAYS[name].words}; {ways}"


def settle(way: Stranger) -> Stranger:
    """Restore its state before each call, if it has one. Raises Refused if two calls return different values."""
    arrays = example(way)
    values = [way.value(arrays) for _ in range(TRIES)]
    if len({*values}) == 1:
        return way
    restored = way.again(restored=True).replace(notes=way.notes, takes=way.takes)
    if len({restored.value(arrays) for _ in range(TRIES)}) == 1:
        restored.note("it keeps a state between calls, which is restored before each")
        return restored
    shown = f"{values[0]:.6g}, then {values[1]:.6g}, at the same inputs"
    seen = set()
    for _ in range(2):
        with keep_random_state():
            seen.add(way.value(arrays))
    if len(seen) == 1:
        words = "switch its noise or dropout off (.eval() of a module)"
        raise Refused(f"{way.name} is random ({shown}): {words}")
    raise Refused(STATEFUL.format(way.name, shown))
