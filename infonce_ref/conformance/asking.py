"""Find out how a loss takes its arrays, and check that it is a deterministic function of them."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..names import suggest
from ..targets import describe_error
from . import without_card
from .features import ROWS
from .inputs import AGAIN, UNUSUAL, USUAL, WAYS, Arrays, Inputs, count_pairs, draw, points
from .session import UNBOUND, Answer, Session, seed_library
from .target import (
    OPTIONAL,
    SCALES,
    Refused,
    Target,
    build,
    describe_held,
    find_missing,
    find_optional,
    is_of_tensorflow,
    libraries,
)

NUMBERS = (
    "temperature",
    "tau",
    "temp",
    *SCALES,
    "bias",
    "logit_bias",
    "margin",
    "beta",
    "weight",
    "alpha",
    "eps",
    "t",
    "exponent",
    "prior",
    "beta1",
    "beta2",
)
OF_MATRICES = ("sim", "logit", "score", "matrix")  # parts of the names of such arguments
TRIES = 3
UNCHANGED = 1e-3  # relative: rounding may differ by where in memory the arrays lie
OF_ROWS = ("views", "queue", "own", "one negative", "classes", "classes of views", "bank", "bank and noise")
FITS_NOT = "no formula fits"
STATEFUL = "{} keeps a state between calls ({}): switch its memory off, or pass it in"
STEPS = ((1e-11, "float64"), (1e-6, "float32"), (1e-3, "float16"), (2e-2, "bfloat16"))


class Way(NamedTuple):
    """A session that returned a value, and the way in which its loss takes arrays. unit: whether rows are
    divided by their lengths first, for a loss that takes only unit rows · others: what it does with other rows.
    """

    name: str
    session: Session
    unit: bool = False
    others: str = FITS_NOT

    @property
    def world(self) -> str:
        return WAYS[self.name].world

    def given(self, settings: Mapping[str, Any], dtype: str | None = None) -> "Way":
        """The same loss with other settings, and in another dtype."""
        session = self.session
        target = session.target._replace(settings={**session.target.settings, **settings})
        return self._replace(session=Session(target, session.library, dtype or session.dtype))

    def ask(self, arrays: Arrays, gradient: bool = False) -> Answer:
        return self.ask_ranks([arrays], gradient)[0]

    def ask_ranks(self, shards: Sequence[Arrays], gradient: bool = False) -> list[Answer]:
        """The answer of each rank, given its arrays; only a loss of JAX has more than one here."""
        how = WAYS[self.name]
        packed = [self.pack(arrays) for arrays in shards]
        every = self.session.ask_ranks(packed, gradient, how.arrange, count_pairs(shards[0]))
        if not self.unit or every[0].gradients is None:
            return every
        return [
            answer._replace(gradients=tuple(map(send_back, how.pack(own), z, answer.gradients or ())))
            for own, z, answer in zip(shards, packed, every)
        ]

    def pack(self, arrays: Arrays) -> tuple:
        """The arrays as they are passed: with rows of length 1 if the loss is asked on these."""
        packed = WAYS[self.name].pack(arrays)
        return normalise(packed) if self.unit else packed

    def keep_finite(self, arrays: Arrays) -> Arrays:
        """These arrays, or with rows of length 1 if the loss returns no finite number at them, but there."""
        if self.world not in OF_ROWS or np.isfinite(self.value(arrays)):
            return arrays
        shorter = {**arrays, **ROWS["unit"].function(arrays)}
        if not np.isfinite(self.value(shorter)):
            return arrays
        self.session.notes["where it returns no finite number, it is asked on rows of length 1"] = None
        return shorter

    def value(self, arrays: Arrays) -> float:
        return self.ask(arrays).value

    def answer(self, arrays: Arrays) -> Answer:
        """Call the loss and return its value and its own gradient."""
        return self.ask(arrays, gradient=True)

    def gradient(self, arrays: Arrays) -> dict[str, np.ndarray] | None:
        """The loss's own gradient by the arrays' names; None if it has none."""
        found = self.answer(arrays).gradients
        return None if found is None else WAYS[self.name].unpack(found)


def normalise(packed: Sequence[Any]) -> tuple:
    """Divide each row of every array by its length."""
    return tuple(x / np.linalg.norm(x, axis=-1, keepdims=True) if x.dtype.kind == "f" else x for x in packed)


def send_back(w: Any, z: Any, dz: Any) -> Any:
    """The gradient by w of a function of z = w / ‖w‖: (dz − (z·dz) z) / ‖w‖.    [M5]"""
    if dz is None or w.dtype.kind != "f":
        return dz
    return (dz - np.sum(z * dz, axis=-1, keepdims=True) * z) / np.linalg.norm(w, axis=-1, keepdims=True)


def example(world: str, size: int = 4) -> Arrays:
    return draw(world, size, np.random.default_rng(1), 0.5)


def find_ways(
    target: Target, inputs: str | None = None, dtype: str = "float64", among: Sequence[str] | None = None
) -> list[Way]:
    """Every way, or every way of these, in which the loss takes arrays and returns a finite number."""
    if inputs is not None and inputs not in WAYS:
        raise Refused(f"--inputs: unknown {inputs!r}; known are {'; '.join(WAYS)}{suggest(inputs, WAYS)}")
    function, given = without_card.run(lambda: build(target), {})
    wanted = find_missing(function, given)
    numbers = [name for name in wanted if name in NUMBERS]
    if numbers:
        raise Refused(
            f"{target.name} needs {', '.join(numbers)}: give --with "
            + " ".join(f"{name}={'10' if name in SCALES else '0.1'}" for name in numbers)
        )
    reasons: dict[str, str] = {}
    optional = find_optional(function, given)
    given_more = [name for name in UNUSUAL if WAYS[name].last and optional]
    groups = [[inputs]] if inputs else [[*among]] if among else [[*USUAL, *given_more], [*UNUSUAL]]
    spare: list[Way] = []
    for widened, library, names in product((False, True), libraries(function), groups):
        if spare and spare[0].session.library == library:
            continue
        if widened and (
            library != "torch" or not any("dtype" in r or "Double" in r for r in reasons.values())
        ):
            continue  # changing torch's default dtype would not help: no error was about dtypes
        may_fit = [name for name in names if inputs or fits(WAYS[name], function, given)]
        asked = target._replace(widened=widened)
        tried = [try_way(asked, name, library, dtype, reasons) for name in may_fit]
        found = [way for way in tried if way is not None]
        for way in found if is_of_tensorflow(function) and library == "numpy" else ():
            way.session.notes["of TensorFlow or Keras: judged by its values, not by its gradient"] = None
        for way in found if widened else ():
            way.session.notes[f"it makes tensors of torch's default dtype, which was {dtype}"] = None
        if found and (library in ("numpy", libraries(function)[-1]) or any(map(has_gradient, found))):
            return found
        spare = spare or found  # it may be a loss of NumPy, in a module that imports another library too
    if spare:
        return spare
    why = explain_refusal(target, [*wanted, *optional], len(wanted), reasons)
    hint = "give --dtype float32, in which TensorFlow and Keras compute"
    hints = [describe_held(function), hint * (is_of_tensorflow(function) and dtype == "float64")]
    raise Refused("; ".join(filter(None, [why, *hints])))


def has_gradient(way: Way) -> bool:
    """Whether a gradient can be asked for: NumPy's functions may return a value for a tensor, but no gradient."""
    try:
        way.gradient(example(way.world))
    except Exception:  # a user's code may raise anything
        return False
    return True


def list_other_ways(found: Sequence[Way], target: Target, dtype: str) -> Iterator[list[Way]]:
    """Ways to try if none of those found fits a formula: with another of the things that come back as the loss, and
    as a loss of scores or of some pairs alone.
    """
    others = [(way, take) for way in found for take in way.session.takes[1:]]
    for way, take in others:
        again = Session(way.session.target._replace(take=take), way.session.library, dtype)
        again.notes |= dict.fromkeys([*way.session.explain(take), "no formula fits the sum of its losses"])
        yield [way._replace(session=again)]
    names = [name for name in AGAIN if name not in {way.name for way in found}]
    with contextlib.suppress(Refused):
        yield find_ways(target, None, dtype, names)


def fits(how: Inputs, function: Any, given: Mapping[str, Any]) -> bool:
    """Whether the names of the arguments allow this way. Optional labels may have any name."""
    wanted, optional = find_missing(function, given), find_optional(function, given)
    count = count_arguments(how)
    if not wanted:
        return True
    names = [*wanted, *optional]
    if how is WAYS["similarities"] and not any(word in names[0].lower() for word in OF_MATRICES):
        return False
    of_noise = any("noise" in name for name in names)
    if count == 4 and ("noise" in how.world) != of_noise:
        return False
    # predictions, then projections: p1, p2, z1, z2; without this the order would be p1, z1, p2, z2
    together = "predictions, then projections"
    if (
        count == 4
        and how.world == "views"
        and not how.last
        and (how is WAYS[together]) != have_one_stem(names[:2])
    ):
        return False
    if not len(wanted) <= count <= len(names):
        return False
    kinds = [kind for kind, known in OPTIONAL.items() if names[count - 1] in known]
    return how.last in kinds if kinds else count == len(wanted)


def count_arguments(how: Inputs) -> int:
    """Return how many arguments a loss takes this way."""
    return len(how.arrange(how.pack(example(how.world))))


def have_one_stem(names: Sequence[str]) -> bool:
    """Return whether the names differ only in a number."""
    return len({name.rstrip("0123456789_") for name in names}) == 1


def try_way(target: Target, name: str, library: str, dtype: str, reasons: dict[str, str]) -> Way | None:
    """Return the way if the loss returns a finite number, if need be on rows of length 1; else record why not."""
    others = FITS_NOT
    for unit in (False, True) if WAYS[name].world in OF_ROWS else (False,):
        try:
            way = Way(name, Session(target, library, dtype), unit, others)
            here = example(way.world)
            near = {
                n: x * (1 + 1e-3 * np.sin(range(x.shape[-1]))) if x.dtype.kind == "f" else x
                for n, x in here.items()
            }
            answer = way.session.learn(way.pack(here), WAYS[name].arrange, way.pack(near))
        except Refused as error:
            reasons.setdefault(name, str(error))
            return None
        except Exception as error:  # a user's code may raise anything
            others = f"it raises {describe_error(error)}"
            reasons.setdefault(name, f"{target.name} {others.removeprefix('it ')}")
        else:
            if np.isfinite(answer.value):
                return way
            others = f"it returns {answer.value}"
            reasons.setdefault(name, f"{target.name} returns {answer.value} at ordinary inputs")
    return None


def explain_refusal(target: Target, names: Sequence[str], needed: int, reasons: dict[str, str]) -> str:
    """Explain in one line why no way of calling it works. names: its arguments, required ones first."""
    wanted = names[:needed]
    if not reasons:
        counts = sorted({*map(count_arguments, WAYS.values())})
        return (
            f"{target.name} needs {len(wanted)} arguments ({', '.join(wanted)}); a loss takes "
            f"{counts[0]} to {counts[-1]} arrays: give the others with --with NAME=VALUE"
        )
    given_all = [n for n in reasons if count_arguments(WAYS[n]) == len(names)]
    name = given_all[0] if given_all else next(iter(reasons))
    reason = reasons[name]
    if "process group has not been initialized" in reason:
        return f"{target.name} needs a process group: --ranks 2 runs it in one"
    if UNBOUND.search(reason):
        return f"{target.name} needs a mapped axis: --ranks 2 runs it under one"
    if all(r == reason for r in reasons.values()):
        return reason
    raised = f"{target.name} raises"
    own = [r for r in reasons.values() if not r.startswith(raised)]
    return own[0] if own else f"{reason}, given {WAYS[name].words}; all {len(reasons)} ways of --inputs raise"


def check_repeatable(way: Way) -> None:
    """Raise Refused if two calls with the same arrays return different values."""
    arrays = example(way.world)
    values = [way.value(arrays) for _ in range(TRIES)]
    session = way.session
    session.first = way, values[0]
    if len(set(values)) == 1:
        return
    session.restore(True)
    session.first = way, way.value(arrays)
    if {way.value(arrays) for _ in range(TRIES)} == {session.first[1]}:
        session.notes["it keeps a state between calls, which is restored before each"] = None
        return
    session.restore(False)
    seen = []
    for _ in range(2):
        with seed_library(session.library):
            seen.append(way.value(arrays))
    shown = f"{values[0]:.6g}, then {values[1]:.6g}, at the same inputs"
    if seen[0] == seen[1]:
        raise Refused(
            f"{way.session.name} is random ({shown}): switch its noise or dropout off (.eval() of a module)"
        )
    raise Refused(STATEFUL.format(session.name, shown))


def check_unchanged(way: Way) -> None:
    """Raise Refused if the loss has changed since `check_repeatable`, as by a count of its calls."""
    if way.session.first is None:
        return
    before, first = way.session.first
    last = before.value(example(way.world))
    if not abs(last - first) <= UNCHANGED * abs(first):
        shown = f"{first:.6g}, and after many calls {last:.6g}, at the same inputs"
        raise Refused(STATEFUL.format(way.session.name, shown))


def measure_precision(way: Way) -> str:
    """Return the dtype in which the loss computes: that of its value, or a coarser one if small steps of its inputs
    leave the value unchanged at every point."""
    found = ""
    for arrays in (example(way.world), *points(way.world, 4, each=1)):
        dtype = notices(way, arrays)
        found = dtype if dtype and (not found or coarser(dtype, found) == found) else found
        if found == "float64":
            break
    return coarser(found, way.ask(example(way.world)).dtype)


def notices(way: Way, arrays: Arrays) -> str:
    """Return the coarsest dtype whose step changes the value at some point; "" if none does."""
    here = way.value(arrays)
    noise = np.random.default_rng(2)
    directions = {name: noise.standard_normal(x.shape) for name, x in arrays.items() if x.dtype.kind == "f"}
    for step, dtype in STEPS:
        moved = {
            name: x * (1 + step * directions[name]) if name in directions else x for name, x in arrays.items()
        }
        if way.value(moved) != here:
            return dtype
    return ""


def coarser(*dtypes: str) -> str:
    order = [dtype for _, dtype in STEPS]
    return max((d for d in dtypes if d in order), key=order.index, default="float64")


class Facts(NamedTuple):
    """What the loss does when its inputs are moved: whether it depends on single coordinates, the order of the
    pairs, the lengths of the rows of x and of y, which view comes first, and which rows are a pair."""

    coordinates: bool
    order: bool
    length_of_x: bool
    length_of_y: bool
    first: bool
    pairing: bool


def measure_facts(way: Way, tolerance: float) -> Facts | None:
    """Measure the facts; None if the inputs are not two views."""
    if way.world not in ("views", "queue", "own", "one negative"):
        return None
    rng = np.random.default_rng(3)
    many = points(way.world, 6, each=2)
    values = [way.value(arrays) for arrays in many]
    turn = np.linalg.qr(rng.standard_normal((many[0]["x"].shape[1],) * 2))[0]
    order = [2, 4, 0, 5, 3, 1]
    lengths = rng.uniform(0.5, 2, (2, len(order), 1))

    def minds(change: Callable[[Arrays], dict[str, Any]]) -> bool:
        moved = (way.value({**arrays, **change(arrays)}) for arrays in many)
        return any(not abs(there - here) <= tolerance * (1 + abs(here)) for there, here in zip(moved, values))

    return Facts(
        coordinates=minds(lambda a: {name: x @ turn for name, x in a.items()}),
        order=minds(
            lambda a: {n: x[order] for n, x in a.items() if n != "negatives" or way.world != "queue"}
        ),
        length_of_x=minds(lambda a: {"x": a["x"] * lengths[0]}),
        length_of_y=minds(lambda a: {"y": a["y"] * lengths[1]}),
        first=minds(lambda a: {"x": a["y"], "y": a["x"]}),
        pairing=minds(lambda a: {"y": a["y"][order]}),
    )
