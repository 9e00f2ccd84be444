"""Measure the parameters of a loss that has no formula, only a text: weights by least squares, a
temperature by Gauss-Newton."""

from collections.abc import Callable, Mapping

import numpy as np

from ..losses import ALL
from ..mistakes import Entry
from . import inputs
from .asking import Way
from .identification import SIZES, round_temperature, round_to_intended

Compute = Callable[[Mapping[str, float]], np.ndarray]
OF_VIEWS = ("variance", "covariance")
EPSILONS = (1e-4, 1e-5, 1e-6, 1e-3, 1e-8)
TEMPERATURES = np.geomspace(0.01, 10, 34)  # two Gauss-Newton steps of 0.1 in log τ lead from each to the next
EXACT = 1e-9  # relative tolerance of a measured number


def measure_numbers(entry: Entry, way: Way, names: list[str]) -> dict[str, float]:
    """Find the numbers with which the catalogue's loss equals this one, if they can be measured; names: of
    its arrays.
    """
    many = inputs.points(way.world, SIZES[0], each=2)
    pack = inputs.WAYS[entry.inputs].pack
    packed = [dict(zip(names, pack(point))) for point in many]
    values = np.array([way.value(point) for point in many])

    def compute(numbers: Mapping[str, float]) -> np.ndarray:
        return np.array([float(ALL[entry.loss].forward(**arrays, **numbers)[0]) for arrays in packed])

    if entry.loss == "vicreg":

        def of_view(k: int, numbers: Mapping[str, float]) -> np.ndarray:
            """The terms of one view alone."""
            alone = (dict.fromkeys(names, arrays[names[k]]) for arrays in packed)
            return np.array([float(ALL[entry.loss].forward(**each, **numbers)[0]) / 2 for each in alone])

        return measure_weights(compute, of_view, values)
    if entry.parameters[len(names) :] == ["temperature"]:
        return measure_temperature(compute, values)
    return {}


def measure_weights(
    compute: Compute, of_view: Callable[[int, Mapping[str, float]], np.ndarray], values: np.ndarray
) -> dict[str, float]:
    """Measure VICReg's weights and its ε, with the usual margin of 1; those of each view only if they differ."""
    names = ("invariance", *(f"{term} of view {k}" for term in OF_VIEWS for k in (1, 2)))
    zero = dict.fromkeys(("invariance", *OF_VIEWS), 0.0)
    best: tuple[float, dict[str, float]] = (np.inf, {})
    for epsilon in EPSILONS:
        fixed = {**zero, "margin": 1.0, "epsilon": epsilon}
        columns = [compute({**fixed, "invariance": 1.0})]
        columns += [of_view(k, {**fixed, term: 1.0}) for term in OF_VIEWS for k in (0, 1)]
        weights = np.linalg.lstsq(np.stack(columns, axis=1), values)[0]
        error = float(np.max(np.abs(np.stack(columns, axis=1) @ weights - values)))
        # a weight of 0 may come out negative, by rounding
        if np.all(weights >= -EXACT) and error < best[0]:
            found = {n: round_to_intended(float(w), EXACT) for n, w in zip(names, weights)}
            best = error, {**found, **{n: fixed[n] for n in ("margin", "epsilon")}}
    error, found = best
    for term in OF_VIEWS if found else ():
        first, second = (found[f"{term} of view {k}"] for k in (1, 2))
        found[term] = (first + second) / 2
        # unlike, and no accident of a fit of another loss
        if abs(first - second) <= EXACT * max(1.0, first, second) or error > EXACT * np.max(np.abs(values)):
            del found[f"{term} of view 1"], found[f"{term} of view 2"]
    return found


def measure_temperature(compute: Compute, values: np.ndarray) -> dict[str, float]:
    """Measure the temperature alone."""

    def misfit(logarithm: float) -> np.ndarray:
        return compute({"temperature": float(np.exp(logarithm))}) - values

    x, size = min(np.log(TEMPERATURES), key=lambda y: np.sum(misfit(y) ** 2)), np.inf
    # otherwise the residual is rounding already, or no temperature fits
    while (now := np.sum((off := misfit(x)) ** 2)) < size / 2:
        size = now
        slope = (misfit(x + 1e-6) - misfit(x - 1e-6)) / 2e-6
        x -= float(np.clip(slope @ off / (slope @ slope), -0.1, 0.1))
    return {"temperature": round_temperature(float(np.exp(x)))}
