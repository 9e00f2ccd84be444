"""The second tier: compare the loss's own gradient with the exact one of the formula that was found."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ..targets import describe_error
from . import asking, elsewhere, gradient, inputs, jumps, names, text_tier
from .asking import Way
from .factors import show
from .formula import Formula
from .frozen import measure_frozen, measure_late
from .heads import HEADS
from .identification import SIZES, Nearest
from .learned import measure_learned
from .names import Difference, Found
from .not_finite import explain_nan
from .question import Question
from .target import Refused, accepts, call_signature, collect_settings
from .text_tier import Text
from .verdicts import Record, Verdict, record

TOLERANCES = {"float64": 1e-8, "float32": 1e-4, "float16": 3e-2, "bfloat16": 1e-1}
REASON = "rounding of the dtype in which the loss computes, relative to the largest entry"
OF_DIFFERENCES = "a central difference at the step where truncation meets rounding"
HELD = ("byol", "simsiam")  # losses whose targets are held constant
PREDICTION = {"p", "q", "pred", "prediction", "predictions", "predicted", "online", "student"}
TARGET = {"z", "target", "targets", "projection", "projections", "teacher", "ema", "momentum"}
FROZEN = "right, but not with {} frozen: it is then off by {:.2g} of its largest entry"
LATE = "right alone, not if another call comes before its backward, which uses the arrays of the latest call"
IN_DTYPE = "right in {}, and not in {}: it is off by {:.2g} of its largest entry there"
PART = 0.1  # relative: half precision in a part of the loss changes an ordinary gradient by less
UPSTREAM_IGNORED = "right for the loss alone, not for a multiple of it: the backward ignores what reaches it"
SWAPPED = "the prediction is held constant and the target is trained: the stop-gradient is on the wrong side"


class Slope(NamedTuple):
    """The result for the gradient · live: the arrays whose gradient is right and not held at 0; the numerics use
    these · held: whether weights are constant."""

    verdict: Verdict
    records: Sequence[Record] = ()
    mistakes: Sequence[Difference] = ()
    live: tuple[str, ...] = ()
    held: bool = False


def judge(question: Question, nearest: Nearest, texts: Sequence[Text], value_is_wrong: bool) -> Slope:
    """Return the verdict on the gradient by the arrays, then by numbers such as the temperature."""
    try:
        slope = judge_arrays(question, nearest, texts, value_is_wrong)
        if slope.verdict.word not in ("right", "none", "constant factor"):
            return slope
        found = [
            judge_numbers(nearest, texts),
            judge_learned(nearest),
            judge_frozen(nearest),
            judge_late(nearest),
            judge_dtypes(nearest) if slope.verdict.word == "right" else ([], []),
        ]
        others, records = (list(chain(*each)) for each in zip(*found))
    except Refused:
        raise
    except Exception as error:  # a user's code may raise anything
        return fail(Difference("gradient raises", f"its own gradient raises {describe_error(error)}"))
    told = {mistake.mistake for mistake in slope.mistakes}
    mistakes = [mistake for mistake in others if mistake.mistake not in told]
    if not mistakes:
        return slope._replace(records=[*slope.records, *records])
    word = slope.verdict.word if slope.mistakes else "wrong"
    return fail(*slope.mistakes, *mistakes, word=word, records=[*slope.records, *records])


def fail(*mistakes: Difference, word: str = "wrong", records: Sequence[Record] = ()) -> Slope:
    return Slope(Verdict(word, False, "; ".join(d.sentence for d in mistakes)), records, mistakes)


def judge_arrays(question: Question, nearest: Nearest, texts: Sequence[Text], value_is_wrong: bool) -> Slope:
    """Judge the loss's own gradient by its arrays."""
    way, found = nearest.way, nearest.found
    arrays, by_value = somewhere_steep(nearest)
    own = way.gradient(arrays)
    if question.is_ in HELD and own is not None and not np.any(own["y"]):
        by_value = {**by_value, "y": 0 * by_value["y"]}  # held constant, as it should be
    point = formula_at(found, arrays) if found is not None else None
    right = gradient.differentiate_formula(*point) if point is not None else None
    tolerance, of_value = find_tolerances(nearest, exact=right is not None)
    if holds_weights(question, nearest, own, right, tolerance):
        assert found is not None
        return judge_held_weights(question, nearest._replace(found=found._replace(held=True)), texts)
    still = find_constant(question, nearest, own, by_value, tolerance)
    if still and own:
        by_value = {name: own[name] if name in still else slope for name, slope in by_value.items()}
    found_out = gradient.judge(own, right, point, by_value, tolerance)
    if found_out.mistake == "gradient not finite":
        found_out = found_out._replace(sentence=found_out.sentence + explain_nan(way, arrays))
    elif right is None and own and found_out.status == "wrong":
        jump = jumps.describe_step(way, arrays, own, by_value, nearest.precision)
        if jump:
            return judge_jump(nearest, jump, tolerance)
    if found_out.status in ("wrong", "constant factor") and ignores_upstream(
        way, arrays, by_value if right is None else right, tolerance
    ):
        return fail(Difference("upstream ignored", UPSTREAM_IGNORED))
    # a wrong value may follow another formula at another batch size
    elsewhere = nearest._replace(found=None) if value_is_wrong else nearest
    allowed = of_value if elsewhere.found is None else tolerance
    if found_out.status == "constant factor":
        found_out = compare_factors(elsewhere, arrays, found_out, allowed)
    if found_out.status == "none":
        return Slope(Verdict("none", True, found_out.sentence))
    against = "the exact gradient of the formula" if right is not None else "differences of its own value"
    records = [record("gradient", found_out.error, tolerance, against, REASON)]
    if right is not None:
        records.append(record_differences(found_out, of_value))
    live = tuple(name for name, slope in (own or {}).items() if np.any(slope))
    outcome = holds_target(question, nearest, found_out, live, right)
    if outcome is None and found_out.status == "right":
        outcome = approve(f"within {found_out.error:.0e} of {against}", still, live)
    if outcome is not None and outcome.verdict.holds and found is not None:
        again = judge_another_size(elsewhere, live, allowed)
        records = hold(records, outcome) if found_out.status != "right" else records
        records.append(again)
        if not again.good:
            return fail(Difference("right at one batch size", again.reason), records=records)
    if outcome is not None:
        return outcome._replace(records=records)
    if text_tier.follows_claim(texts):
        sentence = (
            f"it is that of {question.is_} as it should be{', which the value is not' * value_is_wrong}"
        )
        verdict = Verdict("right", True, sentence)
        return Slope(verdict, hold(records, Slope(verdict)), [], () if value_is_wrong else live)
    if found is not None and found_out.status == "wrong":
        found_out = confirm(found_out, question, way, found, tolerance)
    mistakes = text_tier.name_gradient(texts, [Difference(found_out.mistake, found_out.sentence)])
    return fail(*mistakes, word=found_out.status, records=records)


def judge_jump(nearest: Nearest, jump: str, tolerance: float) -> Slope:
    """Judge the gradient of a loss of no known formula where its value does not jump, if it does not everywhere."""
    way = nearest.way
    for arrays in inputs.points(way.world, SIZES[0], each=1):
        slopes, own = find_slopes(nearest, arrays), way.gradient(arrays) or {}
        live = tuple(name for name, slope in own.items() if np.any(slope))
        error = gradient.distance(gradient.flat(own, list(slopes)), gradient.flat(slopes, list(slopes)))
        if error <= tolerance and live:
            return approve(f"within {error:.0e} of differences of its own value, but {jump}", [], live)
    told = jumps.describe_rounding(way) if nearest.precision == "float64" else ""
    return fail(Difference("value jumps", told or jump), word="unknown")


def ignores_upstream(way: Way, arrays: Mapping[str, Any], expected: Any, tolerance: float) -> bool:
    """Return whether the gradient is as expected if the loss itself is differentiated, not a multiple of it."""
    before, way.session.upstream = way.session.upstream, 1.0
    try:
        own = way.gradient(arrays)
    finally:
        way.session.upstream = before
    mine, exact = (gradient.flat(slopes or {}, list(expected)) for slopes in (own, expected))
    return gradient.distance(mine, exact) <= tolerance


def approve(sentence: str, still: Sequence[str], live: tuple[str, ...]) -> Slope:
    """The result for a right gradient. still: the arrays that the loss holds constant."""
    if still:
        held = f"{' and '.join(still)} constant, in part at least: right for a teacher or a memory"
        sentence = f"{held}; else {sentence}"
    return Slope(Verdict("right", True, sentence), [], [], live)


def judge_held_weights(question: Question, nearest: Nearest, texts: Sequence[Text]) -> Slope:
    """Compare the gradient with that of the formula with constant weights."""
    slope = judge_arrays(question, nearest, texts, False)
    if not slope.verdict.holds:
        return slope
    sentence = "the weights are held constant; else it is the exact gradient"
    return slope._replace(verdict=slope.verdict._replace(sentence=sentence), held=True)


def find_constant(
    question: Question, nearest: Nearest, own: Any, by_value: Any, tolerance: float
) -> list[str]:
    """Find the arrays that a loss of no known formula may hold constant on purpose, if it trains another: one
    without gradient, such as a teacher's output, or a memory with a gradient in some rows only.
    """
    if question.is_ is not None or nearest.found is not None or not own:
        return []
    off = [name for name in own if gradient.distance(own[name].ravel(), by_value[name].ravel()) > tolerance]
    still = [name for name in off if name in ("negatives", "bank") or not np.any(own[name])]
    return still if len(still) < len(own) else []


def holds_weights(question: Question, nearest: Nearest, own: Any, right: Any, tolerance: float) -> bool:
    """Return whether the gradient is exact with constant weights, and not otherwise. Asked only without a
    claim, since a claim determines it.
    """
    found = nearest.found
    if question.is_ is not None or found is None or own is None or found.held:
        return False
    if not any(word in found.formula.head for word in ("weighed", "hard", "soft targets")):
        return False
    arrays = somewhere_steep(nearest)[0]
    constant = gradient.differentiate_formula(*formula_at(found._replace(held=True), arrays))
    names_ = list(constant)
    mine, held, moving = (gradient.flat(x, names_) for x in (own, constant, right))
    return gradient.distance(mine, held) <= tolerance < gradient.distance(mine, moving)


def find_tolerances(nearest: Nearest, exact: bool) -> tuple[float, float]:
    """Return the tolerances of the gradient, compared with an exact one or with differences, and of
    differences.
    """
    rough = 1e-4 if nearest.precision == "float64" else 10 * TOLERANCES[nearest.precision]
    tolerance = TOLERANCES[nearest.precision] if exact else rough
    if nearest.found is None:
        return tolerance, rough
    # at a small τ a loss curves over steps of about τ, which limits the accuracy of differences
    curved = (gradient.STEPS[nearest.precision] * nearest.found.inverse) ** 2 / 4
    of_value = max(rough * max(1.0, nearest.found.inverse**2 / 100), curved)
    return max(tolerance, 100 * nearest.found.residual), of_value


def record_differences(found_out: gradient.Judgement, tolerance: float) -> Record:
    return record(
        "gradient by differences",
        found_out.of_differences,
        tolerance,
        "differences of its own value",
        OF_DIFFERENCES,
    )


def confirm(
    found_out: gradient.Judgement, question: Question, way: Way, found: Found, tolerance: float
) -> gradient.Judgement:
    """Return the finding if a batch of another size confirms it; else report only that the gradient is wrong."""
    if found_out.mistake in text_tier.GENERIC:
        return found_out
    point = formula_at(found, asking.example(way.world, SIZES[1]))
    right, own = gradient.differentiate_formula(*point), way.gradient(point.arrays) or {}
    reached = {n: slope * (question.is_ not in HELD or np.any(own[n])) for n, slope in right.items()}
    again = gradient.judge(own, right, point, reached, tolerance)
    if again.mistake == found_out.mistake:
        return found_out
    sentence = f"at {SIZES[0]} pairs {found_out.sentence}; at {SIZES[1]} {again.sentence or 'it is right'}"
    return found_out._replace(mistake="gradient wrong", sentence=sentence)


def formula_at(found: Found, arrays: Mapping[str, Any]) -> gradient.Point:
    """Evaluate the found formula at these arrays."""
    factor, count, _ = names.find_scaling(found, arrays)
    formula, inverse = found.formula._replace(sign=1), found.formula.sign * found.inverse
    return gradient.Point(formula, arrays, inverse, found.second or 0.0, factor / count, found.held)


def compare_factors(
    nearest: Nearest, arrays: Mapping[str, Any], found_out: gradient.Judgement, tolerance: float
) -> gradient.Judgement:
    """Judge a gradient that is a multiple of the exact one at some arrays; at other points or batch sizes the
    factor may differ."""
    way, (small, large) = nearest.way, SIZES
    asked = [arrays, *inputs.points(way.world, small, each=1)]
    here, *others = (f for f in (measure_factor(nearest, arrays, tolerance) for arrays in asked) if f != 0)
    there = measure_factor(nearest, asking.example(way.world, large), tolerance)

    def is_same(factor: float | None) -> bool:
        return factor is not None and here is not None and abs(factor - here) <= tolerance * abs(here)

    if all(map(is_same, others)) and (is_same(there) or there == 0):
        return found_out
    if all(map(is_same, others)) and there is not None:
        sentence = (
            f"{found_out.sentence} at {small} pairs, and {show(there)} times at {large}: "
            "is a number of rows missing, or there twice?"
        )
    else:
        sentence = f"{found_out.sentence} at one point, and another multiple or none at others"
    return found_out._replace(
        status="wrong", mistake="gradient times a number that varies", sentence=sentence
    )


def measure_factor(nearest: Nearest, arrays: Mapping[str, Any], tolerance: float) -> float | None:
    """The factor between the loss's own gradient and the exact one at a point; None if they are not proportional, 0
    if the exact one is 0."""
    own, right = nearest.way.gradient(arrays) or {}, find_slopes(nearest, arrays)
    mine, expected = (gradient.flat(slopes, list(right)) for slopes in (own, right))
    return gradient.find_factor(mine, expected, tolerance) if np.any(expected) else 0.0


def find_slopes(nearest: Nearest, arrays: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the exact gradient of the formula, or differences of the value if there is no formula."""
    if nearest.found is None:
        return gradient.differentiate_values(nearest.way.value, arrays, nearest.precision)
    return gradient.differentiate_formula(*formula_at(nearest.found, arrays))


def judge_another_size(nearest: Nearest, live: tuple[str, ...], tolerance: float) -> Record:
    """Compare the gradient at a batch of another size: a loss may assume one number of rows. live: the arrays
    that the gradient reaches."""
    way, (small, large) = nearest.way, SIZES
    arrays = asking.example(way.world, large)
    own, right = way.gradient(arrays) or {}, find_slopes(nearest, arrays)
    expected = {name: slope * (name in live) for name, slope in right.items()}
    error = gradient.distance(*(gradient.flat(slopes, list(expected)) for slopes in (own, expected)))
    words = f"the gradient is right at {small} pairs, and off by {error:.2g} of its largest entry at {large}"
    reason = REASON if error <= tolerance else f"{words}: is a number of rows written in?"
    against = "the exact gradient of the formula" if nearest.found else "differences of its own value"
    return record(f"gradient at {large}", error, tolerance, against, reason)


def hold(records: Sequence[Record], slope: Slope) -> list[Record]:
    """Mark whether the records hold, by the verdict."""
    return [r._replace(status="holds", reason=slope.verdict.sentence) for r in records]


def holds_target(
    question: Question, nearest: Nearest, found_out: gradient.Judgement, live: tuple[str, ...], right: Any
) -> Slope | None:
    """Judge a loss whose target is held constant, or should be: a loss of pulls alone without a claimed name,
    or one that should be BYOL's or SimSiam's; None for any other.
    """
    found, by_name = nearest.found, question.is_ in HELD
    if found is None or right is None:
        return None
    if question.is_ is None and found_out.mistake in CONSTANT_KEYS and holds_keys(found.formula, live):
        return Slope(Verdict("right", True, CONSTANT_KEYS[found_out.mistake]), [], [], live)
    if not by_name and (question.is_ is not None or found.formula.head != "pull"):
        return None
    if found_out.mistake == "one view detached":
        trained = "y" if "x" not in live else "x"
        target = find_target(nearest.way) or ("y" if by_name else "")
        if trained == target:
            return fail(Difference("stop gradient on the wrong side", SWAPPED))
        sentence = f"{found_out.sentence.partition(':')[0]}, as a target is; else it is the exact gradient"
        if trained == "y" and not target:
            sentence += "; were it the prediction, the stop-gradient would be on the wrong side"
        return Slope(Verdict("right", True, sentence), [], [], live)
    if by_name and found_out.status == "right":
        return fail(
            Difference(
                "stop-gradient missing", "the second view is not held constant: the stop-gradient is missing"
            )
        )
    return None


KEYS_HELD = "the keys are held constant, as those of a momentum encoder; else it is the exact gradient"
CONSTANT_KEYS = {
    "one view detached": KEYS_HELD,
    "keys detached": KEYS_HELD,
    "negatives detached": "the given negatives are held constant, as a memory's; else it is the exact gradient",
}


def holds_keys(formula: Formula, live: tuple[str, ...]) -> bool:
    """Whether the loss trains its anchors and holds its candidates constant, as with the keys of a queue."""
    anchor = {"first": "x", "second": "y"}.get(formula.anchors)
    return (
        anchor in live
        and "same view" not in formula.candidates
        and HEADS[formula.head].base == "cross-entropy"
    )


def find_target(way: Way) -> str:
    """Find which of two arrays the loss calls the target, "x" or "y"; "" if its names do not tell."""
    words = [set(re.split(r"[_\d]+", name.lower())) for name in call_signature(way.session.function)]
    second_at = {"two": 1, "predictions and projections": 1, "predictions, then projections": 2}.get(way.name)
    if second_at is None or len(words) <= second_at:  # as of *views
        return ""
    first, second = (bool(w & TARGET) - bool(w & PREDICTION) for w in (words[0], words[second_at]))
    return {(1, -1): "x", (-1, 1): "y"}.get((first, second), "")


def judge_numbers(nearest: Nearest, texts: Sequence[Text]) -> tuple[list[Difference], list[Record]]:
    """Compare the gradients by numbers that a backward returned with differences of the value."""
    way = nearest.way
    target = way.session.target
    arrays = asking.example(way.world, 4)
    settings = collect_settings(target, way.session.function)
    mistakes, records = [], []
    for name, own in way.answer(arrays).numbers.items():
        if not isinstance(settings.get(name), int | float) or not accepts(target, name):
            continue

        def value(x: float, name: str = name) -> float:
            return way.given({name: x}).value(arrays)

        slope, other = (differentiate(value, float(settings[name]), step) for step in (1e-3, 3e-4))
        if not abs(slope - other) <= OF_NUMBERS * (abs(slope) + NOTHING):
            continue  # there is a kink between the two points
        error = abs(own - slope) / max(abs(slope), NOTHING)
        tolerance = max(OF_NUMBERS, 10 * TOLERANCES[nearest.precision])
        records.append(
            record(f"gradient by {name}", error, tolerance, "differences of its value", OF_DIFFERENCES)
        )
        if not error <= tolerance:
            sentence = f"the gradient by {name} is {own:.9g}, where differences of the value give {slope:.9g}"
            mistakes.append(Difference("gradient by numbers wrong", sentence))
    return (text_tier.name_gradient(texts, mistakes) if mistakes else []), records


def judge_frozen(nearest: Nearest) -> tuple[list[Difference], list[Record]]:
    """Compare the gradients while something is frozen with those while nothing is."""
    errors = measure_frozen(nearest)
    if not errors:
        return [], []
    what = max(errors, key=errors.__getitem__)
    found = record(
        "gradient while frozen",
        errors[what],
        TOLERANCES[nearest.precision],
        "while nothing is frozen",
        REASON,
    )
    wrong = [] if found.good else [Difference("wrong while frozen", FROZEN.format(what, errors[what]))]
    return wrong, [found]


def judge_late(nearest: Nearest) -> tuple[list[Difference], list[Record]]:
    """Compare the gradient with that after another call of the loss."""
    error = measure_late(nearest)
    if error is None:
        return [], []
    tolerance = TOLERANCES[nearest.precision]
    found = record("gradient after another call", error, tolerance, "that of the loss alone", REASON)
    return [] if found.good else [Difference("wrong after another call", LATE)], [found]


def judge_dtypes(nearest: Nearest) -> tuple[list[Difference], list[Record]]:
    """Compare the gradient in another dtype with that in the dtype asked, unless it is another loss there."""
    if nearest.found is None:  # it may be another loss there
        return [], []
    many = inputs.points(nearest.way.world, SIZES[0], each=1)

    def ask(way: Way) -> np.ndarray:
        slopes = [slope for arrays in many for slope in (way.gradient(arrays) or {}).values()]
        return np.concatenate([[0.0], *map(np.ravel, slopes)])

    others = elsewhere.find_other_losses(nearest)
    mistakes, records = [], []
    for dtype, error, tolerance in elsewhere.compare_dtypes(nearest, ask, ask(nearest.way), PART):
        if dtype in others:
            continue
        own = nearest.way.session.dtype
        records.append(record(f"gradient in {dtype}", error, tolerance, f"that in {own}", REASON))
        if error > tolerance:
            mistakes.append(Difference("wrong in another dtype", IN_DTYPE.format(own, dtype, error)))
    return mistakes, records


def judge_learned(nearest: Nearest) -> tuple[list[Difference], list[Record]]:
    """Judge the gradients by the numbers that a module learns."""
    mistakes, records = [], []
    tolerance = max(OF_LEARNED, 10 * TOLERANCES[nearest.precision])
    for name, own, (slope, other), effective in measure_learned(nearest):
        if not effective and own is None:
            nearest.way.session.notes[f"{name}, which it learns, is not used"] = None
            continue
        if not effective:
            sentence = (
                f"{name}, which it learns, has no effect where it starts: is it clamped, or does it cancel?"
            )
            mistakes.append(Difference("learned number without effect", sentence))
            continue
        if not abs(slope - other) <= tolerance * (abs(slope) + NOTHING):
            continue  # there is a kink between the two points
        error = abs((own or 0.0) - slope) / max(abs(slope), NOTHING)
        records.append(
            record(f"gradient by {name}", error, tolerance, "differences of its value", OF_DIFFERENCES)
        )
        if error <= tolerance:
            continue
        if not own:
            mistakes.append(
                Difference("learned number detached", f"no gradient reaches {name}, which it learns")
            )
            continue
        sentence = f"the gradient by {name} is {own:.9g}, where differences of the value give {slope:.9g}"
        mistakes.append(Difference("gradient by numbers wrong", sentence))
    return mistakes, records


# relative error of differences with a step of 3e-3, for a number that enters through its exponential
OF_LEARNED = 1e-4
OF_NUMBERS = 1e-5  # relative: the error that a small constant, such as 1e-8 beside a probability, may cause
NOTHING = 1e-3  # absolute: a smaller slope is not judged


def differentiate(f: Callable[[float], float], x: float, step: float) -> float:
    """f′(x) by differences of the fourth order."""
    h = step * max(abs(x), 1e-2)
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


def somewhere_steep(nearest: Nearest) -> tuple[Mapping[str, Any], dict[str, np.ndarray]]:
    """Find a point at which the value is not flat (it is flat if every hinge is inactive), and the
    differences there.
    """
    way = nearest.way
    for arrays in (asking.example(way.world, 4), *inputs.points(way.world, 4, each=1)):
        slopes = gradient.differentiate_values(way.value, arrays, nearest.precision)
        if any(np.any(slope) for slope in slopes.values()):
            break
    return arrays, slopes
