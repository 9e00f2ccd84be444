"""uniformity: the logarithm of the mean Gaussian kernel of all pairs of rows."""

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp, softmax

from ..case import Case
from .identity import Sides, Terms, at_most, documented, float64, follows
from .shared import rotated


def apart(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where i ≠ j, and z_i − z_j (N, N, d)."""
    return ~np.eye(len(z), dtype=bool), z[:, None] - z[None, :]


def exponents(case: Case) -> np.ndarray:
    """−t ‖z_i − z_j‖² of the ordered pairs (N, N−1)."""
    (z,) = float64(case, "z")
    others, gaps = apart(z)
    return -case.arguments["t"] * np.sum(gaps**2, axis=2)[others].reshape(len(z), -1)


def gradient(case: Case) -> dict[str, Terms]:
    """F20: 4t Σ_j κ_ij (z_j − z_i), κ the softmax of −t ‖z_i − z_j‖² over all ordered pairs."""
    (z,) = float64(case, "z")
    others, gaps = apart(z)
    share = np.zeros(others.shape)
    share[others] = softmax(exponents(case)).ravel()
    scale = 4 * case.arguments["t"]
    values, sizes = (np.einsum("ij,ijf->if", share, x) for x in (-gaps, np.abs(gaps)))
    return {"z": (scale * values, scale * sizes)}


def between_its_bounds(case: Case) -> Iterator[Sides]:
    """F19, R16: the log of a mean is at least the mean of the logs and at most the largest of them; the mean of
    each row's log is at most the log of the mean over all."""
    logs, value = exponents(case), case.value()
    rows = logsumexp(logs, axis=1) - np.log(logs.shape[1])
    largest = np.max(np.abs(logs))
    for lower, upper in ((np.mean(logs), value), (np.mean(rows), value), (value, np.max(logs)), (value, 0.0)):
        yield at_most("z", lower, upper, largest)


def together(case: Case) -> Iterator[Sides]:
    """F20: moving all rows together changes nothing, so that their gradients sum to zero."""
    total = np.sum(case.gradients()["z"], axis=0)
    yield "z", total, np.zeros_like(total), np.sum(documented(case)["z"][1], axis=0)


def homogeneous(case: Case) -> Iterator[Sides]:
    """F19: rows twice as long at a quarter of t have the same loss, and half the gradient."""
    changed = case.at(z=2 * case.arguments["z"], t=case.arguments["t"] / 4)
    yield from follows(case, changed, z=lambda x: x / 2)
    yield "z", changed.value(), case.value(), case.value()


def in_any_order(case: Case) -> Iterator[Sides]:
    """F19: permuting the rows permutes their gradients."""
    yield from follows(case, case.at(z=case.arguments["z"][::-1]), z=lambda x: x[::-1])


def next_to_nothing(case: Case) -> Iterator[Sides]:
    """F19, F20: as t falls the loss tends to −t times the mean squared distance, whose gradient is
    4t (mean − z)/(N−1).
    """
    (z,) = float64(case, "z")
    largest = np.max(np.abs(exponents(case)))
    # the next term of the series is smaller by this factor
    factor = min(1.0, 1e-17 / largest) if largest else 1.0
    small = case.at(t=case.arguments["t"] * factor)
    z = z - z[0]  # exactly 0 if all rows are equal
    slope = -4 * small.arguments["t"] * (z - np.mean(z, axis=0)) / (len(z) - 1)
    yield "z", small.gradients()["z"], slope, documented(small)["z"][1]
    mean = np.mean(exponents(small))
    yield "z", small.value(), mean, mean


IDENTITIES = (between_its_bounds, together, homogeneous, in_any_order, next_to_nothing, rotated)
