"""Check the formula that was found at other inputs: odd batches, more than 64 rows of 64 features, more than 1,024
features, in another dtype, in another order in memory, at another temperature, with classes in place of pairs; a
row alone in its class, one class, and labels far apart.
"""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..targets import describe_error
from . import fit, inputs, names
from .asking import Way, coarser, measure_precision
from .formula import Places, places_of, similarities, total
from .gradient import distance
from .identification import SIZES, TOLERANCES, Nearest
from .names import Difference, Found
from .target import find_optional
from .temperature import find_setting
from .verdicts import Record, record

LARGE = (67, 64)
BATCHES = ((5, 5), (32, 5), LARGE, (8, 1031))  # pairs, features; a prime, which no fixed number divides
WARMER = 1.5
DTYPES = ("float64", "float32")  # in which a loss is the same but for rounding
PART = 0.02  # relative: half precision in a part of the loss changes an ordinary value by less
REASON = "rounding of the dtype in which the loss computes, times what cancels at the probes"
# labels of 64 bits, no two alike; none above 0, as a loss may make room for all labels up to the largest
FAR = (0, -(2**8), -(2**16), -(2**32), -(2**32) - 1)
TOLD_APART = {  # by labels of each dtype: in all but the first some of these are alike
    "int64": "",
    "int8": ", which it tells apart only up to multiples of 2⁸",
    "int16": ", which it tells apart only up to multiples of 2¹⁶",
    "int32": ", which it tells apart only up to multiples of 2³²",
    "float16": ", which it tells apart only as float16",
    "float32": ", which it tells apart only as float32",
}
NOT_LEFT_OUT = {"value not finite", "mean over all rows", "rows alone not left out"}
SLOPE = 1e-5  # relative error of a central difference of the formula, from truncation and rounding


def draw_points(way: Way, size: int, features: int) -> Sequence[inputs.Arrays]:
    """Draw two points: rows far apart, and rows close together with other labels or indices, if there are any."""
    even = way.name == "views of classes" or way.name.startswith("predictions")
    apart, close = inputs.points(way.world, size + size % 2 * even, each=1, features=features)[::2]
    return apart, inputs.relabel(way.world, close)


def predict(found: Found, arrays: inputs.Arrays, weighed_at: inputs.Arrays | None = None) -> float:
    """The value of the formula at these arrays; weighed_at: the arrays from which constant weights are computed."""
    factor, count, shift = names.find_scaling(found, arrays)
    formula, where = found.formula, places_of(found.formula, arrays)
    s = similarities(formula, arrays, arrays)
    held = None if weighed_at is None else similarities(formula, weighed_at, weighed_at)
    return factor * float(total(formula, s, where, found.inverse, found.second or 0.0, held)) / count + shift


def judge_batches(nearest: Nearest) -> list[Record]:
    """Compare the loss with the formula found at other batches; a batch that it refuses is noted."""
    found, way = nearest.found, nearest.way
    if found is None or found.reduction.law == "unknown":
        return []
    tolerance = tolerance_of(nearest)
    records = []
    for size, features in BATCHES:
        if features > 1000 and "columns" in found.formula.rows:
            continue  # of a million pairs of features
        with noting_refusal(way, words(size, features)):
            first, second = (compare(nearest, arrays) for arrays in draw_points(way, size, features))
            told = f"the same formula at {words(size, features)}"
            if first <= tolerance < second and inputs.are_labelled(way.world):
                told += " once the labels change, as if it kept those of the first batch"
            records.append(record(f"formula at {size}", max(first, second), tolerance, told, REASON))
    return [*records, *judge_one_class(nearest), *judge_far_labels(nearest)]


def compare_dtypes(
    nearest: Nearest, ask: Callable[[Way], np.ndarray], right: np.ndarray, part: float
) -> Iterator[tuple[str, float, float]]:
    """Yield the other dtype, the error of `ask` in it, and the tolerance: `part`, or more if all of it computes
    in half precision there. The numerics report a dtype that the loss refuses, or where it overflows.
    """
    way = nearest.way
    for dtype in DTYPES:
        if dtype == way.session.dtype:
            continue
        try:
            there = way.given({}, dtype)
            error = distance(ask(there), right)
            if error > part:
                part = max(part, 100 * TOLERANCES[coarser(nearest.precision, measure_precision(there))])
        except Exception:
            continue
        if np.isfinite(error):
            yield dtype, error, part


def judge_dtypes(nearest: Nearest) -> Iterator[Record]:
    """Compare the loss in another dtype with the formula found."""
    found = nearest.found
    if found is None or found.reduction.law == "unknown":
        return
    many = inputs.points(nearest.way.world, SIZES[0], each=1)
    right = np.array([predict(found, arrays) for arrays in many])

    def ask(way: Way) -> np.ndarray:
        return np.array([way.value(arrays) for arrays in many])

    for dtype, error, tolerance in compare_dtypes(nearest, ask, right, max(PART, 100 * found.residual)):
        yield record(f"formula in {dtype}", error, tolerance, f"the same formula in {dtype}", REASON)


def find_other_losses(nearest: Nearest) -> list[str]:
    """The dtypes in which it is another loss."""
    return [r.check.removeprefix("formula in ") for r in judge_dtypes(nearest) if not r.good]


def judge_layout(nearest: Nearest) -> Iterator[Record]:
    """Compare the value with that of the same arrays column by column in memory, which a loss may refuse."""
    way, session = nearest.way, nearest.way.session
    if nearest.found is None or session.library == "jax":
        return
    arrays = inputs.points(way.world, SIZES[0], each=1)[0]
    here = way.value(arrays)
    session.transposed = True
    try:
        there = way.value(arrays)
    except Exception as error:
        session.notes[f"given arrays column by column in memory it raises {describe_error(error)}"] = None
        return
    finally:
        session.transposed = False
    off, tolerance = abs(there - here) / (abs(here) + 1), 100 * TOLERANCES[nearest.precision]
    told = "the same formula of arrays that lie column by column in memory"
    yield record("formula by columns", off, tolerance, told, REASON)


def words(size: int, features: int) -> str:
    return f"{size} pairs of {features} features"


def tolerance_of(nearest: Nearest) -> float:
    return 100 * max(TOLERANCES[nearest.precision], nearest.found.residual if nearest.found else 0.0)


def compare(nearest: Nearest, arrays: inputs.Arrays, **others: Any) -> float:
    """How far the loss at these arrays is from the formula, relative to one more than the formula's value. others:
    arrays that the formula is given in place of some of these.
    """
    assert nearest.found is not None
    right = predict(nearest.found, {**arrays, **others})
    return abs(nearest.way.value(arrays) - right) / (abs(right) + 1)


@contextlib.contextmanager
def noting_refusal(way: Way, where: str) -> Iterator[None]:
    """Report a batch, or a number of features, that the loss does not take, and leave the block."""
    try:
        yield
    except Exception as error:
        way.session.notes[f"not asked at {where}: it raises {describe_error(error)}"] = None


def draw_classes(nearest: Nearest) -> inputs.Arrays | None:
    """Draw rows and labels for a loss that is a form of SupCon; None for another loss."""
    found = nearest.found
    if found is None or found.reduction.law == "unknown" or found.formula.head not in names.SUPCON:
        return None
    arrays = inputs.points(nearest.way.world, 2 * len(FAR), each=1)[0]
    return arrays if "labels" in arrays else None


def judge_rows_alone(nearest: Nearest) -> Iterator[Difference]:
    """Check that a row alone in its class, which has no positive, is left out. A loss may refuse such a row."""
    found, way, arrays = nearest.found, nearest.way, draw_classes(nearest)
    if found is None or arrays is None or way.world != "classes" or way.name == "views of classes":
        return  # of two views no row is alone
    lonely, where = inputs.leave_alone(arrays), "an ordinary batch that has a row alone in its class"
    with noting_refusal(way, where):
        got, right, rows = way.value(lonely), predict(found, lonely), len(lonely["labels"])
        near = tolerance_of(nearest) * (abs(right) + 1)
        if not np.isfinite(got):
            yield Difference("value not finite", f"it returns no finite number at {where}")
        elif abs(got - right * (rows - 1) / rows) <= near:
            yield Difference("mean over all rows", "rows without a positive are counted in the divisor")
        elif abs(got - right) > near:
            yield Difference(
                "rows alone not left out", "rows without a positive are not left out of the loss"
            )


def judge_one_class(nearest: Nearest) -> Iterator[Record]:
    """Compare the loss with the formula where all rows are of one class. A loss of 0 is only noted: without
    negatives pytorch-metric-learning leaves the batch out.
    """
    found, way, arrays = nearest.found, nearest.way, draw_classes(nearest)
    if found is None or arrays is None:
        return
    one, where = {**arrays, "labels": 0 * arrays["labels"]}, "a batch of one class"
    with noting_refusal(way, where), np.errstate(invalid="ignore"):
        error, right, tolerance = compare(nearest, one), predict(found, one), tolerance_of(nearest)
        if not np.isfinite(right):
            return  # a denominator of negatives alone is empty
        if error > tolerance and way.value(one) == 0:
            way.session.notes[f"at {where} it returns 0, where the formula returns {right:.3g}"] = None
        else:
            yield record("formula of one class", error, tolerance, f"the same formula at {where}", REASON)


def judge_far_labels(nearest: Nearest) -> Iterator[Record]:
    """Compare the loss with the formula where labels are far apart. Another value that no coarser dtype explains is
    only noted: a loss may leave out rows whose label is negative.
    """
    way, arrays = nearest.way, draw_classes(nearest)
    if arrays is None or way.session.target.device != "cpu":
        return  # on a GPU a label that is taken for an index, and out of range, would stop all later calls
    known = FAR[:3] if way.session.library == "jax" else FAR  # JAX is given integers of 32 bits
    labels = np.tile(np.resize(known, len(arrays["labels"]) // 2), 2)
    far, where = {**arrays, "labels": labels}, "labels that are negative and far apart"
    tolerance = tolerance_of(nearest)
    with noting_refusal(way, where), np.errstate(over="ignore"):
        for dtype, words in TOLD_APART.items():
            if compare(nearest, far, labels=labels.astype(dtype)) <= tolerance:
                error, told = compare(nearest, far), f"the same formula at {where}{words}"
                yield record("formula at far labels", error, tolerance, told, REASON)
                return
        way.session.notes[f"at {where} it returns another value"] = None


def judge_slopes(nearest: Nearest, live: tuple[str, ...], held: bool = False) -> Record | None:
    """Compare the gradient with the formula's along one direction at the largest batch; None if the loss does
    not run there. live: the arrays that the gradient reaches · held: whether weights are constant.
    """
    found, way = nearest.found, nearest.way
    if found is None or found.reduction.law == "unknown" or not live:
        return None
    size, features = LARGE
    arrays = draw_points(way, size, features)[0]
    rng = np.random.default_rng(6)
    along = {name: rng.standard_normal(arrays[name].shape) for name in live}
    try:
        own = way.gradient(arrays) or {}
    except Exception:  # reported with the values
        return None
    step = 1e-4
    ahead, behind = (
        predict(
            found,
            {**arrays, **{n: arrays[n] + sign * step * along[n] for n in live}},
            arrays if held else None,
        )
        for sign in (1, -1)
    )
    right = (ahead - behind) / (2 * step)
    size_of = np.sqrt(sum(float(np.sum(own[n] ** 2)) for n in live)) + abs(right)
    error = abs(sum(float(np.sum(own[n] * along[n])) for n in live) - right) / (size_of or 1.0)
    tolerance = max(SLOPE, 100 * TOLERANCES[nearest.precision], 100 * found.residual)
    told = f"the slope of the formula at {words(size, features)}"
    return record(f"gradient at {size}", error, tolerance, told, "a central difference of the formula")


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


def refit(found: Found, measured: fit.Measured) -> fit.Fit:
    """Refit the same formula at another temperature; its second number may scale with the temperature, or
    inversely.
    """
    fits = fit.fit_nearest([found.formula], measured)
    if found.second:
        starts = [found.second * WARMER**k for k in (-1, 1)]
        fits += [fit.refine(found.formula, measured, fits[0].t, e) for e in starts]
    return min(fits, key=lambda each: each.residual)


def judge_entries(nearest: Nearest) -> Iterator[Difference]:
    """Check that a loss with reduction="none" returns the loss of each anchor, or of each pair, in their
    order.
    """
    found, way = nearest.found, nearest.way
    if found is None or found.reduction.law != "mean":
        return
    arrays = inputs.points(way.world, SIZES[0], each=1)[0]
    way.value(arrays)
    own = np.ravel(way.session.last) if hasattr(way.session.last, "shape") else np.zeros(0)
    right = found.reduction.factor * list_anchors(found, arrays) + found.shift
    if way.name == "interleaved":
        right = right.reshape(2, -1).T.ravel()
    elif found.formula.anchors == "both" and 2 * len(own) == len(right):
        right = right.reshape(2, -1).mean(axis=0)
    if own.shape != right.shape:
        words = f"with reduction='none' {own.size} numbers come back, where {right.size} belong"
        yield Difference("another reduction", words)
    elif not np.allclose(
        own, right, rtol=1e-6, atol=100 * max(found.residual, TOLERANCES[nearest.precision])
    ):
        yield Difference(
            "entries differ",
            "the mean is right, and the entries are not the losses of the anchors in order",
        )


def list_anchors(found: Found, arrays: inputs.Arrays) -> np.ndarray:
    """The formula's loss of each anchor."""
    formula, where, s = (
        found.formula,
        places_of(found.formula, arrays),
        similarities(found.formula, arrays, arrays),
    )
    chosen = {"first": where.first, "second": ~where.first, "both": where.first | True}[formula.anchors]

    def one(a: int) -> float:
        alone = Places({role: mask[[a]] for role, mask in where.roles.items()}, where.first[[a]])
        return float(total(formula, s[[a]], alone, found.inverse, found.second or 0.0))

    return np.array([one(int(a)) for a in np.flatnonzero(chosen)])


def judge_sequences(nearest: Nearest) -> Iterator[Difference]:
    """Check whether the loss of two sequences is the mean or the sum of their losses, or the loss of all
    their rows.
    """
    way = nearest.way
    if "sequence" not in way.name or nearest.found is None:
        return
    axis = 1 if way.name == "sequences of one step" else 0
    many = [(a["x"], a["y"]) for a in inputs.points(way.world, SIZES[0], each=1)[:2]]

    def value(*pairs: Iterable[np.ndarray]) -> float:
        views = [np.stack(view, axis=axis) for view in zip(*pairs)]
        return way.session(views, size=SIZES[0]).value

    try:
        own, alone = value(*many), sum(value(pair) for pair in many)
        every = value(map(np.concatenate, zip(*many)))
        used = [value(many[0], many[0]), value(many[1], many[1])]
    except Exception as error:  # it takes only one sequence
        way.session.notes[f"not asked with two sequences: it raises {describe_error(error)}"] = None
        return
    known = {"the mean of": alone / 2, "the sum of": alone, "the loss of all rows in place of": every}
    told = next((words for words, x in known.items() if np.isclose(own, x, rtol=1e-6)), None)
    if told is None and own in used:
        yield Difference("sequences left out", "of two sequences one does not enter the loss")
    elif told is None:
        yield Difference(
            "sequences mixed", "two sequences have neither the mean of their losses nor that of all rows"
        )
    else:
        way.session.notes[f"two sequences have {told} their losses"] = None


def note_unasked(way: Way) -> None:
    """Report optional arrays of the loss that were not passed."""
    left = find_optional(way.session.function, way.session.given)
    if left and not inputs.WAYS[way.name].last:
        way.session.notes[f"asked without {', '.join(left)}, which it may be given: --inputs chooses"] = None


def note_evaluation(way: Way) -> None:
    """Report a PyTorch module that returns another value in evaluation mode than in training mode, or the other
    way round.
    """
    session = way.session
    module: Any = session.function
    if session.library != "torch" or not isinstance(module, sys.modules["torch"].nn.Module):
        return
    many = [inputs.points(way.world, size, each=1)[0] for size in SIZES]
    modes = {part: part.training for part in module.modules()}
    mode = module.training
    here = [way.value(arrays) for arrays in many]
    try:
        module.train(not mode)
        there = [way.value(arrays) for arrays in many]
    except Exception as error:
        said = f"raises {describe_error(error)}"
    else:
        said = "" if np.allclose(here, there, rtol=1e-6, atol=0) else "returns another value"
    finally:
        for part, before in modes.items():
            part.training = before
    if said:
        own, other = ("training", "evaluation") if mode else ("evaluation", "training")
        session.notes[f"asked in {own} mode; in {other} mode it {said}"] = None


def takes_classes(way: Way) -> bool:
    """Return whether a loss that was asked with the labels of pairs accepts class labels too."""
    if way.name != "pairs with labels":
        return False
    try:
        return bool(np.isfinite(way._replace(name="classes").value(inputs.points("classes", 4, each=1)[0])))
    except Exception:
        return False
