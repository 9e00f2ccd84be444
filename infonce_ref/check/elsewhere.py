"""Is it the same formula elsewhere: at another temperature, at other batches, where a row is alone in its class?

A loss that is right at the points at which it was identified may still be another loss where it is used.
"""

import contextlib
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..targets import describe_error
from . import reading
from .fitting import Batch, Fit, Traits, fit_at, refine, round_if_meant, seek
from .inputs import ROWS, by_columns, normalise
from .laws import find_factor, is_near
from .naming import (
    AT_ONE,
    COMPARED,
    EXACT,
    NEAR,
    Difference,
    Found,
    Search,
    Setting,
    Unknown,
    count_rewrites,
    describe_fit,
    draw_batch,
    find_rewritten,
    find_setting,
    invert,
    list_bases,
    restate,
)
from .programs import ADDED, EVERY, Clock, Program, count_numbers
from .strangers import Stranger
from .target import SCALES, describe_held

BATCHES = ((5, 0), (32, 0), (67, 64), (8, 1031))  # pairs, and features if not the usual number
WARMER = 1.5
FEW_RUNS = 7000  # of programs, for a rewrite that explains two temperatures
MOVED = 0.1  # a step of a learned number, which may be a logarithm
SINGLE = 3e-7  # relative: what a constant in float32 explains
PART = 0.02  # relative: half precision in a part of the loss changes an ordinary value by less
FURTHER = (1.0, 3.0, 9.0, 27.0, 81.0, 243.0)  # times the logits of the usual points
LARGEST = 700.0  # logits whose exponential float64 holds
ROUNDING, SEEN, TRIES = 1e-13, 1e-6, 4  # a step of rounding, and a jump that it does not explain
# labels of 64 bits, no two alike; none above 0, as a loss may make room for all labels up to the largest
FAR = (0, -(2**8), -(2**16), -(2**32), -(2**32) - 1)
NARROW = ("int8", "int16", "int32", "float16", "float32")  # dtypes in which some of these are alike


@np.errstate(all="ignore")
def examine(found: Found, meant: Mapping[str, Any]) -> Found:
    """Ask the loss elsewhere; return what was found with every difference that shows there."""
    found = measure_features(found)
    found = judge_temperature(found, meant)
    found = find_added(found, meant)
    for probe in (judge_learned, judge_far, judge_sequences, judge_mask, judge_rows_alone):
        try:
            found = add(found, probe(found))
        except Exception as error:  # a user's code may raise anything
            found.way.notes[f"not asked elsewhere: it raises {describe_error(error)}"] = None
    if meant.get("reduction") == "none":
        found = add(found, judge_entries(found))
    for probe in (judge_batches, judge_one_class, judge_far_labels, judge_dtypes, judge_layout):
        if not any(d.mistake == ELSEWHERE for d in found.differences):
            found = add(found, probe(found))
    return found


ELSEWHERE = "wrong at another batch"


def add(found: Found, more: Iterator[Difference]) -> Found:
    told = {d.mistake for d in found.differences}
    new = [d for d in more if d.mistake not in told]
    return found._replace(differences=(*found.differences, *new))


@contextlib.contextmanager
def noting_refusal(way: Stranger, where: str) -> Iterator[None]:
    """Note inputs that the loss does not take, and leave the block."""
    try:
        yield
    except Exception as error:
        way.notes[f"not asked with {where}: it raises {describe_error(error)}"] = None


def differ(found: Found, where: str) -> Difference:
    """It is the formula at the usual points, and not there."""
    return Difference(ELSEWHERE, f"{found.loss} at 4 and 6 pairs, and not the same formula {where}")


def measure_error(value: float, right: float) -> float:
    """How far a value is from the right one, relative to one more than its size."""
    return abs(value - right) / (abs(right) + 1)


def tolerance_of(found: Found) -> float:
    return max(SINGLE, 100 * found.tolerance, 100 * found.residual)


# --- another temperature ------------------------------------------------------------------------------------------


def refit(found: Found, batch: Batch) -> Fit:
    """The same program at another temperature; its other fitted number may have another value too."""
    name = "temperature" if "temperature" in found.numbers else "t"
    measured = [n for n in found.numbers if n in ("E", "E2")]
    best = None
    for free in ([name], [name, *measured]):
        known = {n: x for n, x in found.numbers.items() if n not in free}
        for start in (1.0, WARMER, 1 / WARMER, WARMER**2, 7.0, 1 / 7):
            numbers = {**found.numbers, name: found.numbers[name] * start}
            again = refine(Fit(found.program, numbers, (1.0,), (0.0,), 1.0), [batch], known)
            best = again if best is None or again.residual < best.residual else best
            if best.residual <= found.tolerance:
                return best
    return best  # type: ignore[return-value]


def measure_features(found: Found) -> Found:
    """Measure by which power of the number of features the temperature grows."""
    way = found.way
    if "invariance" in found.numbers:
        return measure_invariance(found)
    if "temperature" not in found.numbers or not set(way.arrays) & set(ROWS):
        return found
    try:
        again = refit(found, draw_batch(way, 4, 2 * way.features))
    except Exception:  # it takes no other number of features
        return found
    power = math.log2(again.numbers["temperature"] / found.numbers["temperature"])
    known = next((p for p in OF_FEATURES if abs(power - p) < 1e-3), 0.0)
    return found._replace(by_features=known if again.residual <= 1e3 * found.tolerance else 0.0)


def measure_invariance(found: Found) -> Found:
    """Whether the invariance is a sum over the features, or a mean over all entries, as in the authors' code:
    at one number of features these differ by a factor of its weight.
    """
    d = found.way.features
    batch = draw_batch(found.way, 4, 2 * d)
    entries = next(r for r in EVERY if r.name == "mean_over_entries" and "vicreg" in r.only)
    rest = tuple(r for r in found.program.rewrites if r != entries)
    summed = found.numbers["invariance"] / (1 if rest == found.program.rewrites else d)
    for rewrites, weight in ((rest, summed), ((*rest, entries), summed * d)):
        program = Program(found.program.loss, rewrites)
        numbers = {**found.numbers, "invariance": round_if_meant(weight)}
        if fit_at(program, [batch], numbers).residual <= 1e3 * found.tolerance:
            return restate(found._replace(program=program, numbers=numbers))
    return found


OF_FEATURES = {
    1.0: ("mean over features", "products are means over the features, where sums belong"),
    0.5: ("attention scaling", "products are divided by √d as well"),
}


def judge_temperature(found: Found, meant: Mapping[str, Any]) -> Found:
    """Compare the measured temperature with the one that was meant; then ask at another one."""
    tau, way = found.temperature, found.way
    if tau is None:
        return found
    setting = find_setting(way, tau, max(found.tolerance, 1e-6))
    asked = float(meant["temperature"]) if "temperature" in meant else setting.own if setting else None
    if "t" in meant and "temperature" not in meant and "t" in found.numbers:
        asked = 1 / float(meant["t"])
    told: list[Difference] = []
    of_rows = tau / way.features**found.by_features
    if found.by_features:
        name, sentence = OF_FEATURES[found.by_features]
        shown = f"{sentence}: τ = {tau:.6g} with {way.features} features" if asked else sentence
        told.append(Difference(name, shown, "" if asked or name == "mean over features" else "~"))
    if asked:
        scale = setting.name if setting and setting.name in SCALES and setting.value is invert else ""
        told += compare_temperature(of_rows, asked, max(found.tolerance, 1e-6), scale)
        if told and told[-1].mistake == "another temperature" and setting and is_ignored(way, setting):
            words = f"the temperature is always {tau:.6g}, whatever is passed: {asked:g} was asked for"
            told[-1] = Difference("temperature fixed", words)
    if setting and "temperature" not in meant:
        if setting.logarithmic:
            way.notes[f"{setting.name} is given as its logarithm"] = None
        if setting.value is invert and setting.own != 1 and setting.name not in (*SCALES, "t"):
            way.notes[f"{setting.name} multiplies: it is 1/τ"] = None
    found = add(found, iter(told))
    if [d for d in told if d.mistake not in ("attention scaling", "mean over features")]:
        return found
    if not (setting and setting.accepted):
        return found
    again = ask_warmer(found, setting)
    # on unit rows −‖a − c‖² is 2 s − 2: at τ = ½ it has the values of s with τ applied twice
    scores = tuple(r for r in found.program.rewrites if r not in COMPARED)
    plain = found._replace(
        program=Program(found.program.loss, scores), numbers={**found.numbers, "temperature": tau / 2}
    )
    doubled = again.differences != found.differences and again.differences[-1].mistake == POWERS[2][0]
    if (
        scores != found.program.rewrites
        and doubled
        and all(is_near(plain.value(at), found.value(at), 1e-6) for at in way.points(4))
    ):
        return judge_temperature(restate(plain, meant), meant)
    return again


POWERS = {  # of the temperature that is given: the one that is applied
    2.0: ("temperature twice", "the temperature is applied twice"),
    0.5: ("root of temperature", "the root of the temperature is applied"),
    0.0: ("temperature not used", "the temperature never reaches the loss"),
    -1.0: ("temperature multiplied", "similarities are multiplied by the temperature, not divided"),
}


def compare_temperature(measured: float, asked: float, tolerance: float, scale: str) -> Iterator[Difference]:
    """How a temperature differs from the one that was meant. scale: the setting that means 1/τ, if any."""
    if is_near(measured, asked, tolerance):
        return
    told = ("another temperature", "")
    if 0 < asked < 1 and is_near(measured, -1 / math.log(asked), tolerance):
        sentence = "the logarithm of 1/τ multiplies the similarities as it is, not exponentiated: "
        told = ("scale not exponentiated", sentence)
    for power, (name, sentence) in POWERS.items():
        if is_near(measured, asked**power, tolerance):
            divided = f"similarities are divided by {scale}, not multiplied"
            told = (name, f"{divided if scale and power == -1 else sentence}: ")
    yield Difference(told[0], f"{told[1]}τ = {measured:.6g}, where {asked:g} was asked for")


def is_ignored(way: Stranger, setting: Setting) -> bool:
    """Whether a loss that takes a temperature is the same at another one."""
    if not setting.accepted:
        return False
    warmer = way.again({setting.name: setting.value(setting.own * WARMER)})
    return np.array_equal(draw_batch(warmer, 4).values, draw_batch(way, 4).values)


def ask_warmer(found: Found, setting: Setting) -> Found:
    """Ask at another temperature: it must be the same program, with that temperature."""
    way, name, here = found.way, setting.name, setting.given
    before = draw_batch(way, 4)
    asked: list[tuple[float, float, Batch]] = []
    for ratio in (WARMER, 1 / WARMER):  # the other way if it is the same at the first, as where it is clamped
        there = setting.value(setting.own * ratio)
        with contextlib.suppress(Exception):  # the loss refuses this temperature
            asked.append((ratio, there, draw_batch(way.again({name: there}), 4)))
            if not np.array_equal(asked[-1][2].values, before.values):
                break
    if not asked:
        way.notes[f"asked at {name} = {here:g} alone: it refuses others near it"] = None
        return found
    ratio, there, batch = asked[-1]
    if len(batch.values) < len(before.values):
        return found
    if np.array_equal(batch.values, before.values):
        words = f"{name} does not reach the loss: it is the same at {here:g} and at {asked[0][1]:g}"
        return add(found, iter([Difference("temperature not used", words)]))
    again = refit(found, batch)
    if again.residual > 1e3 * found.tolerance:
        return name_one_sided(found, setting, before, batch, ratio)
    number = "temperature" if "temperature" in found.numbers else "t"
    power = math.log(again.numbers[number] / found.numbers[number]) / math.log(ratio)
    power = -power if number == "t" else power
    if abs(power) < 1e-6:
        words = f"{name} changes the loss by a factor alone: τ stays {found.temperature:g}"
        return add(found, iter([Difference("temperature not used", words)]))
    for of, grows in ((2, "its square"), (0.5, f"√{name}")):
        if abs(power - of) < 1e-3:
            mistake, sentence = POWERS[of]
            return add(found, iter([Difference(mistake, f"{sentence}: τ grows as {grows}")]))
    return compare_size(found, again, batch, f"{name} also changes", f"at {name} = {there:g}", f"{here:g}")


def compare_size(found: Found, again: Fit, batch: Batch, what: str, there: str, here: str) -> Found:
    """Whether the loss has the size at another temperature that its factor's law says."""
    moved = found._replace(numbers=again.numbers)
    right = moved.scale(batch.points[0])
    times = again.scales[0] / right
    if is_near(times, 1, 1e-4) or right != right:
        return found
    if found.factor:  # at one temperature it may look like another one, as 2 at τ = 1 is 2τ
        at = batch.points[0]
        scales, facts = (found.scale(at), again.scales[0]), (found.facts(at), moved.facts(at))
        law = find_factor(found.program, scales, facts, 1e-6)
        if law and law.known:
            other = [d for d in found.differences if d.mistake != found.factor.name]
            told = Difference(law.name, law.sentence, "=")
            return found._replace(factor=law, differences=(*other, told))
    words = f"{what} the size of the loss: {there} it is {times:.6g} times the loss"
    words += f"{':' if 'also' in what else ', and'} right at {here} alone"
    return add(found, iter([Difference(AT_ONE, words, "=")]))


def name_one_sided(found: Found, setting: Setting, before: Batch, after: Batch, ratio: float) -> Found:
    """Name a loss that is another program at another temperature: a rewrite that explains both."""
    own = setting.own
    batches = [
        before._replace(given={"temperature": own}),
        after._replace(given={"temperature": own * ratio}),
    ]
    known = {n: x for n, x in found.numbers.items() if n in found.program.numbers and n not in ("E", "E2")}
    traits, end = Traits(before.points[:1]), Clock.runs + FEW_RUNS
    search = Search(found.way, batches, [], [known], 10 * found.tolerance, traits, end)
    bases = [*list_bases(found.program.loss), found.program]
    find_rewritten([search], [sorted(bases, key=lambda p: p != found.program)], end)
    if hits := [fit for fit in search.hits if all(is_near(s, fit.scales[0], 1e-6) for s in fit.scales)]:
        fit = min(hits, key=lambda fit: len(fit.program.rewrites))
        return restate(found._replace(program=fit.program, numbers=fit.numbers))
    there = setting.value(own * ratio)
    words = (
        f"at {setting.name} = {there:g} it is another formula: not every logit is divided by it, or one twice"
    )
    return add(found, iter([Difference("temperature on one side", words)]))


def judge_learned(found: Found) -> Iterator[Difference]:
    """Check that no number that a PyTorch module learns multiplies the loss."""
    way = found.way
    if found.temperature is None:
        return
    for name, here in way.learned().items():
        with way.learning(name, here + MOVED):
            batch = draw_batch(way, 4)
        again = refit(found, batch)
        if again.residual > 1e3 * found.tolerance:
            continue
        there = f"at {here + MOVED:g}"
        moved = compare_size(found, again, batch, f"{name}, which is learned, changes", there, f"{here:g}")
        yield from moved.differences[len(found.differences) :]


def judge_far(found: Found) -> Iterator[Difference]:
    """Ask for larger and larger logits, by longer rows, larger scores or a colder temperature, until they leave the
    bounds of a clamp, if there is one."""
    way, program = found.way, found.program
    if count_rewrites(program) or not program.loss.startswith(SOFTMAX):
        return
    setting = find_setting(way, found.temperature, 1e-6)
    given = not any(r.name == "rows_normalised" for r in program.rewrites) and program.loss.startswith(GIVEN)
    longer = given or way.unit
    if not longer and not (setting and setting.accepted):
        return
    base = way.replace(unit=False)
    if way.unit and program.rewrites:
        return
    for times in FURTHER:
        points = base.points(4)
        points = [stretch(at, times) for at in points] if longer else points
        numbers = dict(found.numbers)
        try:
            asked = base
            if not longer and setting:
                asked = base.again({setting.name: setting.value(setting.own / times)})
                numbers["temperature"] = found.numbers["temperature"] / times
            values = np.array([asked.value(at) for at in points])
        except Exception:  # the loss refuses them
            return
        if not np.all(np.isfinite(values)) or np.max(np.abs(values)) > LARGEST:
            return
        batch = Batch(4, points, values)
        if fit_at(program, [batch], numbers).residual > 1e3 * found.tolerance:
            yield from name_clamp(found, batch, numbers, longer)
            return


SOFTMAX = ("infonce", "ntxent", "dcl", "clip", "cpc", "query_key", "supcon", "instance")
GIVEN = ("infonce", "clip", "cpc", "query_key", "instance")  # losses that take rows as they come


def stretch(arrays: Mapping[str, Any], times: float) -> dict[str, Any]:
    """The same point with similarities so many times as large."""
    by = times if "scores" in arrays else times**0.5
    return {n: x * by if x.dtype.kind == "f" else x for n, x in arrays.items()}


def name_clamp(
    found: Found, batch: Batch, numbers: Mapping[str, float], longer: bool
) -> Iterator[Difference]:
    """The clamp that explains the values of large logits."""
    largest = float(np.max(np.abs(batch.values))) + 1
    for one in EVERY:
        program = Program(found.program.loss, (*found.program.rewrites, one))
        if "clamped" not in one.name or not count_numbers(one) or not program.applies:
            continue
        grid = [
            fit_at(program, [batch], {**numbers, "E": float(e)}, 3)
            for e in np.geomspace(largest / 300, 3 * largest, 60)
        ]
        best = refine(min(grid, key=lambda fit: fit.residual), [batch], numbers)
        if best.residual <= 1e3 * found.tolerance:
            words = re.sub(r"\bE\b", f"{best.numbers['E']:.6g}", one.sentence)
            when = "" if longer else f"when colder, as at τ = {numbers['temperature']:.3g}, "
            yield Difference(
                one.name.replace("_", " ") if longer else AT_ONE, when + words, "" if longer else "="
            )
            return
    largest = float(np.max(np.abs(batch.values)))
    found.way.notes[f"where its values are as large as {largest:.3g}, the formula returns others"] = None


def find_added(found: Found, meant: Mapping[str, Any]) -> Found:
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
    for one in EVERY:
        added = Program(program.loss, (*program.rewrites, one))
        if one.name in ADDED and added.applies:
            fits = [refine(f, [batch], found.numbers) for f in seek(added, [batch], found.numbers, {})]
            fit = min(fits, key=lambda fit: fit.residual)
            if fit.residual <= found.tolerance:
                return restate(found._replace(program=added, numbers=fit.numbers), meant)
    return found


# --- other batches ------------------------------------------------------------------------------------------------


def judge_batches(found: Found) -> Iterator[Difference]:
    """Compare the loss with the program at other batches; a batch that it refuses is noted."""
    way = found.way
    if found.factor is not None and not found.factor.known:
        return
    tolerance, off = tolerance_of(found), []
    for pairs, d in BATCHES:
        size = pairs + pairs % 2 * (
            way.way in ("views of classes", "two with classes") or "predictions" in way.way
        )
        features = d or way.features
        if features > 1000 and found.loss in ("barlow_twins", "vicreg"):
            continue  # of a million pairs of features
        where = f"{size} pairs of {features} features"
        with noting_refusal(way, where):
            first, second = (keep_finite(way, at) for at in draw_points(way, size, features))
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
        alone = not found.claim and not any(error <= tolerance for error, _ in off)
        yield Difference(ELSEWHERE, f"like {words}, nor at any other" if alone else words)


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
    dtype = "float32" if way.dtype == "float64" else "float64"
    many = way.points(4, each=1)
    right = np.array([found.value(at) for at in many])
    try:
        there = way.again(dtype=dtype)
        values = np.array([there.value(at) for at in many])
    except Exception:  # the digits report a dtype that the loss refuses
        return
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


# --- classes ------------------------------------------------------------------------------------------------------


def judge_rows_alone(found: Found) -> Iterator[Difference]:
    """Check that a row alone in its class, which has no positive, is left out. A loss may refuse such a row."""
    way = found.way
    if way.world != "classes" or way.way in ("views of classes", "two with classes"):
        return  # of two views no row is alone
    arrays = way.points(10)[0]
    labels = np.append(arrays["labels"][:-1], np.max(arrays["labels"]) + 1)
    lonely, where = {**arrays, "labels": labels}, "an ordinary batch that has a row alone in its class"
    with noting_refusal(way, where):
        lonely = dict(keep_finite(way, lonely))
        got, right, tolerance = way.value(lonely), found.value(lonely), tolerance_of(found)
        counted = 1 - 1 / len(lonely["labels"])
        if not np.isfinite(got):
            yield Difference("value not finite", f"it returns no finite number at {where}")
        elif measure_error(got, right * counted) <= tolerance:
            yield Difference("mean over all rows", "rows without a positive are counted in the divisor")
        elif measure_error(got, right) > tolerance:
            yield Difference(
                "rows alone not left out", "rows without a positive are not left out of the loss"
            )


def judge_one_class(found: Found) -> Iterator[Difference]:
    """Compare the loss with the program where all rows are of one class. A loss of 0 is only noted: without
    negatives pytorch-metric-learning leaves the batch out.
    """
    way = found.way
    if way.world != "classes":
        return
    arrays = way.points(10)[0]
    one, where = {**arrays, "labels": 0 * arrays["labels"]}, "a batch of one class"
    with noting_refusal(way, where):
        at = keep_finite(way, one)
        value, right = way.value(at), found.value(at)
        error = measure_error(value, right)
        if not np.isfinite(value * right) or error <= tolerance_of(found):
            return  # a denominator of negatives alone is empty
        if value == 0:
            way.notes[f"at {where} it returns 0, where the formula returns {right:.3g}"] = None
            return
        yield differ(found, f"at {where}: off by {error:.1e}")


def judge_far_labels(found: Found) -> Iterator[Difference]:
    """Compare the loss with the program where labels are far apart. Another value that no coarser dtype explains is
    only noted: a loss may leave out rows whose label is negative."""
    way = found.way
    if way.world != "classes" or way.target.device != "cpu":
        return  # on a GPU a label that is taken for an index, and out of range, would stop all later calls
    known = FAR[:3] if way.library == "jax" else FAR
    arrays = way.points(10)[0]
    labels = np.tile(np.resize(known, len(arrays["labels"]) // 2), 2)
    far, where, tolerance = (
        {**arrays, "labels": labels},
        "labels that are negative and far apart",
        tolerance_of(found),
    )
    with noting_refusal(way, where), np.errstate(over="ignore"):
        at = dict(keep_finite(way, far))
        value = way.value(at)
        if measure_error(value, found.value(at)) <= tolerance:
            return
        for dtype in NARROW:
            if measure_error(value, found.value({**at, "labels": labels.astype(dtype)})) <= tolerance:
                yield differ(found, f"at {where}, which it tells apart only as {dtype}")
                return
        way.notes[f"at {where} it returns another value"] = None


# --- parts of a batch ---------------------------------------------------------------------------------------------


def list_anchors(found: Found, arrays: Mapping[str, Any]) -> np.ndarray:
    """The program's loss of each anchor."""
    return found.program.entries(arrays, found.at(arrays))


def judge_entries(found: Found) -> Iterator[Difference]:
    """Check that a loss with reduction="none" returns the loss of each anchor, or of each pair, in their order."""
    way = found.way
    if found.factor is not None:
        return
    arrays = way.points(4)[0]
    way.value(arrays)
    last = way.last
    things = reading.split(last) or {0: last}
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
        own = way.value({**arrays, "mask": kept})
        each = list_anchors(found, arrays).reshape(-1, len(kept))
        shift = found.shift(arrays)
        known = {
            "is left out altogether": found.value({n: rows[kept] for n, rows in arrays.items()}),
            "is no anchor, and stays among the others' candidates": each[:, kept].mean() + shift,
            "adds 0 to the mean over all pairs": each[:, kept].sum() / each.size + shift,
            "is in the loss all the same": found.value(arrays),
        }
        told = next((words for words, value in known.items() if np.isclose(own, value, rtol=1e-6)), None)
        if told is None:
            yield Difference("mask mixed", "with a pair that the mask leaves out it is another formula")
        else:
            way.notes[f"a pair that the mask leaves out {told}"] = None


def judge_sequences(found: Found) -> Iterator[Difference]:
    """Check whether the loss of two sequences is the mean or the sum of their losses, or the loss of all rows."""
    way = found.way
    if "sequence" not in way.way:
        return
    axis = 1 if way.way == "sequences of one step" else 0
    many = way.points(4)[:2]
    together = way.how._replace(
        pack=lambda a: tuple(np.stack(np.split(a[n], len(a[n]) // 4), axis=axis) for n in ("x", "y"))
    )
    rows = way.how._replace(pack=lambda a: tuple(np.expand_dims(a[n], axis) for n in ("x", "y")))

    def join(*points: Mapping[str, Any]) -> dict[str, Any]:
        return {n: np.concatenate([at[n] for at in points]) for n in ("x", "y")}

    def value(how: Any, at: Mapping[str, Any]) -> float:
        return way.replace(how=how).value(at)

    with noting_refusal(way, "two sequences"):  # it takes only one
        own, alone = value(together, join(*many)), sum(value(together, at) for at in many)
        every = value(rows, join(*many))
        used = [value(together, join(at, at)) for at in many]
        known = {"the mean of": alone / 2, "the sum of": alone, "the loss of all rows in place of": every}
        told = next((words for words, x in known.items() if np.isclose(own, x, rtol=1e-6)), None)
        if told is None and own in used:
            yield Difference("sequences left out", "of two sequences one does not enter the loss")
        elif told is None:
            words = "two sequences have neither the mean of their losses nor that of all rows"
            yield Difference("sequences mixed", words)
        else:
            way.notes[f"two sequences have {told} their losses"] = None


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
    if unknown.tolerance == EXACT["float64"] and (jump := describe_jump(way)):
        yield Difference("value jumps", jump)
    elif (
        not held
        and set(way.arrays) & set(ROWS)
        and changes(way, rotate)
        and unknown.claim not in OF_FEATURES_ALONE
    ):
        yield Difference("single coordinates", COORDINATES)
    elif set(way.arrays) == {"x", "y"}:
        if not changes(way, lambda at: {**at, "y": np.roll(at["y"], 1, axis=0)}):
            yield Difference("pairs do not matter", "it ignores which rows are a pair")
        order = np.random.default_rng(4).permutation(4)
        if way.way != "two with labels" and changes(way, lambda at: {n: x[order] for n, x in at.items()}):
            words = "the order of the pairs matters: are the labels shifted, or rows masked by place?"
            yield Difference("order matters", words)


OF_FEATURES_ALONE = ("barlow_twins", "vicreg")
COORDINATES = (
    "a rotation of all rows changes it, so it is no function of their products and distances alone: it compares "
    "or weighs features, as a learned critic does, or takes scores or targets, not rows (inputs=…)"
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
