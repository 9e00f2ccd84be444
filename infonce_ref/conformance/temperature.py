"""Which setting of a loss is its temperature, how the loss takes it, and whether another is as right."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from . import fit, inputs, names
from .asking import Way
from .formula import Formula
from .heads import HEADS, KERNEL
from .identification import CLAMPS, SIZES, TOLERANCES, Nearest, choose_side
from .learned import list_learned
from .names import Difference, Found
from .target import SCALES, TEMPERATURES, accepts, collect_settings

AMBIGUOUS = ("t", "scale")  # names of a temperature that others give to a weight or a count
WARMER = 1.5
MOVED = 0.1  # a step of a learned number, which may be a logarithm
AT_ONE = "right at one temperature"
FURTHER = (1.0, 3.0, 9.0, 27.0, 81.0, 243.0)  # times the logits of the usual points
LARGEST = 700.0  # logits whose exponential float64 holds


class Setting(NamedTuple):
    """A number that the loss was given · own: the τ that it means · value: the number to pass for another τ ·
    logarithmic: whether it is a logarithm · accepted: whether it can be passed, and is not only stored.
    """

    name: str
    given: float
    own: float
    value: Callable[[float], float]
    logarithmic: bool = False
    accepted: bool = True


def find_setting(nearest: Nearest) -> Setting | None:
    """Return the setting with the name of a temperature that explains the temperature of the formula, or the first
    with such a name that does not only multiply the loss, or None.
    """
    found = nearest.found
    if found is None or not found.temperature:
        return None
    every = list(list_settings(nearest, found))
    tolerance = max(found.tolerance, 1e-6)
    exact = (one for one in every if names.is_near(abs(found.temperature), one.own, tolerance))
    plain = (one for one in every if not one.logarithmic and not is_weight(nearest, one))
    return next(exact, None) or next(plain, None)


def is_weight(nearest: Nearest, setting: Setting) -> bool:
    """Whether the loss is proportional to a setting whose name may be that of a weight."""
    if setting.name not in AMBIGUOUS or not setting.accepted:
        return False
    many = inputs.points(nearest.way.world, SIZES[0])
    before = np.array([nearest.way.value(point) for point in many])
    try:
        doubled = nearest.way.given({setting.name: 2 * setting.given})
        after = np.array([doubled.value(point) for point in many])
    except Exception:  # it refuses this number
        return False
    return bool(np.allclose(after, 2 * before, rtol=1e-6, atol=0))  # of float32, with some digits to spare


def list_settings(nearest: Nearest, found: Found) -> Iterator[Setting]:
    """Every setting with the name of a temperature: as τ, or as 1/τ if it is a scale or the t of a kernel; then as
    the logarithm of either.
    """
    session = nearest.way.session
    given = collect_settings(session.target, session.function)
    of_kernel = HEADS[found.formula.head].base == KERNEL
    for name in (*TEMPERATURES, *SCALES):
        x = given.get(name)
        if not isinstance(x, int | float):
            continue
        passed = accepts(session.target, name)
        if x > 0:
            inverse = name in SCALES or (name == "t" and of_kernel)
            # a τ above 1 may multiply; a scale that divides is a mistake
            either = [not inverse] * (name in TEMPERATURES and (x > 1 or name in AMBIGUOUS))
            for multiplies in (inverse, *either):
                own, value = (1 / x, invert) if multiplies else (x, float)
                yield Setting(name, x, own, value, accepted=passed)
        if abs(x) < 50:
            yield Setting(name, x, math.exp(-x), lambda tau: -math.log(tau), True, passed)
            yield Setting(name, x, math.exp(x), math.log, True, passed)


def invert(x: float) -> float:
    return 1 / x


def judge_temperature(nearest: Nearest) -> Iterator[Difference]:
    """Check that the loss at another temperature is the same formula, with that temperature."""
    found, way, setting = nearest.found, nearest.way, find_setting(nearest)
    if found is None or not found.temperature or not setting or not setting.accepted:
        return
    name, here = setting.name, setting.given
    many = inputs.points(way.world, SIZES[0])
    before = [way.value(arrays) for arrays in many]
    # the other way if it is the same at the first, as where it is clamped
    for ratio in (WARMER, 1 / WARMER):
        there = setting.value(setting.own * ratio)
        try:
            asked = way.given({name: there})
            values = np.array([asked.value(arrays) for arrays in many])
        except Exception:  # the loss refuses this temperature
            if ratio == WARMER:
                return
            break
        if not np.array_equal(values, before):
            break
    if not np.all(np.isfinite(values)):
        return
    if np.array_equal(values, before):
        there = setting.value(setting.own * WARMER)
        words = f"{name} does not reach the loss: it is the same at {here:g} and at {there:g}"
        yield Difference("temperature not used", words)
        return
    again = refit(found, fit.Measured(many, values))
    if again.residual > 1e3 * TOLERANCES[nearest.precision]:
        words = f"at {name} = {there:g} it is another formula: not every logit is divided by it, or one twice"
        yield Difference("temperature on one side", words)
        return
    # the loss is the formula at a temperature proportional to this power of τ
    power = -np.log(abs(again.t) * abs(found.temperature)) / np.log(ratio)
    if abs(power - 2) < 1e-3:
        yield Difference(
            "temperature twice", f"the temperature is applied twice: τ grows as the square of {name}"
        )
    elif abs(power - 0.5) < 1e-3:
        yield Difference(
            "root of the temperature", f"the root of the temperature is applied: τ grows as √{name}"
        )
    elif abs(power) < 1e-6:
        yield Difference(
            "temperature not used",
            f"{name} changes the loss by a factor alone: τ stays {found.temperature:g}",
        )
    elif not names.is_near(times := compare_size(found, again, many), 1, 1e-4):
        words = f"at {name} = {there:g} it is {times:.6g} times the loss: right at {here:g} alone"
        yield Difference(AT_ONE, f"{name} also changes the size of the loss: {words}")


def compare_size(found: Found, again: fit.Fit, many: list[dict]) -> float:
    """How many times as large the loss is at another temperature, beside what its formula says."""
    count = names.counts(found.formula, fit.Measured(many, np.zeros(len(many))).places(found.formula))
    return again.scale * count.get(found.reduction.law, 1.0) / found.reduction.factor


def judge_learned(nearest: Nearest) -> Iterator[Difference]:
    """Check that no number that a PyTorch module learns multiplies the loss."""
    found, way = nearest.found, nearest.way
    if found is None:
        return
    many = inputs.points(way.world, SIZES[0])
    for name, number in list_learned(way.session):
        kept = number.data
        try:
            number.data = kept + MOVED
            values = np.array([way.value(arrays) for arrays in many])
        finally:
            number.data = kept
        again = refit(found, fit.Measured(many, values)) if np.all(np.isfinite(values)) else None
        if again is None or again.residual > 1e3 * TOLERANCES[nearest.precision]:
            continue
        if not names.is_near(times := compare_size(found, again, many), 1, 1e-4):
            there, here = float(kept) + MOVED, float(kept)
            words = f"at {there:g} it is {times:.6g} times the loss, and right at {here:g} alone"
            yield Difference(AT_ONE, f"{name}, which is learned, changes the size of the loss: {words}")


def judge_far(nearest: Nearest) -> Iterator[Difference]:
    """Ask for logits of larger and larger size, by longer rows, larger scores or a colder temperature, until they
    leave the bounds of a clamp, if there is one.
    """
    found, way, setting = nearest.found, nearest.way, find_setting(nearest)
    if found is None or found.formula.head != "cross-entropy" or found.formula.numbers:
        return
    longer = way.unit or found.formula.rows == "given"
    if not longer and not (setting and setting.accepted):
        return

    def ask(times: float) -> Way:
        return (
            way
            if longer or setting is None
            else way.given({setting.name: setting.value(setting.own / times)})
        )

    formula, way = found.formula._replace(rows="given" if longer else "unit"), way._replace(unit=False)
    many, limit = inputs.points(way.world, SIZES[0]), 1e3 * TOLERANCES[nearest.precision]
    for times in FURTHER:
        t = found.inverse * (1 if longer else times)
        there = [stretch(point, times, formula.similarity) for point in many] if longer else many
        try:
            asked = ask(times)
            values = np.array([asked.value(point) for point in there])
        except Exception:  # the loss refuses them
            return
        measured = fit.Measured(there, values)
        largest = t * np.max(np.abs(measured.similarities(formula)))
        if largest > LARGEST or not np.all(np.isfinite(values)):
            return
        if fit.fit_at(formula, measured, t, 0.0).residual > limit:
            clamps = (fit_clamp(formula._replace(head=head), measured, t, largest) for head in CLAMPS)
            # at the temperature that was asked: another one is none, or is bounded itself
            clamp = next((c for c in clamps if c.residual <= limit and names.is_near(c.t, t, 1e-6)), None)
            if clamp is not None:
                head = HEADS[choose_side(asked, clamp, there)]
                words = f"{head.words} (bound = {clamp.e:.6g})"
                when = "" if longer else f"when colder, as at τ = {1 / t:.3g}, "
                yield Difference(head.mistake if longer else AT_ONE, when + words)
            return


def fit_clamp(formula: Formula, measured: fit.Measured, t: float, largest: float) -> fit.Fit:
    """The best bound at a known temperature."""
    grid = np.geomspace(largest / 300, largest, 100)
    start = min((fit.fit_at(formula, measured, t, float(e)) for e in grid), key=lambda each: each.residual)
    return fit.refine(formula, measured, t, start.e)


def stretch(point: inputs.Arrays, times: float, similarity: str) -> dict[str, np.ndarray]:
    """The same point with similarities so many times as large."""
    by = times if "scores" in point or similarity == "distance" else times**0.5
    return {name: x * by if x.dtype.kind == "f" else x for name, x in point.items()}


def measure_features(nearest: Nearest) -> Nearest:
    """Measure by which power of the number of features the temperature grows."""
    found, way = nearest.found, nearest.way
    if found is None or not found.temperature or way.world.startswith("scores"):
        return nearest
    many = inputs.points(way.world, SIZES[0], features=2 * inputs.FEATURES)
    try:
        again = refit(found, fit.Measured(many, np.array([way.value(arrays) for arrays in many])))
    except Exception:  # it takes no other number of features
        return nearest
    power = -math.log2(abs(again.t * found.temperature))
    is_other = again.residual > 1e3 * TOLERANCES[nearest.precision]
    power = next((p for p in OF_FEATURES if not is_other and abs(power - p) < 1e-3), 0.0)
    return nearest._replace(found=found._replace(by_features=power))


OF_FEATURES = {
    1.0: ("mean over the features", "products are means over the features, where sums belong"),
    0.5: ("divided by √d", "products are divided by √d as well"),
}


def refit(found: Found, measured: fit.Measured) -> fit.Fit:
    """Refit the same formula at another temperature; its second number may scale with the temperature, or
    inversely.
    """
    fits = fit.fit_nearest([found.formula], measured)
    if found.second:
        starts = [found.second * WARMER**k for k in (-1, 1)]
        fits += [fit.refine(found.formula, measured, fits[0].t, e) for e in starts]
    return min(fits, key=lambda each: each.residual)
