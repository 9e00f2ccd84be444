"""Is it the same formula elsewhere: at another temperature, at other batches, where a row is alone in its class?

A loss that is right at the points at which it was identified may still be another loss where it is used.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from .fitting import Batch, fit_at
from .inputs import by_columns, change_floats, change_rows, normalise
from .laws import measure_error
from .naming import AT_ONE, ELSEWHERE, Found, Unknown, restate, rewrite_to_fit
from .parts import judge_entries, judge_labels, judge_mask, judge_sequences, judge_shared
from .programs import ADDED, EVERY, MEASURED
from .report import Difference
from .search import EXACT, NEAR, count_rewrites, draw_batch
from .settings import find_setting
from .strangers import FITS_NOT, Stranger, list_batches
from .temperature import WARMER, judge_learned, judge_temperature
from .unknown import explain

SHORT = "rows a hundredth as long"  # where a bound of the lengths shows
OPPOSITE = "opposite rows of length 1"  # where Huber's loss is not half of a square
PART = 0.02  # relative: half precision in a part of the loss changes an ordinary value by less
FURTHER = (1.0, 3.0, 9.0, 27.0, 81.0, 243.0)  # times the logits of the usual points
LARGEST = 700.0  # logits whose exponential float64 holds
CLAMPS = {r.name for r in EVERY if "clamped" in r.name}
# losses of a softmax, and those that take rows as they come
SOFTMAX = ("infonce", "ntxent", "dcl", "clip", "cpc", "query_key", "supcon", "instance")
GIVEN = ("infonce", "clip", "cpc", "query_key", "instance")


@np.errstate(all="ignore")
def examine(found: Found | Unknown, meant: Mapping[str, Any]) -> Found | Unknown:
    """Ask the loss elsewhere; return what was found with every difference that shows there."""
    if isinstance(found, Unknown):
        return explain(found)
    found = judge_temperature(judge_invariance(found), meant)
    found = judge_opposite(judge_shared(found), meant)
    for probe in (
        *(judge_lengths, judge_learned, judge_far, judge_sequences, judge_mask),
        *[judge_entries] * (meant.get("reduction") == "none"),
        *(judge_batches, judge_labels, judge_dtypes, judge_layout),
    ):
        with found.way.noting_refusal("elsewhere"):
            if not found.has(ELSEWHERE):
                found = found.add(probe(found))
    return found


# --- rows at which a small number or a bound shows ----------------------------------------------------------------


def judge_invariance(found: Found) -> Found:
    """Whether VICReg's invariance is a sum over the features, or a mean over all entries, as in the authors' code:
    at one number of features these differ by a factor of its weight.
    """
    if "invariance" not in found.numbers:
        return found
    wide = draw_batch(found.way, 4, 2 * found.way.features)
    if fit_at(found.program, [wide], found.numbers).residual <= min(1e3 * found.tolerance, NEAR):
        return found
    told = rewrite_to_fit(found, [wide, draw_batch(found.way, 4)], free=["invariance", *MEASURED])
    return restate(told) if told else found


def judge_opposite(found: Found, meant: Mapping[str, Any]) -> Found:
    """Ask at opposite views, where a number shows that is too small to be seen where their similarity is high."""
    way, program = found.way, found.program
    if count_rewrites(program) or found.differences or "y" not in way.arrays:
        return found
    points = [{**at, "y": -at["y"]} for at in way.points(4)]
    try:
        batch = Batch(points, np.array([way.value(at) for at in points]))
    except Exception:  # the loss refuses them
        return found
    here = fit_at(program, [batch], found.numbers).residual
    if not np.all(np.isfinite(batch.values)) or here <= 10 * max(found.tolerance, found.residual):
        return found
    told = rewrite_to_fit(found, [batch, draw_batch(way, 4)], ADDED)
    return restate(told, meant) if told else found


def judge_lengths(found: Found) -> Iterator[Difference]:
    """Whether a loss that is right on rows of length 1 alone divides the others by other lengths than their own."""
    way = found.way.replace(unit=False)
    if not found.way.unit or way.others != FITS_NOT:
        return
    if not way.changes(lambda at: change_rows(at, lambda x: WARMER * x)):
        words = (
            "rows are divided by other lengths than their own: by another row's, or one of the whole batch"
        )
        yield Difference("other lengths", words)


def judge_far(found: Found) -> Iterator[Difference]:
    """Ask for larger and larger logits, by longer rows, larger scores or a colder temperature, until they leave the
    bounds of a clamp, if there is one."""
    way, program = found.way.replace(unit=False), found.program
    setting = find_setting(found.way, found.temperature, 1e-6)
    normalised = any(r.name == "rows_normalised" for r in program.rewrites)
    longer = found.way.unit or (not normalised and program.loss.startswith(GIVEN))
    if (
        (not longer and not (setting and setting.accepted))
        or not program.loss.startswith(SOFTMAX)
        or count_rewrites(program)
        or any("temperature" in d.mistake for d in found.differences)
    ):
        return
    for times in FURTHER:
        asked, points, given = way, way.points(4), {}
        try:
            if longer:
                by = times if "scores" in way.arrays else times**0.5  # similarities are products of two rows
                points = [change_floats(at, partial(np.multiply, by)) for at in points]
            elif setting:
                asked = way.again({setting.name: setting.value(setting.own / times)})
                given = {"temperature": found.numbers["temperature"] / times}
            values = np.array([asked.value(at) for at in points])
        except Exception:  # the loss refuses them
            return
        largest = float(np.max(np.abs(values)))
        if not largest <= LARGEST:
            return
        batch = Batch(points, values, given)
        if fit_at(program, [batch], found.numbers).residual > 1e3 * found.tolerance:
            if explained := rewrite_to_fit(found, [batch, draw_batch(found.way, 4)], CLAMPS):
                told = restate(explained).differences[-1]
                when = f"at smaller temperatures, such as τ = {given['temperature']:.3g}, " if given else ""
                yield Difference(AT_ONE, when + told.sentence, "=") if when else told
            else:
                note = f"where its values are as large as {largest:.3g}, the formula returns others"
                way.note(note)
            return


# --- other batches ------------------------------------------------------------------------------------------------


def judge_batches(found: Found) -> Iterator[Difference]:
    """Compare the loss with the program at other batches; a batch that it refuses is noted."""
    way = found.way
    if found.factor is not None and not found.factor.known:
        return
    off = []
    unit = OPPOSITE if found.program.loss in ("alignment", "byol") else "rows of length 1"
    batches = [*list_batches(way, found.loss), (6, way.features, unit)]
    # in coarser dtypes a small number may be added to the lengths unseen
    if not way.unit and found.tolerance <= EXACT["float64"]:
        batches.append((6, way.features, SHORT))
    for size, features, where in batches:
        tolerance = PART if where == SHORT else found.slack
        with way.noting_refusal(f"with {where}"):
            first, second = draw_points(way, size, features)
            if where == SHORT:
                first, second = (change_rows(at, lambda x: x / 100) for at in (first, second))
            if where == unit:
                first, second = normalise(first), normalise(second)
                second = {**second, "y": -second["y"]} if unit == OPPOSITE else second
            values = [way.value(at) for at in (first, second)]
            if count_rewrites(found.program) and not all(map(math.isfinite, values)):
                way.note(f"with {where} it returns {values[0]:g}")
                continue  # its mistake has a name
            right = [found.value(at) for at in (first, second)]
            unlike = not measure_error(values[0], right[0]) <= tolerance
            if found.constant is not None and unlike:
                plain = found._replace(constant=None)  # a constant has no gradient
                right = [plain.value(at) for at in (first, second)]
                right = [x + values[0] - right[0] for x in right]
                way.note("the constant added depends on the number of pairs")
            # a loss of short rows may be small
            scale = (max(map(abs, right)) or 1.0) if where == SHORT else 1.0
            errors = [measure_error(value / scale, x / scale) for value, x in zip(values, right)]
            if not max(errors) <= tolerance:
                off.append(f"the same formula at {where}: off by {max(errors):.1e}")
    if off:
        words = f"{found.loss} at 4 and 6 pairs, and not {off[0]}"
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
    if math.isfinite(error) and error > max(PART, 100 * found.residual):
        yield found.differ(f"in {dtype}: off by {error:.1e}")


def judge_layout(found: Found) -> Iterator[Difference]:
    """Compare the value with that of the same arrays column by column in memory, which a loss may refuse."""
    way = found.way
    if way.library == "jax":
        return
    arrays, where = way.points(4)[0], "arrays that lie column by column in memory"
    with way.noting_refusal(f"with {where}"):
        error = measure_error(way.replace(how=by_columns(way.how)).value(arrays), way.value(arrays))
        if not error <= 100 * found.tolerance:
            yield found.differ(f"at {where}: off by {error:.1e}")
