"""Is τ the one that was asked for, and the loss the same formula at another temperature and number of features?"""

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .fitting import Batch, Fit, fit_at, refine
from .inputs import ROWS
from .laws import find_factor, is_near
from .naming import AT_ONE, KNOWN, Found, restate
from .programs import MEASURED, Program
from .report import Difference
from .search import COMPARED, draw_batch
from .settings import Setting, find_setting, invert
from .target import SCALES

WARMER = 1.5
MOVED = 0.1  # a step of a learned number, which may be a logarithm
START_OF_CLIP = math.log(1 / 0.07)  # of the logarithm of the scale, which it learns
# the τ that is applied, of the one that was asked for and d features; the names are those of the catalogue
APPLIED: Mapping[str, Callable[[float, float], float]] = {
    "": lambda tau, d: tau,
    "mean over features": lambda tau, d: tau * d,
    "attention scaling": lambda tau, d: tau * d**0.5,
    "temperature twice": lambda tau, d: tau**2,
    "root of temperature": lambda tau, d: tau**0.5,
    "temperature not used": lambda tau, d: 1.0,
    "temperature multiplied": lambda tau, d: 1 / tau,
    "scale not exponentiated": lambda tau, d: -1 / math.log(tau) if 0 < tau < 1 else math.nan,
}
OF_FEATURES = {  # the power of d
    "mean over features": (1.0, "products are means over the features, where sums belong"),
    "attention scaling": (0.5, "products are divided by √d as well"),
}
# at so many times the usual temperature, with so many features: the one that is applied
Measured = Sequence[tuple[float, int, float]]


def refit(found: Found, batch: Batch) -> Fit | None:
    """The program at another temperature, if it is the same; its other fitted number may have another value too."""
    name = found.tau_name
    for free in ([name], [name, *(n for n in found.numbers if n in MEASURED)]):
        known = {n: x for n, x in found.numbers.items() if n not in free}
        for start in (1.0, WARMER, 1 / WARMER, WARMER**2, 7.0, 1 / 7):
            numbers = {**found.numbers, name: found.numbers[name] * start}
            again = refine(Fit(found.program, numbers, (1.0,), (0.0,), 1.0), [batch], known)
            if again.residual <= 1e3 * found.tolerance:
                return again
    return None


def is_factor(found: Found) -> bool:
    """Whether the temperature of the program only multiplies it, so that it cannot be measured."""
    numbers = {**found.numbers, found.tau_name: found.numbers[found.tau_name] * WARMER}
    return fit_at(found.program, [draw_batch(found.way, 4)], numbers).residual <= 1e3 * found.tolerance


class Warm(NamedTuple):
    """The loss at another number of its temperature, `times` as warm · changed: whether it has other values."""

    setting: Setting
    number: float
    times: float
    batch: Batch
    changed: bool


def ask_warmer(found: Found, setting: Setting) -> Warm | None:
    """Ask at a warmer temperature; at a colder one if that is refused or has the same values, as by a clamp."""
    way, warm = found.way, None
    before = draw_batch(way, 4)
    for times in (WARMER, 1 / WARMER):
        number = setting.value(setting.own * times)
        with contextlib.suppress(Exception):  # the loss refuses this temperature
            batch = draw_batch(way.again({setting.name: number}), 4)
            changed = not np.array_equal(batch.values, before.values)
            if changed or not warm:
                warm = Warm(setting, number, times, batch, changed)
            if changed:
                break
    return warm if warm and len(warm.batch.values) == len(before.values) else None


def find_asked(found: Found, meant: Mapping[str, Any], setting: Setting | None, tau: float) -> float | None:
    """The temperature that was asked for: by the caller, by a setting, or by a scale that starts as CLIP's does."""
    if "temperature" in meant:
        return float(meant["temperature"])
    if "t" in meant and "t" in found.numbers:
        return 1 / float(meant["t"])
    for start in found.way.learned().values():
        if is_near(start, START_OF_CLIP, 1e-3) and is_near(start * tau, 1, 1e-6):
            return math.exp(-start)
    return setting.own if setting else None


def judge_temperature(found: Found, meant: Mapping[str, Any]) -> Found:
    """Compare the temperature with the one that was meant, at another temperature and number of features too."""
    way, tau = found.way, found.temperature
    if tau is None or is_factor(found):
        return found
    tolerance = max(found.tolerance, 1e-6)
    setting = find_setting(way, tau, tolerance)
    asked = find_asked(found, meant, setting, tau)
    if setting and "temperature" not in meant:
        if setting.logarithmic:
            way.note(f"{setting.name} is given as its logarithm")
        if setting.value is invert and setting.name not in (*SCALES, "t"):
            way.note(f"{setting.name} multiplies: it is 1/τ")
    own = setting and setting.accepted and is_near(setting.own, asked or 0.0, tolerance)
    warm = ask_warmer(found, setting) if setting and own else None
    again, wide = warm and refit(found, warm.batch), None
    if "temperature" in found.numbers and set(way.arrays) & set(ROWS):
        with contextlib.suppress(Exception):  # it takes no other number of features
            wide = refit(found, draw_batch(way, 4, 2 * way.features))
    fits = ((1.0, 1, found), (1.0, 2, wide), (warm.times if warm else 1.0, 1, again))
    measured = [
        (times, d * way.features, found._replace(numbers=fit.numbers).temperature or math.nan)
        for times, d, fit in fits
        if fit
    ]
    # on unit rows −‖a − c‖² is 2 s − 2: at τ = ½ it has the values of s with τ applied twice
    scores = tuple(r for r in found.program.rewrites if r not in COMPARED)
    plain = Program(found.program.loss, scores)
    other = found._replace(program=plain, numbers={**found.numbers, "temperature": tau / 2})
    moved = asked and not all(is_near(own, times * asked, tolerance) for times, _, own in measured)
    compared = moved and scores != found.program.rewrites
    if compared and all(is_near(other.value(at), found.value(at), 1e-6) for at in way.points(4)):
        return judge_temperature(restate(other, meant), meant)
    law = find_applied(measured, asked, tolerance)
    found = found._replace(by_features=OF_FEATURES.get(law, (0.0, ""))[0])
    told = describe_applied(measured, law, asked, tolerance, warm)
    found = found.add([told] if told else [])
    if not warm or law not in ("", *OF_FEATURES):
        return found
    if again is None:
        where = f"at {warm.setting.name} = {warm.number:g} it is another formula"
        words = f"{where}: not every logit is divided by it, or one twice"
        return found.add([Difference("temperature on one side", words)])
    name = warm.setting.name
    there, here = f"at {name} = {warm.number:g}", f"{warm.setting.given:g}"
    return compare_size(found, again, warm.batch, f"{name} also changes", there, here)


def find_applied(measured: Measured, asked: float | None, tolerance: float) -> str:
    """The law of the applied temperature, or "another temperature": where that is asked for, or always the same."""
    for name, law in APPLIED.items():
        tau = asked or measured[0][2] / law(1.0, measured[0][1])
        if all(is_near(own, law(times * tau, d), tolerance) for times, d, own in measured):
            return name
    taus = [own for *_, own in measured]
    known = asked and is_near(taus[0], asked, tolerance)
    constant = all(is_near(taus[0], own, tolerance) for own in taus)
    return "" if known and not constant else "another temperature"


def describe_applied(
    measured: Measured, law: str, asked: float | None, tolerance: float, warm: Warm | None
) -> Difference | None:
    """How the temperature that is applied differs from the one that was asked for."""
    _, d, tau = measured[0]
    if law in OF_FEATURES:
        shown = OF_FEATURES[law][1] + (f": τ = {tau:.6g} with {d} features" if asked else "")
        return Difference(law, shown, "" if asked or law == "mean over features" else "~")
    if not law or not asked:
        return None
    constant = all(is_near(tau, own, tolerance) for *_, own in measured)
    as_asked = is_near(tau, asked, tolerance)
    name = warm.setting.name if warm else ""
    if warm and constant and (as_asked or law == "another temperature"):
        if warm.changed:
            words = f"{name} changes the loss by a factor alone: τ stays {tau:g}"
        elif as_asked:
            here, there = warm.setting.given, warm.number
            words = f"{name} does not reach the loss: it is the same at {here:g} and at {there:g}"
        else:
            words = f"the temperature is always {tau:.6g}, whatever is passed: {asked:g} was asked for"
            return Difference("temperature fixed", words)
        return Difference("temperature not used", words)
    sentence = KNOWN[law.replace(" ", "_")].sentence + ": " if law in APPLIED else ""
    if law == "temperature multiplied" and name in SCALES:
        sentence = f"similarities are divided by {name}, not multiplied: "
    pairs = ((times * asked, own) for times, _, own in measured)
    given, own = next(pair for pair in pairs if not is_near(*pair, tolerance))
    return Difference(law, f"{sentence}τ = {own:.6g}, where {given:g} was asked for")


def compare_size(found: Found, again: Fit, batch: Batch, what: str, there: str, here: str) -> Found:
    """Whether the loss has the size at another temperature that its factor's law says."""
    moved, at = found._replace(numbers=again.numbers), batch.points[0]
    times = again.scales[0] / moved.scale(at)
    if is_near(times, 1, 1e-4) or math.isnan(times):
        return found
    if found.factor:  # at one temperature it may look like another one, as 2 at τ = 1 is 2τ
        scales, facts = (found.scale(at), again.scales[0]), (found.facts(at), moved.facts(at))
        law = find_factor(found.program, scales, facts, 1e-6)
        if law and law.known:
            other = tuple(d for d in found.differences if d.mistake != found.factor.name)
            told = Difference(law.name, law.sentence, "=")
            return found._replace(factor=law, differences=(*other, told))
    words = f"{what} the size of the loss: {there} it is {times:.6g} times the loss"
    words += f"{':' if 'also' in what else ', and'} right at {here} alone"
    return found.add([Difference(AT_ONE, words, "=")])


def judge_learned(found: Found) -> Iterator[Difference]:
    """Check that no number that a PyTorch module learns multiplies the loss."""
    for name, here in found.way.learned().items() if found.temperature is not None else ():
        with found.way.learning(name, here + MOVED):
            batch = draw_batch(found.way, 4)
        if again := refit(found, batch):
            what, there = f"{name}, which is learned, changes", f"at {here + MOVED:g}"
            moved = compare_size(found, again, batch, what, there, f"{here:g}")
            yield from moved.differences[len(found.differences) :]
