"""The first tier: which formula the loss computes, its name, and how it differs from the loss of that name."""

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..mistakes import Form
from ..targets import describe_error
from . import asking, classes, elsewhere, entries, inputs, jumps, names, text_tier
from .factors import OF_TEMPERATURE
from .formula import Formula
from .heads import HEADS, KERNEL
from .identification import OF_COORDINATES, SIZES, TOLERANCES, Nearest, identify
from .names import Difference, Found
from .question import Question
from .target import SCALES, Refused, describe_held
from .temperature import (
    AT_ONE,
    OF_FEATURES,
    find_setting,
    invert,
    judge_far,
    judge_learned,
    judge_temperature,
    measure_features,
)
from .text_tier import Text
from .verdicts import Record, Verdict, record

CONSTANT = 1e-3  # relative: two errors that differ by less are the same constant
NEAR = 1e-3  # a formula with a larger residual is not reported as the nearest
# mistakes that a text at one temperature does not show
ELSEWHERE = {AT_ONE, "logits clamped", "temperature not used", "temperature twice", "root of the temperature"}
NOTICED = 1e-5  # a smaller difference is treated as a small added constant
PASSES = ((False, False), (True, False), (False, True), (True, True))  # with a mistake, on rows of length 1
NO_NUMBER = "it returns no finite number, or raises"

Known = dict[asking.Way, tuple[str, asking.Facts | None]]


def find_formula(question: Question) -> Nearest:
    """Return the formula that fits, or else the nearest. Unusual ways of passing arrays, and of reading what comes
    back, are tried last.
    """
    found = asking.find_ways(question.target, question.inputs, question.dtype)
    nearest, refusal = None, None
    try:
        nearest = find_formula_of(question, found)
    except Refused as error:
        refusal = error
    for others in asking.list_other_ways(found, question.target, question.dtype):
        doubted = nearest and nearest.found and (nearest.found.mistakes or nearest.way.unit)
        if nearest and nearest.found and not doubted:
            break
        with contextlib.suppress(Refused):
            again = find_formula_of(question, others, PASSES[:1] if doubted else PASSES)
            nearest = again if again.found or nearest is None else nearest
    if nearest is None:
        raise refusal or Refused(question.target.name)
    return measure_features(nearest)


def find_formula_of(
    question: Question, found: Sequence[asking.Way], passes: Sequence[tuple[bool, bool]] = PASSES
) -> Nearest:
    """Return the formula that fits; of several ways of passing the arrays, the one with the fewest differences. Try
    mistakes last.
    """
    if question.is_ is not None:
        worlds = text_tier.worlds(question.is_)
        meant = [way for way in found if inputs.WAYS[way.name].world in worlds]
        found = meant or found
    refusals: list[Refused] = []
    known: Known = {}
    for way in found:
        try:
            asking.check_repeatable(way)
            precision = asking.measure_precision(way)
            known[way] = precision, asking.measure_facts(way, max(NOTICED, TOLERANCES[precision]))
        except Refused as error:
            refusals.append(error)
        except Exception as error:  # it returned a number for one example and failed at the next
            refusals.append(Refused(f"{question.target.name} raises {describe_error(error)}"))
    best: list[Nearest] = []
    before: dict[asking.Way, Nearest] = {}
    for mistakes, unit in passes:
        for way, (precision, facts) in (normalise_rows(known, before) if unit else known).items():
            if way.name == "similarities" and any(nearest.found for nearest in best):
                continue  # the formula of a matrix of scores describes it already
            try:
                before[way] = identify(way, facts, precision, mistakes, before.get(way))
                if before[way].found or not unit:
                    best.append(before[way])
            except Refused as error:
                refusals.append(error)
            except Exception as error:
                refusals.append(Refused(f"{question.target.name} raises {describe_error(error)}"))
        good = [nearest for nearest in best if nearest.found]
        # labels of pairs tell less than labels of classes
        if any(nearest.way.name == "classes" for nearest in good):
            good = [nearest for nearest in good if nearest.way.name != "pairs with labels"]
        if any(nearest.way.name == "two with classes" for nearest in good):
            good = [nearest for nearest in good if nearest.way.name != "two with labels"]
        if good:
            return min(good, key=partial(count_differences, question))
    if not best:
        raise refusals[0]
    return min(best, key=lambda nearest: nearest.fit.residual if nearest.fit else math.inf)


def normalise_rows(known: Known, before: Mapping[asking.Way, Nearest]) -> Known:
    """Return these ways of calling the loss with unit rows, if the loss depends on the lengths. before: what was
    found on other rows, if the loss returned numbers there."""
    found: Known = {}
    for way, (_, facts) in known.items():
        if way.unit or way.world not in asking.OF_ROWS:
            continue
        if facts is not None and not (facts.length_of_x or facts.length_of_y):
            continue
        try:
            there = way._replace(unit=True, others=asking.FITS_NOT if way in before else NO_NUMBER)
            precision = asking.measure_precision(there)
            found[there] = precision, asking.measure_facts(there, max(NOTICED, TOLERANCES[precision]))
        except Exception:  # the loss raises on unit rows
            continue
    return found


def count_differences(question: Question, nearest: Nearest) -> float:
    """Count the differences from the loss that was claimed, or from the nearest."""
    assert nearest.found is not None
    if question.is_:
        if nearest.way.world not in text_tier.worlds(question.is_):
            return math.inf  # the claimed loss takes other inputs
        if not names.find_named(question.is_, nearest.way.world):
            return math.inf  # only its text is known, not its formula
        return len(names.compare(nearest.found, question.is_, nearest.way.world)[1])
    return len(names.find_nearest(nearest.found, nearest.way.world)[1])


def choose_temperature(question: Question, nearest: Nearest) -> tuple[float | None, str]:
    """Return the temperature that the loss should have, the claimed one, the one passed to it, or its default; and
    the name of the setting if this is a scale.
    """
    if "temperature" in question.options:
        return float(question.options["temperature"]), ""
    setting = find_setting(nearest)
    if setting is None:
        return None, ""
    if setting.logarithmic:
        nearest.way.session.notes[f"{setting.name} is given as its logarithm"] = None
    of_kernel = nearest.found and HEADS[nearest.found.formula.head].base == KERNEL
    if setting.value is invert and setting.name not in SCALES and not of_kernel:
        nearest.way.session.notes[f"{setting.name} multiplies: it is 1/τ"] = None
    return setting.own, setting.name if setting.value is invert else ""


def name_loss(
    question: Question, nearest: Nearest, texts: Sequence[Text]
) -> tuple[Form | None, list[Difference]]:
    """Return the loss that was found, or the nearest, and the differences; use the catalogue's texts only if
    no formula fits.
    """
    named, mistakes = name_formula(question, nearest)
    right = next((text for text in texts if text.is_right), None)
    # it fits to more digits than a text, and at other temperatures and lengths
    fits = nearest.found is not None and bool(nearest.found.mistakes)
    fits = fits or any(d.mistake in ELSEWHERE for d in mistakes)
    if right is not None and not fits:
        if not mistakes:
            return named, []
        if right.fitted:
            measured = ", ".join(f"{number} {x:.6g}" for number, x in right.fitted.items())
            nearest.way.session.notes[f"measured: {measured}"] = None
        name = right.points.entry.loss
        forms = names.find_named(name, nearest.way.world)
        return forms[0] if forms else Form((), name=name), []
    if not question.is_:
        return named, mistakes
    if (
        not mistakes
        and nearest.found
        and texts
        and is_plain(nearest.found.formula, texts[0])
        and not names.describe_added(nearest.found)
    ):
        mistakes = [describe_difference(question, texts)]
    return named, text_tier.name_value(texts, mistakes) if mistakes else []


def describe_difference(question: Question, texts: Sequence[Text]) -> Difference:
    """Say how a loss that fits the claimed formula still differs from the claimed loss at some batch."""
    if not all(np.all(np.isfinite(value)) for text in texts for (value,) in text.values):
        return Difference("value not finite", "it returns no finite number at an ordinary batch")
    text = texts[0]
    off = [float(got - right) for (got,), (right,) in zip(text.values, text.points.right[0], strict=True)]
    if max(off) - min(off) <= CONSTANT * max(map(abs, off)):
        return Difference("constant added", f"differs by a constant, {off[0]:+.6g}, which has no gradient")
    return Difference("other options", f"it is {question.is_} with other options than were asked for")


def is_plain(formula: Formula, text: Text) -> bool:
    """Whether a formula has the options of the text: its direction and its default form."""
    form = text.points.entry.forms[0]
    return formula.anchors == form.anchors[0] and formula.head == form.head


def name_formula(question: Question, nearest: Nearest) -> tuple[Form | None, list[Difference]]:
    """Return the loss and the differences from the fitted formula alone."""
    found, world = nearest.found, nearest.way.world
    if found is None:
        return None, list(describe_unknown(question, nearest))
    if question.is_:
        if not names.find_named(question.is_, world):
            named, _ = names.find_nearest(found, world)
            return named, [Difference("another loss", f"it takes other inputs than {question.is_}")]
        named, differences = names.compare(found, question.is_, world)
        if nearest.way.unit:
            sentence = f"it is {question.is_} on rows of length 1 alone; on others {nearest.way.others}"
            differences.append(Difference("unit rows alone", sentence))
    else:
        named, differences = names.find_nearest(found, world)
    measured, options = found.temperature, dict(question.options)
    asked_for, scale = choose_temperature(question, nearest)
    if asked_for and measured and not world.startswith("scores"):
        tolerance = max(found.tolerance, 1e-6)
        if found.by_features:
            name, sentence = OF_FEATURES[found.by_features]
            told = f"{sentence}: τ = {abs(measured):.6g} with {inputs.FEATURES} features"
            differences.append(Difference(name, told))
        of_rows = abs(measured) / inputs.FEATURES**found.by_features
        differences += names.compare_temperature(of_rows, asked_for, tolerance, scale)
    elif found.by_features:
        differences.append(Difference("temperature by features", OF_FEATURES[found.by_features][1]))
    if not any(d.mistake in names.TEMPERED for d in differences):
        more = [*judge_temperature(nearest), *judge_learned(nearest), *judge_far(nearest)]
        scaled = {d.mistake for d in differences} & {"constant factor", *OF_TEMPERATURE}
        differences += [d for d in more if d.mistake != AT_ONE or not scaled]
    differences += [*entries.judge_sequences(nearest), *entries.judge_mask(nearest)]
    differences += classes.judge_rows_alone(nearest)
    if options.get("reduction") == "none":
        options["reduction"] = "mean"
        differences += entries.judge_entries(nearest)
    # where the default is a sum, a mean is no mistake unless a sum was asked for
    if question.is_ and named.reductions[0] != "sum":
        options.setdefault("reduction", names.name_reduction(named.reductions[0], named))
    every = [*differences, *names.compare_options(found, named, options)]
    return named, list(dict.fromkeys(every))


def describe_unknown(question: Question, nearest: Nearest) -> Iterator[Difference]:
    """Describe a loss that no formula fits."""
    facts, fit = nearest.facts, nearest.fit
    held = describe_held(nearest.way.session.function, inputs.FEATURES)
    if held:
        yield Difference("rows held inside", held)
    if nearest.precision == "float64" and (jump := jumps.describe_rounding(nearest.way)):
        yield Difference("value jumps", jump)
    elif facts is not None and facts.coordinates and not held and not compares_features(question):
        yield Difference("single coordinates", COORDINATES)
    elif facts is not None:
        if not facts.pairing:
            yield Difference("pairs do not matter", "it ignores which rows are a pair")
        if facts.order and nearest.way.name != "two with labels":
            yield Difference(
                "order matters",
                "the order of the pairs matters: are the labels shifted, or rows masked by place?",
            )
        if facts.length_of_x != facts.length_of_y:
            yield Difference(
                "one side normalised", "the lengths of one view's rows matter, those of the other's do not"
            )
    if fit is None:
        yield Difference("no formula fits", "it is another function than the reference text of that loss")
    elif fit.residual > NEAR:
        yield Difference(
            "no formula fits", f"no formula of the family comes within {100 * NEAR:g} % of its values"
        )
    else:
        tau = f" at τ = {1 / fit.t:.3g}" if fit.formula.tempered else ""
        yield Difference(
            "no formula fits",
            f"the nearest formula is off by {100 * fit.residual:.2g} % of what the values vary: "
            f"{describe(fit.formula)}{tau}",
        )


COORDINATES = (
    "a rotation of all rows changes it, so it is no function of their products and distances alone: it compares "
    "or weighs features, as a learned critic does, or takes scores or targets, not rows (--inputs)"
)


def compares_features(question: Question) -> bool:
    """Whether the claimed loss changes if all rows are rotated."""
    claimed = text_tier.entries(question.is_) if question.is_ else []
    return any(all(form.rows[0] in OF_COORDINATES for form in entry.forms) for entry in claimed)


def describe(formula: Any) -> str:
    """A formula in a few words."""
    who = {"both": "both views", "first": "the first view", "second": "the second view"}[formula.anchors]
    head = HEADS[formula.head]
    return f"{head.formula}, D: {', '.join(formula.candidates)}, anchors: {who}, rows: {formula.rows}"


def judge(
    question: Question, nearest: Nearest, named: Form | None, mistakes: Sequence[Difference]
) -> tuple[Verdict, list[Record]]:
    """Return the verdict and the records: at the fitted points, and at other batches."""
    found, tolerance = nearest.found, TOLERANCES[nearest.precision]
    residual = nearest.fit.residual if nearest.fit else math.inf
    sizes = " and ".join(str(size) for size in SIZES)
    records = [
        record(
            "formula", residual, tolerance, f"{describe_short(nearest)} at {sizes} pairs", elsewhere.REASON
        )
    ]
    told = "; ".join(d.sentence for d in mistakes)
    if found is None and named is not None and not mistakes:
        records = [record("formula", 0.0, tolerance, f"the text of {named.name}", elsewhere.REASON)]
        return Verdict("right", True, f"it is {named.name}, as its reference text computes it"), records
    if found is None or named is None:
        records += [record(d.mistake, math.inf, 0.0, "the formula", d.sentence) for d in mistakes]
        known = question.is_ and not any(d.mistake == "no formula fits" for d in mistakes)
        verdict = Verdict("wrong", False, f"not {question.is_}: {told}") if known else None
        return verdict or Verdict("unknown", False, told or "no formula of the family"), records
    batches = elsewhere.judge_batches(nearest, bool(question.is_))
    records += batches
    records += [*classes.judge_one_class(nearest), *classes.judge_far_labels(nearest)]
    records += [*elsewhere.judge_dtypes(nearest), *elsewhere.judge_layout(nearest)]
    off = next((r for r in records[1:] if not r.good), None)
    if off is not None:
        words = f"{named.name} at {sizes} pairs, and not {off.witness}: off by {off.error:.1e}"
        if not question.is_ and batches and not any(r.good for r in batches):  # two sizes agree by chance
            return Verdict("unknown", False, f"like {words}, nor at any other"), records
        return Verdict("wrong", False, words), records
    return judge_found(question, nearest, found, named, mistakes, records)


def judge_found(
    question: Question,
    nearest: Nearest,
    found: Found,
    named: Form,
    mistakes: Sequence[Difference],
    records: list[Record],
) -> tuple[Verdict, list[Record]]:
    """Verdict and records of a loss whose formula was found, by what differs from the loss of that name."""
    told = "; ".join(d.sentence for d in mistakes)
    real = {d.mistake for d in found.mistakes} | names.TEMPERED | classes.NOT_LEFT_OUT
    real |= {"sign flipped", "logits clamped"}
    wrong = question.is_ or any(d.mistake in real for d in mistakes)
    if not wrong and classes.takes_classes(nearest.way) and not question.inputs:
        like = (
            f"it is {named.name}{describe_options(found, named)}"
            if not mistakes
            else f"{named.name}, but {told}"
        )
        words = (
            f"with labels of pairs {like}; with several rows of a class no formula fits; "
            "--inputs 'pairs with labels' asks about pairs alone"
        )
        return Verdict("variant for pairs" if mistakes else "right for pairs", False, words), records
    parts = {"sequences mixed": "one sequence", "mask mixed": "all pairs"}
    if not wrong and (part := next((parts[d.mistake] for d in mistakes if d.mistake in parts), None)):
        return Verdict("unknown", False, f"of {part} it is {named.name}, but {told}"), records
    if not mistakes:
        return approve(nearest, found, named), records
    records += [record(d.mistake, math.inf, 0.0, named.name, d.sentence) for d in mistakes]
    if question.is_:
        if {d.mistake for d in mistakes} <= {"not normalised", "unit rows alone"}:
            return Verdict("right on unit rows", False, f"{question.is_}, but {told}"), records
        if {d.mistake for d in mistakes} == {AT_ONE}:
            return Verdict(AT_ONE, False, f"{question.is_}, but {told}"), records
        return Verdict("wrong", False, f"not {question.is_}: {told}"), records
    if wrong:
        return Verdict("wrong", False, f"{named.name}, but {told}"), records
    records = [r._replace(status="holds") if r.witness == named.name else r for r in records]
    return Verdict("variant", True, f"nearest to {named.name}: {told}"), records


def approve(nearest: Nearest, found: Found, named: Form) -> Verdict:
    """Return the verdict on a loss that equals one of the registry."""
    residual = nearest.fit.residual if nearest.fit else math.inf
    rough = (
        f", but for {residual:.0e} of what its values vary: a part of it is rounded to a coarser dtype"
        if residual > TOLERANCES[nearest.precision]
        else ""
    )
    added = names.describe_added(found)
    unit = ", on rows of length 1 alone" * nearest.way.unit
    also = f"{', ' * bool(added)}{added}{rough}{unit}"
    words = f"it is {named.name}{describe_options(found, named)}{also}"
    if named.name.startswith(names.ESTIMATES):  # to be maximised
        sign = "minus the" if found.reduction.factor > 0 else "the"
        of = HEADS[named.head].words or "log B less cpc"
        words = f"it is {sign} estimate {named.name}{describe_options(found, named)}{also}: {of}"
    if nearest.way.name == "two with labels":
        return Verdict("right for pairs", True, f"{words}; no two pairs shared a label")
    if nearest.way.name == "two with classes":
        words += ", where every row of the other view with the anchor's label is a positive, as in UniCL"
    return Verdict("right", True, words)


def describe_short(nearest: Nearest) -> str:
    return nearest.fit.formula.head if nearest.fit else "nothing"


def describe_options(found: Found, named: Form) -> str:
    """The options in words."""
    words = [
        f"{name} {value:.6g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in names.options(found, named).items()
    ]
    if found.temperature:
        words.insert(0, f"τ = {found.temperature:.6g}")
    return f", {', '.join(words)}" if words else ""
