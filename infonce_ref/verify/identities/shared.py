"""Identities of several losses; those of every loss first."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np
from array_api_compat import is_jax_array

from ...streaming import ALL as STREAMING
from ..case import Case
from .identity import (
    Identity,
    Sides,
    Terms,
    agree,
    declared,
    documented,
    file_of,
    float64,
    follows,
    residual,
    row_inputs,
    unit,
    weight,
)


def upstream(case: Case) -> Iterator[Sides]:
    """The contract: upstream, a number or a 0-d array of one, multiplies every gradient."""
    here, terms = case.gradients(), documented(case)
    for factor in case.upstreams:
        for given in (factor, case.convert(np.asarray(factor, case.dtype))):
            there = case.gradients(upstream=given)
            exact = float(given)
            # one may underflow and the other not: compare the smaller one with the other
            down, up = (1.0, exact) if abs(exact) <= 1 else (1 / exact, 1.0)
            for name, x in here.items():
                yield name, down * there[name], up * x, abs(up) * (abs(x) + terms[name][1])


def each_anchor(case: Case) -> Iterator[Sides]:
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
    whole, *parts = (backward(upstream=each) for each in (ones, every_other, ones - every_other))
    for name, (expected, size) in documented(summed).items():
        yield name, whole[name], expected, size
        yield name, parts[0][name] + parts[1][name], expected, size


def contract(case: Case) -> Iterator[Sides]:
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


def own_cache(case: Case) -> Iterator[Sides]:
    """The contract: a backward pass depends only on its own cache, even if it is called repeatedly or alternates
    with another pass, and no pass writes to its arguments.
    """
    kept = {name: np.copy(case.arguments[name]) for name in case.loss.differentiable}
    here = case.gradients()
    (turned, *_) = row_inputs(case)
    other = case.at(**{turned: -case.arguments[turned]}, **halve_temperature(case))
    (_, first), (_, second) = case.run_passes(), other.run_passes()
    before = second()
    for _ in range(case.calls):
        for again, once in ((first(), here), (second(), before)):
            for name, x in again.items():
                yield name, x, once[name], np.abs(once[name])
    for name, x in kept.items():
        yield name, case.arguments[name], x, np.abs(x)


INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def other_kinds(case: Case) -> Iterator[Sides]:
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


def halve_temperature(case: Case) -> dict[str, float]:
    """Return half the temperature by its name; {} if the loss has none."""
    return {name: x / 2 for name, x in case.arguments.items() if name == "temperature"}


TILES = (1, 4, None)  # only 1 divides the number of rows; None lets the library choose
MOST_TILES = 16  # per axis: more tiles only take time in Python


def has_tiled_form(case: Case) -> bool:
    """Whether the loss has a streaming form that takes the case's options."""
    loss = STREAMING.get(case.loss.name)
    return loss is not None and case.arguments.keys() <= signature(loss.forward).parameters.keys()


def streamed(tile: int | None) -> Identity:
    """Streaming in tiles of this side equals the plain form."""

    def identity(case: Case) -> Iterator[Sides]:
        if not has_tiled_form(case) or is_jax_array(case.convert(np.ones(1))):
            return  # streaming refuses JAX arrays, which cannot be written in place
        rows = len(case.arguments[case.loss.differentiable[0]])
        if tile is not None and rows > MOST_TILES * tile:
            return
        tiled = replace(case, loss=STREAMING[case.loss.name]).at(tile=tile)
        value, file = case.value(), file_of(case.loss.name)
        # the size of the terms, which may cancel
        size = file.value_terms(case) if hasattr(file, "value_terms") else value
        yield case.loss.differentiable[0], tiled.value(), value, size
        yield from agree(tiled, case.gradients())

    identity.__doc__ = f"M6, S1: tile by tile, tile={tile}, the loss is the same as in one piece"
    return identity


# --- the same change of all rows ------------------------------------------------------------------

Change = Callable[[np.ndarray], Any]


def with_rows(case: Case, change: Change, expected: Change | None = None, **options: Any) -> Iterator[Sides]:
    """Change the rows of every input, and these options. Then the rows' gradients must be `expected` of the present
    ones, by default the same change of them; the other gradients must stay the same.
    """
    names = row_inputs(case)
    changed = case.at(**{name: change(case.arguments[name]) for name in names}, **options)
    yield from follows(case, changed, **dict.fromkeys(names, expected or change))


def turned(case: Case) -> Iterator[Sides]:
    """Turning all rows alike turns the gradients alike."""
    # a signed permutation of the features is an orthogonal matrix without rounding
    order = np.random.default_rng(0).permutation(count_features(case))
    signs = np.where(order % 2, -1, 1).astype(case.dtype)
    yield from with_rows(case, lambda x: x[:, order] * signs)


def count_features(case: Case) -> int:
    """The length of a row."""
    return case.arguments[row_inputs(case)[0]].shape[1]


# --- losses of directions, which do not depend on the length of a row -----------------------------


def away(q: np.ndarray, z: np.ndarray) -> Terms:
    """−∂cos(q, z)/∂q = −(ẑ − cos · q̂)/‖q‖ = (I − q̂ q̂ᵀ)(q̂ − ẑ)/‖q‖, row by row, and the terms of the second
    form: it is accurate as q̂ → ẑ, and near a right angle has an error of eps·|q̂| in each entry.     [M18, M19]
    """
    norm, q, z = np.linalg.norm(q, axis=1, keepdims=True), unit(q), unit(z)
    cosine = np.sum(q * z, axis=1, keepdims=True)
    return -(z - cosine * q) / norm, (np.abs(z) + np.abs(q)) / norm


def tangential(case: Case) -> Iterator[Sides]:
    """M5, M18, M19: each gradient is orthogonal to its row, so tangent to the sphere."""
    gradients, terms = case.gradients(), documented(case)
    for name in row_inputs(case):
        (x,), (_, size) = float64(case, name), terms[name]
        yield name, np.sum(x * gradients[name], axis=1), np.zeros(len(x)), np.sum(np.abs(x) * size, axis=1)


def scale_free(case: Case) -> Iterator[Sides]:
    """D3.3, D3.43, D3.44: scaling a row leaves the loss unchanged and divides its gradient by the factor."""
    count = len(case.arguments[row_inputs(case)[0]])
    powers = (2.0 ** (np.arange(count) % 5 - 2)[:, None]).astype(case.dtype)
    yield from with_rows(case, lambda x: x * powers, lambda x: x / powers)


# --- losses of the columns of two views --------------------------------------------------------------------------


def scale_free_columns(case: Case) -> Iterator[Sides]:
    """F25: scaling a column leaves the loss unchanged and divides its gradient by the factor."""
    powers = (2.0 ** (np.arange(count_features(case)) % 5 - 2)).astype(case.dtype)
    yield from with_rows(case, lambda x: x * powers, lambda x: x / powers)


def in_any_order(case: Case) -> Iterator[Sides]:
    """F25, F27: permuting the pairs and the features permutes the gradients."""
    yield from with_rows(case, lambda x: x[::-1, ::-1])


def signs_of_features(case: Case) -> Iterator[Sides]:
    """F25, F27: negating a feature in both views negates its gradients."""
    signs = np.where(np.arange(count_features(case)) % 2, -1, 1).astype(case.dtype)
    yield from with_rows(case, lambda x: x * signs)


def views_exchanged(case: Case) -> Iterator[Sides]:
    """F25, F27: exchanging the views exchanges their gradients."""
    here, other = case.gradients(), case.at(z1=case.arguments["z2"], z2=case.arguments["z1"])
    yield from agree(other, {"z1": here["z2"], "z2": here["z1"]})


# --- losses of inner products ---------------------------------------------------------------------------------


def shared_feature(case: Case) -> Iterator[Sides]:
    """M26, D2.1: a feature that is the same in every row adds the same to every score and changes nothing."""
    queries, *keys = row_inputs(case)
    longer = {name: np.insert(case.arguments[name], 0, case.length, axis=-1) for name in (queries, *keys)}
    wider = case.at(**longer)
    here, there = case.gradients(), wider.gradients()
    sizes = {name: size for name, (_, size) in documented(wider).items()}
    for name in (queries, *keys):
        yield name, there[name][..., 1:], here[name], sizes[name][..., 1:]
    yield "temperature", there["temperature"], here["temperature"], sizes["temperature"]
    # the gradients by this feature sum ∂𝓛/∂scores over rows and columns, which is 0 in total
    for name, side in ((queries, [queries]), (keys[0], keys)):
        total, size = (sum(np.sum(x[part][..., 0]) for part in side) for x in (there, sizes))
        yield name, total, 0.0, size


# --- losses of two views, concatenated in one batch -------------------------------------------------------------


def positives(case: Case) -> np.ndarray:
    """p(i) for each row.                                                         [D1.5, D3.4]"""
    i = np.arange(len(batch(case)))
    return i ^ 1 if case.arguments.get("layout") == "interleaved" else (i + len(i) // 2) % len(i)


def batch(case: Case) -> np.ndarray:
    """Return the rows of a loss over pairs."""
    (name,) = row_inputs(case)
    return case.arguments[name]


def keep_candidates(case: Case, candidates: np.ndarray) -> np.ndarray:
    """Which candidates of a row a mask keeps; always its positive and, if a candidate, itself.            [M36]"""
    keep, itself = case.arguments.get("keep"), np.eye(len(candidates), dtype=bool)
    return candidates if keep is None else candidates & (keep | itself | itself[positives(case)])


def gradient_of_pairs(case: Case, z: np.ndarray, candidates: np.ndarray) -> tuple[Terms, Terms]:
    """(G + Gᵀ) Z / (N τ) for unit rows Z and −(1/Nτ) Σ G_ij L_ij, over the candidates that a mask allows."""
    tau = case.arguments["temperature"]
    logits, candidates = z @ z.T / tau, keep_candidates(case, candidates)
    g = residual(np.where(candidates, logits, -np.inf), positives(case)) * weight(case, len(z)) / tau
    rows = (g + g.T) @ z, (np.abs(g) + np.abs(g.T)) @ np.abs(z)
    return rows, (-np.sum(g * logits), np.sum(np.abs(g * logits)))


def rotated(case: Case) -> Iterator[Sides]:
    """D1.2, D3.3: reflecting all rows reflects the gradient, and ∂𝓛/∂τ stays the same."""
    yield from turned(case)


def exchanged(case: Case) -> Iterator[Sides]:
    """D1.5: exchanging the two views of every pair exchanges their gradients."""
    p = positives(case)
    yield from with_rows(case, lambda x: x[p], **reorder_mask(case, p))


def reorder_mask(case: Case, order: np.ndarray) -> dict[str, Any]:
    """Permute the mask with the rows, if there is one."""
    return {"keep": case.arguments["keep"][order][:, order]} if "keep" in case.arguments else {}


def with_all_kept(case: Case) -> Iterator[Sides]:
    """M36: a mask that keeps every candidate changes nothing."""
    if "keep" in case.arguments:
        everything = np.ones_like(case.arguments["keep"])
        yield from agree(case.at(keep=everything), drop_mask(case).gradients())


def drop_mask(case: Case) -> Case:
    """The same case without a mask."""
    return replace(case, arguments={name: x for name, x in case.arguments.items() if name != "keep"})


def layouts(case: Case) -> Iterator[Sides]:
    """D3.4: the interleaved loss is the concatenated one after a permutation of the rows."""
    if not declared(case, "layout"):
        return
    w = batch(case)
    interleave = np.arange(len(w)).reshape(2, -1).T.ravel()
    if case.arguments.get("layout") == "interleaved":
        layout, order = "concatenated", np.argsort(interleave)
    else:
        layout, order = "interleaved", interleave
    yield from with_rows(case, lambda x: x[order], layout=layout, **reorder_mask(case, order))
