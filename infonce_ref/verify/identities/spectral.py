"""spectral: products of pairs, and squared products of all non-pairs."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, at_most, documented, float64, sum_products, weight
from .shared import turned


def scores(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """S_ij of pairs (B,), and of all non-pairs (B, B), 0 on the diagonal."""
    products = np.einsum("if,jf->ij", *float64(case, "z1", "z2"))
    pairs = np.diag(products).copy()
    np.fill_diagonal(products, 0)
    return pairs, products


def gradient(case: Case) -> dict[str, Terms]:
    """F8: −2 z'_k/B + 2 Σ_{j≠k} S_kj z'_j/(B(B−1)), and likewise with the views exchanged."""
    z1, z2 = float64(case, "z1", "z2")
    others, scale = 1 - np.eye(len(z1)), 2 * weight(case, len(z1))
    found = {}
    for name, x, y in (("z1", z1, z2), ("z2", z2, z1)):
        push, size = sum_products("kf,jf,kj,jg->kg", x, y, others / (len(x) - 1), y)
        found[name] = scale * (push - y), scale * (size + np.abs(y))
    return found


def exchanged(case: Case) -> Iterator[Sides]:
    """F7: exchanging the views leaves the loss unchanged and exchanges the gradients."""
    here, sizes = case.gradients(), documented(case)
    other = case.at(z1=case.arguments["z2"], z2=case.arguments["z1"]).gradients()
    for name, partner in (("z1", "z2"), ("z2", "z1")):
        yield name, other[partner], here[name], sizes[name][1]


def rotated(case: Case) -> Iterator[Sides]:
    """R11: rotating the features of both views rotates the gradients, because the loss depends only on inner
    products.
    """
    yield from turned(case)


def by_scale(case: Case) -> Iterator[Sides]:
    """F7, F8: ⟨z, ∂𝓛/∂z⟩ is the same for both views: the pulls once, plus twice the pushes, which are squares."""
    pairs, others = scores(case)
    scale = weight(case, len(pairs))
    pushes = 2 * np.sum(others**2) / (len(pairs) - 1)
    expected = scale * (pushes - 2 * np.sum(pairs))
    here, sizes = case.gradients(), documented(case)
    for name in ("z1", "z2"):
        (z,) = float64(case, name)
        yield name, np.sum(z * here[name]), expected, np.sum(np.abs(z) * sizes[name][1])


def opposite(case: Case) -> Iterator[Sides]:
    """F8: negating one view changes the sign of each pull but not of each push, which separates the two."""
    flipped = case.at(z1=-case.arguments["z1"])
    here, there, sizes = case.gradients(), flipped.gradients(), documented(case)
    z1, z2 = float64(case, "z1", "z2")
    pull = -4 * weight(case, len(z1))
    for name, other, sign in (("z1", z2, 1), ("z2", z1, -1)):
        yield name, here[name] + sign * there[name], pull * other, 2 * sizes[name][1]


def at_least(case: Case) -> Iterator[Sides]:
    """F7, R11: the loss is at least −2 times the mean score of the pairs."""
    pairs, _ = scores(case)
    z1, z2 = map(np.abs, float64(case, "z1", "z2"))
    scale, value = weight(case, len(pairs)), case.value()
    yield at_most("z1", -2 * scale * np.sum(pairs), value, 2 * scale * np.sum(z1 * z2) + abs(value))


IDENTITIES = (exchanged, rotated, by_scale, opposite, at_least)
