"""What is known of a loss that no program computes."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..targets import describe_error
from .inputs import ROWS, change_floats, change_rows
from .naming import Unknown, describe_fit
from .reading import option
from .report import Difference
from .search import NEAR
from .strangers import Stranger
from .target import describe_held

ROUNDING, SEEN, TRIES = 1e-13, 1e-6, 4  # a step of rounding, and a jump that it does not explain
COORDINATES = (
    "a rotation of all rows changes it, so it is no function of their products and distances alone: it compares "
    "or weighs features, as a learned critic does, or takes scores or targets, not rows"
)


def explain(unknown: Unknown) -> Unknown:
    """Say what is known of a loss that no program computes, and what to do."""
    way, fit, told = unknown.way, unknown.nearest, list[Difference]()
    try:
        told += list_facts(unknown)
    except Exception as error:  # a user's code may raise anything
        way.note(f"not asked elsewhere: it raises {describe_error(error)}")
    name, words = "no formula fits", f"no formula of the family comes within {100 * NEAR:g} % of its values"
    if not way.changes(lambda at: way.points(4, each=1)[0]):
        value = way.value(way.points(4, each=1)[0])
        name = "zero" if value == 0 else "constant"
        words = f"it is {value:.6g} everywhere: nothing is trained"
    elif fit and fit.residual <= NEAR:
        words = f"the nearest formula is off by {100 * fit.residual:.2g} % of what the values vary: "
        words += describe_fit(fit)
    elif not (told or unknown.claim):
        words += f"; if it should be one of them, say which by {option('is_')}"
    return unknown._replace(differences=(*told, Difference(name, words)))


def list_facts(unknown: Unknown) -> Iterator[Difference]:
    """What is unusual about it: what it holds, what it ignores, what it notices."""
    way, of_rows = unknown.way, set(unknown.way.arrays) & set(ROWS)
    held = describe_held(way.function)
    if held:
        yield Difference("rows held inside", held)
    if "labels" in way.arrays and not way.changes(lambda at: {**at, "labels": np.roll(at["labels"], 1)}):
        words = "it is the same for other labels, as if it kept those of the first batch of each size"
        yield Difference("labels kept", words)
    if unknown.tolerance > NEAR:
        words = "half precision keeps too few digits to tell formulas apart: ask about it without"
        yield Difference("half precision", words)
    elif jump := describe_jump(way):
        yield Difference("value jumps", jump)
    elif not held and of_rows and way.changes(rotate):
        yield Difference("single coordinates", f"{COORDINATES} ({option('inputs')})")
    elif set(way.arrays) == {"x", "y"}:
        order = np.random.default_rng(4).permutation(4)
        if way.changes(lambda at: {n: x[order] for n, x in at.items()}):
            words = "the order of the pairs matters: are the labels shifted, or rows masked by place?"
            yield Difference("order matters", words)


def rotate(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The same point with all rows rotated."""
    d = next(iter(arrays.values())).shape[-1]
    turn = np.linalg.qr(np.random.default_rng(5).standard_normal((d, d)))[0]
    return change_rows(arrays, lambda x: x @ turn)


def describe_jump(way: Stranger) -> str:
    """Say that the value jumps if its arrays change by their rounding; "" if it does not."""
    rng = np.random.default_rng(8)

    def jitter(x: np.ndarray) -> np.ndarray:
        return x * (1 + ROUNDING * rng.standard_normal(x.shape))

    for at in way.points(4, each=1):
        here = way.value(at)
        for _ in range(TRIES):
            there = way.value(change_floats(at, jitter))
            if abs(there - here) > SEEN * (1 + abs(here)):
                words = f"the value jumps at ordinary rows, as from {here:.6g} to {there:.6g} by rounding: "
                return words + "does rounding decide a comparison, such as < 1 of a row's cosine with itself?"
    return ""
