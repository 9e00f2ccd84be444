"""A stranger's loss, called on NumPy arrays whatever its library, in whichever of the usual ways it takes them."""

import contextlib
import copy
import functools
import importlib
import io
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..names import suggest
from ..targets import describe_error, locate_error
from . import reading
from .inputs import (
    AGAIN,
    ALSO,
    FEATURES,
    FIRST,
    PUBLIC,
    ROWS,
    UNUSUAL,
    USUAL,
    WAYS,
    WORLDS,
    Arrays,
    Way,
    count_pairs,
    draw,
    normalise,
    points,
)
from .reading import Refused
from .target import (
    BATCH_SIZES,
    NUMBERS,
    OPTIONAL,
    SCALES,
    Target,
    build,
    call_by_signature,
    collect_settings,
    describe_held,
    find_held,
    find_missing,
    find_optional,
    find_target,
    is_of_tensorflow,
    libraries,
    list_parameters,
    parameters,
    run_without_card,
)

# Gradients are asked of this many times the loss, and divided by it, which loses no digit: a backward pass that
# ignores what comes from later operations is then wrong.
UPSTREAM = 4.0
UNBOUND = re.compile(r"unbound axis name: ([\w-]+)")  # of JAX's NameError
CONSTANT = ("targets", "log_noise_data", "log_noise")  # floats by which no gradient is asked
OF_MATRICES = ("sim", "logit", "score", "matrix")  # parts of the names of such arguments
OF_SCORES = ("logit", "score")
TRIES = 3
UNCHANGED = 1e-3  # relative: rounding may differ by where in memory the arrays lie
FITS_NOT = "no formula fits"
STATEFUL = "{} keeps a state between calls ({}): switch its memory off, or pass it in"
PRINTS = "it prints while it is called, which is not shown"
STEPS = ((1e-11, "float64"), (1e-6, "float32"), (1e-3, "float16"), (2e-2, "bfloat16"))

Slopes = dict[str, np.ndarray]
Answer = tuple[float, Slopes | None, dict[str, float]]


class Question(NamedTuple):
    """How a loss takes its arrays · gradient: whether it is asked for, and of how many times the loss: upstream ·
    between: a point at which PyTorch calls the loss before its backward · columns: whether arrays lie column by
    column in memory."""

    how: Way
    gradient: bool = False
    upstream: float = UPSTREAM
    between: Arrays | None = None
    columns: bool = False


class Session:
    """A target ready to be called. notes: what the report says about how it is called · axis: the JAX mapped axis
    under which it runs · takes: of several things that come back, which may be the loss · came: the dtype of the
    last value · heard: what the last call warned of · features: of the rows that it is given.
    """

    def __init__(self, target: Target, features: int = FEATURES):
        self.target, self.name, self.features = target, target.name, features
        self.notes: dict[str, None] = {}
        self.axis: str | None = None
        self.takes: list[reading.Take] = []
        self.explain: Callable[[reading.Take], Iterator[str]]
        self.came, self.heard = "", list[warnings.WarningMessage]()
        self.called: Any = None  # what was called last
        self.last: Any = None  # its result
        self._mapped: dict[Any, Callable[..., Any]] = {}
        self._built: dict[int, tuple[Callable[..., Any], dict[str, Any]]] = {}
        self.function, self.given = self.build(4)

    def build(self, size: int) -> tuple[Callable[..., Any], dict[str, Any]]:
        """Build the function and its settings for a batch of `size` pairs."""
        names = {name for found in list_parameters(self.target) for name in found}
        key = size if self.target.per_batch or names & {*BATCH_SIZES} else 0
        if key not in self._built:
            with keep_random_state(), self.watch():  # building it may draw random weights
                self._built[key] = run_without_card(lambda: build(self.target, size), self.notes)
            if len(self._built) > 1:
                self.notes["it is given each batch size"] = None
        return self._built[key]

    def again(self, **changes: Any) -> "Session":
        """Build the same loss anew, with another dtype, take or settings."""
        other = Session(self.target._replace(**changes), self.features)
        other.axis = self.axis
        return other

    def restore(self, restored: bool) -> None:
        """Build the loss anew; from now on restore its state before each call, or stop doing so."""
        self.target = self.target._replace(restored=restored)
        self._built, self._mapped = {}, {}
        self.function, self.given = self.build(4)

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        """Keep what it prints and warns of from the user; set torch's default dtype if need be; let it not exit."""
        torch: Any = sys.modules["torch"] if self.target.widened else None
        before, said = torch and torch.get_default_dtype(), io.StringIO()
        try:
            with warnings.catch_warnings(record=True) as self.heard, np.errstate(all="ignore"):
                warnings.simplefilter("always")
                with contextlib.redirect_stdout(said):
                    if torch:
                        torch.set_default_dtype(getattr(torch, self.target.dtype))
                    yield
        except SystemExit as error:
            raise Refused(f"could not be checked: it raises {error!r}{locate_error(error)}") from error
        finally:
            if torch:
                torch.set_default_dtype(before)
            if said.getvalue():
                self.notes[PRINTS] = None

    def ask(self, shards: Sequence[Arrays], asked: Question) -> list[Answer]:
        """The answer of each rank, given its arrays; PyTorch's ranks are processes of their own."""
        function, given = self.build(count_pairs(shards[0]))

        def call(arguments: Sequence[Any]) -> Any:
            self.called = copy.deepcopy(function) if self.target.restored else function
            passed = asked.how.arrange(arguments)
            try:
                self.last = call_by_signature(self.called, passed, given)
            except (AttributeError, TypeError) as error:  # PyTorch's functions may ask for tensors of numbers
                if self.target.library != "torch" or not re.search(r"\b(float|int)\b", str(error)):
                    raise
                self.last = call_by_signature(self.called, passed, self._as_tensors(given))
            return self.last

        with self.watch():
            if self.target.library == "jax":
                return run_without_card(lambda: self._jax(call, shards, asked), self.notes)
            ask = self._torch if self.target.library == "torch" else self._numpy
            return [run_without_card(functools.partial(ask, call, own, asked), self.notes) for own in shards]

    def _as_tensors(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The settings, each number a tensor."""
        torch: Any = sys.modules["torch"]
        dtype = getattr(torch, self.target.dtype)
        return {n: torch.tensor(x, dtype=dtype) if isinstance(x, float) else x for n, x in given.items()}

    def _read(self, result: Any) -> Any:
        return reading.read(result, self.name, self.target.take, self.notes)

    def _numpy(self, call: Callable[..., Any], arrays: Arrays, asked: Question) -> Answer:
        floats, places = find_places(asked.how, arrays)
        flat = np.concatenate([x.ravel() for x in floats.values()]).astype(self.target.dtype)
        passed = [flat[p] if moves else self._cast(p) for p, moves in places]
        passed = [np.asfortranarray(x) for x in passed] if asked.columns else passed
        kept = [x.copy() for x in passed]
        result = call(passed)
        self._require_untouched(kept, passed)
        value = np.asarray(self._read(result))
        self.came = str(value.dtype)
        if not asked.gradient or self.target.backward is None:
            return float(value.reshape(())), None, {}
        given = self.build(count_pairs(arrays))[1]
        arranged = asked.how.arrange(passed)
        slopes = call_backward(self.target, self.called, result, arranged, given, asked.upstream)
        slopes, numbers = split_fields(slopes)
        left = list(slopes) if isinstance(slopes, tuple | list) else [slopes]
        found = np.zeros(len(flat))
        for place, moves in places:
            if moves and left:  # an input for which a backward pass returns no gradient is held constant
                slope = np.asarray(left.pop(0), dtype=np.float64)
                if slope.shape != place.shape:
                    raise Refused(
                        f"the backward of {self.name} returns a gradient of shape {slope.shape} "
                        f"for an array of shape {place.shape}"
                    )
                np.add.at(found, place, slope)
        ends = np.cumsum([x.size for x in floats.values()])[:-1]
        shaped = (g.reshape(x.shape) for g, x in zip(np.split(found, ends), floats.values()))
        return float(value.reshape(())), dict(zip(floats, shaped)), numbers

    def _torch(self, call: Callable[..., Any], arrays: Arrays, asked: Question) -> Answer:
        torch: Any = sys.modules["torch"]
        device, dtype = self.target.device, getattr(torch, self.target.dtype)

        def give(arrays: Arrays) -> tuple[dict[str, Any], list[Any]]:
            floats, places = find_places(asked.how, arrays)
            leaves = {n: torch.tensor(x, dtype=dtype, device=device) for n, x in floats.items()}
            for leaf in leaves.values():
                leaf.requires_grad_(asked.gradient)
            flat = torch.cat([leaf.reshape(-1) for leaf in leaves.values()])
            passed = []
            for place, moves in places:
                kind = {"f": dtype, "b": torch.bool}.get(place.dtype.kind, torch.long)
                x = torch.tensor(place, dtype=torch.long if moves else kind, device=device)
                x = flat[x] if moves else x
                turned = asked.columns and x.ndim > 1
                passed.append(x.transpose(0, -1).contiguous().transpose(0, -1) if turned else x)
            return leaves, passed

        with torch.set_grad_enabled(asked.gradient):
            leaves, passed = give(arrays)
            kept = [x.detach().clone() for x in passed]
            result = call(passed)
            self._require_untouched([x.cpu() for x in kept], [x.detach().cpu() for x in passed])
            value = self._read(result)
            known = isinstance(value, torch.Tensor)  # if not, it is a number of Python, which has 64 bits
            value = value.reshape(()) if known else torch.tensor(float(value), dtype=torch.float64)
            self.came = str(value.dtype).removeprefix("torch.")
            if not asked.gradient:
                return float(value), None, {}
            learned = dict(self.learned())
            slopes: list[Any] = [None] * (len(leaves) + len(learned))
            if value.requires_grad:
                if asked.between is not None:
                    call(give(asked.between)[1])
                wanted = [*leaves.values(), *learned.values()]
                slopes = list(torch.autograd.grad(asked.upstream * value, wanted, allow_unused=True))
        own = {
            name: np.zeros(leaf.shape) if g is None else g.detach().cpu().double().numpy() / asked.upstream
            for (name, leaf), g in zip(leaves.items(), slopes)
        }
        by = {n: float(g) / asked.upstream for n, g in zip(learned, slopes[len(leaves) :]) if g is not None}
        return float(value.detach()), own, by

    def learned(self) -> list[tuple[str, Any]]:
        """The numbers that a PyTorch module learns, by name."""
        if self.target.library != "torch" or not hasattr(self.function, "named_parameters"):
            return []
        return [(n, x) for n, x in self.function.named_parameters() if x.numel() == 1 and x.requires_grad]

    def _jax(self, call: Callable[..., Any], shards: Sequence[Arrays], asked: Question) -> list[Answer]:
        """Every rank's answer; JAX's error says which mapped axis the loss uses, if it may have one."""
        jax: Any = sys.modules["jax"]
        home = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
        with home.enable_x64(True):
            while True:
                try:
                    return self._jax_ranks(call, shards, asked)
                except NameError as error:
                    unbound = UNBOUND.search(str(error))
                    if unbound is None or not self.target.mapped:
                        raise
                    if self.axis is not None:
                        both = f"{self.axis} and {unbound[1]}"
                        raise Refused(
                            f"{self.name} uses two mapped axes, {both}; --ranks gives one"
                        ) from error
                    self.axis = unbound[1]

    def _jax_ranks(self, call: Callable[..., Any], shards: Sequence[Arrays], asked: Question) -> list[Answer]:
        jax: Any = sys.modules["jax"]
        numpy = importlib.import_module("jax.numpy")
        dtypes = {"f": self.target.dtype, "b": bool}
        every = [find_places(asked.how, arrays) for arrays in shards]
        moved = [place if moves else None for place, moves in every[0][1]]
        floats = [{n: numpy.asarray(x, dtype=self.target.dtype) for n, x in own.items()} for own, _ in every]
        constants = [
            [numpy.asarray(p, dtype=dtypes.get(p.dtype.kind, numpy.int32)) for p, moves in own if not moves]
            for _, own in every
        ]

        def call_with(floats: Mapping[str, Any], constants: Sequence[Any]) -> Any:
            flat, left = numpy.concatenate([x.ravel() for x in floats.values()]), iter(constants)
            return call([next(left) if place is None else flat[place] for place in moved])

        def value_of(floats: Mapping[str, Any], constants: Sequence[Any]) -> Any:
            value = numpy.reshape(self._read(call_with(floats, constants)), ())
            return asked.upstream * value, value

        ask = jax.value_and_grad(value_of, has_aux=True) if asked.gradient else call_with
        if self.axis is None:
            answers = [ask(*own) for own in zip(floats, constants)]
        else:
            self.notes[f"run under jax.vmap's axis {self.axis}, whose collectives are pmap's"] = None
            shapes = tuple((n, x.shape) for n, x in floats[0].items())
            key = asked, id(self.build(count_pairs(shards[0]))[0]), self.target.take, shapes
            if key not in self._mapped:  # compiled, as under pmap
                self._mapped[key] = jax.jit(jax.vmap(ask, axis_name=self.axis))
            together = self._mapped[key](*jax.tree.map(lambda *x: numpy.stack(x), *zip(floats, constants)))
            answers = [jax.tree.map(lambda x, k=k: x[k], together) for k in range(len(shards))]
        found = list[Answer]()
        for answer in answers:
            if not asked.gradient:
                self.last = answer  # set outside of the mapped function, where arrays are not tracers
            value = answer[0][1] if asked.gradient else numpy.reshape(self._read(answer), ())
            self.came = str(value.dtype)
            slopes = answer[1].items() if asked.gradient else ()
            by = {n: np.asarray(g, float) / asked.upstream for n, g in slopes}
            found.append((float(value), by if asked.gradient else None, {}))
        return found

    def _cast(self, x: np.ndarray) -> np.ndarray:
        return x.astype(self.target.dtype if x.dtype.kind == "f" else x.dtype)

    def _require_untouched(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        if not all(bool((b == a).all()) for b, a in zip(before, after)):
            raise Refused(f"{self.name} writes into the arrays that it was given; let it work on a copy")

    def learn(self, how: Way, arrays: Arrays, near: Arrays) -> float:
        """Return the value; find out first which of several things are losses. near: a point close to the other."""
        if self.target.take is None and self.target.backward is None:
            value = None
            with contextlib.suppress(Refused):  # as of a dict in which no number is the loss
                value = self.ask([arrays], Question(how))[0][0]
            here = reading.split(self.last)
            if here is None and value is not None:
                return value
            if here is not None:
                with contextlib.suppress(Refused):
                    self.ask([near], Question(how))
                self._choose(here, reading.list_moving(here, reading.split(self.last)), how, near)
        return self.ask([arrays], Question(how))[0][0]

    def _choose(self, things: Mapping[Any, Any], moving: Sequence[Any], how: Way, arrays: Arrays) -> None:
        """Choose which of the returned things are losses. moving: the keys of those that change with the arrays."""
        reached = {key: self._reaches(key, how, arrays) for key in moving}
        live, sure = [key for key in moving if reached[key] is not False], any(reached.values())
        if isinstance(self.last, list) and len(live) == len(self.last) == count_pairs(arrays):
            self.takes = [()]  # a list of the losses of all rows
        else:
            self.takes = reading.choose_losses(things, live or moving, sure)
        take = next(iter(self.takes), None)
        self.target = self.target._replace(take=take)
        self.notes = {note: None for note in self.notes if note == PRINTS}
        self.explain = functools.partial(reading.explain_choice, things, by_gradient=sure)
        if take not in (None, ()):
            self.notes |= dict.fromkeys(self.explain(take))

    def _reaches(self, key: Any, how: Way, arrays: Arrays) -> bool | None:
        """Whether one of the things that came back has a gradient by the arrays; None if that is not known."""
        self.target = self.target._replace(take=key)
        try:
            slopes = self.ask([arrays], Question(how, True))[0][1]
        except Exception:  # of a user's code: its gradient is asked for later
            return None
        finally:
            self.target = self.target._replace(take=None)
        return None if slopes is None else any(map(np.any, slopes.values()))


def find_places(how: Way, arrays: Arrays) -> tuple[dict[str, np.ndarray], list[tuple[np.ndarray, bool]]]:
    """The arrays that have a gradient; then for each argument where its entries stand in these, laid end to end,
    and True, or the argument itself, and False.
    """
    floats = {n: x for n, x in arrays.items() if np.asarray(x).dtype.kind == "f" and n not in CONSTANT}
    marked, start = dict(arrays), 0
    for n, x in floats.items():
        marked[n] = np.arange(start, start + x.size).reshape(x.shape) + 0j  # nothing else is complex
        start += x.size
    packed = how.pack(marked)
    return floats, [(p.real.astype(int), True) if p.dtype.kind == "c" else (p, False) for p in packed]


class Stranger(NamedTuple):
    """One way of calling a stranger's loss. way: its name · unit: whether it is asked on rows of length 1 alone ·
    others: what it does with other rows.
    """

    session: Session
    way: str
    unit: bool = False
    others: str = FITS_NOT

    @property
    def how(self) -> Way:
        return WAYS[self.way]

    @property
    def world(self) -> str:
        return self.how.world

    @property
    def arrays(self) -> tuple[str, ...]:
        return WORLDS[self.world]

    @property
    def target(self) -> Target:
        return self.session.target

    @property
    def library(self) -> str:
        return self.target.library

    @property
    def dtype(self) -> str:
        return self.target.dtype

    @property
    def notes(self) -> dict[str, None]:
        return self.session.notes

    @property
    def settings(self) -> dict[str, Any]:
        """The numbers and options that it is called with: given, by default, or kept by a built object."""
        return collect_settings(self.target, self.session.function)

    def given(self, settings: Mapping[str, Any] | None = None, dtype: str = "") -> "Stranger":
        """The same loss with other settings, and in another dtype."""
        changed = {**self.target.settings, **(settings or {})}
        return self._replace(session=self.session.again(settings=changed, dtype=dtype or self.dtype))

    def points(self, size: int, each: int = 3, d: int = 0, seed: int = 0) -> list[dict[str, Any]]:
        """Points of that many pairs, from rows far apart to rows in a narrow cone."""
        return points(self.world, size, each, d or self.session.features, self.unit, seed)

    def ask(self, arrays: Arrays, gradient: bool = False, **more: Any) -> Answer:
        """The value at this point; if asked for, its own gradient by each of the textbook's arrays, None if there
        is none; and that by each number that it learns, or whose gradient a backward returns by name.

        more: fields of `Question`.
        """
        return self.ask_ranks([arrays], gradient, **more)[0]

    def ask_ranks(self, shards: Sequence[Arrays], gradient: bool = False, **more: Any) -> list[Answer]:
        """The answer of each rank, given its arrays; only a loss of JAX has more than one here."""
        asked = Question(self.how, gradient, **more)
        if not self.unit:
            return self.session.ask(shards, asked)
        every = self.session.ask([normalise(arrays) for arrays in shards], asked)
        return [
            (value, slopes and {n: send_back(n, arrays[n], g) for n, g in slopes.items()}, numbers)
            for arrays, (value, slopes, numbers) in zip(shards, every)
        ]

    def value(self, arrays: Arrays) -> float:
        return self.ask(arrays)[0]

    def learned(self) -> dict[str, float]:
        """The numbers that a PyTorch module learns, by name."""
        return {name: float(number.detach()) for name, number in self.session.learned()}

    @contextlib.contextmanager
    def learning(self, name: str, value: float) -> Iterator[None]:
        """Within the block, a number that the module learns has this value, in float64."""
        number = dict(self.session.learned())[name]
        kept, torch = number.data, sys.modules["torch"]
        try:
            number.data = torch.full_like(kept, value, dtype=torch.float64)
            yield
        finally:
            number.data = kept


def send_back(name: str, w: Any, dz: Any) -> Any:
    """The gradient by w of a function of z = w / ‖w‖: (dz − (z·dz) z) / ‖w‖, for rows.    [M5]"""
    if name not in ROWS:
        return dz
    length = np.linalg.norm(w, axis=-1, keepdims=True)
    return (dz - np.sum(w * dz, axis=-1, keepdims=True) * w / length**2) / length


def call_backward(
    target: Target, called: Any, result: Any, passed: Sequence[Any], given: Mapping[str, Any], upstream: float
) -> Any:
    """Call a separate backward with forward's cache if there is one, else with the arrays. A method of the loss's
    class may take nothing, or the slope of the loss, by which its result is divided.
    """
    backward: Any = target.backward
    owner, _, name = getattr(backward, "__qualname__", "").rpartition(".")
    is_method = any(owner == base.__qualname__ for base in type(called).__mro__)
    if is_method:
        backward = getattr(called, name)
    own = parameters(backward).values()
    if isinstance(result, tuple) and (len(own) == 1 or (len(own) == 2 and not is_method)):
        return backward(result[1])
    needed = [p for p in own if p.default is p.empty]
    if not is_method or len(needed) > 1:
        return backward(*passed, **given)
    return divide(backward(upstream), upstream) if needed else backward()


def divide(slopes: Any, by: float) -> Any:
    """Divide one gradient or several; fields keep their names."""
    fields = slopes._asdict() if hasattr(slopes, "_asdict") else slopes
    if isinstance(fields, Mapping):
        return {name: divide(slope, by) for name, slope in fields.items()}
    if isinstance(slopes, tuple | list):
        return tuple(divide(slope, by) for slope in slopes)
    return np.asarray(slopes, dtype=np.float64) / by


def split_fields(slopes: Any) -> tuple[Any, dict[str, float]]:
    """Split the fields that a backward returned into gradients by arrays, and by numbers under their names."""
    fields = slopes._asdict() if hasattr(slopes, "_asdict") else slopes
    if not isinstance(fields, Mapping):
        return slopes, {}
    numbers = {name: float(x) for name, x in fields.items() if np.ndim(x) == 0}
    return tuple(x for name, x in fields.items() if name not in numbers), numbers


@contextlib.contextmanager
def keep_random_state() -> Iterator[None]:
    """Seed every random number within the block; the user's own go on afterwards as if nothing had been drawn."""
    torch: Any = sys.modules.get("torch")
    kept = random.getstate(), np.random.get_state(), torch and torch.get_rng_state()  # noqa: NPY002 - the user's
    try:
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002 - the user's loss may draw from it
        if torch:
            torch.manual_seed(0)
        yield
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])  # noqa: NPY002
        if torch:
            torch.set_rng_state(kept[2])


@contextlib.contextmanager
def use_one_thread() -> Iterator[None]:
    """Within the block PyTorch has one thread: several are slower for arrays as small as these."""
    torch: Any = sys.modules.get("torch")
    kept = torch and torch.get_num_threads()
    try:
        if torch:
            torch.set_num_threads(1)
        yield
    finally:
        if torch:
            torch.set_num_threads(kept)


def find_ways(
    loss: Any,
    settings: Mapping[str, Any] | None = None,
    backward: Any = None,
    inputs: str | None = None,
    **more: Any,
) -> list[Stranger]:
    """Every way in which a loss takes arrays and returns a finite number. Raises `Refused` if there is none.

    more: fields of `Target`, such as dtype="float32".
    """
    return list_ways(find_target(loss, settings or {}, backward, **more), inputs)


def list_ways(
    target: Target, inputs: str | None = None, among: Sequence[str] | None = None
) -> list[Stranger]:
    """Every way, or every way of these, in which the loss takes arrays and returns a finite number."""
    if inputs is not None and inputs not in PUBLIC:
        raise Refused(f"--inputs: unknown {inputs!r}; known are {'; '.join(PUBLIC)}{suggest(inputs, PUBLIC)}")
    notes: dict[str, None] = {}
    function, given = run_without_card(lambda: build(target), notes)
    wanted, optional = find_missing(function, given), find_optional(function, given)
    if numbers := [name for name in wanted if name in NUMBERS]:
        with_ = " ".join(f"{name}={'10' if name in SCALES else '0.1'}" for name in numbers)
        raise Refused(f"{target.name} needs {', '.join(numbers)}: give --with {with_}")
    reasons: dict[str, str] = {}
    given_more = [name for name in UNUSUAL if WAYS[name].last and optional]
    groups = [[inputs]] if inputs else [[*among]] if among else [[*USUAL, *given_more], [*UNUSUAL]]
    apart = len(wanted) == 2 and all(any(word in name.lower() for name in wanted) for word in ("pos", "neg"))
    if (apart or any(w in x.lower() for x in wanted[:1] for w in OF_SCORES)) and not inputs and not among:
        groups.insert(
            0, [name for name, how in WAYS.items() if how.world.startswith(FIRST if apart else "scores")]
        )
    widths = [FEATURES, *sorted({min(shape) for shape in find_held(function).values() if min(shape) < 64})]
    spare: list[Stranger] = []
    for widened, library, names, d in product((False, True), libraries(function), groups, widths):
        if spare and spare[0].library == library:
            continue
        if widened and (
            library != "torch" or not any("dtype" in r or "Double" in r for r in reasons.values())
        ):
            continue  # changing torch's default dtype would not help: no error was about dtypes
        own = [n for n in names if inputs or fits(WAYS[n], function, given)]
        asked = target._replace(widened=widened, library=library)
        tried = (try_way(asked, n, d, reasons) for name in own for n in (name, ALSO.get(name)) if n)
        found = [way for way in tried if way is not None]
        for way in found:
            if is_of_tensorflow(function) and library == "numpy":
                way.notes["of TensorFlow or Keras: judged by its values, not by its gradient"] = None
            if widened:
                way.notes[f"it makes tensors of torch's default dtype, which was {target.dtype}"] = None
        if found and (library in ("numpy", libraries(function)[-1]) or any(map(has_gradient, found))):
            return [settle(way) for way in found]
        spare = spare or found  # it may be a loss of NumPy, in a module that imports another library too
    if spare:
        return [settle(way) for way in spare]
    why = explain_refusal(target, [*wanted, *optional], len(wanted), reasons)
    hint = "give --dtype float32, in which TensorFlow and Keras compute"
    hints = [describe_held(function), hint * (is_of_tensorflow(function) and target.dtype == "float64")]
    raise Refused("; ".join(filter(None, [why, *hints])))


def list_other_ways(found: Sequence[Stranger], inputs: str | None = None) -> Iterator[list[Stranger]]:
    """Ways to try if none of those found fits a formula: with another of the things that come back as the loss,
    then as a loss of scores or of some pairs alone.
    """
    for way, take in [(one, take) for one in found for take in one.session.takes[1:]]:
        session = way.session.again(take=take)
        more = [*way.session.explain(take), "no formula fits the sum of its losses"]
        session.notes |= dict.fromkeys(more)
        yield [way._replace(session=session)]
    tried = {way.way for way in found}
    usual = () if tried & {*USUAL} else USUAL  # it may have been taken for a loss of scores
    names = [name for name in (*usual, *AGAIN) if name not in tried]
    if not inputs:
        with contextlib.suppress(Refused):
            yield list_ways(found[0].target._replace(take=None), None, names)


def has_gradient(way: Stranger) -> bool:
    """Whether a gradient can be asked for: NumPy's functions may return a value for a tensor, but no gradient."""
    try:
        way.ask(example(way), gradient=True)
    except Exception:  # a user's code may raise anything
        return False
    return True


def fits(how: Way, function: Any, given: Mapping[str, Any]) -> bool:
    """Whether the names of the arguments allow this way. Optional labels may have any name."""
    wanted, optional = find_missing(function, given), find_optional(function, given)
    names, count = [*wanted, *optional], count_arguments(how)
    if not wanted:
        return True
    if how is WAYS["similarities"] and not any(word in names[0].lower() for word in OF_MATRICES):
        return False
    if count == 4 and ("noise" in how.world) != any("noise" in name for name in names):
        return False
    if count == 4 and how.world == "predictions":
        # p1, p2, z1, z2 are predictions, then projections; other names have the order p1, z1, p2, z2
        one_stem = len({name.rstrip("0123456789_") for name in names[:2]}) == 1
        if (how is WAYS["predictions, then projections"]) != one_stem:
            return False
    if not len(wanted) <= count <= len(names):
        return False
    kinds = [kind for kind, known in OPTIONAL.items() if names[count - 1] in known]
    return how.last in kinds if kinds else count == len(wanted)


def count_arguments(how: Way) -> int:
    """How many arguments a loss takes this way."""
    return len(how.arrange(how.pack(draw(how.world, 4, np.random.default_rng(1), 0.5))))


def example(way: Stranger, size: int = 4) -> dict[str, Any]:
    return draw(way.world, size, np.random.default_rng(1), 0.5, way.session.features)


def try_way(target: Target, name: str, d: int, reasons: dict[str, str]) -> Stranger | None:
    """Return the way if the loss returns a finite number, if need be on rows of length 1; else record why not."""
    others = FITS_NOT
    for unit in (False, True) if set(WORLDS[WAYS[name].world]) & set(ROWS) else (False,):
        try:
            way = Stranger(Session(target, d), name, unit, others)
            here = normalise(example(way)) if unit else example(way)
            near = {
                n: x * (1 + 1e-3 * np.sin(range(x.shape[-1]))) for n, x in here.items() if x.dtype.kind == "f"
            }
            value = way.session.learn(way.how, here, here | (normalise(near) if unit else near))
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
        counts = sorted({*map(count_arguments, WAYS.values())})
        return (
            f"{target.name} needs {needed} arguments ({', '.join(names[:needed])}); a loss takes "
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
    own = [r for r in reasons.values() if not r.startswith(f"{target.name} raises")]
    return own[0] if own else f"{reason}, given {WAYS[name].words}; all {len(reasons)} ways of --inputs raise"


def settle(way: Stranger) -> Stranger:
    """Restore its state before each call, if it has one. Raises Refused if two calls return different values."""
    arrays, session = example(way), way.session
    values = [way.value(arrays) for _ in range(TRIES)]
    if len(set(values)) == 1:
        return way
    session.restore(True)
    if len({way.value(arrays) for _ in range(TRIES)}) == 1:
        session.notes["it keeps a state between calls, which is restored before each"] = None
        return way
    session.restore(False)
    seen = []
    for _ in range(2):
        with keep_random_state():
            seen.append(way.value(arrays))
    shown = f"{values[0]:.6g}, then {values[1]:.6g}, at the same inputs"
    if seen[0] == seen[1]:
        raise Refused(
            f"{way.session.name} is random ({shown}): switch its noise or dropout off (.eval() of a module)"
        )
    raise Refused(STATEFUL.format(way.session.name, shown))


def check_unchanged(way: Stranger, first: float) -> None:
    """Raise Refused if it has changed since it returned this value at its example, as by a count of its calls."""
    last = way.value(example(way))
    if not abs(last - first) <= UNCHANGED * abs(first):
        shown = f"{first:.6g}, and after many calls {last:.6g}, at the same inputs"
        raise Refused(STATEFUL.format(way.session.name, shown))


def measure_precision(way: Stranger) -> str:
    """The dtype in which the loss computes: that of its value, or a coarser one if small steps of its inputs leave
    the value unchanged at every point."""
    order, found = [dtype for _, dtype in STEPS], ""
    for arrays in (example(way), *way.points(4, each=1)):
        dtype = notices(way, arrays)
        found = min(filter(None, (found, dtype)), key=order.index, default="")
        if found == "float64":
            break
    way.value(example(way))
    known = [dtype for dtype in (found, way.session.came) if dtype in order]
    return max(known, key=order.index, default="float64")


def notices(way: Stranger, arrays: Arrays) -> str:
    """The finest dtype whose step changes the value there; "" if none does."""
    here, noise = way.value(arrays), np.random.default_rng(2)
    along = {name: noise.standard_normal(x.shape) for name, x in arrays.items() if x.dtype.kind == "f"}
    for step, dtype in STEPS:
        if way.value({**arrays, **{n: arrays[n] * (1 + step * v) for n, v in along.items()}}) != here:
            return dtype
    return ""


def note_unasked(way: Stranger) -> None:
    """Note optional arrays that were not passed, and a module that returns another value in its other mode."""
    session = way.session
    left = find_optional(session.function, session.given)
    if left and not way.how.last:
        session.notes[f"asked without {', '.join(left)}, which it may be given: --inputs chooses"] = None
    module: Any = session.function
    torch = sys.modules.get("torch")
    if session.target.library != "torch" or torch is None or not isinstance(module, torch.nn.Module):
        return
    many = [way.points(size, each=1)[0] for size in (4, 6)]
    modes, mode = {part: part.training for part in module.modules()}, module.training
    here = [way.value(arrays) for arrays in many]
    try:
        module.train(not mode)
        there = [way.value(arrays) for arrays in many]
    except Exception as error:
        said = f"raises {describe_error(error)}"
    else:
        said = "" if np.allclose(here, there, rtol=1e-6, atol=0) else "returns another value"
    finally:
        for part, before in modes.items():
            part.training = before
    if said:
        own, other = ("training", "evaluation") if mode else ("evaluation", "training")
        session.notes[f"asked in {own} mode; in {other} mode it {said}"] = None
