"""The second tier: the loss's own gradient against the exact one of the formula that was found."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..targets import told
from . import asking, gradient, inputs, names
from .identification import Nearest
from .names import Difference
from .target import Refused
from .verdicts import Record, Verdict, record

TOLERANCES = {"float64": 1e-8, "float32": 1e-4, "float16": 3e-2, "bfloat16": 1e-1}
REASON = "rounding of the dtype in which the loss computes, beside the largest entry"
OF_DIFFERENCES = "a central difference at the step where truncation meets rounding"
HELD = ("byol", "simsiam")  # whose targets are held constant


class Slope(NamedTuple):
    """What came of the gradient · live: the arrays whose gradient is right and not held at 0, by which the numerics
    go on."""

    verdict: Verdict
    records: Sequence[Record] = ()
    mistakes: Sequence[Difference] = ()
    live: tuple[str, ...] = ()


def judged(nearest: Nearest, held: bool) -> Slope:
    """held: whether the loss is one whose targets must be held constant."""
    way, found = nearest.way, nearest.found
    arrays, by_value = somewhere_steep(nearest)
    try:
        own = way.gradient(arrays)
    except Refused:
        raise
    except Exception as error:
        sentence = f"its own gradient raises {told(error)}"
        return Slope(Verdict("wrong", False, sentence), [], [Difference("gradient raises", sentence)])
    right, parts = None, None
    if found is not None:
        factor, count, _ = names.scaled(found, arrays)
        point = (
            found.formula._replace(sign=1),
            arrays,
            found.formula.sign * found.inverse,
            found.second or 0.0,
            factor / count,
        )
        right, parts = gradient.of_formula(*point), partial(gradient.of_parts, *point)
    # a cold loss bends on the length of its temperature, and its differences with it
    rough = 1e-4 if nearest.precision == "float64" else 10 * TOLERANCES[nearest.precision]
    tolerance = TOLERANCES[nearest.precision] if right is not None else rough
    tolerance = max(tolerance, 100 * found.residual) if found else tolerance
    found_out = gradient.judged(own, right, parts, by_value, tolerance)
    if found_out.status == "none":
        return Slope(Verdict("none", True, found_out.sentence))
    against = "the exact gradient of the formula" if right is not None else "differences of its own value"
    records = [record("gradient", found_out.error, tolerance, against, REASON)]
    if right is not None:
        records.append(
            record(
                "gradient by differences",
                found_out.of_differences,
                rough * max(1.0, found.inverse**2 / 100 if found else 1.0),
                "differences of its own value",
                OF_DIFFERENCES,
            )
        )
    live = tuple(name for name, slope in (own or {}).items() if np.any(slope))
    pulls = found is not None and found.formula.head == "pull"
    if pulls and found_out.mistake == "one view detached":
        sentence = (
            f"{found_out.sentence.partition(':')[0]}, as a target is; else within {rough:.0e} of {against}"
        )
        good = [r._replace(status="holds", reason=sentence) for r in records]
        return Slope(Verdict("right", True, sentence), good, [], live)
    if pulls and held and found_out.status == "right":
        sentence = "the second view is not held constant: the stop-gradient is missing"
        return Slope(
            Verdict("wrong", False, sentence), records, [Difference("stop-gradient missing", sentence)]
        )
    if found_out.status == "right":
        return Slope(Verdict("right", True, f"within {found_out.error:.0e} of {against}"), records, [], live)
    return Slope(
        Verdict(found_out.status, False, found_out.sentence),
        records,
        [Difference(found_out.mistake, found_out.sentence)],
    )


def somewhere_steep(nearest: Nearest) -> tuple[Mapping[str, Any], dict[str, np.ndarray]]:
    """A point at which the value is not flat, as where every hinge is shut, and its differences there."""
    way = nearest.way
    for arrays in (asking.example(way.world, 4), *inputs.points(way.world, 4, each=1)):
        slopes = gradient.of_values(way.value, arrays, nearest.precision)
        if any(np.any(slope) for slope in slopes.values()):
            break
    return arrays, slopes
