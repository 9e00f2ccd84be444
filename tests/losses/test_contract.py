"""The contract of every loss of both registries, with every array library."""

import importlib
import pickle
from decimal import Decimal
from fractions import Fraction
from inspect import signature
from typing import Literal, get_args, get_origin, get_type_hints

import array_api_strict
import dask.array
import numpy as np
import pytest

from infonce_ref import losses, streaming, value_and_grad
from infonce_ref.verify.case import list_registered
from infonce_ref.verify.laws import is_scale_free

EVERY = list_registered() | {f"streaming.{name}": loss for name, loss in streaming.ALL.items()}
LOSSES = pytest.mark.parametrize("loss", EVERY.values(), ids=EVERY)
REDUCED = {name: x for name, x in EVERY.items() if "reduction" in signature(x.forward).parameters}


def as_float32(example):
    return {k: x.astype("f4") if getattr(x, "dtype", None) == np.float64 else x for k, x in example.items()}


def upstream_for(value):
    """Return an upstream for a value: a number or, under reduction="none", one for each anchor, with both
    signs and 0.
    """
    return value * 0 + np.resize([1.5, -0.25, 0.0, 3.0], value.shape).astype(value.dtype)


def first_array(example):
    return next(name for name, x in example.items() if isinstance(x, np.ndarray) and x.dtype.kind == "f")


def refused(loss, library):
    """Return whether the loss must be refused: a streaming loss if arrays cannot be written in place."""
    if library.streams or loss not in streaming.ALL.values():
        return False
    with pytest.raises(ValueError, match="streaming writes its sums in place"):
        loss.forward(**library.arguments(loss.example()))
    return True


@LOSSES
def test_every_library_gives_numpys_numbers(loss, library):
    if refused(loss, library):
        return
    for options in ({}, *loss.variants):
        example = loss.example(**options)
        value, cache = loss.forward(**example)
        theirs, their_cache = loss.forward(**library.arguments(example))
        upstream = upstream_for(value)
        gradients = loss.backward(cache, upstream)
        their_gradients = loss.backward(their_cache, **library.arguments({"upstream": upstream}))
        theirs, *slopes = library.back(theirs, *(getattr(their_gradients, x) for x in loss.differentiable))
        # libraries order their sums differently: a few roundings of terms of order 1
        np.testing.assert_allclose(theirs, value, rtol=1e-13)
        for name, slope in zip(loss.differentiable, slopes, strict=True):
            np.testing.assert_allclose(slope, getattr(gradients, name), rtol=1e-11, atol=1e-14)


@LOSSES
def test_dtype_in_is_dtype_out(loss, library):
    if refused(loss, library):
        return
    for example, dtype in ((as_float32(loss.example()), "float32"), (loss.example(), "float64")):
        value, cache = loss.forward(**library.arguments(example))
        gradients = loss.backward(cache)
        assert gradients._fields == loss.differentiable
        for result in (value, *gradients):
            assert str(result.dtype).endswith(dtype)


@LOSSES
def test_results_are_on_the_device_of_the_inputs(loss):
    there = array_api_strict.Device("device1")
    for options in ({}, *loss.variants):
        given = {
            k: array_api_strict.asarray(x, device=there) if isinstance(x, np.ndarray) else x
            for k, x in loss.example(**options).items()
        }
        value, cache = loss.forward(**given)
        assert {x.device for x in (value, *loss.backward(cache, value * 2))} == {there}


@LOSSES
@pytest.mark.parametrize("size", [{"rows": 2, "features": 1}, {"rows": 5, "features": 4}])
def test_an_example_has_the_requested_size(loss, size):
    for options in ({}, *loss.variants):
        example = loss.example(**options, **size)
        loss.forward(**example)
        # rows, or two views of each
        assert len(example[first_array(example)]) in (size["rows"], 2 * size["rows"])


@LOSSES
def test_the_types_of_options_are_their_allowed_values(loss):
    """A type checker refuses the same options as forward."""
    hints, example = get_type_hints(loss.forward), loss.example()
    for name, option in signature(loss.forward).parameters.items():
        assert hints[name] is not str, f"{name} is any string to a type checker"
        if get_origin(hints[name]) is Literal:
            assert option.default in get_args(hints[name])
            for value in get_args(hints[name]):
                loss.forward(**example | {name: value})
            with pytest.raises(ValueError, match=f"{name} must be one of .*got 'median'"):
                loss.forward(**example | {name: "median"})


@LOSSES
@pytest.mark.parametrize("upstream", [np.nan, np.inf, "x", None, [2.0], 1j, np.ones(1)])
def test_upstream_must_be_a_finite_number(loss, upstream):
    _, cache = loss.forward(**loss.example())
    with pytest.raises(ValueError, match="upstream must be"):
        loss.backward(cache, upstream=upstream)


@pytest.mark.parametrize("loss", REDUCED.values(), ids=REDUCED)
def test_an_upstream_of_another_shape_is_refused(loss):
    each, cache = loss.forward(**loss.example(reduction="none"))
    n = len(each)
    for upstream, came in (
        (1.0, "float"),
        (None, "NoneType"),
        (np.ones(n + 1), rf"shape \({n + 1},\)"),
        (np.ones((n, 1)), rf"shape \({n}, 1\)"),
        (np.array(1.0), r"shape \(\)"),
    ):
        with pytest.raises(ValueError, match=rf"upstream must have shape \({n},\) .* got {came}"):
            loss.backward(cache, upstream)
    for upstream, rule in (
        (np.ones(n, np.float32), "share one dtype"),
        (np.ones(n, int), "float32 or float64"),
        (np.full(n, np.nan), "upstream must be finite"),
    ):
        with pytest.raises(ValueError, match=rule):
            loss.backward(cache, upstream)


@LOSSES
def test_example_is_seeded_and_noise_aligns(loss):
    a, b = loss.example(seed=5), loss.example(seed=5)
    assert all(np.array_equal(a[name], b[name]) for name in a)
    assert any(not np.array_equal(a[name], x) for name, x in loss.example(seed=6).items())


def misfits(name, arrays):
    """Changes of one array that no longer fits the others, each with the words of its refusal."""
    x = arrays[name]
    others = [other for key, other in arrays.items() if key != name]
    yield (x[0] if x.ndim == 2 else x[:, None]), f"{name} must have shape"
    if any(len(other) == len(x) for other in others):
        yield x[:-1], "must agree in"
    if x.ndim == 2 and any(other.shape[1:] == x.shape[1:] for other in others):
        yield x[:, :-1], "must agree in"
    if x.dtype.kind == "f":
        for bad in (np.nan, np.inf):
            yield np.where(np.arange(x.size).reshape(x.shape) == x.size - 1, bad, x), f"{name} must be finite"
        if any(other.dtype.kind == "f" for other in others):
            yield x.astype(np.float32), "must share one dtype"
    elif x.dtype.kind == "i":
        yield x.astype(float), f"{name} must be int32 or int64"
        if name != "labels":
            yield from ((np.full_like(x, bad), f"{name} must lie in 0 … ") for bad in (99, -1))


@LOSSES
def test_an_array_that_does_not_fit_the_others_is_refused(loss):
    example = loss.example()
    arrays = {name: x for name, x in example.items() if np.ndim(x)}
    for name in arrays:
        for wrong, message in misfits(name, arrays):
            with pytest.raises(ValueError, match=message):
                loss.forward(**example | {name: wrong})


@LOSSES
@pytest.mark.parametrize("dtype", ["int64", "float16", "complex128"])
def test_other_dtypes_are_refused_with_what_to_do(loss, dtype):
    example = loss.example()
    name = first_array(example)
    with pytest.raises(ValueError, match="float32 or float64"):
        loss.forward(**(example | {name: np.ones(example[name].shape, dtype)}))


@LOSSES
def test_a_subclass_of_ndarray_and_a_list_are_refused(loss):
    example = loss.example()
    name = first_array(example)
    with pytest.raises(ValueError, match=f"{name} must be an array .* got list"):
        loss.forward(**(example | {name: example[name].tolist()}))
    for x in (np.ma.masked_array(example[name]), *(example[name].view(k) for k in (np.matrix, np.recarray))):
        with pytest.raises(
            ValueError, match=f"{name} must be a plain array; got {type(x).__name__}: pass numpy.asarray"
        ):
            loss.forward(**(example | {name: x}))


@LOSSES
@pytest.mark.parametrize("number", [np.nan, np.inf, "warm", None])
def test_a_number_among_the_options_is_finite_and_a_temperature_positive(loss, number):
    example = loss.example()
    for name in (name for name, x in example.items() if isinstance(x, float)):
        for wrong in (number, 0.0, -1.0) if name == "temperature" else (number,):
            with pytest.raises(ValueError, match=f"{name} must be"):
                loss.forward(**example | {name: wrong})


@LOSSES
def test_a_row_of_zeros_is_refused_only_if_the_loss_divides_by_its_length(loss):
    example = loss.example()
    for name in (name for name in loss.differentiable if np.ndim(example[name]) == 2):
        rows = np.where(np.arange(len(example[name]))[:, None] == 0, 0, example[name])
        if is_scale_free(loss.name) and not loss.varying:
            with pytest.raises(ValueError, match=f"{name} must have no zero row"):
                loss.forward(**example | {name: rows})
        else:
            value, cache = loss.forward(**example | {name: rows})
            assert all(np.all(np.isfinite(x)) for x in (value, *loss.backward(cache)))


@pytest.mark.parametrize(
    "loss",
    [loss for loss in losses.ALL.values() if "keep" in signature(loss.forward).parameters],
    ids=lambda loss: loss.name,
)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (np.float64, "keep must be booleans"),
        (lambda keep: keep[:, 1:], "must agree in"),
        (np.zeros_like, "keep must leave each row a candidate besides"),
    ],
)
def test_the_rows_to_keep_are_booleans_of_the_scores_shape(loss, change, message):
    example = loss.example(left_out=0.5)
    with pytest.raises(ValueError, match=message):
        loss.forward(**example | {"keep": change(example["keep"])})


@LOSSES
def test_one_call_gives_the_value_and_the_gradients_of_two(loss):
    example = loss.example()
    value, cache = loss.forward(**example)
    expected = loss.backward(cache)
    first = next(iter(signature(loss.forward).parameters))
    rest = {name: x for name, x in example.items() if name != first}
    views = np.split(example[first], 2) if first in ("w", "z") else [example[first]]
    got, gradients = value_and_grad(loss, *views, **rest)
    assert got == value
    joined = {
        name: np.concatenate(g) if isinstance(g, tuple) else g for name, g in gradients._asdict().items()
    }
    for name in gradients._fields:
        np.testing.assert_array_equal(joined[name], getattr(expected, name))


ntxent, clip, rows = losses.ntxent, losses.clip, np.eye(4)
theirs = array_api_strict.ones((4, 4))
elsewhere = array_api_strict.ones((4, 4), device=array_api_strict.Device("device1"))
some = dask.array.ones((4, 3))[dask.array.ones(4) > 0]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: clip.forward(rows, theirs, temperature=1.0),
            ValueError,
            "one library; text and image do not",
        ),
        (
            lambda: clip.forward(theirs, elsewhere, temperature=1.0),
            ValueError,
            r"all arrays must lie on one device; image is on .*, text on .*: move one",
        ),
        (
            lambda: ntxent.forward(some, temperature=1.0),
            ValueError,
            r"w must have a known shape; got \(nan, 3\): compute its chunk sizes",
        ),
        (lambda: ntxent(rows, rows), TypeError, "is a module: value, cache = ntxent.forward"),
        (lambda: value_and_grad("ntxent", rows), ValueError, "loss must be a loss, such as"),
        (lambda: value_and_grad(ntxent, rows, rows, layout="interleaved"), ValueError, "leave layout out"),
        (lambda: value_and_grad(ntxent, rows, rows[:2]), ValueError, "must agree in B"),
        (lambda: value_and_grad(ntxent, [[1.0]], rows), ValueError, "the first view must be an array"),
        (
            lambda: ntxent.backward(ntxent.forward(rows, temperature=1.0)),
            ValueError,
            "got tuple: write value",
        ),
        (
            lambda: ntxent.backward(clip.forward(rows, rows, temperature=1.0)[1]),
            ValueError,
            "got the cache of clip",
        ),
        (lambda: ntxent.forward(rows, [0, 0, 1, 1], temperature=1.0), TypeError, "labels are for supcon"),
        (lambda: ntxent.forward(rows), TypeError, "'temperature'; its arguments are .w, .*"),
        (lambda: clip.forward(rows, temperature=1.0), TypeError, "'text'; its arguments are .image, text"),
    ],
)
def test_a_wrong_call_is_told_the_right_one(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    "number",
    [
        *("0.5", b"0.5", bytearray(b"0.5"), np.str_("0.5"), np.array("0.5"), np.array(b"0.5"), None, [0.5]),
        *(np.array([0.5]), np.array(0.5, dtype=object), np.array(0.5, dtype=[("x", float)]), 10**400, True),
        *(
            0.5 + 0j,
            np.complex128(0.5),
            np.array(0.5 + 0j),
            np.True_,
            np.timedelta64(1, "s"),
            Decimal("sNaN"),
        ),
    ],
    ids=repr,
)
def test_other_types_than_numbers_are_refused(number):
    with pytest.raises(ValueError, match="temperature must be a number that a float can hold"):
        ntxent.forward(rows, temperature=number)


@pytest.mark.parametrize(
    "number",
    [0.5, Fraction(1, 2), Decimal("0.5"), np.float16(0.5), np.array(0.5, dtype=">f8"), np.longdouble(0.5)],
    ids=repr,
)
def test_numbers_of_any_type_are_accepted(number):
    assert ntxent.forward(rows, temperature=number)[0] == ntxent.forward(rows, temperature=0.5)[0]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (np.ones(2), r"ndarray of float64 and shape \(2,\)"),
        (np.array(True), "ndarray of bool"),
        ([True], "list"),
        (None, "None"),
        ("no", "'no'"),
        ("x" * 1000, r"'x+\.\.\.x+'"),
        (10**5000, "int"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_an_unknown_option_is_refused_in_one_short_line(option, said):
    message = f"^stop_gradient must be one of True, False; got {said}$"
    with pytest.raises(ValueError, match=message) as refusal:
        losses.simsiam.forward(**losses.ALL["simsiam"].example() | {"stop_gradient": option})
    assert len(str(refusal.value)) < 100


@LOSSES
def test_an_entry_can_be_pickled_and_its_module_lists_its_contract(loss):
    assert pickle.loads(pickle.dumps(loss)).forward is loss.forward
    assert set(dir(importlib.import_module(loss.forward.__module__))) == {
        "LOSS",
        "Cache",
        "Gradients",
        "backward",
        "forward",
    }


@pytest.mark.parametrize("name", losses.ALL)
def test_rows_of_different_things_are_compared_if_the_loss_declares_it(name):
    """Then the mean over a batch is not the mean of the means over its two halves."""
    loss = losses.ALL[name]
    others = {"others": 5} if "others" in loss.drawn else {}
    arguments = loss.example(rows=4, **others) | {"reduction": "mean"}
    options = signature(loss.forward).parameters
    arguments = {k: x for k, x in arguments.items() if k in options}
    value, _ = loss.forward(**arguments)
    rows = len(arguments[loss.differentiable[0]])
    views = 2 if rows == 8 or name == "supcon" else 1
    halves = [{k: take_half(x, rows, views, half) for k, x in arguments.items()} for half in (0, 1)]
    mean = sum(loss.forward(**half)[0] for half in halves) / 2
    assert bool(abs(value - mean) > 1e-3) is loss.compares


def take_half(x, rows, views, half):
    """Return one half of the rows, of both views; anything else as it is."""
    if not isinstance(x, np.ndarray) or x.ndim == 0 or len(x) != rows:
        return x
    return np.concatenate([np.split(view, 2)[half] for view in np.split(x, views)])
