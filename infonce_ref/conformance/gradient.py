"""Is the loss's own gradient the exact gradient of the formula that it computes, and if not, which part is missing?

The exact gradient is a difference of the formula in 50 digits over a step of 1e-25, which has about 24 correct
digits. To separate the parts of a gradient, every row gets four copies: as anchor and as candidate, each in the
pull of the positives and in the push of the negatives. A part is the gradient by one copy, from the anchors of one
view, by one array.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .digits import arb, balls, many_digits
from .factors import show
from .formula import LABELS, Formula, places_of, similarities, total
from .inputs import Arrays

STEP = arb(2) ** -83  # about 1e-25
STEPS = {"float64": 1e-5, "float32": 1e-2, "float16": 5e-2, "bfloat16": 1e-1}  # of differences of a value
SINGLE = 1e-5  # relative: an error of at most about a hundred roundings of float32
SIDES = ("anchor", "candidate")
ENDS = ("pull", "push")


class Part(NamedTuple):
    """A part of a gradient: of the pull or the push, by anchors or candidates, from one view's anchors, by
    one array.
    """

    side: str
    end: str
    view: str
    array: str


class Point(NamedTuple):
    """The point of a gradient: the formula, the arrays, t, e, the factor of ∂φ; held: whether weights are
    constant.
    """

    formula: Formula
    arrays: Arrays
    t: float
    e: float
    scale: float
    held: bool = False


class Judgement(NamedTuple):
    """status: "right", "wrong", "constant factor", "none" · error: relative to the largest entry of the exact
    gradient · of_differences: of the loss's own gradient against differences of its value · mistake, sentence: the
    mistake in words."""

    status: str
    error: float
    of_differences: float
    mistake: str
    sentence: str


def floats(arrays: Arrays) -> list[str]:
    return [name for name in arrays if name not in LABELS]


def exact(arrays: Arrays) -> dict[str, Any]:
    """Convert numbers to balls; leave integers."""
    return {name: x if name in LABELS else balls(x) for name, x in arrays.items()}


def differences(function: Any, arrays: dict[str, Any], name: str, ahead: Any, behind: Any = 0) -> np.ndarray:
    """Central differences of a function of arrays by each entry of one array."""
    x = arrays[name]
    found = np.empty(x.shape)
    here = None if behind else function(arrays)
    for index in np.ndindex(x.shape):
        values = []
        for step in (ahead, -behind) if behind else (ahead,):
            moved = x.copy()
            moved[index] = moved[index] + step
            values.append(function({**arrays, name: moved}))
        found[index] = float((values[0] - (values[1] if behind else here)) / (ahead + behind))
    return found


def differentiate_formula(
    formula: Formula, arrays: Arrays, t: float, e: float, scale: float, held: bool = False
) -> dict[str, np.ndarray]:
    """scale ∂φ by each array, exact to the last digit of float64; held: whether the weights are constant."""
    with many_digits():
        here, inverse, second = exact(arrays), arb(t), arb(e)
        where, whole = places_of(formula, arrays), similarities(formula, here, here) if held else None

        def value(moved: Any) -> Any:
            return total(formula, similarities(formula, moved, moved), where, inverse, second, whole)

        return {name: scale * differences(value, here, name, STEP) for name in floats(arrays)}


def differentiate_parts(
    formula: Formula, arrays: Arrays, t: float, e: float, scale: float, held: bool = False
) -> dict[Part, dict[str, np.ndarray]]:
    """The nonzero parts of that gradient; their sum is the gradient."""
    where = places_of(formula, arrays)
    pull = where.roles["positive"]
    first = where.first[:, None]
    masks = {
        (end, view): (pull if end == "pull" else ~pull) & (first if view == "first" else ~first)
        for end, view in product(ENDS, ("first", "second"))
    }
    parts = {}
    with many_digits():
        here, inverse, second = exact(arrays), arb(t), arb(e)
        whole = similarities(formula, here, here)
        for side, (end, view), name in product(SIDES, masks, floats(arrays)):

            def through(moved: Any, side: str = side, mask: np.ndarray = masks[end, view]) -> Any:
                s = similarities(formula, *((moved, here) if side == "anchor" else (here, moved)))
                s = np.where(mask, s, whole)
                return total(formula, s, where, inverse, second, whole if held else None)

            part = scale * differences(through, here, name, STEP)
            if np.any(part):
                parts[Part(side, end, view, name)] = {name: part}
    return parts


def differentiate_values(function: Any, arrays: Arrays, precision: str) -> dict[str, np.ndarray]:
    """Differentiate the loss's own value numerically, in the precision in which it computes."""
    step = STEPS[precision]
    return {name: differences(function, dict(arrays), name, step, step) for name in floats(arrays)}


def flat(gradients: Mapping[str, np.ndarray], names: list[str]) -> np.ndarray:
    return np.concatenate([np.ravel(gradients[name]) for name in names])


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, relative to the largest entry of b."""
    size = float(np.max(np.abs(b)))
    return float(np.max(np.abs(a - b))) / (size or 1.0)


def fit_parts(own: np.ndarray, parts: dict[Part, np.ndarray], tolerance: float) -> dict[Part, float] | None:
    """Fit the factor of each part in a gradient by least squares, and choose the simplest mixture."""
    columns = np.stack(list(parts.values()), axis=1)
    factors, *_ = np.linalg.lstsq(columns, own, rcond=1e-10)
    if distance(columns @ factors, own) > tolerance:
        return None
    return {part: float(factor) for part, factor in zip(parts, factors)}


ARRAY_WORDS = {
    "x": "the first view",
    "y": "the second view",
    "negatives": "the negatives",
    "w": "the rows",
    "scores": "the scores",
}
PATTERNS: tuple[tuple[str, str, Any], ...] = (
    ("one view detached", "the first view is detached: no gradient reaches it", lambda p: p.array == "x"),
    ("one view detached", "the second view is detached: no gradient reaches it", lambda p: p.array == "y"),
    (
        "negatives detached",
        "the negatives are detached: no gradient reaches them",
        lambda p: p.array == "negatives",
    ),
    (
        "keys detached",
        "positives and negatives are detached: only the queries have a gradient",
        lambda p: p.array in ("y", "negatives"),
    ),
    (
        "candidates detached",
        "candidates are held constant (gathered or detached): a row has a gradient as an anchor, none as "
        "somebody's candidate",
        lambda p: p.side == "candidate",
    ),
    (
        "anchors detached",
        "anchors are held constant: a row has a gradient as a candidate, none as an anchor",
        lambda p: p.side == "anchor",
    ),
    ("pull missing", "the pull on the positives is missing", lambda p: p.end == "pull"),
    ("push missing", "the push on the negatives is missing", lambda p: p.end == "push"),
    (
        "negatives detached",
        "the negatives are held constant: they push the anchor, and are not pushed themselves",
        lambda p: p.end == "push" and p.side == "candidate",
    ),
    (
        "positives detached",
        "the positives are held constant: they pull the anchor, and are not pulled themselves",
        lambda p: p.end == "pull" and p.side == "candidate",
    ),
    (
        "one direction detached",
        "the anchors of the first view give no gradient: one direction is missing",
        lambda p: p.view == "first",
    ),
    (
        "one direction detached",
        "the anchors of the second view give no gradient: one direction is missing",
        lambda p: p.view == "second",
    ),
)


class Slip(NamedTuple):
    """A plausible wrong gradient: name · sentence · the gradient."""

    name: str
    sentence: str
    gradients: dict[str, np.ndarray]


def list_slips(
    formula: Formula, arrays: Arrays, t: float, e: float, scale: float, held: bool = False
) -> Iterator[Slip]:
    """List plausible wrong gradients that are not mixtures of parts: a normalisation that is not
    differentiated, or half; P − 1 with another number in place of 1.
    """
    right = differentiate_formula(formula, arrays, t, e, scale, held)
    if formula.rows == "unit":
        yield from wrong_norms(formula, arrays, t, e, scale)
    where = places_of(formula, arrays)
    if formula.head in WITH_A_ONE and np.all(where.roles["positive"].sum(-1) == 1):
        one = differentiate_formula(formula._replace(head="pull"), arrays, t, e, scale * t)
        for name, sentence, times, of_one in ONES:
            yield Slip(name, sentence, {n: times * right[n] + of_one * one[n] for n in right})


WITH_A_ONE = ("cross-entropy", "sigmoid", "sigmoid without bias")
ONES = (  # the factor of this gradient, and that of −s_p's
    ("P for P − 1", "P instead of P − 1[positive]: nothing pulls the positives", 1, -1),
    ("P − 2 for P − 1", "the 1 of the positive is subtracted twice", 1, 1),
    (
        "−1 for P − 1",
        "−1[positive] instead of P − 1[positive]: nothing pushes the negatives, as with a constant denominator",
        0,
        1,
    ),
)


def wrong_norms(formula: Formula, arrays: Arrays, t: float, e: float, scale: float) -> Iterator[Slip]:
    """z = w / ‖w‖ differentiated wrongly: dw = (dz − (z·dz) z) / ‖w‖ with a term or a factor left out."""
    rows = floats(arrays)
    norms = {name: np.linalg.norm(arrays[name], axis=-1, keepdims=True) for name in rows}
    units = {name: x / norms[name] if name in rows else x for name, x in arrays.items()}
    by_units = differentiate_formula(formula._replace(rows="given"), units, t, e, scale)

    def send_back(name: str, along: Arrays | None, divided: bool) -> np.ndarray:
        dz = by_units[name]
        if along is not None:
            dz = dz - np.sum(along[name] * dz, axis=-1, keepdims=True) * along[name]
        return dz / norms[name] if divided else dz

    for words, along, divided in (
        (("norm missing", "the gradient is not divided by the rows' length"), units, False),
        (
            (
                "projection missing",
                "the part of the gradient along each row is still there, as if the length were constant",
            ),
            None,
            True,
        ),
        (
            (
                "sphere forgotten",
                "it is the gradient by the unit rows, not by the rows given, as if straight through the norm",
            ),
            None,
            False,
        ),
        (("projected by raw rows", "it is projected with the rows given, not the unit rows"), arrays, True),
    ):
        yield Slip(*words, {name: send_back(name, along, divided) for name in rows})


def name_missing(own: np.ndarray, parts: dict[Part, np.ndarray], tolerance: float) -> tuple[str, str] | None:
    """Name the parts that are missing from a gradient, or that are counted twice in place of others; return
    name and sentence.
    """
    for name, sentence, gone in PATTERNS:
        left = [part for part in parts if not gone(part)]
        if not left or len(left) == len(parts):
            continue
        whole = np.sum([parts[part] for part in left], axis=0)
        if distance(whole, own) <= tolerance:
            return name, sentence
        if name == "candidates detached" and distance(2 * whole, own) <= tolerance:
            return SYMMETRIC
    return None


SYMMETRIC = (
    "g taken for symmetric",
    "twice what rows get as anchors, and nothing as candidates: 2 G Z where (G + Gᵀ) Z belongs",
)


def describe_mixture(
    own: np.ndarray, parts: dict[Part, np.ndarray], tolerance: float
) -> tuple[str, str] | None:
    """Describe how a gradient mixes its parts."""
    factors = fit_parts(own, parts, tolerance)
    if factors is None:
        return None
    off = {
        f"the {part.end} through the {part.side}s on {ARRAY_WORDS[part.array]}": factor
        for part, factor in factors.items()
        if abs(factor - 1) > 1e-3
    }
    if not off:
        return None
    if all(abs(factor) < 1e-9 for factor in off.values()):
        return (
            "parts missing",
            f"{', and '.join(off)} {'is' if len(off) == 1 else 'are'} missing: held constant",
        )
    shown = [f"{0.0 if abs(factor) < 1e-9 else factor:.3g} × {part}" for part, factor in off.items()]
    return "parts weighed otherwise", f"a mixture of its parts: {'; '.join(shown[:4])}"


def judge(
    own: Mapping[str, np.ndarray] | None,
    right: Mapping[str, np.ndarray] | None,
    at: Point | None,
    value_differences: Mapping[str, np.ndarray],
    tolerance: float,
) -> Judgement:
    """Return the verdict. right, at: the exact gradient of the named formula, and its point; None without such a
    formula: then differences of the value are used.
    """
    if own is None:
        return Judgement(
            "none", 0.0, 0.0, "", "there is no gradient to judge: pass one as backward (--backward)"
        )
    names = list(value_differences)
    mine, measured = flat(own, names), flat(value_differences, names)
    expected = measured if right is None else flat(right, names)
    by_value, error = distance(mine, measured), distance(mine, expected)
    if not np.all(np.isfinite(mine)):
        words = "gradient not finite", "the gradient holds NaN or infinity"
        return Judgement("wrong", float("inf"), by_value, *words)
    if error <= tolerance:
        return Judgement("right", error, by_value, "", "")
    if not np.any(mine):
        sentence = "no gradient reaches any input: the loss is computed on detached copies"
        return Judgement("wrong", error, by_value, "no gradient", sentence)
    factor = find_factor(mine, expected, tolerance)
    if factor is not None:
        sentence = f"the gradient is {show(factor)} times the exact one"
        return Judgement("constant factor", error, by_value, "gradient times a constant", sentence)
    named = None
    if error <= SINGLE:
        named = (
            "gradient wrong",
            f"off by {error:.1g} of its largest entry: is a part of it computed in float32?",
        )
    elif at is not None:
        reached = [name for name in names if np.any(value_differences[name])]
        named = name_wrong(own, reached, names, at, max(tolerance, 1e-7))
    return Judgement("wrong", error, by_value, *(named or find_worst(mine, expected, own, names)))


def name_wrong(
    own: Mapping[str, np.ndarray], reached: list[str], names: list[str], at: Point, tolerance: float
) -> tuple[str, str] | None:
    """The name and the sentence of a wrong gradient: parts that are missing, a slip, or a mixture of parts.

    reached: the arrays that need a gradient.
    """
    zeros = {name: np.zeros(np.shape(own[name])) for name in names}
    parts = {part: flat(zeros | found, names) for part, found in differentiate_parts(*at).items()}
    mine, here = flat(own, names), flat(own, reached)
    found = name_missing(mine, parts, tolerance)
    if found is None and np.any(here):
        made = (
            slip for slip in list_slips(*at) if distance(flat(slip.gradients, reached), here) <= tolerance
        )
        found = next(((slip.name, slip.sentence) for slip in made), None)
    return found or name_rows(own, names, at, tolerance) or describe_mixture(mine, parts, tolerance)


def name_rows(
    own: Mapping[str, np.ndarray], names: list[str], at: Point, tolerance: float
) -> tuple[str, str] | None:
    """Name the rows without gradient, if all others have the right one."""
    right = differentiate_formula(*at)
    size = max(float(np.max(np.abs(right[name]))) for name in names)
    dead = [
        f"{name}{[*i]}"
        for name in names
        for i in np.ndindex(right[name].shape[:-1])
        if np.any(right[name][i]) and not np.any(own[name][i])
    ]
    off = {name: np.abs(own[name] - right[name]).max(axis=-1) > tolerance * size for name in names}
    same = sum(int(x.sum()) for x in off.values()) == len(dead)
    if not dead or not same or at.arrays[names[0]].ndim < 2:
        return None
    return "rows detached", f"no gradient reaches {', '.join(dead[:4])}; every other row's is right"


def find_worst(
    mine: np.ndarray, expected: np.ndarray, like: Mapping[str, np.ndarray], names: list[str]
) -> tuple[str, str]:
    worst = int(np.argmax(np.abs(mine - expected)))
    entry = f"{locate(worst, like, names)}: {mine[worst]:.6g} for {expected[worst]:.6g}"
    return "gradient wrong", f"no mixture of its parts; furthest off at {entry}"


def find_factor(own: np.ndarray, expected: np.ndarray, tolerance: float) -> float | None:
    """The factor between a gradient and the exact one, if it is the same for every entry."""
    factor = float(own @ expected / (expected @ expected))
    return factor if distance(own, factor * expected) <= tolerance else None


def locate(place: int, like: Mapping[str, np.ndarray], names: list[str]) -> str:
    """Return the array and the index within it of an entry of the flattened gradient."""
    for name in names:
        size = like[name].size
        if place < size:
            index = [int(i) for i in np.unravel_index(place, like[name].shape)]
            return f"{name}{index}"
        place -= size
    raise IndexError(place)
