"""Is it the same formula elsewhere: at another temperature, at other batches, where a row is alone in its class?

A loss that is right at the points at which it was identified may still be another loss where it is used.
"""

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from ..catalogue import MISTAKES, load
from ..targets import describe_error
from . import reading
from .fitting import Batch, Fit, fit_at, refine
from .gradient import KNOWN, tell
from .inputs import ROWS, by_columns, normalise
from .laws import find_factor, is_near
from .naming import (
    AT_ONE,
    COMPARED,
    ELSEWHERE,
    EXACT,
    NEAR,
    Difference,
    Found,
    Setting,
    Unknown,
    count_rewrites,
    describe_fit,
    draw_batch,
    find_setting,
    invert,
    list_bases,
    restate,
    rewrite_to_fit,
)
from .programs import ADDED, EVERY, MEASURED, Program
from .strangers import FITS_NOT, OF_FEATURES_ALONE, Stranger, list_batches
from .target import SCALES, describe_held, find_missing

WARMER = 1.5
MOVED = 0.1  # a step of a learned number, which may be a logarithm
OPPOSITE = "opposite rows of length 1"  # where Huber's loss is not half of a square
SINGLE = 3e-7  # relative: what a constant in float32 explains
PART = 0.02  # relative: half precision in a part of the loss changes an ordinary value by less
FURTHER = (1.0, 3.0, 9.0, 27.0, 81.0, 243.0)  # times the logits of the usual points
LARGEST = 700.0  # logits whose exponential float64 holds
ROUNDING, SEEN, TRIES = 1e-13, 1e-6, 4  # a step of rounding, and a jump that it does not explain
# labels of 64 bits, no two alike; none above 0, as a loss may make room for all labels up to the largest
FAR = (0, -(2**8), -(2**16), -(2**32), -(2**32) - 1)
NARROW = ("int8", "int16", "int32", "float16", "float32")  # dtypes in which some of these are alike
CLAMPS = {r.name for r in EVERY if "clamped" in r.name}


@np.errstate(all="ignore")
def examine(found: Found | Unknown, meant: Mapping[str, Any]) -> Found | Unknown:
    """Ask the loss elsewhere; return what was found with every difference that shows there."""
    if isinstance(found, Unknown):
        return explain(found)
    found = judge_temperature(judge_invariance(found), meant)
    found = judge_opposite(judge_shared(found), meant)
    for probe in (judge_lengths, judge_learned, judge_far, judge_sequences, judge_mask):
        try:
            found = add(found, probe(found))
        except Exception as error:  # a user's code may raise anything
            found.way.notes[f"not asked elsewhere: it raises {describe_error(error)}"] = None
    if meant.get("reduction") == "none":
        found = add(found, judge_entries(found))
    for probe in (judge_batches, judge_labels, judge_dtypes, judge_layout):
        if not any(d.mistake == ELSEWHERE for d in found.differences):
            found = add(found, probe(found))
    return found


def add(found: Found, more: Iterable[Difference]) -> Found:
    """What was found with more differences, each with the claim and the links that the catalogue has of it."""
    told, loss, new = {d.mistake for d in found.differences}, found.program.loss, list[Difference]()
    for d in (d for d in more if d.mistake not in told):
        known = (m for m in MISTAKES if m.name == d.mistake.replace(" ", "_") and Program(loss, (m,)).applies)
        new += [next((tell(m, loss)._replace(sentence=d.sentence, kind=d.kind) for m in known), d)]
    return found._replace(differences=(*found.differences, *new))


@contextlib.contextmanager
def noting_refusal(way: Stranger, where: str) -> Iterator[None]:
    """Note inputs that the loss does not take, and leave the block."""
    try:
        yield
    except Exception as error:
        way.notes[f"not asked with {where}: it raises {describe_error(error)}"] = None


def measure_error(value: float, right: float) -> float:
    """How far a value is from the right one, relative to one more than its size."""
    return abs(value - right) / (abs(right) + 1)


def tolerance_of(found: Found) -> float:
    return max(SINGLE, 100 * found.tolerance, 100 * found.residual)


def differ(found: Found, where: str) -> Difference:
    """It is the formula at the usual points, and not there."""
    return Difference(ELSEWHERE, f"{found.loss} at 4 and 6 pairs, and not the same formula {where}")


# --- another temperature or number of features ------------------------------------------------------------------

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
START_OF_CLIP = math.log(1 / 0.07)  # of the logarithm of the scale, which it learns
OF_FEATURES = {  # the power of d
    "mean over features": (1.0, "products are means over the features, where sums belong"),
    "attention scaling": (0.5, "products are divided by √d as well"),
}


def refit(found: Found, batch: Batch) -> Fit | None:
    """The program at another temperature, if it is the same; its other fitted number may have another value too."""
    name = "temperature" if "temperature" in found.numbers else "t"
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
    name = "temperature" if "temperature" in found.numbers else "t"
    numbers = {**found.numbers, name: found.numbers[name] * WARMER}
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
    if warm is None:
        way.notes[f"asked at {setting.name} = {setting.given:g} alone: it refuses others near it"] = None
    return warm if warm and len(warm.batch.values) == len(before.values) else None


def judge_temperature(found: Found, meant: Mapping[str, Any]) -> Found:
    """Compare the temperature with the one that was meant, at another temperature and number of features too."""
    way, tau = found.way, found.temperature
    if tau is None or is_factor(found):
        return found
    wide_as = max(found.tolerance, 1e-6)
    setting = find_setting(way, tau, wide_as)
    asked = float(meant["temperature"]) if "temperature" in meant else setting.own if setting else None
    starts = (
        x for x in way.learned().values() if is_near(x, START_OF_CLIP, 1e-3) and is_near(x * tau, 1, 1e-6)
    )
    if "temperature" not in meant and (start := next(starts, None)):
        asked = math.exp(-start)
    if "t" in meant and "temperature" not in meant and "t" in found.numbers:
        asked = 1 / float(meant["t"])
    if setting and "temperature" not in meant:
        if setting.logarithmic:
            way.notes[f"{setting.name} is given as its logarithm"] = None
        if setting.value is invert and setting.own != 1 and setting.name not in (*SCALES, "t"):
            way.notes[f"{setting.name} multiplies: it is 1/τ"] = None
    own = setting and setting.accepted and is_near(setting.own, asked or 0.0, wide_as)
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
    moved = asked and not all(is_near(own, times * asked, wide_as) for times, _, own in measured)
    compared = moved and scores != found.program.rewrites
    if compared and all(is_near(other.value(at), found.value(at), 1e-6) for at in way.points(4)):
        return judge_temperature(restate(other, meant), meant)
    law = find_applied(measured, asked, wide_as)
    found = found._replace(by_features=OF_FEATURES.get(law, (0.0, ""))[0])
    told = describe_applied(measured, law, asked, wide_as, warm)
    found = add(found, [told] if told else [])
    if not warm or law not in ("", *OF_FEATURES):
        return found
    if again is None:
        return name_one_sided(found, warm)
    name = warm.setting.name
    there, here = f"at {name} = {warm.number:g}", f"{warm.setting.given:g}"
    return compare_size(found, again, warm.batch, f"{name} also changes", there, here)


# at so many times the usual temperature, with so many features: the one that is applied
Measured = Sequence[tuple[float, int, float]]


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
    constant, as_asked = (
        all(is_near(tau, own, tolerance) for *_, own in measured),
        is_near(tau, asked, tolerance),
    )
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
    return add(found, [Difference(AT_ONE, words, "=")])


def name_one_sided(found: Found, warm: Warm) -> Found:
    """Name a loss that is another program at another temperature: a rewrite that explains both."""
    own = warm.setting.own
    usual = draw_batch(found.way, 4, temperature=own)
    batches = [warm.batch._replace(given={"temperature": own * warm.times}), usual]
    if told := rewrite_to_fit(found, batches, bases=list_bases(found.program.loss)):
        return restate(told)
    where = f"at {warm.setting.name} = {warm.number:g} it is another formula"
    words = f"{where}: not every logit is divided by it, or one twice"
    return add(found, [Difference("temperature on one side", words)])


def judge_learned(found: Found) -> Iterator[Difference]:
    """Check that no number that a PyTorch module learns multiplies the loss."""
    for name, here in found.way.learned().items() if found.temperature is not None else ():
        with found.way.learning(name, here + MOVED):
            batch = draw_batch(found.way, 4)
        if again := refit(found, batch):
            what, there = f"{name}, which is learned, changes", f"at {here + MOVED:g}"
            moved = compare_size(found, again, batch, what, there, f"{here:g}")
            yield from moved.differences[len(found.differences) :]


def judge_invariance(found: Found) -> Found:
    """Whether VICReg's invariance is a sum over the features, or a mean over all entries, as in the authors' code:
    at one number of features these differ by a factor of its weight.
    """
    if "invariance" not in found.numbers:
        return found
    wide = draw_batch(found.way, 4, 2 * found.way.features)
    if fit_at(found.program, [wide], found.numbers).residual <= 1e3 * found.tolerance:
        return found
    told = rewrite_to_fit(found, [wide, draw_batch(found.way, 4)], free=["invariance", *MEASURED])
    return restate(told) if told else found


# --- rows at which a small number or a bound shows ----------------------------------------------------------------


def judge_opposite(found: Found, meant: Mapping[str, Any]) -> Found:
    """Ask at opposite views, where a number shows that is too small to be seen where their similarity is high."""
    way, program = found.way, found.program
    if count_rewrites(program) or found.differences or "y" not in way.arrays:
        return found
    points = [{**at, "y": -at["y"]} for at in way.points(4)]
    try:
        batch = Batch(4, points, np.array([way.value(at) for at in points]))
    except Exception:  # the loss refuses them
        return found
    here = fit_at(program, [batch], found.numbers).residual
    if not np.all(np.isfinite(batch.values)) or here <= 10 * max(found.tolerance, found.residual):
        return found
    told = rewrite_to_fit(found, [batch, draw_batch(way, 4)], ADDED)
    return restate(told, meant) if told else found


# losses of a softmax, and those that take rows as they come
SOFTMAX = ("infonce", "ntxent", "dcl", "clip", "cpc", "query_key", "supcon", "instance")
GIVEN = ("infonce", "clip", "cpc", "query_key", "instance")


def judge_far(found: Found) -> Iterator[Difference]:
    """Ask for larger and larger logits, by longer rows, larger scores or a colder temperature, until they leave the
    bounds of a clamp, if there is one."""
    way, program = found.way, found.program
    setting = find_setting(way, found.temperature, 1e-6)
    normalised = any(r.name == "rows_normalised" for r in program.rewrites)
    longer = way.unit or (not normalised and program.loss.startswith(GIVEN))
    colder = setting and setting.accepted
    if count_rewrites(program) or any("temperature" in d.mistake for d in found.differences):
        return
    if not program.loss.startswith(SOFTMAX) or not (longer or colder):
        return
    if way.unit and program.rewrites:
        return
    for times in FURTHER:
        asked, points, given = way.replace(unit=False), way.replace(unit=False).points(4), {}
        try:
            if longer:
                points = [stretch(at, times) for at in points]
            elif setting:
                asked = asked.again({setting.name: setting.value(setting.own / times)})
                given = {"temperature": found.numbers["temperature"] / times}
            values = np.array([asked.value(at) for at in points])
        except Exception:  # the loss refuses them
            return
        largest = float(np.max(np.abs(values)))
        if not largest <= LARGEST:
            return
        batch = Batch(4, points, values, given)
        if fit_at(program, [batch], found.numbers).residual > 1e3 * found.tolerance:
            if explained := rewrite_to_fit(found, [batch, draw_batch(way, 4)], CLAMPS):
                told = restate(explained).differences[-1]
                when = f"at smaller temperatures, such as τ = {given['temperature']:.3g}, " if given else ""
                yield Difference(AT_ONE, when + told.sentence, "=") if when else told
            else:
                way.notes[f"where its values are as large as {largest:.3g}, the formula returns others"] = (
                    None
                )
            return


def stretch(arrays: Mapping[str, Any], times: float) -> dict[str, Any]:
    """The same point with similarities so many times as large."""
    by = times if "scores" in arrays else times**0.5
    return {n: x * by if x.dtype.kind == "f" else x for n, x in arrays.items()}


# --- other batches ------------------------------------------------------------------------------------------------


def judge_batches(found: Found) -> Iterator[Difference]:
    """Compare the loss with the program at other batches; a batch that it refuses is noted."""
    way = found.way
    if found.factor is not None and not found.factor.known:
        return
    tolerance, off = tolerance_of(found), []
    unit = OPPOSITE if found.program.loss in ("alignment", "byol") else "rows of length 1"
    for size, features, where in [*list_batches(way, found.loss), (6, way.features, unit)]:
        with noting_refusal(way, where):
            first, second = (keep_finite(way, at) for at in draw_points(way, size, features))
            if where == unit:
                first, second = normalise(first), normalise(second)
                second = {**second, "y": -second["y"]} if unit == OPPOSITE else second
            values = [way.value(at) for at in (first, second)]
            right = [found.value(at) for at in (first, second)]
            unlike = not measure_error(values[0], right[0]) <= tolerance
            if found.constant is not None and unlike and not (found.claim and math.isfinite(right[0])):
                plain = found._replace(constant=None)  # a constant has no gradient
                right = [plain.value(at) for at in (first, second)]
                right = [x + values[0] - right[0] for x in right]
                way.notes["the constant added depends on the number of pairs"] = None
            errors = list(map(measure_error, values, right))
            told = f"the same formula at {where}"
            if errors[0] <= tolerance < errors[1] and {"labels", "index", "positive"} & set(way.arrays):
                told += " once the labels change, as if it kept those of the first batch"
            off.append((max(errors), told))
    wrong = next((each for each in off if not each[0] <= tolerance), None)
    if wrong is not None:
        words = f"{found.loss} at 4 and 6 pairs, and not {wrong[1]}: off by {wrong[0]:.1e}"
        # without a claim it may be another loss, such as one of the ten hardest negatives
        yield Difference(ELSEWHERE, *((words,) if found.claim else (f"it is {words}", "~")))


def draw_points(way: Stranger, size: int, features: int) -> Sequence[Mapping[str, Any]]:
    """Two points: rows far apart, and rows close together with other labels or indices, if there are any."""
    apart, close = way.points(size, each=1, d=features)[::2]
    moved: dict[str, Any] = {}
    for name in ("labels", "index") + (("positive",) if way.world == "scores, drawn positive" else ()):
        if name in close:
            views = 2 if name == "labels" else 1  # both views of a row keep one label
            moved[name] = np.roll(close[name].reshape(views, -1), 1, axis=1).ravel()
    return apart, {**close, **moved}


def keep_finite(way: Stranger, arrays: Mapping[str, Any]) -> Mapping[str, Any]:
    """These arrays, or with rows of length 1 if the loss returns no finite number at them, but there."""
    if not set(arrays) & set(ROWS) or np.isfinite(way.value(arrays)):
        return arrays
    shorter = normalise(arrays)
    if not np.isfinite(way.value(shorter)):
        return arrays
    way.notes["where it returns no finite number, it is asked on rows of length 1"] = None
    return shorter


def judge_dtypes(found: Found) -> Iterator[Difference]:
    """Compare the loss in another dtype with the program."""
    way = found.way
    dtype, many = "float32" if way.dtype == "float64" else "float64", way.points(4, each=1)
    try:
        there = way.again(dtype=dtype)
        values = np.array([there.value(at) for at in many])
    except Exception:  # the digits report a dtype that the loss refuses
        return
    right = np.array([found.value(at) for at in many])
    error = float(np.max(np.abs(values - right))) / (float(np.max(np.abs(right))) or 1.0)
    part = PART if way.library != "torch" or np.isfinite(error) else math.inf
    if np.isfinite(error) and error > max(part, 100 * found.residual):
        yield differ(found, f"in {dtype}: off by {error:.1e}")


def judge_layout(found: Found) -> Iterator[Difference]:
    """Compare the value with that of the same arrays column by column in memory, which a loss may refuse."""
    way = found.way
    if way.library == "jax":
        return
    arrays, where = way.points(4)[0], "arrays that lie column by column in memory"
    with noting_refusal(way, where):
        error = measure_error(way.replace(how=by_columns(way.how)).value(arrays), way.value(arrays))
        if not error <= 100 * found.tolerance:
            yield differ(found, f"at {where}: off by {error:.1e}")


# --- parts of a batch: each time, which of the known ways explains the value --------------------------------------


def recognise(value: float, known: Mapping[str, float], tolerance: float = 1e-6) -> str | None:
    """The words of the first of these values that this is."""
    return next((words for words, x in known.items() if measure_error(value, x) <= tolerance), None)


def judge_labels(found: Found) -> Iterator[Difference]:
    """Compare the loss with the program where a row is alone in its class, which has no positive and is left out,
    where all rows are of one class, and where labels are far apart.

    A loss of 0 of one class is only noted: without negatives pytorch-metric-learning leaves the batch out; so is
    another value of far labels that no coarser dtype explains: rows whose label is negative may be left out.
    """
    way, tolerance = found.way, tolerance_of(found)
    if way.world != "classes":
        return
    arrays = way.points(10)[0]
    own = arrays["labels"]
    alone, one = np.append(own[:-1], np.max(own) + 1), 0 * own
    far = np.tile(np.resize(FAR[:3] if way.library == "jax" else FAR, len(own) // 2), 2)
    if way.way not in ("views of classes", "two with classes"):  # of two views no row is alone
        with noting_refusal(way, "an ordinary batch that has a row alone in its class"):
            at = keep_finite(way, {**arrays, "labels": alone})
            value, right = way.value(at), found.value(at)
            told = recognise(value, {"": right, "divisor": right * (1 - 1 / len(own))}, tolerance)
            if not np.isfinite(value):
                words = "it returns no finite number at an ordinary batch that has a row alone in its class"
                yield Difference("value not finite", words)
            elif told:
                yield Difference("mean over all rows", "rows without a positive are counted in the divisor")
            elif told is None and np.isfinite(right):
                words = "rows without a positive are not left out of the loss"
                yield Difference("rows alone not left out", words)
    with noting_refusal(way, where := "a batch of one class"):
        at = keep_finite(way, {**arrays, "labels": one})
        value, right = way.value(at), found.value(at)
        error = measure_error(value, right)
        if value == 0 and error > tolerance:
            way.notes[f"at {where} it returns 0, where the formula returns {right:.3g}"] = None
        elif np.isfinite(value * right) and error > tolerance:  # a denominator of negatives alone is empty
            yield differ(found, f"at {where}: off by {error:.1e}")
    if way.target.device != "cpu":
        return  # on a GPU a label that is taken for an index, and out of range, would stop all later calls
    with noting_refusal(way, where := "labels that are negative and far apart"), np.errstate(over="ignore"):
        at = keep_finite(way, {**arrays, "labels": far})
        coarse = {dtype: found.value({**at, "labels": far.astype(dtype)}) for dtype in NARROW}
        told = recognise(way.value(at), {"": found.value(at), **coarse}, tolerance)
        if told:
            yield differ(found, f"at {where}, which it tells apart only as {told}")
        elif told is None:
            way.notes[f"at {where} it returns another value"] = None


# what pairs that share a label may be to each other
NEGATIVES, LEFT_OUT = "are negatives of each other", "are left out of each other's candidates"
POSITIVES = "are positives of each other, in the mean"


def judge_shared(found: Found) -> Found:
    """Ask a loss of pairs with labels where two pairs share one: they are positives, left out, or negatives."""
    way, labels = found.way, np.array([0, 1, 0, 2])
    if way.way != "two with labels" or not found.of_pairs:
        return found
    many = way.points(4, each=1)
    many += [{**at, "y": -at["y"]} for at in many]  # where a mask that leaves something shows
    known = [compute_shared(found, at, labels) for at in many]
    asked = way.replace(how=way.how._replace(pack=lambda at: (*way.how.pack(at)[:2], labels)))
    with noting_refusal(way, "pairs that share a label"):
        values = [asked.value(at) for at in many]
        for words in known[0]:
            right = [found.scale(at) * one[words] + found.shift(at) for at, one in zip(many, known)]
            if max(map(measure_error, values, right)) <= tolerance_of(found):
                return found._replace(of_pairs=False, shared=words)
    return found


def compute_shared(found: Found, at: Mapping[str, Any], labels: np.ndarray) -> dict[str, float]:
    """The program's values at pairs with these labels, by what pairs that share one are to each other."""
    (loss, rewrites), numbers = found.program, found.at(at)
    values = {NEGATIVES: found.program.value(at, numbers)}
    function, space = load(*found.program)
    if "keep" in signature(function).parameters:
        apart = partial(function, keep=labels[:, None] != labels)
        values[LEFT_OUT] = found.program.call((apart, space), at, numbers)
    if loss in ("cpc_of_rows", "clip"):  # in one direction, or both
        views = [np.concatenate(both) for both in ((at["x"], at["y"]), (at["y"], at["x"]))]
        of_classes, twice = Program("cpc_of_classes", rewrites), np.tile(labels, 2)
        each = [of_classes.value({"w": w, "labels": twice}, numbers) for w in views[: 1 + (loss == "clip")]]
        values[POSITIVES] = float(np.mean(each))
    return values


def judge_lengths(found: Found) -> Iterator[Difference]:
    """Whether a loss that is right on rows of length 1 alone divides the others by other lengths than their own."""
    way = found.way.replace(unit=False)
    if not found.way.unit or way.others != FITS_NOT:
        return

    def lengthen(at: Mapping[str, Any], name: str) -> dict[str, Any]:
        """The same point with a longer first row of one array."""
        return {**at, name: np.append(WARMER * at[name][:1], at[name][1:], axis=0)}

    of_all = changes(way, lambda at: {n: WARMER * x if n in ROWS else x for n, x in at.items()})
    if not of_all and any(changes(way, partial(lengthen, name=n)) for n in way.arrays if n in ROWS):
        words = (
            "rows are divided by other lengths than their own: by another row's, or one of the whole batch"
        )
        yield Difference("other lengths", words)


def list_anchors(found: Found, arrays: Mapping[str, Any]) -> np.ndarray:
    """The program's loss of each anchor."""
    return found.program.entries(arrays, found.at(arrays))


def judge_entries(found: Found) -> Iterator[Difference]:
    """Check that a loss with reduction="none" returns the loss of each anchor, or of each pair, in their order."""
    way, arrays = found.way, found.way.points(4)[0]
    if found.factor is not None:
        return
    way.value(arrays)
    things = reading.split(way.last) or {0: way.last}
    own = np.ravel([*map(reading.detach, reading.pick(things, way.name, way.target.take))])
    right = list_anchors(found, arrays) + found.shift(arrays)
    if way.way == "interleaved":
        right = right.reshape(2, -1).T.ravel()
    elif len(own) * 2 == len(right):
        right = right.reshape(2, -1).mean(axis=0)
    if own.shape != right.shape:
        words = f"with reduction='none' {own.size} numbers come back, where {right.size} belong"
        yield Difference("another reduction", words)
    elif not np.allclose(own, right, rtol=1e-6, atol=100 * max(found.residual, found.tolerance)):
        words = "the mean is right, and the entries are not the losses of the anchors in order"
        yield Difference("entries differ", words)


def judge_mask(found: Found) -> Iterator[Difference]:
    """Check what becomes of a pair that a mask (B,) leaves out."""
    way = found.way
    if not way.way.startswith("pairs of a mask") or found.factor is not None:
        return
    arrays = way.points(4)[0]
    kept = np.arange(len(arrays["x"])) != 1
    with noting_refusal(way, "a mask that leaves a pair out"):
        each, shift = list_anchors(found, arrays).reshape(-1, len(kept)), found.shift(arrays)
        known = {
            "is left out altogether": found.value({n: rows[kept] for n, rows in arrays.items()}),
            "is no anchor, and stays among the others' candidates": each[:, kept].mean() + shift,
            "adds 0 to the mean over all pairs": each[:, kept].sum() / each.size + shift,
            "is in the loss all the same": found.value(arrays),
        }
        if told := recognise(way.value({**arrays, "mask": kept}), known):
            way.notes[f"a pair that the mask leaves out {told}"] = None
        else:
            words = "with a pair that the mask leaves out it is another formula"
            for name in (*find_missing(way.function, way.given)[2:],):
                words += f"; if {name} is a number, pass {reading.option('with', f'{name}=0.1')}"
            yield Difference("mask mixed", words)


def judge_sequences(found: Found) -> Iterator[Difference]:
    """Check whether the loss of two sequences is the mean or the sum of their losses, or the loss of all rows."""
    way = found.way
    if "sequence" not in way.way:
        return
    axis, many = 1 if way.way == "sequences of one step" else 0, way.points(4)[:2]

    def value(count: int, *points: Mapping[str, Any]) -> float:
        """The loss of the rows of these points, as so many sequences."""
        how = way.how._replace(
            pack=lambda a: tuple(np.stack(np.split(a[n], count), axis=axis) for n in ("x", "y"))
        )
        rows = {n: np.concatenate([at[n] for at in points]) for n in ("x", "y")}
        return way.replace(how=how).value(rows)

    with noting_refusal(way, "two sequences"):  # it takes only one
        own, alone = value(2, *many), [value(1, at) for at in many]
        known = {"the mean of": sum(alone) / 2, "the sum of": sum(alone)}
        known["the loss of all rows in place of"] = value(1, *many)
        if told := recognise(own, known):
            way.notes[f"two sequences have {told} their losses"] = None
        elif own in [value(2, at, at) for at in many]:
            words = "of two sequences one does not enter the loss"
            yield Difference("sequences left out", words)
        else:
            words = "two sequences have neither the mean of their losses nor that of all rows"
            yield Difference("sequences mixed", words)


# --- a loss that no program computes ------------------------------------------------------------------------------


def explain(unknown: Unknown) -> Unknown:
    """Say what is known of a loss that no program computes."""
    told = []
    try:
        told = list(list_facts(unknown))
    except Exception as error:  # a user's code may raise anything
        unknown.way.notes[f"not asked elsewhere: it raises {describe_error(error)}"] = None
    fit = unknown.nearest
    if fit is None and not changes(unknown.way, lambda at: unknown.way.points(4, each=1)[0]):
        value = unknown.way.value(unknown.way.points(4, each=1)[0])
        words = f"it is {value:.6g} everywhere: nothing is trained"
        told.append(Difference("zero" if value == 0 else "constant", words))
    elif fit is None:
        words = "it takes other inputs than " + (unknown.claim or "the losses of the family")
        told.append(Difference("another loss", words))
    elif fit.residual > NEAR:
        words = f"no formula of the family comes within {100 * NEAR:g} % of its values"
        told.append(Difference("no formula fits", words))
    else:
        words = f"the nearest formula is off by {100 * fit.residual:.2g} % of what the values vary: "
        words += describe_fit(fit)
        told.append(Difference("no formula fits", words))
    return unknown._replace(differences=tuple(told))


def list_facts(unknown: Unknown) -> Iterator[Difference]:
    way = unknown.way
    if held := describe_held(way.function):
        yield Difference("rows held inside", held)
    if "labels" in way.arrays and not changes(way, lambda at: {**at, "labels": np.roll(at["labels"], 1)}):
        words = "it is the same for other labels, as if it kept those of the first batch of each size"
        yield Difference("labels kept", words)
    if unknown.tolerance > NEAR:
        words = "half precision keeps too few digits to tell formulas apart: ask about it without"
        yield Difference("half precision", words)
    elif unknown.tolerance == EXACT["float64"] and (jump := describe_jump(way)):
        yield Difference("value jumps", jump)
    elif (
        not held
        and set(way.arrays) & set(ROWS)
        and changes(way, rotate)
        and unknown.claim not in OF_FEATURES_ALONE
    ):
        yield Difference("single coordinates", f"{COORDINATES} ({reading.option('inputs')})")
    elif set(way.arrays) == {"x", "y"}:
        if not changes(way, lambda at: {**at, "y": np.roll(at["y"], 1, axis=0)}):
            yield Difference("pairs do not matter", "it ignores which rows are a pair")
        order = np.random.default_rng(4).permutation(4)
        if way.way != "two with labels" and changes(way, lambda at: {n: x[order] for n, x in at.items()}):
            words = "the order of the pairs matters: are the labels shifted, or rows masked by place?"
            yield Difference("order matters", words)


COORDINATES = (
    "a rotation of all rows changes it, so it is no function of their products and distances alone: it compares "
    "or weighs features, as a learned critic does, or takes scores or targets, not rows"
)


def rotate(arrays: Mapping[str, Any]) -> dict[str, Any]:
    d = next(x.shape[-1] for n, x in arrays.items() if n in ROWS)
    turn = np.linalg.qr(np.random.default_rng(5).standard_normal((d, d)))[0]
    return {n: x @ turn if n in ROWS else x for n, x in arrays.items()}


def changes(way: Stranger, move: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> bool:
    """Whether a change of the arrays changes the value."""
    at = way.points(4, each=1)[1]
    return not is_near(way.value(move(at)), way.value(at), 1e-5)


def describe_jump(way: Stranger) -> str:
    """Say that the value jumps if its arrays change by their rounding; "" if it does not."""
    noise = np.random.default_rng(8)
    for at in way.points(4, each=1):
        here = way.value(at)
        for _ in range(TRIES):
            steps = {
                n: x * (1 + ROUNDING * noise.standard_normal(x.shape)) if x.dtype.kind == "f" else x
                for n, x in at.items()
            }
            there = way.value(steps)
            if abs(there - here) > SEEN * (1 + abs(here)):
                asks = "does rounding decide a comparison, such as < 1 of a row's cosine with itself?"
                return (
                    f"the value jumps at ordinary rows, as from {here:.6g} to {there:.6g} by rounding: {asks}"
                )
    return ""
