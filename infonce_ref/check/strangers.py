"""A stranger's loss, called on NumPy arrays whatever its library, in whichever of the usual ways it takes them."""

import contextlib
import copy
import importlib
import inspect
import io
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..targets import describe_error, locate_error
from . import reading
from .inputs import FEATURES, OF_TWO_VIEWS, ROWS, SPREADS, Arrays, Way, count_pairs, draw, normalise
from .laws import is_near
from .reading import Refused
from .target import (
    BATCH_SIZES,
    HELPS,
    Target,
    adapt_torch,
    build,
    call_parameters,
    collect_settings,
    find_missing,
    find_optional,
    list_keywords,
    list_parameters,
    parameters,
)

# what a backward of NumPy may call what reaches it
UPSTREAMS = re.compile(
    "g|gy|g_?out|ct|cotangent|upstream|grad(ient|_outputs?|_out|_loss|_y)?|(loss|output)_grad|d_?(l|y|out|loss)"
)
CACHES = {"cache", "ctx", "context", "saved", "residuals", "res", "state", "memo"}
UNBOUND = re.compile(r"unbound axis name: ([\w-]+)")  # of JAX's NameError
CONSTANT = ("targets", "log_noise_data", "log_noise")  # floats by which no gradient is asked
UNCHANGED = 1e-3  # relative: rounding may differ by where in memory the arrays lie
FITS_NOT = "no formula fits"
STATEFUL = "{} keeps a state between calls ({}): switch its memory off, or pass it in"
PRINTS = "it prints while it is called, which is not shown"
OF_FEATURES_ALONE = ("barlow_twins", "vicreg")  # losses that compare each feature with each
BATCHES = ((5, 0), (32, 0), (67, 64), (130, 0), (8, 1031))  # pairs, and features if not the usual number
STEPS = ((1e-11, "float64"), (1e-6, "float32"), (1e-3, "float16"), (2e-2, "bfloat16"))

Slopes = dict[str, np.ndarray]
Answer = tuple[float, Slopes | None, dict[str, float]]
# an Answer whose slopes are not yet dealt to the arrays
Flat = tuple[float, np.ndarray | None, dict[str, float]]


class Point(NamedTuple):
    """A point as a loss takes it. size: its number of pairs · floats: the numbers by which there is a gradient, end
    to end · places: where those of each array stand in these · arguments: each an array, or where its entries stand
    among the floats, as complex numbers.
    """

    size: int
    floats: np.ndarray
    places: dict[str, np.ndarray]
    arguments: Sequence[np.ndarray]


def lay_out(how: Way, arrays: Arrays) -> Point:
    own = {n: x for n, x in arrays.items() if np.asarray(x).dtype.kind == "f" and n not in CONSTANT}
    floats = np.concatenate([x.ravel() for x in own.values()])
    parts = np.split(np.arange(len(floats)), np.cumsum([x.size for x in own.values()])[:-1])
    places = {n: part.reshape(x.shape) for part, (n, x) in zip(parts, own.items())}
    marked = {n: place + 0j for n, place in places.items()}  # nothing else is complex
    return Point(count_pairs(arrays), floats, places, how.pack({**arrays, **marked}))


class Stranger:
    """A stranger's loss, called in one way.

    unit: whether it is asked on rows of length 1 alone · others: what it does with other rows · features: of its
    rows · axis: the JAX mapped axis under which it runs · notes: what the report says about how it is called ·
    takes: of several things that it returns, those that may be the loss, each with what the report says of it ·
    called, passed, last: what was called last, its arguments, and what it returned · came: the dtype of its value ·
    heard: what it warned of · weighted: whether the losses of the rows are weighed before their mean.
    """

    def __init__(self, target: Target, how: Way, features: int = FEATURES, axis: str | None = None):
        self.target, self.how, self.features, self.axis = target, how, features, axis
        self.name, self.library, self.dtype = target.name, target.library, target.dtype
        self.way, self.world, self.arrays = how.name, how.world, how.arrays
        self.unit, self.others, self.weighted = False, FITS_NOT, False
        helps = [note.format(target.dtype) for name, (_, note) in HELPS.items() if getattr(target, name)]
        self.notes: dict[str, None] = dict.fromkeys(helps)
        self.takes: dict[reading.Take, list[str]] = {}
        self.came, self.heard = "", list[warnings.WarningMessage]()
        self.called: Any = None
        self.passed: Sequence[Any] = ()
        self.last: Any = None
        names = {name for found in list_parameters(target) for name in found}
        self._sized = target.per_batch or bool(names & {*BATCH_SIZES})
        self._built: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._keywords: dict[tuple[int, int], list[str]] = {}
        self._mapped: dict[Any, Any] = {}
        self.function, self.given = self.build(4)

    def again(self, settings: Mapping[str, Any] | None = None, **changes: Any) -> "Stranger":
        """The same loss built anew, with more settings, or other fields of its target."""
        target = self.target._replace(settings={**self.target.settings, **(settings or {})}, **changes)
        other = Stranger(target, self.how, self.features, self.axis)
        return other.replace(unit=self.unit, others=self.others, weighted=self.weighted)

    def replace(self, **changes: Any) -> "Stranger":
        """The same built loss, with other fields of its own; both have the same notes."""
        other = copy.copy(self)
        vars(other).update(changes)
        return other

    def build(self, size: int) -> tuple[Any, dict[str, Any]]:
        """The function for a batch of `size` pairs, and its settings."""
        key = size if self._sized else 0
        if key not in self._built:
            with keep_random_state(), self.watch():  # building it may draw random weights
                self._built[key] = build(self.target, size)
            if len(self._built) > 1:
                self.note("it is given each batch size")
        return self._built[key]

    @property
    def settings(self) -> dict[str, Any]:
        """The numbers and options that it is called with: given, by default, or kept by a built object."""
        return collect_settings(self.target, self.function)

    def points(self, size: int, each: int = 3, d: int = 0) -> list[dict[str, Any]]:
        """Points of that many pairs, `each` of every spread, from rows far apart to rows in a narrow cone."""
        rng, spreads = np.random.default_rng([0, size]), np.repeat(SPREADS, each)
        drawn = [draw(self.world, size, rng, spread, d or self.features) for spread in spreads]
        return [normalise(arrays) for arrays in drawn] if self.unit else drawn

    def value(self, arrays: Arrays) -> float:
        return self.ask(arrays)[0]

    def slopes(self, arrays: Arrays, **more: Any) -> Slopes:
        """The gradient by each array; empty if there is none."""
        return self.ask(arrays, gradient=True, **more)[1] or {}

    def changes(self, move: Callable[[Arrays], Arrays]) -> bool:
        """Whether a change of the arrays changes the value."""
        at = self.points(4, each=1)[1]
        return not is_near(self.value(move(at)), self.value(at), 1e-5)

    def note(self, words: str) -> None:
        """Let the report say this of how it is called."""
        self.notes[words] = None

    def through_lengths(self, arrays: Arrays, slopes: Mapping[str, Any]) -> Slopes:
        """The gradient by the rows as they come, from that by the rows of length 1 that the loss was given."""
        return send_back(arrays, slopes) if self.unit else dict(slopes)

    @contextlib.contextmanager
    def noting_refusal(self, where: str) -> Iterator[None]:
        """Note inputs that the loss does not take, and leave the block."""
        try:
            yield
        except Exception as error:  # a user's code may raise anything
            self.note(f"not asked {where}: it raises {describe_error(error)}")

    def ask(self, arrays: Arrays, gradient: bool = False, **more: Any) -> Answer:
        """The value at this point; if asked for, its own gradient by each of the textbook's arrays, None if there
        is none; and that by each number that it learns, or whose gradient a backward returns by name.
        """
        return self.ask_ranks([arrays], gradient, **more)[0]

    def ask_ranks(
        self,
        shards: Sequence[Arrays],
        gradient: bool = False,
        upstream: float = 1.0,
        between: Arrays | None = None,
    ) -> list[Answer]:
        """The answer of each rank, given its arrays; only a loss of JAX has more than one here.

        upstream: of how many times the loss the gradient is asked · between: a point at which PyTorch calls the
        loss before its backward.
        """
        laid = [lay_out(self.how, normalise(own) if self.unit else own) for own in shards]
        found = list[Answer]()
        with self.watch():
            if self.library == "jax":
                every = self._ask_jax(laid, gradient, upstream)
            elif self.library == "torch":
                every = [self._ask_torch(point, gradient, upstream, between) for point in laid]
            else:
                every = [self._ask_numpy(point, gradient, upstream) for point in laid]
        for arrays, point, (value, slope, numbers) in zip(shards, laid, every):
            slopes = None if slope is None else {n: slope[place] for n, place in point.places.items()}
            found.append((value, slopes and self.through_lengths(arrays, slopes), numbers))
        return found

    @contextlib.contextmanager
    def watch(self) -> Iterator[None]:
        """Keep what it prints and warns of from the user; let it not exit."""
        said = io.StringIO()
        try:
            with warnings.catch_warnings(record=True) as self.heard, np.errstate(all="ignore"):
                warnings.simplefilter("always")
                with contextlib.redirect_stdout(said), adapt_torch(self.target):
                    yield
        except SystemExit as error:
            raise Refused(f"could not be checked: it raises {error!r}{locate_error(error)}") from error
        finally:
            if said.getvalue():
                self.note(PRINTS)

    def _array(self, x: np.ndarray) -> Any:
        """A copy in the loss's library: floats of its dtype, whole numbers of the library's usual ones."""
        whole = "int32" if self.library == "jax" else "int64"
        dtype = {"f": self.dtype, "b": "bool"}.get(x.dtype.kind, whole)
        if self.library == "torch":
            torch: Any = sys.modules["torch"]
            return torch.tensor(x, dtype=getattr(torch, dtype), device=self.target.device)
        return (sys.modules["jax.numpy"] if self.library == "jax" else np).array(x, dtype=dtype)

    def _constants(self, point: Point) -> list[Any]:
        """The arguments that are no places, in the loss's library; None for the others."""
        return [None if x.dtype.kind == "c" else self._array(x) for x in point.arguments]

    def _evaluate(self, point: Point, floats: Any, constants: Sequence[Any]) -> Any:
        """The loss at these floats and constants, as one number of its library."""
        every = zip(point.arguments, constants)
        passed = [floats[place.real.astype(int)] if x is None else x for place, x in every]
        kept = [np.array(reading.detach(x)) for x in passed] if self.library != "jax" else []
        function, given = self.build(point.size)
        self.called = copy.deepcopy(function) if self.target.restored else function
        self.passed = self.how.arrange(passed)
        try:
            self.last = self._call(function, given)
        except (AttributeError, TypeError) as error:  # PyTorch's functions may ask for tensors of numbers
            if self.library != "torch" or not re.search(r"\b(float|int)\b", str(error)):
                raise
            tensors = {n: self._array(np.array(x)) for n, x in given.items() if isinstance(x, float)}
            self.last = self._call(function, {**given, **tensors})
        if not all(np.array_equal(x, reading.detach(now)) for x, now in zip(kept, passed)):
            raise Refused(f"{self.name} writes into the arrays that it was given; let it work on a copy")
        return reading.read(self.last, self.name, self.target.take, self.notes, self.weighted)

    def _call(self, function: Any, given: Mapping[str, Any]) -> Any:
        """Call it with the arguments that are passed, in order. function: as it was built, before any copy."""
        count = len(self.passed)
        key = id(function), count
        if key not in self._keywords:  # a signature takes longer to read than a small loss to compute
            self._keywords[key] = list_keywords(function, given, count)
        names = self._keywords[key]
        first = count - len(names)
        return self.called(*self.passed[:first], **dict(zip(names, self.passed[first:])), **given)

    def _ask_numpy(self, point: Point, gradient: bool, upstream: float) -> Flat:
        value = np.asarray(self._evaluate(point, self._array(point.floats), self._constants(point)))
        self.came = str(value.dtype)
        if not gradient or self.target.backward is None:
            return float(value.reshape(())), None, {}
        slopes, numbers = self._call_backward(self.build(point.size)[1], upstream)
        found = np.zeros(len(point.floats))
        for place, slope in self._deal(slopes, point):  # an input without a gradient is held constant
            if slope.shape != place.shape:
                words = f"returns a gradient of shape {slope.shape} for an array of shape {place.shape}"
                raise ValueError(f"the backward of {self.name} {words}")
            np.add.at(found, place, slope)
        return float(value.reshape(())), found, numbers

    def _deal(self, slopes: Mapping[Any, np.ndarray], point: Point) -> list[tuple[np.ndarray, np.ndarray]]:
        """Where each gradient belongs among the floats: by its argument's name if all have one, else in order."""
        function, given = self.build(point.size)
        names = [*find_missing(function, given), *find_optional(function, given)]
        names += [f"argument {k}" for k in range(len(point.arguments))]
        every = zip(names, point.arguments)
        places = {name: x.real.astype(int) for name, x in every if x.dtype.kind == "c"}
        if len(slopes) == 1 < len(places):  # they may be stacked
            (only,) = slopes.values()
            if all(only.shape == (len(places), *place.shape) for place in places.values()):
                slopes = dict(enumerate(only))
        named = {n if n in places else re.sub("^(d_|grad_|d)", "", str(n)): g for n, g in slopes.items()}
        if named.keys() <= places.keys():
            return [(places[name], slope) for name, slope in named.items()]
        return list(zip(places.values(), slopes.values()))

    def _call_backward(
        self, given: Mapping[str, Any], upstream: float
    ) -> tuple[dict[Any, np.ndarray], dict[str, float]]:
        """What a separate backward returns for the arrays, and for numbers by name.

        It takes forward's cache if there is one, else the arrays; a method of the loss's class may take nothing. If
        it takes the slope of the loss too, its result is divided by it.
        """
        backward: Any = self.target.backward
        method = getattr(self.called, getattr(backward, "__name__", ""), None)
        is_method = getattr(method, "__func__", None) is backward
        backward = method if is_method else backward
        known, own, several = call_parameters(self.called), parameters(backward), isinstance(self.last, tuple)
        needed, counts = find_missing(backward, {}), {len(self.passed), *[1] * several, *[0] * is_method}
        reaches = [name for name in own if UPSTREAMS.fullmatch(name.lower()) and name not in known]
        others = [name for name in needed if name not in known and name not in CACHES]
        if not reaches and len(others) == 1 and len(needed) - 1 in counts:
            reaches = others
        needed = [name for name in needed if name not in reaches]
        passed, more = self.passed, dict(given)
        if is_method and not needed:
            passed, more = [], {}
        elif several and len(needed) == 1 and needed[0] not in known:
            passed, more = [self._find_cache()], {}
        if reaches:  # they may come first
            slope = reading.spread(self.last, self.name, self.target.take, upstream, self.weighted)
            more |= zip((name for name in own if name not in reaches), passed)
            passed, more = [], more | dict.fromkeys(reaches, slope)
        try:
            inspect.signature(backward).bind(*passed, **more)
        except ValueError:  # Python cannot tell
            pass
        except TypeError as error:
            raise Refused(
                f"the gradient of {self.name} could not be asked: {error}; pass a backward of the arrays of the "
                "loss, or of the cache that it returns beside its value, and of upstream"
            ) from None
        slopes = backward(*passed, **more)
        slopes = slopes._asdict() if hasattr(slopes, "_asdict") else slopes
        if not isinstance(slopes, Mapping):
            slopes = slopes if isinstance(slopes, tuple | list) else [slopes]
            names = [*call_parameters(self.called)]
            slopes = dict(zip(names, slopes) if len(names) == len(slopes) else enumerate(slopes))
        by = upstream if reaches else 1.0
        every = {n: np.asarray(g, dtype=np.float64) / by for n, g in slopes.items() if g is not None}
        numbers = {n: float(g.reshape(())) for n, g in every.items() if g.size == 1}
        if any(isinstance(n, int) for n in numbers):
            self.note("a gradient by a number that its backward returns without its name is not judged")
        return {n: g for n, g in every.items() if n not in numbers}, numbers

    def _find_cache(self) -> Any:
        """The cache of forward, beside its value: the only record, or else the only array."""
        rest = [x for x in self.last[1:] if not isinstance(x, int | float | np.floating)]
        caches = [x for x in rest if not hasattr(x, "shape")] or rest
        if len(caches) == 1:
            return caches[0]
        words = (
            f"which of the {len(self.last)} things that it returns is the cache? pass a loss that returns its"
        )
        raise Refused(f"the gradient of {self.name} could not be asked: {words} value and its cache")

    def _ask_torch(self, point: Point, gradient: bool, upstream: float, between: Arrays | None) -> Flat:
        torch: Any = sys.modules["torch"]

        def evaluate(point: Point) -> tuple[Any, Any]:
            floats = self._array(point.floats).requires_grad_(gradient)
            return floats, self._evaluate(point, floats, self._constants(point))

        with torch.set_grad_enabled(gradient):
            floats, value = evaluate(point)
            if not isinstance(value, torch.Tensor):
                value = torch.tensor(float(value), dtype=torch.float64)  # a number of Python has 64 bits
            self.came = str(value.dtype).removeprefix("torch.")
            if not gradient:
                return float(value), None, {}
            learned = self.list_learned()
            wanted = [floats, *learned.values()]
            slopes: list[Any] = [None] * len(wanted)
            if value.requires_grad:
                if between is not None:
                    evaluate(lay_out(self.how, between))
                slopes = torch.autograd.grad(upstream * value.reshape(()), wanted, allow_unused=True)
        slope, *others = [None if g is None else g.detach().cpu().double().numpy() / upstream for g in slopes]
        numbers = {n: float(g) for n, g in zip(learned, others) if g is not None}
        return float(value.detach()), np.zeros(len(point.floats)) if slope is None else slope, numbers

    def list_learned(self) -> dict[str, Any]:
        """The numbers that a PyTorch module learns, as its tensors."""
        every: Any = getattr(self.function, "named_parameters", dict)() if self.library == "torch" else ()
        return {n: x for n, x in every if x.numel() == 1 and x.requires_grad}

    def learned(self) -> dict[str, float]:
        """The values of the numbers that a PyTorch module learns."""
        return {name: float(number.detach()) for name, number in self.list_learned().items()}

    @contextlib.contextmanager
    def learning(self, name: str, value: float) -> Iterator[None]:
        """Within the block, a number that the module learns has this value, in float64."""
        number = self.list_learned()[name]
        kept, torch = number.data, sys.modules["torch"]
        try:
            number.data = torch.full_like(kept, value, dtype=torch.float64)
            yield
        finally:
            number.data = kept

    def _ask_jax(self, laid: Sequence[Point], gradient: bool, upstream: float) -> list[Flat]:
        """Every rank's answer; JAX's error says which mapped axis the loss uses, if it may have one."""
        jax: Any = sys.modules["jax"]
        numpy = importlib.import_module("jax.numpy")
        home = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")

        def value_of(floats: Any, constants: Sequence[Any]) -> Any:
            value = numpy.reshape(self._evaluate(laid[0], floats, constants), ())
            return upstream * value, (value, None if gradient else self.last)

        ask = jax.value_and_grad(value_of, has_aux=True) if gradient else value_of
        try:
            with home.enable_x64(True):
                own = [(self._array(point.floats), self._constants(point)) for point in laid]
                if self.axis is None:
                    answers = [ask(*each) for each in own]
                else:
                    self.note(f"run under jax.vmap's axis {self.axis}, whose collectives are pmap's")
                    shapes = tuple(place.shape for place in laid[0].places.values())
                    key = self.how, gradient, upstream, self.target.take, self.weighted, shapes
                    if key not in self._mapped:  # compiled, as under pmap
                        self._mapped[key] = jax.jit(jax.vmap(ask, axis_name=self.axis))
                    together = self._mapped[key](*jax.tree.map(lambda *x: numpy.stack(x), *own))
                    answers = [jax.tree.map(lambda x, k=k: x[k], together) for k in range(len(laid))]
        except NameError as error:
            unbound = UNBOUND.search(str(error))
            if unbound is None or not self.target.mapped:
                raise
            if self.axis is not None:
                both = f"{self.axis} and {unbound[1]}"
                words = f"{self.name} uses two mapped axes, {both}; {reading.option('ranks')} gives one"
                raise Refused(words) from error
            self.axis = unbound[1]
            return self._ask_jax(laid, gradient, upstream)
        found = list[Flat]()
        for answer in answers:
            (_, (value, last)), slope = answer if gradient else (answer, None)
            self.came, self.last = str(value.dtype), last  # not a tracer, as within the mapped function
            found.append((float(value), None if slope is None else np.asarray(slope, float) / upstream, {}))
        return found

    def choose(self, here: Arrays, near: Arrays) -> "Stranger":
        """The same, with what is the loss of several things that come back. near: a point close to the other."""
        if self.target.take is not None or self.target.backward is not None:
            return self
        things, moved = self._return(here), self._return(near)
        if things is None:
            return self
        moving = reading.list_moving(things, moved)
        reached = {key: self.again(take=key).reaches(near) for key in moving}
        live, sure = [key for key in moving if reached[key] is not False], any(reached.values())
        if isinstance(self.last, list) and len(live) == len(self.last) == count_pairs(near):
            return self.take((), [])  # a list of the losses of all rows
        takes = reading.choose_losses(things, live or moving, sure)
        if not takes:
            return self
        words = {take: reading.explain_choice(things, take, sure) for take in takes}
        return self.take(takes[0], words[takes[0]]).replace(takes=words)

    def take(self, take: reading.Take, words: Sequence[str]) -> "Stranger":
        """The same, with this as the loss of several things that come back."""
        other = self.again(take=take)
        other.notes |= dict.fromkeys(words)
        return other

    def _return(self, arrays: Arrays) -> reading.Things | None:
        """The things that come back, if there are several."""
        with contextlib.suppress(Refused):  # as of a dict in which no number is the loss
            self.value(arrays)
        return reading.split(self.last)

    def reaches(self, arrays: Arrays) -> bool | None:
        """Whether it has a gradient by the arrays; None if that is not known."""
        try:
            slopes = self.ask(arrays, gradient=True)[1]
        except Exception:  # of a user's code: its gradient is asked for later
            return None
        return None if slopes is None else any(map(np.any, slopes.values()))


def send_back(arrays: Arrays, slopes: Mapping[str, Any]) -> Slopes:
    """The gradient by rows w of a function of z = w / ‖w‖, given that by z: (dz − (z·dz) z) / ‖w‖.    [M5]"""
    found = dict(slopes)
    for name in slopes.keys() & {*ROWS}:
        w, dz = arrays[name], slopes[name]
        length = np.linalg.norm(w, axis=-1, keepdims=True)
        found[name] = (dz - np.sum(w * dz, axis=-1, keepdims=True) * w / length**2) / length
    return found


@contextlib.contextmanager
def refusing(what: str) -> Iterator[None]:
    """Say in one line what the loss raises."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:  # a user's code may raise anything
        raise Refused(f"{what} raises {describe_error(error)}") from error


@contextlib.contextmanager
def keep_random_state() -> Iterator[None]:
    """Seed every random number within the block; the user's own go on afterwards as if nothing had been drawn.
    PyTorch has one thread: several are slower for arrays as small as these.
    """
    torch: Any = sys.modules.get("torch")
    state, own = np.random.get_state(), random.getstate()  # noqa: NPY002 - the user's loss may draw from it
    of_torch = torch and (torch.get_rng_state(), torch.get_num_threads())
    try:
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        if torch:
            torch.manual_seed(0)
            torch.set_num_threads(1)
        yield
    finally:
        random.setstate(own)
        np.random.set_state(state)  # noqa: NPY002
        if torch:
            torch.set_rng_state(of_torch[0])
            torch.set_num_threads(of_torch[1])


def example(way: Stranger, size: int = 4) -> dict[str, Any]:
    return draw(way.world, size, np.random.default_rng(1), 0.5, way.features)


def list_batches(way: Stranger, loss: str) -> Iterator[tuple[int, int, str]]:
    """Other batches at which it is asked: pairs, features, and both in words; no million pairs of features."""
    for pairs, d in BATCHES[: -1 if loss in OF_FEATURES_ALONE else None]:
        even = way.way in OF_TWO_VIEWS or "predictions" in way.way
        size, features = pairs + pairs % 2 * even, d or way.features
        yield size, features, f"{size} pairs of {features} features"


def check_unchanged(way: Stranger, first: float) -> None:
    """Raise Refused if it has changed since it returned this value at its example, as by a count of its calls."""
    last = way.value(example(way))
    if not abs(last - first) <= UNCHANGED * abs(first):
        shown = f"{first:.6g}, and after many calls {last:.6g}, at the same inputs"
        raise Refused(STATEFUL.format(way.name, shown))


def measure_precision(way: Stranger) -> str:
    """The dtype in which the loss computes: that of its value, or a coarser one if small steps of its inputs leave
    the value unchanged at every point.
    """
    many, noise = [example(way), *way.points(4, each=1)], np.random.default_rng(2)
    along = {n: noise.standard_normal(x.shape) for n, x in many[0].items() if x.dtype.kind == "f"}

    def notices(arrays: Arrays, step: float) -> bool:
        moved = {n: arrays[n] * (1 + step * v) for n, v in along.items()}
        return way.value({**arrays, **moved}) != way.value(arrays)

    order = [dtype for _, dtype in STEPS]
    found = next((dtype for step, dtype in STEPS if any(notices(arrays, step) for arrays in many)), "")
    return max({found, way.came} & {*order}, key=order.index, default="float64")


def ignores_mask(way: Stranger) -> bool:
    """Whether a mask changes nothing, in whatever order its rows come: then the argument is something else."""
    arrays, rng = example(way), np.random.default_rng(0)
    masks = [x for x in lay_out(way.how, arrays).arguments if x.dtype.kind != "c"]
    if "mask" not in way.how.last or all(np.all(x == x.flat[0]) for x in masks):
        return False

    def shuffle(arrays: Arrays) -> tuple:
        return tuple(x if x.dtype.kind == "c" else rng.permutation(x) for x in way.how.pack(arrays))

    other = way.replace(how=way.how._replace(pack=shuffle))
    try:
        return all(np.isclose(other.value(arrays), way.value(arrays), rtol=1e-9) for _ in range(5))
    except Exception:  # it does not take them in this order
        return False


def note_unasked(way: Stranger) -> None:
    """Note optional arrays that were not passed, and a module that returns another value in its other mode."""
    left = find_optional(way.function, way.given)
    if left and not way.how.last:
        chooses = f"{reading.option('inputs')} chooses"
        way.note(f"asked without {', '.join(left)}, which it may be given: {chooses}")
    module, many = way.function, [way.points(size, each=1)[0] for size in (4, 6)]
    if way.library != "torch" or not hasattr(module, "named_modules"):
        return
    modes, own = {part: part.training for part in module.modules()}, module.training
    here = [way.value(arrays) for arrays in many]
    try:
        module.train(not own)
        there = [way.value(arrays) for arrays in many]
        said = "" if np.allclose(here, there, rtol=1e-6, atol=0) else "returns another value"
    except Exception as error:
        said = f"raises {describe_error(error)}"
    finally:
        for part, before in modes.items():
            part.training = before
    if said:
        mode, other = ("training", "evaluation") if own else ("evaluation", "training")
        way.note(f"asked in {mode} mode; in {other} mode it {said}")
