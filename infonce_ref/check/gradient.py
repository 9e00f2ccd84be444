"""Is a loss's own gradient that of the program that computes its values? If not: which of its lines are held
constant, or differentiated wrongly.
"""

import linecache
import math
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from ..catalogue import MISTAKES, Mistake
from ..targets import describe_error, locate
from .inputs import ROWS
from .laws import FACTORS, is_near, show
from .naming import Difference, Found, Unknown, find_claim
from .programs import Program, count_numbers
from .strangers import CONSTANT, Stranger, send_back
from .target import accepts, call_parameters

TOLERANCES = {1e-9: 1e-8, 3e-5: 1e-4, 2e-2: 3e-2, 1e-1: 1e-1}  # by the tolerance of values
SINGLE = 1e-5  # a smaller error may come from a part in float32
OF_NUMBERS = 1e-5  # relative error of differences by a number
NOTHING = 1e-3  # a smaller slope by a number is not judged
HELD = ("byol", "simsiam")  # losses whose targets are held constant
PREDICTION = {"p", "q", "pred", "prediction", "predictions", "predicted", "online", "student"}
TARGET = {"z", "target", "targets", "projection", "projections", "teacher", "ema", "momentum"}
Slopes = Mapping[str, np.ndarray]
WHY = (
    "the slope of a root, a norm or a logarithm at 0 is infinite, and 0 times it is NaN: "
    "keep the 0 out of it, for a mask that follows comes too late"
)
KEYS_HELD = "the keys are held constant, as those of a momentum encoder; else it is the exact gradient"
SWAPPED = "the prediction is held constant and the target is trained: the stop-gradient is on the wrong side"
LATE = "right alone, not if another call comes before its backward, which uses the arrays of the latest call"
UPSTREAM_IGNORED = "right for the loss alone, not for a multiple of it: the backward ignores what reaches it"
VIEWS = {
    "x": "the first view",
    "y": "the second view",
    "negatives": "the negatives",
    "bank": "the bank",
    "w": "the rows",
    "scores": "the scores",
    "negative": "the negatives",
}


class Slope(NamedTuple):
    """The verdict on the gradient · live: the arrays that it reaches · constant: whether weights are constant."""

    word: str
    holds: bool
    sentence: str
    differences: tuple[Difference, ...] = ()
    live: tuple[str, ...] = ()
    error: float = 0.0
    constant: bool = False


def fail(*differences: Difference, word: str = "wrong", error: float = math.inf) -> Slope:
    return Slope(word, False, "; ".join(d.sentence for d in differences), differences, error=error)


class At(NamedTuple):
    """A point, and the loss's own gradient there."""

    arrays: Mapping[str, Any]
    own: Slopes


def judge(found: Found | Unknown) -> Slope:
    """The verdict on the gradient by the arrays, then by numbers, and after another call."""
    try:
        slope = judge_arrays(found)
        if slope.word not in ("right", "constant factor"):
            return slope
        told = {d.mistake for d in slope.differences}
        more = [
            d
            for d in (*judge_numbers(found), *judge_learned(found), *judge_late(found))
            if d.mistake not in told
        ]
    except Exception as error:  # a user's code may raise anything
        return fail(Difference("gradient raises", f"its own gradient raises {describe_error(error)}"))
    return fail(*slope.differences, *more) if more else slope


def judge_arrays(found: Found | Unknown) -> Slope:
    """Compare the gradient by the arrays with that of the program, or with differences of the value."""
    way, points = found.way, list_points(found)
    if way.ask(points[0], gradient=True)[1] is None:
        return Slope("none", True, "there is no gradient to judge: pass one as backward (--backward)")
    ats = [At(at, own) for at in points if (own := way.ask(at, gradient=True)[1])]
    if not all(np.all(np.isfinite(g)) for at in ats for g in at.own.values()):
        words = f"the gradient holds NaN or infinity{explain_nan(way, ats[0].arrays)}"
        return fail(Difference("gradient not finite", words))
    still = not any(np.any(g) for at in ats for g in at.own.values())
    if still and any(d.mistake in ("zero", "constant") for d in getattr(found, "differences", ())):
        return Slope("none", True, "the value is the same everywhere, and its gradient is 0")
    if still:
        words = "no gradient reaches any input: the loss is computed on detached copies"
        return fail(Difference("no gradient", words))
    if isinstance(found, Found):
        return compare(found, ats)
    if any(d.mistake == "value jumps" for d in found.differences):
        return Slope("unknown", False, "where the value jumps no gradient is right")
    return judge_by_differences(found, ats)


def list_points(found: Found | Unknown) -> list[Mapping[str, Any]]:
    """Points at which the value is not flat: of two sizes, from rows far apart to rows close together."""
    way = found.way
    return [way.points(4, each=1)[k] for k in (0, 1, 2)] + [way.points(6, each=1)[0]]


class Exact(NamedTuple):
    """The exact gradients of a program at some points, times the factor of the value."""

    found: Found
    ats: Sequence[At]

    def slopes(self, program: Program) -> list[Slopes]:
        return [self.at(program, at.arrays) for at in self.ats]

    def at(self, program: Program, arrays: Mapping[str, Any]) -> Slopes:
        found, scale = self.found, self.found.scale(arrays)
        right = program.slopes(arrays, found.at(arrays))
        if found.way.unit:
            right = {n: send_back(n, arrays[n], g) for n, g in right.items()}
        return {n: scale * g for n, g in right.items() if n not in CONSTANT}


def flat(slopes: Slopes, names: Sequence[str]) -> np.ndarray:
    return np.concatenate([np.ravel(slopes[n]) for n in names])


def distance(own: Slopes, right: Slopes, only: Sequence[str] = ()) -> float:
    """The largest difference, relative to the largest entry."""
    names = [n for n in right if n in own and (not only or n in only)]
    a, b = flat(own, names), flat(right, names)
    size = float(np.max(np.abs(b))) or 1.0
    return float(np.max(np.abs(a - b))) / size if np.all(np.isfinite(b)) else math.inf


def compare(found: Found, ats: Sequence[At]) -> Slope:
    """The verdict on the gradient of a program that is known."""
    exact = Exact(found, ats)
    tolerance = max(TOLERANCES[found.tolerance], 100 * found.residual)
    right = exact.slopes(found.program)

    def fits(slopes: Sequence[Slopes]) -> bool:
        return all(distance(at.own, g) <= tolerance for at, g in zip(ats, slopes))

    live = tuple(n for n in right[0] if any(np.any(at.own[n]) for at in ats))
    error = max(distance(at.own, g) for at, g in zip(ats, right))
    if fits(right):
        slope = Slope(
            "right", True, f"within {error:.0e} of the exact gradient of the formula", (), live, error
        )
        return judge_large(found, live) or judge_target(found, slope, live)
    without_stop = list(map(exact.at, [remove_stop(found.program)] * len(ats), [at.arrays for at in ats]))
    if found.program.loss.startswith(HELD) and fits(without_stop):
        if found.claim in HELD:
            words = "the second view is not held constant: the stop-gradient is missing"
            return fail(Difference("stop-gradient missing", words), error=error)
        return Slope(
            "right", True, f"within {error:.0e} of the exact gradient of the formula", (), live, error
        )
    if (held := hold_weights(found.program)) and found.claim is None and fits(exact.slopes(held)):
        words = "the weights are held constant; else it is the exact gradient"
        return Slope("right", True, words, (), live, error, constant=True)
    every = without_stop if found.program.loss.startswith(HELD) else right
    gone = [n for n in every[0] if n not in live and any(np.any(g[n]) for g in every)]
    if gone and all(distance(at.own, g, live) <= tolerance for at, g in zip(ats, every)):
        return judge_detached(found, gone, live, error)
    return name_wrong(found, exact, right, live, tolerance, error)


def judge_large(found: Found, live: tuple[str, ...]) -> Slope | None:
    """Compare the gradient along a direction at a large batch; None if right, or if the loss does not run there."""
    way = found.way
    try:
        arrays = way.points(67, each=1, d=64 if set(way.arrays) & set(ROWS) else 0)[0]
        own = way.ask(arrays, gradient=True)[1] or {}
    except Exception:  # noted with the values
        return None
    rng = np.random.default_rng(6)
    along = {n: rng.standard_normal(arrays[n].shape) for n in live}
    if way.unit:
        along = {n: send_back(n, arrays[n], v) for n, v in along.items()}
    right = found.scale(arrays) * found.program.along(arrays, found.at(arrays), along)
    mine = sum(float(np.sum(own[n] * along[n])) for n in live)
    size = float(np.sqrt(sum(float(np.sum(own[n] ** 2)) for n in live))) + abs(right)
    error = abs(mine - right) / (size or 1.0)
    if not error > max(1e-5, 100 * found.tolerance, 100 * found.residual):
        return None
    words = f"right at a small batch, and not the slope of the formula at 67 pairs: off by {error:.1e}"
    return fail(Difference("right at one batch size", words), error=error)


def remove_stop(program: Program) -> Program:
    """The program in which nothing is held constant."""
    edits = tuple((f"unit(stop({n}))", f"unit({n})") for n in ("y", "z1", "z2"))
    every = [Mistake("no stop", (), "", "", "", blocks=((edit,),)) for edit in edits]
    applied = [one for one in every if Program(program.loss, (*program.rewrites, one)).applies]
    return Program(program.loss, (*program.rewrites, *applied))


def hold_weights(program: Program) -> Program | None:
    """The program whose weights are held constant, if it has weights."""
    edit = Mistake("constant", (), "", "", "", blocks=((("constant=False", "constant=True"),),))
    held = Program(program.loss, (*program.rewrites, edit))
    return held if held.applies else None


def judge_target(found: Found, slope: Slope, live: tuple[str, ...]) -> Slope:
    """A loss whose target is held constant, as it should be: is it the target?"""
    if found.program.loss == "simsiam":
        return slope._replace(sentence=f"z1 and z2 are held constant, as a target is; else {slope.sentence}")
    if not found.program.loss.startswith(HELD) or set(found.way.arrays) != {"x", "y"}:
        return slope
    return judge_side(found, "x", slope.error)


def judge_side(found: Found, trained: str, error: float) -> Slope:
    """Whether the array that is trained is the prediction, as its name says."""
    target = find_target_side(found.way) or ("y" if found.claim in HELD else "")
    if trained == target:
        return fail(Difference("stop gradient on the wrong side", SWAPPED), error=error)
    other = "second" if trained == "x" else "first"
    words = f"the {other} view is detached, as a target is; else it is the exact gradient"
    if trained == "y" and not target:
        words += "; were it the prediction, the stop-gradient would be on the wrong side"
    return Slope("right", True, words, (), (trained,), error)


def find_target_side(way: Stranger) -> str:
    """Which of two arrays the loss calls the target, "x" or "y"; "" if its names do not tell."""
    words = [set(re.split(r"[_\d]+", name.lower())) for name in call_parameters(way.session.function)]
    if way.way != "two" or len(words) < 2:
        return ""
    first, second = (bool(w & TARGET) - bool(w & PREDICTION) for w in words[:2])
    return {(1, -1): "x", (-1, 1): "y"}.get((first, second), "")


def judge_detached(found: Found, gone: Sequence[str], live: tuple[str, ...], error: float) -> Slope:
    """A gradient that is right, but for arrays that it does not reach."""
    pull = found.program.loss.startswith((*HELD, "alignment"))
    if len(live) == 1 and set(found.way.arrays) == {"x", "y"} and pull and found.claim in (None, *HELD):
        return judge_side(found, live[0], error)
    if found.program.loss == "simsiam" and set(gone) == {"p1", "p2"}:
        return fail(Difference("stop gradient on the wrong side", SWAPPED), error=error)
    softmax = found.program.loss.startswith(("cpc", "query_key", "instance"))
    anchor = "y" if any(r.name == "anchors_second" for r in found.program.rewrites) else "x"
    if found.claim is None and anchor in live and softmax:
        memory = "the given negatives are held constant, as a memory's; else it is the exact gradient"
        return Slope("right", True, memory if list(gone) == ["negatives"] else KEYS_HELD, (), live, error)
    if list(gone) == ["negatives"]:
        told = Difference("negatives detached", "the negatives are detached: no gradient reaches them")
    elif set(gone) == {"y", "negatives"}:
        words = "positives and negatives are detached: only the queries have a gradient"
        told = Difference("keys detached", words)
    else:
        words = " and ".join(VIEWS.get(n, n) for n in gone)
        told = Difference("one view detached", f"{words} is detached: no gradient reaches it")
    return fail(told, error=error)


def name_wrong(
    found: Found, exact: Exact, right: Sequence[Slopes], live: tuple[str, ...], tolerance: float, error: float
) -> Slope:
    """Say what is wrong with a gradient."""
    ats = exact.ats
    wrong = next((k for k, at in enumerate(ats) if distance(at.own, right[k]) > tolerance), 0)
    if ignores_upstream(found.way, ats[wrong], right[wrong], tolerance):
        return fail(Difference("upstream ignored", UPSTREAM_IGNORED), error=error)
    factors = [find_factor(at.own, g, tolerance) for at, g in zip(ats, right)]
    known = [factor for factor in factors if factor is not None]
    if len(known) == len(ats):
        told = name_factors(found, ats, known)
        return fail(told, error=error) if told else judge_factors(known, error)
    wide = max(tolerance, 1e-7)
    best: list[tuple[float, Difference]] = []
    for program in list_wrong(found.program):
        times = fit_slopes(exact, program, wide)
        if times is None or distance(exact.at(program, ats[wrong].arrays), right[wrong]) <= wide:
            continue  # no fit, or a rewrite that changes nothing here
        r = program.rewrites[-1]
        told = Difference(
            r.name.replace("_", " "), r.sentence, "", find_claim(r, found.program.loss), r.links
        )
        if abs(times - 1) > 1e-6:
            told = told._replace(sentence=f"{told.sentence}; and it is {show(times)} times that")
        best.append((abs(math.log(abs(times) or 1e-9)), told))
        if abs(times - 1) <= 1e-6:
            break
    if best:
        return fail(min(best, key=lambda pair: pair[0])[1], error=error)
    if found.claim and found.differences:
        followed = follow_claim(found, exact, wide)
        if followed:
            return followed
    if dead := name_dead_rows(ats[0].own, right[0], tolerance):
        return fail(Difference("rows detached", dead), error=error)
    if error <= SINGLE:
        words = f"off by {error:.1g} of its largest entry: is a part of it computed in float32?"
        return fail(Difference("gradient wrong", words), error=error)
    return fail(Difference("gradient wrong", describe_worst(ats, right)), error=error)


def list_wrong(program: Program) -> Iterator[Program]:
    """The program with each rewrite that changes a derivative: first those that leave the value as it is; last
    those in place of the mistake that is known from the value, which may be another of the same value."""
    options = tuple(r for r in program.rewrites if r.kind == "=")
    others = [options] if options != program.rewrites else []
    for base, kind in product((program.rewrites, *others), ("∂", "")):
        for one in MISTAKES:
            if one.kind == kind and not count_numbers(one):
                wrong = Program(program.loss, (*base, one))
                if wrong.applies:
                    yield wrong


def fit_slopes(exact: Exact, program: Program, tolerance: float) -> float | None:
    """The factor between the own gradient and that of a program, at every point; None if they differ."""
    times = None
    for at in exact.ats:
        one = find_factor(at.own, exact.at(program, at.arrays), tolerance)
        if one is None or one == 0 or (times is not None and abs(one - times) > 10 * tolerance * abs(times)):
            return None
        times = one
    return times


def find_factor(own: Slopes, right: Slopes, tolerance: float) -> float | None:
    """The factor between two gradients, if it is the same for every entry."""
    names = [n for n in right if n in own]
    a, b = flat(own, names), flat(right, names)
    if not np.any(b) or not np.all(np.isfinite(b)):
        return None
    factor = float(a @ b / (b @ b))
    return factor if float(np.max(np.abs(a - factor * b))) <= tolerance * float(np.max(np.abs(a))) else None


def name_factors(found: Found, ats: Sequence[At], factors: Sequence[float]) -> Difference | None:
    """A factor of the gradient of a claimed loss that the catalogue names."""
    facts = [found.facts(at.arrays) for at in ats]
    for law in FACTORS if found.claim else ():
        if all(is_near(factor, law.at(f), 1e-6) for factor, f in zip(factors, facts)):
            words = f"the gradient is {show(factors[0])} times the exact one: {law.sentence}"
            return Difference(f"gradient {law.name}", words)
    return None


def judge_factors(factors: Sequence[float], error: float) -> Slope:
    """A gradient that is a multiple of the exact one at a point: is it at every point and size?"""
    *small, large = factors
    first = factors[0]
    said = f"the gradient is {show(first)} times the exact one"

    def same(factor: float) -> bool:
        return abs(factor - first) <= 1e-6 * abs(first)

    if all(map(same, factors)):
        return fail(Difference("gradient times a constant", said, "="), word="constant factor", error=error)
    if all(map(same, small)):
        words = (
            f"{said} at 4 pairs, and {show(large)} times at 6: is a number of rows missing, or there twice?"
        )
        name = "right at one batch size" if abs(first - 1) < 1e-6 else "gradient times a number that varies"
        return fail(Difference(name, words), error=error)
    other = next(factor for factor in factors if not same(factor))
    words = f"{said} at one point, and {show(other)} times at another"
    return fail(Difference("gradient times a number that varies", words), error=error)


def ignores_upstream(way: Stranger, at: At, right: Slopes, tolerance: float) -> bool:
    """Whether the gradient is right if the loss itself is differentiated, not a multiple of it."""
    own = way.ask(at.arrays, gradient=True, upstream=1.0)[1]
    return own is not None and distance(own, right) <= tolerance


def follow_claim(found: Found, exact: Exact, tolerance: float) -> Slope | None:
    """Whether the gradient is that of the claimed loss, which the value is not."""
    options = tuple(r for r in found.program.rewrites if r.kind == "=")
    for plain in (Program(found.program.loss, options), Program(found.program.loss)):
        claimed = Exact(found._replace(factor=None), exact.ats)
        if all(distance(at.own, claimed.at(plain, at.arrays)) <= tolerance for at in exact.ats):
            words = f"it is that of {found.claim} as it should be, which the value is not"
            return Slope("right", True, words)
    return None


def name_dead_rows(own: Slopes, right: Slopes, tolerance: float) -> str:
    """Name the rows without gradient, if all others have the right one; "" if that is not so."""
    size = max(float(np.max(np.abs(g))) for g in right.values())
    dead = []
    for name, g in right.items():
        off = np.abs(own[name] - g).max(axis=-1) > tolerance * size
        for index in np.argwhere(off):
            if np.any(own[name][tuple(index)]):
                return ""
            dead.append(f"{name}{[int(i) for i in index]}")
    return f"no gradient reaches {', '.join(dead[:4])}; every other row's is right" if dead else ""


def describe_worst(ats: Sequence[At], right: Sequence[Slopes]) -> str:
    """The entry that is furthest off."""
    errors = [
        (float(np.max(np.abs(at.own[n] - g[n]))), at.own[n], g[n], n) for at, g in zip(ats, right) for n in g
    ]
    _, own, g, name = max(errors, key=lambda each: each[0])
    index = np.unravel_index(int(np.argmax(np.abs(own - g))), own.shape)
    place = f"{name}{[int(i) for i in index]}"
    return f"no mixture of its parts; furthest off at {place}: {own[index]:.6g} for {g[index]:.6g}"


def judge_by_differences(found: Unknown, ats: Sequence[At]) -> Slope:
    """Compare the gradient with differences of the value, along directions, if no program is known."""
    way, rng = found.way, np.random.default_rng(6)
    step = {1e-9: 1e-5, 3e-5: 1e-3}.get(found.tolerance, 3e-2)
    rough = {1e-9: 1e-5, 3e-5: 1e-2}.get(found.tolerance, 0.1)
    off: dict[str, float] = {}
    largest = max(float(np.sqrt(np.sum(g * g))) for at in ats for g in at.own.values())
    for at in ats:
        for name, g in at.own.items():
            along = rng.standard_normal(g.shape)
            here = {**at.arrays}
            ahead, behind = (way.value({**here, name: at.arrays[name] + s * step * along}) for s in (1, -1))
            slope, mine = (ahead - behind) / (2 * step), float(np.sum(g * along))
            size = max(float(np.sqrt(np.sum(g * g))) + abs(slope), 1e-3 * largest)
            off[name] = max(off.get(name, 0.0), abs(slope - mine) / size)
    live = tuple(n for n in off if any(np.any(at.own[n]) for at in ats))
    error = max(off.values())
    if error <= rough:
        return Slope("right", True, f"within {error:.0e} of differences of its own value", (), live, error)
    still = [n for n in off if off[n] > rough and (n in ("negatives", "bank") or n not in live)]
    if (
        found.claim is None
        and still
        and len(still) < len(off)
        and max(off[n] for n in off if n not in still) <= rough
    ):
        words = (
            f"{' and '.join(still)} constant, in part at least: right for a teacher or a memory; else within "
        )
        return Slope("right", True, f"{words}{rough:.0e} of differences of its own value", (), live, error)
    return fail(
        Difference("gradient wrong", f"off by {error:.1g} of differences of its own value"), error=error
    )


# --- by numbers, and after another call ---------------------------------------------------------------------------


def judge_numbers(found: Found | Unknown) -> Iterator[Difference]:
    """Compare the gradients by numbers that a backward returned with differences of the value."""
    way = found.way
    arrays, learned = way.points(4, each=1)[1], way.learned()
    settings = way.settings
    for name, own in way.ask(arrays, gradient=True)[2].items():
        here = settings.get(name)
        if name in learned or not isinstance(here, int | float) or not accepts(way.target, name):
            continue

        def value(x: float, name: str = name) -> float:
            return way.given({name: x}).value(arrays)

        yield from compare_number(found, name, own, value, float(here))


def judge_learned(found: Found | Unknown) -> Iterator[Difference]:
    """Judge the gradients by the numbers that a module learns."""
    way = found.way
    arrays = way.points(4, each=1)[1]
    if way.target.restored or way.target.backward is not None:
        return
    numbers = way.ask(arrays, gradient=True)[2]
    for name, here in way.learned().items():

        def value(x: float, name: str = name, at: Mapping[str, Any] = arrays) -> float:
            with way.learning(name, x):
                return way.value(at)

        many = way.points(4, each=1)
        moved = [abs(value(here + s, at=at) - value(here, at=at)) for at in many for s in (3e-3, -3e-3)]
        size = max(abs(value(here, at=at)) for at in many)
        if max(moved) <= 1e-7 * size:
            if name not in numbers:
                way.notes[f"{name}, which it learns, is not used"] = None
                continue
            words = (
                f"{name}, which it learns, has no effect where it starts: is it clamped, or does it cancel?"
            )
            yield Difference("learned number without effect", words)
            continue
        yield from compare_number(found, name, numbers.get(name, 0.0), value, here, wide=1e-4)


def compare_number(
    found: Found | Unknown,
    name: str,
    own: float,
    value: Callable[[float], float],
    x: float,
    wide: float = OF_NUMBERS,
) -> Iterator[Difference]:
    slope, other = (differentiate(value, x, h * max(abs(x), 1e-2)) for h in (1e-3, 3e-4))
    tolerance = max(wide, 10 * TOLERANCES[found.tolerance])
    if not abs(slope - other) <= tolerance * (abs(slope) + NOTHING):
        return  # there is a kink between the two points
    if abs(own - slope) <= tolerance * max(abs(slope), NOTHING):
        return
    if isinstance(found, Found) and name in found.numbers and (told := name_number(found, name, own)):
        yield told
    elif own == 0:
        yield Difference("learned number detached", f"no gradient reaches {name}, which it learns")
    else:
        words = f"the gradient by {name} is {own:.9g}, where differences of the value give {slope:.9g}"
        yield Difference("gradient by numbers wrong", words)


def name_number(found: Found, name: str, own: float) -> Difference | None:
    """The rewrite whose slope by a number is the loss's own; its slopes by the arrays are right, as they are."""
    arrays = found.way.points(4, each=1)[1]
    scale, right = found.scale(arrays), found.program.slopes(arrays, found.at(arrays))

    def fits(program: Program) -> bool:
        return abs(scale * program.slope(arrays, found.at(arrays), name) - own) <= 1e-7 * abs(own)

    for program in () if fits(found.program) else list_wrong(found.program):
        if not fits(program):
            continue
        if distance(program.slopes(arrays, found.at(arrays)), right) <= OF_NUMBERS:
            r = program.rewrites[-1]
            return Difference(
                r.name.replace("_", " "), r.sentence, "", find_claim(r, found.program.loss), r.links
            )
    return None


def differentiate(f: Callable[[float], float], x: float, h: float) -> float:
    """f′(x) by differences of the fourth order."""
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


def judge_late(found: Found | Unknown) -> Iterator[Difference]:
    """Compare the gradient with that after another call of the loss, before its backward."""
    way = found.way
    if way.library != "torch":
        return
    at, other = way.points(4, each=1)[:2]
    alone = way.ask(at, gradient=True)[1] or {}
    try:
        late = way.ask(at, gradient=True, between=other)[1] or {}
    except Exception as error:  # as of an array that the other call has changed in place
        way.notes[f"called twice before its backward it raises {describe_error(error)}"] = None
        return
    if alone and not distance(late, alone) <= TOLERANCES[found.tolerance]:
        yield Difference("wrong after another call", LATE)


def explain_nan(way: Stranger, arrays: Mapping[str, Any]) -> str:
    """Say from which line NaN enters the gradient at these arrays, and why; "" if the library does not tell."""
    library: Any = sys.modules.get(way.library)
    if way.library == "torch":
        watched = library.autograd.set_detect_anomaly(True)
    elif hasattr(library, "debug_nans"):
        watched = library.debug_nans(True)
    else:
        return ""
    frames: list[tuple[str, int]] = []
    try:
        with watched:
            way.ask(arrays, gradient=True)
    except Exception as error:  # each library raises its own
        said = "\n".join(str(warning.message) for warning in way.session.heard)
        frames = [(file, int(line)) for file, line in re.findall(r'File "([^"]+)", line (\d+)', said)]
        cause = error.__cause__  # of JAX: where the operation stood before it was differentiated
        if not frames and cause is not None:
            frames = [(f.filename, f.lineno or 0) for f in traceback.extract_tb(cause.__traceback__)]
    for file, line in reversed(frames):
        if place := locate([(file, line)]):
            code = linecache.getline(file, line).strip()
            return f", first from {code[:60]}{'…' * (len(code) > 60)}{place}: {WHY}"
    return ""
