"""What an identity is, and the parts of identities of several losses."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from scipy.special import softmax

from ...losses import ALL
from ..brought import BROUGHT
from ..case import Case

Terms = tuple[Any, Any]  # a sum, and the size of its terms
Sides = tuple[str, Any, Any, Any]  # input, left, right, size of the summed terms
Identity = Callable[[Case], Iterator[Sides]]


def file_of(loss: str) -> Any:
    """The file of this folder with the loss's name, or the module of a user's own loss."""
    return BROUGHT.get(loss) or own_file(loss)


@cache
def own_file(loss: str) -> Any:
    return import_module(f".{loss}", __package__)


def documented(case: Case) -> dict[str, Terms]:
    """The document's gradient of each input, and the size of its terms."""
    if "documented" not in case.memo:
        case.memo["documented"] = file_of(case.loss.name).gradient(case)
    return case.memo["documented"]


# --- the two sides --------------------------------------------------------------------------------------


def agree(case: Case, expected: Mapping[str, Any]) -> Iterator[Sides]:
    """Yield the gradients beside the expected ones."""
    got, terms = case.gradients(), documented(case)
    for name, value in expected.items():
        yield name, got[name], value, terms[name][1]


def follows(case: Case, changed: Case, **expected: Callable[[np.ndarray], Any]) -> Iterator[Sides]:
    """Yield the gradients at a changed case, each beside a function of the gradient at this case; without a
    function, beside that gradient.
    """
    here = case.gradients()
    yield from agree(changed, {name: expected.get(name, np.asarray)(x) for name, x in here.items()})


def at_most(name: str, left: Any, right: Any, size: Any) -> Sides:
    """left ≤ right, as the equality max(left, right) = right."""
    return name, np.maximum(left, right), right, size


def another(loss: str, upstream: Any = 1.0, **arguments: Any) -> tuple[float, dict[str, np.ndarray]]:
    """Return value and gradients of another registered loss, multiplied by upstream."""
    value, cache = ALL[loss].forward(**arguments)
    return float(np.sum(upstream * value)), ALL[loss].backward(cache, upstream)._asdict()


# --- the documents' own quantities, in float64 ----------------------------------------------------------


def float64(case: Case, *names: str) -> list[np.ndarray]:
    """Convert inputs to float64."""
    return [np.asarray(case.arguments[name], dtype=np.float64) for name in names]


def row_inputs(case: Case) -> list[str]:
    """The differentiable arrays, without numbers such as a temperature."""
    return [name for name in case.loss.differentiable if np.ndim(case.arguments[name])]


def declared(case: Case, option: str) -> bool:
    """Return whether the loss declares this option; identities use no others."""
    return option in case.arguments or any(option in options for options in case.loss.variants)


def reduction(case: Case, default: str = "mean") -> str:
    """The reduction of the documents' formula: the sum for reduction='none'."""
    asked = case.arguments.get("reduction", default)
    return "sum" if asked == "none" else asked


def weight(case: Case, n: int, default: str = "mean") -> float:
    """1/n under a mean, 1 under a sum."""
    return 1 / n if reduction(case, default) == "mean" else 1.0


def sum_products(path: str, *factors: Any) -> Terms:
    """A sum of products in einsum notation, and the size of its terms."""
    # optimize, because plain einsum adds sequentially, with an error of n eps
    return tuple(np.einsum(path, *f, optimize=True) for f in (factors, [np.abs(x) for x in factors]))


def residual(logits: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """G = P − 1[positive] of each row, with G_ip = −Σ_{j≠p} P_ij.                 [D1.11, S2]"""
    g = softmax(np.ascontiguousarray(logits), axis=1)  # NumPy sums pairwise only along contiguous memory
    i = np.arange(len(g))
    g[i, positive] = 0
    g[i, positive] = -g.sum(axis=1)
    return g


def through_scores(case: Case, rows: str, columns: str, slope: Terms) -> dict[str, Terms]:
    """From M = ∂𝓛/∂L to the inputs of L = X Yᵀ/τ: M Y/τ, Mᵀ X/τ and −⟨M, L⟩/τ.     [D1.9, M7]"""
    x, y, tau = *float64(case, rows, columns), case.arguments["temperature"]

    def products(m: np.ndarray, x: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
        # np.sum adds the temperature's n² terms pairwise; einsum would have an error of n² eps
        return {rows: m @ y, columns: m.T @ x, "temperature": np.sum(m * (x @ y.T))}

    factor = {rows: 1 / tau, columns: 1 / tau, "temperature": -1 / tau**2}
    values, sizes = products(slope[0], x, y), products(slope[1], abs(x), abs(y))
    return {name: (factor[name] * values[name], abs(factor[name]) * sizes[name]) for name in factor}


def over_rows(n: int, *parts: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Add the gradients of all parts to their rows."""
    total = np.zeros((n, parts[0][1].shape[-1]))
    for index, gradient in parts:
        np.add.at(total, index, gradient)
    return total


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
