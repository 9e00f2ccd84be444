"""Is a loss's own gradient that of the program that computes its values? If not: which of its lines are held
constant, or differentiated wrongly.
"""

import linecache
import math
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..catalogue import MISTAKES
from ..targets import describe_error, locate
from .inputs import OF_TWO_VIEWS, ROWS, Arrays, change_rows, leave_alone
from .laws import FACTORS, is_near, match, show
from .naming import ELSEWHERE, KNOWN, Found, Unknown, tell
from .programs import Program
from .reading import ROW_BY_ROW, Refused, option
from .report import Difference
from .strangers import CONSTANT, Stranger, list_batches
from .target import accepts, call_parameters

TOLERANCES = {1e-9: 1e-8, 3e-5: 1e-4, 2e-2: 3e-2, 1e-1: 1e-1}  # by the tolerance of values
# a larger error of a gradient is not called rounding
COARSE, FEW_DIGITS = 0.02, ", in half precision, which keeps too few digits to tell"
HELD_ON_PURPOSE = "; a part of it may be held constant on purpose, as circle loss and SwAV do"
OF_NUMBERS, OF_LEARNED = 1e-5, 1e-4  # relative errors of differences by a number
LONG, LONGER = "rows ten times as long", 10.0
ALONE = "a batch that has a row alone in its class"
COLD = 0.05  # a smaller temperature costs digits
FLAT = 1e-6  # a value that changes less keeps few digits in its gradient
NOTHING = 1e-3  # a smaller slope by a number is not judged
HELD_WEIGHTS = "weights_held_constant"
HELD = ("byol", "simsiam")  # losses whose targets are held constant
KEYED = ("cpc", "query_key", "instance")  # losses whose keys may be held constant
PREDICTION = {"p", "q", "pred", "prediction", "predictions", "predicted", "online", "student"}
TARGET = {"z", "target", "targets", "projection", "projections", "teacher", "ema", "momentum"}
INPUTS = {"x": "the first view", "y": "the second view", "w": "the rows"}
DETACHED = {("negatives",): "negatives detached", ("y", "negatives"): "keys detached"}
OTHER_ORDER = "each row's gradient is right, and stands in another row's place"
# of so many times the loss the gradient is asked too, which loses no digit: a backward may ignore, clip or take the
# size of what comes from later operations
UPSTREAM = -1024.0
Slopes = Mapping[str, np.ndarray]


class Slope(NamedTuple):
    """The verdict on the gradient · live: the arrays that it reaches · program: whose gradient it is."""

    word: str
    holds: bool
    sentence: str
    differences: tuple[Difference, ...] = ()
    live: tuple[str, ...] = ()
    error: float = 0.0
    program: Program | None = None


def fail(*differences: Difference, word: str = "wrong", error: float = math.inf) -> Slope:
    return Slope(word, False, "; ".join(d.sentence for d in differences), differences, error=error)


def judge(found: Found | Unknown) -> Slope:
    """The verdict on the gradient by the arrays, then by numbers, and after another call."""
    try:
        slope = judge_arrays(found)
        if slope.word not in ("right", "constant factor"):
            return slope
        more = [*judge_numbers(found), *judge_late(found)] or [*judge_upstream(found, slope.live)]
    except Refused:
        raise
    except Exception as error:  # a user's code may raise anything
        return fail(Difference("gradient raises", f"its own gradient raises {describe_error(error)}"))
    return fail(*slope.differences, *more) if more else slope


def judge_arrays(found: Found | Unknown) -> Slope:
    """Compare the gradient by the arrays with that of the program, or with differences of the value."""
    way = found.way
    # of two sizes, from rows far apart to rows close together
    points = [*way.points(4, each=1)[:3], way.points(6, each=1)[0]]
    own = [slopes for at in points if (slopes := way.ask(at, gradient=True)[1]) is not None]
    if len(own) < len(points):
        return Slope("none", True, f"there is no gradient to judge: pass {option('backward')}")
    if not all(np.all(np.isfinite(g)) for slopes in own for g in slopes.values()):
        words = f"the gradient holds NaN or infinity{explain_nan(way, points[0])}"
        return fail(Difference("gradient not finite", words))
    if not any(np.any(g) for slopes in own for g in slopes.values()):
        if found.has("zero") or found.has("constant"):
            return Slope("none", True, "the value is the same everywhere, and its gradient is 0")
        return fail(Difference("no gradient", "no gradient reaches any input"))
    if isinstance(found, Found) and (found.factor is None or found.factor.known):
        return compare(Asked(found, points, own))
    if found.has("value jumps"):
        return Slope("unknown", False, "where the value jumps no gradient is right")
    return compare_with_differences(found, points, own)


# --- a program that is known --------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """Points, and the loss's own gradient at each."""

    found: Found
    points: Sequence[Mapping[str, Any]]
    own: Sequence[Slopes]

    @property
    def tolerance(self) -> float:
        """Cosines rounded to eps become logits rounded to eps/τ."""
        colder = max(1.0, COLD / abs(self.found.temperature or 1.0))
        return max(TOLERANCES[self.found.tolerance] * colder, 100 * self.found.residual)

    def fits(self, program: Program, only: Sequence[str] = ()) -> bool:
        """Whether the own gradient, or that by these inputs, is that of a program, at every point; one that fails
        has the gradient 0."""
        right = [exact(self.found, program, at) for at in self.points]
        given = all(np.any(flat(g, g)) for g in right)
        return given and self.measure(right, only) <= max(self.tolerance, 1e-7)

    def measure(self, right: Sequence[Slopes], only: Sequence[str] = ()) -> float:
        """The largest difference; where a gradient is nearly 0 beside that at another point, digits are lost; of
        a coarser dtype sooner, so that about 20 roundings of the largest are no error."""
        return distance(self.own, right, only, FLAT if self.found.tolerance == min(TOLERANCES) else COARSE)


def exact(found: Found, program: Program, at: Mapping[str, Any]) -> Slopes:
    """The exact gradient of a program at a point, times the factor of the value."""
    right = found.way.through_lengths(at, program.slopes(at, found.at(at)))
    return {n: found.scale(at) * g for n, g in right.items() if n not in CONSTANT}


def flat(slopes: Slopes, names: Iterable[str]) -> np.ndarray:
    return np.concatenate([np.ravel(slopes[n]) for n in names])


def distance(
    own: Sequence[Slopes], right: Sequence[Slopes], only: Sequence[str] = (), least: float = 0.0
) -> float:
    """The largest difference of the gradients at some points, relative to the largest entry there, or to this part
    of the largest of all."""
    pairs = [(flat(a, only or b), flat(b, only or b)) for a, b in zip(own, right)]
    sizes = [float(np.max(np.abs(b))) for _, b in pairs]
    errors = [
        float(np.max(np.abs(a - b))) / (max(size, least * max(sizes)) or NOTHING)
        for size, (a, b) in zip(sizes, pairs)
    ]
    return max(errors) if all(map(math.isfinite, sizes)) else math.inf


def compare(asked: Asked) -> Slope:
    """Compare the gradient with that of a program; say which inputs are held constant, or what is wrong."""
    found = asked.found
    programs = {found.program: "", plant(found.program, "stop_gradient_missing"): ""}
    if found.claim is None and found.program.loss in ("dclw", "dhn_nce"):
        programs[plant(found.program, HELD_WEIGHTS)] = "; the weights are held constant"
    for program, note in programs.items():
        right = [exact(found, program, at) for at in asked.points]
        live = tuple(n for n in right[0] if any(np.any(own[n]) for own in asked.own))
        error = asked.measure(right, live)
        if error > asked.tolerance:
            continue
        if error > COARSE:
            return Slope("unknown", False, f"off by {error:.0e}{FEW_DIGITS}", (), live, error, program)
        gone = tuple(n for n in right[0] if n not in live and any(np.any(g[n]) for g in right))
        told = judge_inputs(found, gone, live)
        wrong = told if isinstance(told, Difference) else judge_elsewhere(found, program, live)
        if wrong:
            return fail(wrong, error=error)
        words = f"within {error:.0e} of the exact gradient of the formula{note}{told}"
        return Slope("right", True, words, (), live, error, program)
    right = [exact(found, found.program, at) for at in asked.points]
    return name_wrong(asked, right)._replace(error=asked.measure(right))


def plant(program: Program, name: str) -> Program:
    """The program with a mistake of the catalogue, if it has the line."""
    wrong = Program(program.loss, (*program.rewrites, KNOWN[name]))
    return wrong if wrong.applies else program


def judge_inputs(found: Found, gone: tuple[str, ...], live: tuple[str, ...]) -> Difference | str:
    """What is wrong with a gradient that reaches only the live of its inputs; if nothing, a note."""
    loss, claim = found.program.loss, found.claim
    held = loss.startswith(HELD)
    if live == ("p1", "p2"):
        return "; z1 and z2 are held constant, as a target is"
    if live == ("z1", "z2"):
        return tell(KNOWN["stop_gradient_on_the_wrong_side"], loss)
    if len(live) == 1 and (held or (loss == "alignment" and claim is None)):
        return judge_side(found, live[0])
    if not gone:
        return tell(KNOWN["stop_gradient_missing"], loss) if held and claim in HELD else ""
    anchor = "y" if any(r.name == "anchors_second" for r in found.program.rewrites) else "x"
    moco = found.way.world == "queue"
    if (claim is None or moco) and anchor in live and loss.startswith(KEYED):
        what = " and ".join("negatives" if n == "negatives" else "keys" for n in gone)
        where = "in MoCo" if moco else "those of a memory or a momentum encoder"
        return f"; the {what} are held constant, as {where}"
    return Difference(DETACHED.get(gone, "one view detached"), f"no gradient reaches {name_inputs(gone)}")


def name_inputs(names: Iterable[str]) -> str:
    return " and ".join(INPUTS.get(n, f"the {n}") for n in names)


def judge_side(found: Found, trained: str) -> Difference | str:
    """Whether the one of two views that is trained is the prediction: its name says so, or the claim's order."""
    target = "y" if found.claim in HELD else ""
    words = [set(re.split(r"[_\d]+", name.lower())) for name in call_parameters(found.way.function)]
    if found.way.way == "two" and len(words) > 1:
        first, second = (bool(w & TARGET) - bool(w & PREDICTION) for w in words[:2])
        target = {(1, -1): "x", (-1, 1): "y"}.get((first, second), target)
    if trained == target:
        return tell(KNOWN["stop_gradient_on_the_wrong_side"], found.program.loss)
    note = f"; {INPUTS['y' if trained == 'x' else 'x']} is detached, as a target is"
    unsure = trained == "y" and not target
    return note + "; were it the prediction, the stop-gradient would be on the wrong side" * unsure


def judge_elsewhere(found: Found, program: Program, live: tuple[str, ...]) -> Difference | None:
    """Compare the gradient along a direction at other batches, and at long rows; None if right everywhere."""
    way, rng = found.way, np.random.default_rng(6)
    tolerance = max(1e-5, 100 * found.tolerance, 100 * found.residual)
    if found.has(ELSEWHERE):  # it may be another formula there
        return None
    batches = [*list_batches(way, found.loss), (6, way.features, LONG)]
    if way.world == "classes" and way.way not in OF_TWO_VIEWS:
        batches.append((6, way.features, ALONE))
    if way.library == "jax":  # which compiles each operation for each shape
        batches = [each for each in batches if each[0] > 64 or LONG in each]
    for size, features, where in batches:
        try:
            points = way.points(size, each=1, d=features)
            sizes = np.abs([way.value(at) for at in points])  # a small loss may have lost its digits
            arrays = points[int(np.argmax(np.nan_to_num(sizes, nan=-1, posinf=-1)))]
            if where == LONG:
                arrays = change_rows(arrays, lambda x: LONGER * x)
            elif where == ALONE:
                arrays = leave_alone(arrays)
            value, own, _ = way.ask(arrays, gradient=True)
        except Exception:  # noted with the values
            continue
        if own is None or (where in (LONG, ALONE) and not is_near(value, found.value(arrays), 1e-6)):
            continue  # digits may be lost where logits are large
        along = way.through_lengths(arrays, {n: rng.standard_normal(arrays[n].shape) for n in live})
        right = found.scale(arrays) * program.along(arrays, found.at(arrays), along)
        steep = np.linalg.norm(flat(own, live)) + abs(right)
        if steep * np.linalg.norm(flat(arrays, live)) < FLAT * (abs(found.scale(arrays)) + abs(value)):
            continue
        error = abs(flat(own, live) @ flat(along, live) - right) / steep
        if not error <= tolerance and math.isfinite(right):
            off = f"off by {error:.1e}"
            if not math.isfinite(error):
                off = f"NaN or infinity{explain_nan(way, arrays)}"
            words = f"right at 4 and 6 pairs, and not the slope of the formula at {where}: {off}"
            return Difference("right at one batch size", words)
    return None


def name_wrong(asked: Asked, right: Sequence[Slopes]) -> Slope:
    """Say what is wrong with a gradient."""
    found, pairs = asked.found, [*zip(asked.own, right)]
    multiples = (find_multiple(flat(own, g), flat(g, g), asked.tolerance) for own, g in pairs)
    factors = [factor for factor in multiples if factor is not None]
    every = tuple(right[0])
    off = tuple(n for n in every if asked.measure(right, [n]) > asked.tolerance)
    for only in dict.fromkeys((every, off)):
        if program := next((p for p in list_wrong(found.program) if asked.fits(p, only)), None):
            told = tell(program.rewrites[-1], program.loss)
            where = f"in the gradient by {name_inputs(off)} alone, " if only != every else ""
            return fail(told._replace(sentence=where + told.sentence))
    if len(factors) == len(right):
        return judge_factors(asked, factors)
    if all(is_reordered(own, g, asked.tolerance) for own, g in pairs):
        return fail(Difference("rows in another order", OTHER_ORDER))
    own, g = max(pairs, key=lambda pair: np.max(np.abs(flat(pair[0], every) - flat(pair[1], every))))
    return fail(Difference("gradient wrong", describe_worst(own, g)))


def find_multiple(got: np.ndarray, right: np.ndarray, tolerance: float) -> float | None:
    """The number by which all are multiplied, if there is one; 1 if they are right."""
    size = float(np.abs(right).max())
    for factor in (1.0, float(got @ right / (right @ right or 1.0))):
        if np.abs(got - factor * right).max() <= tolerance * max(1.0, abs(factor)) * size:
            return factor
    return None


def judge_factors(asked: Asked, factors: Sequence[float]) -> Slope:
    """A gradient that is a multiple of the exact one at each point: by a known factor, a constant, or neither?"""
    found, first = asked.found, factors[0]
    said = f"the gradient is {show(first)} times the exact one"
    law = match(FACTORS if found.claim else (), factors, [found.facts(at) for at in asked.points], 1e-6)
    if law:
        return fail(Difference(f"gradient {law.name}", f"{said}: {law.sentence}"))
    other = next((k for k, factor in enumerate(factors) if not is_near(factor, first, 1e-6)), None)
    if other is None:
        return fail(Difference("gradient times a constant", said, "="), word="constant factor")
    here, there = ("at 4 pairs", "at 6") if other == len(factors) - 1 else ("at one point", "at another")
    once = there == "at 6" and is_near(first, 1, 1e-6)
    name = "right at one batch size" if once else "gradient times a number that varies"
    return fail(Difference(name, f"{said} {here}, and {show(factors[other])} times {there}"))


def list_wrong(program: Program) -> Iterator[Program]:
    """The program with each rewrite that changes a derivative: first those that leave the value as it is; last
    those in place of the mistake that is known from the value, which may be another of the same value."""
    options = tuple(r for r in program.rewrites if r.kind == "=")
    others = [options] if options != program.rewrites else []
    for base, kind in product((program.rewrites, *others), ("∂", "", "~")):
        for one in MISTAKES:
            wrong = Program(program.loss, (*base, one))
            if one.kind == kind and not one.numbers and wrong.applies:
                yield wrong


def is_reordered(own: Slopes, right: Slopes, tolerance: float) -> bool:
    """Whether the rows of a gradient are the right ones in another order."""
    rows = [n for n in right if n in ROWS]
    if not rows:
        return False
    size = right[rows[0]].shape[-1]
    mine, meant = (np.concatenate([each[n].reshape(-1, size) for n in rows]) for each in (own, right))
    gaps = np.abs(mine[:, None] - meant).max(axis=-1)
    return bool(np.all(gaps.min(axis=0) <= tolerance * np.abs(meant).max()))


def describe_worst(own: Slopes, right: Slopes) -> str:
    """The entry that is furthest off."""
    name = max(right, key=lambda n: np.max(np.abs(own[n] - right[n])))
    index = np.unravel_index(np.argmax(np.abs(own[name] - right[name])), right[name].shape)
    values = f"{own[name][index]:.9g} for {right[name][index]:.9g}"
    return f"no mixture of its parts; furthest off at {name}{[int(i) for i in index]}: {values}"


# --- differences of the value -------------------------------------------------------------------------------------


def differentiate(f: Callable[[float], float], x: float, h: float) -> float:
    """f′(x) by differences of the fourth order."""
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


# by the tolerance of values: the step of a difference, and the relative error that rounding and the step explain
STEPS = {1e-9: (1e-5, 1e-5), 3e-5: (1e-3, 1e-2), 2e-2: (3e-2, 0.1), 1e-1: (3e-2, 0.1)}


def measure_slope(
    value: Callable[[Any], float],
    at: Arrays,
    slopes: Slopes,
    step: float,
    least: float = 1e-300,
    where: Mapping[str, Any] = {},
) -> float:
    """How far a gradient is from differences of the value along one direction, relative to both. where: the entries
    that move, if not all."""
    rng = np.random.default_rng(7)
    along = {n: rng.standard_normal(g.shape) * where.get(n, 1) for n, g in slopes.items()}
    slope = differentiate(lambda t: value({**at, **{n: at[n] + t * x for n, x in along.items()}}), 0.0, step)
    own = float(flat(slopes, along) @ flat(along, along))
    return abs(slope - own) / max(float(np.linalg.norm(flat(slopes, along))) + abs(slope), least)


def compare_with_differences(
    found: Found | Unknown, points: Sequence[Mapping[str, Any]], own: Sequence[Slopes]
) -> Slope:
    """The verdict if no program is known: compare with differences of the value, by one array after the other."""
    step, rough = STEPS[found.tolerance]
    least = 1e-3 * max(float(np.linalg.norm(g)) for slopes in own for g in slopes.values()) or 1e-300
    off = dict.fromkeys(own[0], 0.0)
    for n, (at, g) in product(off, zip(points, own)):
        off[n] = max(off[n], measure_slope(found.way.value, at, {n: g[n]}, step, least))
    live = tuple(n for n in off if any(np.any(slopes[n]) for slopes in own))
    wrong = [n for n in off if off[n] > rough]
    error, of_value = max(off.values()), "of differences of its own value at 4 and 6 pairs"
    if not wrong:
        return Slope("right", True, f"within {error:.0e} {of_value}", (), live, error)
    memory = [n for n in wrong if n in ("negatives", "bank") or n not in live]
    if found.claim is None and memory == wrong:
        words = f"{' and '.join(wrong)} constant, in part at least: right for a teacher or a memory"
        return Slope("right", True, f"{words}; else within {rough:.0e} {of_value}", (), live, error)
    free = found.claim is None and found.way.target.backward is None
    why = FEW_DIGITS if rough > 1e-2 else HELD_ON_PURPOSE if free else ""
    told = Difference("gradient wrong", f"off by {error:.1g} {of_value}{why}")
    return fail(told, word="unknown" if why else "wrong", error=error)


def judge_numbers(found: Found | Unknown) -> Iterator[Difference]:
    """Compare the gradients by numbers, which a module learns or a backward returns, with differences."""
    way, many = found.way, found.way.points(4, each=1)
    own, learned = way.ask(many[1], gradient=True, upstream=UPSTREAM)[2], way.learned()
    given = {n: x for n, x in way.settings.items() if n in own and accepts(way.target, n)}
    if not way.target.restored and way.target.backward is None:
        given |= learned
    for name, here in given.items():

        def value(x: float, at: Mapping[str, Any] = many[1], name: str = name) -> float:
            if name not in learned:
                return way.again({name: x}).value(at)
            with way.learning(name, x):
                return way.value(at)

        near = [[value(here + s, at) for s in (0, 3e-3, -3e-3)] for at in many if name in learned]
        if near and np.max(np.ptp(near, axis=1)) <= 1e-7 * np.max(np.abs(near)):
            if name in own:
                words = "has no effect where it starts: is it clamped, or does it cancel?"
                yield Difference("learned number without effect", f"{name}, which it learns, {words}")
            else:
                way.note(f"{name}, which it learns, is not used")
            continue
        wide = max(OF_LEARNED if near else OF_NUMBERS, 10 * TOLERANCES[found.tolerance])
        mine = own.get(name, 0.0)
        slope, other = (differentiate(value, here, h * max(abs(here), 1e-2)) for h in (1e-3, 3e-4))
        kink = not abs(slope - other) <= wide * (abs(slope) + NOTHING)
        if not (kink or abs(mine - slope) <= wide * max(abs(slope), NOTHING)):
            yield name_number(found, name, mine, slope)


def name_number(found: Found | Unknown, name: str, own: float, slope: float) -> Difference:
    """Say what is wrong with a gradient by a number: a rewrite that leaves those by the arrays as they are."""
    arrays = found.way.points(4, each=1)[1]
    if isinstance(found, Found) and name in found.numbers:
        scale, at = found.scale(arrays), found.at(arrays)
        right = found.program.slopes(arrays, at)
        for program in (found.program, *list_wrong(found.program)):
            fits = is_near(scale * program.slope(arrays, at, name), own, 1e-7)
            if fits and program == found.program:
                break
            if fits and distance([program.slopes(arrays, at)], [right]) <= OF_NUMBERS:
                return tell(program.rewrites[-1], program.loss)
    words = f"the gradient by {name} is {own:.9g}, where differences of the value give {slope:.9g}"
    return Difference("gradient by numbers wrong", words)


# --- another call, and NaN ----------------------------------------------------------------------------------------


def order_by_slope(way: Stranger) -> list[tuple[dict[str, Any], Slopes]]:
    """Points and the gradient there, the largest first, which has lost no digits."""
    asked = [(at, way.slopes(at)) for at in way.points(4, each=1)[:3]]
    return sorted(asked, key=lambda one: -float(np.max(np.abs(flat(one[1], one[1])))))


def judge_late(found: Found | Unknown) -> Iterator[Difference]:
    """Compare the gradient with that after another call of the loss, before its backward."""
    way = found.way
    if way.library != "torch":
        return
    (at, alone), (other, _) = order_by_slope(way)[:2]
    try:
        late = way.slopes(at, between=other)
    except Exception as error:  # as of an array that the other call has changed in place
        way.note(f"called twice before its backward it raises {describe_error(error)}")
        return
    if not distance([late], [alone]) <= TOLERANCES[found.tolerance]:
        words = "right alone, not if another call comes before its backward: it uses the latest call's arrays"
        yield Difference("wrong after another call", words)


def judge_upstream(found: Found | Unknown, live: tuple[str, ...]) -> Iterator[Difference]:
    """Compare the gradients of the loss, of its multiples, and of a weighted sum of its rows' losses; the last with
    differences, by arrays if these are near the gradient of the loss itself, and by numbers.
    """
    way, (step, rough) = found.way, STEPS[found.tolerance]
    (at, alone), weighted = order_by_slope(way)[0], way.replace(weighted=True)
    # what reaches a part in float32 is rounded too
    tolerance = max(TOLERANCES[found.tolerance], 100 * getattr(found, "residual", 0.0))
    for by in (UPSTREAM, -UPSTREAM, 0.3, *[1e6] * (found.tolerance < 1e-3)):  # 1e6 overflows float16
        if not distance([way.slopes(at, upstream=by)], [alone]) <= tolerance:
            words = f"right for the loss, not for {by:g} times it"
            words += ": the backward ignores, clips or rounds what reaches it"
            yield Difference("upstream ignored", words)
            return
    if ROW_BY_ROW not in way.notes:
        return
    mixed = weighted.slopes(at)
    if all(np.array_equal(mixed[n], alone[n]) for n in live):  # of NumPy, without an upstream
        return
    pairs = (way, alone), (weighted, mixed)
    wrong = [not measure_slope(each.value, at, {n: g[n] for n in live}, step) <= rough for each, g in pairs]
    if wrong == [False, True] or any(judge_numbers(found._replace(way=weighted))):
        words = "right for the mean of the rows' losses, not for a weighted sum: the gradient of each row's "
        words += "loss must be multiplied by what reaches this row: g[:, None], not g.mean()"
        yield Difference("upstream mixed", words)


def explain_nan(way: Stranger, arrays: Mapping[str, Any]) -> str:
    """Say from which line NaN enters the gradient at these arrays, and why; "" if the library does not tell."""
    library: Any = sys.modules.get(way.library)
    if way.library == "torch":
        watched = library.autograd.set_detect_anomaly(True)
    elif way.library == "jax":
        watched = library.debug_nans(True)
    else:
        return ""
    frames: list[tuple[str, int]] = []
    try:
        with watched:
            way.ask(arrays, gradient=True)
    except Exception as error:  # each library raises its own
        said = "\n".join(str(warning.message) for warning in way.heard)
        frames = [(file, int(line)) for file, line in re.findall(r'File "([^"]+)", line (\d+)', said)]
        if not frames:  # of JAX: where the operation stood before it was differentiated
            trace = traceback.walk_tb(getattr(error.__cause__, "__traceback__", None))
            frames = [(frame.f_code.co_filename, line) for frame, line in trace]
    for file, line in reversed(frames):
        if place := locate([(file, line)]):
            code = linecache.getline(file, line).strip()
            why = "the slope of a root, a norm or a logarithm at 0 is infinite, and 0 times it is NaN"
            shown = f"{code[:60]}{'…' * (len(code) > 60)}{place}"
            return f", first from {shown}: {why}: keep the 0 out of it; a mask that follows comes too late"
    return ""
