"""Fit a formula's temperature, second parameter, scale and shift to measured values.

    minimise Σ_k w_k² (y_k − scale φ_k(t, e) − shift)²,   w_k = 1 / (1 + t · range of s at point k)

scale and shift enter linearly and are solved for at each t and e. A grid over log t (and e) finds the basin,
Gauss-Newton the minimum in it. For the right formula the residual is rounding error, and t is equally accurate. The
weights give large values at cold temperatures and small ones at warm temperatures the same size.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .features import BESIDE_ROWS
from .formula import Formula, Places, places_of, similarities, total
from .heads import HEADS
from .inputs import stack

INVERSE_TEMPERATURES = np.geomspace(1e-3, 2e3, 41)
COARSE = 2  # every second point is enough to find the basin
SEMIFINALISTS, FINALISTS = 100, 30
# Stop when a step reduces the sum of squares by less than this share: t then moves by about 3e-5 = √1e-9 of
# the change that would double the sum.
NOTICEABLE = 1e-9
SMALL = 1e-2
EXACT = 1e-9  # the residual of a formula that fits to rounding
BASINS = 6
# the largest t that is tried: with a larger one only the similarity with itself counts
FURTHEST = np.log(1e-4), np.log(5e3)


class Fit(NamedTuple):
    """The best fit of a formula: t, e (0 if it has none), scale, shift, and the residual relative to how much the
    values vary."""

    formula: Formula
    t: float
    e: float
    scale: float
    shift: float
    residual: float


class Measured:
    """Values of a loss at many points of one size, and what the formulas need to know of these points."""

    def __init__(self, many: Sequence[Mapping[str, Any]], values: np.ndarray):
        self.arrays, self.values = stack(many), values
        self._similarities: dict[tuple[str, str], np.ndarray] = {}
        self._places: dict[tuple[str, str], Places] = {}

    def places(self, formula: Formula) -> Places:
        key = formula.positive, formula.rows
        if key not in self._places:
            self._places[key] = places_of(formula, self.arrays)
        return self._places[key]

    def similarities(self, formula: Formula) -> np.ndarray:
        key = formula.rows, formula.similarity
        if BESIDE_ROWS.keys() & dict(formula.numbers).keys():
            return similarities(formula, self.arrays, self.arrays)
        if key not in self._similarities:
            self._similarities[key] = similarities(formula, self.arrays, self.arrays)
        return self._similarities[key]

    def phi(self, formula: Formula, t: np.ndarray, e: np.ndarray, every: int = 1) -> np.ndarray:
        """φ (len(t), points)."""
        s = self.similarities(formula)[::every]
        shape = (-1, *(1,) * s.ndim)
        with np.errstate(all="ignore"):
            found = total(formula, s[None], self.places(formula), t.reshape(shape), e.reshape(shape))
        return np.broadcast_to(found, (len(t), len(s)))

    def weights(self, formula: Formula, t: np.ndarray, every: int = 1) -> np.ndarray:
        s = self.similarities(formula)[::every]
        spread = np.ptp(s, axis=(-2, -1))
        return 1 / (1 + (t if formula.tempered else np.ones_like(t))[:, None] * spread)


def solve(
    phi: np.ndarray, values: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """scale, shift and relative residual of each row of φ."""
    w = weights**2 / np.sum(weights**2, axis=1, keepdims=True)
    with np.errstate(all="ignore"):  # a formula that overflows does not fit
        mean, mean_y = np.sum(w * phi, axis=1, keepdims=True), np.sum(w * values, axis=1, keepdims=True)
        centred, centred_y = phi - mean, values - mean_y
        variance = np.sum(w * centred**2, axis=1)
        scale = np.sum(w * centred * centred_y, axis=1) / np.where(variance > 0, variance, 1)
        left = centred_y - scale[:, None] * centred
        size = np.sum(w * centred_y**2, axis=1)
        residual = np.sqrt(np.sum(w * left**2, axis=1) / np.where(size > 0, size, 1))
        flat = ~np.isfinite(residual) | (variance == 0)
        return scale, mean_y[:, 0] - scale * mean[:, 0], np.where(flat, np.inf, residual)


class Start(NamedTuple):
    """A starting point of Gauss-Newton, and the residual there."""

    residual: float
    order: int
    formula: Formula
    t: float
    e: float


def starts(order: int, formula: Formula, measured: Measured) -> list[Start]:
    """Find the best t of the grid for each e."""
    head = HEADS[formula.head]
    t = INVERSE_TEMPERATURES if head.tempered else np.ones(1)
    e = np.asarray(head.grid) if head.second else np.zeros(1)
    residual = residuals(formula, measured, *(x.ravel() for x in np.meshgrid(t, e))).reshape(len(e), len(t))
    if not head.tempered:  # one basin
        i = int(np.argmin(residual))
        return [Start(float(residual[i, 0]), order, formula, 1.0, float(e[i]))]
    best = np.argmin(residual, axis=1)
    return [
        Start(float(residual[i, k]), order, formula, float(t[k]), float(e[i])) for i, k in enumerate(best)
    ]


def residuals(formula: Formula, measured: Measured, t: np.ndarray, e: np.ndarray) -> np.ndarray:
    """Compute the residuals at many t and e, from some of the points."""
    phi = measured.phi(formula, t, e, COARSE)
    return solve(phi, measured.values[::COARSE], measured.weights(formula, t, COARSE))[2]


def refine_start(start: Start, measured: Measured) -> Start:
    """Refine t between its neighbours on the grid."""
    if not start.formula.tempered:
        return start
    step = np.log(INVERSE_TEMPERATURES[1] / INVERSE_TEMPERATURES[0])
    for _ in range(2):
        t = start.t * np.exp(np.linspace(-step, step, 17))
        residual = residuals(start.formula, measured, t, np.full(len(t), start.e))
        k = int(np.argmin(residual))
        start = start._replace(residual=float(residual[k]), t=float(t[k]))
        step /= 8
    return start


def replace_numbers(formula: Formula, logarithms: np.ndarray) -> Formula:
    """Return the formula with other numbers, given by their logarithms."""
    values = np.exp(np.clip(logarithms, -60, 3))
    return formula._replace(
        numbers=tuple((name, float(x)) for (name, _), x in zip(formula.numbers, values, strict=True))
    )


def refine(formula: Formula, measured: Measured, t: float, e: float) -> Fit:
    """Gauss-Newton from a point of the grid, each step halved until the residual falls; further numbers of the
    formula enter by their logarithms.
    """
    head = HEADS[formula.head]
    count = 2 + len(formula.numbers)
    free = [head.tempered, head.second is not None, *(True for _ in formula.numbers)]
    point = np.array([np.log(t), e, *(np.log(x) for _, x in formula.numbers)])
    weights = measured.weights(formula, np.array([t]))[0]
    norm = weights / np.sqrt(np.sum(weights**2))

    def misfit(points: np.ndarray) -> np.ndarray:
        """w (y − scale φ − shift) at each point."""
        if formula.numbers:
            phi = np.concatenate(
                [measured.phi(replace_numbers(formula, p[2:]), np.exp(p[:1]), p[1:2]) for p in points]
            )
        else:
            phi = measured.phi(formula, np.exp(points[:, 0]), points[:, 1])
        scale, shift, _ = solve(phi, measured.values, np.tile(weights, (len(points), 1)))
        return norm * (measured.values - scale[:, None] * phi - shift[:, None])

    axes = [i for i in range(count) if free[i]]
    here = misfit(point[None])[0]
    for _ in range(40 if axes else 0):
        # φ is nearly linear in a small e, and the effect of a small step would be lost in rounding
        small = abs(point[1]) < SMALL
        steps = np.full(count, 1e-3)
        steps[:2] = 1e-6, 0.05 * abs(point[1]) + 1e-9 if small else 1e-6 * abs(point[1])
        ahead = np.array([point + steps * (np.arange(count) == i) for i in axes])
        behind = np.array([point - steps * (np.arange(count) == i) for i in axes])
        slopes = (misfit(ahead) - misfit(behind)) / (2 * steps[axes][:, None])
        if not np.all(np.isfinite(slopes)):
            break
        step = np.zeros(count)
        step[axes] = -np.linalg.lstsq(slopes.T, here, rcond=None)[0]
        most = np.array([0.5, np.inf] + [2.0] * (count - 2))
        step = np.clip(step, -most, most)
        ladder = point + step * 0.5 ** np.arange(12)[:, None]
        ladder[:, 0] = np.clip(ladder[:, 0], *FURTHEST)
        tried = misfit(ladder)
        sizes = np.where(np.isfinite(tried).all(1), np.sum(tried**2, axis=1), np.inf)
        best = int(np.argmin(sizes))
        before = np.sum(here**2)
        if sizes[best] < before:
            point, here = ladder[best], tried[best]
        if not sizes[best] < (1 - NOTICEABLE) * before:
            break
    t, e = float(np.exp(point[0])), float(point[1])
    return fit_at(replace_numbers(formula, point[2:]) if formula.numbers else formula, measured, t, e)


def fit_at(formula: Formula, measured: Measured, t: float, e: float) -> Fit:
    """The fit at fixed t and e."""
    phi = measured.phi(formula, np.array([t]), np.array([e]))
    scale, shift, residual = solve(phi, measured.values, measured.weights(formula, np.array([t])))
    return Fit(formula, t, e, float(scale[0]), float(shift[0]), float(residual[0]))


def fit_nearest(formulas: Iterable[Formula], measured: Measured) -> list[Fit]:
    """Return the nearest formulas, each with its best fit."""
    tried = sorted(start for i, f in enumerate(formulas) for start in starts(i, f, measured))
    near = sorted(refine_start(start, measured) for start in tried[:SEMIFINALISTS])
    found = [refine(start.formula, measured, start.t, start.e) for start in near[:FINALISTS]]
    if not any(each.residual <= EXACT for each in found):
        biased = dict.fromkeys(start.formula for start in tried if start.formula.second == "bias")
        found += [refine(f, measured, *start) for f in biased for start in basins(f, measured)]
    return found


def basins(formula: Formula, measured: Measured) -> list[tuple[float, float]]:
    """Find starting values of t and a bias: the lowest points of a grid over both. A large bias at a low
    temperature has a narrow basin, which the grid of `starts` misses, as does Gauss-Newton from a wrong bias.
    """
    t, e = np.geomspace(1e-2, 2e2, 61), np.arange(-16, 16.5)
    residual = residuals(formula, measured, *(x.ravel() for x in np.meshgrid(t, e))).reshape(len(e), len(t))
    around = np.lib.stride_tricks.sliding_window_view(np.pad(residual, 1, constant_values=np.inf), (3, 3))
    lowest = np.argwhere((residual <= around.min(axis=(-1, -2))) & np.isfinite(residual))
    order = sorted(map(tuple, lowest), key=lambda place: residual[place])
    return [(float(t[k]), float(e[i])) for i, k in order[:BASINS]]
