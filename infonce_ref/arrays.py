"""The one file that knows which array library runs: its namespace, the checks of what comes in, and the
stable elementary functions that every loss is written with."""

import contextlib
import functools
import importlib
import inspect
import math
import reprlib
import sys
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

import array_api_compat
import numpy as np
from array_api_compat import (
    array_namespace,
    is_cupy_namespace,
    is_dask_array,
    is_jax_array,
    is_numpy_namespace,
    is_pydata_sparse_array,
    is_torch_array,
)

from . import threads

Array = Any  # an array of any library that follows the array API standard


# --- what surrounds a loss ------------------------------------------------------------------------------

P = ParamSpec("P")
R = TypeVar("R")


def quiet() -> np.errstate:
    """NumPy neither warns nor raises within, for what overflows is refused at the end."""
    return np.errstate(all="ignore")


def isolated(one_pass: Callable[P, R]) -> Callable[P, R]:
    """A loss's forward or backward, such that what surrounds the call changes nothing in it.

    PyTorch's autograd would follow it, and give a gradient to what the loss holds constant: a tensor that requires
    one is refused with a ValueError that names the bridge. PyTorch's autocast would compute in a lower precision
    than what came in: within, it is off. NumPy would warn of what overflows, or raise if told to: that ends as the
    ValueError of `finite_value`. While JAX traces, a broken rule ends as NaN: `nan_if_broken`. NumPy's BLAS would
    wait for cores that other threads hold: few rows are computed on one. And what is written into an array
    afterwards, whether it came in or went out, changes no other: `apart`.
    """
    bridge = "infonce_ref.torch." + one_pass.__module__.removeprefix("infonce_ref.").removeprefix("losses.")
    names = inspect.signature(one_pass).parameters
    one_pass = nan_if_broken(one_pass)

    @functools.wraps(one_pass)
    def alone(*args: P.args, **kwargs: P.kwargs) -> R:
        with contextlib.ExitStack() as stack:
            stack.enter_context(quiet())
            given = {**dict(zip(names, args)), **kwargs}
            arrays = [*leaves(tuple(given.values()))]
            tensors = [x for x in arrays if is_torch_array(x)]
            for name, x in given.items():
                if is_torch_array(x) and differentiated(x):
                    raise ValueError(
                        f"{name} requires a gradient, which autograd would compute without the loss's backward: "
                        f"use {bridge}, or pass {name}.detach()"
                    )
            if tensors:
                stack.enter_context(sys.modules["torch"].no_grad())
                stack.enter_context(undisturbed(tensors))
            if threads.few(x.shape for x in arrays if isinstance(x, np.ndarray)):
                stack.enter_context(threads.one_thread())
            return apart(one_pass(*args, **kwargs), () if LENT.get() else tuple(given.values()))

    return alone


@contextlib.contextmanager
def undisturbed(tensors: Sequence[Any]) -> Iterator[None]:
    """PyTorch's autocast is off where these tensors are."""
    torch = sys.modules["torch"]
    with contextlib.ExitStack() as stack:
        for kind in filter(torch.amp.is_autocast_available, {x.device.type for x in tensors}):
            stack.enter_context(torch.autocast(kind, enabled=False))
        yield


LENT: ContextVar[bool] = ContextVar("LENT", default=False)


@contextlib.contextmanager
def lent() -> Iterator[None]:
    """Within, a cache may hold the arrays that came in, which then need no copy: for a caller who sees to it that
    nobody writes into them, as PyTorch's autograd does of a tensor that is saved."""
    before = LENT.set(True)
    try:
        yield
    finally:
        LENT.reset(before)


def apart(result: Any, given: tuple) -> Any:
    """What a pass returns, a value and a cache, or gradients, with a copy in the place of each array that shares
    memory with one that was given, or with one of an earlier part. Within a cache arrays may share."""
    there = {memory(x) for x in leaves(given)} - {None}
    copies: dict[int, Array] = {}
    parts = []
    for part in result:
        mine = {id(x): (x, memory(x)) for x in leaves(part)}  # each once: it may stand in a cache twice
        copies.update({k: copied(x) for k, (x, where) in mine.items() if where in there})
        parts.append(mapped(lambda x: copies.get(id(x), x), part) if copies.keys() & mine.keys() else part)
        there |= {where for _, where in mine.values()} - {None}
    return result._make(parts) if hasattr(result, "_make") else type(result)(parts)


def memory(x: Any) -> int | None:
    """A key that is equal for arrays that share memory: the address of a PyTorch storage, for others the id of the
    array that they are views into, as far as the library tells. None for what is no array, or cannot be written
    into, as JAX's."""
    if not isinstance(x, np.ndarray):
        if not hasattr(x, "shape") or is_jax_array(x):
            return None
        if is_torch_array(x):
            return x.untyped_storage().data_ptr()
    while (whole := getattr(x, "base", None)) is not None:
        x = whole
    return id(x)


def copied(x: Array) -> Array:
    """The array in memory of its own."""
    return x.clone() if is_torch_array(x) else array_namespace(x).asarray(x, copy=True)


def leaves(x: Any) -> Iterator[Any]:
    """What is in a tuple, and in the tuples within, as in a cache."""
    if isinstance(x, tuple):
        for part in x:
            yield from leaves(part)
    else:
        yield x


def mapped(change: Callable[[Any], Any], x: Any) -> Any:
    """The same tuple, with every leaf changed."""
    if not isinstance(x, tuple):
        return change(x)
    parts = [mapped(change, part) for part in x]
    return x._make(parts) if hasattr(x, "_make") else tuple(parts)


RULES: ContextVar[list[Array] | None] = ContextVar(
    "RULES", default=None
)  # those that `broken` could not read


def nan_if_broken(call: Callable[P, R]) -> Callable[P, R]:
    """A function that returns NaN everywhere if one of its rules is broken while JAX traces, when no error can be
    raised, for no value is there to look at. A cache that holds NaN for that reason makes every gradient NaN."""

    @functools.wraps(call)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        rules: list[Array] = []
        before = RULES.set(rules)
        try:
            result = call(*args, **kwargs)
        finally:
            RULES.reset(before)
        caches = (x for x in args if isinstance(x, tuple))
        rules += [sound(x) for cache in caches for x in leaves(cache) if traced(x) and floating(x)]
        if not rules:
            return result
        xp = array_namespace(*rules)
        # a product, so that derivatives are NaN too; a Python float, as it takes the dtype that it meets
        factor = xp.where(functools.reduce(xp.logical_and, rules), 1.0, xp.nan)
        return mapped(lambda x: x * factor if floating(x) else x, result)

    return checked


def floating(x: Any) -> bool:
    """Whether x is an array of JAX that holds real numbers."""
    return is_jax_array(x) and array_namespace(x).isdtype(x.dtype, "real floating")


def sound(x: Array) -> Array:
    """Whether an array of a cache is not the NaN of a broken rule: that is everywhere, so that one entry tells."""
    xp = array_namespace(x)
    return ~xp.isnan(xp.reshape(x, (-1,))[0])


BRIDGED: ContextVar[bool] = ContextVar("BRIDGED", default=False)


@contextlib.contextmanager
def bridged() -> Iterator[None]:
    """Within, a loss may be differentiated by JAX: for a bridge, which gives the loss the gradient of its backward
    and differentiates no more than that backward."""
    before = BRIDGED.set(True)
    try:
        yield
    finally:
        BRIDGED.reset(before)


def differentiated(tensor: Any) -> bool:
    """Whether PyTorch would differentiate what is computed from a tensor, in reverse or in forward mode."""
    torch = sys.modules["torch"]
    in_reverse = tensor.requires_grad and torch.is_grad_enabled()
    return in_reverse or torch.autograd.forward_ad.unpack_dual(tensor).tangent is not None


# --- what comes in --------------------------------------------------------------------------------------


class NotFinite(ValueError):
    """A number is NaN or infinite, or overflows: a bridge may pass it on, as its framework expects."""


def check(**named: tuple[Array, str]) -> tuple[Any, dict[str, int]]:
    """The namespace of the arguments and the size of each named axis.

    ``check(query=(query, "n d"), negatives=(negatives, "M d"))`` asks for two finite arrays of one dtype,
    float32 or float64, whose axes called d agree; ``"M? d"`` allows M = 0. After them ``index=(index, "n → M")``
    asks for n integers in range(M), and ``labels=(labels, "N → any")`` for N integers. Raises ValueError with the
    rule, what came and what to do.
    """
    sizes: dict[str, int] = {}
    owner: dict[str, str] = {}
    first = next(iter(named))
    xp = namespace(first, named[first][0])
    for name, (x, form) in named.items():
        axes, _, into = form.partition(" → ")
        letters = axes.replace("?", "").split()
        if namespace(name, x) is not xp:
            raise ValueError(f"all arrays must come from one library; {name} and {first} do not: convert one")
        kind = "int" if into else "float"
        if x.dtype not in (getattr(xp, kind + "32"), getattr(xp, kind + "64")):
            raise ValueError(f"{name} must be {kind}32 or {kind}64; got {x.dtype}: convert it to {kind}64")
        if not into and x.dtype != named[first][0].dtype:
            raise ValueError(
                f"all arrays must share one dtype; {first} is {named[first][0].dtype}, "
                f"{name} is {x.dtype}: convert one"
            )
        if x.ndim != len(letters):
            raise ValueError(f"{name} must have shape ({', '.join(letters)}); got {tuple(x.shape)}")
        if device(x) != device(named[first][0]):
            raise ValueError(
                f"all arrays must lie on one device; {first} is on {device(named[first][0])}, "
                f"{name} on {device(x)}: move one"
            )
        for letter, size in zip(letters, x.shape):
            if size != size:  # as Dask's NaN is not
                raise ValueError(
                    f"{name} must have a known shape; got {tuple(x.shape)}: compute its chunk sizes"
                )
            if size == 0 and f"{letter}?" not in axes:
                raise ValueError(f"{name} must not be empty; got shape {tuple(x.shape)}")
            if sizes.setdefault(letter, size) != size:
                raise ValueError(
                    f"{name} and {owner[letter]} must agree in {letter}; "
                    f"{owner[letter]} has {sizes[letter]}, {name} has shape {tuple(x.shape)}"
                )
            owner.setdefault(letter, name)
        finite, dtypes = together([True if into else xp.all(xp.isfinite(x)), dtypes_of_blocks(x)])
        if other := {*np.ravel(dtypes).tolist()} - {str(x.dtype)}:
            raise ValueError(
                f"{name} must have the dtype that it declares; it declares {x.dtype}, and has blocks of "
                f"{', '.join(sorted(other))}: convert the blocks, or declare their dtype"
            )
        if into and into != "any" and broken(xp.all((x >= 0) & (x < sizes[into]))):
            raise ValueError(
                f"{name} must lie in 0 … {sizes[into] - 1}; got {int(xp.min(x))} … {int(xp.max(x))}"
            )
        if broken(finite):
            raise NotFinite(f"{name} must be finite; it holds NaN or infinity: find the rows and drop them")
    return xp, sizes


def namespace(name: str, x: Array) -> Any:
    """The array API namespace of one argument."""
    if isinstance(x, np.ndarray) and type(x) not in (
        np.ndarray,
        np.memmap,
    ):  # with a mask, a unit, its own product
        raise ValueError(
            f"{name} must be a plain array; got {type(x).__name__}: pass numpy.asarray(…) of what counts"
        )
    try:
        xp = array_namespace(x)
    except TypeError:
        raise ValueError(
            f"{name} must be an array (NumPy, CuPy, PyTorch, JAX …); got {type(x).__name__}: wrap it in one"
        ) from None
    if is_torch_array(x) and x.is_meta:
        raise ValueError(f"{name} must hold numbers; got a tensor on the device meta: make it on another")
    if is_pydata_sparse_array(x) or (
        is_torch_array(x) and (x.is_nested or x.layout is not sys.modules["torch"].strided)
    ):
        raise ValueError(f"{name} must be dense; got a sparse or nested array: convert it to a dense one")
    return xp


def device(x: Array) -> Any:
    """The device on which to make what meets x; None for JAX, which itself moves it to the devices of x."""
    return None if is_jax_array(x) else array_api_compat.device(x)


def traced(x: Any) -> bool:
    """Whether JAX is tracing x, as under jit: then it has a shape and a dtype, and no value to look at."""
    return is_jax_array(x) and isinstance(x, sys.modules["jax"].core.Tracer)


def together(arrays: Sequence[Array]) -> Sequence[Array]:
    """Dask's arrays computed at one go, for what they share is most of them; others as they are."""
    return sys.modules["dask"].compute(*arrays) if any(map(is_dask_array, arrays)) else arrays


def dtypes_of_blocks(x: Array) -> Array | tuple[()]:
    """The dtype of each block of a Dask array, by its name, which Dask believes a caller about; () of another's."""
    if not is_dask_array(x):
        return ()
    blocks: Any = x  # Dask's own types lack this call
    each = (1,) * blocks.ndim
    return blocks.map_blocks(lambda block: np.full(each, str(block.dtype)), dtype="U16", chunks=each)


def broken(rule: Array) -> bool:
    """Whether a rule on values, a 0-d boolean, is known not to hold.

    While JAX traces it is not known, and the rule is kept for `nan_if_broken`."""
    if traced(rule):
        rules = RULES.get()
        if rules is not None:
            rules.append(rule)
        return False
    try:
        return not bool(rule)
    except RuntimeError as unreadable:  # PyTorch's fake tensors, and those under torch.func.vmap
        reason = str(unreadable).partition("\n")[0] or type(unreadable).__name__
        raise ValueError(
            f"the arrays must hold numbers that can be read; the library says “{reason}”: "
            "call the loss outside of what hides them"
        ) from unreadable


def said(x: Any) -> str:
    """What came in, in a few words for the line of an error."""
    if hasattr(x, "dtype"):
        return f"{type(x).__name__} of {x.dtype}" + (f" and shape {tuple(x.shape)}" if x.shape else "")
    if isinstance(x, str | int | float | None):
        with contextlib.suppress(ValueError):  # an integer of thousands of digits
            return reprlib.repr(x)
    return type(x).__name__


def scalar(name: str, x: Any) -> Any:
    """A number, or a 0-d array of one, as a Python float; where JAX is tracing it, what takes the dtype of an array
    that it meets, as a Python float would; where PyTorch differentiates by it, the tensor itself."""
    # float() reads digits from strings and bytes too, and drops the imaginary part of an array
    if hasattr(x, "__float__") and not isinstance(x, bool) and not getattr(x, "ndim", 0):
        xp = namespace(name, x) if hasattr(x, "dtype") else None
        with contextlib.suppress(TypeError, ValueError, OverflowError, RuntimeError):
            if xp is None or xp.isdtype(x.dtype, ("integral", "real floating")):
                if is_torch_array(x) and differentiated(x):
                    return x
                return in_place_of_a_float(x) if traced(x) else float(x)
    raise ValueError(f"{name} must be a number that a float can hold; got {said(x)}: pass a float")


def in_place_of_a_float(x: Array) -> Array:
    """A traced number as JAX's weak type, which takes the dtype of an array that it meets."""
    zero = sys.modules["jax"].numpy.asarray(0.0)
    return zero.at[()].set(x.astype(zero.dtype))


def positive_integer(name: str, x: Any) -> int:
    """A whole number above 0, such as a count."""
    if isinstance(x, int | np.integer) and not isinstance(x, bool | np.timedelta64) and x >= 1:
        return int(x)
    raise ValueError(f"{name} must be a positive integer; got {said(x)}: pass an int of 1 or more")


def finite_scalar(name: str, x: Any) -> Any:
    """A finite number, such as what comes from upstream."""
    number = scalar(name, x)
    if broken(abs(number) < math.inf):
        raise NotFinite(f"{name} must be finite; got {number}")
    return number


def positive_scalar(name: str, x: Any) -> Any:
    """A positive, finite number such as a temperature."""
    number = scalar(name, x)
    if broken((number > 0) & (number < math.inf)):
        raise ValueError(f"{name} must be positive and finite; got {number}")
    return number


def non_negative_scalar(name: str, x: Any) -> Any:
    """A finite number that is not below 0, such as a margin."""
    number = scalar(name, x)
    if broken((number >= 0) & (number < math.inf)):
        raise ValueError(f"{name} must be finite and not negative; got {number}")
    return number


def share_scalar(name: str, x: Any) -> Any:
    """A number from 0 up to 1, without 1: a share of which something is left."""
    number = scalar(name, x)
    if broken((number >= 0) & (number < 1)):
        raise ValueError(f"{name} must be at least 0 and below 1; got {number}")
    return number


def choice(name: str, x: Any, allowed: tuple) -> None:
    """Refuse an option that is not one of those allowed."""
    if not isinstance(x, str | int | np.bool) or x not in allowed:  # of an array `in` asks too much
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}; got {said(x)}")


def finite_value(name: str, value: Array) -> Array:
    """The loss, unless finite inputs were so large that their products overflowed."""
    xp = array_namespace(value)
    if broken(xp.all(xp.isfinite(value))):
        raise ValueError(
            f"{name} overflows {value.dtype}: scale the inputs down, "
            "raise the temperature where there is one, or use float64"
        )
    return undifferentiated(name)(value) if traced(value) and not BRIDGED.get() else value


@functools.cache
def undifferentiated(name: str) -> Callable[[Array], Array]:
    """The identity on JAX's arrays, but ValueError where JAX would differentiate it, even after jax.jit."""
    identity = sys.modules["jax"].custom_jvp(lambda value: value)

    @identity.defjvp
    def refuse(primals: Any, tangents: Any) -> None:
        raise ValueError(
            f"{name} has its gradient from its backward, which jax.grad does not see: "
            f"use infonce_ref.jax.{name}, or stop_gradient on what comes in"
        )

    return identity


def finite_gradients(name: str, gradients: Any) -> Any:
    """The gradients, a NamedTuple, unless one of them is larger than its dtype can hold."""
    finite = together([array_namespace(x).all(array_namespace(x).isfinite(x)) for x in gradients])
    for input, x, rule in zip(gradients._fields, gradients, finite):
        if broken(rule):
            raise NotFinite(
                f"the gradient of {name} by {input} overflows {x.dtype}: scale the inputs to a length near 1, "
                "raise the temperature where there is one, lower upstream, or use float64"
            )
    return gradients


# --- elementary functions -------------------------------------------------------------------------------

# A framework that differentiates a gradient, for a second derivative, differentiates what these compute. So each is
# written such that its branches are smooth and meet no infinity, at ties and at 0 too.


def constant(x: Any) -> Any:
    """x, by which no framework differentiates: a shift, a scale or a rounding error on which no result depends."""
    if is_torch_array(x):
        return x.detach()
    return sys.modules["jax"].lax.stop_gradient(x) if is_jax_array(x) else x


def recorded(x: Array) -> bool:
    """Whether PyTorch's autograd records what is computed from x, and may need it again as it is."""
    return bool(is_torch_array(x) and x.requires_grad)


def minus_abs(x: Array) -> Array:
    """−|x|. A framework's own |x| has the slope 0 at 0; this has 1 below 0 and −1 from 0 on, as has −x."""
    xp = array_namespace(x)
    return -xp.abs(x) if is_numpy_namespace(xp) or is_cupy_namespace(xp) else xp.where(x < 0, x, -x)


def identity_mask(x: Array, n: int) -> Array:
    """The n × n identity as booleans, on x's device."""
    xp = array_namespace(x)
    return xp.eye(n, dtype=xp.bool, device=device(x))


def one_hot(index: Array, size: int) -> Array:
    """Booleans with one more axis of that size, true where the index points."""
    xp = array_namespace(index)
    return index[..., None] == xp.arange(size, dtype=index.dtype, device=device(index))


def masked(logits: Array, mask: Array) -> Array:
    """Logits with −∞, and so the weight e^−∞ = 0, wherever the mask is true (a logit of 0 would weigh 1)."""
    xp = array_namespace(logits)
    return xp.where(mask, -xp.inf, logits)


def masked_own(logits: Array, mask: Array) -> Array:
    """`masked` of an array that nothing else uses, written over it where the library can: new memory costs time,
    for the system clears it first."""
    xp = array_namespace(logits)
    if not (is_numpy_namespace(xp) or is_cupy_namespace(xp)):
        return masked(logits, mask)
    xp.copyto(logits, -xp.inf, where=mask)
    return logits


def exp_of_own(x: Array) -> Array:
    """eˣ of an array that nothing else uses, in the same way."""
    xp = array_namespace(x)
    return xp.exp(x, out=x) if is_numpy_namespace(xp) or is_cupy_namespace(xp) else xp.exp(x)


@functools.cache
def written_in_place(xp: Any) -> bool:
    """Whether what is written into a slice of an array is in the array after: not so where arrays are constant, as
    JAX's, or slices are copies, as Dask's."""
    whole = xp.zeros(2)
    part = whole[:1]
    try:
        part[:] = 1
    except TypeError:
        return False
    return bool(whole[0] == 1)


def product_into(space: Array, a: Array, b: Array) -> Array:
    """The matrix product a b, written into the array `space` where the library can."""
    xp = array_namespace(a)
    return xp.matmul(a, b, out=space) if is_numpy_namespace(xp) or is_cupy_namespace(xp) else a @ b


BLOCK = 128  # numbers that are added one after the other


def stable_sum(x: Array, axis: int = -1) -> Array:
    """Σ along one axis, with an error that does not grow with its length.

    Numbers that do not lie side by side in memory, as on the last axis of a transposed view, NumPy adds one after
    another; here they are added in blocks, and these again. Other libraries' own sums add by blocks on any axis.
    """
    xp = array_namespace(x)
    n = x.shape[axis]
    if not is_numpy_namespace(xp) or n <= BLOCK or x.strides[axis] == x.itemsize:
        return xp.sum(x, axis=axis)
    before = (slice(None),) * (axis % x.ndim)
    parts = [xp.sum(x[(*before, slice(k, k + BLOCK))], axis=axis) for k in range(0, n, BLOCK)]
    return stable_sum(xp.stack(parts, axis=axis), axis)


def softmax_of_own(logits: Array, origin: Array | float = 0.0) -> tuple[Array, Array]:
    """Softmax over the last axis of an array that nothing else uses, written over it where the library can, and how
    far log-sum-exp is above an origin, a number for each row.

    From one pass of exponentials, none of a positive number. A logit of −∞ counts for nothing; of a row where none
    counts log-sum-exp is −∞, that of an empty sum, and the softmax 0. The origin is taken off before the logarithm
    is added, so that logits far from 0 leave it its digits.
    """
    xp = array_namespace(logits)
    if logits.shape[-1] == 0:
        return logits, xp.sum(logits, axis=-1) - xp.inf
    largest = largest_logit(logits)
    if recorded(logits):  # the slope of eˣ is eˣ
        exponentials = xp.exp(logits - largest)
        total, none = filled(stable_sum(exponentials))
        softmax = exponentials / total[..., None]
    else:
        logits -= largest
        softmax = exp_of_own(logits)
        total, none = filled(stable_sum(softmax))
        softmax /= total[..., None]
    return softmax, xp.where(none, -xp.inf, (largest[..., 0] - origin) + xp.log(total))


def largest_logit(logits: Array) -> Array:
    """The largest of each row (…, 1), to be taken off the others; 0 of a row where all are −∞, as none counts."""
    xp = array_namespace(logits)
    largest = constant(xp.max(logits, axis=-1, keepdims=True))
    return xp.where(largest == -xp.inf, xp.zeros_like(largest), largest)


def filled(total: Array) -> tuple[Array, Array]:
    """Sums with a 1 in the place of each that is empty, and which these are."""
    xp = array_namespace(total)
    none = total == 0
    return xp.where(none, xp.ones_like(total), total), none


def power_of_two(x: Array) -> Array:
    """The largest power of 2 up to each of these positive numbers: to divide by it rounds nothing."""
    x = constant(x)
    xp = array_namespace(x)
    if hasattr(xp, "frexp"):
        return x / (2 * xp.frexp(x)[0])
    # not in the standard; the logarithm may round up to the next power, but to none that the dtype lacks
    _, exponent = math.frexp(xp.finfo(x.dtype).max)
    return xp.pow(xp.full_like(x, 2), xp.clip(xp.floor(xp.log2(x)), None, exponent - 1))


def softplus(x: Array) -> Array:
    """log(1 + eˣ), with full relative accuracy as x → −∞."""
    xp = array_namespace(x)
    return xp.where(x < 0, xp.zeros_like(x), x) + xp.log1p(xp.exp(minus_abs(x)))


def sigmoid(x: Array) -> Array:
    """1/(1 + e⁻ˣ), with full relative accuracy as x → −∞."""
    xp = array_namespace(x)
    small = xp.exp(minus_abs(x))
    return xp.where(x < 0, small, xp.ones_like(x)) / (1 + small)


# --- from NumPy to another library and back -------------------------------------------------------------

LIBRARIES = ("numpy", "cupy", "torch", "jax")


def converter(library: str) -> Callable[[np.ndarray], Array]:
    """The function that hands a NumPy array to the named library, on its default device.

    Raises ValueError for an unknown library, ImportError for one that is not installed.
    """
    choice("library", library, LIBRARIES)
    if library == "jax":
        importlib.import_module("jax").config.update("jax_enable_x64", True)
        library = "jax.numpy"
    return importlib.import_module(library).asarray


def to_numpy(x: Array) -> np.ndarray:
    """A NumPy copy or view of an array of any library."""
    return x.get() if hasattr(x, "get") else np.asarray(x)
