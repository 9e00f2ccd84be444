"""Witness 3: what the ledger says must hold of a loss, whatever its code looks like.

Each identity takes a case and yields, for each input that it speaks of, the two sides that must be equal and
the size of the terms that were summed. Scores and probabilities come from NumPy and SciPy in float64, never from
the loss's own cache.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.special import softmax

from .case import Case, Check, relative

WITNESS = "identities"
Sides = tuple[str, Any, Any, Any]  # input, left, right, size of the summed terms
IDENTITIES: dict[str, list[Callable[[Case], Iterator[Sides]]]] = {}


def of(*losses: str) -> Callable:
    """Registers an identity of the named losses; its docstring's first words are its claim id."""

    def register(identity: Callable[[Case], Iterator[Sides]]) -> Callable:
        for loss in losses:
            IDENTITIES.setdefault(loss, []).append(identity)
        return identity

    return register


def testify(case: Case) -> Iterator[Check]:
    """One check for each identity and each input that it speaks of."""
    for identity in IDENTITIES[case.loss.name]:
        for name, left, right, size in identity(case):
            claim = (identity.__doc__ or identity.__name__).split(":")[0]
            yield case.check(name, WITNESS, relative(left, right, size, case.dtype), claim)


def float64(case: Case, name: str) -> np.ndarray:
    """An input in float64."""
    return np.asarray(case.arguments[name], dtype=np.float64)


# --- two views of a batch: infonce and ntxent -----------------------------------------------------------

ROWS = {"infonce": "z", "ntxent": "w"}  # the rows' name in each loss


def unit(w: np.ndarray) -> np.ndarray:
    return w / np.linalg.norm(w, axis=1, keepdims=True)


def positives(case: Case) -> np.ndarray:
    """p(i) for each row."""
    i = np.arange(len(case.arguments[ROWS[case.loss.name]]))
    return i ^ 1 if case.arguments.get("layout") == "interleaved" else (i + len(i) // 2) % len(i)


class Batch(NamedTuple):
    """z, the logits, G = P − 1[positive] with G_ip = −Σ_{j≠p} P_ij [S2], and the weight 1/N or 1."""

    z: np.ndarray
    logits: np.ndarray
    g: np.ndarray
    weight: float


def batch(case: Case) -> Batch:
    """The documents' own quantities, one line each."""
    name = case.loss.name
    rows = float64(case, ROWS[name])
    z = unit(rows) if name == "ntxent" else rows
    logits = z @ z.T / case.arguments["temperature"]
    g = softmax(logits - np.diag(np.full(len(z), np.inf)) if name == "ntxent" else logits, axis=1)
    i, p = np.arange(len(z)), positives(case)
    g[i, p] = 0
    g[i, p] = -g.sum(axis=1)
    return Batch(z, logits, g, 1.0 if case.arguments.get("reduction") == "sum" else 1 / len(z))


def gradient(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """(G + Gᵀ) Z / (N τ), through the projection where the rows are raw, and the size of its terms."""
    z, _, g, weight = batch(case)
    scale = weight / case.arguments["temperature"]
    dz, size = scale * (g + g.T) @ z, scale * (np.abs(g) + np.abs(g.T)) @ np.abs(z)
    if case.loss.name == "infonce":
        return dz, size
    norm = np.linalg.norm(float64(case, "w"), axis=1, keepdims=True)
    radial = np.abs(z) * np.sum(np.abs(z) * size, axis=1, keepdims=True)
    tangential = np.stack([(np.eye(len(row)) - np.outer(row, row)) @ v for row, v in zip(z, dz)])
    return tangential / norm, (size + radial) / norm


def temperature(case: Case) -> tuple[float, float]:
    """−(1/Nτ) Σ G_ij L_ij and the size of its terms."""
    _, logits, g, weight = batch(case)
    scale = weight / case.arguments["temperature"]
    return -scale * float(np.sum(g * logits)), scale * float(np.sum(np.abs(g * logits)))


@of("infonce", "ntxent")
def full_gradient(case: Case) -> Iterator[Sides]:
    """D1.13, M5: the gradient is (G + Gᵀ) Z / (N τ), projected by (I − z zᵀ)/‖w‖ where the rows are raw."""
    name = ROWS[case.loss.name]
    yield name, case.gradients()[name], *gradient(case)


@of("infonce", "ntxent")
def temperature_gradient(case: Case) -> Iterator[Sides]:
    """M7: d𝓛/dτ = −(1/Nτ) Σ G_ij L_ij."""
    yield "temperature", case.gradients()["temperature"], *temperature(case)


def follows(
    case: Case, changed: Case, carry: Callable[[np.ndarray], np.ndarray], tau: float = 1.0
) -> Iterator[Sides]:
    """The gradients at a changed case are those here, carried along; ∂𝓛/∂τ is multiplied by tau."""
    name = ROWS[case.loss.name]
    here, there = case.gradients(), changed.gradients()
    yield name, there[name], carry(here[name]), gradient(changed)[1]
    yield "temperature", there["temperature"], tau * here["temperature"], temperature(changed)[1]


@of("infonce", "ntxent")
def rotated(case: Case) -> Iterator[Sides]:
    """D1.2, D3.3: reflecting all rows reflects the gradient and leaves ∂𝓛/∂τ alone."""
    name = ROWS[case.loss.name]
    # a signed permutation of the features is an orthogonal matrix that rounds nothing
    order = np.random.default_rng(0).permutation(case.arguments[name].shape[1])
    signs = np.where(order % 2, -1, 1).astype(case.dtype)
    yield from follows(
        case, case.at(**{name: case.arguments[name][:, order] * signs}), lambda x: x[:, order] * signs
    )


@of("infonce", "ntxent")
def exchanged(case: Case) -> Iterator[Sides]:
    """D1.5: exchanging the two views of every pair exchanges their gradients."""
    name, p = ROWS[case.loss.name], positives(case)
    yield from follows(case, case.at(**{name: case.arguments[name][p]}), lambda x: x[p])


@of("infonce")
def homogeneous(case: Case) -> Iterator[Sides]:
    """M7: 𝓛 depends on Z/√τ alone, so 2Z at 4τ halves ∂𝓛/∂Z and quarters ∂𝓛/∂τ."""
    changed = case.at(z=2 * case.arguments["z"], temperature=4 * case.arguments["temperature"])
    yield from follows(case, changed, lambda x: x / 2, 1 / 4)


@of("infonce")
def floor_of_log_two(case: Case) -> Iterator[Sides]:
    """M1: for unit rows every ℓ_i ≥ log 2, since the anchor itself is a candidate."""
    z = unit(float64(case, "z")).astype(case.dtype)
    floor = np.log(2) * batch(case).weight * len(z)
    yield "z", min(case.at(z=z).value(), floor), floor, floor


@of("ntxent")
def tangential(case: Case) -> Iterator[Sides]:
    """M5: w_k · ∂𝓛/∂w_k = 0, the gradient is tangent to the sphere."""
    w, dw = float64(case, "w"), case.gradients()["w"]
    yield "w", np.sum(w * dw, axis=1), np.zeros(len(w)), np.sum(np.abs(w * dw), axis=1)


@of("ntxent")
def scale_free(case: Case) -> Iterator[Sides]:
    """D3.3: rows of other lengths have the same loss; the gradient shrinks as the row grows."""
    w = case.arguments["w"]
    powers = (2.0 ** (np.arange(len(w)) % 5 - 2)[:, None]).astype(case.dtype)
    yield from follows(case, case.at(w=w * powers), lambda x: x / powers)


@of("ntxent")
def layouts(case: Case) -> Iterator[Sides]:
    """D3.4: the interleaved loss is the concatenated one after a permutation of the rows."""
    w = case.arguments["w"]
    interleave = np.arange(len(w)).reshape(2, -1).T.ravel()
    if case.arguments.get("layout") == "interleaved":
        changed, order = "concatenated", np.argsort(interleave)
    else:
        changed, order = "interleaved", interleave
    yield from follows(case, case.at(w=w[order], layout=changed), lambda x: x[order])
