"""Is the loss's own gradient the exact gradient of the formula that it computes, and if not, which part is missing?

The exact gradient is a difference of the formula in 50 digits over a step of 1e-25, which leaves it 24. So that
parts can be told apart, every row has four copies: it enters as anchor and as candidate, on the pull of the
positives and on the push of the negatives; a part is the gradient by one copy, from the anchors of one view, by one
array.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .digits import arb, balls, many_digits
from .factors import show
from .formula import LABELS, Formula, phi, places_of, similarities, total
from .inputs import Arrays

STEP = arb(2) ** -83  # about 1e-25
SIDES = ("anchor", "candidate")
ENDS = ("pull", "push")


class Part(NamedTuple):
    """A part of a gradient: through the copies of one side, at one end, from one view's anchors, by one array."""

    side: str
    end: str
    view: str
    array: str


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
    """The same numbers as balls; integers stay."""
    return {name: x if name in LABELS else balls(x) for name, x in arrays.items()}


def differences(function: Any, arrays: dict[str, Any], name: str, ahead: Any, behind: Any = 0) -> np.ndarray:
    """The difference of a function of arrays by each entry of one, from so far behind it to so far ahead."""
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


def of_formula(formula: Formula, arrays: Arrays, t: float, e: float, scale: float) -> dict[str, np.ndarray]:
    """scale ∂φ by each array, exact to the last digit of float64."""
    with many_digits():
        here, inverse, second = exact(arrays), arb(t), arb(e)
        return {
            name: scale * differences(lambda moved: phi(formula, moved, inverse, second), here, name, STEP)
            for name in floats(arrays)
        }


def of_parts(
    formula: Formula, arrays: Arrays, t: float, e: float, scale: float
) -> dict[Part, dict[str, np.ndarray]]:
    """The parts of that gradient that are not 0; they add to it."""
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
                return total(formula, np.where(mask, s, whole), where, inverse, second)

            part = scale * differences(through, here, name, STEP)
            if np.any(part):
                parts[Part(side, end, view, name)] = {name: part}
    return parts


def of_values(function: Any, arrays: Arrays, precision: str) -> dict[str, np.ndarray]:
    """Differences of the loss's own value, in the precision in which it computes."""
    step = {"float64": 1e-5, "float32": 1e-2, "float16": 5e-2, "bfloat16": 1e-1}[precision]
    return {name: differences(function, dict(arrays), name, step, step) for name in floats(arrays)}


def flat(gradients: Mapping[str, np.ndarray], names: list[str]) -> np.ndarray:
    return np.concatenate([np.ravel(gradients[name]) for name in names])


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, relative to the largest entry of b."""
    size = float(np.max(np.abs(b)))
    return float(np.max(np.abs(a - b))) / (size or 1.0)


def explained(own: np.ndarray, parts: dict[Part, np.ndarray], tolerance: float) -> dict[Part, float] | None:
    """The factor of each part in a gradient, if it is a mixture of them; the plainest, by least squares."""
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


def missing(own: np.ndarray, parts: dict[Part, np.ndarray], tolerance: float) -> tuple[str, str] | None:
    """The name and the sentence of what is missing from an otherwise right gradient."""
    for name, sentence, gone in PATTERNS:
        left = [part for part in parts if not gone(part)]
        if not left or len(left) == len(parts):
            continue
        if distance(np.sum([parts[part] for part in left], axis=0), own) <= tolerance:
            return name, sentence
    factors = explained(own, parts, tolerance)
    if factors is None:
        return None
    off = [
        f"{factor:.3g} × the {part.end} through the {part.side}s on {ARRAY_WORDS[part.array]}"
        for part, factor in factors.items()
        if abs(factor - 1) > 1e-3
    ]
    return "parts weighed otherwise", f"a mixture of its parts: {'; '.join(off[:4])}"


def judged(
    own: Mapping[str, np.ndarray] | None,
    right: Mapping[str, np.ndarray] | None,
    parts: Any,
    value_differences: Mapping[str, np.ndarray],
    tolerance: float,
) -> Judgement:
    """The verdict. right: the exact gradient of the named formula; where there is no such formula, None, and
    differences of the value stand in · parts: makes its parts, called only where it is wrong."""
    if own is None:
        return Judgement(
            "none", 0.0, 0.0, "", "there is no gradient to judge: pass one as backward (--backward)"
        )
    names = list(value_differences)
    mine, measured = flat(own, names), flat(value_differences, names)
    expected = measured if right is None else flat(right, names)
    by_value, error = distance(mine, measured), distance(mine, expected)
    if not np.all(np.isfinite(mine)):
        return Judgement(
            "wrong", float("inf"), by_value, "gradient not finite", "the gradient holds NaN or infinity"
        )
    if error <= tolerance:
        return Judgement("right", error, by_value, "", "")
    if not np.any(mine):
        return Judgement(
            "wrong",
            error,
            by_value,
            "no gradient",
            "no gradient reaches any input: the loss is computed on detached copies",
        )
    factor = find_factor(mine, expected, tolerance)
    if factor is not None:
        return Judgement(
            "constant factor",
            error,
            by_value,
            "gradient times a constant",
            f"the gradient is {show(factor)} times the exact one",
        )
    if right is not None:
        named = missing(
            mine, {p: flat_part(g, right, names) for p, g in parts().items()}, max(tolerance, 1e-7)
        )
        if named:
            return Judgement("wrong", error, by_value, *named)
    worst = int(np.argmax(np.abs(mine - expected)))
    place = located(worst, value_differences, names)
    return Judgement(
        "wrong",
        error,
        by_value,
        "gradient wrong",
        f"no mixture of its parts; furthest off at {place}: {mine[worst]:.6g} for {expected[worst]:.6g}",
    )


def find_factor(own: np.ndarray, expected: np.ndarray, tolerance: float) -> float | None:
    """The number that a gradient is times the exact one, if it is the same for every entry."""
    factor = float(own @ expected / (expected @ expected))
    return factor if distance(own, factor * expected) <= tolerance else None


def flat_part(part: Mapping[str, np.ndarray], like: Mapping[str, np.ndarray], names: list[str]) -> np.ndarray:
    return flat({name: part.get(name, np.zeros(np.shape(like[name]))) for name in names}, names)


def located(place: int, like: Mapping[str, np.ndarray], names: list[str]) -> str:
    """The array and the index of an entry of the flat gradient."""
    for name in names:
        size = like[name].size
        if place < size:
            index = [int(i) for i in np.unravel_index(place, like[name].shape)]
            return f"{name}{index}"
        place -= size
    raise IndexError(place)
