"""A user's loss, called on NumPy arrays whatever its library."""

import contextlib
import copy
import functools
import importlib
import inspect
import random
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ..targets import locate_error
from . import reading, without_card
from .target import Refused, Target, build, call_signature, find_missing, find_optional, is_sized, parameters


class Answer(NamedTuple):
    """value · gradients: one for each array that was passed, None for integers; None as a whole if the library
    computes none · dtype: of the value, by its name · numbers: the gradients by numbers such as the temperature, by
    name, if the backward returns fields.
    """

    value: float
    gradients: tuple | None
    dtype: str
    numbers: Mapping[str, float] = MappingProxyType({})


Arrange = Callable[[Sequence[Any]], Sequence[Any]]
# Gradients are asked of this many times the loss, and divided by it, which loses no digit: a backward pass that
# ignores what comes from later operations is then wrong.
UPSTREAM = 4.0
UNBOUND = re.compile(r"unbound axis name: ([\w-]+)")  # of JAX's NameError


class Session:
    """A target with its library, ready to be called. notes: what the report says about how it is called · axis: the
    JAX mapped axis under which it runs.
    """

    def __init__(self, target: Target, library: str, dtype: str = "float64"):
        self.target, self.library, self.dtype = target, library, dtype
        self.name = target.name
        self.notes: dict[str, None] = {}
        self.axis: str | None = None
        self.upstream = UPSTREAM
        self.frozen: frozenset[int] = frozenset()  # the arrays of PyTorch that require no gradient
        self.transposed = False  # whether the arrays of NumPy and PyTorch lie column by column in memory
        self.between: Sequence[np.ndarray] = ()  # with these PyTorch calls the loss before its backward
        self._mapped: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self.called: Any = None  # what was called last
        self.last: Any = None  # its result
        self.heard: Sequence[warnings.WarningMessage] = ()  # what the last call warned of
        # the way in which it was asked first, and its value at the example
        self.first: tuple[Any, float] | None = None
        self.takes: list[reading.Take] = []  # of several things that come back, which may be the loss
        self.explain: Callable[[reading.Take], Iterator[str]]  # why it is that one
        self._built: dict[int, tuple[Callable[..., Any], dict[str, Any]]] = {}
        self.function, self.given = self._build(4)

    def _build(self, size: int) -> tuple[Callable[..., Any], dict[str, Any]]:
        """Build the function and its settings for a batch of `size` pairs."""
        key = size if is_sized(self.target) else 0
        if key not in self._built:
            with seed_library(self.library), self._default_dtype():  # building it may draw random weights
                self._built[key] = without_card.run(lambda: build(self.target, size), self.notes)
            if len(self._built) > 1:
                self.notes["it is given each batch size"] = None
        return self._built[key]

    def __call__(
        self, arrays: Sequence[np.ndarray], gradient: bool = False, arrange: Arrange = tuple, size: int = 4
    ) -> Answer:
        """Return the value at these arrays and, if asked for, the library's own gradient. arrange: turns the arrays
        into the arguments · size: the number of pairs.
        """
        return self.ask_ranks([arrays], gradient, arrange, size)[0]

    def ask_ranks(
        self,
        shards: Sequence[Sequence[np.ndarray]],
        gradient: bool = False,
        arrange: Arrange = tuple,
        size: int = 4,
    ) -> list[Answer]:
        """The answer of each rank, given its arrays; PyTorch's ranks are processes of their own."""
        function, given = self._build(size)

        def call(*passed: Any) -> Any:
            self.called = copy.deepcopy(function) if self.target.restored else function
            self.last = call_by_signature(self.called, arrange(passed), given)
            return self.last

        with (
            warnings.catch_warnings(record=True) as self.heard,
            np.errstate(all="ignore"),
            self._default_dtype(),
        ):
            warnings.simplefilter("always")
            try:
                if self.library == "jax":
                    key = (gradient, arrange, id(function), self.target.take, self.upstream)
                    return without_card.run(lambda: self._jax(call, shards, gradient, key), self.notes)
                ask = {"torch": self._torch, "numpy": self._numpy}[self.library]
                return [
                    without_card.run(lambda own=own: ask(call, own, gradient), self.notes)  # type: ignore[misc]
                    for own in shards
                ]
            except SystemExit as error:
                raise Refused(f"could not be checked: it raises {error!r}{locate_error(error)}") from error

    @contextlib.contextmanager
    def _default_dtype(self) -> Iterator[None]:
        """Set torch's default dtype to that of the arrays, for a loss that creates modules when called."""
        if not self.target.widened:
            yield
            return
        torch: Any = sys.modules["torch"]
        before = torch.get_default_dtype()
        torch.set_default_dtype(getattr(torch, self.dtype))
        try:
            yield
        finally:
            torch.set_default_dtype(before)

    def restore(self, restored: bool) -> None:
        """Build the loss anew; from now on restore its state before each call, or stop doing so."""
        self.target = self.target._replace(restored=restored)
        self._built.clear()
        self._mapped.clear()
        self.function, self.given = self._build(4)

    def learn(self, arrays: Sequence[np.ndarray], arrange: Arrange, near: Sequence[np.ndarray]) -> Answer:
        """Return the value; find out first which of several things are losses. near: arrays close to the others."""
        if self.target.take is None and self.target.backward is None:
            try:
                answer = self(arrays, arrange=arrange)
            except Refused:  # as of a dict in which no number is the loss
                answer = None
            here = reading.split(self.last)
            if answer is not None and here is None:
                return answer
            if here is not None:
                with contextlib.suppress(Refused):
                    self(near, arrange=arrange)
                self._choose(here, list(reading.list_moving(here, reading.split(self.last))), near, arrange)
        return self(arrays, arrange=arrange)

    def _choose(
        self, things: Mapping[Any, Any], moving: Sequence[Any], arrays: Sequence[np.ndarray], arrange: Arrange
    ) -> None:
        """Choose which of the returned things are losses. moving: the keys of those that change with the arrays."""
        reached = {key: self._reaches(key, arrays, arrange) for key in moving}
        live, sure = [key for key in moving if reached[key] is not False], any(reached.values())
        if isinstance(self.last, list) and len(live) == len(self.last) == len(arrays[0]):
            self.takes = [()]  # a list of the losses of all rows
        else:
            self.takes = reading.choose_losses(things, live or moving, sure)
        self.target = self.target._replace(take=next(iter(self.takes), None))
        self.notes.clear()
        self.explain = functools.partial(reading.explain_choice, things, by_gradient=sure)
        if self.target.take not in (None, ()):
            self.notes |= dict.fromkeys(self.explain(self.target.take))

    def _reaches(self, key: Any, arrays: Sequence[np.ndarray], arrange: Arrange) -> bool | None:
        """Whether one of the things that came back has a gradient by the arrays; None if that is not known."""
        self.target = self.target._replace(take=key)
        try:
            slopes = self(arrays, True, arrange).gradients
        except Exception:  # of a user's code: its gradient is asked for later
            return None
        finally:
            self.target = self.target._replace(take=None)
        return None if slopes is None else any(slope is not None and np.any(slope) for slope in slopes)

    def _read(self, result: Any) -> Any:
        return reading.read(result, self.name, self.target.take, self.notes)

    def compute(self, tensors: Sequence[Any]) -> Any:
        """Call the loss on tensors of its own library; return its value, a 0-d tensor with its graph."""
        return self._read(call_by_signature(self.function, tensors, self.given)).reshape(())

    def _numpy(self, call: Callable[..., Any], arrays: Sequence[np.ndarray], gradient: bool) -> Answer:
        passed = [self._cast(x) for x in arrays]
        kept = [x.copy() for x in passed]
        result = call(*passed)
        self._require_untouched(kept, passed)
        value = self._read(result)
        found, numbers = None, dict[str, float]()
        if gradient and self.target.backward is not None:
            slopes = call_backward(self.target, self.called, result, passed, self.given, self.upstream)
            slopes, numbers = split_fields(slopes)
            found = read_gradients(slopes, passed, self.name)
        return Answer(float(np.asarray(value).reshape(())), found, str(np.asarray(value).dtype), numbers)

    def _torch(self, call: Callable[..., Any], arrays: Sequence[np.ndarray], gradient: bool) -> Answer:
        torch = sys.modules["torch"]
        tensors = self._tensors(arrays, gradient)
        kept = [tensor.detach().clone() for tensor in tensors]
        with torch.set_grad_enabled(gradient):
            result = call(*tensors)
        self._require_untouched([t.cpu() for t in kept], [t.detach().cpu() for t in tensors])
        with torch.set_grad_enabled(gradient):
            value = self._read(result)
        if not isinstance(value, torch.Tensor):
            value = torch.as_tensor(value)
        found: tuple | None = None
        if gradient:
            leaves = [tensor for tensor in tensors if tensor.requires_grad]
            if not value.requires_grad:
                slopes = [None] * len(leaves)
            else:
                number = value.reshape(())
                upstream = torch.full_like(number, self.upstream)
                if self.between:
                    call(*self._tensors(self.between, gradient))
                slopes = list(torch.autograd.grad(number, leaves, upstream, allow_unused=True))
            left = iter(slopes)
            found = tuple(
                None if not tensor.requires_grad else fill(next(left), x) / self.upstream
                for tensor, x in zip(tensors, arrays)
            )
        return Answer(float(value.detach().reshape(())), found, str(value.dtype).removeprefix("torch."))

    def _tensors(self, arrays: Sequence[np.ndarray], gradient: bool) -> list[Any]:
        """PyTorch's tensors of these arrays; the gradient is by those that are not frozen."""
        torch = sys.modules["torch"]
        dtypes = {"f": getattr(torch, self.dtype), "b": torch.bool}
        tensors = []
        for i, x in enumerate(arrays):
            dtype = dtypes.get(x.dtype.kind, torch.long)
            tensor = torch.tensor(x, dtype=dtype, device=self.target.device)
            if self.transposed and x.ndim > 1:
                tensor = tensor.transpose(0, -1).contiguous().transpose(0, -1)
            asked = gradient and x.dtype.kind == "f" and i not in self.frozen
            tensors.append(tensor.requires_grad_() if asked else tensor)
        return tensors

    def _jax(
        self,
        call: Callable[..., Any],
        shards: Sequence[Sequence[np.ndarray]],
        gradient: bool,
        key: tuple[Any, ...],
    ) -> list[Answer]:
        """Return every rank's answer; learn from JAX's error which mapped axis the loss uses, if it may have
        one.
        """
        jax = sys.modules["jax"]
        home = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
        with home.enable_x64(True):
            while True:
                try:
                    return self._jax_ranks(call, shards, gradient, key)
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

    def _jax_ranks(
        self,
        call: Callable[..., Any],
        shards: Sequence[Sequence[np.ndarray]],
        gradient: bool,
        key: tuple[Any, ...],
    ) -> list[Answer]:
        """Return every rank's answer under the axis, if there is one. key: identifies calls that can share a
        compiled function.
        """
        jax = sys.modules["jax"]
        numpy = importlib.import_module("jax.numpy")
        dtypes = {"f": self.dtype, "b": bool}
        passed = [
            [numpy.asarray(x, dtype=dtypes.get(x.dtype.kind, numpy.int32)) for x in arrays]
            for arrays in shards
        ]
        places = tuple(i for i, x in enumerate(shards[0]) if x.dtype.kind == "f")

        def value_of(*inputs: Any) -> Any:
            value = numpy.reshape(self._read(call(*inputs)), ())
            return self.upstream * value, value

        ask = jax.value_and_grad(value_of, argnums=places, has_aux=True) if gradient else call
        if self.axis is None:
            every = [ask(*own) for own in passed]
        else:
            self.notes[f"run under jax.vmap's axis {self.axis}, whose collectives are pmap's"] = None
            if key not in self._mapped:  # compiled, as under pmap
                self._mapped[key] = jax.jit(jax.vmap(ask, axis_name=self.axis))
            together = self._mapped[key](*map(numpy.stack, zip(*passed)))
            every = [jax.tree.map(lambda x, k=k: x[k], together) for k in range(len(shards))]
        if not gradient:
            self.last = every[-1]  # set outside of the mapped function, where arrays are not tracers
            values = [numpy.reshape(self._read(result), ()) for result in every]
            return [Answer(float(value), None, str(value.dtype)) for value in values]
        answers = []
        for (_, value), slopes in every:
            found: list[Any] = [None] * len(shards[0])
            for i, slope in zip(places, slopes):
                found[i] = np.asarray(slope, dtype=np.float64) / self.upstream
            answers.append(Answer(float(value), tuple(found), str(value.dtype)))
        return answers

    def _cast(self, x: np.ndarray) -> np.ndarray:
        return x.astype(self.dtype if x.dtype.kind == "f" else x.dtype, order="F" if self.transposed else "K")

    def _require_untouched(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        if not all(bool((b == a).all()) for b, a in zip(before, after)):
            raise Refused(f"{self.name} writes into the arrays that it was given; let it work on a copy")


def call_by_signature(
    function: Callable[..., Any], arguments: Sequence[Any], given: Mapping[str, Any]
) -> Any:
    """Call it with the arguments in order; keyword-only and optional ones by name."""
    own, wanted = call_signature(function), find_missing(function, given)
    names = [*wanted, *(find_optional(function, given) if wanted else [])][: len(arguments)]
    keyword = inspect.Parameter.KEYWORD_ONLY
    by_name = {n: x for n, x in zip(names, arguments) if n not in wanted or own[n].kind is keyword}
    first = arguments[: len(arguments) - len(by_name)]
    return function(*first, **by_name, **given)


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
    count = len(parameters(backward))
    if isinstance(result, tuple) and (count == 1 or (count == 2 and not is_method)):
        return backward(result[1])
    needed = [p for p in parameters(backward).values() if p.default is p.empty]
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


@contextlib.contextmanager
def seed_library(library: str) -> Iterator[None]:
    """Seed the library's random numbers within the block."""
    torch: Any = sys.modules["torch"] if library == "torch" else None
    kept = random.getstate(), np.random.get_state(), torch and torch.get_rng_state()  # noqa: NPY002 - the user's
    try:
        seed(library)
        yield
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])  # noqa: NPY002
        if torch:
            torch.set_rng_state(kept[2])


def seed(library: str) -> None:
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - the user's loss may draw from it
    if library == "torch":
        sys.modules["torch"].manual_seed(0)


def fill(slope: Any, x: np.ndarray) -> np.ndarray:
    """Convert a gradient to float64; 0 for an input on which the loss does not depend."""
    return np.zeros(x.shape) if slope is None else slope.detach().cpu().double().numpy()


def split_fields(slopes: Any) -> tuple[Any, dict[str, float]]:
    """Split the fields that a backward returned into gradients by arrays, and by numbers under their names."""
    fields = slopes._asdict() if hasattr(slopes, "_asdict") else slopes
    if not isinstance(fields, Mapping):
        return slopes, {}
    numbers = {name: float(x) for name, x in fields.items() if np.ndim(x) == 0}
    return tuple(x for name, x in fields.items() if name not in numbers), numbers


def read_gradients(slopes: Any, arrays: Sequence[np.ndarray], name: str) -> tuple:
    """Convert the result of a user's backward to one gradient for each array of floats."""
    slopes = tuple(slopes) if isinstance(slopes, tuple | list) else (slopes,)
    left = list(slopes)
    found: list[np.ndarray | None] = []
    for x in arrays:
        if x.dtype.kind != "f":
            found.append(None)
            continue
        # an input for which a backward pass returns no gradient is held constant
        slope = np.asarray(left.pop(0), dtype=np.float64) if left else np.zeros(x.shape)
        if slope.shape != x.shape:
            raise Refused(
                f"the backward of {name} returns a gradient of shape {slope.shape} for an array of shape {x.shape}"
            )
        found.append(slope)
    return tuple(found)
