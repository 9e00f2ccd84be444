"""What an identity is, and what the identities of all families share."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy.special import softmax

from ...losses import ALL
from ..case import Case, Check, relative

WITNESS = "identities"
Terms = tuple[Any, Any]  # a sum, and the size of its terms
Sides = tuple[str, Any, Any, Any]  # input, left, right, size of the summed terms
IDENTITIES: dict[str, list[Callable[[Case], Iterator[Sides]]]] = {}
GRADIENTS: dict[str, Callable[[Case], dict[str, Terms]]] = {}


def of(*losses: str) -> Callable:
    """Registers an identity of the named losses; its docstring's first words are its claim ids."""

    def register(identity: Callable[[Case], Iterator[Sides]]) -> Callable:
        for loss in losses:
            IDENTITIES.setdefault(loss, []).append(identity)
        return identity

    return register


def gradient_of(*losses: str) -> Callable:
    """Registers the document's own gradient of the named losses: itself an identity, and the size for others."""

    def register(formula: Callable[[Case], dict[str, Terms]]) -> Callable:
        def identity(case: Case) -> Iterator[Sides]:
            got = case.gradients()
            for name, (value, size) in formula(case).items():
                yield name, got[name], value, size

        identity.__doc__ = formula.__doc__
        for loss in losses:
            GRADIENTS[loss] = formula
        of(*losses)(identity)
        return formula

    return register


def testify(case: Case) -> Iterator[Check]:
    """One check for each identity and each input that it speaks of."""
    for identity in IDENTITIES[case.loss.name]:
        claims = (identity.__doc__ or "").split(":")[0]
        for name, left, right, size in identity(case):
            yield case.check(name, WITNESS, relative(left, right, size, case.dtype), claims)


# --- the two sides --------------------------------------------------------------------------------------


def agree(case: Case, expected: Mapping[str, Any]) -> Iterator[Sides]:
    """The gradients are those expected."""
    got, terms = case.gradients(), GRADIENTS[case.loss.name](case)
    for name, value in expected.items():
        yield name, got[name], value, terms[name][1]


def follows(case: Case, changed: Case, **carry: Callable[[np.ndarray], Any]) -> Iterator[Sides]:
    """The gradients at a changed case are those here, each carried along by its function, or as it is."""
    here = case.gradients()
    yield from agree(changed, {name: carry.get(name, np.asarray)(x) for name, x in here.items()})


def at_most(name: str, left: Any, right: Any, size: Any) -> Sides:
    """left ≤ right, as the equality max(left, right) = right."""
    return name, np.maximum(left, right), right, size


def another(loss: str, **arguments: Any) -> tuple[float, dict[str, np.ndarray]]:
    """Value and gradients of another loss of the registry."""
    value, cache = ALL[loss].forward(**arguments)
    return float(value), ALL[loss].backward(cache)._asdict()


# --- the documents' own quantities, in float64 ----------------------------------------------------------


def float64(case: Case, *names: str) -> list[np.ndarray]:
    """Inputs in float64."""
    return [np.asarray(case.arguments[name], dtype=np.float64) for name in names]


def weight(case: Case, n: int, default: str = "mean") -> float:
    """1/n under a mean, 1 under a sum."""
    return 1 / n if case.arguments.get("reduction", default) == "mean" else 1.0


def summed(path: str, *factors: Any) -> Terms:
    """A sum of products, as einsum writes it, and the size of its terms."""
    return np.einsum(path, *factors), np.einsum(path, *map(np.abs, factors))


def residual(logits: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """G = P − 1[positive] of each row, with G_ip = −Σ_{j≠p} P_ij.                 [D1.11, S2]"""
    g = softmax(logits, axis=1)
    i = np.arange(len(g))
    g[i, positive] = 0
    g[i, positive] = -g.sum(axis=1)
    return g


def through_scores(case: Case, rows: str, columns: str, slope: Terms) -> dict[str, Terms]:
    """From M = ∂𝓛/∂L to the inputs of L = X Yᵀ/τ: M Y/τ, Mᵀ X/τ and −⟨M, L⟩/τ.     [D1.9, M7]"""
    x, y, tau = *float64(case, rows, columns), case.arguments["temperature"]
    paths = {rows: ("nk,kd->nd", (y,)), columns: ("nk,nd->kd", (x,)), "temperature": ("nk,nd,kd->", (x, y))}
    factor = {rows: 1 / tau, columns: 1 / tau, "temperature": -1 / tau**2}
    return {
        name: (
            factor[name] * np.einsum(path, slope[0], *factors),
            abs(factor[name]) * np.einsum(path, slope[1], *map(np.abs, factors)),
        )
        for name, (path, factors) in paths.items()
    }


def unit(w: np.ndarray) -> np.ndarray:
    """Rows of length 1."""
    return w / np.linalg.norm(w, axis=1, keepdims=True)


def tangent(z: np.ndarray, terms: Terms) -> Terms:
    """(I − z zᵀ) v for each row v of a gradient, z of length 1.                   [D2.11]"""
    v, size = terms
    return (
        v - z * np.sum(z * v, axis=1, keepdims=True),
        size + np.abs(z) * np.sum(np.abs(z) * size, axis=1, keepdims=True),
    )
