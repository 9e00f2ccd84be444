"""What every loss keeps, whatever it computes: dtype and shape, its cache, upstream, kinds of arrays, streaming.

An equation takes a case and yields, for each input concerned, two sides that must be equal, and the size of their
terms. Its docstring begins with its claims.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
from array_api_compat import is_jax_array

from ..streaming import ALL as STREAMING
from .case import Case
from .definition import Form

Sides = tuple[str, Any, Any, Any]  # input, left, right, size of the summed terms
Equation = Callable[[Case, Form], Iterator[Sides]]

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
TILES = (1, 4, None)  # only 1 divides the number of rows; None lets the library choose
LARGE_TILE = 300  # large cases fill several of these on any machine
MOST_TILES = 16  # per axis: more tiles only take time in Python


def row_inputs(case: Case) -> list[str]:
    """List the differentiable arrays, without numbers such as a temperature."""
    return [name for name in case.loss.differentiable if np.ndim(case.arguments[name])]


def upstream(case: Case, form: Form) -> Iterator[Sides]:
    """The contract: upstream, a number, an integer or a 0-d array of one, multiplies every gradient."""
    arrays = [case.convert(np.asarray(factor, case.dtype)) for factor in case.upstreams]
    given = (*case.upstreams, *arrays, 3)
    there = [case.gradients(upstream=each) for each in given]
    exact = np.array([float(each) for each in given])
    # one may underflow and the other not: compare the smaller one with the other
    up = np.where(abs(exact) <= 1, exact, 1.0)
    down = 1 / np.maximum(abs(exact), 1.0) * np.where(exact < -1, -1, 1)
    for name, x in case.gradients().items():
        by, back = (each.reshape(-1, *[1] * x.ndim) for each in (up, down))
        found = np.stack([gradients[name] for gradients in there])
        yield name, back * found, by * x, abs(by) * (abs(x) + form.sizes[name])


def each_anchor(case: Case, form: Form) -> Iterator[Sides]:
    """The contract: under reduction="none" each anchor has its loss and its upstream, and these add up to the
    result under "sum".
    """
    summed = case.at(reduction="sum")
    value, backward = case.run_passes()
    ones = np.ones(np.shape(case.upstream), case.dtype)
    first = case.loss.differentiable[0]
    yield first, np.array(value.shape, float), np.array(ones.shape, float), 1.0
    yield first, np.sum(value.astype(np.float64)), summed.value(), np.sum(np.abs(value))
    every_other = (np.arange(len(ones)) % 2).astype(case.dtype)
    whole, some, signed = (backward(upstream=each) for each in (ones, every_other, ones - 2 * every_other))
    smallest = float(np.min(case.upstream))  # of the weights that the sizes are those of
    for name, expected in summed.gradients().items():
        yield name, whole[name], expected, form.sizes[name] / smallest
        yield name, 2 * some[name] + signed[name], expected, form.sizes[name] / smallest


def contract(case: Case, form: Form) -> Iterator[Sides]:
    """The contract: value and gradients have the dtype of the inputs, here in bytes, and each gradient its input's
    shape.
    """
    value, gradients = case.once

    def seen(*results: Any) -> list[float]:
        return [x.dtype.itemsize if x.dtype.kind == "f" else np.nan for x in results]

    for name, gradient in gradients.items():
        given = case.arguments[name]
        wanted = np.array([case.dtype.itemsize] * 2 + list(np.shape(given)), float)
        got = np.array([*seen(value, gradient), *np.shape(gradient)], float)
        yield name, got, wanted, np.ones_like(wanted)


def own_cache(case: Case, form: Form) -> Iterator[Sides]:
    """The contract: a backward pass depends only on its own cache, even if it is called repeatedly or alternates
    with another pass, and keeps the dtype; no pass writes to its arguments.
    """
    kept = {name: np.copy(case.arguments[name]) for name in case.loss.differentiable}
    _, here = case.once
    (turned, *_) = row_inputs(case)
    colder = {name: x / 2 for name, x in case.arguments.items() if name == "temperature"}
    other = case.at(**{turned: -case.arguments[turned]}, **colder)
    (_, first), (_, second) = case.run_passes(), other.run_passes()
    before = second()
    for call in range(case.calls):
        for again, once in ((first(), here), (second(), before)):
            for name, x in again.items():
                same = x.dtype == once[name].dtype
                if not (
                    call and same and np.array_equal(x, once[name])
                ):  # a comparison takes longer than a pass
                    yield name, x if same else x * np.nan, once[name], np.abs(once[name])
    for name, x in kept.items():
        yield name, case.arguments[name], x, np.abs(x)


def other_kinds(case: Case, form: Form) -> Iterator[Sides]:
    """The contract: arrays of the other byte order, matrices and integers of any size give the right result or a
    ValueError."""
    if case.convert is not np.asarray:
        return
    whole = [name for name, x in case.arguments.items() if getattr(x, "dtype", None) == np.int64]
    kinds: list[Callable[[str, np.ndarray], Any]] = [
        lambda name, x: x.astype(x.dtype.newbyteorder()),
        lambda name, x: x.view(np.matrix) if x.ndim == 2 else x,
        *(lambda name, x, kind=kind: x.astype(kind) if name in whole else x for kind in INTEGERS if whole),
    ]
    value, gradients = case.once
    arrays = {name: x for name, x in case.arguments.items() if isinstance(x, np.ndarray)}
    for kind in kinds:
        try:
            got, cache = case.loss.forward(
                **case.arguments | {name: kind(name, x) for name, x in arrays.items()}
            )
            back = case.loss.backward(cache)._asdict()
        except ValueError:
            continue
        for name, x in gradients.items():
            yield name, back[name], x, np.abs(x)
        yield name, got, value, np.abs(value)


def has_tiled_form(case: Case) -> bool:
    """Whether the loss has a streaming form that takes the case's options."""
    loss = STREAMING.get(case.loss.name)
    return loss is not None and case.arguments.keys() <= signature(loss.forward).parameters.keys()


def streamed(tile: int | None) -> Equation:
    """Return the equation: streaming in tiles of this side equals the plain form."""

    def equation(case: Case, form: Form) -> Iterator[Sides]:
        if not has_tiled_form(case) or is_jax_array(case.convert(np.ones(1))):
            return  # streaming refuses JAX arrays, which cannot be written in place
        rows = len(case.arguments[case.loss.differentiable[0]])
        if tile is not None and rows > MOST_TILES * tile:
            return
        tiled = replace(case, loss=STREAMING[case.loss.name]).at(tile=tile)
        yield case.loss.differentiable[0], tiled.value(), case.value(), form.size
        got = tiled.gradients()
        for name, x in case.gradients().items():
            yield name, got[name], x, form.sizes[name]

    equation.__doc__ = f"M6, S1: tile by tile, tile={tile}, the loss is the same as in one piece"
    return equation


# first of all check whether a pass writes to its arguments
EVERY_LOSS = (own_cache, contract, upstream)
STREAMED = tuple(map(streamed, TILES))
