"""How well a program computes a loss's values: up to a factor and a constant at each batch, with unknown numbers.

The unknown numbers (a temperature, an ε) are sought on a grid and then fitted, with exact slopes.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .inputs import ROWS, count_pairs
from .programs import ADDED, MEASURED, STEP, Numbers, Program

EACH = 3  # points of each spread
STARTS: Mapping[str, Sequence[float]] = {  # where an unknown number is sought
    # from these Gauss and Newton's steps reach any between 0.001 and 20
    "temperature": (0.003, 0.01, 0.1, 0.3, 1, 5),
    "E": (1e-8, 1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.6, 1, 2, 3, 5, 8, 10, 20, 30),
    "E2": (1e-8, 1e-6, 1e-4, 1e-2, 0.3, 1, 5),
    "bias": (-10, -3, 0, 3),
    "beta": (0, 0.5, 1, 2),
    "beta1": (0.1, 0.5, 1),
    "beta2": (0.2, 1),
    "noise": (1e-4, 1e-2, 1),
    "prior": (0.03, 0.1, 0.3),
    "exponent": (1, 2, 3),
    "t": (0.5, 2, 5),
    "weight": (0.005, 0.05, 1),
    "margin": tuple(float(10 ** (k / 8)) for k in range(-12, 13)),  # the kinks of a hinge leave narrow basins
    "epsilon": (1e-4,),
    "invariance": (25,),
    "variance": (25,),
    "covariance": (1,),
    "sigma": (0.3, 0.5, 1),
    "clip": (0.3, 1, 3),
}
SMALL = (1e-8, 1e-6, 1e-4, 1e-2)  # where a number that is added is sought
MIDDLE = {name: starts[len(starts) // 2] for name, starts in STARTS.items()}
GENERIC = {"E": 0.63, "E2": 0.29}  # neither a count nor a share that is special
LEAST = {"E": 1e-9, "E2": 1e-9, "beta2": 0.5}  # at which a program is nearest to one without them
SIGNED = ("bias", "beta", "beta1", "beta2", "prior")  # numbers that may be negative
WEIGHTS = ("invariance", "variance", "covariance", "E")  # of the terms of a sum
STEPS, SOON = 30, 8  # of a fit, at most; after which it must be near
GAIN = 0.8  # a step that leaves more of the sum of squares has come to a minimum
ROUNDED = 1e-11  # a residual that rounding explains at any point
ORDINARY = 0.1  # of the largest value: a smaller one may be 0 whatever changes, as at a cold temperature
NEAR = 1e-3  # a larger residual at some points is not measured at all of them


class Batch(NamedTuple):
    """Points of one size, and the values of a loss there."""

    points: Sequence[Mapping[str, Any]]
    values: np.ndarray
    given: Mapping[str, float] = {}  # numbers that are known there, whatever they are elsewhere


class Fit(NamedTuple):
    """values = scale · program + shift at each batch · residual: relative to how much the values vary."""

    program: Program
    numbers: Mapping[str, float]
    scales: tuple[float, ...]
    shifts: tuple[float, ...]
    residual: float


# --- fitting ------------------------------------------------------------------------------------------------------


def is_sum(program: Program) -> bool:
    """Whether a program is a sum of terms, each with a weight: then its factor is 1."""
    return "invariance" in program.numbers


def is_weight(program: Program, name: str) -> bool:
    """Whether a program is linear in a number."""
    return is_sum(program) and name in WEIGHTS


def is_moved_by_itself(program: Program, name: str) -> bool:
    """Whether a fit moves a number by a step, not by a factor: it may be negative, or a program is linear in it."""
    return name in SIGNED or is_weight(program, name)


@np.errstate(all="ignore")
def solve(phi: np.ndarray, values: np.ndarray, fixed: bool) -> tuple[float, float, float]:
    """scale, 1 if it is fixed, and shift of a straight line through (phi, values), and its relative residual."""
    if not np.all(np.isfinite(phi)):
        return 0.0, float(values.mean()), math.inf
    c, v = phi - phi.mean(), values - values.mean()
    size, most = float(c @ c), float(np.abs(v).max())
    if not size < math.inf or size <= 1e-24 * float(phi @ phi + 1):
        return 0.0, float(values.mean()), math.inf
    scale = 1.0 if fixed else float(c @ v) / size
    shift = float(values.mean() - scale * phi.mean())
    return scale, shift, float(np.abs(v - scale * c).max()) / (most or 1.0)


def fit_at(
    program: Program, batches: Sequence[Batch], numbers: Numbers, every: int = 1, known: bool = False
) -> Fit:
    """The fit with these numbers. known: the weights of a sum are, so that it may have a factor."""
    fixed = is_sum(program) and not known
    lines = []
    for b in batches:
        phi = [program.value(at, {**numbers, **b.given}) for at in b.points[::every]]
        lines.append(solve(np.array(phi), b.values[::every], fixed))
    scales, shifts, residuals = zip(*lines)
    return Fit(program, numbers, scales, shifts, max(r if r == r else math.inf for r in residuals))


def seek(
    program: Program, batches: Sequence[Batch], known: Mapping[str, float], near: Mapping[str, float]
) -> list[Fit]:
    """The fit with the known numbers. The others are sought on a grid, at one point of each spread, around those of
    a program near it if there is one; then by a few steps at one batch, as long as each gains."""
    have = {name: known[name] for name in program.numbers if name in known}
    needed = [name for name in program.numbers if name not in known]
    if not needed:
        first = fit_at(program, batches[:1], have, EACH, known=True)
        return [first if first.residual > NEAR else fit_at(program, batches, have, known=True)]
    starts, one = {name: STARTS[name] for name in needed}, len(needed) == 1
    measured = zip(MEASURED, (r.name for r in program.rewrites if r.numbers))
    starts |= {n: SMALL for n, name in measured if n in needed and name in ADDED}
    if "temperature" in needed and near:
        starts["temperature"] = [1.0, *(k * near["temperature"] for k in ((1, 1 / 3, 3) if one else (1,)))]
    if len(needed) > 2:  # fewer of each
        starts |= {n: (near[n],) for n in needed if n in near and n not in ("temperature", "bias")}
    if len(needed) > 1:
        starts = {n: each[:: 1 + (len(each) > 6)] for n, each in starts.items()}
    if is_sum(program):  # it has too many numbers for a grid; its weights are found in one step
        starts = {n: (MIDDLE[n],) for n in needed}
    sets = [{**have, **dict(zip(needed, x))} for x in product(*starts.values())]
    grid = [fit_at(program, batches[:1], numbers, EACH) for numbers in sets]
    # a bound that all or none of these points exceed has no effect there: the others tell
    grid = [fit_at(program, batches[:1], fit.numbers) if fit.residual <= ROUNDED else fit for fit in grid]
    different = {f"{fit.residual:.6g}": fit for fit in reversed(grid)}
    best = sorted(different.values(), key=lambda fit: fit.residual)[:2]
    moved = [descend(fit, batches[:1], needed, SOON, GAIN) for fit in best]
    return [fit._replace(numbers=numbers, residual=error) for fit, (numbers, error) in zip(best, moved)]


def refine(start: Fit, batches: Sequence[Batch], known: Mapping[str, float]) -> Fit:
    """The best fit near a start, first at one batch; a start that gets no better soon is given up."""
    program = start.program
    needed = [name for name in program.numbers if name not in known]
    numbers, error = descend(start, batches[:1], needed, STEPS)
    if error > NEAR:
        return start._replace(numbers=numbers, residual=error)
    if len(batches) > 1 and len(needed) > 1:
        numbers, _ = descend(start._replace(numbers=numbers), batches[:2], needed, STEPS)
    exact = fit_at(program, batches, numbers)
    # 0.07 in float32 is not 0.07
    meant = fit_at(program, batches, {n: round_if_meant(x) for n, x in numbers.items()})
    return meant if meant.residual <= max(2 * exact.residual, ROUNDED) else exact


@np.errstate(all="ignore")
def descend(
    start: Fit, batches: Sequence[Batch], needed: Sequence[str], steps: int, gain: float = 1.0
) -> tuple[dict[str, float], float]:
    """Gauss and Newton's steps, with exact slopes, and the largest residual then. A positive number is moved by its
    logarithm. gain: a step that leaves more than this share of the sum of squares is the last."""
    program, numbers = start.program, dict(start.numbers)
    damping = 1e-9 if is_sum(program) else 1e-3
    farthest = np.array([math.inf if is_weight(program, n) else 1.5 for n in needed])
    residuals, jacobian = linearise(program, batches, numbers, needed)
    for k in range(steps):
        square = jacobian.T @ jacobian
        ridge = damping * np.diag(np.diag(square)) + 1e-30 * np.eye(len(needed))
        step = np.linalg.lstsq(square + ridge, -jacobian.T @ residuals, rcond=None)[0]
        step = step.clip(-farthest, farthest)
        moved = dict(numbers)
        for n, d in zip(needed, step):
            moved[n] = numbers[n] + d if is_moved_by_itself(program, n) else numbers[n] * math.exp(d)
        there = linearise(program, batches, moved, needed)
        before, after = float(residuals @ residuals), float(there[0] @ there[0])
        if after < before:
            numbers, (residuals, jacobian) = moved, there
            damping = max(damping / 10, 1e-15)
        else:
            damping *= 10
        done = before <= 1e-28 or float(np.abs(step).max()) < 1e-13 or damping > 1e6
        done |= gain * before < after < before
        if done or (k >= SOON and before > 1e-4 and not is_sum(program)):
            break
    return numbers, float(np.abs(residuals).max())


def linearise(
    program: Program, batches: Sequence[Batch], numbers: Mapping[str, float], by: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """The residuals of the best line at each batch, and their slopes by the numbers."""
    off, slopes = [], []
    by_step = [1.0 if is_moved_by_itself(program, n) else numbers[n] for n in by]
    for batch in batches:
        values, points = batch.values[::2], batch.points[::2]
        steps = [{**numbers, **batch.given, n: numbers[n] + STEP * 1j} for n in by]
        runs = [[program.run(at, step) for step in steps] for at in points]
        with np.errstate(all="ignore"):
            phi = np.array([np.real(run[0]) for run in runs])
            scale, shift, _ = solve(phi, values, is_sum(program))
            slope = scale * np.imag(np.array(runs)) / STEP * by_step
            slope -= slope.mean(axis=0)
            if not is_sum(program):  # what a change of the scale takes up
                c = phi - phi.mean()
                slope -= np.outer(c, c @ slope) / (c @ c or 1.0)
            size = float(np.ptp(values)) or 1.0
            off.append((scale * phi + shift - values) / size)
            slopes.append(slope / size)
    found = np.concatenate(off), np.concatenate(slopes)
    return tuple(np.nan_to_num(x, nan=1e3).clip(-1e6, 1e6) for x in found)  # type: ignore[return-value]


def round_if_meant(x: float) -> float:
    """A number of six digits, if it is that up to rounding."""
    short = float(f"{x:.6g}") if abs(x) > 1e-12 else 0.0
    return short if abs(short - x) <= max(1e-8 * abs(x), 1e-12) else x


# --- invariances --------------------------------------------------------------------------------------------------


def list_changes(arrays: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The same point with one change each that may leave a loss as it is: rows of other lengths, a rotation of all
    rows, views exchanged, another order, a constant added to a row of scores."""
    rng, found = np.random.default_rng(3), list[dict[str, Any]]()
    for name, x in arrays.items():
        if name in ROWS:
            found.append({**arrays, name: x * rng.uniform(0.5, 2, (*x.shape[:-1], 1))})
    if rows := set(arrays) & set(ROWS):
        d = arrays[min(rows)].shape[-1]
        turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
        found.append({**arrays, **{name: arrays[name] @ turn for name in rows}})
    if set(arrays) >= {"x", "y"}:
        found.append({**arrays, "x": arrays["y"], "y": arrays["x"]})
    if "scores" in arrays:
        scores = arrays["scores"]
        found.append({**arrays, "scores": scores + rng.uniform(0, 2, (len(scores), 1))})
        if scores.shape[0] == scores.shape[1]:
            found += [{**arrays, "scores": scores.T}, {**arrays, "scores": scores[::-1, ::-1]}]
    elif set(arrays) <= {"x", "y", "p1", "z1", "p2", "z2", "w", "labels", "negative"}:
        order = rng.permutation(count_pairs(arrays))  # the two views of a pair stay in their places
        order = np.concatenate([order, order + len(order)]) if "w" in arrays else order
        found.append({name: x[order] for name, x in arrays.items()})
    return found


def is_changed(before: float, after: float, size: float) -> bool | None:
    """Whether a value has changed; None if rounding or a small number may be the reason."""
    gap = abs(after - before) / size
    return None if 1e-7 < gap < 1e-3 or not gap < math.inf else gap >= 1e-3


@dataclass
class Traits:
    """points: one, and the same with each change · changed: whether the change moves the value of the loss · known:
    numbers that it may have · suited: whether a program suits, once it was asked."""

    points: Sequence[Mapping[str, Any]]
    changed: Sequence[bool | None] = ()
    known: Mapping[str, float] = field(default_factory=dict)
    suited: dict[Program, bool] = field(default_factory=dict)

    def depend_on_lengths(self) -> bool:
        """Whether the value may change if rows are multiplied, which are the first changes."""
        return any(moved is not False for name, moved in zip(self.points[0], self.changed) if name in ROWS)

    def suit(self, program: Program) -> bool:
        """Whether the same changes move the value of a program, at generic numbers or at the known ones."""
        if program not in self.suited:
            generic = MIDDLE | GENERIC
            settings = (generic, {**generic, **self.known})
            self.suited[program] = any(self.suit_at(program, numbers) for numbers in settings)
        return self.suited[program]

    def suit_at(self, program: Program, numbers: Mapping[str, float]) -> bool:
        """Whether the same changes move its value at these numbers; if only its value moves, also at those at which
        it moves least."""
        settings = [numbers] if not set(LEAST) & set(program.numbers) else [numbers, {**numbers, **LEAST}]
        here = [program.value(self.points[0], each) for each in settings]
        if math.isnan(here[0]):
            return False
        for at, moved in zip(self.points[1:], self.changed):
            for each, value in zip(settings, here):
                own = is_changed(value, program.value(at, each), abs(value) + 1e-3)
                if moved is not False or not own:
                    break
            if None not in (own, moved) and own != moved:
                return False
        return True


def measure_traits(
    value: Any, points: Sequence[Mapping[str, Any]], known: Mapping[str, float] = {}
) -> Traits:
    """The changes that leave the value of a loss as it is, at the first point where it is not nearly 0."""
    values = np.array([value(at) for at in points])
    first = points[int(np.argmax(np.abs(values) >= ORDINARY * np.abs(values).max()))]
    every, size = [first, *list_changes(first)], float(np.ptp(values)) or 1.0
    changed = list[bool | None]()
    here = value(every[0])
    for at in every[1:]:
        try:
            changed.append(is_changed(here, value(at), min(size, abs(here) + 1e-3)))
        except Exception:  # it insists on unit rows, or on an order
            changed.append(None)
    return Traits(every, changed, known)
