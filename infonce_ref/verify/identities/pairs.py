"""Two views of a batch: infonce and ntxent."""

from collections.abc import Callable, Iterator

import numpy as np

from ..case import Case
from .identity import (
    Sides,
    Terms,
    at_most,
    float64,
    follows,
    gradient_of,
    of,
    residual,
    tangent,
    unit,
    weight,
)

ROWS = {"infonce": "z", "ntxent": "w"}  # the rows' name in each loss


def positives(case: Case) -> np.ndarray:
    """p(i) for each row.                                                         [D1.5, D3.4]"""
    i = np.arange(len(case.arguments[ROWS[case.loss.name]]))
    return i ^ 1 if case.arguments.get("layout") == "interleaved" else (i + len(i) // 2) % len(i)


@gradient_of("infonce", "ntxent")
def full_gradient(case: Case) -> dict[str, Terms]:
    """D1.13, M5, M7: (G + Gᵀ) Z / (N τ), projected by (I − z zᵀ)/‖w‖ where rows are raw; −(1/Nτ) Σ G_ij L_ij."""
    name, tau = ROWS[case.loss.name], case.arguments["temperature"]
    (rows,) = float64(case, name)
    z = unit(rows) if name == "w" else rows
    logits = z @ z.T / tau
    g = residual(logits - np.diag(np.full(len(z), np.inf)) if name == "w" else logits, positives(case))
    g *= weight(case, len(z)) / tau
    slope = -np.sum(g * logits), np.sum(np.abs(g * logits))
    terms = (g + g.T) @ z, (np.abs(g) + np.abs(g.T)) @ np.abs(z)
    if name == "w":
        norm = np.linalg.norm(rows, axis=1, keepdims=True)
        value, size = tangent(z, terms)
        terms = value / norm, size / norm
    return {name: terms, "temperature": slope}


def moved(case: Case, carry: Callable[[np.ndarray], np.ndarray], **changes) -> Iterator[Sides]:
    """The gradient of the rows is carried along by a change that leaves the loss alone."""
    yield from follows(case, case.at(**changes), **{ROWS[case.loss.name]: carry})


@of("infonce", "ntxent")
def rotated(case: Case) -> Iterator[Sides]:
    """D1.2, D3.3: reflecting all rows reflects the gradient and leaves ∂𝓛/∂τ alone."""
    name = ROWS[case.loss.name]
    # a signed permutation of the features is an orthogonal matrix that rounds nothing
    order = np.random.default_rng(0).permutation(case.arguments[name].shape[1])
    signs = np.where(order % 2, -1, 1).astype(case.dtype)
    yield from moved(case, lambda x: x[:, order] * signs, **{name: case.arguments[name][:, order] * signs})


@of("infonce", "ntxent")
def exchanged(case: Case) -> Iterator[Sides]:
    """D1.5: exchanging the two views of every pair exchanges their gradients."""
    name, p = ROWS[case.loss.name], positives(case)
    yield from moved(case, lambda x: x[p], **{name: case.arguments[name][p]})


@of("infonce")
def homogeneous(case: Case) -> Iterator[Sides]:
    """M7: 𝓛 depends on Z/√τ alone, so 2Z at 4τ halves ∂𝓛/∂Z and quarters ∂𝓛/∂τ."""
    changed = case.at(z=2 * case.arguments["z"], temperature=4 * case.arguments["temperature"])
    yield from follows(case, changed, z=lambda x: x / 2, temperature=lambda x: x / 4)


@of("infonce")
def floor_of_log_two(case: Case) -> Iterator[Sides]:
    """M1: for unit rows every ℓ_i ≥ log 2, since the anchor itself is a candidate."""
    z = unit(*float64(case, "z")).astype(case.dtype)
    floor = np.log(2) * weight(case, len(z)) * len(z)
    yield at_most("z", -case.at(z=z).value(), -floor, floor)


@of("ntxent")
def within_its_range(case: Case) -> Iterator[Sides]:
    """M23: log(1 + (N−2) e^{−2/τ}) ≤ ℓ ≤ log(1 + (N−2) e^{2/τ}) for N rows."""
    n, tau = len(case.arguments["w"]), case.arguments["temperature"]
    ends = weight(case, n) * n * np.logaddexp(0, np.log(n - 2) + np.array([-2, 2]) / tau)
    value = case.value()
    yield at_most("w", -value, -ends[0], ends[0])
    yield at_most("w", value, ends[1], ends[1])


@of("ntxent")
def tangential(case: Case) -> Iterator[Sides]:
    """M5: w_k · ∂𝓛/∂w_k = 0, the gradient is tangent to the sphere."""
    (w,), (_, size) = float64(case, "w"), full_gradient(case)["w"]
    radial = np.sum(w * case.gradients()["w"], axis=1)
    yield "w", radial, np.zeros(len(w)), np.sum(np.abs(w) * size, axis=1)


@of("ntxent")
def scale_free(case: Case) -> Iterator[Sides]:
    """D3.3: rows of other lengths have the same loss; the gradient shrinks as the row grows."""
    w = case.arguments["w"]
    powers = (2.0 ** (np.arange(len(w)) % 5 - 2)[:, None]).astype(case.dtype)
    yield from moved(case, lambda x: x / powers, w=w * powers)


@of("ntxent")
def layouts(case: Case) -> Iterator[Sides]:
    """D3.4: the interleaved loss is the concatenated one after a permutation of the rows."""
    w = case.arguments["w"]
    interleave = np.arange(len(w)).reshape(2, -1).T.ravel()
    if case.arguments.get("layout") == "interleaved":
        changed, order = "concatenated", np.argsort(interleave)
    else:
        changed, order = "interleaved", interleave
    yield from moved(case, lambda x: x[order], w=w[order], layout=changed)
